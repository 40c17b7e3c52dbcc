//! The simulation itself: clients send batches in the order of time, servers answer when their buckets allow it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use fastrand::Rng;

use super::bucket::Service;
use super::server::Fleet;
use super::{Added, Batch, Clients, Cluster, Layout, SimulateError, Simulated, Slices, Stream};

/// Writes a stream into a table on a cluster. Everything random comes from the seed.
pub fn simulate(
    cluster: &Cluster,
    layout: &Layout,
    clients: &Clients,
    stream: &mut dyn Stream,
    seed: u64,
) -> Result<Simulated, SimulateError> {
    cluster.check()?;
    clients.check()?;
    layout.check(cluster.servers)?;
    let mut run = Run::new(cluster, layout, clients, stream);
    run.begin(&mut Rng::with_seed(seed));
    while let Some(send) = run.sends.pop() {
        run.keep_house(send.at_s);
        run.send(send)?;
    }
    Ok(run.end())
}

/// A client that sends its batch at a time; the earliest is the greatest, and of two the one with the lower number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Send {
    at_s: f64,
    client: usize,
}

impl Eq for Send {}

impl Ord for Send {
    fn cmp(&self, other: &Self) -> Ordering {
        other.at_s.total_cmp(&self.at_s).then(other.client.cmp(&self.client))
    }
}

impl PartialOrd for Send {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Debug, Default)]
struct Client {
    /// The batch that it sends next.
    batch: Batch,
    /// When the batches that are on their way will be done.
    unfinished_s: Vec<f64>,
}

/// What a batch asks of a server.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    rows: u64,
    /// When the threads of its regions are ready.
    threads_ready_s: f64,
}

struct Run<'a> {
    cluster: &'a Cluster,
    behaviour: &'a Clients,
    stream: &'a mut dyn Stream,
    fleet: Fleet<'a>,
    slices: Slices,
    clients: Vec<Client>,
    sends: BinaryHeap<Send>,
    coming: std::slice::Iter<'a, Added>,
    next_coming: Option<Added>,
    next_balance_s: f64,
    rows: u64,
    load_s: f64,
    /// What the batch that is being sent asks of each server.
    asked: Vec<Asked>,
    /// The servers that it asks something of.
    touched: Vec<usize>,
}

impl<'a> Run<'a> {
    fn new(
        cluster: &'a Cluster,
        layout: &Layout,
        behaviour: &'a Clients,
        stream: &'a mut dyn Stream,
    ) -> Self {
        let mut coming = cluster.growth.added.iter();
        Self {
            cluster,
            behaviour,
            fleet: Fleet::new(cluster, layout),
            slices: Slices::new(cluster.servers),
            clients: (0..stream.clients()).map(|_| Client::default()).collect(),
            stream,
            sends: BinaryHeap::new(),
            next_coming: coming.next().copied(),
            coming,
            next_balance_s: cluster.growth.balance_every_s.unwrap_or(f64::INFINITY),
            rows: 0,
            load_s: 0.0,
            asked: vec![Asked::default(); cluster.servers],
            touched: Vec::new(),
        }
    }

    fn begin(&mut self, random: &mut Rng) {
        for client in 0..self.clients.len() {
            self.read_next(client, random.f64() * self.behaviour.start_spread_s);
        }
    }

    /// A client reads its next batch, from a time on, and will send it.
    fn read_next(&mut self, client: usize, free_at_s: f64) {
        let Some(reader) = self.clients.get_mut(client) else { return };
        if self.stream.next(client, &mut reader.batch) {
            let read_s = reader.batch.total() as f64 * self.behaviour.row_s;
            let at_s = (free_at_s + read_s).max(reader.batch.not_before_s);
            self.sends.push(Send { at_s, client });
        }
    }

    /// Servers come and regions move when their time has come.
    fn keep_house(&mut self, now_s: f64) {
        while let Some(added) = self.next_coming.filter(|added| self.rows >= added.after_rows) {
            self.fleet.add_servers(added.servers);
            (0..added.servers).for_each(|_| self.slices.add_server());
            self.asked.resize(self.asked.len() + added.servers, Asked::default());
            self.next_coming = self.coming.next().copied();
        }
        if now_s >= self.next_balance_s {
            self.fleet.balance(now_s);
            // Balancing twice without a batch between changes nothing.
            let every_s = self.cluster.growth.balance_every_s.unwrap_or(f64::INFINITY);
            self.next_balance_s = now_s + every_s;
        }
    }

    fn send(&mut self, Send { at_s, client }: Send) -> Result<(), SimulateError> {
        let Some(sender) = self.clients.get_mut(client) else { return Ok(()) };
        let batch = std::mem::take(&mut sender.batch);
        let answered_s = self.answer(&batch, at_s)?;
        self.rows += batch.total();
        self.load_s = self.load_s.max(answered_s);
        let Some(sender) = self.clients.get_mut(client) else { return Ok(()) };
        sender.batch = batch;
        sender.unfinished_s.push(answered_s);
        sender.unfinished_s.retain(|done_s| *done_s > at_s);
        let mut free_at_s = at_s;
        while sender.unfinished_s.len() >= self.behaviour.in_flight.max(1) {
            let first =
                sender.unfinished_s.iter().copied().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((index, done_s)) = first else { break };
            sender.unfinished_s.swap_remove(index);
            free_at_s = done_s;
        }
        self.read_next(client, free_at_s);
        Ok(())
    }

