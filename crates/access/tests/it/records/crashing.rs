//! A writer that dies at any call leaves no copy that says what the masters do not, and repair mends the rest.

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_access::{Layout, Repair, Writer, read_view, repair};
use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tablesmith_store::wrap::Wrapped;
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};

use super::designs::{design, workload};
use super::model::Model;
use super::statements::statement;
use super::world::{all, assert_true, expected, make, stored};
use crate::random::seed;
use crate::stores::{far, memory};

/// What the masters have, as a model.
pub async fn masters(store: &dyn Store, writer: &Writer) -> Model {
    let mut model = Model::new(&workload());
    for (layout, _) in writer.layouts().filter(|(_, is_master)| *is_master) {
        *model.rows_mut(&layout.source().name) = all(store, layout).await;
    }
    model
}

/// Whether all that a copy has is what it should have.
fn assert_no_lies(layout: &Layout, there: &[Vec<Value>], should: &[Vec<Value>], context: &str) {
    for record in there {
        let fields = stored(layout);
        assert!(
            should.contains(record),
            "{} shows {fields:?} = {record:?}, the masters say {should:?}: {context}",
            layout.table()
        );
    }
}

#[tokio::test]
async fn no_copy_lies_after_a_crash_and_repair_mends_all() {
    for run in 0..60 {
        let seed = seed() + 10_000 + run;
        let mut random = Rng::with_seed(seed);
        let design = design(&mut random);
        let store: Arc<dyn Store> = match random.usize(..2) {
            0 => Arc::new(memory()),
            _ => Arc::new(far(Arc::new(memory()))),
        };
        make(&*store, &design).await;
        let writer = Writer::new(&workload(), &design).unwrap();
        let mut model = Model::new(&workload());
        for _ in 0..12 {
            let statement = statement(&mut random, &model);
            statement.carry_out(&*store, &writer).await.unwrap();
            statement.on(&mut model);
        }
        let crash = statement(&mut random, &model);
        let reaction = match random.usize(..2) {
            0 => Reaction::FailBefore(Fault::Io),
            _ => Reaction::FailAfter(Fault::Io),
        };
        let turn = Turn::Nth(1 + random.usize(..8) as u64);
        let rule = Rule { condition: Condition::Always, turn, reaction };
        let faulty = Wrapped::new(store.clone(), Faulty::new(seed, [rule]));
        let died = crash.carry_out(&faulty, &writer).await.is_err();
        let context =
            format!("seed {seed}, died: {died}, {turn:?} {reaction:?} of {crash:?}\n{}", design.to_toml());
        let view = read_view(&*store).await.unwrap();
        let truth = masters(view.store(), &writer).await;
        for (layout, _) in writer.layouts() {
            assert_no_lies(layout, &all(view.store(), layout).await, &expected(&truth, layout), &context);
        }
        // A move that was begun is completed, so that rows may lie elsewhere then.
        repair(&*store, &writer, Repair::Mend).await.unwrap_or_else(|error| panic!("{error}: {context}"));
        let repaired = masters(&*store, &writer).await;
        assert_eq!(
            repaired.tables.iter().map(|(_, rows)| rows.len()).sum::<usize>(),
            truth.tables.iter().map(|(_, rows)| rows.len()).sum::<usize>(),
            "{context}"
        );
        assert_true(&*store, &writer, &repaired, &context).await;
        let again = repair(&*store, &writer, Repair::Look).await.unwrap();
        assert!(again.iter().all(|place| place.is_true()), "{again:?}: {context}");
    }
}
