//! Looks a whole store over.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lsm_tree::{AbstractTree, Guard, SeqNo, SequenceNumberCounter};
use tablesmith_store::StoreError;

use super::Damage;
use super::journal::{Expected, JournalEnd, JournalScan, scan};
use super::keyspace::{Depth, check, is_initialized};
use super::layout::{Layout, NAMES_KEYSPACE, VERSION, cannot_read, table_files};
use crate::backup::Backup;
use crate::checkpoint::{Checkpoint, JournalMark, State};
use crate::meta::META_KEYSPACE;

/// What the storage below writes to its file `version`.
pub(crate) const VERSION_CONTENT: [u8; 4] = *b"FJL\x03";

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    pub damage: Vec<Damage>,
    pub journals: Vec<Journal>,
    pub keyspaces: Vec<(u64, PathBuf)>,
    /// What the storage below calls its keyspaces; `None` when that cannot be read.
    pub names: Option<BTreeMap<u64, String>>,
    /// Keyspaces with data that the storage below does not know and would remove.
    pub unnamed: Vec<PathBuf>,
    /// The store was closed, and is as it was then.
    pub closed: bool,
}

/// A journal and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    pub number: u64,
    pub path: PathBuf,
    pub scan: JournalScan,
}

impl Inspection {
    /// The journals up to their last whole batches.
    pub fn marks(&self) -> Vec<JournalMark> {
        self.journals.iter().map(|journal| JournalMark::new(journal.number, &journal.scan)).collect()
    }

    /// The active journal, when a crash left something behind its whole batches.
    pub fn torn_journal(&self) -> Option<&Journal> {
        let is_torn = |end: &JournalEnd| matches!(end, JournalEnd::Torn | JournalEnd::PagesLost);
        self.journals.last().filter(|journal| is_torn(&journal.scan.end))
    }
}

/// Looks at every file of a store. `Err`: the operating system does not let us look, or a file does not belong there.
pub(crate) fn inspect(dir: &Path, depth: Depth) -> Result<Inspection, StoreError> {
    let layout = Layout::read(dir)?;
    let mut found = Inspection { keyspaces: layout.keyspaces.clone(), ..Inspection::default() };
    let checkpoint = match Checkpoint::read(dir)? {
        Ok(checkpoint) => checkpoint,
        Err(damage) => {
            found.damage.push(damage);
            None
        }
    };
    inspect_journals(&layout, checkpoint.as_ref(), dir, &mut found)?;
    let holds_batches = found.journals.iter().any(|journal| journal.scan.batches > 0);
    check_version(dir, &layout, holds_batches, &mut found)?;
    inspect_keyspaces(dir, &layout, holds_batches, depth, &mut found)?;
    name_tables(dir, &mut found);
    Ok(found)
}

fn check_version(
    dir: &Path,
    layout: &Layout,
    holds_batches: bool,
    found: &mut Inspection,
) -> Result<(), StoreError> {
    let path = dir.join(VERSION);
    if !layout.has_version {
        if holds_batches || !layout.keyspaces.is_empty() {
            found.damage.push(Damage::new(&path, "the file is missing"));
        }
        return Ok(());
    }
    let bytes = fs::read(&path).map_err(|error| cannot_read(&path, &error))?;
    if bytes != VERSION_CONTENT {
        let problem = "the file does not name version 3 of the storage engine: it is damaged, or another program wrote it";
        found.damage.push(Damage::new(&path, problem));
    }
    Ok(())
}

fn inspect_journals(
    layout: &Layout,
    checkpoint: Option<&Checkpoint>,
    dir: &Path,
    found: &mut Inspection,
) -> Result<(), StoreError> {
    let marks: BTreeMap<u64, &JournalMark> = checkpoint
        .iter()
        .flat_map(|checkpoint| &checkpoint.journals)
        .map(|mark| (mark.number, mark))
        .collect();
    let was_closed = checkpoint.is_some_and(|checkpoint| checkpoint.state == State::Closed);
    let last = layout.journals.last().map(|(number, _)| *number);
    let mut seqno = None;
    for (number, path) in &layout.journals {
        let mark = marks.get(number);
        let expected = Expected {
            active: Some(*number) == last && !was_closed,
            same_boot: checkpoint.is_some_and(Checkpoint::is_of_this_boot),
            after_seqno: seqno,
            beginning: mark.and_then(|mark| mark.beginning()),
            beginning_seqno: checkpoint.map(|checkpoint| checkpoint.seqno),
        };
        let scan = scan(path, &expected).map_err(|error| cannot_read(path, &error))?;
        if let Some(problem) = problem_of(&scan, mark.copied(), was_closed) {
            found.damage.push(Damage::new(path, problem));
        }
        seqno = scan.last_seqno;
        found.journals.push(Journal { number: *number, path: path.clone(), scan });
    }
    found.damage.extend(missing_journals(layout, &marks, was_closed, dir));
    found.closed = was_closed && found.damage.is_empty();
    Ok(())
}

fn problem_of(scan: &JournalScan, mark: Option<&JournalMark>, was_closed: bool) -> Option<String> {
    if let JournalEnd::Damaged(problem) = &scan.end {
        return Some(problem.clone());
    }
    let Some(mark) = mark else {
        return was_closed.then(|| "the journal was not there when the store was closed".to_owned());
    };
    if scan.whole_bytes < mark.bytes {
        return Some(format!("the journal ends at byte {}, not at byte {}", scan.whole_bytes, mark.bytes));
    }
    if !scan.begins_as_expected {
        return Some(format!("the first {} bytes are not what was written", mark.bytes));
    }
    (was_closed && scan.whole_bytes > mark.bytes)
        .then(|| format!("the journal goes on behind byte {}, where it ended", mark.bytes))
}

