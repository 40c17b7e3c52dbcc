//! Work on the regions that a scan touches, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tablesmith_store::{Scan, StoreError};

use crate::region::Region;
use crate::scan::narrow;
use crate::table::TableState;

/// What each region that a scan touches answered, in key order, or the first failure in that order.
pub(crate) fn in_regions<T: Send>(
    state: &TableState,
    scan: &Scan,
    work: impl Fn(&Region) -> Result<T, StoreError> + Sync,
) -> Result<Vec<T>, StoreError> {
    let regions: Vec<&Region> = state
        .regions
        .iter()
        .map(|region| &**region)
        .filter(|region| narrow(region, scan).is_some())
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(regions.len());
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(regions.len()));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(region) = regions.get(at) else { break };
            let answer = work(region);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, answer));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| {
            scope.spawn(run);
        });
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}
