//! `flush`, `compact`, `major_compact`: from memory to files, and fewer of them.

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_store::{FlushScope, StoreError};

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::{Outcome, Reply};

use super::target::Target;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// One of the three commands.
pub struct MaintenanceCommand(Work);

/// `flush`
pub const FLUSH: MaintenanceCommand = MaintenanceCommand(Work::Flush);
/// `compact`
pub const COMPACT: MaintenanceCommand = MaintenanceCommand(Work::Compact);
/// `major_compact`
pub const MAJOR_COMPACT: MaintenanceCommand = MaintenanceCommand(Work::MajorCompact);

#[derive(Clone, Copy)]
enum Work {
    Flush,
    Compact,
    MajorCompact,
}

const FLUSH_USAGE: Usage = Usage {
    name: "flush",
    aliases: &[],
    group: Group::Tools,
    summary: "Writes what is in memory to files, of a table, a region or a server's regions, all families or one.",
    examples: &["flush 't1'", "flush 't1', 'f'", "flush 'ENCODED_REGION_NAME'", "flush 'SERVER_NAME'"],
    options: &[],
    arguments: (1, Some(2)),
};

const COMPACT_USAGE: Usage = Usage {
    name: "compact",
    aliases: &[],
    group: Group::Tools,
    summary: "Merges files of a table or region, as far as the store finds it worthwhile, all families or one.",
    examples: &["compact 't1'", "compact 't1', 'f'", "compact 'ENCODED_REGION_NAME'"],
    options: &[],
    arguments: (1, Some(3)),
};

const MAJOR_COMPACT_USAGE: Usage = Usage {
    name: "major_compact",
    aliases: &[],
    group: Group::Tools,
    summary: "Merges all files of a table or region into one and removes what is deleted, all families or one.",
    examples: &["major_compact 't1'", "major_compact 't1', 'f'", "major_compact 'ENCODED_REGION_NAME'"],
    options: &[],
    arguments: (1, Some(3)),
};

impl Work {
    async fn run(self, context: &Context<'_>, scope: FlushScope) -> Result<(), StoreError> {
        match self {
            Self::Flush => context.store.flush(scope).await,
            Self::Compact => context.store.compact(scope).await,
            Self::MajorCompact => context.store.major_compact(scope).await,
        }
    }
}

#[async_trait]
impl ShellCommand for MaintenanceCommand {
    fn usage(&self) -> &'static Usage {
        match self.0 {
            Work::Flush => &FLUSH_USAGE,
            Work::Compact => &COMPACT_USAGE,
            Work::MajorCompact => &MAJOR_COMPACT_USAGE,
        }
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = arguments.take();
        let family = arguments.optional().map(|family| convert::bytes(&family, "the family")).transpose()?;
        check_type(&mut arguments)?;
        for scope in scopes(Target::find(context, &name).await?, family) {
            self.0.run(context, scope).await?;
        }
        Ok(Outcome::Done.into())
    }
}

fn scopes(target: Target, family: Option<Bytes>) -> Vec<FlushScope> {
    match target {
        Target::Table(table) => vec![FlushScope::Table(table, family)],
        Target::Region(region) => vec![FlushScope::Region(region, family)],
        Target::Server(regions) => {
            regions.into_iter().map(|region| FlushScope::Region(region, family.clone())).collect()
        }
    }
}

fn check_type(arguments: &mut Arguments) -> Result<(), ShellError> {
    match arguments.optional().map(|kind| kind.to_text()).as_deref() {
        None | Some("NORMAL") => Ok(()),
        Some("MOB") => Err(ShellError::unsupported("there are no MOB files here: leave the type out")),
        Some(_) => Err(ShellError::Argument("only NORMAL or MOB accepted for type!".to_owned())),
    }
}
