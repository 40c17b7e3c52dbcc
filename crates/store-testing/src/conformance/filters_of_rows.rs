//! Filters that choose rows by their key.

use tablesmith_store::filter::{Comparator, CompareOp, Filter, RowRange};
use tablesmith_store::{Get, Put, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, binary, family};
use super::scans::with_rows;

fn by(filter: Filter) -> Scan {
    Scan::all().with(filter)
}

pub(super) async fn prefix_takes_rows_that_begin_so(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["ab1", "ab2", "ac1", "b"], ["ab2"]).await?;
    table.keys(by(Filter::Prefix("ab".into())), "ab1 ab2").await?;
    table.keys(by(Filter::Prefix("".into())), "ab1 ab2 ac1 b").await?;
    table.keys(by(Filter::Prefix("zz".into())), "").await?;
    table.get(Get::new("ab1").with(Filter::Prefix("ac".into())), "nothing").await
}

/// Each region has a filter of its own.
pub(super) async fn page_counts_rows_of_each_region(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "d", "e", "f"], ["c", "e"]).await?;
    table.keys(by(Filter::Page(1)), "a c e").await?;
    table.keys(by(Filter::Page(2)), "a b c d e f").await?;
    table.keys(by(Filter::Page(0)), "").await?;
    table.keys(by(Filter::Page(1)).limit(2), "a c").await?;
    table.keys(Scan::range("d", "").with(Filter::Page(1)), "d e").await
}

pub(super) async fn row_compares_keys(lab: &Lab<'_>) -> Checked {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let table = with_rows(lab, ["B", "a", "ab", "abc", "b"], []).await?;
    for (op, expected) in [
        (Equal, "ab"),
        (NotEqual, "B a abc b"),
        (Less, "B a"),
        (LessOrEqual, "B a ab"),
        (Greater, "abc b"),
        (GreaterOrEqual, "ab abc b"),
    ] {
        table.keys(by(Filter::Row(op, binary("ab"))), expected).await?;
    }
    let regex = |pattern: &str, ignore_case: bool| match ignore_case {
        false => Comparator::regex(pattern),
        true => Comparator::regex_in_any_case(pattern),
    };
    for (op, comparator, expected) in [
        (Equal, Comparator::BinaryPrefix("ab".into()), "ab abc"),
        (Greater, Comparator::BinaryPrefix("a".into()), "b"),
        (Equal, Comparator::Substring("B".to_owned()), "B ab abc b"),
        (NotEqual, Comparator::Substring("b".to_owned()), "a"),
        (Equal, regex("b$", false), "ab b"),
        (Equal, regex("^b$", true), "B b"),
    ] {
        table.keys(by(Filter::Row(op, comparator)), expected).await?;
    }
    Ok(())
}

pub(super) async fn inclusive_stop_gives_its_row_as_the_last(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "bb", "c", "d"], ["c"]).await?;
    let up_to = |row: &'static str| Filter::InclusiveStop(row.into());
    table.keys(by(up_to("b")), "a b").await?;
    table.keys(by(up_to("ba")), "a b").await?;
    table.keys(by(up_to("c")), "a b bb c").await?;
    table.keys(by(up_to("0")), "").await?;
    table.get(Get::new("b").with(up_to("a")), "nothing").await
}

pub(super) async fn fuzzy_row_fits_bytes_that_count(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a1x", "a2x", "a2y", "b2x", "b2xtail"], []).await?;
    let fuzzy = |key: &'static str, mask: &'static [u8]| Filter::FuzzyRow(vec![(key.into(), mask.into())]);
    table.keys(by(fuzzy("?2x", &[1, 0, 0])), "a2x b2x b2xtail").await?;
    table.keys(by(fuzzy("a??", &[0, 1, 1])), "a1x a2x a2y").await?;
    let two = Filter::FuzzyRow(vec![
        ("a1?".into(), (&[0, 0, 1][..]).into()),
        ("b??".into(), (&[0, 1, 1][..]).into()),
    ]);
    table.keys(by(two), "a1x b2x b2xtail").await
}

pub(super) async fn multi_row_range_takes_rows_of_its_ranges(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c", "d", "e", "f", "g"], ["d"]).await?;
    let range = |start: &'static str, start_inclusive, stop: &'static str, stop_inclusive| RowRange {
        start: start.into(),
        start_inclusive,
        stop: stop.into(),
        stop_inclusive,
    };
    let ranges = Filter::MultiRowRange(vec![range("b", true, "c", true), range("e", false, "g", false)]);
    table.keys(by(ranges), "b c f").await?;
    let ranges = Filter::MultiRowRange(vec![range("f", true, "", false), range("", true, "b", false)]);
    table.keys(by(ranges), "a f g").await?;
    let ranges = Filter::MultiRowRange(vec![range("a", true, "d", false), range("c", true, "e", true)]);
    table.keys(by(ranges), "a b c d e").await
}

pub(super) async fn random_row_with_certain_chance(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "b", "c"], []).await?;
    table.keys(by(Filter::RandomRow(2.0)), "a b c").await?;
    table.keys(by(Filter::RandomRow(-1.0)), "").await
}

/// A while ends the scan of its region; the next region begins with a fresh filter, unless the scan has ended.
pub(super) async fn while_ends_at_the_first_row_that_fails(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["r1", "r2", "r3"], []).await?;
    let other_than = |row| Filter::While(Box::new(Filter::Row(CompareOp::NotEqual, binary(row))));
    table.keys(by(other_than("r2")), "r1").await?;
    table.keys(by(other_than("r2")).reversed(), "r3").await?;
    table.keys(by(other_than("r1")), "").await?;
    let split = with_rows(lab, ["a", "b", "c", "d", "e"], ["c", "e"]).await?;
    split.keys(by(other_than("b")), "a c d e").await?;
    split.keys(by(other_than("d")), "a b c e").await?;
    split.keys(by(other_than("c")), "a b").await?;
    split.keys(by(other_than("a")), "").await
}

pub(super) async fn filters_see_binary_keys(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let rows: [&'static [u8]; 4] = [b"\x00\x01", b"\x00\xff", b"\xfe\x01", b"a\nb"];
    for row in rows {
        table.write(Put::new(row).add_at("f", "q", 1, "v")).await?;
    }
    table.keys(by(Filter::Prefix((&b"\xfe"[..]).into())), r"\xFE\x01").await?;
    let exactly = Comparator::Binary((&b"\x00\x01"[..]).into());
    table.keys(by(Filter::Row(CompareOp::Equal, exactly)), r"\x00\x01").await?;
    let any = Comparator::regex("a.b");
    table.keys(by(Filter::Row(CompareOp::Equal, any)), r"a\x0Ab").await
}
