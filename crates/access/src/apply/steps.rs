//! Decides what has to be done so that a store has the tables of a design: a pure function.
//!
//! What the design does not say stays as it is. Data is never lost by a step, unless the family is named: without that, a
//! family that the design does not have stays, and so do a longer TTL and more versions.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use tablesmith_model::bytes_text::to_text;
use tablesmith_model::design::{self, Design, TableError};
use tablesmith_model::name::NameError;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::sanity;

use super::{Living, LivingTable};

/// What has to be done, in order, and what is left as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// What has to be done.
    pub steps: Vec<Step>,
    /// What is not as the design says and stays so, in sentences.
    pub stays: Vec<String>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Makes a namespace.
    CreateNamespace(String),
    /// Makes a table.
    CreateTable {
        /// The table.
        descriptor: TableDescriptor,
        /// Where it is cut.
        splits: Vec<Vec<u8>>,
    },
    /// Changes a table's families.
    AlterTable {
        /// The table as it will be.
        descriptor: TableDescriptor,
        /// What changes, in words.
        changes: Vec<String>,
    },
    /// Cuts a region.
    Split {
        /// The table.
        table: TableName,
        /// Where.
        at: Vec<u8>,
    },
}

/// A family of a table, as `table:family`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FamilyName {
    /// The table.
    pub table: TableName,
    /// The family.
    pub family: String,
}

/// Why a design cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// A table that no store takes.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Settings that no store takes.
    #[error("table {table}: {reason}")]
    Settings {
        /// The table.
        table: TableName,
        /// What is wrong.
        reason: String,
    },
    /// Something is named to be lost that would not be.
    #[error("nothing of {0} would be lost: it is no family that the design removes or shortens")]
    NothingToLose(FamilyName),
}

impl Steps {
    /// What has to be done so that a store that has `living` has the tables of the design. Of the families in `lose` data may
    /// go: they are removed if the design does not have them, and may keep fewer versions or keep them for a shorter time.
    pub fn of(design: &Design, living: &Living, lose: &[FamilyName]) -> Result<Self, ApplyError> {
        let mut steps = Self::default();
        let mut losses = BTreeSet::new();
        let mut made: BTreeSet<String> = living.namespaces.clone();
        for table in &design.tables {
            let descriptor = table.descriptor()?;
            let name = &descriptor.name;
            sanity::check_names_and_versions(&descriptor)
                .and_then(|()| sanity::check_settings(&descriptor))
                .map_err(|error| ApplyError::Settings { table: name.clone(), reason: error.to_string() })?;
            if made.insert(name.namespace().to_owned()) {
                steps.steps.push(Step::CreateNamespace(name.namespace().to_owned()));
            }
            match living.tables.get(name) {
                None => steps.steps.push(Step::CreateTable { descriptor, splits: table.splits.clone() }),
                Some(there) => steps.alter(table, there, lose, &mut losses)?,
            }
        }
        match lose.iter().find(|family| !losses.contains(*family)) {
            Some(family) => Err(ApplyError::NothingToLose(family.clone())),
            None => Ok(steps),
        }
    }

    fn alter(
        &mut self,
        table: &design::Table,
        there: &LivingTable,
        lose: &[FamilyName],
        losses: &mut BTreeSet<FamilyName>,
    ) -> Result<(), ApplyError> {
        let name = &there.descriptor.name;
        let family_name = |family: &str| FamilyName { table: name.clone(), family: family.to_owned() };
        let mut descriptor = there.descriptor.clone();
        let mut changes = Vec::new();
        for family in &table.families {
            let Some(old) = there.descriptor.family(family.name.as_bytes()) else {
                descriptor.put_family(table.family_descriptor(family, None)?);
                changes.push(format!("the family {} is added", family.name));
                continue;
            };
            let mut new = table.family_descriptor(family, Some(old))?;
            let named = family_name(&family.name);
            if let Some(lost) = lost(old, &new) {
                losses.insert(named.clone());
                if !lose.contains(&named) {
                    self.stays.push(format!("{named}: {lost} would go; to let it go: --lose {named}"));
                    keep_data(old, &mut new);
                }
            }
            changes.extend(differences(old, &new));
            descriptor.put_family(new);
        }
        for old in &there.descriptor.families {
            let family = to_text(&old.name);
            if table.families.iter().any(|family| family.name.as_bytes() == old.name) {
                continue;
            }
            let named = family_name(&family);
            losses.insert(named.clone());
            if lose.contains(&named) {
                descriptor.families.retain(|kept| kept.name != old.name);
                changes.push(format!("the family {family} is removed with all its data"));
            } else {
                self.stays.push(format!(
                    "{named} is not in the design; to remove it with its data: --lose {named}"
                ));
            }
        }
        if !changes.is_empty() {
            self.steps.push(Step::AlterTable { descriptor, changes });
        }
        self.split(table, there);
        Ok(())
    }

