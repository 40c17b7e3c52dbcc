//! A fake HBase server: answers the calls of a client with whatever a test wants, and counts them.
//!
//! It plays all roles of a cluster at once: registry, master and the region server of `hbase:meta` and of one region of
//! any table. A test says which calls get another answer; the rest is answered as a healthy cluster would.
//!
//! ```
//! use hbase_testbed::fake::{FakeServer, Reply};
//!
//! let server = FakeServer::start(|call| match call.method.as_str() {
//!     "GetTableNames" => Some(Reply::Message(vec![0xff; 3])), // bytes that no client can decode
//!     _ => None,
//! })?;
//! println!("{}", server.address());
//! assert_eq!(server.calls("GetTableNames"), 0);
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod bytes;

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bytes::{cell, field, number, varint};

/// The name of the only region that no row of `hbase:meta` describes.
const META_REGION: &[u8] = b"hbase:meta,,1";

/// A call that arrived.
#[derive(Clone, Debug)]
pub struct FakeCall {
    /// The method's name, as on the wire: `Scan`, `GetTableNames`.
    pub method: String,
    /// The encoded request.
    pub message: Vec<u8>,
    /// How many calls of this method came before.
    pub before: usize,
    /// Where the fake server listens.
    pub port: u16,
}

impl FakeCall {
    /// Whether the request is about a region of `hbase:meta`.
    pub fn is_about_meta(&self) -> bool {
        self.message.windows(META_REGION.len()).any(|part| part == META_REGION)
    }
}

/// What the server does with a call.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A reply with this message.
    Message(Vec<u8>),
    /// A reply with this message and these cells after it.
    WithCells(Vec<u8>, Vec<u8>),
    /// An exception of this class; with the port of a server on loopback the region has moved there.
    Exception(&'static str, Option<u16>),
    /// These bytes in place of a frame.
    Bytes(Vec<u8>),
    /// These bytes, and the connection is closed.
    BytesAndClose(Vec<u8>),
    /// The reply of another call, by so much.
    WrongCallId(u32),
    /// Nothing.
    Silence,
}

type Handler = dyn Fn(&FakeCall) -> Option<Reply> + Send + Sync;

/// A server on loopback. Its threads end with the process.
pub struct FakeServer {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    handler: Box<Handler>,
    calls: Mutex<HashMap<String, usize>>,
    port: u16,
}

impl FakeServer {
    /// Starts a server; the handler's `None` is a healthy answer.
    pub fn start(handler: impl Fn(&FakeCall) -> Option<Reply> + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { handler: Box::new(handler), calls: Mutex::default(), port });
        let serving = shared.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = serving.clone();
                // A connection that breaks is the client's business.
                thread::spawn(move || drop(serve(stream, &shared)));
            }
        });
        Ok(Self { port, shared })
    }

    /// The port on loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address for a client.
    pub fn address(&self) -> String {
        format!("hbase://127.0.0.1:{}", self.port)
    }

    /// How many calls of a method came.
    pub fn calls(&self, method: &str) -> usize {
        self.shared.counted().get(method).copied().unwrap_or_default()
    }

    /// How many calls came.
    pub fn all_calls(&self) -> usize {
        self.shared.counted().values().sum()
    }
}

