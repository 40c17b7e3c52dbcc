//! What is kept in a store about its tables: fixtures of every version stay readable.

use std::sync::Arc;

use tablesmith_access::{Living, LoadOptions, LoadSource, LoadWatch, LoadedFile, Steps, Writer};
use tablesmith_model::design::Design;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Workload;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Put, Scan, Store};
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};

use crate::stores::{far, memory};

const WORKLOAD: &str = include_str!("fixtures/state-0/workload.toml");
const DESIGN: &str = include_str!("fixtures/state-0/design.toml");
/// Rows of `default:tablesmith_load`: key, column and value.
const VERSION_0: &str = include_str!("fixtures/state-0/state.txt");
/// Rows of `tablesmith:state`, likewise.
const VERSION_1: &str = include_str!("fixtures/state-1/state.txt");

struct Nobody;

impl LoadWatch for Nobody {
    fn rejected(&mut self, line: u64, _: u64, reason: &str) {
        panic!("line {line}: {reason}");
    }
    fn loaded(&mut self, _: u64) {}
}

fn workload() -> Workload {
    Workload::parse(WORKLOAD).unwrap()
}

fn writer(design: &str) -> Arc<Writer> {
    Arc::new(Writer::new(&workload(), &Design::parse_for(design, &workload()).unwrap()).unwrap())
}

/// The design with another key of one table.
fn other_design() -> String {
    let other = DESIGN.replace("md5_mod(id, 4)", "md5_mod(id, 8)");
    assert_ne!(other, DESIGN);
    other
}

/// The tables of the design, each with a row.
async fn with_rows(store: &dyn Store) {
    let design = Design::parse_for(DESIGN, &workload()).unwrap();
    Steps::of(&design, &Living::default(), &[]).unwrap().make(store, &mut |_| ()).await.unwrap();
    for table in ["user", "follow", "reading"] {
        writer(DESIGN).insert(store, table, rows(table)[..1].to_vec()).await.unwrap();
    }
}

fn rows(table: &str) -> Vec<Vec<Value>> {
    let text = |text: &str| Value::String(text.to_owned());
    let at = |text| Value::parse(ValueType::Timestamp, text).unwrap();
    match table {
        "user" => vec![
            vec![text("ada"), text("Ada"), Value::Int(36), text("London")],
            vec![text("bob"), text("Bob"), Value::Int(41), text("Paris")],
        ],
        "follow" => {
            vec![vec![text("ada"), text("bob"), Value::Int(1)], vec![text("bob"), text("ada"), Value::Int(2)]]
        }
        _ => vec![
            vec![text("a"), at("2024-01-01 00:00"), Value::Int(3)],
            vec![text("a"), at("2024-01-01 00:01"), Value::Int(4)],
        ],
    }
}

async fn load(store: &dyn Store, design: &str, table: &str) -> Result<LoadedFile, String> {
    let rows = rows(table).into_iter().enumerate();
    let rows = Box::new(rows.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values })));
    let file = format!("{table}.csv");
    let source = LoadSource { table, file: &file, rows };
    let loaded = writer(design).load(store, source, LoadOptions::default(), &mut Nobody).await;
    loaded.map_err(|error| error.to_string())
}

/// Writes a fixture into a table of its own.
async fn put_fixture(store: &dyn Store, table: &str, text: &str) {
    let (table, family): (TableName, _) =
        (table.parse().unwrap(), text.lines().nth(1).unwrap()[..1].to_owned());
    let families = [FamilyDescriptor::new(family)];
    store.create_table(TableDescriptor::new(table.clone(), families), Vec::new()).await.unwrap();
    for row in text.trim_end().split("\n\n") {
        let [key, column, value] = row.splitn(3, '\n').collect::<Vec<_>>().try_into().unwrap();
        let (family, qualifier) = column.split_once(':').unwrap();
        let put = Put::new(key.to_owned()).add(family.to_owned(), qualifier.to_owned(), value.to_owned());
        store.put(&table, put).await.unwrap();
    }
}

/// A table as the text of a fixture.
async fn text_of(store: &dyn Store, table: &str) -> String {
    let mut scanner = store.scan(&table.parse().unwrap(), Scan::default()).await.unwrap();
    let mut rows = Vec::new();
    loop {
        let page = scanner.next_rows().await.unwrap();
        if page.is_empty() {
            return rows.join("\n");
        }
        for cell in page.iter().flat_map(|row| &row.cells) {
            let [row, family, qualifier, value] = [&cell.row, &cell.family, &cell.qualifier, &cell.value]
                .map(|part| String::from_utf8_lossy(part));
            rows.push(format!("{row}\n{family}:{qualifier}\n{value}\n"));
        }
    }
}

