//! The messages of HBase's protocol, generated from `proto/`.
#![allow(
    missing_docs,
    dead_code,
    clippy::all,
    reason = "generated: the .proto files say what the messages are"
)]

include!(concat!(env!("OUT_DIR"), "/hbase.pb.rs"));
