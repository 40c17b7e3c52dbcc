//! Reads a journal batch by batch, as fjall writes it, and says where and how it ends.
//!
//! ```text
//! batch   = start, items, end
//! start   = 01  count u32  sequence number u64
//! item    = 02  kind u8  compression u8  keyspace u64  key bytes u16  value bytes u32  stored bytes u32  key  value
//! clear   = 04  keyspace u64                                        (counts as an item)
//! end     = 03  xxh3-64 of the items  "FJL" 3
//! ```
//! Numbers are little-endian. The start is under no checksum: the number of items must be right, and sequence numbers
//! grow from batch to batch.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::tail;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
/// Where the sequence number of a batch begins, behind its tag and the number of its items.
const SEQNO_AT: usize = 1 + 4;
const SEQNO_BYTES: usize = 8;
/// What every batch ends with.
pub(crate) const TRAILER: [u8; 4] = *b"FJL\x03";
/// Bytes of an end marker.
pub(crate) const END_BYTES: usize = 1 + 8 + TRAILER.len();
/// A new journal is this large and full of zeros; it is cut to what was written when it is opened again.
pub(crate) const PREALLOCATED_BYTES: u64 = 64 << 20;
/// More writes than any store makes between two batches: a larger step between sequence numbers is damage.
const MAX_SEQUENCE_STEP: u64 = 1 << 40;

/// What a journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JournalScan {
    pub file_bytes: u64,
    /// Bytes of the whole batches from the beginning on.
    pub whole_bytes: u64,
    /// xxh3-64 of those bytes.
    pub checksum: u64,
    pub batches: u64,
    /// The highest sequence number up to the end of this journal.
    pub last_seqno: Option<u64>,
    /// Keyspaces that whole batches write to.
    pub keyspaces: BTreeSet<u64>,
    pub end: JournalEnd,
    /// Whether the expected beginning was found; `true` when none was expected.
    pub begins_as_expected: bool,
}

/// How a journal ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JournalEnd {
    /// With a whole batch; only zeros of the preallocated file may follow.
    Whole,
    /// With a batch that was being written when the process or the machine stopped.
    Torn,
    /// With pages that were not written when the machine lost power. Batches behind them may have been.
    PagesLost,
    /// With something that was written whole and cannot be read any more.
    Damaged(String),
}

/// What a journal is held against.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    /// Only the active journal may end in a torn batch.
    pub active: bool,
    /// The machine has run on since the journal was written to: no page of it was lost.
    pub same_boot: bool,
    /// The last sequence number before this journal.
    pub after_seqno: Option<u64>,
    /// So many bytes from the beginning have this checksum.
    pub beginning: Option<(u64, u64)>,
    /// Batches behind that beginning have higher sequence numbers than this.
    pub beginning_seqno: Option<u64>,
}

/// Reads a whole journal.
pub(crate) fn scan(path: &Path, expected: &Expected) -> io::Result<JournalScan> {
    let mut file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut source = Source::new(BufReader::with_capacity(256 << 10, &mut file));
    let beginning = expected.beginning.map_or(0, |(bytes, _)| bytes);
    let mut last_seqno = expected.after_seqno;
    if beginning == 0 {
        last_seqno = last_seqno.max(expected.beginning_seqno);
    }
    let mut found = JournalScan {
        file_bytes,
        whole_bytes: 0,
        checksum: source.digest.digest(),
        batches: 0,
        last_seqno: None,
        keyspaces: BTreeSet::new(),
        end: JournalEnd::Whole,
        begins_as_expected: beginning == 0,
    };
    let stop = loop {
        match source.batch(last_seqno, &mut found.keyspaces) {
            Ok(seqno) => {
                last_seqno = Some(seqno);
                found.batches += 1;
                found.whole_bytes = source.position;
                found.checksum = source.digest.digest();
                if found.whole_bytes == beginning {
                    found.begins_as_expected = expected.beginning == Some((beginning, found.checksum));
                    last_seqno = last_seqno.max(expected.beginning_seqno);
                }
            }
            Err(Stop::Io(error)) => return Err(error),
            Err(stop) => break stop,
        }
    };
    found.last_seqno = last_seqno;
    file.seek(SeekFrom::Start(found.whole_bytes))?;
    if !only_zeros(&mut file)? {
        let mut rest = Vec::new();
        file.seek(SeekFrom::Start(found.whole_bytes))?;
        file.read_to_end(&mut rest)?;
        found.end = tail::judge(&rest, &found, last_seqno, expected, &stop);
    }
    Ok(found)
}

