//! What records are wanted, and how a layout reads them.

use tablesmith_model::plan::{Condition, FamilyRead, KeyRange, Read, Shown, Which};
use tablesmith_model::row::prefix_end;
use tablesmith_model::value::Value;
use tablesmith_store::filter::{Comparator, CompareOp, ListOp};
use tablesmith_store::{Columns, Filter, ReadOptions};

use crate::fan_out::Order;

/// Which records are wanted, and what of them. Fields are named as [`Record`](tablesmith_model::design::Record) names
/// them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The fields whose values are wanted.
    pub fields: Vec<String>,
    /// What records meet.
    pub conditions: Vec<Condition>,
    /// The order that they should come in: fields, and whether that is falling.
    pub order: Vec<(String, bool)>,
    /// At most so many are wanted.
    pub limit: Option<u64>,
}

/// How a layout reads wanted records.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordRead {
    pub(crate) table: String,
    /// What is read of the store, and all that is checked on it.
    pub(crate) read: Read,
    /// The places of the wanted fields among those shown.
    pub(crate) fields: Vec<usize>,
    pub(crate) order: Order,
    pub(crate) is_in_order: bool,
    /// The stream ends after so many records.
    pub(crate) limit: Option<u64>,
    /// The store need not hand out more rows.
    pub(crate) store_limit: Option<u64>,
    /// The store need not hand out more cells of a wide row.
    pub(crate) row_limit: Option<u64>,
    /// Which cells of wide rows; none: all.
    pub(crate) qualifiers: Option<Which>,
    /// Conditions that keys and qualifiers do not ensure.
    pub(crate) residual: Vec<Condition>,
}

impl RecordRead {
    /// A read that finds nothing.
    pub(crate) fn nothing() -> Self {
        Self {
            table: String::new(),
            read: Read { which: Which::Keys(Vec::new()), ..Read::default() },
            fields: Vec::new(),
            order: Order::Any,
            is_in_order: true,
            limit: None,
            store_limit: None,
            row_limit: None,
            qualifiers: None,
            residual: Vec::new(),
        }
    }

    /// The table of the design that is read.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Whether records come in the order that was wanted; also when none was.
    pub fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Whether a limit was wanted and the stream ends there by itself.
    pub fn meets_limit(&self) -> bool {
        self.limit.is_some()
    }

    /// Conditions that are checked on records here, because keys and qualifiers do not ensure them.
    pub fn residual_conditions(&self) -> &[Condition] {
        &self.residual
    }

    /// The families that are read.
    pub fn families(&self) -> impl Iterator<Item = &str> {
        self.read.families.iter().map(|family| family.family.as_str())
    }

    /// What is read of each family.
    pub fn family_reads(&self) -> &[FamilyRead] {
        &self.read.families
    }

    /// Where the values of columns come from.
    pub fn shown(&self) -> &[Shown] {
        &self.read.shown
    }

    /// Rows that are asked for by their keys.
    pub fn gets(&self) -> usize {
        if let Which::Keys(keys) = &self.read.which { keys.len() } else { 0 }
    }

    /// Ranges that are scanned.
    pub fn scans(&self) -> usize {
        match &self.read.which {
            Which::Keys(_) => 0,
            Which::Ranges(ranges) => ranges.len(),
            Which::Strands(strands) => strands.len(),
        }
    }

    /// Ranges that are merged into an order.
    pub fn strands(&self) -> usize {
        if let Which::Strands(strands) = &self.read.which { strands.len() } else { 0 }
    }

    /// Whether the whole table is gone through.
    pub fn is_full_scan(&self) -> bool {
        self.read.which.is_all()
    }

    /// Which rows are read.
    pub fn which(&self) -> &Which {
        &self.read.which
    }

    /// The read in words: `get of follow (f)`, `4 scans, merged of twit (f, g), backwards; checks text = x`.
    pub fn words(&self) -> String {
        let families: Vec<&str> = self.families().collect();
        let mut words = format!("{} of {} ({})", self.read.which.words(), self.table, families.join(", "));
        match &self.qualifiers {
            Some(Which::Keys(cells)) => words += &format!(", {} cells of each row", cells.len()),
            Some(_) => words += ", a range of each row's cells",
            None => {}
        }
        if self.order == Order::Falling {
            words += ", backwards";
        }
        if let Some(limit) = self.store_limit {
            words += &format!(", at most {limit}");
        }
        if !self.residual.is_empty() {
            let checks: Vec<String> = self.residual.iter().map(ToString::to_string).collect();
            words += &format!("; checks {}", checks.join(" AND "));
        }
        words
    }

    /// What of each row the store hands out.
    pub fn options(&self) -> ReadOptions {
        let mut columns = Columns::all();
        for FamilyRead { family, columns: wanted } in &self.read.families {
            match (wanted, &self.qualifiers) {
                (None, Some(Which::Keys(cells))) => {
                    cells.iter().for_each(|cell| columns.add_column(family.clone(), cell.clone()));
                }
                (None, _) => columns.add_family(family.clone()),
                (Some(wanted), _) => {
                    wanted.iter().for_each(|column| columns.add_column(family.clone(), column.clone()));
                }
            }
        }
        let filter = match &self.qualifiers {
            Some(Which::Ranges(ranges)) => Some(in_ranges(ranges, self.order == Order::Falling)),
            _ => self.read.keys_only.then_some(Filter::FirstKeyOnly),
        };
        let max_results_per_family = self.row_limit.and_then(|limit| u32::try_from(limit.max(1)).ok());
        ReadOptions { columns, filter, max_results_per_family, ..ReadOptions::default() }
    }

    /// The values of the wanted fields, of those that are shown.
    pub(crate) fn picked(&self, shown: &[Value]) -> Vec<Value> {
        self.fields.iter().map(|at| shown.get(*at).cloned().unwrap_or(Value::Null)).collect()
    }

    /// Whether no cell can be what is wanted.
    pub(crate) fn wants_nothing(&self) -> bool {
        let none = |which: &Which| match which {
            Which::Keys(keys) => keys.is_empty(),
            Which::Ranges(ranges) => ranges.is_empty(),
            Which::Strands(strands) => strands.is_empty(),
        };
        self.limit == Some(0) || none(&self.read.which) || self.qualifiers.as_ref().is_some_and(none)
    }
}

/// Cells whose qualifiers lie in one of these ranges.
fn in_ranges(ranges: &[KeyRange], is_reversed: bool) -> Filter {
    let one = |range: &KeyRange| {
        if is_reversed {
            return compared(range);
        }
        if range.end.is_some() && range.end == prefix_end(&range.start) {
            return Filter::ColumnPrefix(range.start.clone().into());
        }
        Filter::ColumnRange {
            min: (!range.start.is_empty()).then(|| range.start.clone().into()),
            min_inclusive: true,
            max: range.end.clone().map(Into::into),
            max_inclusive: false,
        }
    };
    match ranges {
        [range] => one(range),
        ranges => Filter::List(ListOp::One, ranges.iter().map(one).collect()),
    }
}

/// The same by comparing each cell: filters that jump to the first cell of a range jump over it in a reversed scan.
fn compared(range: &KeyRange) -> Filter {
    let bound = |op, bytes: &Vec<u8>| Filter::Qualifier(op, Comparator::Binary(bytes.clone().into()));
    let low = bound(CompareOp::GreaterOrEqual, &range.start);
    let high = range.end.as_ref().map(|end| bound(CompareOp::Less, end));
    Filter::List(ListOp::All, std::iter::once(low).chain(high).collect())
}
