//! A design as commands of HBase's shell.

use std::collections::BTreeSet;

use super::Design;
use super::table::{Family, Setting, Table};
use crate::bytes_text::to_text;
use crate::family::SettingError;
use crate::name::{DEFAULT_NAMESPACE, NameError, TableName};

/// Why a design is no table of HBase.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DdlError {
    /// The table's name.
    #[error("table {table:?}: {source}")]
    Name {
        /// The table.
        table: String,
        /// What is wrong.
        source: NameError,
    },
    /// A setting of a family.
    #[error("family {family:?} of {table:?}: {source}")]
    Setting {
        /// The table.
        table: String,
        /// The family.
        family: String,
        /// What is wrong.
        source: SettingError,
    },
    /// No family.
    #[error("table {0:?} has no family: add a [[table.family]]")]
    NoFamily(String),
}

impl Design {
    /// Commands for HBase's shell that make the tables of the design, with every setting and every split point.
    pub fn shell_commands(&self) -> Result<Vec<String>, DdlError> {
        let mut namespaces = BTreeSet::new();
        let mut commands = Vec::new();
        for table in &self.tables {
            let name: TableName =
                table.name.parse().map_err(|source| DdlError::Name { table: table.name.clone(), source })?;
            if name.namespace() != DEFAULT_NAMESPACE && namespaces.insert(name.namespace().to_owned()) {
                commands.push(format!("create_namespace {}", quoted(name.namespace())));
            }
            commands.push(create(table, &name)?);
        }
        Ok(commands)
    }
}

fn create(table: &Table, name: &TableName) -> Result<String, DdlError> {
    if table.families.is_empty() {
        return Err(DdlError::NoFamily(table.name.clone()));
    }
    let mut parts = vec![quoted(&name.to_string())];
    for family in &table.families {
        family.descriptor().map_err(|source| DdlError::Setting {
            table: table.name.clone(),
            family: family.name.clone(),
            source,
        })?;
        parts.push(family_text(family));
    }
    if !table.splits.is_empty() {
        let splits: Vec<String> = table.splits.iter().map(|split| quoted(&to_text(split))).collect();
        parts.push(format!("SPLITS => [{}]", splits.join(", ")));
    }
    Ok(format!("create {}", parts.join(", ")))
}

fn family_text(family: &Family) -> String {
    let name = std::iter::once(format!("NAME => {}", quoted(&family.name)));
    let settings = family.settings.iter().map(|(setting, value)| match value {
        Setting::Integer(number) => format!("{setting} => {number}"),
        Setting::Boolean(truth) => format!("{setting} => {truth}"),
        Setting::Text(text) => format!("{setting} => {}", quoted(text)),
    });
    format!("{{{}}}", name.chain(settings).collect::<Vec<_>>().join(", "))
}

/// In single quotes, where the shell leaves `\xNN` for HBase to read. A quote inside is written that way too: it can only
/// come in a split point.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "\\x27"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(tables: Vec<Table>) -> Design {
        Design { tables, ..Design::default() }
    }

    #[test]
    fn settings_and_splits_are_all_there() {
        let mut family = Family::new("m");
        family.settings = vec![
            ("VERSIONS".to_owned(), Setting::Integer(1440)),
            ("BLOOMFILTER".to_owned(), Setting::Text("ROWCOL".to_owned())),
            ("IN_MEMORY".to_owned(), Setting::Boolean(true)),
        ];
        let table = Table {
            name: "bikes:stations".to_owned(),
            splits: vec![vec![0x10], b"it's\\".to_vec()],
            families: vec![family, Family::new("f")],
            rows: Vec::new(),
        };
        let other = Table { splits: Vec::new(), name: "bikes:trips".to_owned(), ..table.clone() };
        assert_eq!(
            design(vec![table, other]).shell_commands().unwrap(),
            [
                "create_namespace 'bikes'",
                "create 'bikes:stations', {NAME => 'm', VERSIONS => 1440, BLOOMFILTER => 'ROWCOL', IN_MEMORY => true}, \
                 {NAME => 'f'}, SPLITS => ['\\x10', 'it\\x27s\\x5C']",
                "create 'bikes:trips', {NAME => 'm', VERSIONS => 1440, BLOOMFILTER => 'ROWCOL', IN_MEMORY => true}, \
                 {NAME => 'f'}",
            ]
        );
    }

    #[test]
    fn what_hbase_would_refuse_is_refused_here() {
        let refused = |table| design(vec![table]).shell_commands().unwrap_err().to_string();
        let named = |name: &str| Table { name: name.to_owned(), ..Table::default() };
        assert_eq!(refused(named("t")), "table \"t\" has no family: add a [[table.family]]");
        assert!(refused(named("a b")).starts_with("table \"a b\": "));
        let mut family = Family::new("f");
        family.settings = vec![("VERSIONS".to_owned(), Setting::Integer(0))];
        let message = refused(Table { families: vec![family], ..named("t") });
        assert!(message.starts_with("family \"f\" of \"t\": VERSIONS does not take"), "{message}");
    }
}
