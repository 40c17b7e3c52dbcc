//! The testbed tested: clusters start, say where they are, and stop; proxies do what their rules say.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that fails fails its test"
)]

mod distributed;
mod java_client;
mod one_jvm;
mod proxy;
