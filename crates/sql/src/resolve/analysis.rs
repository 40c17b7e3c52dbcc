//! What has been found out about a statement so far.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::output::{Column, Output};
use crate::catalog::{Catalog, TableColumns};
use crate::statement::{
    Aggregate, Amount, Argument, Join, Kind, Need, Operator, Order, Predicate, Statement, Understood, Value,
};

/// The needs found so far, and the names that queries further in can see.
pub(super) struct Analysis<'c> {
    pub catalog: &'c Catalog,
    needs: Vec<Draft>,
    /// Queries named by `WITH`, the innermost last.
    pub named_queries: Vec<(String, Rc<[Output]>)>,
    other_tables: Vec<String>,
    unknown_columns: Vec<String>,
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

impl<'c> Analysis<'c> {
    pub fn new(catalog: &'c Catalog) -> Self {
        Self {
            catalog,
            needs: Vec::new(),
            named_queries: Vec::new(),
            other_tables: Vec::new(),
            unknown_columns: Vec::new(),
            limit: None,
            flat_tables: None,
        }
    }

    /// Begins a need of the table.
    pub fn add_need(&mut self, table: usize) -> usize {
        let name = self.catalog.tables().get(table).map(TableColumns::name).unwrap_or_default();
        self.needs.push(Draft {
            table,
            reads: BTreeSet::new(),
            writes: BTreeSet::new(),
            need: Need { table: name.to_owned(), ..Need::default() },
        });
        self.needs.len() - 1
    }

    /// The table of a need.
    pub fn table(&self, need: usize) -> Option<&'c TableColumns> {
        self.needs.get(need).and_then(|draft| self.catalog.tables().get(draft.table))
    }

    /// The columns of a need's table.
    pub fn columns(&self, need: usize) -> impl Iterator<Item = Column> + use<> {
        let count = self.table(need).map_or(0, |table| table.columns().len());
        (0..count).map(move |column| Column { need, column })
    }

    fn name(&self, column: Column) -> String {
        let table = self.table(column.need);
        table.and_then(|table| table.columns().get(column.column)).cloned().unwrap_or_default()
    }

    fn table_name(&self, need: usize) -> String {
        self.table(need).map(TableColumns::name).unwrap_or_default().to_owned()
    }

    pub fn read(&mut self, columns: &[Column]) {
        for column in columns {
            if let Some(draft) = self.needs.get_mut(column.need) {
                draft.reads.insert(column.column);
            }
        }
    }

    pub fn read_outputs(&mut self, outputs: &[Output]) {
        for output in outputs {
            self.read(&output.uses);
        }
    }

    pub fn write(&mut self, column: Column) {
        if let Some(draft) = self.needs.get_mut(column.need) {
            draft.writes.insert(column.column);
        }
    }

    pub fn write_all(&mut self, need: usize) {
        for column in self.columns(need) {
            self.write(column);
        }
    }

    /// Notes the values of a row that is written.
    pub fn write_row(&mut self, need: usize, row: impl IntoIterator<Item = (Column, Value)>) {
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
    pub fn filter(&mut self, column: Column, operator: Operator, values: &[Value]) {
        self.read(&[column]);
        let (value, more) = values.split_first().unwrap_or((&Value::Expression, &[]));
        let (value, more) = (value.clone(), more.to_vec());
        let predicate = Predicate { column: self.name(column), operator, value, more };
        self.change(column.need, |need| {
            if !need.predicates.contains(&predicate) {
                need.predicates.push(predicate);
            }
        });
    }

    /// A column as what another one is compared with.
    pub fn value(&self, column: Column) -> Value {
        Value::Column(self.table_name(column.need), self.name(column))
    }

    /// Notes an equality between columns of two places, at both.
    pub fn join(&mut self, left: Column, right: Column) {
        self.read(&[left, right]);
        for (own, other) in [(left, right), (right, left)] {
            let join = Join {
                column: self.name(own),
                other_table: self.table_name(other.need),
                other_column: self.name(other),
            };
            self.change(own.need, |need| {
                if !need.joins.contains(&join) {
                    need.joins.push(join);
                }
            });
        }
    }

    pub fn order(&mut self, column: Column, descending: bool) {
        let order = Order { column: self.name(column), descending };
        self.change(column.need, |need| need.order.push(order));
    }

    pub fn group(&mut self, column: Column) {
        let name = self.name(column);
        self.change(column.need, |need| {
            if !need.grouping.contains(&name) {
                need.grouping.push(name);
            }
        });
    }

    pub fn aggregate_column(&mut self, function: &str, column: Column) {
        let of = Argument::Column(self.name(column));
        self.aggregate(function, column.need, of);
    }

    pub fn aggregate(&mut self, function: &str, need: usize, of: Argument) {
        let aggregate = Aggregate { function: function.to_owned(), of };
        self.change(need, |need| {
            if !need.aggregates.contains(&aggregate) {
                need.aggregates.push(aggregate);
            }
        });
    }

    pub fn limit(&mut self, need: usize, limit: Option<Amount>, offset: Option<Amount>) {
        self.change(need, |need| (need.limit, need.offset) = (limit, offset));
    }

    pub fn other_table(&mut self, name: String) {
        if !self.other_tables.contains(&name) {
            self.other_tables.push(name);
        }
    }

    pub fn unknown_column(&mut self, name: String) {
        if !self.unknown_columns.contains(&name) {
            self.unknown_columns.push(name);
        }
    }

    /// The statement, with columns in the catalog's order.
    pub fn finish(self, kind: Kind, understood: Understood) -> Statement {
        let catalog = self.catalog;
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
            understood,
            other_tables: self.other_tables,
            unknown_columns: self.unknown_columns,
            limit: self.limit,
            is_flat,
            statements: 1,
        }
    }
}
