//! Parents and children side by side: in one row, or in rows beside each other.

use tablesmith_model::design::PlanAccess;

use super::support::{decided, query};

/// Shops with their orders; how many and how they are read is said by each test.
fn shops(orders: u64, more: &str) -> String {
    format!(
        r#"
[[table]]
name = "shop"
rows = 1_000
key = ["id"]
[table.columns]
id = {{ type = "string", bytes = 8 }}
name = {{ type = "string", bytes = 20 }}
[[table]]
name = "sale"
rows = {orders}
key = ["no"]
[table.columns]
no = {{ type = "int" }}
shop = {{ type = "string", bytes = 8, distinct = 1_000 }}
at = {{ type = "timestamp" }}
what = {{ type = "string", bytes = 60 }}
[table.references]
shop = "shop.id"
[[query]]
name = "a shop and its newest sales"
sql = "SELECT s.name, o.at, o.what FROM shop s JOIN sale o ON o.shop = s.id WHERE s.id = ? ORDER BY o.at DESC LIMIT 10"
rate = 1000
[[query]]
name = "rename"
sql = "UPDATE shop SET name = ? WHERE id = ?"
rate = 100
{more}
"#
    )
}

const ALL_SHOPS: &str = r#"
[[query]]
name = "all shops"
sql = "SELECT id, name FROM shop"
rate = 500
"#;

#[test]
fn a_parent_with_many_children_is_read_by_one_scan_of_neighbours() {
    // A copy of the name in each of many sales would have to be changed with it, and one row cannot hold them all.
    let decided = decided(&shops(50_000_000, ""));
    let found = query(&decided, "a shop and its newest sales");
    assert_eq!((found.steps.len(), found.operations.calls), (1, 1.0), "{:?}", found.steps);
    assert_eq!(found.steps[0].access, PlanAccess::Scan);
    assert!(found.operations.rows <= 11.0, "it stops at the limit: {:?}", found.operations);
    let table = decided.design.table(&found.steps[0].table).unwrap();
    let keys: Vec<String> = table
        .rows
        .iter()
        .map(|rows| rows.key.parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(keys.len(), 2, "{keys:?}");
    assert!(
        keys[0].ends_with("id const(\"0\")") && keys[1].ends_with("shop const(\"1\") desc(at) no"),
        "{keys:?}"
    );
}

#[test]
fn a_type_between_keys_makes_reading_all_of_one_kind_dear() {
    let with_all = decided(&shops(50_000_000, ALL_SHOPS));
    let all = query(&with_all, "all shops");
    assert!(all.operations.rows < 2_000.0, "nobody reads sales for the names of shops: {:?}", all.operations);
}

#[test]
fn a_parent_with_few_children_is_one_row() {
    let few = shops(20_000, "").replace("LIMIT 10", "").replace("ORDER BY o.at DESC", "");
    let decided = decided(&few.replace("rate = 100\n", "rate = 3000\n"));
    let found = query(&decided, "a shop and its newest sales");
    assert_eq!((found.steps.len(), found.operations.calls), (1, 1.0), "{:?}", found.steps);
    let table = decided.design.table(&found.steps[0].table).unwrap();
    assert_eq!(table.rows.len(), 2, "parent and children: {table:?}");
}
