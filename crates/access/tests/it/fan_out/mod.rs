//! Scans in the order of ids over keys that spread their rows.

mod bounds;
mod order;
mod regions;
mod table;