impl Shared {
    fn counted(&self) -> std::sync::MutexGuard<'_, HashMap<String, usize>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call; returns how many came before it.
    fn count(&self, method: &str) -> usize {
        let mut calls = self.counted();
        let count = calls.entry(method.to_owned()).or_default();
        *count += 1;
        *count - 1
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let mut preamble = [0; 6];
    stream.read_exact(&mut preamble)?;
    read_frame(&mut stream)?;
    loop {
        let frame = read_frame(&mut stream)?;
        let (id, method, message) = bytes::read_call(&frame).ok_or(io::ErrorKind::InvalidData)?;
        let before = shared.count(&method);
        let call = FakeCall { method, message, before, port: shared.port };
        let reply = (shared.handler)(&call).unwrap_or_else(|| healthy(&call));
        send(&mut stream, id, reply)?;
    }
}

fn send(stream: &mut TcpStream, id: u32, reply: Reply) -> io::Result<()> {
    match reply {
        Reply::Message(message) => stream.write_all(&bytes::reply(id, &message, &[])),
        Reply::WithCells(message, cells) => stream.write_all(&bytes::reply(id, &message, &cells)),
        Reply::Exception(class, moved_to) => stream.write_all(&bytes::exception(id, class, moved_to)),
        Reply::Bytes(bytes) => stream.write_all(&bytes),
        Reply::BytesAndClose(bytes) => {
            stream.write_all(&bytes)?;
            stream.shutdown(Shutdown::Both)
        }
        Reply::WrongCallId(more) => stream.write_all(&bytes::reply(id + more, &[], &[])),
        Reply::Silence => Ok(()),
    }
}

fn read_frame(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut size = [0; 4];
    stream.read_exact(&mut size)?;
    let mut frame = vec![0; u32::from_be_bytes(size) as usize];
    stream.read_exact(&mut frame)?;
    Ok(frame)
}

/// What a healthy cluster of this one server answers. Every table has one region and no rows.
fn healthy(call: &FakeCall) -> Reply {
    match call.method.as_str() {
        "GetClusterId" => Reply::Message(field(1, b"fake")),
        "GetActiveMaster" => Reply::Message(field(1, &server_name("127.0.0.1", call.port.into()))),
        "GetMetaRegionLocations" => Reply::Message(meta_location(call.port)),
        "Scan" if call.is_about_meta() => region_row(call),
        _ => Reply::Message(Vec::new()),
    }
}

/// The name of a server as a message; the port may be an impossible one.
pub fn server_name(host: &str, port: u32) -> Vec<u8> {
    [field(1, host.as_bytes()), number(2, port.into()), number(3, 1)].concat()
}

fn meta_location(port: u16) -> Vec<u8> {
    let server = server_name("127.0.0.1", port.into());
    field(1, &[field(1, &region_info("hbase", "meta", 1)), field(2, &server), number(3, 1)].concat())
}

fn region_info(namespace: &str, table: &str, id: u64) -> Vec<u8> {
    let table = [field(1, namespace.as_bytes()), field(2, table.as_bytes())].concat();
    [number(1, id), field(2, &table)].concat()
}

/// The row of `hbase:meta` about the only region of the table that is asked for.
fn region_row(call: &FakeCall) -> Reply {
    let (message, cells) = meta_row(&table_in(&call.message), call.port);
    Reply::WithCells(message, cells)
}

/// A scan's reply with the row of `hbase:meta` about the only region of a table.
pub fn meta_row(table: &str, port: u16) -> (Vec<u8>, Vec<u8>) {
    let row = format!("{table},,1.0123456789abcdef0123456789abcdef.");
    let info = [&b"PBUF"[..], &region_info("default", table, 1)].concat();
    let server = format!("127.0.0.1:{port}");
    let cells = [
        cell(row.as_bytes(), b"info", b"regioninfo", &info),
        cell(row.as_bytes(), b"info", b"server", server.as_bytes()),
        cell(row.as_bytes(), b"info", b"serverstartcode", &1u64.to_be_bytes()),
    ];
    (scan_reply(&[3], None), cells.concat())
}

/// A scan's message: the cells of each row; with a scanner's id there are more rows in the region.
pub fn scan_reply(cells_per_row: &[u64], scanner: Option<u64>) -> Vec<u8> {
    let mut message: Vec<u8> = cells_per_row.iter().flat_map(|cells| number(1, *cells)).collect();
    message.extend(scanner.iter().flat_map(|id| number(2, *id)));
    message.extend(number(3, 1));
    message.extend(number(8, u64::from(scanner.is_some())));
    message
}

/// The table in a question to `hbase:meta`, whose rows begin with `TABLE,`. Only for names of letters.
fn table_in(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    let before_comma = |part: &str| {
        let name: String = part.chars().rev().take_while(char::is_ascii_alphabetic).collect();
        name.chars().rev().collect::<String>()
    };
    let mut names = text.rsplit(',').map(before_comma);
    names.find(|name| !name.is_empty() && name != "meta").unwrap_or_default()
}

/// A field with a length and no bytes: what a decoder cannot read.
pub fn undecodable() -> Vec<u8> {
    let mut message = vec![0x0a];
    message.extend(varint(1000));
    message
}
