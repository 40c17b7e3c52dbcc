//! Which rows and cells a layout reads for wanted records.

use std::collections::BTreeMap;

use tablesmith_model::key::{KeyEncodeError, Part};
use tablesmith_model::plan::{Condition, FamilyRead, Origin, Read, Shown, Test, Which};
use tablesmith_model::value::Value;

use super::families;
use super::keys::{self, Found};
use super::known::Known;
use super::order::{InOrder, in_order};
use crate::error::PlanError;
use crate::fan_out::Order;
use crate::layout::{LaidFamily, Layout};
use crate::records::{RecordRead, Wanted};
use crate::row_writes::MARKER;

/// A digest of so many bytes stands for its value: two values with one digest are not to be expected.
const TELLING_DIGEST_BYTES: usize = 8;

impl Layout {
    /// How records are read: a pure function.
    pub fn read(&self, wanted: &Wanted) -> Result<RecordRead, PlanError> {
        Planner { layout: self }.records(wanted)
    }
}

/// What every step of planning looks at.
struct Planner<'p> {
    layout: &'p Layout,
}

impl Planner<'_> {
    fn records(&self, wanted: &Wanted) -> Result<RecordRead, PlanError> {
        let wanted = self.known_as(wanted)?;
        let keys_of =
            |source: KeyEncodeError| PlanError::Key { table: self.layout.table().to_owned(), source };
        let found = keys::find(self.layout.row_keys(), &wanted.conditions).map_err(keys_of)?;
        let inside = self.layout.qualifiers().map(|keys| keys::find(keys, &wanted.conditions));
        let inside = inside.transpose().map_err(keys_of)?;
        let is_left = |condition: &&Condition| !self.key_ensures(condition, &found);
        let left: Vec<Condition> = wanted.conditions.iter().filter(is_left).cloned().collect();
        let columns = columns(&wanted, &left);
        let shown = self.shown(&columns, &wanted.conditions, &found)?;
        let (families, keys_only) = self.families(&shown, &left)?;
        let is_residual = |condition: &&Condition| {
            !ensures(&found, condition)
                && !inside.as_ref().is_some_and(|inside| self.inside_ensures(inside, condition))
        };
        let residual: Vec<Condition> = left.iter().filter(is_residual).cloned().collect();
        let are_all_own = self.has_only_own(&found);
        let (which, order, is_in_order, in_rows) = self.rows_in_order(&wanted, found).map_err(keys_of)?;
        let place = |field: &String| shown.iter().position(|shown| shown.column == *field);
        let fields = wanted.fields.iter().filter_map(place).collect();
        let stops = wanted.order.is_empty() || is_in_order;
        Ok(RecordRead {
            table: self.layout.table().to_owned(),
            fields,
            order,
            is_in_order: stops,
            limit: wanted.limit.filter(|_| stops),
            // Where the store hands out nothing else, it may stop at the limit.
            store_limit: wanted.limit.filter(|_| residual.is_empty() && stops && are_all_own),
            row_limit: wanted.limit.filter(|_| {
                self.layout.is_wide() && residual.is_empty() && (wanted.order.is_empty() || in_rows)
            }),
            qualifiers: inside.map(|inside| inside.which).filter(|which| !which.is_all()),
            residual,
            read: Read { which, families, keys_only, shown, conditions: left },
        })
    }

    /// Whether no rows of another kind lie among those that are found: the constant that tells them apart is known.
    fn has_only_own(&self, found: &Found) -> bool {
        let parts = &self.layout.key.parts;
        let kind = parts.iter().position(|part| matches!(part, Part::Const(_)));
        !self.layout.is_mixed || kind.is_some_and(|kind| kind < found.known_parts)
    }

    /// The same with the fields' names in this layout.
    fn known_as(&self, wanted: &Wanted) -> Result<Wanted, PlanError> {
        let name = |field: &String| {
            let unknown = || self.uncovered(field, "records");
            self.layout.known_as(field).ok_or_else(unknown)
        };
        let condition = |one: &Condition| Ok(Condition::new(name(&one.column)?, one.test.clone()));
        let conditions: Vec<Condition> =
            wanted.conditions.iter().map(condition).collect::<Result<_, PlanError>>()?;
        let mut order: Vec<(String, bool)> = wanted
            .order
            .iter()
            .map(|(field, falling)| Ok((name(field)?, *falling)))
            .collect::<Result<_, PlanError>>()?;
        // What has one value orders nothing.
        let known = Known::of(&conditions);
        order.retain(|(field, _)| known.values.get(field.as_str()).is_none_or(|values| values.len() > 1));
        Ok(Wanted {
            order,
            fields: wanted.fields.iter().map(name).collect::<Result<_, _>>()?,
            conditions: conditions.clone(),
            limit: wanted.limit,
        })
    }

    /// Which rows are read, in which order, whether the records of all come in the wanted order, and whether those of each
    /// row do without being turned round.
    fn rows_in_order(
        &self,
        wanted: &Wanted,
        found: Found,
    ) -> Result<(Which, Order, bool, bool), KeyEncodeError> {
        let unordered = |found: Found| Ok((found.which, Order::Any, false, false));
        if wanted.order.is_empty() {
            return unordered(found);
        }
        let known = Known::of(&wanted.conditions);
        let Some(InOrder { lead, falls }) = in_order(self.layout, &known, &wanted.order) else {
            return unordered(found);
        };
        let order = if falls { Order::Falling } else { Order::Rising };
        let in_rows = !falls && lead >= self.layout.key.parts.len();
        let is_one_row = matches!(&found.which, Which::Keys(keys) if keys.len() <= 1);
        if is_one_row {
            return Ok((found.which, order, true, !falls));
        }
        if lead >= self.layout.key.parts.len() && self.layout.is_wide() {
            // The order goes inside rows, and there are several.
            return Ok((found.which, order, false, in_rows));
        }
        if matches!(found.which, Which::Keys(_)) {
            return unordered(found);
        }
        match keys::in_order_of_tail(self.layout.row_keys(), &wanted.conditions, lead)? {
            Some(strands) => Ok((Which::Strands(strands), order, true, false)),
            None => unordered(found),
        }
    }

    /// Whether every cell that is found meets a condition, because its qualifier says so.
    fn inside_ensures(&self, inside: &Found, condition: &Condition) -> bool {
        let parts = self.layout.wide.iter().flat_map(|wide| &wide.key.parts).take(inside.known_parts);
        let mut given = parts.filter_map(|part| part.gives_back());
        let names_values = matches!(condition.test, Test::In(_) | Test::IsNull);
        names_values && given.any(|field| field == condition.column) || ensures(inside, condition)
    }

    /// Whether every row that is found meets a condition, because the key says so.
    fn key_ensures(&self, condition: &Condition, found: &Found) -> bool {
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
    fn shown(
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
        let chosen =
            families::cover(self.layout, &in_cells).map_err(|column| self.uncovered(&column, "families"))?;
        for Shown { column, origin } in &mut shown {
            if let Origin::Cell(name) = origin {
                let family = chosen.iter().find(|family| family.column(column).is_some());
                *name = family.map(|family| family.name.clone()).unwrap_or_default();
            }
        }
        Ok(shown)
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
    fn families(
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

    fn uncovered(&self, column: &str, place: &'static str) -> PlanError {
        PlanError::Uncovered { table: self.layout.table().to_owned(), column: column.to_owned(), place }
    }
}

/// Whether ranges keep the bounds of a condition exactly.
fn ensures(found: &Found, condition: &Condition) -> bool {
    matches!(condition.test, Test::Between(..)) && found.exact.as_deref() == Some(&condition.column)
}

/// The columns that are needed, none twice.
fn columns(wanted: &Wanted, left: &[Condition]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    let checked = left.iter().map(|condition| &condition.column);
    for column in wanted.fields.iter().chain(checked).chain(wanted.order.iter().map(|(field, _)| field)) {
        if !columns.contains(column) {
            columns.push(column.clone());
        }
    }
    columns
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
