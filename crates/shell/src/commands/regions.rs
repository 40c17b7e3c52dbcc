//! Regions: cut, merged, moved, listed, found.

use async_trait::async_trait;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::StoreError;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, RegionColumn, RegionList, Reply};
use crate::suggest;

use super::target::Target;
use super::{Arguments, Context, Group, ShellCommand, Usage, splits};

/// `split`
pub struct SplitCommand;

const SPLIT: Usage = Usage {
    name: "split",
    aliases: &[],
    group: Group::Tools,
    summary: "Cuts the regions of a table, or one region, in two: in the middle of its data, or at a key.",
    examples: &["split 't1'", "split 't1', 'key'", "split 'ENCODED_REGION_NAME', '\\x80'"],
    options: &[],
    arguments: (1, Some(2)),
};

#[async_trait]
impl ShellCommand for SplitCommand {
    fn usage(&self) -> &'static Usage {
        &SPLIT
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = arguments.take();
        let at = splits::optional_key(arguments.optional())?;
        match Target::find(context, &name).await? {
            Target::Table(table) => context.store.split_table(&table, at).await?,
            Target::Region(region) => context.store.split_region(&region, at).await?,
            Target::Server(_) => return Err(StoreError::UnknownRegion(name.to_text()).into()),
        }
        Ok(Outcome::Done.into())
    }
}

/// `merge_region`
pub struct MergeRegionCommand;

const MERGE_REGION: Usage = Usage {
    name: "merge_region",
    aliases: &[],
    group: Group::Tools,
    summary: "Makes one region of two or more, which must be neighbours unless the last argument is true.",
    examples: &[
        "merge_region 'ENCODED_NAME', 'ENCODED_NAME'",
        "merge_region ['ENCODED_NAME', 'ENCODED_NAME'], true",
    ],
    options: &[],
    arguments: (1, None),
};

#[async_trait]
impl ShellCommand for MergeRegionCommand {
    fn usage(&self) -> &'static Usage {
        &MERGE_REGION
    }

    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError> {
        let mut regions = arguments.flat_rest();
        let mut force = false;
        if regions.len() > 2
            && let Some(Value::Bool(last)) = regions.last()
        {
            force = *last;
            regions.pop();
        }
        if regions.len() < 2 {
            return Err(ShellError::Argument("Must pass at least 2 regions to merge".to_owned()));
        }
        let names = regions
            .iter()
            .map(|region| convert::name(region, "a region's name"))
            .collect::<Result<Vec<_>, _>>()?;
        context.store.merge_regions(&names, force).await?;
        Ok(Outcome::Done.into())
    }
}

/// `move`
pub struct MoveCommand;

const MOVE: Usage = Usage {
    name: "move",
    aliases: &[],
    group: Group::Tools,
    summary: "Gives a region to a server, or to any other one.",
    examples: &["move 'ENCODED_REGION_NAME'", "move 'ENCODED_REGION_NAME', 'SERVER_NAME'"],
    options: &[],
    arguments: (1, Some(2)),
};

#[async_trait]
impl ShellCommand for MoveCommand {
    fn usage(&self) -> &'static Usage {
        &MOVE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let region = convert::text(&arguments.take(), "the region's name")?;
        let server = arguments.optional().map(|server| convert::text(&server, "the server")).transpose()?;
        context.store.move_region(&region, server.as_deref()).await?;
        Ok(Outcome::Done.into())
    }
}

/// `list_regions`
pub struct ListRegionsCommand;

const LIST_REGIONS: Usage = Usage {
    name: "list_regions",
    aliases: &[],
    group: Group::Ddl,
    summary: "Shows the regions of a table: all, or those on servers whose name begins so; all columns, or some.",
    examples: &[
        "list_regions 't1'",
        "list_regions 't1', 'server1'",
        "list_regions 't1', {SERVER_NAME => 'server1'}, ['START_KEY', 'END_KEY', 'REQ']",
    ],
    options: &["LOCALITY_THRESHOLD", "SERVER_NAME"],
    arguments: (1, Some(3)),
};

