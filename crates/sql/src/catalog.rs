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

    /// The table of this name. A schema before the name (`public.t`) matters only where the table was declared with it, or is
    /// called `public_t` because there is another `t`.
    pub fn table(&self, name: &str) -> Option<&TableColumns> {
        self.table_id(name).and_then(|id| self.tables.get(id))
    }

    /// The table's place among [`Catalog::tables`].
    pub(crate) fn table_id(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        let last = folded.rsplit('.').next().unwrap_or(&folded);
        let known = |name: &str| self.by_name.get(name).copied();
        known(&folded)
            .or_else(|| folded.contains('.').then(|| known(&folded.replace('.', "_"))).flatten())
            .or_else(|| known(last))
    }
}

impl TableColumns {
    fn new(name: String, columns: Vec<String>) -> Self {
        let by_name = columns.iter().enumerate().map(|(at, column)| (column.to_lowercase(), at)).collect();
        Self { name, columns, by_name }
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
        catalog.add("t", ["x"]).add("c_t", ["z"]);
        assert_eq!(catalog.table("c.t").map(TableColumns::name), Some("c_t"));
        assert_eq!(catalog.table("d.t").map(TableColumns::name), Some("t"));
    }
}
