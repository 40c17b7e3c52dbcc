//! Values that are written so often that no prefix over their columns can spread them: all their rows get one prefix.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use tablesmith_model::value::Value;

use super::judge::Sample;
use super::setup::Setup;

/// The most values that are named.
const MOST_NAMED: usize = 10;

/// A value that a prefix cannot spread.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyHitter {
    /// The columns that it is a value of.
    pub columns: Vec<String>,
    /// The value as text; several columns with a comma between them.
    pub value: String,
    /// Its part of all writes.
    pub share: f64,
    /// How far off the share can well be (about two standard deviations); 0 when every row was looked at.
    pub error: f64,
    /// Whether it is more than the mean load of a whole server, not only of a region.
    pub more_than_a_server: bool,
    /// What to do, as a sentence.
    pub advice: String,
}

/// The heavy hitters of the entity, and of the whole id: those with more writes than the mean region, as the sample has
/// them.
pub(super) fn heavy_hitters(setup: &Setup, sample: &Sample, all_rows: u64) -> Vec<HeavyHitter> {
    let place = |name: &String| setup.id.iter().position(|column| column.name == *name);
    let entity: Vec<usize> = setup.entity_columns().iter().filter_map(place).collect();
    let whole: Vec<usize> = (0..setup.id.len()).collect();
    let mut found = Vec::new();
    if !entity.is_empty() && entity.len() < whole.len() {
        found.extend(of_columns(setup, sample, &entity, all_rows, &of_a_part(setup)));
    }
    found.extend(of_columns(setup, sample, &whole, all_rows, OF_A_ROW));
    found
}

const OF_A_ROW: &str = "no key can spread the writes of one row: gather its changes before they are written, or write \
                        them as rows of their own (with the time in the key)";

fn of_a_part(setup: &Setup) -> String {
    let id: Vec<&str> = setup.id.iter().map(|column| column.name.as_str()).collect();
    format!(
        "a prefix over the whole id spreads it (md5_mod({}, …)), and reading it then takes a call for each bucket; or \
         give this value alone several buckets",
        id.join(", ")
    )
}

fn of_columns(
    setup: &Setup,
    sample: &Sample,
    columns: &[usize],
    all_rows: u64,
    advice: &str,
) -> Vec<HeavyHitter> {
    let rows = sample.len() as f64;
    let (region, server) = (1.0 / setup.chosen_regions() as f64, 1.0 / setup.servers as f64);
    // One region or one server gets everything anyway, and a single row in a small sample is no sign of anything.
    let least = (rows * region).max(2.0);
    if setup.chosen_regions() < 2 {
        return Vec::new();
    }
    let error = |share: f64| match sample.len() as u64 == all_rows {
        true => 0.0,
        false => 2.0 * (share * (1.0 - share) / rows).sqrt(),
    };
    let mut found: Vec<HeavyHitter> = counts(sample, columns)
        .into_iter()
        .filter(|(_, count)| *count as f64 > least)
        .map(|(value, count)| {
            let share = count as f64 / rows;
            let name = |column: &usize| setup.id.get(*column).map(|column| column.name.clone());
            HeavyHitter {
                columns: columns.iter().filter_map(name).collect(),
                value,
                share,
                error: error(share),
                more_than_a_server: setup.servers > 1 && share > server,
                advice: advice.to_owned(),
            }
        })
        .collect();
    found.sort_by(|one, two| two.share.total_cmp(&one.share).then_with(|| one.value.cmp(&two.value)));
    found.truncate(MOST_NAMED);
    found
}

/// How often values occur that occur more than once, by a hash first so that only those are kept as text.
fn counts(sample: &Sample, columns: &[usize]) -> HashMap<String, u64> {
    let hasher = RandomState::new();
    let values =
        |row: &[Value]| columns.iter().filter_map(|column| row.get(*column).cloned()).collect::<Vec<_>>();
    let hash =
        |row: &[Value]| columns.iter().fold(0, |hash, column| hasher.hash_one((hash, row.get(*column))));
    let mut hashes: Vec<u64> = sample.rows().map(|row| hash(row.values)).collect();
    hashes.sort_unstable();
    let least = (sample.len() as u64 / 100_000).max(2) as usize;
    let often: HashMap<u64, ()> = hashes
        .chunk_by(|one, two| one == two)
        .filter(|alike| alike.len() >= least)
        .filter_map(|alike| alike.first().map(|hash| (*hash, ())))
        .collect();
    let mut counts = HashMap::new();
    if often.is_empty() {
        return counts;
    }
    for row in sample.rows().filter(|row| often.contains_key(&hash(row.values))) {
        let text: Vec<String> = values(row.values).iter().map(ToString::to_string).collect();
        *counts.entry(text.join(", ")).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::judge::{Judge, Row};
    use super::super::setup::IdColumn;
    use super::*;
    use tablesmith_model::value::ValueType;

    fn found(rows: impl Iterator<Item = (i64, i64)>) -> Vec<HeavyHitter> {
        let id = vec![IdColumn::new("user", ValueType::Int), IdColumn::new("event", ValueType::Int)];
        let mut judge = Judge::new(&Setup::new(id, 4)).unwrap();
        for (user, event) in rows {
            judge.take(&Row { values: &[Value::Int(user), Value::Int(event)], line: None, bytes: 1 });
        }
        judge.finish().heavy_hitters
    }

    #[test]
    fn even_values_are_not_named() {
        assert_eq!(found((0..10_000).map(|row| (row % 100, row))), []);
    }

    #[test]
    fn a_value_above_a_region_is_named_and_one_above_a_server_said_to_be() {
        // One user of ten rows in a hundred, one of thirty.
        let user = |row: i64| match row % 100 {
            0..10 => -1,
            10..40 => -2,
            other => other,
        };
        let found = found((0..10_000).map(|row| (user(row), row)));
        let named: Vec<_> =
            found.iter().map(|one| (one.value.as_str(), one.share, one.more_than_a_server)).collect();
        assert_eq!(named, [("-2", 0.3, true), ("-1", 0.1, false)]);
        assert!(found.iter().all(|one| one.error == 0.0 && one.columns == ["user"]));
    }

    #[test]
    fn one_row_that_is_written_again_and_again_is_told_from_a_busy_user() {
        let found = found((0..1_000).map(|row| if row % 2 == 0 { (7, 7) } else { (row, row) }));
        let row = found.iter().find(|one| one.columns.len() == 2).unwrap();
        assert_eq!(row.value, "7, 7");
        assert!(row.advice.contains("no key can spread"), "{}", row.advice);
    }
}
