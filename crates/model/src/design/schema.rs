//! The JSON Schema of `design.toml`, for editors that complete and check.
//!
//! Written by hand: a derived one would describe our values, not the file. A test holds it against what the reader
//! accepts, key by key.

use serde_json::{Map, Value, json};

use super::{PlanAccess, VERSION};
use crate::cost::Operations;
use crate::family::FamilyDescriptor;
use crate::value::{CellEncoding, KeyEncoding};
use crate::workload::column_schema;

/// The JSON Schema of `design.toml`.
pub fn json_schema() -> Value {
    let properties = json!({
        "version": { "const": VERSION, "description": "The version of this file format." },
        "workload": text("The workload's file, beside this one."),
        "cost": section(&["name"], json!({
            "name": text("The name of the cost that the design was decided by."),
            "calibration": text("The id of the calibration behind its prices."),
        })),
        "statistics": { "type": "array", "description": "What was known of the data when the design was made.", "items": section(&["table"], json!({
            "table": text("A table of the workload."),
            "rows": { "type": "integer", "minimum": 0, "description": "How many rows it has." },
            "columns": { "type": "object", "minProperties": 1, "additionalProperties": column_schema(), "description": "What is known of its columns, as in workload.toml." },
        })) },
        "table": { "type": "array", "description": "The tables of the store.", "items": table() },
        "query": { "type": "array", "description": "How queries are answered.", "items": query() },
        "reason": { "type": "array", "description": "Why things are as they are.", "items": section(&["at", "text"], json!({
            "at": text("What it is about, as in \"stations.key\"."),
            "text": text("The reason, in words."),
        })) },
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "design.toml",
        "description": "What was decided for a workload and why: tables, families, keys, cells and plans.",
        "type": "object",
        "properties": properties,
        "required": ["version"],
        "additionalProperties": false,
    })
}

fn table() -> Value {
    section(
        &["name", "family"],
        json!({
            "name": text("The table's name, with its namespace if it has one."),
            "splits": { "type": "array", "items": { "type": "string", "minLength": 1 }, "description": "Keys where regions begin, rising; bytes as HBase prints them: '\\x10'." },
            "family": { "type": "array", "minItems": 1, "description": "The column families.", "items": section(&["name"], json!({
                "name": text("The family's name."),
                "settings": settings(),
            })) },
            "rows": { "type": "array", "description": "The rows that the table holds, an entry for each kind.", "items": rows() },
        }),
    )
}

/// Settings under HBase's names, which are read in any case.
fn settings() -> Value {
    let names = FamilyDescriptor::new("f").settings();
    let value = json!({ "type": ["integer", "boolean", "string"] });
    let properties: Map<String, Value> =
        names.into_iter().map(|(name, _)| (name.to_owned(), value.clone())).collect();
    json!({ "type": "object", "properties": properties, "description": "Settings under HBase's names." })
}

fn rows() -> Value {
    section(
        &["from", "key", "cells"],
        json!({
            "from": text("The table of the workload that they come from."),
            "join": names("References that are followed, as \"table.column\": the rows are copies made along them. A column of a joined table is named \"table.column\"."),
            "key": {
                "type": "array", "minItems": 1, "items": { "type": "string" },
                "description": "Parts of the row key: field, pad(field, n), md5(field), md5(field, bytes), md5_mod(field, m), mod(field, m), random(m), md5_line_mod(m), reverse(field), desc(field), bucket(field, \"1h\"), const(\"x\"), row_number().",
            },
            "key_encoding": choice(&KeyEncoding::ALL.map(KeyEncoding::name), "How the parts are written; binary when not said."),
            "cells": { "type": "array", "description": "The cells of a row.", "items": cells() },
        }),
    )
}

