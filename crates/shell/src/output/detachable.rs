//! An output whose reader may leave, as `head` does: commands are run all the same.

use std::io::{self, Write};

/// Passes on what is written until the reader has gone, and drops it from then on. A flush then says
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe), so that an answer that is printed page by page ends at its first page; no
/// other call does, so that an answer, or why a command failed, is always printed as far as it matters.
pub(crate) struct DetachableOutput<'a> {
    out: &'a mut (dyn Write + Send),
    detached: bool,
}

impl<'a> DetachableOutput<'a> {
    /// Before this output; `detached` when its reader is known to have gone.
    pub fn new(out: &'a mut (dyn Write + Send), detached: bool) -> Self {
        Self { out, detached }
    }

    /// Whether an error only says that the reader has gone.
    pub fn is_gone(&self, error: &io::Error) -> bool {
        self.detached && error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Without a reader, what would be done: nothing.
    fn unless_detached<T>(
        &mut self,
        nothing: T,
        call: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.detached {
            return Ok(nothing);
        }
        match call(self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.detached = true;
                Ok(nothing)
            }
            other => other,
        }
    }
}

impl Write for DetachableOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_detached(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_detached((), |out| out.flush())?;
        if self.detached { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}
