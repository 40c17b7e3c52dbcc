//! What stands between a caller and a store.

use async_trait::async_trait;
use tablesmith_model::Timestamp;

use super::op::Op;
use crate::{
    ActionAnswer, Answer, CheckOutcome, OpStats, RegionPartials, RegionRows, Row, Store, StoreError,
};

/// Sees each call before it reaches the store and after the store answered.
#[async_trait]
pub trait Intercept: Send + Sync + 'static {
    /// What `after` must know of the call. The request itself is gone by then: the store has it.
    type Ticket: Send + Sync;

    /// Before the call. With an error the store is not asked at all.
    async fn before(&self, store: &dyn Store, op: &Op<'_>) -> Result<Self::Ticket, StoreError>;

    /// After the call. An error replaces the store's answer, though what was asked is done.
    async fn after(&self, ticket: Self::Ticket, outcome: Outcome<'_>) -> Result<(), StoreError>;

    /// What the store counted for a call that it answered; of a scan, what each page adds. Comes before [`Intercept::after`].
    fn counted(&self, _stats: &OpStats) {}

    /// As [`Store::batches_at_once`], where calls take longer or shorter than those of the store behind.
    fn batches_at_once(&self, store: &dyn Store) -> usize {
        store.batches_at_once()
    }

    /// As [`Store::has_atomic_batches`]; with `false` the store looks like one that writes a row at a time.
    fn has_atomic_batches(&self, store: &dyn Store) -> bool {
        store.has_atomic_batches()
    }

    /// As [`Store::now_ms`]; with `None` nobody knows the clock of the store behind.
    fn now_ms(&self, store: &dyn Store) -> Option<Timestamp> {
        store.now_ms()
    }
}

/// What a store answered, as far as interceptors care.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// One row: of a get, or the new values of a write.
    Row(&'a Row),
    /// A portion of a scan.
    Rows(&'a [Row]),
    /// What each element of a batch answered.
    Actions(&'a [Result<ActionAnswer, StoreError>]),
    /// What a check-and-mutate answered.
    Checked(&'a CheckOutcome),
    /// What the regions aggregated.
    Partials(&'a [RegionPartials]),
    /// Done, or an answer without rows.
    Done,
    /// The store failed or refused.
    Failed(&'a StoreError),
}

/// An answer that can be looked at as an [`Outcome`].
pub(super) trait Observed {
    /// What an interceptor sees of it.
    fn outcome(&self) -> Outcome<'_>;

    /// What it cost, as far as the store counted.
    fn cost(&self) -> OpStats {
        OpStats::default()
    }
}

impl Observed for Answer<Row> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Row(&self.value)
    }

    fn cost(&self) -> OpStats {
        self.stats
    }
}

impl Observed for Vec<Row> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Rows(self)
    }
}

impl Observed for Answer<Vec<Result<ActionAnswer, StoreError>>> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Actions(&self.value)
    }

    fn cost(&self) -> OpStats {
        self.stats
    }
}

impl Observed for Answer<CheckOutcome> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Checked(&self.value)
    }

    fn cost(&self) -> OpStats {
        self.stats
    }
}

impl Observed for Answer<Vec<RegionRows>> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Done
    }

    fn cost(&self) -> OpStats {
        self.stats
    }
}

impl Observed for Answer<Vec<RegionPartials>> {
    fn outcome(&self) -> Outcome<'_> {
        Outcome::Partials(&self.value)
    }

    fn cost(&self) -> OpStats {
        self.stats
    }
}

/// Answers in which an interceptor sees nothing but what they cost.
macro_rules! just_counted {
    ($($answer:ty),+ $(,)?) => {
        $(impl Observed for $answer {
            fn outcome(&self) -> Outcome<'_> {
                Outcome::Done
            }

            fn cost(&self) -> OpStats {
                self.stats
            }
        })+
    };
}

just_counted!(Answer<()>, Answer<bool>);

/// Answers in which an interceptor sees nothing but that they came.
macro_rules! just_done {
    ($($answer:ty),+ $(,)?) => {
        $(impl Observed for $answer {
            fn outcome(&self) -> Outcome<'_> {
                Outcome::Done
            }
        })+
    };
}

just_done!(
    (),
    bool,
    Box<dyn crate::Scanner>,
    tablesmith_model::TableDescriptor,
    Vec<tablesmith_model::TableName>,
    Vec<crate::RegionInfo>,
    crate::ClusterStatus,
    Vec<String>,
);