async fn tables(store: &dyn Store) -> Vec<String> {
    store.list_tables().await.unwrap().iter().map(ToString::to_string).collect()
}

async fn other_layouts(store: &dyn Store, design: &str) -> Vec<String> {
    writer(design).tables_with_other_layout(store).await.unwrap()
}

fn stores() -> [Arc<dyn Store>; 2] {
    [Arc::new(memory()), Arc::new(far(Arc::new(memory())))]
}

#[tokio::test]
async fn state_of_version_0_is_read_and_loads_go_on() {
    for store in stores() {
        with_rows(&*store).await;
        put_fixture(&*store, "default:tablesmith_load", VERSION_0).await;
        let before = tables(&*store).await;
        assert_eq!(other_layouts(&*store, DESIGN).await, Vec::<String>::new());
        assert_eq!(other_layouts(&*store, &other_design()).await, ["user"]);
        assert_eq!(tables(&*store).await, before, "reading writes nothing");

        let error = load(&*store, &other_design(), "user").await.unwrap_err();
        assert!(error.contains("user holds rows that were loaded with another key"), "{error}");
        for (table, done) in [("user", 2), ("follow", 1), ("reading", 2)] {
            let loaded = load(&*store, DESIGN, table).await.unwrap();
            assert_eq!((loaded.rows, loaded.before), (2, done), "{table}");
        }
        let now = tables(&*store).await;
        assert!(now.contains(&"tablesmith:state".to_owned()), "{now:?}");
        assert!(!now.contains(&"tablesmith_load".to_owned()), "{now:?}");
        assert_eq!(other_layouts(&*store, DESIGN).await, Vec::<String>::new());
        assert_eq!(other_layouts(&*store, &other_design()).await, ["user"]);
    }
}

#[tokio::test]
async fn state_of_version_1_is_what_loads_write() {
    for store in stores() {
        with_rows(&*store).await;
        for table in ["user", "follow", "reading"] {
            load(&*store, DESIGN, table).await.unwrap();
        }
        assert_eq!(text_of(&*store, "tablesmith:state").await, VERSION_1);
    }
}

#[tokio::test]
async fn state_of_version_1_is_read() {
    for store in stores() {
        with_rows(&*store).await;
        store.create_namespace("tablesmith").await.unwrap();
        put_fixture(&*store, "tablesmith:state", VERSION_1).await;
        assert_eq!(other_layouts(&*store, DESIGN).await, Vec::<String>::new());
        assert_eq!(other_layouts(&*store, &other_design()).await, ["user"]);
        for table in ["user", "follow", "reading"] {
            assert_eq!(load(&*store, DESIGN, table).await.unwrap().before, 2, "{table}");
        }
    }
}

#[tokio::test]
async fn state_of_a_later_version_is_refused() {
    let store = memory();
    with_rows(&store).await;
    store.create_namespace("tablesmith").await.unwrap();
    put_fixture(&store, "tablesmith:state", &VERSION_1.replace("s:version\n1\n", "s:version\n2\n")).await;
    let error = load(&store, DESIGN, "user").await.unwrap_err();
    assert!(error.contains("tablesmith:state has format 2"), "{error}");
}

/// Wherever copying the state of version 0 stops, what it says still counts, and the next load completes it.
#[tokio::test]
async fn a_copy_of_version_0_that_stops_is_completed() {
    for nth in 1.. {
        let store: Arc<dyn Store> = Arc::new(memory());
        with_rows(&*store).await;
        put_fixture(&*store, "default:tablesmith_load", VERSION_0).await;
        let reaction = Reaction::FailBefore(Fault::Io);
        let rule = Rule { condition: Condition::Always, turn: Turn::Nth(nth), reaction };
        let faulty = Wrapped::new(Arc::clone(&store), Faulty::new(1, [rule]));
        let is_through = load(&faulty, DESIGN, "follow").await.is_ok();
        assert_eq!(other_layouts(&*store, DESIGN).await, Vec::<String>::new(), "call {nth}");
        assert_eq!(other_layouts(&*store, &other_design()).await, ["user"], "call {nth}");
        let loaded = load(&*store, DESIGN, "follow").await.unwrap();
        assert_eq!((loaded.rows, loaded.before > 0), (2, true), "call {nth}");
        if is_through {
            assert!(nth > 8, "only {nth} calls were made");
            break;
        }
    }
}
