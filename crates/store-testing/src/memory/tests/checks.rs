//! Check-and-mutate.

use tablesmith_store::filter::{Comparator, CompareOp, Filter};
use tablesmith_store::{Append, CheckAndMutate, CheckOutcome, Condition, Mutation, RowMutations};

use super::*;

fn value(op: CompareOp, given: &'static str) -> Condition {
    Condition::Value {
        family: "f".into(),
        qualifier: "q".into(),
        op,
        comparator: Comparator::Binary(given.into()),
        time_range: TimeRange::ALL,
    }
}

async fn attempt(lab: &Lab, condition: Condition, mutation: Mutation) -> CheckOutcome {
    let then = RowMutations { row: "r".into(), mutations: vec![mutation] };
    lab.store.check_and_mutate(&lab.table, CheckAndMutate { condition, then }).await.unwrap().value
}

fn mark() -> Mutation {
    Mutation::Put(Put::new("r").add("f", "mark", "x"))
}

#[tokio::test]
async fn what_is_given_stands_on_the_left() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.put("r", "f:q", 1, "m").await;
    assert!(attempt(&lab, value(CompareOp::Less, "a"), mark()).await.success);
    assert!(!attempt(&lab, value(CompareOp::Less, "z"), mark()).await.success);
    assert!(attempt(&lab, value(CompareOp::GreaterOrEqual, "m"), mark()).await.success);
}

#[tokio::test]
async fn an_empty_value_given_means_absent() {
    let lab = Lab::new([family("f", 1)]).await;
    assert!(!attempt(&lab, value(CompareOp::Equal, "m"), mark()).await.success);
    assert!(attempt(&lab, value(CompareOp::Equal, ""), mark()).await.success);
    assert!(!attempt(&lab, value(CompareOp::NotEqual, ""), mark()).await.success);
    lab.put("r", "f:q", 1, "m").await;
    assert!(!attempt(&lab, value(CompareOp::Equal, ""), mark()).await.success);
    assert!(attempt(&lab, value(CompareOp::NotEqual, ""), mark()).await.success);
}

#[tokio::test]
async fn a_failed_check_writes_nothing() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.put("r", "f:q", 1, "m").await;
    let outcome = attempt(&lab, value(CompareOp::Equal, "n"), mark()).await;
    assert_eq!(outcome, CheckOutcome { success: false, row: None });
    assert_eq!(lab.all("r").await, "f:q@1=m");
}

#[tokio::test]
async fn a_put_is_not_older_than_what_the_check_saw() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.put("r", "f:q", 2_000_000, "m").await;
    let put = Mutation::Put(Put::new("r").add("f", "q", "n"));
    assert!(attempt(&lab, value(CompareOp::Equal, "m"), put).await.success);
    assert_eq!(lab.all("r").await, "f:q@2000000=n");
}

#[tokio::test]
async fn a_filter_holds_when_it_leaves_anything_of_the_row() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.put("r", "f:q", 1, "m").await;
    let prefix = |prefix: &'static str| Condition::Filter {
        filter: Filter::ColumnPrefix(prefix.into()),
        time_range: TimeRange::ALL,
    };
    assert!(attempt(&lab, prefix("q"), mark()).await.success);
    assert!(!attempt(&lab, prefix("z"), mark()).await.success);
}

#[tokio::test]
async fn the_outcome_has_new_values_where_there_are_any() {
    let lab = Lab::new([family("f", 1)]).await;
    let outcome = attempt(&lab, value(CompareOp::Equal, ""), mark()).await;
    assert_eq!(outcome, CheckOutcome { success: true, row: None });
    let append = Mutation::Append(Append::new("r", "f", "q", "x"));
    let outcome = attempt(&lab, value(CompareOp::Equal, ""), append).await;
    assert_eq!(text(&outcome.row.unwrap().cells), "f:q@1000000=x");
}