/// Journals that should be there: those of a store that was closed; else those between others, and the last one.
fn missing_journals(
    layout: &Layout,
    marks: &BTreeMap<u64, &JournalMark>,
    was_closed: bool,
    dir: &Path,
) -> Vec<Damage> {
    let existing: BTreeSet<u64> = layout.journals.iter().map(|(number, _)| *number).collect();
    let mut wanted: BTreeSet<u64> =
        if was_closed { marks.keys().copied().collect() } else { BTreeSet::new() };
    wanted.extend(marks.keys().last().filter(|last| existing.last().is_none_or(|newest| newest < *last)));
    if let (Some(first), Some(last)) = (existing.first(), existing.last()) {
        // Few: each but the last is tens of megabytes.
        wanted.extend((*first..*last).take(1_000));
    } else if layout.has_version && wanted.is_empty() {
        wanted.insert(0);
    }
    let path = |number: &u64| dir.join(format!("{number}.jnl"));
    wanted.difference(&existing).map(|number| Damage::new(&path(number), "the journal is missing")).collect()
}

fn inspect_keyspaces(
    dir: &Path,
    layout: &Layout,
    holds_batches: bool,
    depth: Depth,
    found: &mut Inspection,
) -> Result<(), StoreError> {
    let names_dir =
        layout.keyspaces.iter().find(|(id, _)| *id == NAMES_KEYSPACE).map(|(_, path)| path.clone());
    let holds_data = holds_batches || layout.keyspaces.iter().any(|(id, _)| *id != NAMES_KEYSPACE);
    match names_dir {
        Some(names_dir) if holds_data || is_initialized(&names_dir) => {
            let damage = check(NAMES_KEYSPACE, &names_dir, Depth::Full)?;
            if damage.is_empty() {
                found.names = names(&names_dir)?;
                if found.names.is_none() {
                    found.damage.push(Damage::of_keyspace(NAMES_KEYSPACE, &names_dir, "cannot be read"));
                }
            }
            found.damage.extend(damage);
        }
        None if holds_data => {
            let path = dir.join(super::layout::KEYSPACES).join(NAMES_KEYSPACE.to_string());
            found.damage.push(Damage::of_keyspace(NAMES_KEYSPACE, &path, "the directory is missing"));
        }
        // A store whose creation was cut off.
        _ => {}
    }
    let written_to: BTreeSet<u64> =
        found.journals.iter().flat_map(|journal| &journal.scan.keyspaces).copied().collect();
    for (id, path) in layout.keyspaces.iter().filter(|(id, _)| *id != NAMES_KEYSPACE) {
        // Without the names every keyspace may be one that is used.
        let is_named = found.names.as_ref().is_none_or(|names| names.contains_key(id));
        if is_named {
            let name = found.names.as_ref().and_then(|names| names.get(id));
            // The records are small, and everything depends on them.
            let is_records = name.is_none_or(|name| name == META_KEYSPACE);
            found.damage.extend(check(*id, path, if is_records { Depth::Full } else { depth })?);
        } else if written_to.contains(id) || !table_files(path)?.is_empty() {
            found.unnamed.push(path.clone());
        }
    }
    let existing: BTreeSet<u64> = layout.keyspaces.iter().map(|(id, _)| *id).collect();
    // A power loss can leave the name of a keyspace that was being created without its directory. Nothing is in it: a
    // record that named it would be a table that cannot be read.
    let missing = found.names.iter().flatten().filter(|(id, _)| !existing.contains(id));
    for (id, name) in missing.filter(|(id, name)| *name == META_KEYSPACE || written_to.contains(id)) {
        let path = dir.join(super::layout::KEYSPACES).join(id.to_string());
        let problem = format!("the directory of keyspace {name} is missing");
        found.damage.push(Damage::of_keyspace(*id, &path, problem));
    }
    Ok(())
}

/// What the storage below calls its keyspaces: keys `n` and the id, big-endian, in keyspace 0. It is read from a copy:
/// opening a tree removes files that its manifest does not name. `None` when it cannot be read.
fn names(names_dir: &Path) -> Result<Option<BTreeMap<u64, String>>, StoreError> {
    let no_copy = |error: std::io::Error| {
        StoreError::Io(format!(
            "cannot use the temporary directory {}: {error}",
            std::env::temp_dir().display()
        ))
    };
    let copy = tempfile::tempdir().map_err(no_copy)?;
    let tree_dir = copy.path().join("names");
    crate::shadow::copy_tree(names_dir, &tree_dir).map_err(no_copy)?;
    Ok(read_names(&tree_dir))
}

fn read_names(tree_dir: &Path) -> Option<BTreeMap<u64, String>> {
    let counter = SequenceNumberCounter::default;
    let tree = lsm_tree::Config::new(tree_dir, counter(), counter()).open().ok()?;
    let mut names = BTreeMap::new();
    for guard in tree.prefix("n", SeqNo::MAX, None) {
        let (key, value) = guard.into_inner().ok()?;
        let id = u64::from_be_bytes(key.get(1..)?.try_into().ok()?);
        names.insert(id, std::str::from_utf8(&value).ok()?.to_owned());
    }
    Some(names)
}

/// Says which tables a damage may concern, as far as the second copy of the records tells.
fn name_tables(dir: &Path, found: &mut Inspection) {
    if found.damage.is_empty() {
        return;
    }
    let Some(backup) = Backup::read(dir) else { return };
    for damage in &mut found.damage {
        let Some(id) = damage.keyspace else { continue };
        let name =
            found.names.as_ref().and_then(|names| names.get(&id)).or_else(|| backup.keyspaces.get(&id));
        damage.tables = name.map(|name| backup.tables_of_keyspace(name)).unwrap_or_default();
    }
}
