//! Servers that send nonsense: always an error, never a panic, never memory for what is only claimed.

use std::net::TcpListener;
use std::time::Duration;

use hbase::{Client, Error, Get};
use hbase_testbed::fake::bytes::number;
use hbase_testbed::fake::{FakeServer, Reply};

use crate::fakes::{config, error_within, hasty_config, lie};
use crate::random::{self, seeded};

/// What a fake server does in place of an answer, and whether the client tries again until its time is up.
const ALL: [(&str, bool); 8] = [
    ("garbage", false),
    ("a huge frame", false),
    ("a long frame that never comes", true),
    ("a reply to another call", false),
    ("a reply that is cut off", true),
    ("silence", true),
    ("an empty frame", false),
    ("cells that are announced and not there", false),
];

fn nonsense(name: &str) -> Reply {
    match name {
        "garbage" => Reply::Bytes(garbage()),
        "a huge frame" => Reply::Bytes(vec![0xff; 64]),
        "a long frame that never comes" => Reply::Bytes((200u32 << 20).to_be_bytes().to_vec()),
        "a reply to another call" => Reply::WrongCallId(77),
        "a reply that is cut off" => Reply::BytesAndClose(vec![0, 0, 0, 100, 2, 8]),
        "silence" => Reply::Silence,
        "an empty frame" => Reply::Bytes(vec![0; 4]),
        "cells that are announced and not there" => Reply::Message(number(1, u32::MAX.into())),
        other => panic!("{other}"),
    }
}

/// Random bytes that begin with the length of a frame that is not too long.
fn garbage() -> Vec<u8> {
    let mut garbage = vec![0, 0, 0, 200];
    garbage.extend(std::iter::repeat_n(0xff, 11));
    garbage.extend(random::bytes(&mut seeded(), 4000));
    garbage.extend([0; 200]);
    garbage
}

/// A server that answers the questions of `right` and has nonsense for all others.
fn serve(name: &'static str, right: &'static [&'static str]) -> FakeServer {
    lie(move |call| (!right.contains(&call.method.as_str())).then(|| nonsense(name)))
}

/// A client that waits for an answer, and tries again, for so long as what the server does calls for.
async fn connect_to(server: &FakeServer, is_tried_again: bool) -> Result<Client, Error> {
    if !is_tried_again {
        return Client::with_config(config(server)).await;
    }
    let mut config = hasty_config(server);
    config.rpc_timeout = Duration::from_millis(300);
    Client::with_config(config).await
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_at_the_first_question_is_an_error() {
    for (name, is_tried_again) in ALL {
        let server = serve(name, &["GetBootstrapNodes"]);
        let error = error_within(&server, ("GetClusterId", 1), connect_to(&server, is_tried_again)).await;
        assert!(matches!(error, Error::Bootstrap { .. }), "{name}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_in_place_of_rows_is_an_error() {
    for (name, is_tried_again) in ALL {
        let server = serve(name, &["GetClusterId", "GetBootstrapNodes", "GetMetaRegionLocations"]);
        let table = connect_to(&server, is_tried_again).await.unwrap().table("t").unwrap();
        let memory_before = resident_bytes();
        let error = error_within(&server, ("Scan", 40), table.get(Get::new("row"))).await;
        if is_tried_again {
            assert!(matches!(error, Error::Deadline { .. }), "{name}: {error}");
        } else {
            assert!(matches!(error, Error::Undecodable(_)), "{name}: {error}");
            assert!(server.calls("Scan") <= 4, "{name}: {} calls", server.calls("Scan"));
        }
        let grown = resident_bytes().saturating_sub(memory_before);
        assert!(grown < 100 << 20, "{name}: {grown} bytes more");
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

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}
