//! A design as commands of HBase's shell.

use std::collections::BTreeSet;

use super::Design;
use super::descriptor::TableError;
use super::table::{Family, Setting, Table};
use crate::bytes_text::to_text;
use crate::name::{DEFAULT_NAMESPACE, TableName};

impl Design {
    /// Commands for HBase's shell that make the tables of the design, with every setting and every split point.
    pub fn shell_commands(&self) -> Result<Vec<String>, TableError> {
        let mut namespaces = BTreeSet::new();
        let mut commands = Vec::new();
        for table in &self.tables {
            let name = table.descriptor()?.name;
            if name.namespace() != DEFAULT_NAMESPACE && namespaces.insert(name.namespace().to_owned()) {
                commands.push(format!("create_namespace {}", quoted(name.namespace())));
            }
            commands.push(create(table, &name));
        }
        Ok(commands)
    }
}

fn create(table: &Table, name: &TableName) -> String {
    let mut parts = vec![quoted(&name.to_string())];
    parts.extend(table.families.iter().map(family_text));
    if !table.splits.is_empty() {
        let splits: Vec<String> = table.splits.iter().map(|split| quoted(&to_text(split))).collect();
        parts.push(format!("SPLITS => [{}]", splits.join(", ")));
    }
    format!("create {}", parts.join(", "))
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
}
