//! Several calls at the same time.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// Waits for all at the same time: their answers in their order, or the first failure, with which the others are given up.
pub(super) async fn try_join_all<T, E>(
    futures: impl IntoIterator<Item = impl Future<Output = Result<T, E>>>,
) -> Result<Vec<T>, E> {
    let mut waiting: Vec<_> = futures.into_iter().map(|future| Waiting::For(Box::pin(future))).collect();
    poll_fn(|context| {
        let mut are_done = true;
        for one in &mut waiting {
            let Waiting::For(future) = one else { continue };
            match future.as_mut().poll(context) {
                Poll::Ready(Ok(answer)) => *one = Waiting::Done(answer),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => are_done = false,
            }
        }
        if are_done { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await?;
    let answer = |one| match one {
        Waiting::Done(answer) => Some(answer),
        Waiting::For(_) => None,
    };
    Ok(waiting.into_iter().filter_map(answer).collect())
}

enum Waiting<F, T> {
    For(Pin<Box<F>>),
    Done(T),
}
