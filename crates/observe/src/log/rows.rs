//! How many rows a call of a template touches, from a sample of its calls.

use tablesmith_model::workload::{Table, Workload};
use tablesmith_plan::reach;
use tablesmith_sql::{Catalog, Dialect, Kind, Need, Statement, resolve};

use super::bind::Marked;
use super::profile::{Asked, Template};
use super::queries::Part;

/// What an estimate needs to know.
pub(super) struct RowEstimate<'w> {
    workload: &'w Workload,
    catalog: Catalog,
    dialect: Dialect,
}

impl<'w> RowEstimate<'w> {
    /// For the tables of a workload.
    pub fn new(workload: &'w Workload, dialect: Dialect) -> Self {
        Self { workload, catalog: Catalog::of_workload(workload), dialect }
    }

    /// The mean over the sampled calls of a part; the first call stands for them where the sample has none. `None` when
    /// their literals say no more than the template does.
    pub fn of_template(&self, template: &Template, part: Part) -> Option<f64> {
        let Asked::Sql { example, statement: Ok(statement) } = &template.asks else { return None };
        let (table, need) = self.only_table(statement)?;
        if !is_said_by_literals(table, statement.kind, need) {
            return None;
        }
        let mut marked = Marked::new(example, &self.catalog, self.dialect);
        let of_part = template.sample.iter().filter(|call| call.part == part);
        let mut rows: Vec<f64> =
            of_part.filter_map(|call| self.of_call(&call.sql, marked.as_mut())).collect();
        if rows.is_empty() {
            rows.extend(self.of_call(example, None));
        }
        (!rows.is_empty()).then(|| rows.iter().sum::<f64>() / rows.len() as f64)
    }

    /// Calls that cannot be bound to the marked template are parsed.
    fn of_call(&self, sql: &str, marked: Option<&mut Marked>) -> Option<f64> {
        if let Some((kind, need)) = marked.and_then(|marked| marked.bind(sql)) {
            let table = self.workload.table(&need.table)?;
            return Some(reach(table, kind, &need, table.rows? as f64).rows);
        }
        let statement = resolve(sql, &self.catalog, self.dialect).ok()?;
        let (table, need) = self.only_table(&statement)?;
        Some(reach(table, statement.kind, need, table.rows? as f64).rows)
    }

    /// The table of a statement about one place of one table: a number of rows says nothing about several.
    fn only_table<'s>(&self, statement: &'s Statement) -> Option<(&'w Table, &'s Need)> {
        match statement.needs.as_slice() {
            [need] => Some((self.workload.table(&need.table)?, need)),
            _ => None,
        }
    }
}

/// Whether literals are written, or compared with a part of the key: parameters say no more than the template does.
fn is_said_by_literals(table: &Table, kind: Kind, need: &Need) -> bool {
    let on_key = need.predicates.iter().filter(|predicate| table.key.contains(&predicate.column));
    (kind == Kind::Insert && !need.written.is_empty()) || on_key.into_iter().any(|found| found.has_literal())
}