/// Whether nothing but zeros is left of a file, as behind the last batch of a preallocated journal.
fn only_zeros(file: &mut File) -> io::Result<bool> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let mut buffer = vec![0; ZEROS.len()];
    loop {
        let bytes = file.read(&mut buffer)?;
        if bytes == 0 {
            return Ok(true);
        }
        // A comparison of slices, which is as fast as memory is.
        if buffer.get(..bytes) != ZEROS.get(..bytes) {
            return Ok(false);
        }
    }
}

/// Why a batch could not be read.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The bytes end within it.
    Incomplete,
    /// It is not a batch.
    Invalid(&'static str),
    Io(io::Error),
}

/// Bytes with a position and checksums.
pub(crate) struct Source<R> {
    reader: R,
    pub position: u64,
    /// Of everything read so far.
    digest: Xxh3,
    buffer: Vec<u8>,
}

impl<R: Read> Source<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, position: 0, digest: Xxh3::new(), buffer: Vec::new() }
    }

    /// Reads the next batch; returns its sequence number.
    pub fn batch(&mut self, after_seqno: Option<u64>, keyspaces: &mut BTreeSet<u64>) -> Result<u64, Stop> {
        let [tag] = self.array()?;
        if tag != START {
            return Err(Stop::Invalid("a batch does not begin where one should"));
        }
        let mut items = u32::from_le_bytes(self.array()?);
        let seqno = u64::from_le_bytes(self.array()?);
        if after_seqno.is_some_and(|after| seqno <= after || seqno - after > MAX_SEQUENCE_STEP) {
            return Err(Stop::Invalid("a sequence number is out of order"));
        }
        let mut checksum = Xxh3::new();
        let mut written_to = Vec::new();
        loop {
            match self.array()? {
                [END] => break,
                [tag @ (ITEM | CLEAR)] => {
                    items =
                        items.checked_sub(1).ok_or(Stop::Invalid("a batch has more items than it says"))?;
                    written_to.push(self.item(tag, &mut checksum)?);
                }
                _ => return Err(Stop::Invalid("an item is of no known kind")),
            }
        }
        if items > 0 {
            return Err(Stop::Invalid("a batch has fewer items than it says"));
        }
        if u64::from_le_bytes(self.array()?) != checksum.digest() {
            return Err(Stop::Invalid("the checksum of a batch does not match"));
        }
        if self.array()? != TRAILER {
            return Err(Stop::Invalid("a batch does not end as one should"));
        }
        keyspaces.extend(written_to);
        Ok(seqno)
    }

    /// Reads an item behind its tag; returns its keyspace.
    fn item(&mut self, tag: u8, checksum: &mut Xxh3) -> Result<u64, Stop> {
        checksum.update(&[tag]);
        if tag == CLEAR {
            let keyspace: [u8; 8] = self.array()?;
            checksum.update(&keyspace);
            return Ok(u64::from_le_bytes(keyspace));
        }
        let [kind, compression] = self.array()?;
        if !matches!((kind, compression), (0..=2, 0 | 1)) {
            return Err(Stop::Invalid("an item is of no known kind"));
        }
        let keyspace: [u8; 8] = self.array()?;
        let key_bytes: [u8; 2] = self.array()?;
        let value_bytes: [u8; 4] = self.array()?;
        let stored_bytes: [u8; 4] = self.array()?;
        for part in [&[kind, compression][..], &keyspace, &key_bytes, &value_bytes, &stored_bytes] {
            checksum.update(part);
        }
        if compression == 0 && value_bytes != stored_bytes {
            return Err(Stop::Invalid("the size of a value does not match"));
        }
        self.skip(u64::from(u16::from_le_bytes(key_bytes)), checksum)?;
        self.skip(u64::from(u32::from_le_bytes(stored_bytes)), checksum)?;
        Ok(u64::from_le_bytes(keyspace))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).map_err(stop)?;
        self.take(&bytes);
        Ok(bytes)
    }

    /// Reads so many bytes into a checksum, some at a time: a damaged length must not take as much memory.
    fn skip(&mut self, mut bytes: u64, checksum: &mut Xxh3) -> Result<(), Stop> {
        const AT_ONCE: u64 = 64 << 10;
        let mut buffer = std::mem::take(&mut self.buffer);
        while bytes > 0 {
            let now = bytes.min(AT_ONCE);
            buffer.resize(usize::try_from(now).unwrap_or_default(), 0);
            self.reader.read_exact(&mut buffer).map_err(stop)?;
            checksum.update(&buffer);
            self.take(&buffer);
            bytes -= now;
        }
        self.buffer = buffer;
        Ok(())
    }

    fn take(&mut self, bytes: &[u8]) {
        self.position += bytes.len() as u64;
        self.digest.update(bytes);
    }
}

