//! Increment and append.

use tablesmith_store::{Append, Increment};

use super::*;

const ONE: &str = r"\x00\x00\x00\x00\x00\x00\x00\x01";
const THREE: &str = r"\x00\x00\x00\x00\x00\x00\x00\x03";

async fn add(lab: &Lab, amount: i64) -> String {
    let answer = lab.store.increment(&lab.table, Increment::new("r", "f", "c", amount)).await.unwrap();
    text(&answer.value.cells)
}

#[tokio::test]
async fn an_increment_adds_writes_a_version_and_answers_with_it() {
    let lab = Lab::new([family("f", 3)]).await;
    assert_eq!(add(&lab, 1).await, format!("f:c@1000000={ONE}"));
    lab.clock.advance(5);
    assert_eq!(add(&lab, 2).await, format!("f:c@1000005={THREE}"));
    assert_eq!(lab.all("r").await, format!("f:c@1000005={THREE} f:c@1000000={ONE}"));
}

#[tokio::test]
async fn an_increment_is_always_newer_than_what_it_adds_to() {
    let lab = Lab::new([family("f", 3)]).await;
    add(&lab, 1).await;
    assert_eq!(add(&lab, 2).await, format!("f:c@1000001={THREE}"));
    let future = Put::new("r").add_at("f", "c", 2_000_000, 2_i64.to_be_bytes().to_vec());
    lab.store.put(&lab.table, future).await.unwrap();
    assert_eq!(add(&lab, 1).await, format!("f:c@2000001={THREE}"));
}

#[tokio::test]
async fn an_increment_by_nothing_writes_all_the_same() {
    let lab = Lab::new([family("f", 3)]).await;
    add(&lab, 1).await;
    add(&lab, 0).await;
    assert_eq!(lab.all("r").await, format!("f:c@1000001={ONE} f:c@1000000={ONE}"));
}

#[tokio::test]
async fn a_counter_wraps_round_and_wants_eight_bytes() {
    let lab = Lab::new([family("f", 3)]).await;
    add(&lab, i64::MAX).await;
    assert_eq!(add(&lab, 1).await, r"f:c@1000001=\x80\x00\x00\x00\x00\x00\x00\x00");
    lab.put("r", "f:text", 1, "7").await;
    let answer = lab.store.increment(&lab.table, Increment::new("r", "f", "text", 1)).await;
    assert_eq!(refused(answer), "DoNotRetryIOException");
}

#[tokio::test]
async fn an_increment_that_fails_in_one_column_changes_none() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.put("r", "f:z", 1, "text").await;
    let mut increment = Increment::new("r", "f", "a", 1);
    increment.amounts.push(("f".into(), "z".into(), 1));
    assert_eq!(refused(lab.store.increment(&lab.table, increment).await), "DoNotRetryIOException");
    assert_eq!(lab.all("r").await, "f:z@1=text");
}

#[tokio::test]
async fn an_increment_looks_only_into_its_time_range() {
    let lab = Lab::new([family("f", 3)]).await;
    add(&lab, 2).await;
    lab.clock.advance(100);
    let mut increment = Increment::new("r", "f", "c", 1);
    increment.time_range = during(NOW_MS + 1, i64::MAX);
    let answer = lab.store.increment(&lab.table, increment).await.unwrap();
    assert_eq!(text(&answer.value.cells), format!("f:c@1000100={ONE}"));
}

#[tokio::test]
async fn an_append_makes_values_longer_and_may_answer_with_nothing() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.put("r", "f:a", 1, "x").await;
    let append = Append::new("r", "f", "a", "y");
    let answer = lab.store.append(&lab.table, append.clone()).await.unwrap();
    assert_eq!(text(&answer.value.cells), "f:a@1000000=xy");
    let quiet = Append { return_results: false, ..append };
    let answer = lab.store.append(&lab.table, quiet).await.unwrap();
    assert_eq!(text(&answer.value.cells), "");
    assert_eq!(lab.get(Get::new("r")).await, "f:a@1000001=xyy");
}

#[tokio::test]
async fn new_values_come_in_the_order_of_their_columns() {
    let lab = Lab::new([family("f", 3), family("g", 3)]).await;
    let mut append = Append::new("r", "g", "a", "1");
    append.values.push(("f".into(), "z".into(), "2".into()));
    append.values.push(("f".into(), "b".into(), "3".into()));
    let answer = lab.store.append(&lab.table, append).await.unwrap();
    assert_eq!(text(&answer.value.cells), "f:b@1000000=3 f:z@1000000=2 g:a@1000000=1");
}

#[tokio::test]
async fn the_ttl_of_a_value_goes_on_to_its_successor() {
    let lab = Lab::new([family("f", 1)]).await;
    let first = Append { ttl_ms: Some(100), ..Append::new("r", "f", "a", "x") };
    lab.store.append(&lab.table, first).await.unwrap();
    lab.clock.advance(50);
    lab.store.append(&lab.table, Append::new("r", "f", "a", "y")).await.unwrap();
    lab.clock.advance(100);
    assert_eq!(lab.get(Get::new("r")).await, "f:a@1000050=xy");
    lab.clock.advance(1);
    assert_eq!(lab.get(Get::new("r")).await, "");
}
