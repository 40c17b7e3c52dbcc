//! How far a statement reaches into a table whose rows lie in the order of its key: how many rows it has to look at.
//!
//! Only leading parts of the key narrow a scan: equalities one after the other, then at most one range. How much each
//! narrows follows from the literals of the statement and from what was measured of the column.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Table};
use tablesmith_sql::{Kind, Need, Operator, Predicate};

use crate::selectivity;

/// What a statement has to look at in one table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Whether the statement names whole keys, so that no scan is needed.
    pub whole_keys: bool,
    /// Rows that one call looks at or writes.
    pub rows: f64,
}

/// How far a statement of this kind reaches into a table of so many rows, sorted by its declared key.
pub fn reach(table: &Table, kind: Kind, need: &Need, rows: f64) -> Reach {
    if kind == Kind::Insert && !need.writes.is_empty() {
        return Reach { whole_keys: true, rows: need.written.len().max(1) as f64 };
    }
    let mut touched = rows;
    let mut whole_keys = !table.key.is_empty();
    for name in &table.key {
        let on_part: Vec<&Predicate> =
            need.predicates.iter().filter(|predicate| predicate.column == *name).collect();
        let unknown = Column::new(name.as_str(), ValueType::String);
        let column = table.column(name).unwrap_or(&unknown);
        match selectivity::of_values(column, &on_part) {
            Some(share) => touched *= share,
            None => {
                // A range on the next part of the key still narrows the scan; what comes after it does not.
                touched *= selectivity::of_range(column, &on_part);
                whole_keys = false;
                break;
            }
        }
    }
    if whole_keys {
        return Reach { whole_keys, rows: keys_named(table, need) };
    }
    Reach { whole_keys, rows: stop_early(need, touched.max(1.0)) }
}

/// Rows of a statement that names whole keys.
fn keys_named(table: &Table, need: &Need) -> f64 {
    let of_key = need.predicates.iter().filter(|predicate| table.key.contains(&predicate.column));
    of_key
        .map(|predicate| if let Operator::In(count) = predicate.operator { count.max(1) as f64 } else { 1.0 })
        .product()
}

/// A limit ends a scan early only when no other condition, order or grouping has to see the rows first.
fn stop_early(need: &Need, rows: f64) -> f64 {
    let sees_all = !need.grouping.is_empty() || !need.aggregates.is_empty() || !need.order.is_empty();
    match need.limit.and_then(|limit| limit.rows()) {
        Some(limit) if !sees_all => rows.min(limit.max(1) as f64),
        _ => rows,
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_model::workload::Workload;

    use super::*;
    use tablesmith_sql::{Catalog, Dialect, resolve};

    const ADS: &str = r#"
version = 1
[[table]]
name = "ads"
rows = 366_000
key = ["day", "country", "id"]
[table.columns]
day     = { type = "date", distinct = 366, min = "2024-01-01", max = "2024-12-31" }
country = { type = "string", distinct = 11, min = "AT", max = "US", heavy = [{ value = "DE", share = 0.5 }] }
id      = { type = "int", distinct = 1000 }
views   = { type = "int" }
"#;

    #[track_caller]
    fn check(sql: &str, whole_keys: bool, rows: f64) {
        let workload = Workload::parse(ADS).unwrap();
        let statement = resolve(sql, &Catalog::of_workload(&workload), Dialect::default()).unwrap();
        let found = reach(&workload.tables[0], statement.kind, &statement.needs[0], 366_000.0);
        assert_eq!(found.whole_keys, whole_keys, "{sql}");
        assert!((found.rows - rows).abs() < 1e-6 * rows, "{sql}: {} is not {rows}", found.rows);
    }

    fn scan(condition: &str, rows: f64) {
        check(&format!("SELECT views FROM ads WHERE {condition}"), false, rows);
    }

    #[test]
    fn literals_say_how_much_of_the_key_is_read() {
        scan("day = '2024-05-01'", 1_000.0);
        scan("day IN ('2024-05-01', '2024-05-02', '2024-05-01')", 2_000.0);
        scan("day BETWEEN '2024-05-01' AND '2024-05-07'", 7_000.0);
        scan("day >= '2024-05-01' AND '2024-05-08' > day", 7_000.0);
        scan("day = '2024-05-01' AND country = 'DE'", 500.0);
        scan("day = '2024-05-01' AND country = 'FR'", 50.0);
        scan("day = '2024-05-01' AND country IN ('DE', 'FR')", 550.0);
        scan("day BETWEEN '2024-05-01' AND '2024-05-07' AND country = 'FR'", 7_000.0);
        scan("day = '2025-05-01'", 1.0);
    }

    #[test]
    fn without_literals_the_usual_shares_are_taken() {
        scan("day = ?", 1_000.0);
        scan("day IN (?, ?)", 2_000.0);
        scan("day BETWEEN ? AND ?", 122_000.0);
        scan("day BETWEEN '2024-05-01' AND ?", 245.0 / 366.0 * 122_000.0);
        scan("views > 5", 366_000.0);
    }

    #[test]
    fn what_a_text_begins_with_is_a_range() {
        scan("day = '2024-05-01' AND country LIKE '%E'", 1_000.0);
        scan("day = '2024-05-01' AND country LIKE ?", 1_000.0 / 3.0);
        check("SELECT views FROM ads WHERE day = '2024-05-01' AND country LIKE 'D%' LIMIT 7", false, 7.0);
    }

    #[test]
    fn whole_keys_and_inserted_rows_are_counted() {
        let key = "day = '2024-05-01' AND country = 'DE' AND id IN (1, 2, 3)";
        check(&format!("SELECT views FROM ads WHERE {key}"), true, 3.0);
        check("INSERT INTO ads (day, country, id) VALUES ('2024-05-01', 'DE', 1), (?, ?, ?)", true, 2.0);
        check("INSERT INTO ads SELECT ?, ?, ?, ?", true, 1.0);
        check("UPDATE ads SET views = 1", false, 366_000.0);
    }
}
