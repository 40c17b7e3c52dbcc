//! Filters that look at values and times.

use tablesmith_model::Timestamp;
use tablesmith_store::filter::{BitOp, ColumnCondition, Comparator, CompareOp, Filter};
use tablesmith_store::{Get, Put, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, binary, column, family, get_all, scan_all, value_is, value_is_not, version};
use super::table::Table;

fn by(filter: Filter) -> Scan {
    Scan::all().with(filter)
}

fn condition(op: CompareOp, value: &'static str) -> ColumnCondition {
    ColumnCondition {
        family: "f".into(),
        qualifier: "a".into(),
        op,
        comparator: binary(value),
        filter_if_missing: true,
        latest_version_only: true,
    }
}

pub(super) async fn value_compares_with_every_operator(lab: &Lab<'_>) -> Checked {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NoOp, NotEqual};
    let table = lab.table([family("f")]).await?;
    table.put(&[("a", "f:q", 1, ""), ("b", "f:q", 1, "m"), ("c", "f:q", 1, "z")]).await?;
    for (op, expected) in [
        (Equal, "b"),
        (NotEqual, "a c"),
        (Less, "a"),
        (LessOrEqual, "a b"),
        (Greater, "c"),
        (GreaterOrEqual, "b c"),
        (NoOp, ""),
    ] {
        table.keys(by(Filter::Value(op, binary("m"))), expected).await?;
    }
    table.keys(by(value_is("")), "a").await
}

pub(super) async fn value_compares_with_every_comparator(lab: &Lab<'_>) -> Checked {
    use CompareOp::{Equal, Greater, Less, NotEqual};
    let table = lab.table([family("f")]).await?;
    table
        .put(&[("a", "f:q", 1, "abc"), ("b", "f:q", 1, "ABC"), ("c", "f:q", 1, ""), ("d", "f:q", 1, "b")])
        .await?;
    let regex = |pattern: &str, ignore_case: bool| match ignore_case {
        false => Comparator::regex(pattern),
        true => Comparator::regex_in_any_case(pattern),
    };
    for (op, comparator, expected) in [
        (Equal, Comparator::BinaryPrefix("ab".into()), "a"),
        (Less, Comparator::BinaryPrefix("ab".into()), "b c"),
        (Greater, Comparator::BinaryPrefix("ab".into()), "d"),
        (Equal, Comparator::Substring("Bc".to_owned()), "a b"),
        (NotEqual, Comparator::Substring("Bc".to_owned()), "c d"),
        (Equal, regex("^a.*c$", false), "a"),
        (Equal, regex("b", true), "a b d"),
        (Equal, Comparator::Null, ""),
        (NotEqual, Comparator::Null, "a b c d"),
    ] {
        table.keys(by(Filter::Value(op, comparator)), expected).await?;
    }
    Ok(())
}

pub(super) async fn value_compares_bits_and_numbers(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("n")]).await?;
    let values: [(&'static str, &'static [u8]); 3] = [("a", b"\x01\x02"), ("b", b"\xf0\x00"), ("c", b"\x01")];
    for (row, value) in values {
        table.write(Put::new(row).add_at("f", "q", 1, value)).await?;
    }
    for (row, number) in [("a", -5_i64), ("b", 0), ("c", 7)] {
        table.write(Put::new(row).add_at("n", "q", 1, number.to_be_bytes().to_vec())).await?;
    }
    let bits = |op, bytes: &'static [u8]| {
        by(Filter::Value(CompareOp::Equal, Comparator::Bit { op, bytes: bytes.into() })).family("f")
    };
    table.keys(bits(BitOp::And, b"\x01\x00"), "a").await?;
    table.keys(bits(BitOp::Or, b"\x00\x00"), "a b").await?;
    table.keys(bits(BitOp::Xor, b"\x01\x02"), "b").await?;
    let number = |op| by(Filter::Value(op, Comparator::Long(0))).family("n");
    table.keys(number(CompareOp::Less), "a").await?;
    table.keys(number(CompareOp::GreaterOrEqual), "b c").await
}

pub(super) async fn key_only_leaves_out_values(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f"), family("g")]).await?;
    table.put(&[("r1", "f:b", 2, "newer"), ("r1", "g:a", 1, "g"), ("r2", "g:z", 1, "")]).await?;
    let keys = |length_as_value| by(Filter::KeyOnly { length_as_value });
    table.scan(keys(false), "r1: f:b@2= g:a@1= | r2: g:z@1=").await?;
    let expected = r"r1: f:b@2=\x00\x00\x00\x05 g:a@1=\x00\x00\x00\x01 | r2: g:z@1=\x00\x00\x00\x00";
    table.scan(keys(true), expected).await
}

async fn people<'a>(lab: &Lab<'a>) -> Checked<Table<'a>> {
    let table = lab.table([family("f").with_versions(3), family("g")]).await?;
    table.put(&[("r1", "f:a", 1000, "yes"), ("r1", "f:a", 2000, "no"), ("r1", "g:x", 1, "x1")]).await?;
    table.put(&[("r2", "f:a", 1000, "no"), ("r2", "f:a", 2000, "yes"), ("r3", "g:x", 1, "x3")]).await?;
    Ok(table)
}

