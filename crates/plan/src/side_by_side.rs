//! A parent with its children, read at once: one get of a nested row that has both, or one scan of neighbouring rows.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;

use crate::key_match::KeyMatch;
use crate::{AccessKind, AccessPattern, ReadEstimate, StoredRows, rpc};

/// Parents and children in one table.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide<'r> {
    /// The rows of parents.
    pub parents: &'r StoredRows,
    /// The rows of children.
    pub children: &'r StoredRows,
}

impl SideBySide<'_> {
    /// What reading parents with their children takes, from rows that hold both (`is_nested`) or from neighbouring rows;
    /// `None` when the pattern is not one key of both, and for lookups of a join: the executor reads both at once only first.
    pub fn read(&self, pattern: &AccessPattern, is_nested: bool) -> Option<ReadEstimate> {
        let Self { parents, children } = self;
        let tables = [parents.rows.from.clone(), children.rows.from.clone()];
        let (one, two) = (first_column(parents)?, first_column(children)?);
        let is_join_of_both =
            pattern.is_of(&tables) && pattern.are_equal(&one, &two) && pattern.joins.len() == 1;
        if !is_join_of_both || pattern.is_lookup {
            return None;
        }
        let known = pattern.equalities.iter().find(|one_of| one_of.column == one || one_of.column == two)?;
        let holds = |column: &ColumnOf| match column.table == parents.rows.from {
            true => parents.holds(column),
            false => children.holds(column),
        };
        if !pattern.columns.iter().all(holds) {
            return None;
        }
        if is_nested {
            // Picking out cells of children would take those of the parent away.
            let picks = KeyMatch::of(pattern, children, &children.qualifier_parts());
            let is_all = picks.used.is_empty() && picks.known_parts == 0;
            return is_all.then(|| self.one_row(known.values * pattern.executions));
        }
        let mut unsalted = parents.rows.key.parts.iter().filter(|part| part.prefixes().is_none());
        let is_parent_first = unsalted.position(|part| matches!(part, Part::Const(_))) == Some(1);
        (is_parent_first && known.values <= 1.0).then(|| self.neighbours(pattern))
    }

    /// Children of one parent, on average.
    fn children_of_one(&self) -> f64 {
        self.children.size.records / self.parents.size.records.max(1.0)
    }

    /// Gets of rows that hold a parent with its children.
    fn one_row(&self, keys: f64) -> ReadEstimate {
        let records = keys * self.children_of_one();
        let operations = Operations {
            calls: rpc::get_calls(keys),
            seeks: 2.0 * keys,
            rows: keys,
            family_rows: 2.0 * keys,
            ..self.cells(keys, records)
        };
        let access = AccessKind::Gets;
        ReadEstimate {
            access,
            requests: keys,
            operations,
            rows_returned: keys,
            records: keys + records,
            stops_early: false,
        }
    }

    /// Scans of a parent's row and those of its children behind it.
    fn neighbours(&self, pattern: &AccessPattern) -> ReadEstimate {
        let is_sorted = self.is_sorted(pattern);
        let has_residual = pattern.residual > 0 || !pattern.ranges.is_empty() || pattern.equalities.len() > 1;
        let stops_early = (pattern.order.is_empty() || is_sorted)
            && !has_residual
            && !pattern.aggregates
            && pattern.grouping.is_empty();
        let found = match pattern.limit {
            Some(limit) if stops_early => self.children_of_one().min(limit),
            _ => self.children_of_one(),
        };
        let scans = pattern.executions;
        let rows = scans * (1.0 + found);
        let operations = Operations {
            calls: scans,
            regions: scans,
            seeks: scans,
            rows,
            family_rows: rows,
            ..self.cells(scans, scans * found)
        };
        ReadEstimate {
            access: AccessKind::Scans,
            requests: scans,
            operations,
            rows_returned: rows,
            records: rows,
            stops_early,
        }
    }

    /// Whether children come in the pattern's order when their parent's key is known.
    fn is_sorted(&self, pattern: &AccessPattern) -> bool {
        let mut of_children = pattern.clone();
        if let Some(first) = first_column(self.children) {
            for equality in &mut of_children.equalities {
                if equality.column != first && pattern.are_equal(&equality.column, &first) {
                    equality.column = first.clone();
                }
            }
        }
        let parts = &self.children.rows.key.parts;
        KeyMatch::of(&of_children, self.children, parts).is_sorted(&of_children, self.children, parts)
    }

    /// Cells and bytes of so many parents and children.
    fn cells(&self, parents: f64, children: f64) -> Operations {
        let (of_parent, of_child) = (&self.parents.size, &self.children.size);
        let cells = parents * of_parent.cells + children * of_child.cells;
        let bytes = parents * of_parent.bytes + children * of_child.bytes;
        Operations { cells, bytes, cells_returned: cells, bytes_returned: bytes, ..Operations::NONE }
    }
}

/// A read of one kind of rows in a table where rows of other kinds lie between them.
pub fn among_others(
    pattern: &AccessPattern,
    rows: &StoredRows,
    others: &[&StoredRows],
    read: ReadEstimate,
) -> ReadEstimate {
    let is_kept_apart = |at: usize| KeyMatch::of(pattern, rows, &rows.rows.key.parts).known_parts > at;
    if read.access == AccessKind::Gets || kind_at(rows).is_none_or(is_kept_apart) {
        return read;
    }
    let share = read.operations.rows / rows.size.rows.max(1.0);
    let mut operations = read.operations;
    for other in others {
        operations.rows += share * other.size.rows;
        operations.family_rows += share * other.size.rows;
        operations.cells += share * other.size.records * other.size.cells;
        operations.bytes += share * other.size.total_bytes();
    }
    ReadEstimate { operations, ..read }
}

/// Where the constant that tells kinds of rows apart stands in a key.
fn kind_at(rows: &StoredRows) -> Option<usize> {
    rows.rows.key.parts.iter().position(|part| matches!(part, Part::Const(_)))
}

fn first_column(rows: &StoredRows) -> Option<ColumnOf> {
    let field = rows.rows.key.parts.iter().find_map(|part| part.fields().first())?;
    rows.column(field)
}
