//! A table of a design as a store creates it.

use super::table::{Family, Table};
use crate::family::{FamilyDescriptor, SettingError};
use crate::name::NameError;
use crate::table::TableDescriptor;

/// Why a table of a design is none that a store takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
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

impl Table {
    /// The table as a store creates it, without its splits.
    pub fn descriptor(&self) -> Result<TableDescriptor, TableError> {
        let name =
            self.name.parse().map_err(|source| TableError::Name { table: self.name.clone(), source })?;
        if self.families.is_empty() {
            return Err(TableError::NoFamily(self.name.clone()));
        }
        let families = self.families.iter().map(|family| self.family_descriptor(family, None));
        Ok(TableDescriptor::new(name, families.collect::<Result<Vec<_>, _>>()?))
    }

    /// A family with its settings over those that it has already, else over HBase's defaults.
    pub fn family_descriptor(
        &self,
        family: &Family,
        there: Option<&FamilyDescriptor>,
    ) -> Result<FamilyDescriptor, TableError> {
        let new = || FamilyDescriptor::new(family.name.clone());
        family.over(there.cloned().unwrap_or_else(new)).map_err(|source| TableError::Setting {
            table: self.name.clone(),
            family: family.name.clone(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Setting;

    #[test]
    fn what_a_store_would_refuse_is_refused_here() {
        let refused = |table: Table| table.descriptor().unwrap_err().to_string();
        let named = |name: &str| Table { name: name.to_owned(), ..Table::default() };
        assert_eq!(refused(named("t")), "table \"t\" has no family: add a [[table.family]]");
        assert!(refused(named("a b")).starts_with("table \"a b\": "));
        let mut family = Family::new("f");
        family.settings = vec![("VERSIONS".to_owned(), Setting::Integer(0))];
        let message = refused(Table { families: vec![family], ..named("t") });
        assert!(message.starts_with("family \"f\" of \"t\": VERSIONS does not take"), "{message}");
    }
}
