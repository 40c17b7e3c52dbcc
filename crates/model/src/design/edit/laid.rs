//! Lays the rows of a table out in another way: key, cells, and what their family keeps.

use toml_edit::{InlineTable, Item, value};

use super::super::{Family, Table, items};
use super::families::{remove_stale_plans, replace_families};
use super::{DesignFile, EditError, find};

impl DesignFile {
    /// Lays the rows of a workload's table out as `laid` has them, or adds `laid` when the table is not there yet.
    ///
    /// Families that other rows need stay, and so do settings that `laid` does not have. Split points go when the key is
    /// another one, and so do plans that read a family which is gone.
    pub fn set_laid(&mut self, table: &str, laid: &Table) -> Result<(), EditError> {
        let place = find::rows_of(&self.design()?, table);
        let (table_index, rows_index) = match place {
            Ok(place) => place,
            Err(_) => return self.add_table(laid),
        };
        let Some(new) = laid.rows.iter().find(|rows| rows.from == table) else {
            return Err(EditError::NoTable(table.to_owned()));
        };
        self.change(|document, design| {
            let Some(old) = design.tables.get(table_index) else { return Ok(()) };
            let item = find::table_mut(document.as_table_mut(), "table", table_index)?;
            if old.rows.get(rows_index).is_none_or(|rows| rows.key != new.key) {
                item.remove("splits");
            }
            let others = old.rows.iter().enumerate().filter(|(index, _)| *index != rows_index);
            let mut names: Vec<String> = laid.families.iter().map(|family| family.name.clone()).collect();
            for cells in others.flat_map(|(_, rows)| &rows.cells) {
                if !names.contains(&cells.family) {
                    names.push(cells.family.clone());
                }
            }
            if !old.families.iter().map(|family| &family.name).eq(&names) {
                replace_families(item, &names)?;
            }
            for (index, family) in laid.families.iter().enumerate() {
                set_settings(find::table_mut(item, "family", index)?, family);
            }
            let rows = find::table_mut(item, "rows", rows_index)?;
            find::replace_value(rows, "key", items::key_parts(&new.key));
            find::replace_value(rows, "key_encoding", new.key.encoding.name());
            find::replace_value(rows, "cells", items::cells(&new.cells));
            remove_stale_plans(document, design, &old.name, &names)
        })
    }

    /// Adds a table after all others, or puts it in the place of the one of the same name.
    pub fn set_table(&mut self, table: &Table) -> Result<(), EditError> {
        let place = self.design()?.tables.iter().position(|old| old.name == table.name);
        let Some(index) = place else { return self.add_table(table) };
        self.change(|document, design| {
            if design.tables.get(index) != Some(table) {
                let old = find::table_mut(document.as_table_mut(), "table", index)?;
                let mut new = items::table(table);
                new.set_position(old.position());
                *old = new;
            }
            Ok(())
        })
    }

    fn add_table(&mut self, table: &Table) -> Result<(), EditError> {
        self.change(|document, _| {
            find::tables_mut(document.as_table_mut(), "table")?.push(items::table(table));
            Ok(())
        })
    }
}

/// Gives a family's section these settings; others that it has stay.
fn set_settings(section: &mut toml_edit::Table, family: &Family) {
    let settings = section.entry("settings").or_insert_with(|| value(InlineTable::new()));
    let Some(settings) = settings.as_table_like_mut() else { return };
    for (name, setting) in &family.settings {
        settings.insert(name, Item::Value(items::setting_value(setting)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::{Dimension, SeriesLayout, Span};
    use crate::value::ValueType;
    use crate::workload::{self, Column, Sequence, SequenceKind};

    const FILE: &str = r#"
version = 1
workload = "workload.toml"

[[table]]
name = "reading"
splits = ['k']
[[table.family]]
name = "m"
settings = { COMPRESSION = "SNAPPY" } # small
[[table.rows]]
from = "reading"
key = ["station", "at"]
cells = [{ family = "m", columns = ["bikes"] }]

[[table]]
name = "other" # stays as it is
[[table.family]]
name = "f"
[[table.rows]]
from = "other"
key = ["id"]
cells = [{ family = "f", columns = ["x"] }]
"#;

    fn laid() -> Table {
        let column = |name: &str, value_type| Column::new(name, value_type);
        let table = workload::Table {
            name: "reading".into(),
            columns: vec![
                column("station", ValueType::String),
                column("at", ValueType::Timestamp),
                column("bikes", ValueType::Int),
            ],
            time: Some(Sequence {
                column: "at".into(),
                entity: vec!["station".into()],
                kind: SequenceKind::Time,
            }),
            ..workload::Table::default()
        };
        let tall = SeriesLayout::tall(&table).unwrap();
        let day = SeriesLayout { dimension: Dimension::Version, span: Span::Of(86_400_000), ..tall };
        day.to_design(&table)
    }

    #[test]
    fn the_layout_is_replaced_and_everything_else_stays() {
        let mut file = DesignFile::parse(FILE).unwrap();
        file.set_laid("reading", &laid()).unwrap();
        let design = file.design().unwrap();
        let table = design.table("reading").unwrap();
        assert_eq!(table.rows, laid().rows);
        assert!(table.splits.is_empty());
        let settings: Vec<&str> = table.families[0].settings.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(settings, ["COMPRESSION", "VERSIONS"]);
        let text = file.to_string();
        assert!(text.contains("name = \"other\" # stays as it is"), "{text}");
        file.set_laid("reading", &laid()).unwrap();
        assert_eq!(file.to_string(), text);
    }

    #[test]
    fn a_table_that_is_not_there_is_added_and_one_of_the_same_name_replaced() {
        let mut file = DesignFile::new("workload.toml");
        file.set_laid("reading", &laid()).unwrap();
        assert_eq!(file.design().unwrap().tables, [laid()]);
        let second = Table { name: "reading_entity".into(), ..laid() };
        file.set_table(&second).unwrap();
        file.set_table(&Table { splits: vec![b"k".to_vec()], ..second }).unwrap();
        let design = file.design().unwrap();
        assert_eq!(design.tables.len(), 2);
        assert_eq!(design.tables[1].splits, [b"k".to_vec()]);
    }
}