    /// When all servers have answered a batch.
    fn answer(&mut self, batch: &Batch, at_s: f64) -> Result<f64, SimulateError> {
        let cells = self.fleet.cells();
        for &(cell, rows) in &batch.rows {
            let written = self.fleet.write(cell, rows, at_s);
            let (region, server, ready_s) = written.ok_or(SimulateError::UnknownCell { cell, cells })?;
            self.fleet.split_if_large(region, at_s);
            if let Some(asked) = self.asked.get_mut(server) {
                if asked.rows == 0 {
                    self.touched.push(server);
                }
                asked.rows += rows;
                asked.threads_ready_s = asked.threads_ready_s.max(ready_s);
            }
        }
        let calls = self.touched.len() as f64;
        let mut all_ready_s = at_s;
        for server in self.touched.drain(..) {
            let asked = self.asked.get_mut(server).map(std::mem::take).unwrap_or_default();
            let service = self.fleet.serve(server, asked.rows, at_s);
            let ready_s = service.ready_s.max(asked.threads_ready_s);
            self.slices.add(server, asked.rows, Service { ready_s, ..service });
            self.fleet.waited(server, ready_s - at_s);
            all_ready_s = all_ready_s.max(ready_s);
        }
        Ok(all_ready_s + calls * self.behaviour.call_s + self.behaviour.round_trip_s)
    }

