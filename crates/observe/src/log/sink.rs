//! Where the readers of all formats put what they find.

use std::io::{self, Read};

use tablesmith_model::workload::Touched;
use tablesmith_sql::{Folded, Folder};

use super::input::Input;
use crate::size_text::size_text;

/// The longest template that is resolved: parsing takes many times its size in memory.
const TEMPLATE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What is too long in most cases.
pub(super) const STATEMENT: &str = "the statement";

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

/// A statement that is passed over because it is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong<'t> {
    /// The line where it begins, counted from 1.
    pub line: u64,
    /// Its beginning.
    pub beginning: &'t [u8],
    /// How many calls it stands for.
    pub calls: u64,
    /// What is too long: the statement, or what is left without its values.
    pub what: &'static str,
    /// Its size.
    pub bytes: u64,
    /// The longest that is read.
    pub bytes_max: usize,
}

impl TooLong<'_> {
    /// Why it is passed over.
    pub fn why(&self) -> String {
        let (bytes, bytes_max) = (size_text(self.bytes), size_text(self.bytes_max as u64));
        format!("{} has {bytes}, more than the limit of {bytes_max}", self.what)
    }
}

/// Takes what a reader finds.
pub(super) trait Sink {
    /// What folds statements, with the template of the last one.
    fn folder(&mut self) -> &mut Folder;

    /// Takes the statement that was folded last. `values` are the values of its parameters, where the log has them.
    fn statement(&mut self, text: &[u8], values: Option<&[u8]>, about: &About);

    /// Takes a call that is only known by the columns that it touches.
    fn touched(&mut self, touched: Touched, about: &About);

    /// Notes a place that says nothing about queries and is not expected to.
    fn passed_over(&mut self);

    /// Notes a place that cannot be understood.
    fn not_understood(&mut self, line: u64, excerpt: &[u8], why: &str);

    /// Notes a statement that is too long.
    fn too_long(&mut self, found: TooLong<'_>);
}

/// Leaves something too long behind, at which the window begins, and notes it. `skip` goes to its end.
pub(super) fn pass_too_long<R: Read>(
    input: &mut Input<'_, R>,
    sink: &mut impl Sink,
    skip: impl FnOnce(&mut Input<'_, R>) -> io::Result<u64>,
) -> io::Result<()> {
    let (line, beginning) = (input.line(), input.beginning().to_vec());
    let bytes = skip(input)?;
    let bytes_max = input.record_bytes_max();
    sink.too_long(TooLong { line, beginning: &beginning, calls: 1, what: STATEMENT, bytes, bytes_max });
    Ok(())
}

/// Takes the statement that was folded last, unless its template is too long.
pub(super) fn folded_statement(sink: &mut impl Sink, text: &[u8], values: Option<&[u8]>, about: &About) {
    let bytes = sink.folder().template().len();
    if bytes <= TEMPLATE_BYTES_MAX {
        return sink.statement(text, values, about);
    }
    sink.too_long(TooLong {
        line: about.line,
        beginning: text,
        calls: about.calls.max(1),
        what: "the statement without its values",
        bytes: bytes as u64,
        bytes_max: TEMPLATE_BYTES_MAX,
    });
}

/// Takes all statements of a text.
pub(super) fn all_statements(sink: &mut impl Sink, text: &[u8], values: Option<&[u8]>, about: &About) {
    let mut rest = text;
    while !rest.trim_ascii_start().is_empty() {
        let Folded { bytes, .. } = sink.folder().fold(rest);
        let (statement, after) = rest.split_at_checked(bytes).unwrap_or((rest, &[]));
        folded_statement(sink, statement, values, about);
        if bytes == 0 {
            return;
        }
        rest = after;
    }
}
