//! Counters and appends: read, change and write in one step.

use bytes::Bytes;
use tablesmith_model::TimeRange;
use tablesmith_store::{Append, Get, Increment, Put, Row};

use super::check::{Broken, Checked, done, refused, same};
use super::lab::Lab;
use super::requests::{family, get_all, newest, scan_all, split};
use super::table::{Table, as_expected};
use crate::sequence::text;

async fn add(table: &Table<'_>, increment: Increment) -> Checked<Row> {
    let what = text::increment(&increment);
    done(what, table.store.increment(&table.name, increment).await).map(|answer| answer.value)
}

async fn extend(table: &Table<'_>, append: Append, expected: &str) -> Checked {
    let what = text::append(&append);
    let row = done(&what, table.store.append(&table.name, append).await)?.value;
    as_expected(what, &text::cells(&row.cells), expected)
}

/// The number of a column.
fn number(row: &Row, column: &'static str) -> Checked<i64> {
    let (family, qualifier) = split(column);
    let value = row.value(&family, &qualifier).ok_or_else(|| Broken(format!("{column} is missing")))?;
    let bytes = <[u8; 8]>::try_from(&value[..])
        .map_err(|_| Broken(format!("{column} has {} bytes, not 8", value.len())))?;
    Ok(i64::from_be_bytes(bytes))
}

async fn counts(table: &Table<'_>, column: &'static str, amount: i64, expected: i64) -> Checked {
    let (family, qualifier) = split(column);
    let row = add(table, Increment::new("r", family.clone(), qualifier.clone(), amount)).await?;
    same(format!("increment by {amount}"), &number(&row, column)?, &expected)?;
    let get = Get::new("r").column(family, qualifier);
    let stored = done("get", table.store.get(&table.name, get).await)?.value;
    same(format!("value after increment by {amount}"), &number(&stored, column)?, &expected)
}

pub(super) async fn begin_at_zero_and_add(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    counts(&table, "f:c", 1, 1).await?;
    counts(&table, "f:c", 5, 6).await?;
    counts(&table, "f:c", -10, -4).await?;
    table.flush().await?;
    counts(&table, "f:c", 0, -4).await?;
    counts(&table, "f:c", 4, 0).await
}

pub(super) async fn wrap_round(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.write(Put::new("r").add_at("f", "c", 1000, i64::MAX.to_be_bytes().to_vec())).await?;
    counts(&table, "f:c", 1, i64::MIN).await?;
    counts(&table, "f:c", -1, i64::MAX).await
}

pub(super) async fn take_any_eight_bytes_and_no_others(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table
        .put(&[("r", "f:text", 1000, "AAAAAAAA"), ("r", "f:short", 1000, "12"), ("r", "f:none", 1000, "")])
        .await?;
    counts(&table, "f:text", 1, 0x4141_4141_4141_4142).await?;
    for column in ["short", "none"] {
        let increment = Increment::new("r", "f", column, 1);
        let answer = table.store.increment(&table.name, increment).await;
        refused(format!("increment of {column}"), answer, "DoNotRetryIOException")?;
    }
    table.get(get_all("r").column("f", "short"), "f:short@1000=12").await
}

pub(super) async fn of_several_columns_change_together(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    counts(&table, "f:b", 10, 10).await?;
    let mut increment = Increment::new("r", "g", "a", 3);
    increment.amounts.extend([("f".into(), "b".into(), 1), ("f".into(), "a".into(), 2)]);
    let row = add(&table, increment).await?;
    let columns: Vec<_> = row.cells.iter().map(|cell| text::column(&cell.family, &cell.qualifier)).collect();
    same("columns of the answer", &columns, &vec!["f:a".to_owned(), "f:b".to_owned(), "g:a".to_owned()])?;
    for (column, expected) in [("f:a", 2), ("f:b", 11), ("g:a", 3)] {
        same(column, &number(&row, column)?, &expected)?;
    }
    Ok(())
}