fn cells() -> Value {
    section(
        &["family"],
        json!({
            "family": text("The family that they are in."),
            "columns": names("The columns that they hold; a column in two entries is stored twice."),
            "encoding": choice(&CellEncoding::ALL.map(CellEncoding::name), "How values are written; by type when not said."),
            "version": text("The field that is the cell's version."),
            "qualifier": text("What the qualifier is made of: a field, parts of a key with commas between (\"desc(at), id\"), or offset(field). The column's name when not said."),
            "value": text("The field that is the value, when the qualifier is data."),
            "pack_by": text("The field by which many values are packed into one cell."),
            "together": { "type": "boolean", "description": "Whether all columns are in one cell; each has its own when not said." },
        }),
    )
}

fn query() -> Value {
    let amounts = Operations::NAMES.into_iter().chain(["cost"]);
    let predicted: Map<String, Value> =
        amounts.map(|name| (name.to_owned(), json!({ "type": "number" }))).collect();
    section(
        &["name", "plan"],
        json!({
            "name": text("The query's name in the workload."),
            "plan": { "type": "array", "description": "What is read, in order.", "items": section(&["table", "access"], json!({
                "table": text("A table of this design."),
                "access": choice(&PlanAccess::ALL.map(PlanAccess::name), "How it is read."),
                "families": names("The families that are read."),
            })) },
            "predicted": section(&[], Value::Object(predicted)),
        }),
    )
}

fn section(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": about })
}

fn names(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": about })
}

fn choice(names: &[&str], about: &str) -> Value {
    json!({ "enum": names, "description": about })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Design;
    use super::*;

    /// A section of the file with one key that nobody knows, and where the schema describes that section.
    const SECTIONS: [(&str, &str); 10] = [
        ("nobody = 1", ""),
        ("cost.nobody = 1", "/properties/cost"),
        ("[[table]]\nnobody = 1", "/properties/table/items"),
        ("[[table]]\n[[table.family]]\nnobody = 1", "/properties/table/items/properties/family/items"),
        ("[[table]]\n[[table.rows]]\nnobody = 1", "/properties/table/items/properties/rows/items"),
        (
            "[[table]]\n[[table.rows]]\ncells = [{ nobody = 1 }]",
            "/properties/table/items/properties/rows/items/properties/cells/items",
        ),
        ("[[query]]\nnobody = 1", "/properties/query/items"),
        ("[[query]]\nplan = [{ nobody = 1 }]", "/properties/query/items/properties/plan/items"),
        ("[[reason]]\nnobody = 1", "/properties/reason/items"),
        ("[[statistics]]\nnobody = 1", "/properties/statistics/items"),
    ];

    #[test]
    fn the_schema_has_the_keys_that_the_reader_accepts() {
        let schema = json_schema();
        let predicted = ("[[query]]\npredicted.nobody = 1", "/properties/query/items/properties/predicted");
        for (file, place) in SECTIONS.into_iter().chain([predicted]) {
            let problems = Design::parse(file).unwrap_err().problems;
            let is_unknown = |message: &str| message.starts_with("unknown key `nobody`");
            let unknown = problems.iter().find(|problem| is_unknown(&problem.message)).unwrap();
            let accepted: BTreeSet<&str> =
                unknown.expected.trim_start_matches("one of ").split(", ").collect();
            let described = schema.pointer(place).unwrap()["properties"].as_object().unwrap();
            assert_eq!(described.keys().map(String::as_str).collect::<BTreeSet<_>>(), accepted, "{place}");
        }
    }

    #[test]
    fn required_keys_are_those_that_the_reader_misses() {
        let schema = json_schema();
        for (file, place) in SECTIONS {
            let problems = Design::parse(file).unwrap_err().problems;
            let required = schema.pointer(place).unwrap()["required"].as_array().unwrap();
            for key in required
                .iter()
                .filter_map(Value::as_str)
                .filter(|key| *key != "family" || place.contains("cells"))
            {
                let missed = format!("`{key}` is missing");
                let is_missed = problems.iter().any(|problem| problem.message.starts_with(&missed));
                assert!(is_missed, "{place}: {missed}");
            }
        }
        let problems = Design::parse("version = 1\n[[table]]\nname = 't'\n").unwrap_err().problems;
        assert_eq!(problems[0].message, "the table has no family");
    }
}
