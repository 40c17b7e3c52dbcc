//! Closes the store: the next process finds little to replay, and knows that it finds everything.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fjall::{Keyspace, PersistMode};
use tablesmith_store::StoreError;

use crate::Inner;
use crate::backup::Backup;
use crate::checkpoint::{Checkpoint, JournalMark, State};
use crate::error::{from_fjall, from_io_at};
use crate::integrity::journal::{Expected, JournalEnd, scan};
use crate::integrity::layout::Layout;
use crate::journal_keeper;
use crate::open::table_record;

/// A journal up to this size is replayed in about a tenth of a second. A larger one is emptied: its cells go to files.
const MAX_JOURNAL_BYTES: u64 = 4 << 20;
/// After a flush that somebody asked for, a journal of more than this is emptied.
const MAX_FLUSHED_JOURNAL_BYTES: u64 = 64 << 10;
/// Memory that is not written to a file within this time stays in the journal: nothing is lost.
const WRITE_OUT_WAIT: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// The only journal that is left.
struct JournalFile {
    number: u64,
    path: PathBuf,
    whole_bytes: u64,
    mark: JournalMark,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.gate.is_open() {
            // Whatever fails here has lost nothing: the store is then as one whose process was killed.
            let _ = self.close();
        }
    }
}

impl Inner {
    fn close(&mut self) -> Result<(), StoreError> {
        self.journal_keeper.stop();
        if self.meta.is_changed() {
            self.write_backup().map_err(|error| from_io_at(&self.options.dir, &error))?;
        }
        self.note_sizes()?;
        self.db.persist(PersistMode::SyncAll).map_err(from_fjall)?;
        let clock = self.clock.close();
        clock.and_then(|()| self.checkpoint()).map_err(|error| from_io_at(&self.options.dir, &error))
    }

    /// The records take note of how large the regions that were written to have become. Nothing depends on it.
    fn note_sizes(&self) -> Result<(), StoreError> {
        let Ok(catalog) = self.catalog.read() else { return Ok(()) };
        for table in catalog.tables.values() {
            let state = table.state();
            if state.regions.iter().any(|region| region.load.writes.load(Ordering::Relaxed) > 0) {
                let record = table_record(table.id, &state);
                self.meta.put_table(&state.descriptor.name, &record, PersistMode::Buffer)?;
            }
        }
        Ok(())
    }

    /// Writes the second copy of the table records. After an administrative command: a process that is killed later
    /// leaves one. An older copy is better than one without the tables whose records cannot be read.
    pub(crate) fn write_backup(&self) -> io::Result<()> {
        // Whoever comes last has seen the latest records.
        let _one_at_a_time = self.backing_up.lock().unwrap_or_else(PoisonError::into_inner);
        let mut backup = Backup::default();
        {
            let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
            if !catalog.unreadable.is_empty() {
                return Ok(());
            }
            for (name, table) in &catalog.tables {
                backup.tables.insert(name.to_string(), table_record(table.id, &table.state()));
            }
        }
        for keyspace in journal_keeper::keyspaces(&self.meta, &self.catalog) {
            backup.keyspaces.insert(keyspace.id(), keyspace.name().to_string());
        }
        backup.write(&self.options.dir)
    }

    fn keyspaces(&self) -> Vec<Keyspace> {
        let names = self.db.list_keyspace_names();
        let open = |name: &str| self.db.keyspace(name, fjall::KeyspaceCreateOptions::default).ok();
        names.iter().filter_map(|name| open(name.as_ref())).collect()
    }

    /// Empties the journal if it has grown, and writes down what it holds.
    fn checkpoint(&self) -> io::Result<()> {
        let dir = &self.options.dir;
        let mut journal = self.only_journal()?;
        if journal.as_ref().is_none_or(|journal| journal.whole_bytes > self.journal_limit()) {
            // The storage below may begin another journal meanwhile, and removes those that are not needed any more.
            if !self.write_out_everything()? {
                return Ok(());
            }
            let Some(JournalFile { number, path, .. }) = self.only_journal()? else { return Ok(()) };
            let mark = JournalMark::empty(number);
            // A process that is killed between these steps leaves a journal that holds nothing new, or is empty.
            Checkpoint::new(State::Open, 0, vec![mark.clone()]).write(dir)?;
            journal = Some(JournalFile { number, path, whole_bytes: 0, mark });
        }
        let Some(journal) = journal else { return Ok(()) };
        // Nobody writes to it any more; zeros behind the last batch are left from its creation.
        let file = fs::OpenOptions::new().write(true).open(&journal.path)?;
        file.set_len(journal.whole_bytes)?;
        file.sync_all()?;
        Checkpoint::new(State::Closed, 0, vec![journal.mark]).write(dir)
    }

    fn journal_limit(&self) -> u64 {
        match self.is_flushed.load(Ordering::Relaxed) {
            true => MAX_FLUSHED_JOURNAL_BYTES,
            false => MAX_JOURNAL_BYTES,
        }
    }

    /// The journal, unless there are several.
    fn only_journal(&self) -> io::Result<Option<JournalFile>> {
        let layout = Layout::read(&self.options.dir).map_err(io::Error::other)?;
        let [(number, path)] = layout.journals.as_slice() else { return Ok(None) };
        let found = scan(path, &Expected { active: true, ..Expected::default() })?;
        if found.end != JournalEnd::Whole {
            return Err(io::Error::other("the journal does not end with a whole batch"));
        }
        let mark = JournalMark::new(*number, &found);
        Ok(Some(JournalFile { number: *number, path: path.clone(), whole_bytes: found.whole_bytes, mark }))
    }

    /// Has the storage below write everything to files that it has in memory; `false` when that takes too long.
    fn write_out_everything(&self) -> io::Result<bool> {
        let keyspaces = self.keyspaces();
        for keyspace in &keyspaces {
            keyspace.rotate_memtable().map_err(io::Error::other)?;
        }
        let begun = Instant::now();
        let is_busy = || {
            self.db.outstanding_flushes() > 0
                || self.db.journal_count() > 1
                || keyspaces.iter().any(|keyspace| keyspace.sealed_memtable_count() > 0)
        };
        while is_busy() {
            // Fails when the disk did, in the background.
            self.db.persist(PersistMode::Buffer).map_err(io::Error::other)?;
            if begun.elapsed() > WRITE_OUT_WAIT {
                return Ok(false);
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        Ok(true)
    }
}
