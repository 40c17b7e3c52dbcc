//! Reads `[[table]]` sections.

use crate::document::{Entry, Section};
use crate::duration_text;
use crate::nearest::one_of;
use crate::value::ValueType;

use super::super::{Family, Reference, Sequence, SequenceKind, Table};
use super::names::{self, Names};
use super::{column, text};

/// The tables. References are looked up at the end: they may point to a table that comes later.
pub fn read_all(sections: Vec<Section<'_>>) -> Vec<Table> {
    let mut names = Names::of("[[table]]");
    let mut tables: Vec<Table> = sections.iter().map(|section| read(section, &mut names)).collect();
    for (index, section) in sections.iter().enumerate() {
        let Some(entries) = section.entry("references").and_then(|entry| entry.section()) else { continue };
        let references =
            entries.entries().iter().filter_map(|entry| reference(entry, index, &tables)).collect();
        if let Some(table) = tables.get_mut(index) {
            table.references = references;
        }
    }
    sections.iter().for_each(Section::finish);
    tables
}

fn read(section: &Section<'_>, names: &mut Names) -> Table {
    let mut table = Table::default();
    if let Some(entry) = section.required("name", "the table's name") {
        table.name = text(&entry).unwrap_or_default();
        names.give(&table.name, &entry);
    }
    table.called = section.entry("called").and_then(|entry| text(&entry));
    table.data = section.entry("data").and_then(|entry| text(&entry));
    table.rows = section.entry("rows").and_then(|entry| entry.unsigned());
    let key = section.entry("key");
    table.retention = section.entry("retention").and_then(|entry| retention(&entry));
    let columns = section.required("columns", "a section [table.columns] with the table's columns");
    let columns = columns.and_then(|entry| entry.section());
    table.columns = columns.map(|columns| column::read_all(&columns)).unwrap_or_default();
    table.key = key.map(|key| names::columns(&key, &table)).unwrap_or_default();
    table.time = section.entry("time").and_then(|entry| sequence(&entry.section()?, &table));
    let families = section.entry("families").and_then(|entry| entry.section());
    table.families = families.map(|families| self::families(&families, &table)).unwrap_or_default();
    table
}

fn retention(entry: &Entry<'_>) -> Option<std::time::Duration> {
    let text = entry.string()?;
    let duration = duration_text::parse(text);
    if duration.is_none() {
        entry.note(format!("`{text}` is no length of time"), duration_text::EXPECTED);
    }
    duration
}

/// `column = "table.column"`.
fn reference(entry: &Entry<'_>, from: usize, tables: &[Table]) -> Option<Reference> {
    let table = tables.get(from)?;
    names::expect_column(entry, entry.key(), table);
    let text = entry.string()?;
    let Some((target_table, target)) = text.split_once('.') else {
        entry.note(format!("`{text}` names no column of another table"), "\"table.column\"");
        return None;
    };
    if let Some(target_table) = names::table(entry, target_table, tables) {
        names::expect_column(entry, target, target_table);
    }
    Some(Reference {
        column: entry.key().to_owned(),
        table: target_table.to_owned(),
        target: target.to_owned(),
    })
}

fn sequence(section: &Section<'_>, table: &Table) -> Option<Sequence> {
    let column = section.required("column", "the column that orders the rows");
    let column = column.and_then(|entry| {
        let name = names::column(&entry, table)?;
        // A type that could not be read is told where it stands.
        let of = table.column(&name).filter(|_| !section.reader().has_problems());
        if let Some(of) = of.filter(|column| !orders(column.value_type)) {
            entry.note(
                format!("`{name}` of type {} does not order rows", of.value_type),
                "a timestamp, a date or an int",
            );
        }
        Some(name)
    });
    let entity = section.required("entity", "the columns that say whose the rows are");
    let entity = entity.map(|entry| {
        let columns = names::columns(&entry, table);
        if entry.elements().is_empty() {
            entry.note("`entity` names no column".to_owned(), "the columns that say whose the rows are");
        }
        if let Some(name) = column.as_ref().filter(|name| columns.contains(name)) {
            entry.note(format!("`{name}` is the time of the rows already"), "other columns");
        }
        columns
    });
    let entity = entity.unwrap_or_default();
    let kind = section.entry("kind").and_then(|entry| {
        let name = entry.string()?;
        let kind = SequenceKind::from_name(name);
        if kind.is_none() {
            entry.note(
                format!("`{name}` is no kind of sequence"),
                one_of(name, SequenceKind::ALL.map(SequenceKind::name)),
            );
        }
        kind
    });
    section.finish();
    Some(Sequence { column: column?, entity, kind: kind.unwrap_or_default() })
}

/// Whether rows follow each other by values of a type.
fn orders(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Timestamp | ValueType::Date | ValueType::Int)
}

/// The present schema. Every column outside the key must have a place in it, once the key itself is right.
fn families(section: &Section<'_>, table: &Table) -> Vec<Family> {
    let family =
        |entry: &Entry<'_>| Family { name: entry.key().to_owned(), columns: names::columns(entry, table) };
    let families: Vec<Family> = section.entries().iter().map(family).collect();
    let homeless =
        |name: &&str| !families.iter().any(|family| family.columns.iter().any(|column| column == name));
    let outside_key = table.columns.iter().map(|column| column.name.as_str());
    let outside_key = outside_key.filter(|name| !table.key.iter().any(|key| key == name));
    let missing: Vec<&str> = outside_key.filter(homeless).collect();
    let key_is_known = table.key.iter().all(|key| table.column(key).is_some());
    if !missing.is_empty() && key_is_known {
        let message =
            format!("no family of table `{}` has the column `{}`", table.name, missing.join("`, `"));
        section.note(message, "every column that is not in the key in a family");
    }
    families
}
