//! Proxies for all servers of a cluster.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::counts::{Counters, Counts, add};
use super::pump::Pump;
use super::rules::{Direction, Rule};

/// Proxies on loopback, one for each server that a client asks for. All obey the same rules, which can be changed at any
/// time; the same seed gives the same fate to the frames of a connection. Dropped, it closes all its connections.
#[derive(Debug)]
pub struct ProxySet {
    shared: Arc<Shared>,
    proxies: Mutex<HashMap<(String, u16), SocketAddr>>,
}

/// What the proxies of a set have in common.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) seed: u64,
    pub(super) counters: Counters,
    rules: Mutex<Arc<[Rule]>>,
    /// Both ends of each connection that is open, by its number.
    open: Mutex<HashMap<u64, [TcpStream; 2]>>,
    stopped: AtomicBool,
}

impl ProxySet {
    /// No proxies yet. The seed is printed, so that a failed run can be replayed.
    pub fn new(seed: u64, rules: Vec<Rule>) -> Self {
        eprintln!("proxies: TABLESMITH_SEED={seed}");
        let shared = Shared {
            seed,
            counters: Counters::default(),
            rules: Mutex::new(rules.into()),
            open: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), proxies: Mutex::default() }
    }

    /// The address that leads to this server through a proxy: what a client is to use instead. The proxy is made the
    /// first time.
    pub fn translate(&self, host: &str, port: u16) -> io::Result<SocketAddr> {
        let server = (host.to_owned(), port);
        let mut proxies = lock(&self.proxies);
        if let Some(proxy) = proxies.get(&server) {
            return Ok(*proxy);
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let proxy = listener.local_addr()?;
        let shared = Arc::clone(&self.shared);
        proxies.insert(server.clone(), proxy);
        thread::spawn(move || listen(&shared, &listener, &server));
        Ok(proxy)
    }

    /// Other rules from now on, for open connections too. A connection that is stalled stays so.
    pub fn set_rules(&self, rules: Vec<Rule>) {
        *lock(&self.shared.rules) = rules.into();
    }

    /// Closes all open connections; new ones can be made.
    pub fn cut_all(&self) {
        let open = std::mem::take(&mut *lock(&self.shared.open));
        add(&self.shared.counters.cuts, open.len() as u64);
        for end in open.values().flatten() {
            // It can be closed already.
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// How many connections are open.
    pub fn open_connections(&self) -> usize {
        lock(&self.shared.open).len()
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        self.shared.counters.read()
    }

    /// The seed of all chances.
    pub fn seed(&self) -> u64 {
        self.shared.seed
    }
}

impl Drop for ProxySet {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Release);
        for proxy in lock(&self.proxies).values() {
            // Wakes the thread that waits for a client, so that it sees the flag.
            let _ = TcpStream::connect(proxy);
        }
        self.cut_all();
    }
}

impl Shared {
    pub(super) fn rules(&self) -> Arc<[Rule]> {
        Arc::clone(&lock(&self.rules))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(shared: &Arc<Shared>, listener: &TcpListener, server: &(String, u16)) {
    for client in listener.incoming().map_while(Result::ok) {
        if shared.stopped.load(Ordering::Acquire) {
            return;
        }
        let number = add(&shared.counters.connections, 1);
        let (shared, server) = (Arc::clone(shared), server.clone());
        thread::spawn(move || {
            // A server that is down closes the client's connection, which is what dropping it does.
            if let Ok(server) = TcpStream::connect((server.0.as_str(), server.1)) {
                // Streams that cannot be cloned are closed in the same way.
                let _ = carry(&shared, number, client, server);
            }
        });
    }
}

/// Carries both ways until both have ended.
fn carry(shared: &Shared, number: u64, client: TcpStream, server: TcpStream) -> io::Result<()> {
    for end in [&client, &server] {
        end.set_nodelay(true)?;
    }
    lock(&shared.open).insert(number, [client.try_clone()?, server.try_clone()?]);
    let to_server = Pump::new(shared, number, Direction::ToServer, client.try_clone()?, server.try_clone()?);
    let to_client = Pump::new(shared, number, Direction::ToClient, server, client);
    thread::scope(|scope| {
        scope.spawn(|| to_server.run());
        to_client.run();
    });
    lock(&shared.open).remove(&number);
    Ok(())
}
