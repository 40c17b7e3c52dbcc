//! What follows the last whole batch of a journal: nothing, a torn batch, or damage.
//!
//! A process that is killed leaves the first bytes of the batch it was writing, and nothing behind them but the zeros of
//! a preallocated file. A machine that loses power may also leave pages that were never written, full of zeros, in the
//! middle of what was not synced; as long as it runs on, it does not. Everything else is damage: above all a batch that
//! has its end, or has others behind it.

use super::journal::{
    Expected, JournalEnd, JournalScan, PREALLOCATED_BYTES, Source, Stop, ends_with_end_marker,
    may_start_batch,
};

/// What a file system hands out at once: unwritten parts of a file are as large and begin at a multiple of it.
const PAGE_BYTES: u64 = 4_096;

/// Judges the bytes after the whole batches of a journal.
pub(crate) fn judge(
    rest: &[u8],
    scan: &JournalScan,
    last_seqno: Option<u64>,
    expected: &Expected,
    stop: &Stop,
) -> JournalEnd {
    let used = without_trailing_zeros(rest);
    if used.is_empty() {
        return JournalEnd::Whole;
    }
    let problem = match stop {
        Stop::Invalid(problem) => *problem,
        Stop::Incomplete | Stop::Io(_) => "a batch is cut off",
    };
    if !expected.active {
        return JournalEnd::Damaged(format!("{problem}, at byte {} of a sealed journal", scan.whole_bytes));
    }
    let may_lack_pages = !expected.same_boot && scan.file_bytes >= PREALLOCATED_BYTES;
    if may_lack_pages && has_unwritten_page(used, scan.whole_bytes) {
        return JournalEnd::PagesLost;
    }
    if let Some(offset) = next_batch(used, last_seqno) {
        let at = scan.whole_bytes + offset as u64;
        return JournalEnd::Damaged(format!(
            "{problem}, at byte {}; readable batches follow from byte {at} on",
            scan.whole_bytes
        ));
    }
    let is_prefix = matches!(
        Source::new(used).batch(last_seqno, &mut std::collections::BTreeSet::new()),
        Err(Stop::Incomplete)
    );
    if is_prefix && !ends_with_end_marker(used) {
        return JournalEnd::Torn;
    }
    JournalEnd::Damaged(format!("{problem}, at byte {}", scan.whole_bytes))
}

/// The next place where a whole batch can be read, behind the first byte.
pub(crate) fn next_batch(bytes: &[u8], last_seqno: Option<u64>) -> Option<usize> {
    let is_batch = |at: &usize| {
        bytes.get(*at..).is_some_and(|rest| {
            may_start_batch(rest)
                && Source::new(rest).batch(last_seqno, &mut std::collections::BTreeSet::new()).is_ok()
        })
    };
    (1..bytes.len()).find(is_batch)
}

fn without_trailing_zeros(bytes: &[u8]) -> &[u8] {
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes.get(..used).unwrap_or_default()
}

/// Whether a whole page of the file, by its place in it, has nothing but zeros.
fn has_unwritten_page(used: &[u8], begins_at: u64) -> bool {
    let to_boundary = begins_at.next_multiple_of(PAGE_BYTES) - begins_at;
    let pages = used.get(usize::try_from(to_boundary).unwrap_or(usize::MAX)..).unwrap_or_default();
    pages.chunks_exact(PAGE_BYTES as usize).any(|page| page.iter().all(|byte| *byte == 0))
}
