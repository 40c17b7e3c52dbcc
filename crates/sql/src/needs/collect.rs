//! Collects what a statement needs of each table.

use std::collections::BTreeSet;

use crate::catalog::{Catalog, TableColumns};
use crate::resolved::{AggregateOf, ColumnRef, ResolvedText};
use crate::statement::{
    Aggregate, Amount, Argument, Join, Kind, Need, Operator, Order, Predicate, Statement, Understood, Value,
};

/// The needs found so far.
pub(super) struct Collector<'c> {
    catalog: &'c Catalog,
    needs: Vec<Draft>,
    /// How many rows the outermost query wants at most.
    pub limit: Option<Amount>,
    /// Tables in the one `FROM` of the outermost query; none where there is more than inner joins of tables.
    pub flat_tables: Option<usize>,
}

/// A need in the making.
struct Draft {
    table: usize,
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
    need: Need,
}

impl<'c> Collector<'c> {
    pub fn new(text: &ResolvedText, catalog: &'c Catalog) -> Self {
        let draft = |table: &usize| {
            let name = catalog.tables().get(*table).map(TableColumns::name).unwrap_or_default();
            let need = Need { table: name.to_owned(), ..Need::default() };
            Draft { table: *table, reads: BTreeSet::new(), writes: BTreeSet::new(), need }
        };
        Self { catalog, needs: text.tables.iter().map(draft).collect(), limit: None, flat_tables: None }
    }

    /// The table of a need.
    fn table(&self, need: usize) -> Option<&'c TableColumns> {
        self.needs.get(need).and_then(|draft| self.catalog.tables().get(draft.table))
    }

    /// The columns of a need's table.
    pub fn columns(&self, need: usize) -> impl Iterator<Item = ColumnRef> + use<> {
        let count = self.table(need).map_or(0, |table| table.columns().len());
        (0..count).map(move |column| ColumnRef { table: need, column })
    }

    fn name(&self, column: ColumnRef) -> String {
        let table = self.table(column.table);
        table.and_then(|table| table.columns().get(column.column)).cloned().unwrap_or_default()
    }

    fn table_name(&self, need: usize) -> String {
        self.table(need).map(TableColumns::name).unwrap_or_default().to_owned()
    }

    pub fn read(&mut self, columns: &[ColumnRef]) {
        for column in columns {
            if let Some(draft) = self.needs.get_mut(column.table) {
                draft.reads.insert(column.column);
            }
        }
    }

    pub fn write(&mut self, column: ColumnRef) {
        if let Some(draft) = self.needs.get_mut(column.table) {
            draft.writes.insert(column.column);
        }
    }

    pub fn write_all(&mut self, need: usize) {
        for column in self.columns(need) {
            self.write(column);
        }
    }

    /// Notes the values of a row that is written.
    pub fn write_row(&mut self, need: usize, row: impl IntoIterator<Item = (ColumnRef, Value)>) {
        let row = row.into_iter().map(|(column, value)| (self.name(column), value)).collect();
        self.change(need, |need| need.written.push(row));
    }

    /// Changes the need that is handed out at the end.
    fn change(&mut self, need: usize, change: impl FnOnce(&mut Need)) {
        if let Some(draft) = self.needs.get_mut(need) {
            change(&mut draft.need);
        }
    }

    /// Notes a condition; `values` are what the column is compared with, at least one.
    pub fn filter(&mut self, column: ColumnRef, operator: Operator, values: &[Value]) {
        self.read(&[column]);
        let (value, more) = values.split_first().unwrap_or((&Value::Expression, &[]));
        let (value, more) = (value.clone(), more.to_vec());
        let predicate = Predicate { column: self.name(column), operator, value, more };
        self.change(column.table, |need| {
            if !need.predicates.contains(&predicate) {
                need.predicates.push(predicate);
            }
        });
    }

    /// A column as what another one is compared with.
    pub fn value(&self, column: ColumnRef) -> Value {
        Value::Column(self.table_name(column.table), self.name(column))
    }

    /// Notes an equality between columns of two places, at both.
    pub fn join(&mut self, left: ColumnRef, right: ColumnRef) {
        self.read(&[left, right]);
        for (own, other) in [(left, right), (right, left)] {
            let join = Join {
                column: self.name(own),
                other_table: self.table_name(other.table),
                other_column: self.name(other),
            };
            self.change(own.table, |need| {
                if !need.joins.contains(&join) {
                    need.joins.push(join);
                }
            });
        }
    }

    pub fn order(&mut self, column: ColumnRef, descending: bool) {
        let order = Order { column: self.name(column), descending };
        self.change(column.table, |need| need.order.push(order));
    }

    pub fn group(&mut self, column: ColumnRef) {
        let name = self.name(column);
        self.change(column.table, |need| {
            if !need.grouping.contains(&name) {
                need.grouping.push(name);
            }
        });
    }

    pub fn aggregate(&mut self, function: &str, of: AggregateOf) {
        let (table, of) = match of {
            AggregateOf::Rows(table) => (table, Argument::Rows),
            AggregateOf::Column(column) => (column.table, Argument::Column(self.name(column))),
            AggregateOf::Expression(table) => (table, Argument::Expression),
        };
        let aggregate = Aggregate { function: function.to_owned(), of };
        self.change(table, |need| {
            if !need.aggregates.contains(&aggregate) {
                need.aggregates.push(aggregate);
            }
        });
    }

    pub fn limit_rows(&mut self, need: usize, limit: Option<Amount>, offset: Option<Amount>) {
        self.change(need, |need| (need.limit, need.offset) = (limit, offset));
    }

    /// The statement, with columns in the catalog's order.
    pub fn finish(self, text: &ResolvedText, kinds: &[Kind]) -> Statement {
        let catalog = self.catalog;
        let kind = kinds.first().copied().unwrap_or(Kind::Select);
        let is_flat =
            self.flat_tables == Some(self.needs.len()) || (kind != Kind::Select && self.needs.len() == 1);
        let names = |table: usize, ids: BTreeSet<usize>| {
            let columns = catalog.tables().get(table).map(TableColumns::columns).unwrap_or_default();
            ids.into_iter().filter_map(|id| columns.get(id).cloned()).collect()
        };
        let needs = self.needs.into_iter().map(|draft| Need {
            reads: names(draft.table, draft.reads),
            writes: names(draft.table, draft.writes),
            ..draft.need
        });
        Statement {
            kind,
            needs: needs.collect(),
            understood: Understood::Parsed,
            other_tables: text.other_tables.clone(),
            unknown_columns: text.unknown_columns.clone(),
            limit: self.limit,
            is_flat,
            statements: kinds.len(),
        }
    }
}
