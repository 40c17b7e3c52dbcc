//! How far the parts of a key narrow down what has to be read.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;

use crate::tables::candidate::Entry;
use crate::tables::want::Want;

/// What a key, or a qualifier after it, makes of a want.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrowed {
    /// The share of records that is left to read.
    pub share: f64,
    /// How many keys, or beginnings of keys, are asked for.
    pub values: f64,
    /// Whether every part is known.
    pub is_whole: bool,
    /// How many parts are known, from the first on.
    pub known_parts: usize,
    /// The columns whose conditions are met by where the rows lie.
    pub used: Vec<ColumnOf>,
}

/// Goes through parts from the first on: known ones, then at most one stretch.
pub fn narrow(want: &Want, entry: &Entry, parts: &[Part]) -> Narrowed {
    let mut narrowed = Narrowed { share: 1.0, values: 1.0, is_whole: true, known_parts: 0, used: Vec::new() };
    for part in parts {
        let columns: Vec<ColumnOf> = part.fields().iter().filter_map(|field| entry.column(field)).collect();
        let given = |column: &ColumnOf| {
            want.given.iter().find(|given| entry.record.same_as(&given.column) == *column)
        };
        let is_prefix = part.prefixes().is_some() || matches!(part, Part::Const(_));
        if !columns.is_empty() && columns.iter().all(|column| given(column).is_some())
            || matches!(part, Part::Const(_))
        {
            for given in columns.iter().filter_map(given).filter(|_| !is_prefix) {
                narrowed.share *= given.share;
                narrowed.values *= given.values;
            }
            narrowed.used.extend(columns.into_iter().filter(|_| !is_prefix));
            narrowed.known_parts += 1;
            continue;
        }
        narrowed.is_whole = false;
        let range = |column: &ColumnOf| {
            want.ranges.iter().find(|range| entry.record.same_as(&range.column) == *column)
        };
        let is_ordered =
            matches!(part, Part::Field(_) | Part::Desc(_) | Part::Pad { .. } | Part::Bucket { .. });
        if let (true, [column]) = (is_ordered, columns.as_slice())
            && let Some(range) = range(column)
        {
            narrowed.share *= range.share;
            // A bucket is wider than the stretch: what it has too much is looked at again.
            if !matches!(part, Part::Bucket { .. }) {
                narrowed.used.push(column.clone());
            }
        }
        break;
    }
    narrowed
}

/// Whether the parts after the known ones sort rows as a want asks, forwards or backwards.
pub fn sorts(want: &Want, entry: &Entry, parts: &[Part], known_parts: usize) -> bool {
    let is_given = |column: &ColumnOf| {
        want.given.iter().any(|given| given.values <= 1.0 && entry.record.same_as(&given.column) == *column)
    };
    // What is known has one value: it sorts nothing.
    let wanted = want
        .order
        .iter()
        .map(|(column, falls)| (entry.record.same_as(column), *falls))
        .filter(|(column, _)| !is_given(column));
    let mut direction: Option<bool> = None;
    let mut there = parts.iter().skip(known_parts);
    for (column, falls) in wanted {
        let turned = match there.next() {
            Some(Part::Field(field)) if entry.column(field).as_ref() == Some(&column) => falls,
            Some(Part::Desc(field)) if entry.column(field).as_ref() == Some(&column) => !falls,
            _ => return false,
        };
        if *direction.get_or_insert(turned) != turned {
            return false;
        }
    }
    true
}
