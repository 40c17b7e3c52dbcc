//! What the settings of a family bring on a real HBase: each value beside the one that it is chosen instead of, on data and
//! questions of the kind that it is chosen for.

mod data;

use std::time::{Duration, Instant};

use bytes::Bytes;
use hbase_testbed::{Cluster, OneJvm, Settings};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{FlushScope, Get, ReadOptions, Scan, Store};
use tablesmith_store_hbase::HbaseStore;
use tokio::runtime::Runtime;

use self::data::Data;
use crate::measure::{alternate, runtime};

type Failure = Box<dyn std::error::Error>;

const FAMILY: &str = "f";
const ROUNDS: usize = 9;
const GETS: u64 = 1_500;
/// The cache is smaller than the data, so that what a setting saves in reading can be seen.
const CACHE_SHARE: f64 = 0.02;

/// A setting with two values, and what they are compared by.
struct Experiment {
    setting: &'static str,
    /// What is chosen, and what it is chosen instead of.
    values: [&'static str; 2],
    data: Data,
    ask: Ask,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq)]
enum Ask {
    /// Rows by their keys.
    Rows,
    /// A cell of rows with many.
    Cells,
    /// Everything.
    Scan,
    /// Rows by their keys, after a scan of a larger table has been through the cache.
    RowsAfterScan,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment { setting: "BLOOMFILTER", values: ["ROW", "NONE"], data: Data::Small, ask: Ask::Rows },
    Experiment { setting: "BLOOMFILTER", values: ["ROWCOL", "ROW"], data: Data::Wide, ask: Ask::Cells },
    Experiment { setting: "BLOOMFILTER", values: ["NONE", "ROW"], data: Data::Small, ask: Ask::Scan },
    Experiment { setting: "BLOCKSIZE", values: ["16384", "65536"], data: Data::Small, ask: Ask::Rows },
    Experiment { setting: "BLOCKSIZE", values: ["131072", "65536"], data: Data::Texts, ask: Ask::Scan },
    Experiment { setting: "COMPRESSION", values: ["GZ", "NONE"], data: Data::Texts, ask: Ask::Scan },
    Experiment {
        setting: "DATA_BLOCK_ENCODING",
        values: ["FAST_DIFF", "NONE"],
        data: Data::Keys,
        ask: Ask::Scan,
    },
    Experiment {
        setting: "DATA_BLOCK_ENCODING",
        values: ["FAST_DIFF", "NONE"],
        data: Data::Keys,
        ask: Ask::Rows,
    },
    Experiment { setting: "IN_MEMORY", values: ["true", "false"], data: Data::Few, ask: Ask::RowsAfterScan },
    Experiment { setting: "VERSIONS", values: ["1", "10"], data: Data::Rewritten, ask: Ask::Scan },
    Experiment { setting: "TTL", values: ["3600", "2147483647"], data: Data::Old, ask: Ask::Scan },
];

/// Runs all experiments.
pub fn compare() -> Result<(), String> {
    let run = || -> Result<(), Failure> {
        let runtime = runtime()?;
        let settings = Settings { log_level: "WARN".to_owned(), region_servers: 1, ..Settings::default() }
            .with("hfile.block.cache.size", CACHE_SHARE)
            .with("hbase.hstore.compactionThreshold", 100)
            .with("hbase.hstore.blockingStoreFiles", 200);
        let cluster = OneJvm::start(&settings)?;
        let store = runtime.block_on(HbaseStore::connect(&cluster.addresses().by_masters()))?;
        println!(
            "  one region server; medians of {ROUNDS} rounds; rival: the value that it is chosen instead of"
        );
        for (number, experiment) in EXPERIMENTS.iter().enumerate() {
            experiment.run(&runtime, &store, number)?;
        }
        Ok(())
    };
    run().map_err(|error| error.to_string())
}

