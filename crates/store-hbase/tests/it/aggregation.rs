//! Figures that HBase's coprocessor tells, beside those that a store in plain maps adds up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName, TimeRange};
use tablesmith_store::aggregate::{Figures, Held, Readings, RowSet};
use tablesmith_store::{
    Aggregate, Delete, Filter, FlushScope, GroupKey, OpStats, Partial, Put, Scan, Store, SystemClock,
    ValueType,
};
use tablesmith_store_hbase::HbaseStore;
use tablesmith_store_testing::memory::MemoryStore;

use crate::support::{drop_table, store, table_name};

/// No reading, as layouts of readings write it.
const NOTHING: &[u8] = &[0xFF];

/// Four regions, the last without rows. In `f`, which keeps three versions, `n` has numbers, older and newer ones, and
/// what is no number; `many` has small numbers only. In `g`, which keeps one version, `once` has what `n` has, `small` small
/// numbers, and `large` numbers that leave 64 bits when they are added.
async fn fill(store: &dyn Store, name: &TableName) {
    let families = [FamilyDescriptor::new("f").with_versions(3), FamilyDescriptor::new("g")];
    let table = TableDescriptor::new(name.clone(), families);
    store.create_table(table, ["25", "50", "90"].map(Into::into).to_vec()).await.unwrap();
    for row in 0..80_i64 {
        let number = |number: i64| number.to_be_bytes().to_vec();
        let newest = match row % 8 {
            3 => b"text".to_vec(),
            5 => NOTHING.to_vec(),
            6 => b"\n\n\n\n\n\n\n\n".to_vec(),
            _ => number(40 - row),
        };
        let put = Put::new(format!("{row:02}"))
            .add_at("f", "n", 1_000, number(row * 7))
            .add_at("f", "n", 2_000, newest.clone())
            .add_at("f", "other", 1_000, number(1 << 31))
            .add_at("f", "many", 1_000, number(row))
            .add_at("f", "many", 2_000, number(-row))
            .add_at("g", "once", 1_000, newest)
            .add_at("g", "small", 1_000, if row == 7 { NOTHING.to_vec() } else { number(40 - row) })
            .add_at("g", "large", 1_000, number(i64::MAX - row));
        store.put(name, put).await.unwrap();
    }
    store.delete(name, Delete::row("10")).await.unwrap();
    store.flush(FlushScope::Table(name.clone(), None)).await.unwrap();
    store.put(name, Put::new("11").add_at("f", "n", 3_000, vec![0; 8])).await.unwrap();
}

fn scans() -> Vec<Scan> {
    let column = || Scan::all().column("f", "n");
    let mut past = column().versions(2);
    past.read.time_range = TimeRange::new(0, 2_500).unwrap();
    vec![
        column(),
        column().versions(9),
        Scan::all().column("f", "many").versions(3),
        Scan::all().column("g", "small"),
        past,
        Scan::range("12", "60").column("g", "once"),
        Scan::all().column("g", "large"),
        Scan::all().column("f", "n").column("f", "other").versions(3),
        Scan::all().column("f", "missing"),
        Scan::all().family("f"),
        Scan::all(),
        column().filter(Filter::Prefix("3".into())),
        Scan::range("60", "12").column("f", "n"),
    ]
}

/// Each figure alone, and each two.
fn wanted() -> Vec<Figures> {
    let each: Vec<Figures> = Figures::each().collect();
    let two = each.iter().enumerate().flat_map(|(at, one)| each.iter().skip(at).map(move |two| *one | *two));
    two.chain([Figures::ALL, Figures::MEAN | Figures::MIN | Figures::MAX]).collect()
}

type Told = Vec<BTreeMap<GroupKey, Partial>>;

async fn told(store: &dyn Store, name: &TableName, aggregate: &Aggregate) -> (Told, OpStats) {
    let answer = store.aggregate(name, aggregate.clone()).await.unwrap();
    (answer.value.into_iter().map(|region| region.groups).collect(), answer.stats)
}

async fn both() -> (MemoryStore, HbaseStore, TableName) {
    let (memory, cluster, name) =
        (MemoryStore::new(Arc::new(SystemClock), 1), store().await, table_name("figures"));
    fill(&memory, &name).await;
    fill(&cluster, &name).await;
    (memory, cluster, name)
}

#[tokio::test]
async fn every_figure_is_the_same_whoever_adds_up() {
    let (memory, cluster, name) = both().await;
    let ranges = || RowSet::of_ranges([("05", "30"), ("40", "41")].map(|(from, to)| from.into()..to.into()));
    for scan in scans() {
        for figures in wanted() {
            for (value, held, rows) in [
                (ValueType::I64, Held::Whole, None),
                (ValueType::None, Held::Whole, Some(ranges())),
                (ValueType::I64, Held::Single, Some(ranges())),
            ] {
                let readings = Readings { held, ..Readings::default() };
                let all = Aggregate::new(scan.clone(), value).only(figures);
                let aggregate = Aggregate { readings, rows, ..all };
                let (expected, _) = told(&memory, &name, &aggregate).await;
                for cluster in [cluster.clone(), cluster.clone().asking_regions()] {
                    let (found, _) = told(&cluster, &name, &aggregate).await;
                    assert_eq!(found, expected, "{aggregate:?}");
                }
            }
        }
    }
    drop_table(&cluster, &name).await;
}

/// What the coprocessor tells, no cell of it travels.
#[tokio::test]
async fn what_the_coprocessor_can_tell_is_left_to_it() {
    let (_, cluster, name) = both().await;
    let versions = || Scan::all().column("f", "many").versions(9);
    let regions = cluster.regions(&name).await.unwrap();
    let servers: BTreeSet<String> = regions.into_iter().map(|region| region.server).collect();
    // How many passes it takes; none where it cannot tell.
    for (scan, figures, passes) in [
        (versions(), Figures::MEAN | Figures::MIN | Figures::MAX, Some(5)),
        (versions(), Figures::CELLS, Some(1)),
        (Scan::all().column("g", "small"), Figures::MEAN, Some(3)),
        (Scan::all().column("g", "small"), Figures::SUM, Some(2)),
        (Scan::all().column("f", "n"), Figures::NUMBERS, None),
        (Scan::all().column("g", "large"), Figures::MAX, Some(1)),
        (Scan::all().column("g", "large"), Figures::SUM, None),
        (versions(), Figures::SUM_OF_SQUARES, None),
    ] {
        let is_worth_it = |passes: usize| passes == 1 || 2 * passes <= servers.len();
        let aggregate = Aggregate::new(scan, ValueType::I64).only(figures);
        for (cluster, travels) in [
            (cluster.clone(), !passes.is_some_and(is_worth_it)),
            (cluster.clone().asking_regions(), passes.is_none()),
        ] {
            let (_, stats) = told(&cluster, &name, &aggregate).await;
            assert_eq!((stats.cells.is_some(), stats.regions), (travels, Some(4)), "{aggregate:?}");
        }
    }
    drop_table(&cluster, &name).await;
}
