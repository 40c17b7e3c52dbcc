//! Reads `[[table.rows]]`: where rows come from, their key and their cells.

use super::super::{Cells, Family, Qualifier, Rows};
use super::fields::Fields;
use super::{named, required_string, string};
use crate::document::{Entry, Section};
use crate::key::{Key, Part};
use crate::nearest;
use crate::value::{CellEncoding, KeyEncoding};
use crate::workload::Workload;

/// One kind of rows.
pub(super) fn rows(section: &Section<'_>, families: &[Family], workload: Option<&Workload>) -> Option<Rows> {
    let from = required_string(section, "from");
    let join_entries = section.entry("join").map(|join| join.elements()).unwrap_or_default();
    let join: Vec<String> = join_entries.iter().filter_map(Entry::string).map(str::to_owned).collect();
    let fields = match (workload, &from, section.entry("from")) {
        (Some(workload), Some(from), Some(entry)) => Fields::of(workload, from, &entry, &join_entries),
        _ => None,
    };
    let key = key(section, fields.as_ref());
    let cells =
        section.required("cells", "an array of cells").map(|entry| entry.sections()).unwrap_or_default();
    let cells = cells.iter().filter_map(|entry| cells_entry(entry, families, fields.as_ref())).collect();
    section.finish();
    Some(Rows { from: from?, join, key, cells })
}

fn key(section: &Section<'_>, fields: Option<&Fields<'_>>) -> Key {
    let encoding = section
        .entry("key_encoding")
        .and_then(|entry| named(&entry, KeyEncoding::from_name, &KeyEncoding::ALL.map(KeyEncoding::name)));
    let entry = section.required("key", "an array of key parts");
    let elements = entry.as_ref().map(Entry::elements).unwrap_or_default();
    let parts: Vec<Part> = elements.iter().filter_map(|element| part(element, fields)).collect();
    if let Some(entry) = entry.filter(|entry| elements.is_empty() && is_array(entry)) {
        entry.note("the key has no parts", "at least one key part");
    }
    Key { parts, encoding: encoding.unwrap_or_default() }
}

fn is_array(entry: &Entry<'_>) -> bool {
    entry.value().is_some_and(|value| value.is_array())
}

fn part(element: &Entry<'_>, fields: Option<&Fields<'_>>) -> Option<Part> {
    let text = element.string()?;
    match text.parse::<Part>() {
        Ok(part) => {
            if let Some(fields) = fields {
                fields.check_part(&part, element);
            }
            Some(part)
        }
        Err(error) => {
            element.note_inside(
                error.offset,
                format!("in the key part `{text}`: {}", error.message),
                error.expected,
            );
            None
        }
    }
}

fn cells_entry(section: &Section<'_>, families: &[Family], fields: Option<&Fields<'_>>) -> Option<Cells> {
    let family = required_string(section, "family");
    if let (Some(family), Some(entry)) = (&family, section.entry("family"))
        && !families.iter().any(|known| known.name == *family)
    {
        let names = families.iter().map(|family| family.name.as_str());
        entry.note(format!("the table has no family {family:?}"), nearest::one_of(family, names));
    }
    let columns = section.entry("columns");
    let encoding = section.entry("encoding");
    let cells = Cells {
        family: family.clone().unwrap_or_default(),
        columns: columns.as_ref().map(Entry::strings).unwrap_or_default(),
        encoding: encoding.as_ref().and_then(|entry| {
            named(entry, CellEncoding::from_name, &CellEncoding::ALL.map(CellEncoding::name))
        }),
        version: string(section, "version"),
        qualifier: section.entry("qualifier").and_then(|entry| qualifier(&entry)),
        value: string(section, "value"),
        pack_by: string(section, "pack_by"),
        together: section.entry("together").and_then(|entry| entry.boolean()).unwrap_or(false),
    };
    if columns.is_none() && cells.value.is_none() && cells.qualifier.is_none() {
        section.note("the cells have no columns", "`columns`, or `qualifier` and `value`");
    }
    if let Some(fields) = fields {
        fields.check_cells(section, &cells);
    }
    section.finish();
    family.map(|_| cells)
}

fn qualifier(entry: &Entry<'_>) -> Option<Qualifier> {
    let text = entry.string()?;
    match Qualifier::parse(text) {
        Ok(qualifier) => Some(qualifier),
        Err(error) => {
            let message = format!("in the qualifier `{text}`: {}", error.message);
            entry.note_inside(error.offset, message, error.expected);
            None
        }
    }
}
