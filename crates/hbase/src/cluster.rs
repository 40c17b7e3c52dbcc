//! What all handles of a client share: settings, connections, what is known of the cluster.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::metrics::Counters;
use crate::region::cache::Cache;
use crate::region::{Location, Region};
use crate::registry::Registry;
use crate::retry::Remedy;
use crate::rpc::pool::Pool;
use crate::rpc::{CallError, Connection, Service};
use crate::{Config, HostPort};

pub(crate) struct Cluster {
    pub config: Arc<Config>,
    pub counters: Arc<Counters>,
    pub pool: Arc<Pool>,
    pub registry: Registry,
    pub cache: Cache,
    pub lookups: crate::region::locator::Lookups,
    meta: Mutex<Option<Arc<Location>>>,
    master: Mutex<Option<HostPort>>,
}

impl Cluster {
    pub fn new(config: Config) -> Self {
        let config = Arc::new(config);
        let counters = Arc::new(Counters::default());
        let pool = Arc::new(Pool::new(config.clone(), counters.clone()));
        let registry = Registry::new(&config, pool.clone());
        Self {
            config,
            counters,
            pool,
            registry,
            cache: Cache::default(),
            lookups: crate::region::locator::Lookups::default(),
            meta: Mutex::default(),
            master: Mutex::default(),
        }
    }

    /// Who serves `hbase:meta`.
    pub async fn meta_location(&self, deadline: Instant) -> Result<Arc<Location>, CallError> {
        if let Some(known) = &*self.meta.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(known.clone());
        }
        let server = self.registry.meta_server(deadline).await?;
        let address = server.address.clone();
        let location = Arc::new(Location { region: Region::meta(), server: Some(server), address });
        *self.meta.lock().unwrap_or_else(PoisonError::into_inner) = Some(location.clone());
        Ok(location)
    }

    /// A connection to the active master.
    pub async fn master(&self, deadline: Instant) -> Result<Arc<Connection>, CallError> {
        let address = match self.known_master() {
            Some(address) => address,
            None => self.registry.active_master(deadline).await?.address,
        };
        let connection = self.pool.connection(&address, Service::Master).await;
        *self.master.lock().unwrap_or_else(PoisonError::into_inner) = connection.is_ok().then_some(address);
        connection
    }

    /// The master, if it is known.
    pub fn known_master(&self) -> Option<HostPort> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The master may be another one now.
    pub fn forget_master(&self) {
        *self.master.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Forgets or corrects what a failure proved wrong.
    pub fn learn_from(&self, failure: &CallError, location: Option<&Arc<Location>>, remedy: &Remedy) {
        let Some(location) = location else { return };
        if location.region.table.is_meta() && *remedy != Remedy::BackOff {
            let mut meta = self.meta.lock().unwrap_or_else(PoisonError::into_inner);
            if meta.as_ref().is_some_and(|known| Arc::ptr_eq(known, location)) {
                *meta = None;
            }
            return;
        }
        match remedy {
            Remedy::UseAddress(address) => self.cache.move_to(location, address.clone()),
            Remedy::Relocate | Remedy::ReopenScanner => {
                // What cannot even be connected to serves none of its other regions either.
                match failure {
                    CallError::Connect { address, .. } => self.cache.forget_server(address),
                    CallError::Server(exception) if exception.simple_name() == "UnknownScannerException" => {}
                    _ => self.cache.forget(location),
                }
            }
            Remedy::BackOff | Remedy::Wait(_) | Remedy::Fail => {}
        }
    }
}
