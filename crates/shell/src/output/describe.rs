//! A table's description: HBase's `describe` as text, and the same as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tablesmith_model::FamilyDescriptor;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::family::TTL_FOREVER_S;

use super::TableState;
use super::layout::Layout;

/// Attributes of a table that HBase itself knows; others are metadata.
const TABLE_ATTRIBUTES: &[&str] = &[
    "COMPACTION_ENABLED",
    "DURABILITY",
    "ERASURE_CODING_POLICY",
    "FLUSH_POLICY",
    "MAX_FILESIZE",
    "MEMSTORE_FLUSHSIZE",
    "MERGE_ENABLED",
    "NORMALIZATION_ENABLED",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "OWNER",
    "PRIORITY",
    "READONLY",
    "REGION_MEMSTORE_REPLICATION",
    "REGION_REPLICATION",
    "SPLIT_ENABLED",
    "SPLIT_POLICY",
];

/// The description as HBase's shell prints it.
pub fn text(table: &TableState, layout: Layout) -> String {
    let name = &table.descriptor.name;
    let state = if table.enabled { "ENABLED" } else { "DISABLED" };
    let mut text = layout.line(&format!("Table {name} is {state}"));
    text.push_str(&layout.line(&format!("{name}{}", attributes(&table.descriptor.attributes))));
    text.push_str(&layout.line("COLUMN FAMILIES DESCRIPTION"));
    for family in &table.descriptor.families {
        text.push_str(&layout.line(&family_text(family)));
        text.push('\n');
    }
    text.push_str(&format!("{} row(s)\nQuota is disabled\n", table.descriptor.families.len()));
    text
}

/// The description as JSON.
pub fn json(table: &TableState) -> Value {
    let attributes: Map<String, Value> =
        table.descriptor.attributes.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
    json!({
        "table": table.descriptor.name.to_string(),
        "enabled": table.enabled,
        "attributes": attributes,
        "families": table.descriptor.families.iter().map(family_json).collect::<Vec<_>>(),
    })
}

fn family_json(family: &FamilyDescriptor) -> Value {
    let mut object = Map::new();
    object.insert("NAME".to_owned(), to_text(&family.name).into());
    for (setting, value) in family.settings() {
        object.insert(setting.to_owned(), plain(&value));
    }
    for (key, value) in &family.attributes {
        object.insert(key.clone(), plain(value));
    }
    Value::Object(object)
}

/// Numbers and truth values as such, the rest as text.
fn plain(text: &str) -> Value {
    match text {
        "true" => true.into(),
        "false" => false.into(),
        _ => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
    }
}

fn attributes(attributes: &BTreeMap<String, String>) -> String {
    let known = |key: &str| TABLE_ATTRIBUTES.contains(&key) || key.starts_with("coprocessor$");
    let (attributes, metadata): (Vec<_>, Vec<_>) = attributes.iter().partition(|(key, _)| known(key));
    let mut parts: Vec<String> =
        attributes.iter().map(|(key, value)| format!("{key} => '{}'", humane(key, value))).collect();
    if !metadata.is_empty() {
        parts.push(quoted_map("METADATA", &metadata));
    }
    if parts.is_empty() {
        String::new()
    } else {
        format!(", {{TABLE_ATTRIBUTES => {{{}}}}}", parts.join(", "))
    }
}

fn family_text(family: &FamilyDescriptor) -> String {
    let mut parts = vec![format!("NAME => '{}'", to_text(&family.name))];
    for (setting, value) in family.settings() {
        parts.push(format!("{setting} => '{}'", humane(setting, &value)));
    }
    // Configuration keys of HBase have dots, what people add rarely does.
    let (configuration, metadata): (Vec<_>, Vec<_>) =
        family.attributes.iter().partition(|(key, _)| key.contains('.'));
    for (title, entries) in [("METADATA", metadata), ("CONFIGURATION", configuration)] {
        if !entries.is_empty() {
            parts.push(quoted_map(title, &entries));
        }
    }
    format!("{{{}}}", parts.join(", "))
}

