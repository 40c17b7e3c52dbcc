//! Writes to several rows of several tables: all or none. Stores that have no such writes refuse them.

use tablesmith_model::TimeRange;
use tablesmith_store::{AtomicBatch, Condition, Delete, Increment, Mutation, Put, RowCheck, Scan};

use super::check::{Checked, done, refused, same};
use super::lab::Lab;
use super::requests::{column, family};
use super::table::Table;

fn put(row: &'static str, family: &'static str, value: &'static str) -> Mutation {
    Mutation::Put(Put::new(row).add_at(family, "q", 5, value))
}

fn absent(table: &Table<'_>, row: &'static str) -> RowCheck {
    let condition =
        Condition::Absent { family: "f".into(), qualifier: "q".into(), time_range: TimeRange::ALL };
    RowCheck { table: table.name.clone(), row: row.into(), condition }
}

/// Two tables, the first with a row `a` and cut in two.
async fn tables<'l>(lab: &Lab<'l>) -> Checked<(Table<'l>, Table<'l>)> {
    let one = lab.table_split([family("f").with_versions(3)], ["m"]).await?;
    let two = lab.table([family("f"), family("g")]).await?;
    one.put(&[("a", "f:q", 1, "a1")]).await?;
    Ok((one, two))
}

pub(super) async fn happens_in_all_tables(lab: &Lab<'_>) -> Checked {
    if !lab.store.has_atomic_batches() {
        return Ok(());
    }
    let (one, two) = tables(lab).await?;
    let moved = Mutation::Delete(Delete::row("a").target(column("f:q", 1)));
    let writes = vec![
        (one.name.clone(), vec![moved, put("z", "f", "z5")]),
        (two.name.clone(), vec![put("r", "g", "r5"), put("s", "f", "s5")]),
        // A row that comes twice is written once, with all that is said of it.
        (one.name.clone(), vec![Mutation::Put(Put::new("z").add_at("f", "more", 6, "m6"))]),
        (two.name.clone(), vec![Mutation::Increment(Increment::new("n", "f", "q", 3))]),
    ];
    let batch = AtomicBatch { checks: vec![absent(&one, "z"), absent(&two, "r")], writes };
    let answer = done("an atomic batch", lab.store.atomic_batch(batch).await)?;
    same("whether it happened", &answer.value, &true)?;
    one.scan(Scan::all(), "z: f:more@6=m6 f:q@5=z5").await?;
    let count = r"f:q@now=\x00\x00\x00\x00\x00\x00\x00\x03";
    two.scan(Scan::all(), &format!("n: {count} | r: g:q@5=r5 | s: f:q@5=s5")).await
}

pub(super) async fn happens_nowhere_when_one_row_is_refused(lab: &Lab<'_>) -> Checked {
    if !lab.store.has_atomic_batches() {
        return Ok(());
    }
    let (one, two) = tables(lab).await?;
    let writes =
        |last: Mutation| vec![(one.name.clone(), vec![put("b", "f", "b5")]), (two.name.clone(), vec![last])];
    let batch = AtomicBatch { writes: writes(put("r", "nope", "r5")), ..AtomicBatch::default() };
    refused("an unknown family", lab.store.atomic_batch(batch).await, "NoSuchColumnFamilyException")?;
    let empty = Mutation::Put(Put::new("r"));
    let batch = AtomicBatch { writes: writes(empty), ..AtomicBatch::default() };
    refused("an empty put", lab.store.atomic_batch(batch).await, "IllegalArgumentException")?;
    two.put(&[("text", "f:q", 1, "t")]).await?;
    let sum = Mutation::Increment(Increment::new("text", "f", "q", 1));
    let batch = AtomicBatch { writes: writes(sum), ..AtomicBatch::default() };
    refused("a sum with a text", lab.store.atomic_batch(batch).await, "DoNotRetryIOException")?;
    one.scan(Scan::all(), "a: f:q@1=a1").await?;
    two.scan(Scan::all(), "text: f:q@1=t").await
}

pub(super) async fn happens_nowhere_when_a_check_does_not_hold(lab: &Lab<'_>) -> Checked {
    if !lab.store.has_atomic_batches() {
        return Ok(());
    }
    let (one, two) = tables(lab).await?;
    let writes =
        vec![(one.name.clone(), vec![put("b", "f", "b5")]), (two.name.clone(), vec![put("r", "g", "r5")])];
    let batch = AtomicBatch { checks: vec![absent(&two, "r"), absent(&one, "a")], writes };
    let answer = done("an atomic batch", lab.store.atomic_batch(batch).await)?;
    same("whether it happened", &answer.value, &false)?;
    one.scan(Scan::all(), "a: f:q@1=a1").await?;
    two.scan(Scan::all(), "nothing").await
}

pub(super) async fn is_refused_by_a_store_that_has_none(lab: &Lab<'_>) -> Checked {
    if lab.store.has_atomic_batches() {
        return Ok(());
    }
    let (one, _) = tables(lab).await?;
    let writes = vec![(one.name.clone(), vec![put("b", "f", "b5")])];
    let batch = AtomicBatch { writes, ..AtomicBatch::default() };
    let answer = lab.store.atomic_batch(batch).await;
    refused("an atomic batch", answer, "UnsupportedOperationException")?;
    one.scan(Scan::all(), "a: f:q@1=a1").await
}
