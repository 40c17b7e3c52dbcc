//! Ports that nobody uses.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener};

/// Below the range from which systems take ports for outgoing connections: a port found here stays free until the
/// server that it is for listens, unless another testbed draws the same one.
const FIRST: u16 = 20_000;
const COUNT: u64 = 12_000;
const ATTEMPTS: u64 = 200;

/// A port on loopback that is free now. Drawn at random, so that testbeds side by side do not meet.
pub(crate) fn free() -> io::Result<u16> {
    let random = RandomState::new();
    for attempt in 0..ATTEMPTS {
        let offset = u16::try_from(random.hash_one(attempt) % COUNT).unwrap_or(0);
        let port = FIRST + offset;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::new(io::ErrorKind::AddrInUse, "no free port on loopback"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ports_differ_and_can_be_listened_on() {
        let listeners: Vec<_> =
            (0..20).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, free().unwrap())).unwrap()).collect();
        let ports: BTreeSet<_> = listeners.iter().map(|l| l.local_addr().unwrap().port()).collect();
        assert_eq!(ports.len(), 20);
    }
}