fn quoted_map(title: &str, entries: &[(&String, &String)]) -> String {
    let entries: Vec<_> = entries.iter().map(|(key, value)| format!("'{key}' => '{value}'")).collect();
    format!("{title} => {{{}}}", entries.join(", "))
}

/// Sizes and times also in units that people count in.
fn humane(key: &str, value: &str) -> String {
    match (key, value.parse::<u64>()) {
        ("BLOCKSIZE" | "MAX_FILESIZE" | "MEMSTORE_FLUSHSIZE", Ok(bytes)) => size_text(bytes),
        ("TTL", Ok(seconds)) => ttl_text(seconds),
        _ => value.to_owned(),
    }
}

fn size_text(bytes: u64) -> String {
    const UNITS: [(u64, &str); 5] =
        [(1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"), (1, "B")];
    if bytes < 1 << 10 {
        return format!("{bytes} B");
    }
    format!("{bytes} B ({})", in_units(bytes, &UNITS, |count, unit| format!("{count}{unit}")))
}

fn ttl_text(seconds: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, " DAY"), (3_600, " HOUR"), (60, " MINUTE"), (1, " SECOND")];
    let counted = |count: u64, unit: &str| format!("{count}{unit}{}", if count == 1 { "" } else { "S" });
    match i64::try_from(seconds) {
        Ok(TTL_FOREVER_S) => "FOREVER".to_owned(),
        Ok(..60) => counted(seconds, " SECOND"),
        _ => format!("{seconds} SECONDS ({})", in_units(seconds, &UNITS, counted)),
    }
}

fn in_units(mut amount: u64, units: &[(u64, &str)], text: impl Fn(u64, &str) -> String) -> String {
    let mut parts = Vec::new();
    for &(size, unit) in units {
        if amount >= size {
            parts.push(text(amount / size, unit));
            amount %= size;
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::TableDescriptor;

    #[test]
    fn sizes_and_times_are_humane() {
        assert_eq!(size_text(65_536), "65536 B (64KB)");
        assert_eq!(size_text(10_763_632_640), "10763632640 B (10GB 25MB)");
        assert_eq!(size_text(100), "100 B");
        assert_eq!(ttl_text(86_400), "86400 SECONDS (1 DAY)");
        assert_eq!(ttl_text(93_784), "93784 SECONDS (1 DAY 2 HOURS 3 MINUTES 4 SECONDS)");
        assert_eq!((ttl_text(59), ttl_text(1)), ("59 SECONDS".to_owned(), "1 SECOND".to_owned()));
        assert_eq!(ttl_text(2_147_483_647), "FOREVER");
    }

    #[test]
    fn a_table_describes_itself() {
        let mut family = FamilyDescriptor::new("f");
        family.attributes.insert("hbase.x".into(), "1".into());
        let mut descriptor = TableDescriptor::new("t".parse().unwrap(), [family]);
        descriptor.attributes.insert("MAX_FILESIZE".into(), "134217728".into());
        descriptor.attributes.insert("mine".into(), "yes".into());
        let state = TableState { descriptor, enabled: true };
        let text = text(&state, Layout::new(0));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "Table t is ENABLED");
        assert_eq!(
            lines[1],
            "t, {TABLE_ATTRIBUTES => {MAX_FILESIZE => '134217728 B (128MB)', METADATA => {'mine' => 'yes'}}}"
        );
        assert!(
            lines[3].starts_with("{NAME => 'f', VERSIONS => '1', KEEP_DELETED_CELLS => 'FALSE'"),
            "{}",
            lines[3]
        );
        assert!(
            lines[3].ends_with("BLOCKSIZE => '65536 B (64KB)', CONFIGURATION => {'hbase.x' => '1'}}"),
            "{}",
            lines[3]
        );
        assert_eq!(json(&state)["families"][0]["VERSIONS"], 1);
        assert_eq!(json(&state)["attributes"]["mine"], "yes");
    }
}
