//! Where the readers of all formats put what they find.

use tablesmith_model::workload::Touched;
use tablesmith_sql::Folded;

/// What a log says about a statement besides its text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct About {
    /// The line where it begins, counted from 1.
    pub line: u64,
    /// When it ran, in milliseconds since 1970.
    pub time_ms: Option<i64>,
    /// How many calls the entry stands for; 0 counts as 1.
    pub calls: u64,
    /// Rows of one call.
    pub rows: Option<f64>,
    /// Milliseconds of one call.
    pub mean_ms: Option<f64>,
}

/// Takes what a reader finds.
pub(super) trait Sink {
    /// Folds the first statement of a text, and says how far it goes.
    fn fold(&mut self, text: &[u8]) -> Folded;

    /// Takes the statement that was folded last. `values` are the values of its parameters, where the log has them.
    fn statement(&mut self, text: &[u8], values: Option<&[u8]>, about: &About);

    /// Takes a call that is only known by the columns that it touches.
    fn touched(&mut self, touched: Touched, about: &About);

    /// Notes a place that says nothing about queries and is not expected to.
    fn passed_over(&mut self);

    /// Notes a place that cannot be understood.
    fn not_understood(&mut self, line: u64, excerpt: &[u8], why: &str);
}

/// Takes all statements of a text.
pub(super) fn all_statements(sink: &mut impl Sink, text: &[u8], values: Option<&[u8]>, about: &About) {
    let mut rest = text;
    while !rest.trim_ascii_start().is_empty() {
        let folded = sink.fold(rest);
        let (statement, after) = rest.split_at_checked(folded.bytes).unwrap_or((rest, &[]));
        sink.statement(statement, values, about);
        if folded.bytes == 0 {
            return;
        }
        rest = after;
    }
}
