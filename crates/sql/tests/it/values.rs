//! The values that statements compare columns with, and write to them.

use tablesmith_sql::{Catalog, Dialect, Need, Value, resolve};

fn need(sql: &str) -> Need {
    let mut catalog = Catalog::new();
    catalog.add("users", ["id", "name", "age"]);
    resolve(sql, &catalog, Dialect::Generic).unwrap().needs.remove(0)
}

/// Literals as they are, `?` for parameters, `…` for anything else.
fn text(value: &Value) -> &str {
    match value {
        Value::Literal(text) => text,
        Value::Parameter => "?",
        Value::Column(..) | Value::Expression => "…",
    }
}

fn compared(condition: &str) -> Vec<String> {
    let need = need(&format!("SELECT name FROM users WHERE {condition}"));
    let predicate = &need.predicates[0];
    std::iter::once(&predicate.value).chain(&predicate.more).map(|value| text(value).to_owned()).collect()
}

#[test]
fn lists_and_stretches_have_all_their_values() {
    for (condition, values) in [
        ("id = 1", &["1"][..]),
        ("id IN (1, -2, ?, 1)", &["1", "-2", "?", "1"]),
        ("id IN (1, age, 3)", &["1", "…", "3"]),
        ("id BETWEEN 1 AND age + 1", &["1", "…"]),
        ("id BETWEEN 'a' AND ?", &["a", "?"]),
        ("(id = 1 OR id = 2 OR id IN (3, 4))", &["1", "2", "3", "4"]),
        ("id = ANY(ARRAY[1, 2])", &["1", "2"]),
        ("id IS NULL", &["…"]),
    ] {
        assert_eq!(compared(condition), values, "{condition}");
    }
}

#[test]
fn rows_that_are_written_have_their_values_by_column() {
    /// Columns with the values that they are given.
    type Values = &'static [(&'static str, &'static str)];
    let cases: &[(&str, &[Values])] = &[
        (
            "INSERT INTO users (name, id) VALUES ('a', 1), (?, 2)",
            &[&[("name", "a"), ("id", "1")], &[("name", "?"), ("id", "2")]],
        ),
        ("INSERT INTO users VALUES (1, 'a', NULL)", &[&[("id", "1"), ("name", "a"), ("age", "NULL")]]),
        ("INSERT INTO users (id, name) VALUES (1)", &[]),
        ("INSERT INTO users (id) SELECT 1", &[]),
        (
            "INSERT INTO users (id, age) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET age = 3",
            &[&[("id", "1"), ("age", "2")]],
        ),
        ("UPDATE users SET name = 'b', age = age + 1 WHERE id = 3", &[&[("name", "b"), ("age", "…")]]),
        ("DELETE FROM users WHERE id = 3", &[]),
    ];
    for (sql, expected) in cases {
        let need = need(sql);
        let rows: Vec<Vec<(&str, &str)>> = need
            .written
            .iter()
            .map(|row| row.iter().map(|(column, value)| (column.as_str(), text(value))).collect())
            .collect();
        assert_eq!(rows, *expected, "{sql}");
    }
}
