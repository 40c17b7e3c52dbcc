//! Proxies between a client and a server that sends every frame back.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use hbase_testbed::proxy::{Condition, Direction, ProxySet, Reaction, Rule};

const BODY_BYTES: usize = 1000;
const FRAME_BYTES: usize = 4 + BODY_BYTES;

#[test]
fn without_rules_everything_passes() {
    let (proxies, mut client) = connect(1, Vec::new());
    let mut all = b"HBas\0P".to_vec();
    (0..100).for_each(|number| all.extend(frame(number)));
    // A piece of a length at the end, as a client leaves it that dies.
    all.extend([0, 0]);
    let mut back = Vec::new();
    let mut sender = client.try_clone().unwrap();
    let sent = all.clone();
    spawn(move || sender.write_all(&sent).and_then(|()| sender.shutdown(std::net::Shutdown::Write)));
    client.read_to_end(&mut back).unwrap();
    assert!(back == all, "{} of {} bytes came back, or others", back.len(), all.len());
    let counts = proxies.counts();
    assert_eq!((counts.connections, counts.cuts, counts.truncations), (1, 0, 0));
    wait_until("the connection is forgotten", || proxies.open_connections() == 0);
}

#[test]
fn a_cut_comes_between_frames() {
    let rules = vec![on_reply(Condition::Frame(3), Reaction::Cut)];
    let (proxies, mut client) = connect(1, rules);
    assert_eq!(bytes_until_the_end(&mut client), 3 * FRAME_BYTES);
    assert_eq!(proxies.counts().cuts, 1);
}

#[test]
fn a_cut_after_some_bytes() {
    let rules = vec![on_reply(Condition::Bytes(5 * FRAME_BYTES as u64), Reaction::Cut)];
    let (_proxies, mut client) = connect(1, rules);
    assert_eq!(bytes_until_the_end(&mut client), 5 * FRAME_BYTES);
}

#[test]
fn a_truncated_frame_is_the_last() {
    let rules = vec![on_reply(Condition::Frame(3), Reaction::Truncate)];
    let (proxies, mut client) = connect(1, rules);
    let bytes = bytes_until_the_end(&mut client);
    assert!((3 * FRAME_BYTES..4 * FRAME_BYTES).contains(&bytes), "{bytes}");
    assert_eq!(proxies.counts().truncations, 1);
}

#[test]
fn a_delay_holds_frames_and_loses_none() {
    let rules = vec![on_reply(Condition::Always, Reaction::Delay(Duration::from_millis(20)))];
    let (proxies, mut client) = connect(1, rules);
    let begun = Instant::now();
    (0..20).for_each(|number| echo(&mut client, number).unwrap());
    // 20 delays of 10 ms on average.
    assert!(begun.elapsed() > Duration::from_millis(60), "{:?}", begun.elapsed());
    assert_eq!(proxies.counts().delays, 20);
}

#[test]
fn a_stalled_connection_stays_open_until_the_client_closes_it() {
    let rules = vec![on_reply(Condition::Frame(1), Reaction::Stall)];
    let (proxies, mut client) = connect(1, rules);
    echo(&mut client, 0).unwrap();
    client.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let error = echo(&mut client, 1).unwrap_err();
    assert!(matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut), "{error}");
    assert_eq!((proxies.counts().stalls, proxies.open_connections()), (1, 1));
    drop(client);
    wait_until("the connection is closed", || proxies.open_connections() == 0);
}

#[test]
fn the_same_seed_replays() {
    let lengths = |seed| -> Vec<usize> {
        let rules = vec![on_reply(Condition::Chance(0.05), Reaction::Truncate)];
        let (proxies, first) = connect(seed, rules);
        let address = first.peer_addr().unwrap();
        let mut clients = vec![first];
        // One after the other, so that their numbers are known.
        for count in 1..6 {
            clients.push(TcpStream::connect(address).unwrap());
            wait_until("it is accepted", || proxies.counts().connections > count);
        }
        clients.iter_mut().map(bytes_until_the_end).collect()
    };
    let first = lengths(7);
    assert_eq!(first, lengths(7));
    assert_ne!(first, lengths(8));
}

#[test]
fn rules_change_while_it_runs() {
    let (proxies, mut client) = connect(1, Vec::new());
    echo(&mut client, 0).unwrap();
    proxies.set_rules(vec![Rule::new(Condition::Always, Reaction::Cut)]);
    assert!(echo(&mut client, 1).is_err());
    proxies.set_rules(Vec::new());
    let mut client = TcpStream::connect(client.peer_addr().unwrap()).unwrap();
    echo(&mut client, 2).unwrap();
    proxies.cut_all();
    assert!(echo(&mut client, 3).is_err());
    // Both directions of the first connection may have met the rule before it was gone.
    assert!((2..=3).contains(&proxies.counts().cuts), "{}", proxies.counts().cuts);
}

#[test]
fn each_server_has_its_proxy() {
    let proxies = ProxySet::new(1, Vec::new());
    let one = proxies.translate("localhost", 1).unwrap();
    assert_eq!(proxies.translate("localhost", 1).unwrap(), one);
    assert_ne!(proxies.translate("localhost", 2).unwrap(), one);
    // Nobody listens behind it: the client finds the connection closed.
    let mut client = TcpStream::connect(one).unwrap();
    assert!(echo(&mut client, 0).is_err());
    drop(proxies);
    wait_until("the proxy is gone", || TcpStream::connect(one).is_err());
}

/// The rule for replies alone.
fn on_reply(when: Condition, then: Reaction) -> Rule {
    Rule::new(Condition::All(vec![Condition::Direction(Direction::ToClient), when]), then)
}

/// A client that is connected through a proxy.
fn connect(seed: u64, rules: Vec<Rule>) -> (ProxySet, TcpStream) {
    let proxies = ProxySet::new(seed, rules);
    let server = echo_server();
    let client = TcpStream::connect(proxies.translate("127.0.0.1", server).unwrap()).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    wait_until("the proxy has the connection", || proxies.open_connections() == 1);
    (proxies, client)
}

fn echo_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    spawn(move || {
        for client in listener.incoming().map(Result::unwrap) {
            // A connection that breaks is what is tested.
            spawn(move || io::copy(&mut &client, &mut &client));
        }
    });
    port
}

fn frame(number: u8) -> Vec<u8> {
    let mut frame = u32::try_from(BODY_BYTES).unwrap().to_be_bytes().to_vec();
    frame.extend([number; BODY_BYTES]);
    frame
}

/// Sends a frame and waits for it to come back.
fn echo(client: &mut TcpStream, number: u8) -> io::Result<()> {
    client.write_all(&frame(number))?;
    let mut back = vec![0; FRAME_BYTES];
    client.read_exact(&mut back)?;
    assert!(back == frame(number));
    Ok(())
}

/// Sends frames and counts what comes back, until the connection is closed.
fn bytes_until_the_end(client: &mut TcpStream) -> usize {
    let mut count = 0;
    let mut buffer = [0; FRAME_BYTES];
    for number in 0..=u8::MAX {
        if client.write_all(&frame(number)).is_err() {
            break;
        }
        let end = count / FRAME_BYTES * FRAME_BYTES + FRAME_BYTES;
        while count < end {
            match client.read(&mut buffer[..end - count]) {
                Ok(0) | Err(_) => return count,
                Ok(read) => count += read,
            }
        }
    }
    count
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < deadline, "not within 120 s: {what}");
        sleep(Duration::from_millis(2));
    }
}