pub(super) async fn change_nothing_when_one_column_refuses(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    table.put(&[("r", "g:bad", 1000, "x")]).await?;
    let mut increment = Increment::new("r", "f", "good", 1);
    increment.amounts.push(("g".into(), "bad".into(), 1));
    let answer = table.store.increment(&table.name, increment).await;
    refused("increment of a value that is no number", answer, "DoNotRetryIOException")?;
    table.scan(scan_all(), "r: g:bad@1000=x").await
}

/// The new value is as new as the present, and newer than what it replaces.
pub(super) async fn stamp_the_new_value_after_the_old(lab: &Lab<'_>) -> Checked {
    const FUTURE_MS: i64 = 99_999_999_999_999;
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.write(Put::new("r").add_at("f", "c", FUTURE_MS, 1_i64.to_be_bytes().to_vec())).await?;
    let row = add(&table, Increment::new("r", "f", "c", 1)).await?;
    same(
        "timestamp after a future value",
        &row.cells.first().map(|cell| cell.timestamp),
        &Some(FUTURE_MS + 1),
    )?;
    table.write(Put::new("s").add_at("f", "c", 1000, 1_i64.to_be_bytes().to_vec())).await?;
    add(&table, Increment::new("s", "f", "c", 1)).await?;
    table
        .get(
            get_all("s"),
            r"f:c@now=\x00\x00\x00\x00\x00\x00\x00\x02 f:c@1000=\x00\x00\x00\x00\x00\x00\x00\x01",
        )
        .await
}

pub(super) async fn see_deletes_and_time_ranges(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    for (timestamp, value) in [(1000, 10_i64), (2000, 20)] {
        table.write(Put::new("r").add_at("f", "c", timestamp, value.to_be_bytes().to_vec())).await?;
    }
    table.delete("r", newest("f:c")).await?;
    counts(&table, "f:c", 1, 11).await?;
    table.write(Put::new("r").add_at("f", "d", 1000, 5_i64.to_be_bytes().to_vec())).await?;
    table.write(Put::new("r").add_at("f", "d", 3000, 7_i64.to_be_bytes().to_vec())).await?;
    let mut increment = Increment::new("r", "f", "d", 1);
    increment.time_range = TimeRange::new(0, 2000).map_err(|error| Broken(error.to_string()))?;
    let row = add(&table, increment).await?;
    same("increment in a time range", &number(&row, "f:d")?, &6)
}

pub(super) async fn answer_nothing_when_not_asked(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let increment = Increment { return_results: false, ..Increment::new("r", "f", "c", 1) };
    let row = add(&table, increment).await?;
    holds_no_cells("increment", &row)?;
    counts(&table, "f:c", 1, 2).await?;
    let append = Append { return_results: false, ..Append::new("r", "f", "a", "x") };
    extend(&table, append, "nothing").await?;
    table.get(Get::new("r").column("f", "a"), "f:a@now=x").await
}

fn holds_no_cells(what: &str, row: &Row) -> Checked {
    as_expected(format!("{what} without results"), &text::cells(&row.cells), "nothing")
}

pub(super) async fn append_to_what_is_there(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3), family("g")]).await?;
    table.put(&[("r", "f:a", 1000, "one")]).await?;
    extend(&table, Append::new("r", "f", "a", "two"), "f:a@now=onetwo").await?;
    extend(&table, Append::new("r", "f", "new", "x"), "f:new@now=x").await?;
    table.flush().await?;
    let mut both = Append::new("r", "g", "b", "g");
    both.values.push(("f".into(), "new".into(), Bytes::from("y")));
    extend(&table, both, "f:new@now=xy g:b@now=g").await?;
    extend(&table, Append::new("r", "f", "new", ""), "f:new@now=xy").await?;
    table.get(get_all("r").column("f", "a"), "f:a@now=onetwo f:a@1000=one").await
}

pub(super) async fn lose_no_increment_of_several_at_once(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let twenty = async || {
        for _ in 0..20 {
            add(&table, Increment::new("r", "f", "c", 1)).await?;
            tokio::task::yield_now().await;
        }
        Checked::Ok(())
    };
    let (first, second, third) = tokio::join!(twenty(), twenty(), twenty());
    first.and(second).and(third)?;
    counts(&table, "f:c", 0, 60).await
}
