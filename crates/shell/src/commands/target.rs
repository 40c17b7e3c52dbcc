//! What a name means where HBase takes a table, a region or a server.

use tablesmith_model::TableName;
use tablesmith_store::RegionInfo;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::language::Value;

use super::Context;

/// What a name names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A table.
    Table(TableName),
    /// A region, by its name or encoded name.
    Region(String),
    /// The regions of a server.
    Server(Vec<String>),
}

impl Target {
    /// Finds out what a name names. A table of that name comes first; region names have commas or are 32 hexadecimal
    /// digits.
    pub async fn find(context: &Context<'_>, name: &Value) -> Result<Self, ShellError> {
        let name = convert::text(name, "the name of a table or region")?;
        if let Ok(table) = name.parse::<TableName>() {
            let encoded = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !encoded || context.store.table_exists(&table).await? {
                return Ok(Self::Table(table));
            }
        } else if !name.contains(',') {
            // No region has such a name either: say what is wrong with it as a table's.
            return Ok(Self::Table(name.parse()?));
        } else {
            let regions = all_regions(context).await?;
            let of_server: Vec<_> = regions.iter().filter(|region| region.server == name).collect();
            if !of_server.is_empty() {
                return Ok(Self::Server(of_server.iter().map(|region| region.encoded_name()).collect()));
            }
        }
        Ok(Self::Region(name))
    }
}

/// The regions of all tables.
pub async fn all_regions(context: &Context<'_>) -> Result<Vec<RegionInfo>, ShellError> {
    let mut regions = Vec::new();
    for table in context.store.list_tables().await? {
        regions.extend(context.store.regions(&table).await?);
    }
    Ok(regions)
}
