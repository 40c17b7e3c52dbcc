//! The messages of HBase's protocol, generated from `proto/`.
#![allow(missing_docs, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/hbase.pb.rs"));
