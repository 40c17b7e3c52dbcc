//! A table: its name, its families, its attributes.

use std::collections::BTreeMap;

use crate::{Durability, FamilyDescriptor, TableName};

/// A table as `create` makes it and `describe` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDescriptor {
    /// The name, with its namespace.
    pub name: TableName,
    /// The families, sorted by name.
    pub families: Vec<FamilyDescriptor>,
    /// Table attributes under their HBase names (`MAX_FILESIZE`, `READONLY`, `DURABILITY`, `MEMSTORE_FLUSHSIZE`,
    /// `SPLIT_ENABLED`, …) and what people add in `METADATA` and `CONFIGURATION`.
    pub attributes: BTreeMap<String, String>,
}

impl TableDescriptor {
    /// A table of these families, which are brought into order; of two with one name the last counts.
    pub fn new(name: TableName, families: impl IntoIterator<Item = FamilyDescriptor>) -> Self {
        let mut table = Self { name, families: Vec::new(), attributes: BTreeMap::new() };
        families.into_iter().for_each(|family| table.put_family(family));
        table
    }

    /// The family of this name.
    pub fn family(&self, name: &[u8]) -> Option<&FamilyDescriptor> {
        self.families.iter().find(|family| family.name == name)
    }

    /// Adds a family, or replaces the one of the same name.
    pub fn put_family(&mut self, family: FamilyDescriptor) {
        match self.families.binary_search_by(|have| have.name.cmp(&family.name)) {
            Ok(at) => {
                if let Some(place) = self.families.get_mut(at) {
                    *place = family;
                }
            }
            Err(at) => self.families.insert(at, family),
        }
    }

    /// An attribute that is a number.
    pub fn number_attribute(&self, name: &str) -> Option<i64> {
        self.attributes.get(name).and_then(|value| value.trim().parse().ok())
    }

    /// An attribute that is true or false.
    pub fn flag_attribute(&self, name: &str, default: bool) -> bool {
        self.attributes.get(name).map_or(default, |value| value.eq_ignore_ascii_case("true"))
    }

    /// The durability of writes that do not choose one.
    pub fn durability(&self) -> Durability {
        match self.attributes.get("DURABILITY").and_then(|name| Durability::from_name(name)) {
            None | Some(Durability::UseDefault) => Durability::SyncWal,
            Some(durability) => durability,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_stay_sorted() {
        let mut table = TableDescriptor::new(
            "t".parse().unwrap(),
            [FamilyDescriptor::new("g"), FamilyDescriptor::new("a")],
        );
        table.put_family(FamilyDescriptor::new("c"));
        table.put_family(FamilyDescriptor::new("g").with_versions(7));
        let names: Vec<_> =
            table.families.iter().map(|family| (family.name.clone(), family.versions)).collect();
        assert_eq!(names, [("a".into(), 1), ("c".into(), 1), ("g".into(), 7)]);
    }

    #[test]
    fn durability_defaults_to_sync() {
        let mut table = TableDescriptor::new("t".parse().unwrap(), []);
        assert_eq!(table.durability(), Durability::SyncWal);
        table.attributes.insert("DURABILITY".into(), "skip_wal".into());
        assert_eq!(table.durability(), Durability::SkipWal);
    }
}
