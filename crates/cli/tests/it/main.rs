//! The program as people run it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_macros,
    reason = "a helper that fails fails its test"
)]

mod apply;
mod calibrate;
mod check;
mod conformance;
mod ddl;
mod demo;
mod design;
mod examples;
mod exit_codes;
mod families;
mod fan_out;
mod generate;
mod help;
mod init;
mod init_schema;
mod interrupt;
mod keys;
mod large_files;
mod load;
mod pipeline;
mod private_files;
mod query;
mod report;
mod reproduce;
mod retries;
mod script_tables;
mod shell;
mod store;
mod support;
mod terminal;
mod time;
mod verify;
