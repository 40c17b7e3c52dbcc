//! Prefix and split points of a table, from what is declared of its columns.

use tablesmith_model::design::Rows;
use tablesmith_model::key::{Modulus, Part};
use tablesmith_model::value::ValueType;
use tablesmith_plan::{StoredRows, regions, statistics};

use super::usage::Use;
use crate::keys::setup::{IdColumn, Setup};
use crate::keys::splits::prefix::Leading;
use crate::tables::candidate::{Candidate, Shape};
use crate::tables::predict::Ground;

/// A table begins with no more regions than this; what is larger is split by the store as it grows.
const MOST_REGIONS: usize = 1_000;

/// Split points, and why.
pub struct Spread {
    /// The split points.
    pub splits: Vec<Vec<u8>>,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// Spreads a table over the servers: a prefix where it costs no read anything, and split points where they are known.
pub fn spread(ground: &Ground<'_>, candidate: &Candidate, uses: &[Use], rows: &mut [Rows]) -> Spread {
    let said = |text: String| Spread { splits: Vec::new(), reasons: vec![text] };
    let Some(entry) = candidate.entries.first() else { return said(String::new()) };
    let bytes: f64 = candidate.entries.iter().map(|entry| entry.size.total_bytes()).sum();
    let count = regions(bytes, ground.servers);
    let writes: f64 = uses.iter().filter(|one| one.read.is_none()).map(|one| one.rate).sum();
    let is_hot = writes > 0.0 && ground.servers > 1.0 && only_grows(ground, entry);
    if count <= 1.0 && !is_hot {
        return said("one region: the table is small enough for one server".to_owned());
    }
    let wanted = (count as usize).max(ground.servers as usize).min(MOST_REGIONS);
    if Leading::of(&entry.rows.key).is_none() && !matches!(candidate.shape, Shape::Time(_)) {
        if !is_always_known(entry, uses) {
            return said(if is_hot {
                "no prefix: a query reads stretches of the first part of the key, which a prefix would tear apart; new rows all go to \
                 one region"
                    .to_owned()
            } else {
                "no split points: nothing is declared of how the keys are spread; tablesmith keys finds them from data".to_owned()
            });
        }
        rows.iter_mut().for_each(|rows| prefix(ground, rows));
    }
    let Some((leading, encoding)) =
        rows.first().and_then(|rows| Some((Leading::of(&rows.key)?, rows.key.encoding)))
    else {
        return said("no split points: nothing is declared of how the keys are spread".to_owned());
    };
    let first =
        rows.first().and_then(|rows| rows.key.parts.first()).map(ToString::to_string).unwrap_or_default();
    let splits = leading.splits(wanted, encoding);
    let reasons = vec![format!(
        "{} regions from the start: keys begin with {first}, which is spread evenly and which every query that reads the table can \
         work out, so that each still goes to one region",
        splits.len() + 1
    )];
    Spread { splits, reasons }
}

/// Whether every read knows the first part of the key.
fn is_always_known(entry: &StoredRows, uses: &[Use]) -> bool {
    let Some(first) = entry.rows.key.parts.first() else { return false };
    let mut reads = uses.iter().filter_map(|one| one.read.as_ref());
    reads.all(|(want, _)| {
        let is_given = |field: &String| {
            let column = entry.column(field);
            want.equalities.iter().any(|given| Some(entry.record.same_as(&given.column)) == column)
                // The entries of a nested or a mixed table have the same value under other names.
                || want.equalities.iter().any(|given| !entry.record.has(&given.column.table))
        };
        !first.fields().is_empty() && first.fields().iter().all(is_given)
    })
}

/// Puts a digest of the first field before it.
fn prefix(ground: &Ground<'_>, rows: &mut Rows) {
    let Some(field) = rows.key.parts.first().and_then(|part| part.fields().first()).cloned() else { return };
    let setup = Setup::new(vec![IdColumn::new(field.as_str(), ValueType::String)], ground.servers as usize);
    if let Some(modulus) = Modulus::new(setup.chosen_prefixes()) {
        rows.key.parts.insert(0, Part::Md5Mod { fields: vec![field], modulus });
    }
}

/// Whether new rows always go to the end of the table.
fn only_grows(ground: &Ground<'_>, entry: &StoredRows) -> bool {
    let Some(first) = entry.rows.key.parts.first() else { return false };
    if matches!(first, Part::RowNumber) {
        return true;
    }
    if !matches!(first, Part::Field(_) | Part::Desc(_) | Part::Bucket { .. }) {
        return false;
    }
    let column = first.fields().first().and_then(|field| entry.record.column(field));
    column.is_some_and(|of| {
        let column = statistics::column(ground.workload, &of);
        column.monotone || matches!(column.value_type, ValueType::Timestamp | ValueType::Date)
    })
}
