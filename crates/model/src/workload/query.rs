//! A query: what is asked, how often, and what the asker wishes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::Table;
use crate::schema::names_in_files;

/// The rate of a query that says none.
pub const DEFAULT_RATE: f64 = 1.0;

/// A kind of call that the application makes.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Query {
    /// The name, unique in the workload.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What it asks.
    #[schemars(flatten)]
    pub asks: Asks,
    /// Rows that one call touches, where that is known.
    pub rows: Option<u64>,
    /// Calls a second, or any weight: only the ratio between queries counts.
    #[schemars(default, range(min = 0), extend("default" = DEFAULT_RATE))]
    pub rate: f64,
    /// What the asker wishes.
    #[schemars(flatten)]
    pub wishes: Wishes,
}

/// What a query asks: a statement, or just the columns that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A statement in SQL. It is resolved elsewhere.
    Sql(String),
    /// The columns of one table that a call touches.
    Columns(Touched),
}

/// The columns of one table that a call touches.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
pub struct Touched {
    /// The table that it touches, when there is no statement.
    #[schemars(length(min = 1))]
    pub table: String,
    /// The columns that are read.
    #[schemars(default, extend("uniqueItems" = true))]
    pub reads: Vec<String>,
    /// The columns that are written.
    #[schemars(default, extend("uniqueItems" = true))]
    pub writes: Vec<String>,
    /// How rows are found; by key when the table has one, else by a scan.
    pub access: Option<Access>,
}

/// How a call finds its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By key.
    Get,
    /// By reading on from a place.
    Scan,
}

/// What the asker wishes of every call.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema)]
pub struct Wishes {
    /// A requirement: the longest time that a call may take, in milliseconds.
    #[schemars(range(min = 0))]
    pub max_ms: Option<f64>,
    /// A requirement: answered by one call to the store.
    #[schemars(default)]
    pub one_call: bool,
    /// A requirement: seen or written all at once.
    #[schemars(default)]
    pub atomic: bool,
    /// A requirement: no copy that lags behind.
    #[schemars(default)]
    pub fresh: bool,
}

/// The keys of either kind beside each other, and exactly one of those that tell them apart.
impl JsonSchema for Asks {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Asks".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Touched::json_schema(generator);
        schema.remove("required");
        schema.remove("description");
        let statement =
            json_schema!({ "type": "string", "minLength": 1, "description": "A statement in SQL." });
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert("sql".to_owned(), statement.to_value());
        }
        let one_of = serde_json::json!([{ "required": ["sql"] }, { "required": ["table"] }]);
        schema.insert("oneOf".to_owned(), one_of);
        schema
    }
}

names_in_files!(Access);

impl Query {
    /// A statement with a rate and no wishes.
    pub fn sql(name: impl Into<String>, sql: impl Into<String>, rate: f64) -> Self {
        let asks = Asks::Sql(sql.into());
        Self { name: name.into(), asks, rows: None, rate, wishes: Wishes::default() }
    }
}

impl Touched {
    /// How rows are found: as the query says, else by key when the table has one, else by a scan.
    pub fn access_in(&self, table: &Table) -> Access {
        self.access.unwrap_or(if table.key.is_empty() { Access::Scan } else { Access::Get })
    }
}

impl Access {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Get, Self::Scan];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Scan => "scan",
        }
    }

    /// The way of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_key_when_there_is_one_and_nothing_else_is_said() {
        let mut table = Table::default();
        let mut touched = Touched { table: "t".into(), reads: vec![], writes: vec![], access: None };
        assert_eq!(touched.access_in(&table), Access::Scan);
        table.key = vec!["id".into()];
        assert_eq!(touched.access_in(&table), Access::Get);
        touched.access = Some(Access::Scan);
        assert_eq!(touched.access_in(&table), Access::Scan);
    }
}
