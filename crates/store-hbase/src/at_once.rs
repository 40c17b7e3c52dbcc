//! Work on many regions at the same time.

use std::sync::Arc;

use tablesmith_store::StoreError;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Regions under way at the same time. Each holds a few portions of a scan in memory.
const REGIONS_AT_ONCE: usize = 16;

/// The answers in the order of the work, or the first failure.
pub(crate) async fn all_at_once<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = Result<T, StoreError>> + Send + 'static>,
) -> Result<Vec<T>, StoreError> {
    let turns = Arc::new(Semaphore::new(REGIONS_AT_ONCE));
    let mut running = JoinSet::new();
    for (place, one) in work.into_iter().enumerate() {
        let turns = Arc::clone(&turns);
        running.spawn(async move {
            // Nobody closes it, so that a turn always comes.
            let _turn = turns.acquire().await;
            (place, one.await)
        });
    }
    let mut answers = Vec::with_capacity(running.len());
    while let Some(answered) = running.join_next().await {
        let (place, answer) =
            answered.map_err(|error| StoreError::Io(format!("a region's answer was lost: {error}")))?;
        answers.push((place, answer?));
    }
    answers.sort_by_key(|(place, _)| *place);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}
