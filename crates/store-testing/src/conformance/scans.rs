//! Scans: which rows they find, in which order, and at which moment they look.

use bytes::Bytes;
use tablesmith_store::{Columns, Put, RowBound, Scan};

use super::check::{Checked, done, holds, same};
use super::lab::Lab;
use super::requests::{family, scan_all};
use super::table::{Table, as_expected};
use crate::sequence::text;

/// A table with a cell in each of these rows.
pub(super) async fn with_rows<'a>(
    lab: &Lab<'a>,
    rows: impl IntoIterator<Item = &'static str>,
    splits: impl IntoIterator<Item = &'static str>,
) -> Checked<Table<'a>> {
    let table = lab.table_split([family("f")], splits).await?;
    for row in rows {
        table.put(&[(row, "f:q", 1, row)]).await?;
    }
    Ok(table)
}

fn between(start: RowBound, stop: RowBound) -> Scan {
    Scan { start, stop, ..Scan::all() }
}

pub(super) async fn take_their_start_and_leave_their_stop(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "bb", "c", "d"], []).await?;
    for (start, stop, expected) in [
        ("b", "c", "b bb"),
        ("ba", "cc", "bb c"),
        ("b", "b", "b"),
        ("ba", "ba", ""),
        ("", "", "a b bb c d"),
        ("", "b", "a"),
        ("c", "", "c d"),
        ("z", "", ""),
        ("c", "a", ""),
    ] {
        table.keys(Scan::range(start, stop), expected).await?;
    }
    Ok(())
}

pub(super) async fn have_bounds_that_belong_to_them_or_not(lab: &Lab<'_>) -> Checked {
    use RowBound::{Excluded, Included, Open};
    let table = with_rows(lab, ["a", "b", "c", "d"], ["c"]).await?;
    let row = |key: &'static str| Bytes::from(key);
    for (start, stop, expected) in [
        (Excluded(row("a")), Included(row("c")), "b c"),
        (Included(row("b")), Included(row("b")), "b"),
        (Excluded(row("b")), Open, "c d"),
        (Open, Included(row("d")), "a b c d"),
        (Excluded(row("a")), Excluded(row("d")), "b c"),
        (Excluded(row("b")), Excluded(row("c")), ""),
        (Excluded(row("aa")), Included(row("bb")), "b"),
    ] {
        table.keys(between(start, stop), expected).await?;
    }
    Ok(())
}

pub(super) async fn sort_rows_as_unsigned_bytes(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let rows: [&'static [u8]; 9] =
        [b"\xff\xff", b"\xff", b"\x80", b"\x7f", b"a", b"a\x00", b"\x00", b"\x00\x00", b" "];
    for row in rows {
        table.write(Put::new(row).add_at("f", "q", 1, "v")).await?;
    }
    let sorted = r"\x00 \x00\x00   a a\x00 \x7F \x80 \xFF \xFF\xFF";
    table.keys(Scan::all(), sorted).await?;
    table.keys(Scan::range(&b"\x00\x00"[..], &b"\x80"[..]), r"\x00\x00   a a\x00 \x7F").await?;
    table.keys(Scan::prefix(&b"\xff"[..]), r"\xFF \xFF\xFF").await
}

pub(super) async fn sort_columns_as_unsigned_bytes(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    let columns: [&'static [u8]; 9] = [b"b", b"B", b"10", b"9", b"b\x00", b"ba", b"\xff", b"\x00", b""];
    let mut put = Put::new("r").add_at("g", "", 1, "");
    for column in columns {
        put = put.add_at("f", column, 1, "");
    }
    table.write(put).await?;
    let sorted = r"r: f:@1= f:\x00@1= f:10@1= f:9@1= f:B@1= f:b@1= f:b\x00@1= f:ba@1= f:\xFF@1= g:@1=";
    table.scan(Scan::all(), sorted).await
}

pub(super) async fn cross_region_borders(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "d", "e", "i", "z"], ["b", "d", "f", "h"]).await?;
    table.keys(Scan::all(), "a d e i z").await?;
    table.keys(Scan::range("b", "d"), "").await?;
    table.keys(Scan::range("d", "h"), "d e").await?;
    table.keys(Scan::range("c", "").limit(2), "d e").await?;
    table.flush().await?;
    table.keys(Scan::range("a", "e"), "a d").await
}

