//! The JSON Schema of `workload.toml`, for editors that complete and check.
//!
//! Written by hand: a derived one would describe our values, not the file. A test holds it against what the reader
//! accepts, key by key.

use serde_json::{Map, Value, json};

use super::{Access, SequenceKind, VERSION};
use crate::value::ValueType;

/// The JSON Schema of `workload.toml`.
pub fn json_schema() -> Value {
    let mut root = section(&["version"], root());
    let head = [
        ("$schema", json!("https://json-schema.org/draft/2020-12/schema")),
        ("title", json!("workload.toml")),
        (
            "description",
            json!("What an application has and asks: tables, queries, and the log of past queries."),
        ),
    ];
    let mut schema: Map<String, Value> =
        head.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    if let Some(root) = root.as_object_mut() {
        schema.append(root);
    }
    Value::Object(schema)
}

fn root() -> Value {
    json!({
        "version": { "const": VERSION, "description": "The version of this file format." },
        "cluster": section(&[], json!({
            "region_servers": { "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": "How many region servers the cluster has." },
        })),
        "table": { "type": "array", "description": "The tables.", "items": table() },
        "join": { "type": "array", "description": "How many rows of two tables belong together.", "items": join() },
        "query": { "type": "array", "description": "What is asked.", "items": query() },
        "log": section(&["path"], json!({
            "path": text("The file of past queries, beside this one: SQL with or without a time before each statement, JSON lines or CSV."),
            "split": {
                "type": "array", "items": share(), "minItems": 3, "maxItems": 3, "default": [0.6, 0.2, 0.2],
                "description": "Shares of the log by time: training, validation, test. They add up to 1.",
            },
        })),
    })
}

fn table() -> Value {
    section(
        &["name", "columns"],
        json!({
            "name": text("The table's name."),
            "called": text("Its name in the database that it comes from, with the schema, as in \"public.orders\"."),
            "data": text("The file of its rows, beside this one: CSV, JSON lines or Parquet."),
            "rows": count("How many rows it has, measured or declared."),
            "key": names("The columns that together identify a row."),
            "retention": { "type": "string", "pattern": "^\\s*[0-9]+\\s*(ms|s|m|h|d|w)\\s*$", "description": "Older rows need not be kept, as in \"72h\"." },
            "columns": { "type": "object", "minProperties": 1, "additionalProperties": column_schema(), "description": "The columns, in their order." },
            "references": { "type": "object", "additionalProperties": { "type": "string", "pattern": "\\." }, "description": "Joins run along these: column = \"table.column\"." },
            "time": section(&["column"], json!({
                "column": text("The column that orders the rows."),
                "entity": names("The columns that say whose readings they are."),
                "kind": choice(&SequenceKind::ALL.map(SequenceKind::name), "What the order is by."),
            })),
            "families": { "type": "object", "additionalProperties": names("The columns of this family."), "description": "The present schema: which columns are stored together." },
        }),
    )
}

/// The schema of a column: its type, and what is known of its values.
pub(crate) fn column_schema() -> Value {
    let heavy = section(
        &["value", "share"],
        json!({
            "value": value("A value of the column."),
            "share": share(),
        }),
    );
    section(
        &["type"],
        json!({
            "type": choice(&ValueType::ALL.map(ValueType::name), "The type of the values."),
            "distinct": count("How many different values there are."),
            "bytes": number("Bytes of a value as text, on average."),
            "nulls": share(),
            "min": value("The least value."),
            "max": value("The greatest value."),
            "monotone": flag("Whether values never fall in the order in which rows arrive."),
            "heavy": { "type": "array", "items": heavy, "description": "The most frequent values with their share of the rows." },
        }),
    )
}

fn join() -> Value {
    let column = |about: &str| json!({ "type": "string", "pattern": "\\.", "description": about });
    section(
        &["one", "other", "rows"],
        json!({
            "one": column("A column, as table.column."),
            "other": column("A column of another table."),
            "rows": count("How many pairs of rows have the same value in both."),
        }),
    )
}

fn query() -> Value {
    let mut query = section(
        &["name"],
        json!({
            "name": text("The query's name."),
            "sql": text("Its statement."),
            "table": text("The table that it touches, when there is no statement."),
            "reads": names("The columns that it reads."),
            "writes": names("The columns that it writes."),
            "access": choice(&Access::ALL.map(Access::name), "How rows are found; get when the table has a key, else scan."),
            "rows": count("Rows that one call touches."),
            "rate": { "type": "number", "minimum": 0, "default": 1, "description": "Calls a second, or any weight." },
            "max_ms": number("A wish: the longest time that a call may take, in milliseconds."),
            "one_call": flag("A wish: answered by one call to the store."),
            "atomic": flag("A wish: seen or written all at once."),
            "fresh": flag("A wish: no copy that lags behind."),
        }),
    );
    if let Some(query) = query.as_object_mut() {
        query.insert("oneOf".to_owned(), json!([{ "required": ["sql"] }, { "required": ["table"] }]));
    }
    query
}

fn section(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": about })
}

fn names(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true, "description": about })
}

fn value(about: &str) -> Value {
    json!({ "type": ["string", "number", "boolean"], "description": about })
}

fn count(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

fn number(about: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "description": about })
}

fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "default": false, "description": about })
}

fn choice(names: &[&str], about: &str) -> Value {
    json!({ "enum": names, "description": about })
}

fn share() -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": 1, "description": "A share, 0 to 1." })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Workload;
    use super::*;

    /// A section of the file with one key that nobody knows, and where the schema describes that section.
    const SECTIONS: [(&str, &str); 8] = [
        ("nobody = 1", ""),
        ("[cluster]\nnobody = 1", "/properties/cluster"),
        ("[[table]]\nnobody = 1", "/properties/table/items"),
        (
            "[[table]]\ncolumns.a = { nobody = 1 }",
            "/properties/table/items/properties/columns/additionalProperties",
        ),
        (
            "[[table]]\ncolumns.a = { heavy = [{ nobody = 1 }] }",
            "/properties/table/items/properties/columns/additionalProperties/properties/heavy/items",
        ),
        ("[[table]]\ntime.nobody = 1", "/properties/table/items/properties/time"),
        ("[[join]]\nnobody = 1", "/properties/join/items"),
        ("[[query]]\nnobody = 1", "/properties/query/items"),
    ];

    #[test]
    fn the_schema_has_the_keys_that_the_reader_accepts() {
        let schema = json_schema();
        for (file, place) in SECTIONS.into_iter().chain([("[log]\nnobody = 1", "/properties/log")]) {
            let problems = Workload::parse(file).unwrap_err().problems;
            let unknown =
                problems.iter().find(|problem| problem.message.starts_with("unknown key `nobody`")).unwrap();
            let listed = unknown.expected.strip_prefix("one of ").unwrap_or(&unknown.expected);
            let accepted: BTreeSet<&str> = listed.split(", ").collect();
            let described = schema.pointer(place).unwrap()["properties"].as_object().unwrap();
            assert_eq!(described.keys().map(String::as_str).collect::<BTreeSet<_>>(), accepted, "{place}");
        }
    }

    #[test]
    fn required_keys_are_those_that_the_reader_misses() {
        let schema = json_schema();
        for (file, place) in SECTIONS {
            let problems = Workload::parse(file).unwrap_err().problems;
            for required in schema.pointer(place).unwrap()["required"].as_array().unwrap() {
                let missed = format!("`{}` is missing", required.as_str().unwrap());
                assert!(
                    problems.iter().any(|problem| problem.message.starts_with(&missed)),
                    "{place}: {missed}"
                );
            }
        }
    }
}
