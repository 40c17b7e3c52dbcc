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

#[derive(Default)]
struct Watch {
    rejected: Vec<(u64, String)>,
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, _: u64, reason: &str) {
        self.rejected.push((line, reason.to_owned()));
    }

    fn loaded(&mut self, _: u64) {}
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
    writer: &Writer,
    model: &Model,
) -> Result<Watch, tablesmith_access::AccessError> {
    let mut watch = Watch::default();
    for table in TABLES {
        let good = model.rows(table).iter().enumerate();
        let good = good.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values: values.clone() }));
        let bad = Err(RowError::rejected(99, "it is bad"));
        let rows = Box::new(std::iter::once(bad).chain(good));
        let loaded = writer.load(store, LoadSource { table, file: "a file", rows }, &mut watch).await?;
        assert_eq!((loaded.rows, loaded.rejected), (model.rows(table).len() as u64, 1));
    }
    writer.load_joined(store, &TABLES.map(str::to_owned), &mut watch).await?;
    Ok(watch)
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
        let died = load_all(&faulty, &Writer::new(&workload(), &design).unwrap(), &model).await.is_err();
        let writer = Writer::new(&workload(), &design).unwrap();
        let watch =
            load_all(&*store, &writer, &model).await.unwrap_or_else(|error| panic!("{error}: {context}"));
        assert!(died || watch.rejected.is_empty(), "a file that is through is not read again: {context}");
        assert_true(&*store, &writer, &model, &context).await;
        let found = repair(&*store, &writer, Repair::Look).await.unwrap();
        assert!(found.iter().all(|place| place.is_true()), "{found:?}: {context}");
    }
}
