//! A table to ask: 50,000 rows of seven columns in two families.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::design::Design;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_store::Store;
use tablesmith_verify::replay::Script;
use tablesmith_verify::statements::{BoundStatement, Statements};
use tablesmith_verify::trial::{TrialDesign, TrialRows};

use super::Failure;

pub const ROWS: i64 = 50_000;
const GETS: i64 = 5_000;
const SCANS: i64 = 500;

const WORKLOAD: &str = r#"version = 1
[[table]]
name = "readings"
key = ["id"]
[table.columns]
id = { type = "int" }
a = { type = "int" }
b = { type = "int" }
c = { type = "int" }
d = { type = "int" }
e = { type = "string" }
f = { type = "string" }
"#;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "readings"
[[table.family]]
name = "n"
[[table.family]]
name = "t"
[[table.rows]]
from = "readings"
key = ["id"]
cells = [{ family = "n", columns = ["a", "b", "c", "d"] }, { family = "t", columns = ["e", "f"] }]
"#;

/// A store with the table.
pub struct Ground {
    // Closed before its directory goes.
    pub store: Arc<dyn Store>,
    pub design: TrialDesign,
    workload: Arc<Workload>,
    _directory: tempfile::TempDir,
}

impl Ground {
    pub async fn new() -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        let store: Arc<dyn Store> = Arc::new(Engine::open(EngineOptions::new(directory.path()))?);
        let workload = Workload::parse(WORKLOAD).map_err(|error| error.to_string())?;
        let design = Design::parse_for(DESIGN, &workload).map_err(|error| error.to_string())?;
        let workload = Arc::new(workload);
        let mut design = TrialDesign::new("bench", Arc::clone(&workload), &design)?;
        design.create(&*store).await?;
        let rows = Box::new((0..ROWS).map(|id| Ok(row(id))));
        design.load(&*store, [TrialRows { table: "readings", rows }], &mut |_| ()).await?;
        Ok(Self { store, design, workload, _directory: directory })
    }

    /// Rows by key.
    pub fn gets(&self) -> Script<BoundStatement> {
        let key = |number: i64| number * 7_919 % ROWS;
        self.script(
            (0..GETS).map(|number| format!("SELECT a, b, c FROM readings WHERE id = {}", key(number))),
        )
    }

    /// A hundred rows in key order.
    pub fn scans(&self) -> Script<BoundStatement> {
        let from = |number: i64| number * 7_919 % (ROWS - 100);
        self.script((0..SCANS).map(|number| {
            let from = from(number);
            format!("SELECT a, e FROM readings WHERE id >= {from} AND id < {}", from + 100)
        }))
    }

    fn script(&self, statements: impl Iterator<Item = String>) -> Script<BoundStatement> {
        let no_data = Box::new(|_: &_| Err("statements have their values".to_owned()));
        let mut replayed = Statements::new(Arc::clone(&self.workload), Dialect::Generic, no_data, 1);
        statements.for_each(|statement| replayed.statement(&statement));
        replayed.finish().0
    }
}

fn row(id: i64) -> SourceRow {
    let text =
        |salt: i64| Value::String(format!("{:020}", id.wrapping_mul(6_364_136_223_846_793_005) ^ salt));
    let numbers = (1..=4).map(|factor| Value::Int(id * factor));
    let values = std::iter::once(Value::Int(id)).chain(numbers).chain([text(1), text(2)]);
    SourceRow { line: id as u64 + 1, values: values.collect() }
}
