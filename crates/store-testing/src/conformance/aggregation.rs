//! Aggregation inside the regions: counts, sums, extremes, by group.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::series::entry;
use tablesmith_model::series::packed::Packer;
use tablesmith_model::value::CellEncoding;
use tablesmith_store::aggregate::{
    Held, KeyPlace, KeyTime, KeyUnit, Metric, OffsetForm, Readings, RowSet, TimeOf, merge,
};
use tablesmith_store::filter::Filter;
use tablesmith_store::{
    Aggregate, Group, GroupKey, KeySlice, Number, Partial, Put, RegionPartials, Scan, ValueType,
};

use super::check::{Broken, Checked, done, refused, same};
use super::lab::Lab;
use super::requests::{Read, family, value_is_not};
use super::table::Table;
use crate::sequence::text;

async fn regions(table: &Table<'_>, aggregate: Aggregate) -> Checked<Vec<RegionPartials>> {
    let what = text::aggregate(&aggregate);
    done(what, table.store.aggregate(&table.name, aggregate).await).map(|answer| answer.value)
}

async fn groups(table: &Table<'_>, aggregate: Aggregate) -> Checked<BTreeMap<GroupKey, Partial>> {
    Ok(merge(&regions(table, aggregate).await?))
}

async fn total(table: &Table<'_>, scan: Scan, value: ValueType) -> Checked<Partial> {
    let groups = groups(table, Aggregate::new(scan, value)).await?;
    Ok(groups.get(&GroupKey::default()).copied().unwrap_or_default())
}

/// Rows a, b (two versions), m and z; the numbers 1, 2, 3, 10 and a text.
async fn numbers<'a>(lab: &Lab<'a>, splits: &[&'static str]) -> Checked<Table<'a>> {
    let table = lab.table_split([family("f").with_versions(3), family("g")], splits.iter().copied()).await?;
    let cells: [(&'static str, i64, i64); 4] =
        [("a", 1000, 1), ("b", 1000, 2), ("b", 2000, 3), ("m", 1000, 10)];
    for (row, timestamp, number) in cells {
        table.write(Put::new(row).add_at("f", "n", timestamp, number.to_be_bytes().to_vec())).await?;
    }
    table.put(&[("z", "f:n", 1000, "text"), ("a", "g:other", 1000, "x")]).await?;
    Ok(table)
}

pub(super) async fn counts_rows_and_cells(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &[]).await?;
    let all = total(&table, Scan::all(), ValueType::None).await?;
    same("rows, cells, numbers", &(all.rows, all.cells, all.numbers), &(4, 5, 0))?;
    let some = total(&table, Scan::range("b", "z").family("f"), ValueType::None).await?;
    same("rows, cells of a range", &(some.rows, some.cells), &(2, 2))?;
    let none = total(&table, Scan::range("x", "y"), ValueType::None).await?;
    same("rows, cells of nothing", &(none.rows, none.cells), &(0, 0))
}

pub(super) async fn adds_up_numbers(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &["m"]).await?;
    let column = || Scan::all().column("f", "n");
    let newest = total(&table, column(), ValueType::I64).await?;
    same("rows, cells, numbers", &(newest.rows, newest.cells, newest.numbers), &(4, 4, 3))?;
    same("sum", &newest.sum, &Number::Int(14))?;
    same("sum of squares", &newest.sum_of_squares, &Number::Int(110))?;
    same("min, max", &(newest.min, newest.max), &(Some(Number::Int(1)), Some(Number::Int(10))))?;
    let versions = total(&table, column().versions(9), ValueType::I64).await?;
    same("cells, sum of all versions", &(versions.cells, versions.sum), &(5, Number::Int(16)))?;
    let past = total(&table, column().during(0, 1500), ValueType::I64).await?;
    same("sum of the past", &past.sum, &Number::Int(13))
}

pub(super) async fn sees_filters_and_deletes(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &["m"]).await?;
    let prefix = Scan::all().family("f").with(Filter::Prefix("b".into()));
    same("sum under a prefix", &total(&table, prefix, ValueType::I64).await?.sum, &Number::Int(3))?;
    let not_text = Scan::all().family("f").with(value_is_not("text"));
    same("rows without the text", &total(&table, not_text, ValueType::None).await?.rows, &3)?;
    table.erase(tablesmith_store::Delete::row("m")).await?;
    let rest = total(&table, Scan::all().family("f"), ValueType::I64).await?;
    same("rows, sum after a delete", &(rest.rows, rest.sum), &(3, Number::Int(4)))
}