#[async_trait]
impl ShellCommand for ListRegionsCommand {
    fn usage(&self) -> &'static Usage {
        &LIST_REGIONS
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let mut options = match arguments.take() {
            Value::Nil => Options::default(),
            Value::Hash(pairs) => Options::new(pairs),
            server => Options::new(vec![(Value::text("SERVER_NAME"), server)]),
        };
        let columns = region_columns(arguments.optional())?;
        let server = options.text("SERVER_NAME")?.unwrap_or_default();
        check_locality(options.take("LOCALITY_THRESHOLD"))?;
        if !context.store.is_enabled(&table).await? {
            return Err(StoreError::TableNotEnabled(table).into());
        }
        let mut regions = context.store.regions(&table).await?;
        regions.retain(|region| region.server.starts_with(&server));
        let notes = options.ignored(LIST_REGIONS.name, LIST_REGIONS.options);
        Ok(Reply { notes, outcome: Outcome::Regions(RegionList { regions, columns }) })
    }
}

fn region_columns(wanted: Option<Value>) -> Result<Vec<RegionColumn>, ShellError> {
    let Some(wanted) = wanted else { return Ok(RegionColumn::ALL.to_vec()) };
    let known = || RegionColumn::ALL.iter().map(|column| column.name());
    convert::array(wanted, "the columns")?
        .iter()
        .map(|name| {
            let name = name.to_text();
            let column =
                RegionColumn::ALL.into_iter().find(|column| column.name().eq_ignore_ascii_case(&name));
            column.ok_or_else(|| {
                let (all, hint) = (known().collect::<Vec<_>>().join(", "), suggest::hint(&name, known()));
                ShellError::Argument(format!("'{name}' is no column, there are {all}{hint}"))
            })
        })
        .collect()
}

/// No store knows how local its data is; the value must make sense all the same.
fn check_locality(threshold: Option<Value>) -> Result<(), ShellError> {
    match threshold {
        None => Ok(()),
        Some(Value::Float(value)) if (0.0..=1.0).contains(&value) => Ok(()),
        Some(_) => Err(ShellError::Argument("LOCALITY_THRESHOLD is a number from 0.0 to 1.0".to_owned())),
    }
}

/// `get_splits`
pub struct GetSplitsCommand;

const GET_SPLITS: Usage = Usage {
    name: "get_splits",
    aliases: &[],
    group: Group::Dml,
    summary: "Shows the keys at which a table is cut into regions.",
    examples: &["get_splits 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for GetSplitsCommand {
    fn usage(&self) -> &'static Usage {
        &GET_SPLITS
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let regions = match context.store.regions(&convert::table(&arguments.take())?).await {
            // HBase looks for regions, not for the table: of a table that is not there it finds none.
            Err(StoreError::TableNotFound(_)) => Vec::new(),
            regions => regions?,
        };
        let keys = regions.into_iter().map(|region| region.start).filter(|start| !start.is_empty());
        Ok(Outcome::Splits(keys.collect()).into())
    }
}

/// `locate_region`
pub struct LocateRegionCommand;

const LOCATE_REGION: Usage = Usage {
    name: "locate_region",
    aliases: &[],
    group: Group::Ddl,
    summary: "Shows which region of a table, and which server, a row belongs to.",
    examples: &["locate_region 't1', 'row1'"],
    options: &[],
    arguments: (2, Some(2)),
};

#[async_trait]
impl ShellCommand for LocateRegionCommand {
    fn usage(&self) -> &'static Usage {
        &LOCATE_REGION
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = splits::key(&convert::bytes(&arguments.take(), "the row")?);
        let regions = context.store.regions(&table).await?;
        let found = regions.into_iter().find(|region| region.contains(&row));
        let region = found
            .ok_or_else(|| StoreError::UnknownRegion(format!("of {table} with row {}", to_text(&row))))?;
        Ok(Outcome::Location(Box::new(region)).into())
    }
}