    fn split(&mut self, table: &design::Table, there: &LivingTable) {
        let name = &there.descriptor.name;
        for at in table.splits.iter().filter(|split| !there.splits.contains(split)) {
            self.steps.push(Step::Split { table: name.clone(), at: at.clone() });
        }
        let more = there.splits.iter().filter(|split| !table.splits.contains(split)).count();
        if more > 0 && !table.splits.is_empty() {
            self.stays.push(format!("{name} has {more} more regions than the design's split points make"));
        }
    }
}

/// What of a design's data the tables of a store would not keep, in sentences: families that are not there, fewer versions or a
/// shorter TTL than the design says. Rows that are written would go without a word.
pub fn falls_short(design: &Design, living: &Living) -> Result<Vec<String>, ApplyError> {
    let mut short = Vec::new();
    for table in &design.tables {
        let name = table.descriptor()?.name;
        let Some(there) = living.tables.get(&name) else { continue };
        for family in &table.families {
            match there.descriptor.family(family.name.as_bytes()) {
                None => short.push(format!("{name} has no family {}", family.name)),
                Some(has) => {
                    let lost = lost(&table.family_descriptor(family, Some(has))?, has);
                    short.extend(lost.map(|lost| format!("{name}:{} does not keep {lost}", family.name)));
                }
            }
        }
    }
    Ok(short)
}

/// What of a family's data would go by a change.
fn lost(old: &FamilyDescriptor, new: &FamilyDescriptor) -> Option<&'static str> {
    if new.ttl_s < old.ttl_s {
        Some("what is older than the shorter TTL")
    } else if new.versions < old.versions || new.min_versions < old.min_versions {
        Some("all but the newest versions")
    } else {
        None
    }
}

fn keep_data(old: &FamilyDescriptor, new: &mut FamilyDescriptor) {
    new.ttl_s = new.ttl_s.max(old.ttl_s);
    new.versions = new.versions.max(old.versions);
    new.min_versions = new.min_versions.max(old.min_versions);
}

fn differences(old: &FamilyDescriptor, new: &FamilyDescriptor) -> Vec<String> {
    let settings = old.settings().into_iter().zip(new.settings());
    let changed = settings.filter(|((_, before), (_, after))| before != after);
    changed
        .map(|((setting, before), (_, after))| {
            format!("{setting} of {} goes from {before} to {after}", to_text(&old.name))
        })
        .collect()
}

impl fmt::Display for FamilyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.table, self.family)
    }
}

impl FromStr for FamilyName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').filter(|(table, family)| !table.is_empty() && !family.is_empty());
        let (table, family) = parts.ok_or("expected TABLE:FAMILY")?;
        let table = table.parse().map_err(|error: NameError| error.to_string())?;
        Ok(Self { table, family: family.to_owned() })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CreateNamespace(namespace) => write!(f, "make the namespace {namespace}"),
            Self::CreateTable { descriptor, splits } => {
                let families: Vec<String> =
                    descriptor.families.iter().map(|family| to_text(&family.name)).collect();
                let regions = splits.len() + 1;
                let s = if regions == 1 { "" } else { "s" };
                write!(
                    f,
                    "make the table {} ({}) with {regions} region{s}",
                    descriptor.name,
                    families.join(", ")
                )
            }
            Self::AlterTable { descriptor, changes } => {
                write!(f, "change the table {}: {}", descriptor.name, changes.join("; "))
            }
            Self::Split { table, at } => write!(f, "split the table {table} at '{}'", to_text(at)),
        }
    }
}

#[cfg(test)]
mod tests;