pub(super) async fn end_at_their_limit_of_rows(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "d", "e"], ["c", "e"]).await?;
    table.put(&[("b", "f:r", 1, "more")]).await?;
    table.keys(Scan::all().limit(1), "a").await?;
    table.keys(Scan::all().limit(3), "a b c").await?;
    table.keys(Scan::all().limit(99), "a b c d e").await?;
    table.keys(Scan::range("b", "").limit(2), "b c").await
}

pub(super) async fn read_the_columns_asked_for(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2), family("g")]).await?;
    table.put(&[("r1", "f:a", 1, "a1"), ("r1", "f:a", 2, "a2"), ("r1", "f:b", 1, "b1")]).await?;
    table.put(&[("r1", "g:a", 1, "g1"), ("r2", "g:b", 1, "h1"), ("r2", "f:", 1, "e1")]).await?;
    table.scan(Scan::all().family("f"), "r1: f:a@2=a2 f:b@1=b1 | r2: f:@1=e1").await?;
    table.scan(scan_all().column("f", "a"), "r1: f:a@2=a2 f:a@1=a1").await?;
    table.scan(Scan::all().column("f", "a").column("g", "b"), "r1: f:a@2=a2 | r2: g:b@1=h1").await?;
    table.scan(Scan::all().column("f", "b").family("g"), "r1: f:b@1=b1 g:a@1=g1 | r2: g:b@1=h1").await?;
    table.scan(Scan::all().column("f", ""), "r2: f:@1=e1").await?;
    table.scan(Scan::all().column("f", "zz"), "nothing").await?;
    table.scan(Scan::all().column("f", "zz").column("g", "a"), "r1: g:a@1=g1").await?;
    let mut everything = Scan::all();
    everything.read.columns = Columns::all();
    table.scan(everything.limit(1), "r1: f:a@2=a2 f:b@1=b1 g:a@1=g1").await
}

pub(super) async fn answer_the_same_in_any_portions(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "d", "e", "f", "g"], ["d"]).await?;
    for caching in [1, 2, 3, 100] {
        table.keys(Scan { caching: Some(caching), ..Scan::all() }, "a b c d e f g").await?;
        table.keys(Scan { caching: Some(caching), ..Scan::all().limit(5) }, "a b c d e").await?;
        table.keys(Scan { caching: Some(caching), ..Scan::all().reversed() }, "g f e d c b a").await?;
    }
    Ok(())
}

pub(super) async fn stay_at_their_end(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b"], []).await?;
    let mut scanner = done("scan", table.store.scan(&table.name, Scan::all()).await)?;
    let mut rows = Vec::new();
    loop {
        let portion = done("next portion", scanner.next_rows().await)?;
        if portion.is_empty() {
            break;
        }
        rows.extend(portion);
    }
    same("rows", &rows.len(), &2)?;
    table.put(&[("c", "f:q", 1, "late")]).await?;
    let after = done("portion after the end", scanner.next_rows().await)?;
    holds("a scan that ended gives no more rows", after.is_empty())
}

/// Inside a region a scan sees the moment at which it came there.
pub(super) async fn see_one_moment_of_a_region(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c"], []).await?;
    let scan = Scan { caching: Some(1), ..Scan::all() };
    let mut scanner = done("scan", table.store.scan(&table.name, scan).await)?;
    let mut rows = done("first portion", scanner.next_rows().await)?;
    table.put(&[("b", "f:q", 2, "later"), ("bb", "f:q", 2, "later"), ("c", "f:z", 2, "later")]).await?;
    loop {
        let portion = done("next portion", scanner.next_rows().await)?;
        if portion.is_empty() {
            break;
        }
        rows.extend(portion);
    }
    let what = "a scan that began before the writes".to_owned();
    as_expected(what, &text::rows(&rows), "a: f:q@1=a | b: f:q@1=b | c: f:q@1=c")
}

pub(super) async fn see_whole_rows(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g"), family("h")]).await?;
    let write = async {
        for round in 1..=40_i64 {
            let value = Bytes::from(round.to_string());
            let put = ["f", "g", "h"]
                .into_iter()
                .fold(Put::new("r"), |put, family| put.add_at(family, "q", round, value.clone()));
            table.write(put).await?;
            tokio::task::yield_now().await;
        }
        Ok(())
    };
    let read = async {
        for _ in 0..40 {
            for row in table.rows(Scan::all()).await? {
                let first = row.value(b"f", b"q").cloned();
                let whole =
                    row.cells.len() == 3 && row.cells.iter().all(|cell| Some(&cell.value) == first.as_ref());
                holds(format!("a scan sees a whole row, not {}", text::cells(&row.cells)), whole)?;
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    };
    let (written, seen) = tokio::join!(write, read);
    written.and(seen)
}
