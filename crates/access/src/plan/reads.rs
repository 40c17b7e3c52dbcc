//! What is read for a call.

use std::collections::BTreeMap;

use tablesmith_model::key::{KeyEncodeError, Part};
use tablesmith_model::plan::{Condition, FamilyRead, Origin, Place, Read, Shown, Test, Which};
use tablesmith_model::value::Value;

use super::keys::{self, Found, NoOrder};
use super::{Planner, families};
use crate::call::KeyedRow;
use crate::error::PlanError;
use crate::layout::LaidFamily;
use crate::row_writes::{MARKER, WholeRow};

/// A digest of so many bytes stands for its value: two values with one digest are not to be expected.
const TELLING_DIGEST_BYTES: usize = 8;

impl Planner<'_> {
    /// The rows that meet conditions.
    pub fn read(
        &self,
        columns: &[String],
        conditions: &[Condition],
        limit: Option<u64>,
    ) -> Result<Read, PlanError> {
        let found = keys::find(self.layout.row_keys(), conditions).map_err(|error| self.key_error(error))?;
        let shown = self.shown(columns, conditions, &found)?;
        let left: Vec<Condition> =
            conditions.iter().filter(|condition| !self.key_ensures(condition, &found)).cloned().collect();
        let (families, keys_only) = self.families(&shown, &left)?;
        Ok(Read { which: found.which, families, keys_only, shown, conditions: left, place: None, limit })
    }

    /// So many rows from a place on.
    pub fn read_on(&self, columns: &[String], place: &[Value], rows: u64) -> Result<Read, PlanError> {
        let source = self.layout.source();
        let shown =
            self.shown(columns, &[], &Found { which: Which::default(), known_parts: 0, exact: None })?;
        let (families, keys_only) = self.families(&shown, &[])?;
        let in_order = self.rows_from(place)?;
        if in_order.is_none() && source.key.is_empty() {
            let (design, query) = self.names();
            return Err(PlanError::NoPlace { design, query });
        }
        let in_key_order = in_order.is_some();
        let which = in_order.unwrap_or_default();
        let place = Place { columns: source.key.clone(), values: place.to_vec(), in_key_order };
        Ok(Read {
            which,
            families,
            keys_only,
            shown,
            conditions: Vec::new(),
            place: Some(place),
            limit: Some(rows),
        })
    }

    /// Rows that are known by the table's key: all of them at once where the design's key finds each, else one by one.
    pub fn read_by_key(&self, columns: &[String], rows: &[KeyedRow]) -> Result<Vec<Read>, PlanError> {
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let mut reads: Vec<Read> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if rows.iter().take(at).any(|before| before.key == row.key) {
                continue;
            }
            let conditions: Vec<Condition> = row.key.iter().map(equality).collect();
            let read = self.read(columns, &conditions, None)?;
            match (reads.last_mut(), &read.which) {
                (Some(Read { which: Which::Keys(keys), conditions, shown, .. }), Which::Keys(more))
                    if conditions.is_empty() && read.conditions.is_empty() && *shown == read.shown =>
                {
                    keys.extend(more.iter().cloned());
                }
                _ => reads.push(read),
            }
        }
        for read in &mut reads {
            if let Which::Keys(keys) = &mut read.which {
                keys.sort();
                keys.dedup();
            }
        }
        Ok(reads)
    }

    /// The rows from a place on, where they can be read in the order of the table's key.
    fn rows_from(&self, place: &[Value]) -> Result<Option<Which>, PlanError> {
        if !self.ids_begin_with(&self.layout.source().key) {
            return Ok(None);
        }
        let mut strands = match keys::strands(self.layout.row_keys(), &[]) {
            Ok(strands) => strands,
            Err(NoOrder::Key(error)) => return Err(self.key_error(error)),
            Err(NoOrder::Behind(_) | NoOrder::TooMany(_)) => return Ok(None),
        };
        let id = self.place_id(place).map_err(|error| self.key_error(error))?;
        strands.iter_mut().for_each(|strand| strand.begin_at(&id, true));
        strands.retain(|strand| !strand.range.is_empty());
        Ok(Some(match strands.as_slice() {
            [strand] => Which::Ranges(vec![strand.range.clone()]),
            _ => Which::Strands(strands),
        }))
    }

    /// Whether ids sort as these columns do; without columns, as the numbers of rows.
    fn ids_begin_with(&self, columns: &[String]) -> bool {
        let is_of_row = |part: &&Part| part.prefixes().is_none() && !matches!(part, Part::Const(_));
        let mut parts = self.layout.key.parts.iter().filter(is_of_row);
        match columns {
            [] => parts.next() == Some(&Part::RowNumber),
            columns => columns.iter().all(|column| parts.next() == Some(&Part::Field(column.clone()))),
        }
    }

    /// Where the ids of a place begin.
    fn place_id(&self, place: &[Value]) -> Result<Vec<u8>, KeyEncodeError> {
        let source = self.layout.source();
        if let ([], [Value::Int(number)]) = (source.key.as_slice(), place) {
            let number = u64::try_from(*number).unwrap_or(0);
            return keys::id_at(self.layout.row_keys(), &mut WholeRow::new(self.layout, &[], number));
        }
        let mut known: BTreeMap<String, Value> =
            source.key.iter().cloned().zip(place.iter().cloned()).collect();
        keys::id_at(self.layout.row_keys(), &mut known)
    }

    /// Whether every row that is found meets a condition, because the key says so.
    pub(super) fn key_ensures(&self, condition: &Condition, found: &Found) -> bool {
        let mut parts = self.layout.key.parts.iter().take(found.known_parts);
        let is_said = parts.any(|part| part.gives_back() == Some(&condition.column));
        match &condition.test {
            Test::In(values) => {
                is_said || self.has_digest(&condition.column, found) && values.iter().all(has_own_digest)
            }
            Test::IsNull => is_said,
            Test::Between(..) => false,
        }
    }

    /// Where the value of each column comes from.
    pub(super) fn shown(
        &self,
        columns: &[String],
        conditions: &[Condition],
        found: &Found,
    ) -> Result<Vec<Shown>, PlanError> {
        let mut shown = Vec::with_capacity(columns.len());
        let mut in_cells: Vec<&str> = Vec::new();
        for column in columns {
            let origin = if self.layout.key_gives(column) {
                Origin::Key
            } else if self.layout.wide.as_ref().is_some_and(|wide| wide.gives(column)) {
                Origin::Qualifier
            } else if let Some(value) = self.said(column, conditions, found) {
                Origin::Statement(value)
            } else {
                in_cells.push(column);
                Origin::Cell(String::new())
            };
            shown.push(Shown { column: column.clone(), origin });
        }
        let chosen = self.chosen_families(&in_cells)?;
        for Shown { column, origin } in &mut shown {
            if let Origin::Cell(name) = origin {
                let family = chosen.iter().find(|family| family.column(column).is_some());
                *name = family.map(|family| family.name.clone()).unwrap_or_default();
            }
        }
        Ok(shown)
    }

    /// The families that have these columns: those that the design's own plan names, else the cheapest.
    fn chosen_families(&self, columns: &[&str]) -> Result<Vec<&LaidFamily>, PlanError> {
        let planned = self.layout.planned.get(self.query);
        let unknown = |name: &&String| !self.layout.families().iter().any(|family| family.name == **name);
        if let Some(family) = planned.and_then(|names| names.iter().find(unknown)) {
            let (design, query) = self.names();
            return Err(PlanError::NoFamily { design, query, family: family.clone() });
        }
        families::cover(self.layout, planned.map(Vec::as_slice), columns).map_err(|column| {
            let place = match planned {
                Some(names) => format!("the families that its plan reads ({})", names.join(", ")),
                None => "its families".to_owned(),
            };
            self.uncovered(&column, place)
        })
    }

    pub(super) fn uncovered(&self, column: &str, place: String) -> PlanError {
        let (design, query) = self.names();
        PlanError::Uncovered { design, query, column: column.to_owned(), place }
    }

    /// The value that the statement itself gives a column whose digest is in the key of every row that is found.
    fn said(&self, column: &str, conditions: &[Condition], found: &Found) -> Option<Value> {
        let value = conditions.iter().find_map(|condition| match &condition.test {
            Test::In(values) if condition.column == column => match values.as_slice() {
                [value] => Some(value.clone()),
                _ => None,
            },
            _ => None,
        });
        value.filter(|value| has_own_digest(value) && self.has_digest(column, found))
    }

    /// Whether the keys that are found have a digest of a column that stands for its value.
    fn has_digest(&self, column: &str, found: &Found) -> bool {
        let mut parts = self.layout.key.parts.iter().take(found.known_parts);
        parts.any(|part| match part {
            Part::Md5 { field, bytes } => {
                field == column && bytes.is_none_or(|bytes| bytes >= TELLING_DIGEST_BYTES)
            }
            _ => false,
        })
    }

    /// What of the families is read, and whether keys are all that is wanted. Every row that may be in the answer is seen
    /// in what is read: see [`crate::Layout`].
    pub(super) fn families(
        &self,
        shown: &[Shown],
        conditions: &[Condition],
    ) -> Result<(Vec<FamilyRead>, bool), PlanError> {
        let mut wanted: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for Shown { column, origin } in shown {
            if let Origin::Cell(family) = origin {
                wanted.entry(family).or_default().push(column.clone());
            }
        }
        let mut laid: Vec<(&LaidFamily, Vec<String>)> = Vec::new();
        for family in self.layout.families() {
            laid.extend(wanted.remove(family.name.as_str()).map(|columns| (family, columns)));
        }
        if laid.is_empty() {
            let smallest =
                self.layout.families().iter().min_by(|one, two| one.bytes().total_cmp(&two.bytes()));
            let whole = |family: &LaidFamily| FamilyRead { family: family.name.clone(), columns: None };
            return Ok((smallest.map(whole).into_iter().collect(), !self.layout.is_wide()));
        }
        if self.layout.is_wide() {
            let whole =
                |(family, _): (&LaidFamily, _)| FamilyRead { family: family.name.clone(), columns: None };
            return Ok((laid.into_iter().map(whole).collect(), false));
        }
        let wants_value = |column: &String| {
            conditions.iter().any(|condition| condition.column == *column && condition.test.wants_value())
        };
        let is_whole = |(family, columns): &(&LaidFamily, Vec<String>)| family.columns.len() == columns.len();
        // A cell that several columns share is there whatever they are.
        let is_shared = |(family, columns): &(&LaidFamily, Vec<String>)| {
            columns.iter().any(|name| family.column(name).is_some_and(|column| column.together.is_some()))
        };
        let all_seen = laid.iter().any(is_whole)
            || laid.iter().any(is_shared)
            || laid.iter().any(|(_, columns)| columns.iter().any(wants_value));
        let witness = if all_seen { None } else { self.witness(&laid) };
        let reads = laid.into_iter().map(|(family, columns)| {
            let name = family.name.clone();
            let columns = match &witness {
                _ if family.columns.len() == columns.len() => None,
                Some(Witness::Family(whole)) if *whole == name => None,
                Some(Witness::Column(of, column)) if *of == name => {
                    let mut columns = columns;
                    columns.retain(|have| have != column);
                    columns.extend([column.clone(), MARKER.to_owned()]);
                    Some(columns)
                }
                _ => Some(columns),
            };
            FamilyRead { family: name, columns: columns.map(|columns| family.qualifiers_of(columns)) }
        });
        Ok((reads.collect(), false))
    }

    /// The least that shows every row: a column that is read and in every row, or the smallest such column, or the rest of
    /// the family with the least rest.
    fn witness(&self, laid: &[(&LaidFamily, Vec<String>)]) -> Option<Witness> {
        let mut best: Option<(f64, Witness)> = None;
        let mut offer = |bytes: f64, witness: Witness| {
            if best.as_ref().is_none_or(|(least, _)| bytes < *least) {
                best = Some((bytes, witness));
            }
        };
        for (family, columns) in laid {
            let rest: f64 = family
                .columns
                .iter()
                .filter(|column| !columns.contains(&column.name))
                .map(|column| column.bytes)
                .sum();
            offer(rest, Witness::Family(family.name.clone()));
            for column in family.columns.iter().filter(|column| self.layout.is_in_every_row(&column.name)) {
                let bytes = if columns.contains(&column.name) { 0.0 } else { column.bytes };
                offer(bytes, Witness::Column(family.name.clone(), column.name.clone()));
            }
        }
        best.map(|(_, witness)| witness)
    }
}

/// Whether no other value has its digest: null has that of an empty text.
fn has_own_digest(value: &Value) -> bool {
    value.text().is_some_and(|text| !text.is_empty())
}

/// What shows every row.
enum Witness {
    Family(String),
    Column(String, String),
}

/// A column has this value.
pub(super) fn equality((column, value): &(String, Value)) -> Condition {
    let test = if value.is_null() { Test::IsNull } else { Test::equals(value.clone()) };
    Condition::new(column.clone(), test)
}
