//! Designs of whole workloads: the papers' examples, wishes, bad input.

mod bad_input;
mod beside;
mod large;
mod papers;
mod random;
mod support;
