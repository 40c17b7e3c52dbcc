//! Parts of a design as items of a TOML document.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table as TomlTable, Value, value};

use super::{
    Cells, CostName, Design, Family, Predicted, QueryPlan, Reason, Rows, Setting, Step, Table,
    TableStatistics,
};
use crate::bytes_text;
use crate::workload::column_fields;

/// What stands at the head of every new file.
const HEAD: &str = "\
# What was decided and why. Edit it freely: `tablesmith schema design` prints its JSON Schema, and an error points at
# its line.
";

/// A whole file.
pub(super) fn document(design: &Design) -> DocumentMut {
    let mut document = DocumentMut::new();
    document.insert("version", value(i64::try_from(design.version).unwrap_or(i64::MAX)));
    if let Some(mut version) = document.key_mut("version") {
        version.leaf_decor_mut().set_prefix(HEAD);
    }
    document.insert("workload", value(&design.workload));
    if let Some(cost) = &design.cost {
        document.insert("cost", value(cost_name(cost)));
    }
    for (key, tables) in [
        ("table", array_of_tables(design.tables.iter().map(table))),
        ("query", array_of_tables(design.queries.iter().map(query))),
        ("reason", array_of_tables(design.reasons.iter().map(reason))),
        ("statistics", array_of_tables(design.statistics.iter().map(statistics))),
    ] {
        if !tables.is_empty() {
            document.insert(key, Item::ArrayOfTables(tables));
        }
    }
    document
}

/// What was known of a table's rows.
pub(super) fn statistics(statistics: &TableStatistics) -> TomlTable {
    let mut item = spaced_table();
    item.insert("table", value(&statistics.table));
    if let Some(rows) = statistics.rows {
        item.insert("rows", value(i64::try_from(rows).unwrap_or(i64::MAX)));
    }
    if !statistics.columns.is_empty() {
        let mut columns = close_table();
        for column in &statistics.columns {
            // The writer of workloads prints what is valid TOML.
            if let Ok(fields) = format!("{{ {} }}", column_fields(column)).parse::<Value>() {
                columns.insert(&column.name, value(fields));
            }
        }
        item.insert("columns", Item::Table(columns));
    }
    item
}

/// A table with its families and rows.
pub(super) fn table(table: &Table) -> TomlTable {
    let mut item = spaced_table();
    item.insert("name", value(&table.name));
    if !table.splits.is_empty() {
        item.insert("splits", value(splits(&table.splits)));
    }
    let families = array_of_tables(table.families.iter().map(family));
    let rows = array_of_tables(table.rows.iter().map(self::rows));
    for (key, tables) in [("family", families), ("rows", rows)] {
        if !tables.is_empty() {
            item.insert(key, Item::ArrayOfTables(tables));
        }
    }
    item
}

/// Split points, as HBase prints bytes.
pub(super) fn splits(splits: &[Vec<u8>]) -> Array {
    splits.iter().map(|split| bytes_text::to_text(split)).collect()
}

/// A family.
pub(super) fn family(family: &Family) -> TomlTable {
    let mut item = close_table();
    item.insert("name", value(&family.name));
    if !family.settings.is_empty() {
        let settings = family.settings.iter().map(|(name, setting)| (name.as_str(), setting_value(setting)));
        item.insert("settings", value(settings.collect::<InlineTable>()));
    }
    item
}

pub(super) fn setting_value(setting: &Setting) -> Value {
    match setting {
        Setting::Integer(number) => (*number).into(),
        Setting::Boolean(truth) => (*truth).into(),
        Setting::Text(text) => text.into(),
    }
}

fn rows(rows: &Rows) -> TomlTable {
    let mut item = close_table();
    item.insert("from", value(&rows.from));
    if !rows.join.is_empty() {
        item.insert("join", value(strings(&rows.join)));
    }
    item.insert("key", value(key_parts(&rows.key)));
    item.insert("key_encoding", value(rows.key.encoding.name()));
    item.insert("cells", value(cells(&rows.cells)));
    item
}

/// The parts of a key.
pub(super) fn key_parts(key: &crate::key::Key) -> Array {
    key.parts.iter().map(|part| part.to_string()).collect()
}

/// The entries of `cells`, a line each.
pub(super) fn cells(entries: &[Cells]) -> Array {
    let mut array = Array::new();
    for entry in entries {
        let mut value = Value::InlineTable(cells_entry(entry));
        value.decor_mut().set_prefix("\n  ");
        array.push_formatted(value);
    }
    if !array.is_empty() {
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    array
}

fn cells_entry(cells: &Cells) -> InlineTable {
    let mut entry = InlineTable::new();
    entry.insert("family", (&cells.family).into());
    if !cells.columns.is_empty() {
        entry.insert("columns", strings(&cells.columns).into());
    }
    for (key, text) in [
        ("encoding", cells.encoding.map(|encoding| encoding.name().to_owned())),
        ("version", cells.version.clone()),
        ("qualifier", cells.qualifier.as_ref().map(ToString::to_string)),
        ("value", cells.value.clone()),
        ("pack_by", cells.pack_by.clone()),
    ] {
        if let Some(text) = text {
            entry.insert(key, text.into());
        }
    }
    if cells.together {
        entry.insert("together", true.into());
    }
    entry
}

/// How a query is answered.
pub(super) fn query(query: &QueryPlan) -> TomlTable {
    let mut item = spaced_table();
    item.insert("name", value(&query.name));
    item.insert("plan", value(query.plan.iter().map(step).collect::<Array>()));
    if let Some(predicted) = &query.predicted {
        item.insert("predicted", value(predicted_table(predicted)));
    }
    item
}

fn step(step: &Step) -> InlineTable {
    let mut entry = InlineTable::new();
    entry.insert("table", (&step.table).into());
    entry.insert("access", step.access.name().into());
    if !step.families.is_empty() {
        entry.insert("families", strings(&step.families).into());
    }
    entry
}

fn predicted_table(predicted: &Predicted) -> InlineTable {
    let operations = predicted.operations.named().filter(|(_, amount)| *amount != 0.0);
    operations.chain([("cost", predicted.cost)]).map(|(name, amount)| (name, number(amount))).collect()
}

/// A number without a fraction where it has none.
fn number(amount: f64) -> Value {
    /// Whole numbers up to here are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if amount.fract() == 0.0 && amount.abs() <= EXACT { (amount as i64).into() } else { amount.into() }
}

/// A reason.
pub(super) fn reason(reason: &Reason) -> TomlTable {
    let mut item = spaced_table();
    item.insert("at", value(&reason.at));
    item.insert("text", value(&reason.text));
    item
}

/// Which cost a design was decided by.
pub(super) fn cost_name(cost: &CostName) -> InlineTable {
    let mut table = InlineTable::new();
    table.insert("name", (&cost.name).into());
    if let Some(calibration) = &cost.calibration {
        table.insert("calibration", calibration.into());
    }
    table
}

/// Strings of an array.
pub(super) fn strings(texts: &[String]) -> Array {
    texts.iter().collect()
}

fn array_of_tables(tables: impl Iterator<Item = TomlTable>) -> ArrayOfTables {
    tables.collect()
}

/// A table with an empty line before its header.
fn spaced_table() -> TomlTable {
    table_after("\n")
}

/// A table whose header follows directly: it belongs to what stands above it.
fn close_table() -> TomlTable {
    table_after("")
}

fn table_after(prefix: &str) -> TomlTable {
    let mut table = TomlTable::new();
    table.decor_mut().set_prefix(prefix);
    table
}
