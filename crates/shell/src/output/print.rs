//! Prints replies and errors in the session's format.

use std::io::{self, Write};
use std::time::Duration;

use tablesmith_store::StoreError;

use crate::error::ShellError;
use crate::output::{Reply, RowCount};
use crate::session::Format;

use super::layout::Layout;
use super::{json, text};

/// Why printing ended early.
pub(crate) enum PrintError {
    /// The output cannot be written to.
    Output(io::Error),
    /// The command failed while its answer was read; nothing says so yet.
    Command(ShellError),
    /// The command failed, and the output says so.
    Reported(ShellError),
}

impl From<io::Error> for PrintError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ShellError> for PrintError {
    fn from(error: ShellError) -> Self {
        Self::Command(error)
    }
}

impl From<StoreError> for PrintError {
    fn from(error: StoreError) -> Self {
        Self::Command(error.into())
    }
}

/// Prints in one format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    format: Format,
    layout: Layout,
}

impl Printer {
    /// For a terminal of `width` characters; 0 if it is none.
    pub fn new(format: Format, width: usize) -> Self {
        Self { format, layout: Layout::new(width) }
    }

    /// Prints what a command answered or why it failed. Returns the error it ended with.
    pub async fn print(
        &self,
        result: Result<Reply, ShellError>,
        command: Option<&str>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<Option<ShellError>> {
        let printed = match result {
            Ok(reply) => match self.format {
                Format::Text => text::reply(reply, self.layout, out).await,
                Format::Json => json::reply(reply, out).await,
            },
            Err(error) => Err(error.into()),
        };
        match printed {
            Ok(()) => Ok(None),
            Err(PrintError::Output(error)) => Err(error),
            Err(PrintError::Reported(error)) => Ok(Some(error)),
            Err(PrintError::Command(error)) => {
                match self.format {
                    Format::Text => text::error(&error, command, out)?,
                    Format::Json => json::error(&error, out)?,
                }
                Ok(Some(error))
            }
        }
    }

    /// Prints how long a command took, where people read it.
    pub fn took(&self, time: Duration, out: &mut (dyn Write + Send)) -> io::Result<()> {
        if self.format == Format::Text {
            writeln!(out, "Took {:.4} seconds", time.as_secs_f64())?;
        }
        Ok(())
    }
}

impl RowCount {
    /// Counts to the end; `progress` hears of every `interval`-th row.
    pub(super) async fn finish(
        mut self,
        mut progress: impl FnMut(u64, &[u8]) -> io::Result<()>,
    ) -> Result<u64, PrintError> {
        let mut count: u64 = 0;
        loop {
            let rows = self.scanner.next_rows().await?;
            if rows.is_empty() {
                return Ok(count);
            }
            for row in rows {
                count += 1;
                let past = u64::checked_rem(count, self.interval).ok_or_else(divided_by_zero)?;
                if past == 0 {
                    progress(count, &row.row)?;
                }
            }
        }
    }
}

/// What Ruby says of an interval of zero, when there is a row to count.
fn divided_by_zero() -> ShellError {
    ShellError::Client { exception: "ZeroDivisionError", message: "INTERVAL must not be 0".to_owned() }
}
