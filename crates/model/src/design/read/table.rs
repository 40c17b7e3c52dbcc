//! Reads `[[table]]` and its families.

use super::super::{Family, Setting, Table};
use super::{note_twice, required_string, rows};
use crate::bytes_text;
use crate::document::{Entry, Section};
use crate::family::{FamilyDescriptor, SettingError};
use crate::name::{TableName, check_family};
use crate::nearest;
use crate::workload::Workload;

/// All tables.
pub(super) fn tables(root: &Section<'_>, workload: Option<&Workload>) -> Vec<Table> {
    let sections = root.sections("table");
    let tables: Vec<(Table, &Section<'_>)> =
        sections.iter().filter_map(|section| Some((table(section, workload)?, section))).collect();
    note_twice(
        tables.iter().map(|(table, section)| (table.name.as_str(), section.span())),
        "the table",
        root,
    );
    tables.into_iter().map(|(table, _)| table).collect()
}

fn table(section: &Section<'_>, workload: Option<&Workload>) -> Option<Table> {
    let name = required_string(section, "name");
    if let Some(name) = &name
        && let Err(error) = name.parse::<TableName>()
        && let Some(entry) = section.entry("name")
    {
        entry.note(error.to_string(), "a name that HBase takes");
    }
    let splits = section.entry("splits").map(|entry| splits(&entry)).unwrap_or_default();
    let sections = section.sections("family");
    let families: Vec<(Family, &Section<'_>)> =
        sections.iter().filter_map(|section| Some((family(section)?, section))).collect();
    let names = families.iter().map(|(family, section)| (family.name.as_str(), section.span()));
    note_twice(names, "the family", section);
    let families: Vec<Family> = families.into_iter().map(|(family, _)| family).collect();
    if families.is_empty() {
        section.note("the table has no family", "at least one [[table.family]]");
    }
    let rows =
        section.sections("rows").iter().filter_map(|rows| rows::rows(rows, &families, workload)).collect();
    section.finish();
    Some(Table { name: name?, splits, families, rows })
}

/// Split points: rising, and none is empty, because the first region begins there.
fn splits(entry: &Entry<'_>) -> Vec<Vec<u8>> {
    let mut splits: Vec<Vec<u8>> = Vec::new();
    for element in entry.elements() {
        let Some(text) = element.string() else { continue };
        let split = bytes_text::from_text(text.as_bytes());
        if split.is_empty() {
            element.note("a split is empty", "the first key of a region");
        } else if splits.last().is_some_and(|last| *last >= split) {
            element
                .note(format!("the split '{text}' is not after the one before it"), "splits in rising order");
        }
        splits.push(split);
    }
    splits
}

fn family(section: &Section<'_>) -> Option<Family> {
    let name = required_string(section, "name");
    if let Some(name) = &name
        && let Err(error) = check_family(name.as_bytes())
        && let Some(entry) = section.entry("name")
    {
        entry.note(error.to_string(), "a name that HBase takes");
    }
    let settings = section.entry("settings").and_then(|entry| entry.section());
    let settings = settings.map(|settings| settings.entries()).unwrap_or_default();
    let settings = settings.iter().filter_map(setting).collect();
    section.finish();
    Some(Family { name: name?, settings })
}

fn setting(entry: &Entry<'_>) -> Option<(String, Setting)> {
    let found = entry.value().and_then(|value| {
        let integer = value.as_integer().map(Setting::Integer);
        let boolean = value.as_bool().map(Setting::Boolean);
        integer.or(boolean).or_else(|| value.as_str().map(|text| Setting::Text(text.to_owned())))
    });
    let Some(setting) = found else {
        entry.note(
            format!("the setting `{}` is of another kind", entry.key()),
            "a number, true, false or a string",
        );
        return None;
    };
    // A family nobody keeps tells whether the setting is one that HBase has.
    let mut family = FamilyDescriptor::new("f");
    match family.set(entry.key(), &setting.text()) {
        Ok(()) => {}
        Err(SettingError::BadValue { setting, value, expected }) => {
            entry.note(format!("{setting} does not take {value:?}"), expected);
        }
        Err(SettingError::Unknown(name)) => {
            let names = family.settings().into_iter().map(|(name, _)| name);
            entry.note_key(format!("there is no setting {name:?}"), nearest::one_of(&name, names));
        }
    }
    Some((entry.key().to_owned(), setting))
}
