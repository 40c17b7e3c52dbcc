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
/// Rows with large values are fewer: a portion ends with the row that brings it to so many bytes of values.
const PORTION_BYTES: usize = 16 << 20;
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
        let mut bytes = 0;
        while portion.lines() < PORTION_ROWS && bytes < PORTION_BYTES {
            let Some(row) = self.rows.next() else { break };
            let added = row.and_then(|row| {
                let line = row.line;
                bytes += row.values.iter().map(value_bytes).sum::<usize>();
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

/// About how much memory a value takes.
fn value_bytes(value: &Value) -> usize {
    let outside = match value {
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    size_of::<Value>() + outside
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts rows.
    struct Count;

    impl Make for Count {
        type Made = u64;

        fn none(&self) -> u64 {
            0
        }

        fn add(&mut self, _row: SourceRow, made: &mut u64) -> Result<(), String> {
            *made += 1;
            Ok(())
        }

        fn numbers(&self) -> Vec<u64> {
            Vec::new()
        }
    }

    async fn portions(rows: u64, value_bytes: usize) -> Vec<u64> {
        let row = move |line| Ok(SourceRow { line, values: vec![Value::Bytes(vec![7; value_bytes])] });
        let mut made = Made::ahead(Box::new((0..rows).map(row)), 0, |making| making.all(Count));
        let mut sizes = Vec::new();
        loop {
            let portion = made.next().await.unwrap();
            if portion.lines() == 0 {
                return sizes;
            }
            assert_eq!(portion.made, portion.rows);
            sizes.push(portion.rows);
        }
    }

    #[tokio::test]
    async fn a_portion_ends_at_so_many_rows_or_so_many_bytes() {
        assert_eq!(portions(4_500, 10).await, [4_000, 500]);
        assert_eq!(portions(40, 1 << 20).await, [16, 16, 8]);
    }
}
