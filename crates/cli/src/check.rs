//! What `tablesmith check` looks at: a design with its workload, or the tables of a store.

use std::fmt::Display;
use std::path::Path;

use tablesmith_access::{Living, Steps, Writer};
use tablesmith_design::check::{Finding, LiveRegion, Subject, check};
use tablesmith_model::design::{Design, Family, Setting, Table};
use tablesmith_model::{FamilyDescriptor, TableName};
use tablesmith_store::{Store, StoreError};

use crate::arguments::Global;
use crate::failure::Failure;
use crate::{design_file, open, workload_file};

/// What is found in the design of a file, beside the workload that it names.
pub fn design(path: &Path) -> Result<Vec<Finding>, Failure> {
    let design = design_file::read(path)?;
    let workload = path.parent().unwrap_or(Path::new("")).join(&design.workload);
    let workload = workload_file::read(&workload)?;
    let design = design_file::read_for(path, &workload)?;
    // What cannot be made or read at all is no finding of a rule.
    let wrong = |error: &dyn Display| Failure::BadFile(format!("{}: {error}", path.display()));
    Writer::new(&workload, &design).map_err(|error| wrong(&error))?;
    Steps::of(&design, &Living::default(), &[]).map_err(|error| wrong(&error))?;
    Ok(check(&Subject::new(&design, Some(&workload))))
}

/// What is found in the tables of the store, or in one of them.
pub async fn living(global: &Global, only: Option<&TableName>) -> Result<Vec<Finding>, Failure> {
    let store = open::store(global).await?;
    let names = match only {
        Some(name) => vec![name.clone()],
        None => store.list_tables().await?,
    };
    let mut design = Design::default();
    let mut regions = Vec::new();
    for name in names {
        let (table, own) = look(&*store, &name).await?;
        design.tables.push(table);
        regions.extend(own);
    }
    Ok(check(&Subject::new(&design, None).with_regions(regions)))
}

/// A living table as the design that would make it, and what its regions had to do.
async fn look(store: &dyn Store, name: &TableName) -> Result<(Table, Vec<LiveRegion>), Failure> {
    let described = store.describe_table(name).await.map_err(|error| match error {
        StoreError::TableNotFound(name) => Failure::BadFile(format!(
            "the store has no table {name}: without --table all that are there are checked"
        )),
        other => Failure::Store(other),
    })?;
    let regions = store.regions(name).await?;
    let table = Table {
        name: name.to_string(),
        splits: regions.iter().skip(1).map(|region| region.start.to_vec()).collect(),
        families: described.families.iter().map(family).collect(),
        rows: Vec::new(),
    };
    let regions = regions.iter().map(|region| LiveRegion {
        table: name.to_string(),
        start: region.start.to_vec(),
        requests: region.load.reads.saturating_add(region.load.writes),
    });
    Ok((table, regions.collect()))
}

fn family(described: &FamilyDescriptor) -> Family {
    let setting = |(name, value): (&str, String)| {
        let value = value.parse().map_or(Setting::Text(value), Setting::Integer);
        (name.to_owned(), value)
    };
    Family {
        name: String::from_utf8_lossy(&described.name).into_owned(),
        settings: described.settings().into_iter().map(setting).collect(),
    }
}
