//! What the tests of filters share: random filters and cells, and a reader that does what the filter says.

pub(super) mod generate;
pub(super) mod reader;
