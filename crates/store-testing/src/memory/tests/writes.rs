//! Puts, deletes, and several of them together.

use tablesmith_store::{Action, ActionAnswer, Increment, Mutation, Row, RowMutations};

use super::*;

#[tokio::test]
async fn a_value_without_a_timestamp_gets_the_clocks() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.store.put(&lab.table, Put::new("r").add("f", "q", "a")).await.unwrap();
    lab.put("r", "f:q", i64::MAX, "b").await;
    assert_eq!(lab.all("r").await, "f:q@1000000=b");
}

#[tokio::test]
async fn a_delete_of_the_newest_version_looks_it_up() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    lab.delete("r", newest("f:q")).await;
    assert_eq!(lab.raw().await, "r[f:q@2 Delete f:q@2=v2 f:q@1=v1]");
    lab.delete("r", newest("f:absent")).await;
    assert_eq!(lab.scan(Scan::all().raw()).await, "r[f:absent@1000000 Delete f:q@2 Delete f:q@2=v2]");
}

#[tokio::test]
async fn the_newest_version_deleted_twice_in_one_delete_takes_two() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    let delete = Delete::row("r").target(newest("f:q")).target(newest("f:q"));
    lab.store.delete(&lab.table, delete).await.unwrap();
    assert_eq!(lab.all("r").await, "f:q@1=v1");
}

#[tokio::test]
async fn the_newest_version_cannot_be_deleted_past_what_the_family_keeps() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("r", "f:q", &[1, 2]).await;
    let delete = Delete::row("r").target(newest("f:q")).target(newest("f:q"));
    lab.store.delete(&lab.table, delete).await.unwrap();
    assert_eq!(lab.all("r").await, "f:q@1=v1");
    assert_eq!(lab.raw().await, "r[f:q@1000000 Delete f:q@2 Delete f:q@2=v2 f:q@1=v1]");
}

#[tokio::test]
async fn a_delete_that_names_nothing_takes_all_families_up_to_a_time() {
    let lab = Lab::new([family("f", 3), family("g", 3)]).await;
    lab.versions("r", "f:q", &[1, 5]).await;
    lab.versions("r", "g:q", &[1, 5]).await;
    let delete = Delete { timestamp: Some(3), ..Delete::row("r") };
    lab.store.delete(&lab.table, delete).await.unwrap();
    assert_eq!(lab.all("r").await, "f:q@5=v5 g:q@5=v5");
    lab.store.delete(&lab.table, Delete::row("r")).await.unwrap();
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn mutations_of_a_row_happen_together_or_not_at_all() {
    let lab = Lab::new([family("f", 3)]).await;
    let put = |family| Mutation::Put(Put::new("r").add_at(family, "q", 1, "v"));
    let mutate = |mutations| lab.store.mutate_row(&lab.table, RowMutations { row: "r".into(), mutations });
    assert_eq!(refused(mutate(vec![put("f"), put("x")]).await), "NoSuchColumnFamilyException");
    assert_eq!(lab.all("r").await, "");
    mutate(vec![put("f"), Mutation::Delete(Delete::row("r").target(column("f:p", 9)))]).await.unwrap();
    assert_eq!(lab.raw().await, "r[f:p@9 DeleteColumn f:q@1=v]");
}

#[tokio::test]
async fn mutations_that_happen_together_do_not_see_each_other() {
    let lab = Lab::new([family("f", 3)]).await;
    let mutations = vec![
        Mutation::Put(Put::new("r").add_at("f", "c", 5, 10_i64.to_be_bytes().to_vec())),
        Mutation::Increment(Increment::new("r", "f", "c", 1)),
    ];
    let answer = lab.store.mutate_row(&lab.table, RowMutations { row: "r".into(), mutations }).await.unwrap();
    assert_eq!(text(&answer.value.cells), r"f:c@1000000=\x00\x00\x00\x00\x00\x00\x00\x01");
}

#[tokio::test]
async fn a_put_beside_the_delete_of_its_row_is_hidden_by_it() {
    let lab = Lab::new([family("f", 3)]).await;
    let mutations = vec![Mutation::Delete(Delete::row("r")), Mutation::Put(Put::new("r").add("f", "q", "v"))];
    lab.store.mutate_row(&lab.table, RowMutations { row: "r".into(), mutations }).await.unwrap();
    assert_eq!(lab.all("r").await, "");
}

#[tokio::test]
async fn a_batch_works_in_order_and_answers_each_for_itself() {
    let lab = Lab::new([family("f", 3)]).await;
    let actions = vec![
        Action::Mutate(Mutation::Put(Put::new("r").add_at("f", "q", 1, "v"))),
        Action::Get(Get::new("r")),
        Action::Mutate(Mutation::Put(Put::new("r").add_at("x", "q", 1, "v"))),
        Action::Mutate(Mutation::Put(Put::new(""))),
        Action::Mutate(Mutation::Delete(Delete::row("r"))),
        Action::Get(Get::new("r")),
    ];
    let answers = lab.store.batch(&lab.table, actions).await.unwrap().value;
    let told: Vec<String> = answers
        .into_iter()
        .map(|answer| match answer {
            Ok(ActionAnswer::Row(Row { cells, .. })) => text(&cells),
            Ok(ActionAnswer::Checked(outcome)) => outcome.success.to_string(),
            Err(error) => error.exception().to_owned(),
        })
        .collect();
    let expected = ["", "f:q@1=v", "NoSuchColumnFamilyException", "IllegalArgumentException", "", ""];
    assert_eq!(told, expected);
    let nowhere = "nowhere".parse().unwrap();
    assert_eq!(refused(lab.store.batch(&nowhere, Vec::new()).await), "TableNotFoundException");
}

#[tokio::test]
async fn a_family_without_a_name_is_refused_as_hbase_does() {
    let lab = Lab::new([family("f", 3)]).await;
    assert_eq!(refused(lab.store.put(&lab.table, Put::new("r").add("", "q", "v")).await), "IOException");
    let delete = Delete::row("r").target(column(":q", 1));
    assert_eq!(refused(lab.store.delete(&lab.table, delete).await), "NoSuchColumnFamilyException");
}
