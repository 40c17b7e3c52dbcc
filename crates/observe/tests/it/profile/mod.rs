//! Data files of every shape.

mod csv;
mod json_lines;
mod memory;
mod parquet;
mod support;
