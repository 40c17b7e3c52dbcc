//! What opens a connection: the preamble and the connection header. The server answers nothing when it agrees.
//!
//! ```text
//!  4 B      1 B         1 B                4 B      …
//! ┌──────┬───────────┬────────────────┬───────┬────────────────────┐
//! │ HBas │ version 0 │ authentication │ length│ ConnectionHeader   │
//! └──────┴───────────┴────────────────┴───────┴────────────────────┘
//! ```
//! A SASL exchange (Kerberos, tokens) would stand between the authentication byte and the header.

use bytes::{BufMut, BytesMut};
use prost::Message;

use crate::config::Authentication;
use crate::pb;

const MAGIC: &[u8] = b"HBas";
const RPC_VERSION: u8 = 0;
const SIMPLE: u8 = 80;
/// Cells without tags.
const CODEC: &str = "org.apache.hadoop.hbase.codec.KeyValueCodec";
/// The version that we claim: servers send newer answers (cell blocks for gets, scanner resets, results that are too
/// large) only to clients that are new enough.
const CLAIMED: (u32, u32, &str) = (2, 6, "2.6.1");

/// The first bytes of a connection.
pub(crate) fn opening(service: &str, authentication: &Authentication) -> BytesMut {
    let Authentication::Simple { user } = authentication;
    let (major, minor, version) = CLAIMED;
    let header = pb::ConnectionHeader {
        user_info: Some(pb::UserInformation { effective_user: user.clone(), real_user: None }),
        service_name: Some(service.to_owned()),
        cell_block_codec_class: Some(CODEC.to_owned()),
        cell_block_compressor_class: None,
        version_info: Some(pb::VersionInfo {
            version: version.to_owned(),
            version_major: Some(major),
            version_minor: Some(minor),
            ..pb::VersionInfo::default()
        }),
    };
    let mut out = BytesMut::new();
    out.put_slice(MAGIC);
    out.put_u8(RPC_VERSION);
    out.put_u8(SIMPLE);
    out.put_u32(header.encoded_len() as u32);
    header.encode_raw(&mut out);
    out
}
