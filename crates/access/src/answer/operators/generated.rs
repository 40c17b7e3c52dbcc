//! Rows that a future sends while it is waited for: a stream out of a loop that borrows from its own variables.

use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::{Row, Rows};
use crate::answer::error::AnswerError;

/// Where the future sends portions.
pub type Out = Sender<Vec<Row>>;

/// What is waited for.
type Work<'g> = Pin<Box<dyn Future<Output = Result<(), AnswerError>> + Send + 'g>>;

/// The rows that a future sends. It goes on only while rows are asked for, and is dropped where it is.
pub struct Generated<'g> {
    work: Option<Work<'g>>,
    portions: Receiver<Vec<Row>>,
    /// How the work ended; told when all that it sent is handed out.
    end: Result<(), AnswerError>,
}

impl<'g> Generated<'g> {
    /// The rows of a future. Empty portions are not to be sent.
    pub fn new<F>(work: impl FnOnce(Out) -> F) -> Self
    where
        F: Future<Output = Result<(), AnswerError>> + Send + 'g,
    {
        let (out, portions) = channel(1);
        Self { work: Some(Box::pin(work(out))), portions, end: Ok(()) }
    }
}

#[async_trait]
impl Rows for Generated<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        loop {
            let Some(work) = &mut self.work else {
                return match self.portions.recv().await {
                    Some(portion) => Ok(portion),
                    None => std::mem::replace(&mut self.end, Ok(())).map(|()| Vec::new()),
                };
            };
            tokio::select! {
                biased;
                Some(portion) = self.portions.recv() => return Ok(portion),
                done = work => {
                    self.work = None;
                    self.end = done;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, ints};
    use super::*;

    #[tokio::test]
    async fn all_that_is_sent_comes_out_in_order() {
        let rows = Generated::new(|out| async move {
            for number in 0..10 {
                let _ = out.send(vec![ints(&[number]), ints(&[-number])]).await;
            }
            Ok(())
        });
        let all = all(rows).await;
        assert_eq!((all.len(), &all[18], &all[19]), (20, &ints(&[9]), &ints(&[-9])));
    }

    #[tokio::test]
    async fn an_error_comes_after_what_was_sent() {
        let mut rows = Generated::new(|out| async move {
            let _ = out.send(vec![ints(&[1])]).await;
            Err(AnswerError::SumTooGreat)
        });
        assert_eq!(rows.next().await.unwrap(), [ints(&[1])]);
        assert!(matches!(rows.next().await, Err(AnswerError::SumTooGreat)));
    }
}
