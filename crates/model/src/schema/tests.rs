//! The schemas describe what the readers read: key by key, and file by file.

mod check;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::design::Design;
use super::super::problem::Problem;
use super::super::workload::Workload;
use super::super::{design, workload};
use check::{faults, from_toml};

/// A section of a file with one key that nobody knows, how messages call the section, and where the schema describes it.
type Section = (&'static str, &'static str, &'static str);

const WORKLOAD_SECTIONS: [Section; 9] = [
    ("nobody = 1", "the file", ""),
    ("[cluster]\nnobody = 1", "[cluster]", "/properties/cluster"),
    ("[[table]]\nnobody = 1", "[[table]]", "/properties/table/items"),
    (
        "[[table]]\ncolumns.a = { nobody = 1 }",
        "[a]",
        "/properties/table/items/properties/columns/additionalProperties",
    ),
    (
        "[[table]]\ncolumns.a = { heavy = [{ nobody = 1 }] }",
        "[[heavy]]",
        "/properties/table/items/properties/columns/additionalProperties/properties/heavy/items",
    ),
    ("[[table]]\ntime.nobody = 1", "[time]", "/properties/table/items/properties/time"),
    ("[[join]]\nnobody = 1", "[[join]]", "/properties/join/items"),
    ("[[query]]\nnobody = 1", "[[query]]", "/properties/query/items"),
    ("[log]\nnobody = 1", "[log]", "/properties/log"),
];

const DESIGN_SECTIONS: [Section; 11] = [
    ("nobody = 1", "the file", ""),
    ("cost.nobody = 1", "[cost]", "/properties/cost"),
    ("[[table]]\nnobody = 1", "[[table]]", "/properties/table/items"),
    (
        "[[table]]\n[[table.family]]\nnobody = 1",
        "[[family]]",
        "/properties/table/items/properties/family/items",
    ),
    ("[[table]]\n[[table.rows]]\nnobody = 1", "[[rows]]", "/properties/table/items/properties/rows/items"),
    (
        "[[table]]\n[[table.rows]]\ncells = [{ nobody = 1 }]",
        "[[cells]]",
        "/properties/table/items/properties/rows/items/properties/cells/items",
    ),
    ("[[query]]\nnobody = 1", "[[query]]", "/properties/query/items"),
    ("[[query]]\nplan = [{ nobody = 1 }]", "[[plan]]", "/properties/query/items/properties/plan/items"),
    ("[[query]]\npredicted.nobody = 1", "[predicted]", "/properties/query/items/properties/predicted"),
    ("[[reason]]\nnobody = 1", "[[reason]]", "/properties/reason/items"),
    ("[[statistics]]\nnobody = 1", "[[statistics]]", "/properties/statistics/items"),
];

/// Every section of both files, with what the reader finds wrong in it.
fn sections() -> impl Iterator<Item = (Section, Vec<Problem>, Value)> {
    let of_workload = WORKLOAD_SECTIONS
        .into_iter()
        .map(|section| (section, Workload::parse(section.0).unwrap_err().problems, workload::json_schema()));
    let of_design = DESIGN_SECTIONS
        .into_iter()
        .map(|section| (section, Design::parse(section.0).unwrap_err().problems, design::json_schema()));
    of_workload.chain(of_design)
}

#[test]
fn the_schema_has_the_keys_that_the_reader_accepts() {
    for ((_, name, place), problems, schema) in sections() {
        let is_unknown = |problem: &&Problem| problem.message.starts_with("unknown key `nobody`");
        let unknown = problems.iter().find(is_unknown).unwrap();
        let accepted: BTreeSet<&str> = unknown.expected.trim_start_matches("one of ").split(", ").collect();
        let described = schema.pointer(place).unwrap()["properties"].as_object().unwrap();
        assert_eq!(described.keys().map(String::as_str).collect::<BTreeSet<_>>(), accepted, "{name} {place}");
    }
}

#[test]
fn required_keys_are_those_that_the_reader_misses() {
    for ((_, name, place), problems, schema) in sections() {
        let missing = |problem: &Problem| {
            let key = problem.message.strip_prefix('`')?.strip_suffix(&format!("` is missing in {name}"))?;
            Some(key.to_owned())
        };
        let mut missed: BTreeSet<String> = problems.iter().filter_map(missing).collect();
        if problems.iter().any(|problem| problem.message == "the table has no family") && name == "[[table]]"
        {
            missed.insert("family".to_owned());
        }
        let required = schema.pointer(place).unwrap().get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().map(|key| key.as_str().unwrap().to_owned());
        assert_eq!(required.collect::<BTreeSet<_>>(), missed, "{name} {place}");
    }
}

#[test]
fn unknown_keys_are_refused_in_every_section() {
    for ((text, name, place), _, schema) in sections() {
        let found = faults(&schema, &from_toml(text));
        assert!(found.iter().any(|fault| fault.contains("nobody")), "{name} {place}: {found:?}");
    }
}

#[test]
fn files_of_the_repository_go_with_their_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for directory in ["examples", "crates"] {
        toml_files(&root.join(directory), &mut files);
    }
    let (mut workloads, mut designs) = (0, 0);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let schema = match (Workload::parse(&text), Design::parse(&text)) {
            (Ok(_), _) => (workloads += 1, workload::json_schema()).1,
            (_, Ok(_)) => (designs += 1, design::json_schema()).1,
            _ => continue,
        };
        assert_eq!(faults(&schema, &from_toml(&text)), [""; 0], "{}", path.display());
    }
    assert!(workloads >= 4 && designs >= 1, "{workloads} workloads, {designs} designs");
}

/// The TOML files below a directory, but for those that cargo makes.
fn toml_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            toml_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
}

#[test]
fn what_the_reader_refuses_is_refused_by_the_schema_where_it_can_tell() {
    let table = "version = 1\n[[table]]\nname = 't'\n[table.columns]\na = { type = 'int' }\n";
    for wrong in [
        "version = 2\n".to_owned(),
        format!("{table}retention = 'soon'\n")
            .replace("[table.columns]\na = { type = 'int' }\n", "columns.a = { type = 'int' }\n"),
        table.replace("'int'", "'integer'"),
        table.replace("'int'", "'int', nulls = 1.5"),
        table.replace("'int'", "'int', bytes = -1"),
        table.replace("'int'", "'int', min = [1]"),
        table.replace("'t'", "7"),
        format!("{table}[[query]]\nname = 'q'\n"),
        format!("{table}[[query]]\nname = 'q'\nsql = 'SELECT 1'\ntable = 't'\n"),
        format!("{table}[log]\npath = 'l'\nsplit = [1.0, 0.0]\n"),
        format!("{table}[cluster]\nregion_servers = 0\n"),
    ] {
        assert!(Workload::parse(&wrong).is_err(), "{wrong}");
        assert!(!faults(&workload::json_schema(), &from_toml(&wrong)).is_empty(), "{wrong}");
    }
    assert_eq!(faults(&workload::json_schema(), &from_toml(table)), [""; 0]);
}
