//! Files of JSON lines.

use tablesmith_model::value::ValueType;
use tablesmith_observe::profile::ProfileError;

use super::support::{column, found, measure, types};

#[test]
fn keys_become_columns_whenever_they_come_up() {
    let profile = found(
        "t.jsonl",
        "{\"id\": 1, \"name\": \"a\"}\n\n{\"name\": \"b \\\"c\\\"\", \"id\": 2, \"late\": true}\n{}\n\
         {\"id\": 3, \"name\": null, \"nested\": {\"x\": [1, 2]}}\n",
    );
    let names: Vec<&str> = profile.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id", "name", "late", "nested"]);
    assert_eq!(profile.rows, 4);
    assert_eq!(types(&profile), [ValueType::Int, ValueType::String, ValueType::Bool, ValueType::String]);
    let nulls: Vec<u64> = profile.columns.iter().map(|column| column.nulls).collect();
    assert_eq!(nulls, [1, 2, 3, 3]);
    assert_eq!(column(&profile, "name").mean_bytes, Some(3.0), "a and b \"c\"");
    assert_eq!(column(&profile, "nested").mean_bytes, Some(13.0), "{{\"x\": [1, 2]}}");
}

#[test]
fn text_of_digits_is_text() {
    let profile =
        found("t.jsonl", "{\"zip\": \"10115\", \"day\": \"2024-01-01\", \"n\": 10115, \"x\": 1.50}\n");
    assert_eq!(types(&profile), [ValueType::String, ValueType::Date, ValueType::Int, ValueType::Decimal]);
}

#[test]
fn a_column_that_comes_late_had_no_value_in_earlier_batches() {
    let mut text = "{\"a\": 1}\n".repeat(5_000);
    text.push_str("{\"a\": 2, \"b\": 7}\n");
    let profile = found("t.ndjson", &text);
    let late = column(&profile, "b");
    assert_eq!((late.nulls, late.distinct.count, profile.rows), (5_000, 1, 5_001));
}

#[test]
fn lines_that_are_no_objects_are_left_out_and_told() {
    let profile = found(
        "t.jsonl",
        b"{\"a\": 1}\n{\"a\": \n[1]\n{\"a\": 2} x\n{\"a\": \"\xff\"}\n{\"a\": 3}\n".as_slice(),
    );
    assert_eq!((profile.rows, profile.bad_lines), (2, 4));
    let lines: Vec<u64> = profile.first_bad_lines.iter().map(|bad| bad.line).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
    assert!(
        profile.first_bad_lines[1].message.contains("expected a JSON object"),
        "{:?}",
        profile.first_bad_lines
    );
}

#[test]
fn other_json_is_refused_with_its_place() {
    for (text, place, said) in [
        ("[{\"a\": 1}, {\"a\": 2}]", (1, 1), "one JSON array"),
        ("{\n  \"a\": 1\n}\n", (1, 1), "not a JSON object"),
        ("\u{feff}nothing\nof\nthe kind\n", (1, 2), "not a JSON object"),
    ] {
        let error = measure("t.json", text).unwrap_err();
        let ProfileError::Shape { misfit, .. } = &error else { panic!("{error}") };
        assert!(misfit.message.contains(said), "{misfit:?}");
        assert_eq!((misfit.line, misfit.column), place, "{misfit:?}");
    }
}
