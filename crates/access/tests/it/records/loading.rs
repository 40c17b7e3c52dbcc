//! Files go into all places of a design, and a load that dies anywhere goes on.

use std::sync::Arc;

use tablesmith_access::{LoadSource, LoadWatch, Repair, Writer, repair};
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Condition, Fault, Faulty, Reaction, Rule, Turn, Wrapped};

use super::designs::{design, workload};
use super::model::Model;
use super::statements::{Statement, columns, of};
use super::world::{assert_true, make};
use crate::random::{Random, seed};
use crate::stores::memory;

/// Lines that were rejected. What is not kept dies with the program.
#[derive(Default)]
struct Watch {
    told: Vec<u64>,
    kept: Vec<u64>,
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, _: u64, _: &str) {
        self.told.push(line);
    }

    fn loaded(&mut self, _: u64) {
        self.kept.append(&mut self.told);
    }
}

const TABLES: [&str; 3] = ["user", "follow", "twit"];

/// Rows with different keys.
fn rows(random: &mut Random, model: &Model, table: &'static str) -> Vec<Vec<Value>> {
    let row = |random: &mut Random| columns(model, table).iter().map(|one| of(random, table, one)).collect();
    let mut only = Model::new(&workload());
    Statement::Insert(table, (0..20).map(|_| row(random)).collect()).on(&mut only);
    only.rows(table).clone()
}

async fn load_all(
    store: &dyn Store,
    writer: &Arc<Writer>,
    model: &Model,
    watch: &mut Watch,
) -> Result<(), tablesmith_access::AccessError> {
    for table in TABLES {
        let good = model.rows(table).clone().into_iter().enumerate();
        let good = good.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values }));
        let bad = Err(RowError::rejected(99, "it is bad"));
        let rows = Box::new(std::iter::once(bad).chain(good));
        let loaded = writer.load(store, LoadSource { table, file: "a file", rows }, watch).await?;
        assert_eq!((loaded.rows, loaded.rejected), (model.rows(table).len() as u64, 1));
    }
    writer.load_joined(store, &TABLES.map(str::to_owned), watch).await?;
    Ok(())
}

#[tokio::test]
async fn a_load_that_dies_at_any_call_goes_on_with_nothing_lost_and_nothing_twice() {
    for run in 0..40 {
        let seed = seed() + 30_000 + run;
        let mut random = Random::new(seed);
        let design = design(&mut random);
        let store = Arc::new(memory());
        make(&*store, &design).await;
        let mut model = Model::new(&workload());
        for table in TABLES {
            let rows = rows(&mut random, &model, table);
            *model.rows_mut(table) = rows;
        }
        let reaction = match random.below(2) {
            0 => Reaction::FailBefore(Fault::Io),
            _ => Reaction::FailAfter(Fault::Io),
        };
        let turn = Turn::Nth(1 + random.below(40) as u64);
        let faulty = Wrapped::new(
            store.clone() as Arc<dyn Store>,
            Faulty::new(seed, [Rule { condition: Condition::Always, turn, reaction }]),
        );
        let context = format!("seed {seed}, {turn:?} {reaction:?}\n{}", design.to_toml());
        // Each attempt is a program of its own, which knows nothing of the one before.
        let (mut first, mut second) = (Watch::default(), Watch::default());
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let died = load_all(&faulty, &writer, &model, &mut first).await.is_err();
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let again = load_all(&*store, &writer, &model, &mut second).await;
        again.unwrap_or_else(|error| panic!("{error}: {context}"));
        assert!(died || second.kept.is_empty(), "a file that is through is not read again: {context}");
        assert!(first.kept.len() + second.kept.len() >= TABLES.len(), "a rejected line is lost: {context}");
        assert_true(&*store, &writer, &model, &context).await;
        let found = repair(&*store, &writer, Repair::Look).await.unwrap();
        assert!(found.iter().all(|place| place.is_true()), "{found:?}: {context}");
    }
}
