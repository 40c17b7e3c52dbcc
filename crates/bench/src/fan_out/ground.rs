//! The same rows under plain keys and under keys that begin with one of 16 prefixes, 16 regions each.

use std::ops::Bound;
use std::sync::Arc;

use tablesmith_access::answer::Database;
use tablesmith_access::{FanOut, FanOutScan, Layout, Living, LoadOptions, LoadSource, Steps, strands};
use tablesmith_model::design::Design;
use tablesmith_model::plan::{Condition, Strand, Test};
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_model::{Durability, TableName};
use tablesmith_store::{FlushScope, RegionInfo, RowBound, Scan, Scanner, Store};

use super::Failure;
use crate::load::Quiet;

const REGIONS: i64 = 16;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "readings"
key = ["id"]
[table.columns]
id = { type = "int" }
a = { type = "int" }
b = { type = "int" }
c = { type = "string" }
"#;

/// A table with its layout.
pub struct Laid {
    name: TableName,
    layout: Layout,
    regions: Vec<RegionInfo>,
}

impl Laid {
    /// Makes the table and loads rows `0..rows`.
    pub async fn new(
        store: &dyn Store,
        name: &str,
        key: &str,
        splits: &str,
        rows: i64,
    ) -> Result<Self, Failure> {
        let design = format!(
            "version = 1\nworkload = \"workload.toml\"\n[[table]]\nname = \"readings\"\nsplits = [{splits}]\n\
             [[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"readings\"\nkey = [{key}]\n\
             key_encoding = \"binary\"\ncells = [{{ family = \"f\", columns = [\"a\", \"b\", \"c\"] }}]\n"
        );
        let workload = Workload::parse(WORKLOAD).map_err(|error| error.to_string())?;
        let mut design = Design::parse_for(&design, &workload).map_err(|error| format!("{error:?}"))?;
        design.tables.iter_mut().for_each(|table| name.clone_into(&mut table.name));
        let name: TableName = name.parse()?;
        Steps::of(&design, &Living::default(), &[])?.make(store, &mut |_| ()).await?;
        let database = Database::new(Arc::new(workload), &design)?;
        let rows = Box::new((0..rows).map(|id| Ok(row(id))));
        let source = LoadSource { table: "readings", file: "readings", rows };
        let options = LoadOptions { checkpoints: false, durability: Durability::SkipWal };
        database.writer()?.load(store, source, options, &mut Quiet).await?;
        store.flush(FlushScope::Table(name.clone(), None)).await?;
        let layout = database.layouts().first().ok_or("the design has no layout")?.clone();
        let regions = store.regions(&name).await?;
        Ok(Self { name, layout, regions })
    }

    /// Under plain keys.
    pub async fn plain(store: &dyn Store, name: &str, rows: i64) -> Result<Self, Failure> {
        let split = |region: i64| {
            // As binary keys write a whole number: eight bytes, the sign's bit turned.
            let bytes = ((rows / REGIONS * region) ^ i64::MIN).to_be_bytes();
            format!("'{}'", bytes.map(|byte| format!("\\x{byte:02X}")).concat())
        };
        let splits: Vec<String> = (1..REGIONS).map(split).collect();
        Self::new(store, name, "'id'", &splits.join(", "), rows).await
    }

    /// Under keys with a prefix.
    pub async fn spread(store: &dyn Store, name: &str, rows: i64) -> Result<Self, Failure> {
        let splits: Vec<String> = (1..REGIONS).map(|prefix| format!("'\\x{prefix:02X}'")).collect();
        let key = format!("'md5_mod(id, {REGIONS})', 'id'");
        Self::new(store, name, &key, &splits.join(", "), rows).await
    }

    /// Removes the table.
    pub async fn remove(self, store: &dyn Store) -> Result<(), Failure> {
        store.disable_table(&self.name).await?;
        Ok(store.drop_table(&self.name).await?)
    }

    /// Reads rows `from..from + count` in the order of their ids by one scan.
    pub async fn scan(&self, store: &dyn Store, from: i64, count: i64) -> Result<(), Failure> {
        let strands = self.strands(from, count)?;
        let [strand] = strands.as_slice() else { return Err("plain keys have one range".into()) };
        let start = RowBound::Included(strand.range.start.clone().into());
        let stop =
            strand.range.end.as_ref().map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into()));
        let mut scanner = store.scan(&self.name, Scan { start, stop, ..Scan::default() }).await?;
        read(&mut *scanner, 0, count).await
    }

    /// The same by a fan-out.
    pub async fn fan_out(&self, store: &dyn Store, from: i64, count: i64) -> Result<(), Failure> {
        let scan =
            FanOutScan { regions: self.regions.clone(), ..FanOutScan::new(self.strands(from, count)?) };
        read(&mut FanOut::new(store, &self.name, scan)?, 1, count).await
    }

    fn strands(&self, from: i64, count: i64) -> Result<Vec<Strand>, Failure> {
        let between =
            Test::Between(Bound::Included(Value::Int(from)), Bound::Excluded(Value::Int(from + count)));
        Ok(strands(&self.layout, &[Condition::new("id", between)])?)
    }
}

/// Reads a scan to its end; ids follow after so many bytes of the keys.
async fn read(scanner: &mut dyn Scanner, prefix_bytes: usize, count: i64) -> Result<(), Failure> {
    let (mut rows, mut last) = (0, Vec::new());
    loop {
        let portion = scanner.next_rows().await?;
        if portion.is_empty() {
            break;
        }
        for row in &portion {
            let id = row.row.get(prefix_bytes..).unwrap_or_default();
            if id <= last.as_slice() || row.cells.len() != 3 {
                return Err("rows are not as they should be".into());
            }
            last.clear();
            last.extend_from_slice(id);
        }
        rows += portion.len();
    }
    if rows as i64 == count { Ok(()) } else { Err(format!("{rows} rows instead of {count}").into()) }
}

fn row(id: i64) -> SourceRow {
    let text = format!("{:020}", id.wrapping_mul(6_364_136_223_846_793_005));
    let values = vec![Value::Int(id), Value::Int(id * 3), Value::Int(id % 1_000), Value::String(text)];
    SourceRow { line: id as u64 + 1, values }
}