pub(super) async fn answers_for_each_region(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &["b", "n"]).await?;
    let aggregate = Aggregate::new(Scan::all().column("f", "n"), ValueType::I64);
    let answers = regions(&table, aggregate.clone()).await?;
    let sums: Vec<_> = answers
        .iter()
        .map(|answer| answer.groups.values().map(|partial| partial.rows).sum::<u64>())
        .filter(|&rows| rows > 0)
        .collect();
    same("rows of each region", &sums, &vec![1, 2, 1])?;
    let names: Vec<_> = table.regions().await?.iter().map(tablesmith_store::RegionInfo::name).collect();
    for answer in &answers {
        if !names.contains(&answer.region) {
            return Err(Broken(format!("{} is not one of the regions {names:?}", answer.region)));
        }
    }
    let part = Aggregate { scan: Scan::range("a", "b").column("f", "n"), ..aggregate };
    let touched = regions(&table, part).await?;
    same("regions that a part of the table touches", &touched.len(), &1)
}

pub(super) async fn groups_by_prefix_and_time(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f").with_versions(5)], ["a2"]).await?;
    for (row, timestamp, number) in [("a1", 5, 1_i64), ("a1", 15, 2), ("a2", 12, 4), ("b1", 3, 8)] {
        table.write(Put::new(row).add_at("f", "n", timestamp, number.to_be_bytes().to_vec())).await?;
    }
    let by = |prefix_bytes: Option<usize>, time_bucket_ms| {
        let group = Group { key: prefix_bytes.map(KeySlice::First), time_bucket_ms };
        Aggregate::new(Scan::all().versions(9), ValueType::I64).grouped(group)
    };
    let key = |prefix: Option<&'static str>, bucket_ms| GroupKey { key: prefix.map(Bytes::from), bucket_ms };
    let sums = |groups: BTreeMap<GroupKey, Partial>| -> Vec<(GroupKey, u64, Number)> {
        groups.into_iter().map(|(key, partial)| (key, partial.rows, partial.sum)).collect()
    };
    let expected = vec![(key(Some("a"), None), 2, Number::Int(7)), (key(Some("b"), None), 1, Number::Int(8))];
    same("by prefix", &sums(groups(&table, by(Some(1), None)).await?), &expected)?;
    let expected = vec![(key(None, Some(0)), 2, Number::Int(9)), (key(None, Some(10)), 2, Number::Int(6))];
    same("by time", &sums(groups(&table, by(None, Some(10))).await?), &expected)?;
    let expected = vec![
        (key(Some("a"), Some(0)), 1, Number::Int(1)),
        (key(Some("a"), Some(10)), 2, Number::Int(6)),
        (key(Some("b"), Some(0)), 1, Number::Int(8)),
    ];
    same("by both", &sums(groups(&table, by(Some(1), Some(10))).await?), &expected)
}

/// A row key of a name and a time.
fn key(name: &str, at: i64) -> Bytes {
    let time = (at.cast_unsigned() ^ (1 << 63)).to_be_bytes();
    [name.as_bytes(), &time].concat().into()
}

const TIME_BEHIND: KeyTime = KeyTime { place: KeyPlace::FromBack(8), unit: KeyUnit::Number };
const NAME_BEFORE: KeySlice = KeySlice::Inner { front: 0, back: 8 };

/// The sums by name and time, of what a table holds in the way that `readings` says.
async fn sums(
    table: &Table<'_>,
    readings: Readings,
    rows: Option<RowSet>,
) -> Checked<Vec<(String, i64, Number)>> {
    let group = Group { key: Some(NAME_BEFORE), time_bucket_ms: Some(10) };
    let all = Aggregate::new(Scan::all().family("f").versions(9), ValueType::I64).grouped(group);
    let groups = groups(table, Aggregate { readings, rows, ..all }).await?;
    let name = |key: &GroupKey| String::from_utf8_lossy(key.key.as_deref().unwrap_or_default()).into_owned();
    let sum =
        |(key, partial): (GroupKey, Partial)| (name(&key), key.bucket_ms.unwrap_or_default(), partial.sum);
    Ok(groups.into_iter().map(sum).collect())
}

pub(super) async fn knows_times_in_keys_and_qualifiers(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["b"]).await?;
    let offset = |offset: u32, name: &str| [&offset.to_be_bytes()[..], name.as_bytes()].concat();
    for (row, offset, number) in [
        (key("a", 100), offset(5, "n"), 1_i64),
        (key("a", 100), offset(12, "n"), 2),
        (key("a", 100), offset(12, "other"), 4),
        (key("b", -100), offset(99, "n"), 8),
        ("short".into(), offset(1, "n"), 16),
    ] {
        table.write(Put::new(row).add_at("f", offset, 1, number.to_be_bytes().to_vec())).await?;
    }
    let time = TimeOf::Offset { base: Some(TIME_BEHIND), form: OffsetForm::Short, name: "n".into() };
    let wide = |during| Readings { time: time.clone(), during, ..Readings::default() };
    let of = |name: &str, at, sum| (name.to_owned(), at, Number::Int(sum));
    let expected = vec![of("", 0, 16), of("a", 100, 1), of("a", 110, 2), of("b", -10, 8)];
    same("by offset", &sums(&table, wide(None), None).await?, &expected)?;
    let expected = vec![of("a", 100, 1), of("b", -10, 8)];
    let some = RowSet::of_ranges([key("a", 100)..key("a", 101), key("b", -100)..Bytes::new()]);
    same("in a time and ranges", &sums(&table, wide(Some(-5..112)), Some(some)).await?, &expected)?;
    same("in a time", &sums(&table, wide(Some(106..113)), None).await?, &vec![of("a", 110, 2)])?;
    let tall = Readings { time: TimeOf::Key(TIME_BEHIND), ..Readings::default() };
    let only = RowSet::of_parts(NAME_BEFORE, ["b".into()]);
    same("by key", &sums(&table, tall, Some(only)).await?, &vec![of("b", -100, 8)])
}