pub(super) async fn single_column_value_chooses_rows(lab: &Lab<'_>) -> Checked {
    let table = people(lab).await?;
    let is_yes = || condition(CompareOp::Equal, "yes");
    table.keys(by(Filter::SingleColumnValue(is_yes())), "r2").await?;
    let or_missing = ColumnCondition { filter_if_missing: false, ..is_yes() };
    table.keys(by(Filter::SingleColumnValue(or_missing)), "r2 r3").await?;
    let any_version = ColumnCondition { latest_version_only: false, ..is_yes() };
    table.keys(by(Filter::SingleColumnValue(any_version)), "r1 r2").await?;
    let not_yes = condition(CompareOp::NotEqual, "yes");
    table.scan(by(Filter::SingleColumnValue(not_yes)), "r1: f:a@2000=no g:x@1=x1").await?;
    table.keys(by(Filter::SingleColumnValue(condition(CompareOp::Less, "yes"))), "r1").await
}

pub(super) async fn single_column_value_exclude_leaves_the_column_out(lab: &Lab<'_>) -> Checked {
    let table = people(lab).await?;
    let no = || condition(CompareOp::Equal, "no");
    table.scan(by(Filter::SingleColumnValueExclude(no())), "r1: g:x@1=x1").await?;
    let or_missing = ColumnCondition { filter_if_missing: false, ..no() };
    table.scan(by(Filter::SingleColumnValueExclude(or_missing)), "r1: g:x@1=x1 | r3: g:x@1=x3").await
}

/// An older version may answer when the newest does not.
pub(super) async fn column_value_takes_the_one_column(lab: &Lab<'_>) -> Checked {
    let table = people(lab).await?;
    let filter = |value| Filter::ColumnValue {
        family: "f".into(),
        qualifier: "a".into(),
        op: CompareOp::Equal,
        comparator: binary(value),
    };
    table.scan(by(filter("yes")), "r1: f:a@1000=yes | r2: f:a@2000=yes").await?;
    table.scan(by(filter("maybe")), "nothing").await
}

pub(super) async fn timestamps_take_exactly_those(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:a", 1000, "v1"), ("r", "f:a", 2000, "v2"), ("r", "f:a", 3000, "v3")]).await?;
    table.put(&[("r", "f:b", 2000, "w2")]).await?;
    let times =
        |timestamps: &[Timestamp], can_hint| Filter::Timestamps { timestamps: timestamps.to_vec(), can_hint };
    for hint in [false, true] {
        let all = scan_all().with(times(&[3000, 1000], hint));
        table.scan(all, "r: f:a@3000=v3 f:a@1000=v1").await?;
        table.scan(by(times(&[1000, 2000], hint)), "r: f:a@2000=v2 f:b@2000=w2").await?;
        table.scan(by(times(&[1500], hint)), "nothing").await?;
        table.scan(by(times(&[], hint)), "nothing").await?;
    }
    table.delete("r", version("f:a", 3000)).await?;
    table.scan(scan_all().with(times(&[2000, 3000], false)), "r: f:a@2000=v2 f:b@2000=w2").await
}

pub(super) async fn skip_leaves_out_rows_with_a_cell_that_fails(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table
        .put(&[("r1", "f:a", 1, "1"), ("r1", "f:b", 1, "1"), ("r2", "f:a", 1, "1"), ("r2", "f:b", 1, "0")])
        .await?;
    table.put(&[("r3", "f:a", 1, "0"), ("r3", "f:a", 2, "1")]).await?;
    let skip = |filter| Filter::Skip(Box::new(filter));
    table.keys(by(skip(value_is_not("0"))), "r1").await?;
    table.keys(by(skip(Filter::Qualifier(CompareOp::Equal, binary("a")))), "r3").await?;
    table.get(Get::new("r2").with(skip(value_is_not("0"))), "nothing").await
}

pub(super) async fn while_ends_at_the_first_cell_that_fails(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r1", "f:a", 1, "1"), ("r1", "f:b", 1, "2"), ("r2", "f:a", 1, "1")]).await?;
    table.put(&[("r2", "f:b", 1, "0"), ("r2", "f:c", 1, "1"), ("r3", "f:a", 1, "1")]).await?;
    let filter = Filter::While(Box::new(value_is_not("0")));
    table.scan(by(filter), "r1: f:a@1=1 f:b@1=2 | r2: f:a@1=1").await
}

pub(super) async fn filters_bring_nothing_deleted_back(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r1", "f:a", 1000, "v1"), ("r1", "f:a", 2000, "v2"), ("r2", "f:a", 1000, "v2")]).await?;
    table.delete("r1", version("f:a", 2000)).await?;
    table.delete("r2", column("f:a", 1000)).await?;
    table.scan(by(value_is("v2")), "nothing").await?;
    table.scan(by(value_is("v1")), "r1: f:a@1000=v1").await?;
    table.scan(by(Filter::SingleColumnValue(condition(CompareOp::Equal, "v2"))), "nothing").await?;
    table.get(get_all("r1").with(Filter::FirstKeyOnly), "f:a@1000=v1").await
}
