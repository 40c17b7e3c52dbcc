//! The tables that statements are read beside: their names and columns.

use std::collections::HashMap;

use tablesmith_model::workload::Workload;

/// The known tables with their columns, found by name without regard to case, quotes and schema.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    tables: Vec<TableColumns>,
    by_name: HashMap<String, usize>,
}

/// One table: its name and its columns in order, spelled as declared.
#[derive(Debug, Clone)]
pub struct TableColumns {
    name: String,
    /// Its name in the database that it comes from, with the schema.
    called: Option<String>,
    columns: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl Catalog {
    /// A catalog without tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tables of a workload.
    pub fn of_workload(workload: &Workload) -> Self {
        let mut catalog = Self::new();
        for table in &workload.tables {
            catalog.add(table.name.as_str(), table.columns.iter().map(|column| column.name.as_str()));
            let added =
                catalog.by_name.get(&table.name.to_lowercase()).and_then(|at| catalog.tables.get_mut(*at));
            added.into_iter().for_each(|added| added.called.clone_from(&table.called));
        }
        catalog
    }

    /// Adds a table; a table that is declared again replaces the earlier one.
    pub fn add<C: Into<String>>(
        &mut self,
        table: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> &mut Self {
        let table = TableColumns::new(table.into(), columns.into_iter().map(Into::into).collect());
        let folded = table.name.to_lowercase();
        match self.by_name.get(&folded).and_then(|&at| self.tables.get_mut(at)) {
            Some(place) => *place = table,
            None => {
                self.by_name.insert(folded, self.tables.len());
                self.tables.push(table);
            }
        }
        self
    }

    /// The tables in the order in which they were added.
    pub fn tables(&self) -> &[TableColumns] {
        &self.tables
    }

    /// The table of this name. A schema before the name (`public.t`) must be the one that the table has in its database, where
    /// that is known; else it says nothing.
    pub fn table(&self, name: &str) -> Option<&TableColumns> {
        self.table_id(name).and_then(|id| self.tables.get(id))
    }

    /// The table's place among [`Catalog::tables`].
    pub(crate) fn table_id(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        let known = |name: &str| self.by_name.get(name).copied();
        let Some((_, last)) = folded.rsplit_once('.') else {
            let own = self.tables.iter().position(|table| table.name == name);
            let called = || self.tables.iter().position(|table| table.last_called() == Some(name));
            return own.or_else(called).or_else(|| known(&folded));
        };
        let is_called = |table: &TableColumns| table.called.as_deref() == Some(name);
        // The database stands before the schema, and few statements name it.
        let ends = |table: &TableColumns| {
            table
                .called
                .as_ref()
                .is_some_and(|called| format!(".{called}").to_lowercase().ends_with(&format!(".{folded}")))
        };
        let tables = || self.tables.iter();
        let of_any_schema =
            || known(last).filter(|at| tables().nth(*at).is_some_and(|table| table.called.is_none()));
        tables()
            .position(is_called)
            .or_else(|| tables().position(ends))
            .or_else(|| known(&folded))
            .or_else(of_any_schema)
    }
}

impl TableColumns {
    fn new(name: String, columns: Vec<String>) -> Self {
        let by_name = columns.iter().enumerate().map(|(at, column)| (column.to_lowercase(), at)).collect();
        Self { name, called: None, columns, by_name }
    }

    /// Its own name in its database.
    fn last_called(&self) -> Option<&str> {
        self.called.as_ref().and_then(|called| called.rsplit('.').next())
    }

    /// The table's name as declared.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The columns in order, as declared.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The declared spelling of a column, whatever its case here.
    pub fn column(&self, name: &str) -> Option<&str> {
        self.column_id(name).and_then(|id| self.columns.get(id)).map(String::as_str)
    }

    /// The column's place among [`TableColumns::columns`].
    pub(crate) fn column_id(&self, name: &str) -> Option<usize> {
        self.by_name.get(&name.to_lowercase()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::workload::Table;

    #[test]
    fn names_are_found_in_any_case_and_keep_their_declared_spelling() {
        let mut catalog = Catalog::new();
        catalog.add("Orders", ["Id", "userId"]);
        let table = catalog.table("ORDERS").unwrap();
        assert_eq!((table.name(), table.column("USERID")), ("Orders", Some("userId")));
        assert_eq!(catalog.table("shop.orders").map(TableColumns::name), Some("Orders"));
        assert!(catalog.table("orders.lines").is_none());
    }

    #[test]
    fn a_declared_schema_is_told_apart() {
        let mut catalog = Catalog::new();
        catalog.add("a.t", ["x"]).add("b.t", ["y"]);
        assert_eq!(catalog.table("B.T").and_then(|table| table.column("Y")), Some("y"));
        assert!(catalog.table("t").is_none());
    }

    #[test]
    fn a_schema_means_the_table_that_its_database_calls_so() {
        let table = |name: &str, called: Option<&str>| Table {
            name: name.into(),
            called: called.map(str::to_owned),
            ..Table::default()
        };
        let tables = vec![
            table("orders", Some("shop.public.orders")),
            table("archive_orders", Some("shop.archive.orders")),
            table("Orders_2", Some("shop.public.Orders")),
            table("log", None),
        ];
        let catalog = Catalog::of_workload(&Workload { tables, ..Workload::default() });
        let found = |name: &str| catalog.table(name).map(TableColumns::name);
        assert_eq!(
            (found("archive.orders"), found("ARCHIVE.ORDERS")),
            (Some("archive_orders"), Some("archive_orders"))
        );
        assert_eq!((found("public.orders"), found("shop.public.Orders")), (Some("orders"), Some("Orders_2")));
        assert_eq!(
            (found("orders"), found("Orders"), found("ORDERS")),
            (Some("orders"), Some("Orders_2"), Some("orders"))
        );
        assert_eq!((found("nosuch.orders"), found("any.log")), (None, Some("log")));
    }
}
