//! The engine's tests: the suite every store passes, the plain model as an oracle, and the outside world.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by a panic")]

mod basics;
mod concurrency;
mod conformance;
mod crash;
mod damage;
mod describe;
mod memory;
mod opening;
#[cfg(target_os = "linux")]
mod power_loss;
mod recovery;
mod seeded_damage;
mod sequences;
mod store_files;
mod support;
