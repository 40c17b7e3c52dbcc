//! Layouts of readings on a real HBase, beside a plain list of them: the trial of the logical layer, a shorter one.

#[path = "../../../access/tests/it/series/trial/mod.rs"]
mod trial;

use tablesmith_model::series::SeriesLayout;

use crate::random::{Random, seed};
use crate::support::{drop_table, soaking, store, table_name};
use trial::Trial;
use trial::layouts::{KINDS, all};

/// One of so many layouts is tried, and so many changes are made to each.
const ONE_OF: usize = 11;
const STEPS: usize = 6;

#[tokio::test]
async fn layouts_of_readings_answer_what_a_list_answers() {
    println!("seed {}", seed());
    let (one_of, steps) = if soaking() { (1, 20) } else { (ONE_OF, STEPS) };
    let mut random = Random::new(seed());
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