pub(super) async fn looks_into_cells_of_many_readings(lab: &Lab<'_>) -> Checked {
    let encodings = [CellEncoding::Text, CellEncoding::I64];
    let table = lab.table_split([family("f"), family("g").with_versions(5)], ["b"]).await?;
    let number = |number: i64| Some(number.to_be_bytes().to_vec());
    let text = || Some(b"text".to_vec());
    let mut packer = Packer::new(&encodings);
    let fits = [(3, vec![text(), number(1)]), (8, vec![None, None]), (15, vec![None, number(2)])]
        .iter()
        .all(|(offset, values)| packer.push(*offset, values));
    same("readings in rising order fit", &fits, &true)?;
    table.write(Put::new(key("a", 100)).add_at("f", "p", 1, packer.finish())).await?;
    table.write(Put::new(key("b", 0)).add_at("f", "p", 1, "no packed cell")).await?;
    let metric = Metric { encodings: encodings.into(), index: 1 };
    let packed =
        |during| Readings { held: Held::Packed(metric.clone()), time: TimeOf::Key(TIME_BEHIND), during };
    let of = |name: &str, at, sum| (name.to_owned(), at, Number::Int(sum));
    let expected = vec![of("a", 100, 1), of("a", 110, 2), of("b", 0, 0)];
    same("entries by their own time", &sums(&table, packed(None), None).await?, &expected)?;
    same("entries of a time", &sums(&table, packed(Some(104..116)), None).await?, &vec![of("a", 110, 2)])?;
    let mut together = Vec::new();
    entry::write(&encodings, &[text(), number(7)], &mut together);
    table.write(Put::new("v").add_at("g", "m", 21, together).add_at("g", "m", 22, entry::NOTHING)).await?;
    let all = Aggregate::new(Scan::all().family("g").versions(5), ValueType::I64);
    let readings = Readings { held: Held::Together(metric), ..Readings::default() };
    let groups = groups(&table, Aggregate { readings, ..all.grouped(Group::by_time(10)) }).await?;
    let found: Vec<_> = groups.into_iter().map(|(key, all)| (key.bucket_ms, all.cells, all.sum)).collect();
    same("metrics in one cell", &found, &vec![(Some(20), 1, Number::Int(7))])
}

pub(super) async fn says_who_worked(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &["b", "n"]).await?;
    let answers = regions(&table, Aggregate::new(Scan::all(), ValueType::None)).await?;
    let mut told: Vec<_> = answers.into_iter().map(|answer| (answer.region, answer.server)).collect();
    let mut known: Vec<_> =
        table.regions().await?.into_iter().map(|info| (info.name(), info.server)).collect();
    told.sort();
    known.sort();
    same("regions and their servers", &told, &known)
}

pub(super) async fn reads_every_type_of_number(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let put = Put::new("r")
        .add_at("f", "i32", 1, (-7_i32).to_be_bytes().to_vec())
        .add_at("f", "f64", 1, 2.5_f64.to_be_bytes().to_vec())
        .add_at("f", "text", 1, "42")
        .add_at("f", "decimal", 1, "1.5");
    table.write(put).await?;
    for (qualifier, value, expected) in [
        ("i32", ValueType::I32, Number::Int(-7)),
        ("f64", ValueType::F64, Number::Float(2.5)),
        ("text", ValueType::Text, Number::Int(42)),
        ("decimal", ValueType::Text, Number::Float(1.5)),
    ] {
        let partial = total(&table, Scan::all().column("f", qualifier), value).await?;
        same(format!("sum of {qualifier}"), &partial.sum.as_f64(), &expected.as_f64())?;
    }
    Ok(())
}

/// Also where the scan has no row that could be looked at.
pub(super) async fn refuses_unknown_families(lab: &Lab<'_>) -> Checked {
    let table = numbers(lab, &["b"]).await?;
    for scan in [Scan::all(), Scan::range("m", "b")] {
        let scan = scan.family("nope");
        let aggregate = Aggregate::new(scan, ValueType::I64);
        let what = text::aggregate(&aggregate);
        refused(what, table.store.aggregate(&table.name, aggregate).await, "NoSuchColumnFamilyException")?;
    }
    Ok(())
}
