//! Reads the three nodes in which HBase says where it begins.
//!
//! Written here rather than taken from a library: the client needs one read without watches or a lasting session,
//! which are three small messages; the libraries bring an I/O reactor of their own and some fifty crates.
//!
//! ```text
//! a node's data:   1 B     4 B           …        4 B
//!                ┌──────┬───────────┬─────────┬──────┬───────────────────┐
//!                │ 0xFF │ id length │   id    │ PBUF │ protobuf message  │
//!                └──────┴───────────┴─────────┴──────┴───────────────────┘
//! ```

use std::time::{Duration, Instant};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::region::strip_magic;
use crate::rpc::{CallError, CallOrigin};
use crate::wire::WireError;
use crate::{HostPort, ServerName, Translate, pb};

const GET_DATA: i32 = 4;
/// The same in errors.
const GET_DATA_CALL: &str = "getData";
const CLOSE_SESSION: i32 = -11;
const NO_NODE: i32 = -101;
const SESSION_TIMEOUT_MS: i32 = 10_000;
const PASSWORD_BYTES: usize = 16;
const ID_MAGIC: u8 = 0xff;
/// The nodes that we read are small; who sends more is not ZooKeeper.
const REPLY_BYTES_MAX: u32 = 1 << 20;

pub(crate) struct ZooKeeper {
    pub quorum: Vec<HostPort>,
    pub root: String,
    pub timeout: Duration,
    pub translate: Option<Translate>,
}

impl ZooKeeper {
    pub async fn meta_server(&self, deadline: Instant) -> Result<ServerName, CallError> {
        let read = |node: Bytes| ServerName::from_pb(pb::MetaRegionServer::decode(node)?.server);
        self.read_node("meta-region-server", read, deadline).await
    }

    pub async fn active_master(&self, deadline: Instant) -> Result<ServerName, CallError> {
        let read = |node: Bytes| ServerName::from_pb(pb::Master::decode(node)?.master);
        self.read_node("master", read, deadline).await
    }

    pub async fn cluster_id(&self, deadline: Instant) -> Result<String, CallError> {
        self.read_node("hbaseid", |node: Bytes| Ok(pb::ClusterId::decode(node)?.cluster_id), deadline).await
    }