    fn end(self) -> Simulated {
        let mut regions = self.fleet.regions;
        regions.sort_by_key(|region| region.first_cell);
        Simulated {
            load_s: self.load_s,
            rows_per_region: regions.iter().map(|region| region.rows).collect(),
            server_of_region: regions.iter().map(|region| region.server).collect(),
            servers: self.fleet.outcomes,
            slices: self.slices,
            splits: self.fleet.splits,
            moves: self.fleet.moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::{Capacity, Cores, Drawn, Growth, Law, Rows};
    use super::*;

    const SEED: u64 = 1;

    fn one_client(rows: usize) -> Vec<Vec<Range<usize>>> {
        vec![std::iter::once(0..rows).collect()]
    }

    fn capacity(requests_per_second: f64) -> Capacity {
        Capacity { requests_per_second, burst_requests: 1, cores: None }
    }

    /// A million ids from ten clients into eight regions on four servers of 1,000 requests a second.
    fn loaded(law: Law, regions: u32) -> Simulated {
        let mut stream = Drawn::new(law, regions, 1_000_000, 10, 1_000, SEED).unwrap();
        let layout = Layout::pre_split(regions as usize, 4);
        simulate(&Cluster::fixed(4, capacity(1_000.0)), &layout, &Clients::default(), &mut stream, SEED)
            .unwrap()
    }

    #[test]
    fn one_client_waits_for_one_server() {
        let mut stream = Rows::new(&[0; 1_000], &one_client(1_000), 100).unwrap();
        let clients = Clients { row_s: 0.01, round_trip_s: 0.5, ..Clients::default() };
        let cluster = Cluster::fixed(1, capacity(100.0));
        let done = simulate(&cluster, &Layout::pre_split(1, 1), &clients, &mut stream, SEED).unwrap();
        // Ten batches, each read in 1 s, served in 0.99 s after the free one, answered 0.5 s later.
        assert!((done.load_s - 10.0 * (1.0 + 0.99 + 0.5)).abs() < 0.02, "{}", done.load_s);
        assert_eq!(done.rows_per_region, [1_000]);
    }

    #[test]
    fn batches_in_flight_hide_the_waiting_for_answers() {
        let load_s = |in_flight| {
            let mut stream = Rows::new(&[0; 1_000], &one_client(1_000), 100).unwrap();
            let clients = Clients { in_flight, round_trip_s: 1.0, ..Clients::default() };
            let cluster = Cluster::fixed(1, capacity(100.0));
            simulate(&cluster, &Layout::pre_split(1, 1), &clients, &mut stream, SEED).unwrap().load_s
        };
        assert!(
            (load_s(1) - 20.0).abs() < 0.2 && (load_s(2) - 11.0).abs() < 0.2,
            "{} {}",
            load_s(1),
            load_s(2)
        );
    }

    #[test]
    fn a_hot_key_takes_as_many_times_longer_as_there_are_servers() {
        let (even, hot) = (loaded(Law::Even, 8), loaded(Law::Even, 1));
        assert!((hot.load_s - 1_000.0).abs() < 1.0, "{}", hot.load_s);
        assert!((hot.load_s / even.load_s - 4.0).abs() < 0.2, "{}", hot.load_s / even.load_s);
        assert_eq!(hot.busiest(), Some((0, 1.0)));
        assert_eq!(even.rows_per_region.iter().sum::<u64>(), 1_000_000);
        assert_eq!(even.servers.iter().map(|server| server.rows).sum::<u64>(), 1_000_000);
    }

    #[test]
    fn the_remainder_of_the_id_is_even_in_total_and_hot_at_every_moment() {
        // Ten clients a hundred thousand apart: all have the same remainder at the same time, until the first to cross a
        // border has the next server for itself and gets ahead of the others.
        let done = loaded(Law::Modulo(100_000), 4);
        assert_eq!(done.rows_per_region, [250_000; 4]);
        assert!((800.0..1_000.0).contains(&done.load_s), "{}", done.load_s);
        let rates = done.rates(20);
        let hottest_shares = (0..20).map(|slot| {
            let of_slot = rates.iter().map(|rates| rates[slot]);
            of_slot.clone().fold(0.0, f64::max) / of_slot.sum::<f64>()
        });
        let mean = hottest_shares.sum::<f64>() / 20.0;
        assert!(mean > 0.8, "a fourth would be even: {mean}");
    }

    #[test]
    fn three_regions_a_server_are_best_where_four_cores_serve_them() {
        let cores = Some(Cores { per_server: 4, switching_loss: 0.1 });
        let cluster = Cluster::fixed(4, Capacity { cores, ..capacity(1_000.0) });
        let times: Vec<f64> = [4, 8, 12, 16]
            .map(|regions| {
                let mut stream = Drawn::new(Law::Even, regions, 400_000, 24, 1_000, SEED).unwrap();
                let layout = Layout::pre_split(regions as usize, 4);
                simulate(&cluster, &layout, &Clients::default(), &mut stream, SEED).unwrap().load_s
            })
            .to_vec();
        assert!(times[0] > times[1] && times[1] > times[2] && times[2] < times[3], "{times:?}");
    }

    #[test]
    fn a_table_that_splits_by_itself_catches_up_once_its_regions_move() {
        let growing = |balance_every_s| {
            let growth = Growth {
                split_bytes: Some(5_000_000),
                bytes_a_row: 100,
                balance_every_s,
                pause_s: 0.5,
                added: Vec::new(),
            };
            let cluster = Cluster { growth, ..Cluster::fixed(4, capacity(1_000.0)) };
            let mut stream = Drawn::new(Law::Even, 1_024, 1_000_000, 10, 1_000, SEED).unwrap();
            simulate(&cluster, &Layout::one_region(1_024), &Clients::default(), &mut stream, SEED).unwrap()
        };
        let (alone, balanced) = (growing(None), growing(Some(60.0)));
        assert_eq!(alone.busiest(), Some((0, 1.0)), "nobody moves the halves");
        assert!(alone.splits >= 16 && alone.moves == 0 && balanced.moves > 0, "{balanced:?}");
        assert!(alone.load_s > 990.0 && balanced.load_s < 700.0, "{} {}", alone.load_s, balanced.load_s);
        assert!(balanced.load_s > 250.0, "the beginning was on one server");
        assert_eq!(balanced.rows_per_region.iter().sum::<u64>(), 1_000_000);
        assert!(balanced.rows_per_region.iter().all(|rows| rows * 100 < 5_000_000 + 100_000));
    }

    #[test]
    fn servers_that_come_half_way_take_their_share() {
        let with = |added| {
            let growth = Growth { balance_every_s: Some(10.0), added, ..Growth::default() };
            let cluster = Cluster { growth, ..Cluster::fixed(4, capacity(1_000.0)) };
            let mut stream = Drawn::new(Law::Even, 64, 1_000_000, 10, 1_000, SEED).unwrap();
            simulate(&cluster, &Layout::pre_split(64, 4), &Clients::default(), &mut stream, SEED).unwrap()
        };
        let (four, eight) = (with(Vec::new()), with(vec![Added { after_rows: 500_000, servers: 4 }]));
        assert_eq!((four.servers.len(), eight.servers.len(), eight.moves), (4, 8, 32));
        let ratio = eight.load_s / four.load_s;
        assert!((0.70..0.85).contains(&ratio), "half the load at twice the speed: {ratio}");
    }

    #[test]
    fn a_thousand_servers_and_a_thousand_million_writes_take_seconds() {
        let mut stream = Drawn::new(Law::Even, 10_000, 1_000_000_000, 10, 10_000_000, SEED).unwrap();
        let cluster = Cluster::fixed(1_000, capacity(10_000.0));
        let layout = Layout::pre_split(10_000, 1_000);
        let done = simulate(&cluster, &layout, &Clients::default(), &mut stream, SEED).unwrap();
        assert_eq!(done.rows_per_region.iter().sum::<u64>(), 1_000_000_000);
        assert!((100.0..110.0).contains(&done.load_s), "{}", done.load_s);
    }

    #[test]
    fn a_cell_outside_the_table_is_refused() {
        let mut stream = Rows::new(&[7], &one_client(1), 1).unwrap();
        let cluster = Cluster::fixed(1, capacity(1.0));
        let refused = simulate(&cluster, &Layout::pre_split(3, 1), &Clients::default(), &mut stream, SEED);
        assert_eq!(refused.unwrap_err(), SimulateError::UnknownCell { cell: 7, cells: 3 });
    }
}