impl Experiment {
    fn run(&self, runtime: &Runtime, store: &dyn Store, number: usize) -> Result<(), Failure> {
        let mut tables = Vec::new();
        for (side, value) in self.values.iter().enumerate() {
            let name: TableName = format!("settings_{number}_{side}").parse()?;
            runtime.block_on(self.make(store, &name, value))?;
            tables.push(name);
        }
        let large: TableName = format!("settings_{number}_large").parse()?;
        if self.ask == Ask::RowsAfterScan {
            runtime.block_on(Self { data: Data::Texts, ..*self }.make(store, &large, self.values[1]))?;
        }
        let [ours, rival] = tables.as_slice() else { return Err("two sides".into()) };
        let ask = |table: &TableName, round: usize| {
            runtime.block_on(self.asked(store, table, &large, round as u64))
        };
        let compared = alternate(ROUNDS, || (), |round| ask(ours, round), |round| ask(rival, round))?;
        let bytes = [ours, rival].map(|table| runtime.block_on(stored_mb(store, table)));
        let [Ok(our_mb), Ok(rival_mb)] = bytes else { return Err("no sizes".into()) };
        println!(
            "  {:<20} {:<9} instead of {:<10} {:<28} {:>5.2} times as fast, {our_mb} MB instead of {rival_mb}",
            self.setting,
            self.values[0],
            self.values[1],
            format!("{} of {}", self.ask.name(), self.data.name()),
            compared.ratio()
        );
        for table in tables.iter().chain((self.ask == Ask::RowsAfterScan).then_some(&large)) {
            runtime.block_on(async {
                store.disable_table(table).await?;
                store.drop_table(table).await
            })?;
        }
        Ok(())
    }

    /// Makes a table with the setting and fills it, a file for every part of the data.
    async fn make(&self, store: &dyn Store, name: &TableName, value: &str) -> Result<(), Failure> {
        let mut family = FamilyDescriptor::new(FAMILY);
        if self.data == Data::Rewritten {
            family.set("VERSIONS", "10")?;
        }
        family.set(self.setting, value)?;
        store.create_table(TableDescriptor::new(name.clone(), [family]), Vec::new()).await?;
        for part in 0..self.data.parts() {
            for actions in self.data.batches(part) {
                for answer in store.batch(name, actions).await?.value {
                    answer?;
                }
            }
            store.flush(FlushScope::Table(name.clone(), None)).await?;
        }
        if self.data.is_compacted() {
            store.major_compact(FlushScope::Table(name.clone(), None)).await?;
            // It is done in the background.
            tokio::time::sleep(Duration::from_secs(6)).await;
        }
        Ok(())
    }

    async fn asked(
        &self,
        store: &dyn Store,
        table: &TableName,
        large: &TableName,
        round: u64,
    ) -> Result<Duration, Failure> {
        if self.ask == Ask::RowsAfterScan {
            scan(store, large).await?;
        }
        let begun = Instant::now();
        match self.ask {
            Ask::Scan => scan(store, table).await?,
            Ask::Rows | Ask::RowsAfterScan | Ask::Cells => {
                for number in 0..GETS {
                    let (row, qualifier) = self.data.drawn(round * GETS + number);
                    let mut get = Get { row, read: ReadOptions::default() };
                    if self.ask == Ask::Cells {
                        get = get.column(FAMILY, qualifier);
                    }
                    if store.get(table, get).await?.value.cells.is_empty() {
                        return Err("a row is not there".into());
                    }
                }
            }
        }
        Ok(begun.elapsed())
    }
}

impl Ask {
    fn name(self) -> &'static str {
        match self {
            Self::Rows => "gets",
            Self::Cells => "gets of a cell",
            Self::Scan => "a scan",
            Self::RowsAfterScan => "gets after a scan",
        }
    }
}

async fn scan(store: &dyn Store, table: &TableName) -> Result<(), Failure> {
    let mut scanner = store.scan(table, Scan::default()).await?;
    while !scanner.next_rows().await?.is_empty() {}
    Ok(())
}

async fn stored_mb(store: &dyn Store, table: &TableName) -> Result<u64, Failure> {
    // Servers tell the master every few seconds.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let regions = store.regions(table).await?;
    Ok(regions.iter().filter_map(|region| region.load.stored_bytes).sum::<u64>() >> 20)
}

/// A text as bytes that are shared.
fn bytes(text: String) -> Bytes {
    text.into_bytes().into()
}
