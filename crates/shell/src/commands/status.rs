//! `status` and `version`: about the store and this program.

use async_trait::async_trait;

use crate::error::ShellError;
use crate::output::{Outcome, Reply, StatusDetail, StatusReport};
use crate::suggest;

use super::target::all_regions;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// `status`
pub struct StatusCommand;

const STATUS: Usage = Usage {
    name: "status",
    aliases: &[],
    group: Group::General,
    summary: "Shows the servers: in one line, with their load, or with their regions too.",
    examples: &["status", "status 'simple'", "status 'detailed'"],
    options: &[],
    arguments: (0, Some(2)),
};

const FORMATS: [(&str, StatusDetail); 3] = [
    ("summary", StatusDetail::Summary),
    ("simple", StatusDetail::Simple),
    ("detailed", StatusDetail::Detailed),
];

#[async_trait]
impl ShellCommand for StatusCommand {
    fn usage(&self) -> &'static Usage {
        &STATUS
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let format = arguments.optional().map_or_else(|| "summary".to_owned(), |format| format.to_text());
        let Some((_, detail)) = FORMATS.into_iter().find(|(name, _)| *name == format) else {
            let hint = suggest::hint(&format, FORMATS.map(|(name, _)| name));
            return Err(ShellError::Argument(format!(
                "status is 'summary', 'simple' or 'detailed', not '{format}'{hint}"
            )));
        };
        let status = context.store.status().await?;
        let regions = match detail {
            StatusDetail::Detailed => all_regions(context).await?,
            StatusDetail::Summary | StatusDetail::Simple => Vec::new(),
        };
        Ok(Outcome::Status(StatusReport { status, regions, detail }).into())
    }
}

/// `version`
pub struct VersionCommand;

const VERSION: Usage = Usage {
    name: "version",
    aliases: &[],
    group: Group::General,
    summary: "Shows the version of this program.",
    examples: &["version"],
    options: &[],
    arguments: (0, Some(0)),
};

#[async_trait]
impl ShellCommand for VersionCommand {
    fn usage(&self) -> &'static Usage {
        &VERSION
    }

    async fn run(&self, _: &Context<'_>, _: Arguments) -> Result<Reply, ShellError> {
        Ok(Outcome::Version.into())
    }
}
