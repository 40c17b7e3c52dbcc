//! `--simulate`: predicts the load of a table's own key stream on a cluster, strategy by strategy.
//!
//! Whichever client is free takes the next batch of the stream, and waits for the slowest server of it; a server writes so
//! many rows a second. So a key that is even in all and hot at every moment shows its price: the servers take turns.

use fastrand::Rng;
use serde::Serialize;
use tablesmith_design::keys::Setup;
use tablesmith_design::keys::judge::{Judged, Judgement, Row};
use tablesmith_design::keys::simulate::{
    Capacity, Clients, Cluster, Layout, Rows, SimulateError, region_of, simulate,
};
use tablesmith_model::key::{KeyCodec, KeyError, KeyInput};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;

use super::source::Source;
use super::stream::each_row;
use crate::AppError;
use crate::context::FileProgress;

/// Rows that are simulated at most; of longer streams every n-th row stands for n.
const ROWS_MAX: u64 = 2_000_000;
/// Rows of a client's batch: HBase's buffer of 2 MB has about as many …
const BATCH_ROWS_MAX: usize = 1_000;
/// … and a short stream has at least so many batches, of so many rows: else all of it would be under way at once.
const BATCHES: usize = 1_000;
const BATCH_ROWS_MIN: usize = 20;
/// Clients for each server: enough that servers wait for nobody.
const CLIENTS_PER_SERVER: usize = 4;
/// Rows that a server writes in a second.
const ROWS_PER_SECOND: u32 = 10_000;
/// What a batch takes on its way there and back.
const ROUND_TRIP_S: f64 = 0.001;

/// The loads of all strategies on a simulated cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedLoads {
    /// Region servers.
    pub servers: usize,
    /// Clients that write.
    pub clients: usize,
    /// Rows of a client's batch.
    pub batch_rows: usize,
    /// Rows that a server writes in a second, which load times are in proportion to.
    pub rows_per_second: u32,
    /// Rows of the stream.
    pub rows: u64,
    /// One row was simulated of so many.
    pub one_of: u64,
    /// The strategies, the fastest first.
    pub strategies: Vec<SimulatedLoad>,
}

/// The load of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedLoad {
    /// The strategy.
    pub strategy: &'static str,
    /// How long the load takes, in seconds.
    pub load_s: f64,
    /// Times as long as servers that are busy all the time would take.
    pub times_even: f64,
    /// The server that writes the most rows, from 0.
    pub busiest_server: usize,
    /// Its share of all rows.
    pub busiest_share: f64,
}

/// Reads the rows once more, and loads them into a table for each strategy, pre-split as judged.
pub fn run(
    source: &Source,
    table: &Table,
    setup: &Setup,
    judgement: &Judgement,
    servers: usize,
    reading: &mut FileProgress<'_>,
) -> Result<SimulatedLoads, AppError> {
    let one_of = judgement.rows.div_ceil(ROWS_MAX).max(1);
    let mut placed = judgement
        .strategies
        .iter()
        .map(|judged| Placed::new(setup, judged).map_err(AppError::about(&table.name)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut number = 0_u64;
    each_row(source, table, setup, reading, &mut |row| {
        if number.is_multiple_of(one_of) {
            placed.iter_mut().for_each(|placed| placed.take(setup, row, number));
        }
        number += 1;
    })?;
    let clients = servers.saturating_mul(CLIENTS_PER_SERVER);
    let simulated = usize::try_from(number / one_of).unwrap_or(usize::MAX);
    let batch_rows = (simulated / BATCHES).clamp(BATCH_ROWS_MIN, BATCH_ROWS_MAX);
    let loaders = Loaders { servers, clients, batch_rows };
    let mut strategies = placed
        .iter()
        .map(|placed| placed.load(&loaders, one_of, setup.seed).map_err(AppError::about(&table.name)))
        .collect::<Result<Vec<_>, _>>()?;
    strategies.sort_by(|one, other| one.load_s.total_cmp(&other.load_s));
    Ok(SimulatedLoads {
        servers,
        clients,
        batch_rows,
        rows_per_second: ROWS_PER_SECOND,
        rows: number,
        one_of,
        strategies,
    })
}

/// Who loads into how large a cluster.
struct Loaders {
    servers: usize,
    clients: usize,
    batch_rows: usize,
}

/// The regions that rows go to under a strategy.
struct Placed<'j> {
    judged: &'j Judged,
    codec: KeyCodec,
    regions: Vec<u16>,
}

impl<'j> Placed<'j> {
    fn new(setup: &Setup, judged: &'j Judged) -> Result<Self, KeyError> {
        let columns = setup.columns();
        let type_of =
            |field: &str| columns.iter().find(|column| column.name == field).map(|column| column.value_type);
        Ok(Self { judged, codec: judged.key.codec(type_of)?, regions: Vec::new() })
    }

    /// Rows without a key are nowhere: the judge has said so.
    fn take(&mut self, setup: &Setup, row: &Row<'_>, number: u64) {
        let seed = setup.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut input = StreamRow { setup, row, number, random: Rng::with_seed(seed) };
        if let Ok(key) = self.codec.encode(&mut input) {
            let region = region_of(&self.judged.splits, &key);
            self.regions.push(u16::try_from(region).unwrap_or(u16::MAX));
        }
    }

    fn load(
        &self,
        &Loaders { servers, clients, batch_rows }: &Loaders,
        one_of: u64,
        seed: u64,
    ) -> Result<SimulatedLoad, SimulateError> {
        let capacity = Capacity {
            // A row that stands for several takes as long as they do.
            requests_per_second: f64::from(ROWS_PER_SECOND) / one_of as f64,
            burst_requests: 1,
            cores: None,
        };
        let layout = Layout::pre_split(self.judged.splits.len() + 1, servers);
        let client = Clients {
            in_flight: 1,
            row_s: 0.0,
            call_s: 0.0,
            round_trip_s: ROUND_TRIP_S,
            start_spread_s: 0.0,
        };
        let mut stream = Rows::in_order(&self.regions, clients, batch_rows)?;
        let done = simulate(&Cluster::fixed(servers, capacity), &layout, &client, &mut stream, seed)?;
        let (busiest_server, busiest_share) = done.busiest().unwrap_or_default();
        let even_s = self.regions.len() as f64 / (capacity.requests_per_second * servers as f64);
        Ok(SimulatedLoad {
            strategy: self.judged.name.name(),
            load_s: done.load_s,
            times_even: if even_s > 0.0 { done.load_s / even_s } else { 0.0 },
            busiest_server,
            busiest_share,
        })
    }
}

/// A row of the stream, as far as its key needs it.
struct StreamRow<'r> {
    setup: &'r Setup,
    row: &'r Row<'r>,
    number: u64,
    random: Rng,
}

impl KeyInput for StreamRow<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        let at = self.setup.columns().iter().position(|column| column.name == field)?;
        self.row.values.get(at)
    }

    fn line(&self) -> Option<&[u8]> {
        self.row.line
    }

    fn row_number(&self) -> Option<u64> {
        Some(self.number)
    }

    fn random_below(&mut self, bound: u64) -> Option<u64> {
        (bound > 0).then(|| self.random.u64(..bound))
    }
}
