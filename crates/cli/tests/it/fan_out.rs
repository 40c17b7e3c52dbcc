//! Scans in the order of ids on a real cluster: nothing is lost, doubled or out of order, also while regions split and move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tablesmith_access::answer::Database;
use tablesmith_access::{Begin, FanOut, FanOutBounds, FanOutScan, Layout, Living, Order, Steps, strands};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_store::{Scanner, Store};
use tablesmith_store_hbase::HbaseStore;

const ROWS: i64 = 4_000;
/// Changes of regions that scans must have gone through.
const LEAST_CHANGES: usize = 8;
const MOST_SCANS: usize = 60;

const WORKLOAD: &str = "version = 1\n[[table]]\nname = \"readings\"\nkey = [\"id\"]\n[table.columns]\n\
                        id = { type = \"int\" }\na = { type = \"int\" }\n";
const DESIGN: &str = "version = 1\nworkload = \"workload.toml\"\n[[table]]\nname = \"readings\"\n\
                      splits = ['\\x04', '\\x08', '\\x0C']\n[[table.family]]\nname = \"f\"\n[[table.rows]]\n\
                      from = \"readings\"\nkey = ['md5_mod(id, 16)', 'id']\nkey_encoding = \"binary\"\n\
                      cells = [{ family = \"f\", columns = [\"a\"] }]\n";

struct Readings {
    store: Arc<HbaseStore>,
    name: TableName,
    layout: Layout,
}

/// Tables of this process: two tests can begin in the same millisecond.
static TABLES: AtomicUsize = AtomicUsize::new(0);

impl Readings {
    async fn new() -> Self {
        let cluster = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
        let store = Arc::new(HbaseStore::connect(&cluster.by_masters()).await.unwrap());
        let started_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let number = TABLES.fetch_add(1, Ordering::Relaxed);
        let name: TableName =
            format!("fan_out_{}_{started_ms}_{number}", std::process::id()).parse().unwrap();
        let workload = Workload::parse(WORKLOAD).unwrap();
        let mut design = Design::parse_for(DESIGN, &workload).unwrap();
        design.tables[0].name = name.to_string();
        Steps::of(&design, &Living::default(), &[]).unwrap().make(&*store, &mut |_| ()).await.unwrap();
        let database = Database::new(Arc::new(workload), &design).unwrap();
        let rows = (0..ROWS).map(|id| vec![Value::Int(id), Value::Int(id * 3)]).collect();
        database.writer().unwrap().insert(&*store, "readings", rows).await.unwrap();
        let layout = database.layouts()[0].clone();
        Self { store, name, layout }
    }

    async fn scan(&self, order: Order, begin: Begin, limit: Option<u64>, bounds: FanOutBounds) -> FanOutScan {
        let strands = strands(&self.layout, &[]).unwrap();
        assert_eq!(strands.len(), 16);
        let regions = self.store.regions(&self.name).await.unwrap();
        FanOutScan { order, begin, limit, bounds, regions, ..FanOutScan::new(strands) }
    }

    /// The ids of a scan, and the key of its last row.
    async fn ids(&self, scan: FanOutScan) -> (Vec<i64>, Vec<u8>) {
        let mut fan_out = FanOut::new(&*self.store, &self.name, scan).unwrap();
        let (mut ids, mut last) = (Vec::new(), Vec::new());
        loop {
            let rows = fan_out.next_rows().await.unwrap();
            let Some(row) = rows.last() else { break };
            last = row.row.to_vec();
            // One byte of prefix, then a whole number of eight bytes whose sign's bit is turned.
            let id = |key: &[u8]| i64::from_be_bytes(key[1..9].try_into().unwrap()) ^ i64::MIN;
            ids.extend(rows.iter().map(|row| id(&row.row)));
        }
        (ids, last)
    }

    async fn drop_table(&self) {
        self.store.disable_table(&self.name).await.unwrap();
        self.store.drop_table(&self.name).await.unwrap();
    }
}

/// Short portions: many calls, and time for regions to change between them.
fn short() -> FanOutBounds {
    FanOutBounds { page_rows: 20, ..FanOutBounds::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_gives_rows_in_the_order_of_their_ids() {
    let readings = Readings::new().await;
    let rising: Vec<i64> = (0..ROWS).collect();
    let falling: Vec<i64> = (0..ROWS).rev().collect();
    for bounds in [FanOutBounds::default(), short(), FanOutBounds { scanners: 1, ..short() }] {
        for (order, expected) in [(Order::Rising, &rising), (Order::Falling, &falling)] {
            let scan = readings.scan(order, Begin::First, None, bounds).await;
            assert_eq!(&readings.ids(scan).await.0, expected, "{order:?}, {bounds:?}");
            let (first, last) =
                readings.ids(readings.scan(order, Begin::First, Some(777), bounds).await).await;
            assert_eq!(first, expected[..777], "{order:?}, {bounds:?}");
            let (rest, _) =
                readings.ids(readings.scan(order, Begin::AfterRow(last), None, bounds).await).await;
            assert_eq!(rest, expected[777..], "{order:?}, {bounds:?}");
        }
    }
    readings.drop_table().await;
}

/// Splits and moves regions until it is told to stop. What the cluster refuses (a region that has just been split, a move to
/// the same place) is no change.
async fn rearrange(store: Arc<HbaseStore>, name: TableName, stop: Arc<AtomicBool>, done: Arc<AtomicUsize>) {
    for step in 0_usize.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Ok(regions) = store.regions(&name).await else { continue };
        let region = &regions[step * 7 % regions.len()];
        // A prefix, and the first bytes of an id: a multiple of 256.
        let key = vec![(step * 5 % 16) as u8, 0x80, 0, 0, 0, 0, 0, (step % 15) as u8];
        let changed = match step % 3 {
            0 => store.split_table(&name, Some(key.into())).await,
            _ => store.move_region(&region.encoded_name(), None).await,
        };
        done.fetch_add(usize::from(changed.is_ok()), Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_stay_in_order_while_the_regions_of_a_cluster_split_and_move() {
    let readings = Readings::new().await;
    let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let changing = tokio::spawn(rearrange(
        Arc::clone(&readings.store),
        readings.name.clone(),
        Arc::clone(&stop),
        Arc::clone(&done),
    ));
    let mut scans = 0;
    while done.load(Ordering::Relaxed) < LEAST_CHANGES && scans < MOST_SCANS {
        let falls = scans % 2 == 1;
        let order = if falls { Order::Falling } else { Order::Rising };
        let scan = readings.scan(order, Begin::First, None, short()).await;
        let (mut ids, _) = readings.ids(scan).await;
        if falls {
            ids.reverse();
        }
        let changes = done.load(Ordering::Relaxed);
        assert_eq!(ids, (0..ROWS).collect::<Vec<_>>(), "scan {scans}, after {changes} changes");
        scans += 1;
    }
    stop.store(true, Ordering::Relaxed);
    changing.await.unwrap();
    let changes = done.load(Ordering::Relaxed);
    assert!(changes >= LEAST_CHANGES, "only {changes} changes in {scans} scans");
    assert!(readings.store.regions(&readings.name).await.unwrap().len() > 4, "some regions were split");
    readings.drop_table().await;
}
