//! How far the parts of a row key, or of a qualifier, narrow down what an access pattern has to read.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;

use crate::rpc::MOST_RANGES;
use crate::{AccessPattern, EqualityPredicate, StoredRows};

/// What a key, or a qualifier after it, makes of an access pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMatch {
    /// The share of records that is left to read.
    pub share: f64,
    /// How many keys, or key ranges, are read.
    pub requests: f64,
    /// Whether every part is known.
    pub is_whole: bool,
    /// How many parts are known, from the first on; salts that are all read count.
    pub known_parts: usize,
    /// The columns whose predicates every row in these ranges meets.
    pub used: Vec<ColumnOf>,
}

impl KeyMatch {
    /// Goes through parts from the first on: known ones, salts of which all are read, then at most one range.
    pub fn of(pattern: &AccessPattern, rows: &StoredRows, parts: &[Part]) -> Self {
        let mut matched =
            Self { share: 1.0, requests: 1.0, is_whole: true, known_parts: 0, used: Vec::new() };
        // Salts count only when something after them narrows the read down: else it is one scan of everything.
        let mut salts = 1.0;
        for (index, part) in parts.iter().enumerate() {
            let columns: Vec<ColumnOf> =
                part.fields().iter().filter_map(|field| rows.column(field)).collect();
            let is_known = matches!(part, Part::Const(_))
                || !columns.is_empty()
                    && columns.iter().all(|column| equality(pattern, rows, column).is_some());
            if is_known {
                matched.take_known(pattern, rows, part, columns);
                matched.known_parts = index + 1;
                matched.requests *= std::mem::replace(&mut salts, 1.0);
            } else if let Some(modulus) = part.prefixes() {
                salts *= modulus.get() as f64;
                matched.is_whole &= index + 1 < parts.len();
            } else {
                matched.is_whole = false;
                if matched.take_range(pattern, rows, part, &columns) {
                    matched.requests *= salts;
                }
                break;
            }
        }
        matched.is_whole &= matched.known_parts == parts.len();
        matched
    }

    /// Whether rows in these ranges come in the pattern's order, forwards or backwards; several ranges are merged.
    pub fn is_sorted(&self, pattern: &AccessPattern, rows: &StoredRows, parts: &[Part]) -> bool {
        if self.requests > MOST_RANGES as f64 {
            return false;
        }
        // What is known has one value: it sorts nothing.
        let is_one = |column: &ColumnOf| equality(pattern, rows, column).is_some_and(|one| one.values <= 1.0);
        let order = pattern
            .order
            .iter()
            .map(|(column, descends)| (rows.record.same_as(column), *descends))
            .filter(|(column, _)| !is_one(column));
        let mut direction: Option<bool> = None;
        let mut left = parts.iter().skip(self.known_parts).skip_while(|part| part.prefixes().is_some());
        for (column, descends) in order {
            let is_reversed = match left.next() {
                Some(Part::Field(field)) if rows.column(field).as_ref() == Some(&column) => descends,
                Some(Part::Desc(field)) if rows.column(field).as_ref() == Some(&column) => !descends,
                _ => return false,
            };
            if *direction.get_or_insert(is_reversed) != is_reversed {
                return false;
            }
        }
        true
    }

    fn take_known(
        &mut self,
        pattern: &AccessPattern,
        rows: &StoredRows,
        part: &Part,
        columns: Vec<ColumnOf>,
    ) {
        // A salt or a digest follows from the value: it narrows nothing down that the value does not.
        let is_derived = part.prefixes().is_some();
        for column in columns.into_iter().filter(|_| !is_derived) {
            if self.used.contains(&column) {
                continue;
            }
            if let Some(equality) = equality(pattern, rows, &column) {
                self.share *= equality.share;
                self.requests *= equality.values;
            }
            self.used.push(column);
        }
    }

    /// Takes a range of the next part; whether there is one.
    fn take_range(
        &mut self,
        pattern: &AccessPattern,
        rows: &StoredRows,
        part: &Part,
        columns: &[ColumnOf],
    ) -> bool {
        let is_ordered =
            matches!(part, Part::Field(_) | Part::Desc(_) | Part::Pad { .. } | Part::Bucket { .. });
        let (true, [column]) = (is_ordered, columns) else { return false };
        let range = pattern.ranges.iter().find(|range| rows.record.same_as(&range.column) == *column);
        let Some(range) = range else { return false };
        self.share *= range.share;
        // A bucket is wider than the range: its rows are checked again.
        if !matches!(part, Part::Bucket { .. }) {
            self.used.push(column.clone());
        }
        true
    }
}

fn equality<'p>(
    pattern: &'p AccessPattern,
    rows: &StoredRows,
    column: &ColumnOf,
) -> Option<&'p EqualityPredicate> {
    pattern.equalities.iter().find(|equality| rows.record.same_as(&equality.column) == *column)
}