    /// Asks one server of the quorum after the other.
    async fn read_node<T>(
        &self,
        name: &str,
        read: impl FnOnce(Bytes) -> Result<T, WireError>,
        deadline: Instant,
    ) -> Result<T, CallError> {
        let path = format!("{}/{name}", self.root);
        let mut last = CallError::NoServer("no ZooKeeper server is given".to_owned());
        for server in &self.quorum {
            let place = self.translate.as_ref().map_or_else(|| server.clone(), |translate| translate(server));
            let failed = |why: String| CallError::Connect { address: server.clone(), why };
            let soon = deadline.min(Instant::now() + self.timeout);
            match tokio::time::timeout_at(soon.into(), get_data(&place, &path)).await {
                Ok(Ok(Some(data))) => {
                    let origin = CallOrigin { call: GET_DATA_CALL, address: server.clone() };
                    return node_message(&data)
                        .and_then(|message| read(Bytes::copy_from_slice(message)))
                        .map_err(|WireError(why)| origin.refuse(WireError(format!("node {path}: {why}"))));
                }
                Ok(Ok(None)) => {
                    let why = format!("ZooKeeper has no node {path}: is HBase up, and the znode right?");
                    return Err(CallError::NoServer(why));
                }
                Ok(Err(error)) => last = failed(error.to_string()),
                Err(_) => last = failed(format!("no answer within {} ms", self.timeout.as_millis())),
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Err(last)
    }
}

/// The message in a node's data.
fn node_message(mut data: &[u8]) -> Result<&[u8], WireError> {
    let wrong = || WireError("a ZooKeeper node that HBase did not write".to_owned());
    if data.try_get_u8().map_err(|_| wrong())? != ID_MAGIC {
        return Err(wrong());
    }
    let id_bytes = data.try_get_u32().map_err(|_| wrong())? as usize;
    if id_bytes > data.len() {
        return Err(wrong());
    }
    data.advance(id_bytes);
    strip_magic(data)
}

/// Opens a session, reads a node, closes the session. `None`: there is no such node.
async fn get_data(place: &HostPort, path: &str) -> std::io::Result<Option<Bytes>> {
    let mut stream = TcpStream::connect((place.host.as_str(), place.port)).await?;
    stream.write_all(&framed(&connect_request())).await?;
    read_frame(&mut stream).await?;
    stream.write_all(&framed(&get_request(1, path))).await?;
    let reply = read_frame(&mut stream).await?;
    let mut close = BytesMut::new();
    close.put_i32(2);
    close.put_i32(CLOSE_SESSION);
    // The data is here already: a server that does not hear the goodbye ends the session by itself.
    drop(stream.write_all(&framed(&close)).await);
    read_get_reply(reply).map_err(|error| std::io::Error::other(error.0))
}

fn connect_request() -> BytesMut {
    let mut out = BytesMut::new();
    out.put_i32(0); // protocol version
    out.put_i64(0); // last transaction seen
    out.put_i32(SESSION_TIMEOUT_MS);
    out.put_i64(0); // session: a new one
    out.put_i32(PASSWORD_BYTES as i32);
    out.put_bytes(0, PASSWORD_BYTES);
    out.put_u8(1); // a server that can only be read from will do
    out
}

fn get_request(transaction: i32, path: &str) -> BytesMut {
    let mut out = BytesMut::new();
    out.put_i32(transaction);
    out.put_i32(GET_DATA);
    out.put_i32(path.len() as i32);
    out.put_slice(path.as_bytes());
    out.put_u8(0); // no watch
    out
}

/// Transaction, its number in the log, error code; then the data's length and the data.
fn read_get_reply(mut reply: Bytes) -> Result<Option<Bytes>, WireError> {
    let cut = |_| WireError("ZooKeeper's reply is cut off".to_owned());
    reply.try_get_i32().map_err(cut)?;
    reply.try_get_i64().map_err(cut)?;
    match reply.try_get_i32().map_err(cut)? {
        0 => {}
        NO_NODE => return Ok(None),
        code => return Err(WireError(format!("ZooKeeper answers with error {code}"))),
    }
    let length = reply.try_get_u32().map_err(cut)? as usize;
    if length > reply.len() {
        return Err(WireError("ZooKeeper's reply is cut off".to_owned()));
    }
    Ok(Some(reply.split_to(length)))
}

fn framed(message: &[u8]) -> BytesMut {
    let mut out = BytesMut::with_capacity(4 + message.len());
    out.put_u32(message.len() as u32);
    out.put_slice(message);
    out
}

async fn read_frame(stream: &mut TcpStream) -> std::io::Result<Bytes> {
    let length = stream.read_u32().await?;
    if length > REPLY_BYTES_MAX {
        return Err(std::io::Error::other(format!("a reply of {length} bytes: this is not ZooKeeper")));
    }
    let mut reply = vec![0; length as usize];
    stream.read_exact(&mut reply).await?;
    Ok(reply.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_its_message() {
        let node = Bytes::from_static(b"\xff\0\0\0\x03abcPBUFmessage");
        assert_eq!(node_message(&node).unwrap(), b"message");
        for wrong in [&b""[..], b"\xff", b"\xff\0\0\0\x09abc", b"\0\0\0\0\0PBUF", b"\xff\0\0\0\0PUFF"] {
            assert!(node_message(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn replies_that_lie_are_refused() {
        assert!(read_get_reply(Bytes::from_static(b"\0\0\0\x01")).is_err());
        let mut reply = BytesMut::new();
        reply.put_i32(1);
        reply.put_i64(1);
        reply.put_i32(0);
        reply.put_u32(1000);
        assert!(read_get_reply(reply.freeze()).is_err());
    }
}
