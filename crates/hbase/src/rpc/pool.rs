//! Connections by server and service, made when they are needed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::{CallError, Connection, Service};
use crate::metrics::Counters;
use crate::{Config, HostPort};

/// All connections of a client.
pub(crate) struct Pool {
    config: Arc<Config>,
    counters: Arc<Counters>,
    slots: Mutex<HashMap<(HostPort, Service), Arc<Server>>>,
}

/// The connections to one service of one server.
struct Server {
    slots: Vec<Slot>,
    next: AtomicUsize,
}

#[derive(Default)]
struct Slot {
    current: Mutex<Option<Arc<Connection>>>,
    /// Held while connecting, so that many callers make one connection. Holds the last failure: those who waited for
    /// it share it instead of trying one after the other.
    connecting: tokio::sync::Mutex<Option<(Instant, CallError)>>,
}

impl Slot {
    fn open_connection(&self) -> Option<Arc<Connection>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().filter(|connection| connection.is_open()).cloned()
    }
}

impl Pool {
    pub fn new(config: Arc<Config>, counters: Arc<Counters>) -> Self {
        Self { config, counters, slots: Mutex::default() }
    }

    /// A connection that is open, or was a moment ago.
    pub async fn connection(
        &self,
        address: &HostPort,
        service: Service,
    ) -> Result<Arc<Connection>, CallError> {
        let server = self.server(address, service);
        let turn = server.next.fetch_add(1, Ordering::Relaxed) % server.slots.len().max(1);
        let Some(slot) = server.slots.get(turn) else {
            return Err(CallError::NoServer("no connections are allowed to a server".to_owned()));
        };
        if let Some(connection) = slot.open_connection() {
            return Ok(connection);
        }
        let asked = Instant::now();
        let mut failure = slot.connecting.lock().await;
        if let Some(connection) = slot.open_connection() {
            return Ok(connection);
        }
        if let Some((at, why)) = &*failure
            && *at >= asked
        {
            return Err(why.clone());
        }
        match Connection::open(&self.config, self.counters.clone(), address.clone(), service).await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                *slot.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.clone());
                Ok(connection)
            }
            Err(why) => {
                *failure = Some((Instant::now(), why.clone()));
                Err(why)
            }
        }
    }

    fn server(&self, address: &HostPort, service: Service) -> Arc<Server> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.config.connections_per_server.max(1);
        let make = || {
            let slots = (0..count).map(|_| Slot::default()).collect();
            Arc::new(Server { slots, next: AtomicUsize::new(0) })
        };
        slots.entry((address.clone(), service)).or_insert_with(make).clone()
    }
}
