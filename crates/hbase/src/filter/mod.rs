//! Filters and comparators on the wire: the name of a class, and a message of its own.

mod comparator;
#[cfg(test)]
mod tests;
mod wire;

pub(crate) use comparator::{compare_type, to_pb as comparator_to_pb};
pub(crate) use wire::to_pb;

/// The full name of a filter's or comparator's class.
fn class_name(class: &str) -> String {
    format!("org.apache.hadoop.hbase.filter.{class}")
}
