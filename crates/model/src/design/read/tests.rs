//! The file of the documentation is read; what is wrong is told with its place.

use crate::design::{
    Cells, CostName, Design, Family, PlanAccess, Predicted, Qualifier, QueryPlan, Reason, Rows, Setting,
    Step, Table,
};
use crate::key::Key;
use crate::value::{CellEncoding, KeyEncoding};
use crate::workload::Workload;

const FILE: &str = r#"
version = 1
workload = "workload.toml"
cost = { name = "store", calibration = "c1f0" }

[[table]]
name = "stations"
splits = ['\x10', '\x20']       # as HBase prints bytes
[[table.family]]
name = "m"
settings = { VERSIONS = 1440, TTL = 259200, BLOOMFILTER = "ROW", IN_MEMORY = true }
[[table.rows]]                  # several entries: heterogeneous rows in one table
from = "reading"
join = []
key = ["md5_mod(station, 64)", "station", 'bucket(at, "1d")']
key_encoding = "binary"
cells = [
  { family = "m", columns = ["bikes"], encoding = "i64", version = "at" },   # 3-D: the version is the time
  { family = "m", qualifier = "offset(at)", value = "free" },
]
[[query]]
name = "average over days"
plan = [{ table = "stations", access = "aggregate", families = ["m"] }]
predicted = { calls = 64, rows = 16, bytes = 9000, cost = 1.2 }
[[reason]]
at = "stations.key"
text = "…"
"#;

const WORKLOAD: &str = r#"
version = 1
[[table]]
name = "reading"
key = ["station", "at"]
[table.columns]
station = { type = "string" }
at = { type = "timestamp" }
bikes = { type = "int" }
free = { type = "int" }
[table.references]
station = "station.id"
[[table]]
name = "station"
[table.columns]
id = { type = "string" }
name = { type = "string" }
[[query]]
name = "average over days"
sql = "SELECT avg(bikes) FROM reading"
"#;

/// The values of [`FILE`].
fn expected() -> Design {
    let mut predicted = Predicted { cost: 1.2, ..Predicted::default() };
    (predicted.operations.calls, predicted.operations.rows, predicted.operations.bytes) =
        (64.0, 16.0, 9000.0);
    let versioned = Cells {
        family: "m".into(),
        columns: vec!["bikes".into()],
        encoding: Some(CellEncoding::I64),
        version: Some("at".into()),
        ..Cells::default()
    };
    let wide = Cells {
        family: "m".into(),
        qualifier: Some(Qualifier::Offset("at".into())),
        value: Some("free".into()),
        ..Cells::default()
    };
    Design {
        cost: Some(CostName { name: "store".into(), calibration: Some("c1f0".into()) }),
        tables: vec![Table {
            name: "stations".into(),
            splits: vec![vec![0x10], vec![0x20]],
            families: vec![Family {
                name: "m".into(),
                settings: vec![
                    ("VERSIONS".into(), Setting::Integer(1440)),
                    ("TTL".into(), Setting::Integer(259_200)),
                    ("BLOOMFILTER".into(), Setting::Text("ROW".into())),
                    ("IN_MEMORY".into(), Setting::Boolean(true)),
                ],
            }],
            rows: vec![Rows {
                from: "reading".into(),
                join: vec![],
                key: Key::parse(
                    &["md5_mod(station, 64)", "station", "bucket(at, \"1d\")"],
                    KeyEncoding::Binary,
                )
                .unwrap(),
                cells: vec![versioned, wide],
            }],
        }],
        queries: vec![QueryPlan {
            name: "average over days".into(),
            plan: vec![Step {
                table: "stations".into(),
                access: PlanAccess::Aggregate,
                families: vec!["m".into()],
            }],
            predicted: Some(predicted),
        }],
        reasons: vec![Reason::new("stations.key", "…")],
        ..Design::default()
    }
}

