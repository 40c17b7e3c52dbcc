//! A table of the store: families, splits, and which rows of the workload it holds in what shape.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::Qualifier;
use crate::family::{FamilyDescriptor, SettingError};
use crate::key::Key;
use crate::value::CellEncoding;
use crate::workload;

/// The name of the only family when nothing was decided yet.
pub(super) const DEFAULT_FAMILY: &str = "f";

/// A table of the store.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Table {
    /// The name, with its namespace if it has one.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The keys where its regions begin, rising; the first region has none. Bytes as HBase prints them: '\x10'.
    #[schemars(default, with = "Vec<String>", inner(length(min = 1)))]
    pub splits: Vec<Vec<u8>>,
    /// The families.
    #[schemars(rename = "family", length(min = 1))]
    pub families: Vec<Family>,
    /// The rows that it holds; several entries for rows of several kinds.
    #[schemars(default)]
    pub rows: Vec<Rows>,
}

/// A column family.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Family {
    /// The name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Settings under HBase's names, in the order of the file.
    #[schemars(default, with = "Settings")]
    pub settings: Vec<(String, Setting)>,
}

/// The value of a family's setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A whole number.
    Integer(i64),
    /// True or false.
    Boolean(bool),
    /// A word or words.
    Text(String),
}

/// Rows of one kind: where they come from and how they are laid out.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Rows {
    /// The table of the workload.
    #[schemars(length(min = 1))]
    pub from: String,
    /// References that are followed, as "table.column", when rows are copies made along them. A column of a joined table is
    /// named "table.column".
    #[schemars(default)]
    pub join: Vec<String>,
    /// The row key.
    #[schemars(flatten)]
    pub key: Key,
    /// The cells.
    pub cells: Vec<Cells>,
}

/// Cells of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cells {
    /// The family that they are in.
    #[schemars(length(min = 1))]
    pub family: String,
    /// The columns that they hold. A column in two entries is stored twice.
    #[schemars(default)]
    pub columns: Vec<String>,
    /// How values are written; by type when not said.
    pub encoding: Option<CellEncoding>,
    /// The field that is the cell's version.
    pub version: Option<String>,
    /// What the qualifier is made of: a field, parts of a key with commas between ("desc(at), id"), or offset(field). The
    /// column's name when not said.
    #[schemars(with = "Option<String>")]
    pub qualifier: Option<Qualifier>,
    /// The field that is the cell's value, when the qualifier is data.
    pub value: Option<String>,
    /// The field by which many values are packed into one cell.
    pub pack_by: Option<String>,
    /// Whether all columns are in one cell.
    #[schemars(default)]
    pub together: bool,
}

/// Settings under HBase's names, which are read in any case.
struct Settings;

impl JsonSchema for Settings {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let value = json!({ "type": ["integer", "boolean", "string"] });
        let names = FamilyDescriptor::new("f").settings().into_iter().map(|(name, _)| name.to_owned());
        let properties: Map<String, Value> = names.map(|name| (name, value.clone())).collect();
        json_schema!({ "type": "object", "properties": properties })
    }
}

impl Table {
    /// What a table of the workload gets when nothing was decided: its declared key, else a generated row number; one
    /// family for all columns that are not in the key (for all, when the key has every column); no splits.
    pub fn of_workload(table: &workload::Table) -> Self {
        let key = if table.key.is_empty() { Key::row_number() } else { Key::of_fields(&table.key) };
        let all = || table.columns.iter().map(|column| column.name.clone());
        let outside: Vec<String> = all().filter(|column| !table.key.contains(column)).collect();
        let columns = if outside.is_empty() { all().collect() } else { outside };
        Self {
            name: table.name.clone(),
            splits: Vec::new(),
            families: vec![Family::new(DEFAULT_FAMILY)],
            rows: vec![Rows {
                from: table.name.clone(),
                join: Vec::new(),
                key,
                cells: vec![Cells { family: DEFAULT_FAMILY.to_owned(), columns, ..Cells::default() }],
            }],
        }
    }
}

impl Family {
    /// A family without settings of its own.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), settings: Vec::new() }
    }

    /// The family as a store creates it: its settings over HBase's defaults.
    pub fn descriptor(&self) -> Result<FamilyDescriptor, SettingError> {
        self.over(FamilyDescriptor::new(self.name.clone()))
    }

    /// Its settings over those of another.
    pub(super) fn over(&self, mut descriptor: FamilyDescriptor) -> Result<FamilyDescriptor, SettingError> {
        for (setting, value) in &self.settings {
            descriptor.set(setting, &value.text())?;
        }
        Ok(descriptor)
    }
}

impl Setting {
    /// The value as HBase's shell takes it.
    pub fn text(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Boolean(truth) => truth.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Cells {
    /// The fields that the cells are made of, columns and all others.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let qualifier = self.qualifier.iter().flat_map(Qualifier::fields);
        let others = [&self.version, &self.value, &self.pack_by].into_iter().flatten();
        self.columns.iter().chain(others).map(String::as_str).chain(qualifier)
    }

    /// Whether both are laid out alike, so that their columns can stand in one entry.
    pub(super) fn same_shape(&self, other: &Self) -> bool {
        let bare = |cells: &Self| Self { columns: Vec::new(), ..cells.clone() };
        bare(self) == bare(other)
    }
}
