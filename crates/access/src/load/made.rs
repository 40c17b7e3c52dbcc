//! Rows of a file made ready for the store on a thread of its own, while those before them are sent.

use std::iter::Skip;
use std::thread;

use tablesmith_model::evidence::Rejected;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::all::LoadRows;
use crate::error::AccessError;

/// Rows that go to all places before the progress is written.
const PORTION_ROWS: u64 = 4_000;
/// Portions that wait at most: memory stays bounded.
const PORTIONS: usize = 2;

/// Some rows after each other.
pub(super) struct Portion<T> {
    /// What was made of them.
    pub made: T,
    /// Rows that it was made of.
    pub rows: u64,
    /// Rows among them that do not go in.
    pub rejected: Vec<Rejected>,
    /// The next numbers of rows, after these.
    pub numbers: Vec<u64>,
    /// Which columns some of them have no value in.
    pub has_nulls: HasNulls,
}

/// Which columns have no value in some rows.
#[derive(Clone, Debug, Default)]
pub(super) struct HasNulls(Vec<bool>);

impl HasNulls {
    fn see(&mut self, values: &[Value]) {
        self.0.resize(self.0.len().max(values.len()), false);
        self.0.iter_mut().zip(values).for_each(|(has_nulls, value)| *has_nulls |= value.is_null());
    }

    /// And those of more rows.
    pub fn add(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), false);
        self.0.iter_mut().zip(&other.0).for_each(|(has_nulls, other)| *has_nulls |= other);
    }

    /// The columns of which every row that was seen has a value; none where none was seen.
    pub fn columns_without(&self, columns: &[String]) -> Vec<String> {
        let columns = columns.iter().zip(&self.0);
        columns.filter(|(_, has_nulls)| !**has_nulls).map(|(column, _)| column.clone()).collect()
    }
}

impl<T> Portion<T> {
    /// Rows and rejected lines of the file that it takes.
    pub fn lines(&self) -> u64 {
        self.rows + self.rejected.len() as u64
    }
}

/// What rows turn into.
pub(super) trait Make {
    /// Some rows.
    type Made;

    /// No rows yet.
    fn none(&self) -> Self::Made;

    /// Adds a row, or says why it does not go in.
    fn add(&mut self, row: SourceRow, made: &mut Self::Made) -> Result<(), String>;

    /// Nothing more is added to these.
    fn end(&mut self, _made: &mut Self::Made) {}

    /// The file is through: what is known of its rows goes with the last of them.
    fn last(&mut self, _made: &mut Self::Made) {}

    /// The next numbers of rows, where they are numbered.
    fn numbers(&self) -> Vec<u64>;
}

/// Portions as they are made.
pub(super) struct Made<T>(Receiver<Result<Portion<T>, String>>);

/// Makes portions of the rows of a file until it ends, or until nobody wants more.
pub(super) struct Making<T> {
    rows: Skip<LoadRows>,
    sender: Sender<Result<Portion<T>, String>>,
}

impl<T: Send + 'static> Made<T> {
    /// Begins to make something of all rows after so many; `work` does it, on the thread.
    pub fn ahead(rows: LoadRows, after: u64, work: impl FnOnce(Making<T>) + Send + 'static) -> Self {
        let (sender, portions) = channel(PORTIONS);
        let rows = rows.skip(usize::try_from(after).unwrap_or(usize::MAX));
        thread::spawn(move || work(Making { rows, sender }));
        Self(portions)
    }

    /// The next portion; one without rows after the last.
    pub async fn next(&mut self) -> Result<Portion<T>, AccessError> {
        let portion = self.0.recv().await;
        portion.unwrap_or_else(|| Err("nothing more comes of the file".to_owned())).map_err(AccessError::Data)
    }
}

impl<T> Making<T> {
    /// Makes all portions.
    pub fn all(mut self, mut make: impl Make<Made = T>) {
        loop {
            let portion = self.portion(&mut make);
            let is_last = portion.as_ref().map_or(true, |portion| portion.lines() == 0);
            if self.sender.blocking_send(portion).is_err() || is_last {
                return;
            }
        }
    }

    fn portion(&mut self, make: &mut impl Make<Made = T>) -> Result<Portion<T>, String> {
        let mut portion = Portion {
            made: make.none(),
            rows: 0,
            rejected: Vec::new(),
            numbers: Vec::new(),
            has_nulls: HasNulls::default(),
        };
        while portion.lines() < PORTION_ROWS {
            let Some(row) = self.rows.next() else { break };
            let added = row.and_then(|row| {
                let line = row.line;
                portion.has_nulls.see(&row.values);
                make.add(row, &mut portion.made).map_err(|reason| RowError::rejected(line, reason))
            });
            match added {
                Ok(()) => portion.rows += 1,
                Err(RowError::Rejected(rejected)) => portion.rejected.push(rejected),
                Err(RowError::Failed(message)) => return Err(message),
            }
        }
        make.end(&mut portion.made);
        if portion.lines() == 0 {
            make.last(&mut portion.made);
        }
        portion.numbers = make.numbers();
        Ok(portion)
    }
}
