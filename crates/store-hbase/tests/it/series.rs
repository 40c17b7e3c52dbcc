//! Layouts of readings on a real HBase, beside a plain list of them: the trial of the logical layer, a shorter one.

#[path = "../../../access/tests/it/series/laid.rs"]
mod laid;
#[path = "../../../access/tests/it/series/trial/mod.rs"]
mod trial;

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_model::series::{Dimension, SeriesLayout};

use crate::random::seed;
use crate::support::{drop_table, soaking, store, table_name};
use laid::{Laid, answer_alike, design_of, load_both, readings, workload};
use trial::Trial;
use trial::layouts::{KINDS, all};

/// One of so many layouts is tried, and so many changes are made to each.
const ONE_OF: usize = 11;
const STEPS: usize = 6;

#[tokio::test]
async fn layouts_of_readings_answer_what_a_list_answers() {
    println!("seed {}", seed());
    let (one_of, steps) = if soaking() { (1, 20) } else { (ONE_OF, STEPS) };
    let mut random = Rng::with_seed(seed());
    let store = store().await;
    for (number, kind) in KINDS.into_iter().enumerate() {
        let layouts: Vec<SeriesLayout> = all(kind).into_iter().skip(number).step_by(one_of).collect();
        for layout in layouts {
            let name = table_name("series");
            let mut trial = Trial::new(&store, &mut random, kind, layout, name.clone()).await;
            trial.run(&mut random, steps).await;
            drop_table(&store, &name).await;
        }
    }
}

/// Tables of readings are loaded, asked and changed on a cluster as plain rows are in memory.
#[tokio::test]
async fn designs_of_readings_answer_as_plain_ones() {
    println!("seed {}", seed());
    let mut random = Rng::with_seed(seed());
    let store = Arc::new(store().await);
    let workload = Arc::new(workload());
    let rows = readings(&mut random);
    let tall = SeriesLayout::tall(&workload.tables[0]).unwrap();
    for dimension in [Dimension::Qualifier, Dimension::Version, Dimension::Packed] {
        let mut layouts: Vec<SeriesLayout> = all(KINDS[0]);
        layouts.retain(|layout| layout.dimension == dimension);
        let layout = layouts.swap_remove(random.usize(..layouts.len()));
        let mut design = design_of(&workload, &layout);
        for table in &mut design.tables {
            table.name = table_name(&table.name).to_string();
        }
        let plain = Laid::new(&workload, &design_of(&workload, &tall)).await;
        let laid = Laid::on(store.clone(), &workload, &design).await;
        load_both(&plain, &rows).await;
        load_both(&laid, &rows).await;
        answer_alike(&laid, &plain, &layout.name()).await;
        for table in &design.tables {
            drop_table(&store, &table.name.parse().unwrap()).await;
        }
    }
}
