//! The same work as the Java client's, by ours.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use hbase::{Action, Client, FamilySchema, Get, Mutation, Put, Scan, Table, TableSchema};
use hbase_testbed::java_client::rows::{FAMILY, drawn_row, qualifier, row_key, splits, value};
use hbase_testbed::java_client::{Measured, Work};
use tokio::runtime::Runtime;

use crate::processor_time;

/// Our client, with its runtime.
pub struct Ours {
    runtime: Runtime,
    pub client: Client,
}

impl Ours {
    pub fn connect(address: &str) -> Result<Self, String> {
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        let client = runtime.block_on(Client::connect(address)).map_err(|error| error.to_string())?;
        Ok(Self { runtime, client })
    }

    pub fn flush(&self, tables: &[&str]) -> Result<(), String> {
        self.runtime.block_on(async {
            for table in tables {
                let name = table.parse().map_err(|error: hbase::NameError| error.to_string())?;
                self.client.admin().flush_table(&name, None).await.map_err(|error| error.to_string())?;
            }
            Ok(())
        })
    }

    pub fn run(&self, work: &Work) -> Result<Measured, String> {
        self.runtime.block_on(self.work(work)).map_err(|error| error.to_string())
    }

    async fn work(&self, work: &Work) -> Result<Measured, hbase::Error> {
        match work.clone() {
            Work::Create { table, regions } => {
                let schema = TableSchema::new(table.parse()?).family(FamilySchema::new(FAMILY));
                let splits: Vec<bytes::Bytes> = splits(regions).into_iter().map(Into::into).collect();
                self.client.admin().create_table(&schema, &splits).await?;
                Ok(Measured::default())
            }
            Work::Drop { table } => {
                self.client.admin().disable_table(&table.parse()?).await?;
                self.client.admin().delete_table(&table.parse()?).await?;
                Ok(Measured::default())
            }
            Work::Put { table, first, count, in_flight, value_bytes, .. }
            | Work::Stall { table, first, count, in_flight, value_bytes } => {
                let table = self.client.table(&table)?;
                self.many(count, in_flight, move |number| {
                    let table = table.clone();
                    async move { table.put(put(first + number, 1, value_bytes)).await }
                })
                .await
            }
            Work::Get { table, count, in_flight, rows, .. } => {
                let table = self.client.table(&table)?;
                self.many(count, in_flight, move |number| read_drawn(table.clone(), number, u64::from(rows)))
                    .await
            }
            Work::Batch { table, first, count, batch, in_flight, columns, value_bytes, .. } => {
                let table = self.client.table(&table)?;
                let batch = u64::from(batch);
                self.many(count.div_ceil(batch), in_flight, move |number| {
                    let rows = number * batch..count.min((number + 1) * batch);
                    let puts = rows.map(|row| put(first + row, columns, value_bytes)).collect();
                    write_batch(table.clone(), puts)
                })
                .await
            }
            Work::Scan { table, .. } => self.scan(&self.client.table(&table)?).await,
        }
    }

    /// So many tasks that each do one operation after the other.
    async fn many<F>(
        &self,
        count: u64,
        in_flight: u32,
        operation: impl Fn(u64) -> F + Clone + Send + 'static,
    ) -> Result<Measured, hbase::Error>
    where
        F: Future<Output = Result<(), hbase::Error>> + Send,
    {
        let (begun, cpu_before) = (Instant::now(), processor_time::spent());
        let next = Arc::new(AtomicU64::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..in_flight {
            let (next, operation) = (next.clone(), operation.clone());
            tasks.spawn(async move {
                let mut ends = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return Ok::<_, hbase::Error>(ends);
                    }
                    let started = Instant::now();
                    operation(number).await?;
                    ends.push((started.elapsed(), Instant::now()));
                }
            });
        }
        let mut ends = Vec::new();
        while let Some(done) = tasks.join_next().await {
            ends.extend(done.map_err(|error| hbase::Error::Protocol(error.to_string()))??);
        }
        let measured = Measured {
            wall: begun.elapsed(),
            cpu: processor_time::spent() - cpu_before,
            ..Measured::default()
        };
        Ok(with_latencies(measured, begun, ends))
    }

    async fn scan(&self, table: &Table) -> Result<Measured, hbase::Error> {
        let (begun, cpu_before) = (Instant::now(), processor_time::spent());
        let mut measured = Measured::default();
        let mut scanner = table.scan(Scan::all());
        loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                measured.rows += 1;
                for cell in &row.cells {
                    measured.cells += 1;
                    measured.bytes += (cell.row().len() + cell.qualifier().len() + cell.value().len()) as u64;
                }
            }
        }
        measured.wall = begun.elapsed();
        measured.cpu = processor_time::spent() - cpu_before;
        Ok(measured)
    }

    /// From the call of a lone get until its bytes are on the socket: its future is polled once, which sends it.
    pub fn lone_gets(&self, count: u64) -> Result<Vec<Duration>, String> {
        self.runtime.block_on(async {
            let text = |error: hbase::Error| error.to_string();
            let table = self.client.table("bench_small").map_err(text)?;
            let mut times = Vec::new();
            for number in 0..count {
                let get = Get::new(row_key(drawn_row(number, 1_000_000)));
                let sent_before = self.client.metrics().bytes_sent;
                let begun = Instant::now();
                let mut read = Box::pin(table.get(get));
                let first = read.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                let took = begun.elapsed();
                let sent = self.client.metrics().bytes_sent > sent_before;
                if !sent && number > count / 10 {
                    return Err("a lone get was not sent at once".to_owned());
                }
                match first {
                    // Another thread can bring the answer while this one is still in its first poll: then the time is
                    // not that of sending alone.
                    Poll::Ready(done) => drop(done.map_err(text)?),
                    Poll::Pending => {
                        read.await.map_err(text)?;
                        times.push(took);
                    }
                }
            }
            // The first ones made connections and looked regions up.
            Ok(times.split_off((count / 10) as usize))
        })
    }
}

fn with_latencies(measured: Measured, begun: Instant, mut ends: Vec<(Duration, Instant)>) -> Measured {
    ends.sort_by_key(|(_, end)| *end);
    let mut last = begun;
    let mut longest_gap = Duration::ZERO;
    for (_, end) in &ends {
        longest_gap = longest_gap.max(*end - last);
        last = *end;
    }
    let mut latencies: Vec<Duration> = ends.into_iter().map(|(latency, _)| latency).collect();
    latencies.sort();
    let at = |part: f64| latencies.get((latencies.len() as f64 * part) as usize).copied().unwrap_or_default();
    Measured { operations: latencies.len() as u64, p50: at(0.5), p99: at(0.99), longest_gap, ..measured }
}

fn put(number: u64, columns: u32, value_bytes: u32) -> Put {
    let key = row_key(number);
    let value: bytes::Bytes = value(&key, value_bytes as usize).into();
    (0..columns as usize).fold(Put::new(key), |put, column| put.add(FAMILY, qualifier(column), value.clone()))
}

async fn read_drawn(table: Table, number: u64, rows: u64) -> Result<(), hbase::Error> {
    let row = table.get(Get::new(row_key(drawn_row(number, rows)))).await?;
    if row.is_empty() {
        return Err(hbase::Error::Protocol("a row is missing".to_owned()));
    }
    Ok(())
}

async fn write_batch(table: Table, puts: Vec<Put>) -> Result<(), hbase::Error> {
    let actions = puts.into_iter().map(|put| Action::Mutate(Mutation::Put(put))).collect();
    table.batch(actions).await.into_iter().try_for_each(|result| result.map(drop))
}
