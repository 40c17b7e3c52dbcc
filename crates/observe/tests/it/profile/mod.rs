//! Data files of every shape.

mod csv;
mod json_lines;
mod memory;
mod parquet;
mod parquet_files;
mod parquet_limits;
mod parquet_written;
pub mod support;
