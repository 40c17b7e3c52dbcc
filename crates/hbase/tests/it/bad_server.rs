//! Servers that send nonsense: always an error in time, never a panic, never memory for what is only claimed.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use hbase::{Client, Config, Error, Get};

use crate::random::Random;

const OPERATION: Duration = Duration::from_millis(900);

/// What a fake server does with the calls that it gets after the first ones.
#[derive(Clone, Copy, Debug)]
enum Nonsense {
    Garbage,
    HugeFrame,
    LongFrameThatNeverComes,
    WrongCallId,
    CutOff,
    Silence,
    EmptyFrame,
    NegativeCellCount,
}

const ALL: [Nonsense; 8] = [
    Nonsense::Garbage,
    Nonsense::HugeFrame,
    Nonsense::LongFrameThatNeverComes,
    Nonsense::WrongCallId,
    Nonsense::CutOff,
    Nonsense::Silence,
    Nonsense::EmptyFrame,
    Nonsense::NegativeCellCount,
];

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_at_the_first_question_is_an_error() {
    for nonsense in ALL {
        let config = config(serve(nonsense, 0));
        let begun = Instant::now();
        let error = Client::with_config(config).await.err();
        assert!(matches!(error, Some(Error::Bootstrap { .. })), "{nonsense:?}: {error:?}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{nonsense:?} took {:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_in_place_of_rows_is_an_error_before_the_deadline() {
    for nonsense in ALL {
        let client = Client::with_config(config(serve(nonsense, 1))).await.unwrap();
        let table = client.table("t").unwrap();
        let begun = Instant::now();
        let memory_before = resident_bytes();
        let error = table.get(Get::new("row")).await.expect_err("a row out of nonsense");
        assert!(matches!(error, Error::Deadline { .. }), "{nonsense:?}: {error}");
        assert!(begun.elapsed() < OPERATION * 3, "{nonsense:?} took {:?}", begun.elapsed());
        let grown = resident_bytes().saturating_sub(memory_before);
        assert!(grown < 100 << 20, "{nonsense:?}: {grown} bytes more");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_is_an_error_that_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = Client::connect(&format!("hbase://127.0.0.1:{port}")).await.err().unwrap();
    assert!(error.to_string().contains("Is the cluster up"), "{error}");
    let error = Client::connect(&format!("hbase+zk://127.0.0.1:{port}")).await.err().unwrap();
    assert!(error.to_string().contains("cannot connect"), "{error}");
}

fn config(port: u16) -> Config {
    let mut config: Config = format!("hbase://127.0.0.1:{port}").parse().unwrap();
    config.operation_timeout = OPERATION;
    config.rpc_timeout = Duration::from_millis(300);
    config
}

/// A server that answers `right_answers` kinds of questions rightly (first the cluster's id; its own address as that
/// of meta always) and then does its nonsense.
fn serve(nonsense: Nonsense, right_answers: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || drop(talk(stream, nonsense, right_answers, port)));
        }
    });
    port
}

fn talk(mut stream: TcpStream, nonsense: Nonsense, right_answers: usize, port: u16) -> std::io::Result<()> {
    let mut preamble = [0; 6];
    stream.read_exact(&mut preamble)?;
    assert_eq!(&preamble, b"HBas\0\x50");
    read_frame(&mut stream)?;
    loop {
        let call = read_frame(&mut stream)?;
        let (id, method) = id_and_method(&call);
        match method.as_str() {
            "GetClusterId" if right_answers > 0 => stream.write_all(&reply(id, &field(1, b"x")))?,
            "GetBootstrapNodes" => stream.write_all(&reply(id, &[]))?,
            "GetMetaRegionLocations" => stream.write_all(&reply(id, &meta_at(port)))?,
            _ => misbehave(&mut stream, nonsense, id)?,
        }
    }
}

fn misbehave(stream: &mut TcpStream, nonsense: Nonsense, id: u8) -> std::io::Result<()> {
    match nonsense {
        Nonsense::Garbage => {
            let garbage = Random::seeded().bytes(4000);
            stream.write_all(&garbage)
        }
        Nonsense::HugeFrame => stream.write_all(&[0xff; 64]),
        Nonsense::LongFrameThatNeverComes => stream.write_all(&(400u32 << 20).to_be_bytes()),
        Nonsense::WrongCallId => stream.write_all(&reply(id + 77, &[])),
        Nonsense::CutOff => {
            let whole = reply(id, &field(1, b"something longer"));
            stream.write_all(&whole[..whole.len() - 5])?;
            stream.shutdown(std::net::Shutdown::Both)
        }
        Nonsense::Silence => Ok(()),
        Nonsense::EmptyFrame => stream.write_all(&[0, 0, 0, 0]),
        // Cells that are announced and not there.
        Nonsense::NegativeCellCount => stream.write_all(&reply(id, &[0x08, 0xff, 0xff, 0xff, 0xff, 0x0f])),
    }
}

fn read_frame(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut size = [0; 4];
    stream.read_exact(&mut size)?;
    let mut frame = vec![0; u32::from_be_bytes(size) as usize];
    stream.read_exact(&mut frame)?;
    Ok(frame)
}

/// The header of a call is short: its id is field 1, its method field 3.
fn id_and_method(frame: &[u8]) -> (u8, String) {
    let header = &frame[1..=frame[0] as usize];
    assert_eq!((header[0], header[2]), (0x08, 0x1a), "{header:?}");
    let length = header[3] as usize;
    (header[1], String::from_utf8(header[4..4 + length].to_vec()).unwrap())
}

fn reply(id: u8, message: &[u8]) -> Vec<u8> {
    let mut body = vec![2, 0x08, id, message.len() as u8];
    body.extend(message);
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend(body);
    frame
}

fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2, bytes.len() as u8];
    out.extend(bytes);
    out
}

fn number(field: u8, value: u64) -> Vec<u8> {
    let mut out = vec![field << 3];
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out
}

/// A location of meta: region 1 of hbase:meta, at our own port.
fn meta_at(port: u16) -> Vec<u8> {
    let table = [field(1, b"hbase"), field(2, b"meta")].concat();
    let region = [number(1, 1), field(2, &table)].concat();
    let server = [field(1, b"127.0.0.1"), number(2, port.into()), number(3, 1)].concat();
    field(1, &[field(1, &region), field(2, &server), number(3, 1)].concat())
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}