fn stop(error: io::Error) -> Stop {
    if error.kind() == ErrorKind::UnexpectedEof { Stop::Incomplete } else { Stop::Io(error) }
}

/// The start of a batch, for the search after damage.
pub(crate) fn may_start_batch(bytes: &[u8]) -> bool {
    bytes.first() == Some(&START)
        && bytes.get(SEQNO_AT + SEQNO_BYTES).is_some_and(|tag| matches!(*tag, ITEM | CLEAR))
}

/// Whether bytes end as a batch does that was written to its end.
pub(crate) fn ends_with_end_marker(bytes: &[u8]) -> bool {
    let marker = bytes.len().checked_sub(END_BYTES).and_then(|at| bytes.get(at..));
    marker.is_some_and(|marker| marker.first() == Some(&END) && marker.ends_with(&TRAILER))
}

/// The readable batches of a journal, with what is between them left out.
///
/// A sequence number is under no checksum. One that is higher than the next batch's is wrong and replaced by the highest
/// that it can have been: else nothing behind it would count.
pub(crate) fn readable_batches(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let bytes = std::fs::read(path)?;
    let mut kept = Vec::with_capacity(bytes.len());
    let (mut at, mut last_seqno, mut gaps) = (0, None, 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| rest.iter().any(|byte| *byte != 0)) {
        let mut source = Source::new(rest);
        if let Ok(seqno) = source.batch(last_seqno, &mut BTreeSet::new()) {
            let length = usize::try_from(source.position).unwrap_or(rest.len());
            let (batch, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            let next = Source::new(behind).batch(None, &mut BTreeSet::new()).ok();
            let limit = next.filter(|next| *next <= seqno && next.checked_sub(1) > last_seqno);
            let seqno = limit.map_or(seqno, |next| next - 1);
            kept.extend_from_slice(batch.get(..SEQNO_AT).unwrap_or_default());
            kept.extend_from_slice(&seqno.to_le_bytes());
            kept.extend_from_slice(batch.get(SEQNO_AT + SEQNO_BYTES..).unwrap_or_default());
            gaps += u64::from(limit.is_some());
            at += length;
            last_seqno = Some(seqno);
            continue;
        }
        gaps += 1;
        match tail::next_batch(rest, last_seqno) {
            Some(offset) => at += offset,
            None => break,
        }
    }
    Ok((kept, gaps))
}
