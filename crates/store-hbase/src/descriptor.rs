//! A table's description as HBase keeps it: names and values of attributes, all of them text as a rule.
//!
//! The settings that the model knows are attributes under the same names. What it does not know stays an attribute, so
//! that reading a description and writing it back loses nothing.

use bytes::Bytes;
use hbase::{FamilySchema, TableSchema};
use tablesmith_model::{FamilyDescriptor, TableDescriptor};

/// What HBase adds to every table and family by itself, where it says no more than the servers' default.
const ADDED_TO_TABLES: &[(&str, &str)] =
    &[("IS_META", "false"), ("hbase.store.file-tracker.impl", "DEFAULT")];
const ADDED_TO_FAMILIES: &[(&str, &str)] = &[("INDEX_BLOCK_ENCODING", "NONE")];

/// The description for HBase.
pub(crate) fn to_schema(table: &TableDescriptor) -> TableSchema {
    let mut schema = TableSchema::new(table.name.clone());
    schema.families = table.families.iter().map(family_to_schema).collect();
    for (name, value) in &table.attributes {
        schema.attributes.insert(name.clone().into(), value.clone().into());
    }
    schema
}

fn family_to_schema(family: &FamilyDescriptor) -> FamilySchema {
    let mut schema = FamilySchema::new(family.name.clone());
    for (name, value) in &family.attributes {
        schema.attributes.insert(name.clone().into(), value.clone().into());
    }
    for (name, value) in family.settings() {
        let value = if name == "TTL" { family.ttl_s.to_string() } else { value };
        schema.attributes.insert(name.into(), value.into());
    }
    schema
}

/// The description that HBase has.
pub(crate) fn from_schema(schema: &TableSchema) -> TableDescriptor {
    let families = schema.families.iter().map(family_from_schema);
    let mut table = TableDescriptor::new(schema.name.clone(), families);
    for (name, value) in all_entries(&schema.attributes, &schema.configuration) {
        if !is_added(ADDED_TO_TABLES, &name, &value) {
            table.attributes.insert(name, value);
        }
    }
    table
}

fn family_from_schema(schema: &FamilySchema) -> FamilyDescriptor {
    let mut family = FamilyDescriptor::new(schema.name.clone());
    for (name, value) in all_entries(&schema.attributes, &schema.configuration) {
        let is_setting = family.set(&name, &value).is_ok();
        if !is_setting && !is_added(ADDED_TO_FAMILIES, &name, &value) {
            family.attributes.insert(name, value);
        }
    }
    family
}

/// What a description that is to replace another one takes over from it, where they say the same: entries of the
/// configuration stay there, bytes that are no text stay as they are, and so does what HBase added.
pub(crate) fn keep_places(new: &mut TableSchema, old: &TableSchema) {
    keep_entries((&mut new.attributes, &mut new.configuration), (&old.attributes, &old.configuration));
    keep_added(ADDED_TO_TABLES, &mut new.attributes, &old.attributes);
    for family in &mut new.families {
        if let Some(old) = old.get_family(&family.name) {
            let places = (&mut family.attributes, &mut family.configuration);
            keep_entries(places, (&old.attributes, &old.configuration));
            keep_added(ADDED_TO_FAMILIES, &mut family.attributes, &old.attributes);
        }
    }
}

type Attributes = std::collections::BTreeMap<Bytes, Bytes>;
type Configuration = std::collections::BTreeMap<String, String>;

fn keep_entries(new: (&mut Attributes, &mut Configuration), old: (&Attributes, &Configuration)) {
    for name in old.1.keys().filter(|name| !old.0.contains_key(name.as_bytes())) {
        if let Some(value) = new.0.remove(name.as_bytes()) {
            new.1.insert(name.clone(), text(&value));
        }
    }
    for (name, value) in old.0 {
        let as_text = Bytes::from(text(name));
        let same = new.0.get(&as_text).is_some_and(|new| *new == text(value).as_bytes());
        if same {
            new.0.remove(&as_text);
            new.0.insert(name.clone(), value.clone());
        }
    }
}

fn keep_added(added: &'static [(&str, &str)], new: &mut Attributes, old: &Attributes) {
    for (name, value) in added {
        if old.get(name.as_bytes()).is_some_and(|old| old == value) {
            new.entry(Bytes::from_static(name.as_bytes())).or_insert(Bytes::from_static(value.as_bytes()));
        }
    }
}

/// Attributes and configuration together; an attribute counts more than an entry of the same name.
fn all_entries(attributes: &Attributes, configuration: &Configuration) -> Configuration {
    let mut entries = configuration.clone();
    entries.extend(attributes.iter().map(|(name, value)| (text(name), text(value))));
    entries
}

fn is_added(added: &[(&str, &str)], name: &str, value: &str) -> bool {
    added.contains(&(name, value))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_to_live_are_told_in_seconds() {
        let mut family = FamilyDescriptor::new("f");
        assert_eq!(family_to_schema(&family).get("TTL"), Some("2147483647"));
        family.ttl_s = 60;
        assert_eq!(family_to_schema(&family).get("TTL"), Some("60"));
        assert_eq!(family_from_schema(&family_to_schema(&family)), family);
    }

    #[test]
    fn what_is_not_known_stays_an_attribute() {
        let mut schema = FamilySchema::new("f").attribute("MOB_THRESHOLD", "102400").attribute("TTL", "soon");
        schema.configuration.insert("key".to_owned(), "value".to_owned());
        let family = family_from_schema(&schema);
        let attributes: Vec<_> =
            family.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(attributes, ["MOB_THRESHOLD=102400", "TTL=soon", "key=value"]);
    }

    #[test]
    fn what_hbase_added_is_not_shown_and_not_lost() {
        let mut old = TableSchema::new("t".parse().unwrap());
        for (name, value) in ADDED_TO_TABLES {
            old = old.attribute(*name, *value);
        }
        let table = from_schema(&old);
        assert!(table.attributes.is_empty());
        let mut new = to_schema(&table);
        keep_places(&mut new, &old);
        assert_eq!(new, old);
    }
}
