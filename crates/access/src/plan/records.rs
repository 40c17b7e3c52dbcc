//! Which rows and cells a layout reads for wanted records.

use tablesmith_model::key::{KeyEncodeError, Part};
use tablesmith_model::plan::{Condition, Read, Test, Which};

use super::Planner;
use super::keys::{self, Found};
use super::known::Known;
use super::order::{InOrder, in_order};
use crate::error::PlanError;
use crate::fan_out::Order;
use crate::layout::Layout;
use crate::records::{RecordRead, Wanted};

/// The name under which reads without a query stand in messages.
const QUERY: &str = "this read";

impl Layout {
    /// How records are read: a pure function.
    pub fn read(&self, wanted: &Wanted) -> Result<RecordRead, PlanError> {
        Planner { layout: self, query: QUERY }.records(wanted)
    }
}

impl Planner<'_> {
    fn records(&self, wanted: &Wanted) -> Result<RecordRead, PlanError> {
        let wanted = self.known_as(wanted)?;
        let keys_of = |error: KeyEncodeError| self.key_error(error);
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
            read: Read { which, families, keys_only, shown, conditions: left, place: None, limit: None },
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
            let unknown = || self.uncovered(field, "its records".to_owned());
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