fn problems(file: &str, workload: Option<&Workload>) -> Vec<String> {
    let told = match workload {
        Some(workload) => Design::parse_for(file, workload),
        None => Design::parse(file),
    };
    told.err().map(|error| error.problems).unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn the_file_of_the_documentation_is_read() {
    assert_eq!(Design::parse(FILE), Ok(expected()));
    let workload = Workload::parse(WORKLOAD).unwrap();
    assert_eq!(Design::parse_for(FILE, &workload), Ok(expected()));
    let descriptor = expected().tables[0].families[0].descriptor().unwrap();
    assert_eq!((descriptor.versions, descriptor.ttl_s, descriptor.in_memory), (1_440, 259_200, true));
}

#[test]
fn what_is_written_is_read_back() {
    let text = expected().to_toml();
    assert_eq!(Design::parse(&text), Ok(expected()), "{text}");
    assert!(text.contains("splits = ['\\x10', \" \"]"), "{text}");
    assert_eq!(Design::parse(&Design::default().to_toml()), Ok(Design::default()));
}

#[test]
fn every_problem_is_told_with_its_place() {
    let file = FILE
        .replace("version = 1\n", "version = 2\n")
        .replace("'\\x20'", "'\\x0F'")
        .replace("VERSIONS = 1440, TTL", "VERSIONS = 0, TL")
        .replace("md5_mod(station, 64)", "md5_mod(station)")
        .replace("key_encoding = \"binary\"", "key_encoding = \"binar\"")
        .replace("{ family = \"m\", columns", "{ family = \"n\", columns")
        .replace("\"i64\"", "\"i46\"")
        .replace("\"aggregate\", families = [\"m\"]", "\"agregate\", families = [\"x\"]")
        .replace("text =", "txt =");
    assert_eq!(
        problems(&file, None),
        [
            "line 2, column 11: version 2 of this file is not known here; expected 1",
            "line 8, column 19: the split '\\x0F' is not after the one before it; expected splits in rising order",
            "line 11, column 25: VERSIONS does not take \"0\"; expected a whole number from 1 to 2147483647",
            "line 11, column 28: there is no setting \"TL\"; expected one of VERSIONS, KEEP_DELETED_CELLS, \
             DATA_BLOCK_ENCODING, TTL, MIN_VERSIONS, REPLICATION_SCOPE, BLOOMFILTER, IN_MEMORY, COMPRESSION, BLOCKCACHE, \
             BLOCKSIZE: did you mean `TTL`?",
            "line 15, column 24: in the key part `md5_mod(station)`: `)` stands here; expected `,`",
            "line 16, column 16: `key_encoding` is \"binar\"; expected one of binary, text: did you mean `binary`?",
            "line 18, column 14: the table has no family \"n\"; expected m: did you mean `m`?",
            "line 18, column 51: `encoding` is \"i46\"; expected one of text, i64, i32, f64, bytes: did you mean `i64`?",
            "line 23, column 40: `access` is \"agregate\"; expected one of get, scan, aggregate, put: did you mean \
             `aggregate`?",
            "line 23, column 64: the table \"stations\" has no family \"x\"; expected m: did you mean `m`?",
            "line 25, column 1: `text` is missing in [[reason]]; expected a string",
            "line 27, column 1: unknown key `txt` in [[reason]]; expected one of at, text: did you mean `text`?",
        ]
    );
}

#[test]
fn a_design_that_does_not_go_with_its_workload_says_where() {
    let workload = Workload::parse(WORKLOAD).unwrap();
    let file = FILE
        .replace("\"station\", 'bucket", "\"staton\", 'bucket")
        .replace("bucket(at,", "bucket(bikes,")
        .replace("join = []", "join = [\"reading.station\", \"reading.at\"]")
        .replace("columns = [\"bikes\"]", "columns = [\"bikes\", \"station.name\", \"station.size\"]")
        .replace("version = \"at\"", "version = \"time\"")
        .replace("name = \"average over days\"", "name = \"average\"");
    let told = problems(&file, Some(&workload));
    let lines: Vec<&str> = told.iter().map(|problem| problem.split(';').next().unwrap()).collect();
    assert_eq!(
        lines,
        [
            "line 14, column 28: \"reading.at\" is no reference of these rows",
            "line 15, column 32: the table \"reading\" has no column \"staton\"",
            "line 15, column 42: the key part bucket(bikes, \"1d\") does not go with the type int of \"bikes\": it takes \
             a timestamp with a length of time, a date with whole days, or an int with a whole number",
            "line 18, column 55: the table \"reading\" has no column \"station.size\"",
            "line 18, column 83: the column \"station.name\" is of type string, not for i64",
            "line 18, column 100: the table \"reading\" has no column \"time\"",
            "line 22, column 8: the workload has no query \"average\"",
        ]
    );
    let unknown_table = FILE.replace("from = \"reading\"", "from = \"readings\"");
    assert_eq!(
        problems(&unknown_table, Some(&workload)),
        [
            "line 13, column 8: the workload has no table \"readings\"; expected one of reading, station: did you mean \
          `reading`?"
        ]
    );
}

#[test]
fn names_stand_once() {
    let table = "[[table]]\nname = 't'\n[[table.family]]\nname = 'f'\n";
    let file = format!("version = 1\n{table}[[table.family]]\nname = 'f'\n{table}");
    assert_eq!(
        problems(&file, None),
        [
            "line 6, column 1: the family \"f\" is there already; expected another name",
            "line 8, column 1: the table \"t\" is there already; expected another name",
        ]
    );
}
