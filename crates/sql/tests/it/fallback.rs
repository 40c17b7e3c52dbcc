//! Text that no parser knows, and text that says nothing about the known tables.

use tablesmith_sql::{Dialect, SqlError, Understood, resolve};

use crate::shape::{catalog, check, shape};

#[test]
fn what_no_parser_knows_is_read_by_its_names() {
    check(&[
        ("SELECT name FROM users WHERE age ~~~> 3 SOUNDS WRONG", "select users(name,age)"),
        ("SELECT * FROM users WHERE )", "select users(id,name,email,age,active)"),
        ("UPSERT INTO users (id, name) VALUES (1, 'age') %%", "insert users() writes(id,name)"),
        ("UPDATE users SET name = 'x' WHERE ) age = 3", "update users(age) writes(name)"),
        (
            "DELETE FROM items WHERE ) price = 1",
            "delete items(price) writes(order_id,product,quantity,price)",
        ),
        ("SELECT price * quantity FROM items WHERE )", "select items(quantity,price)"),
        ("FOREACH SELECT u.name FROM \"users\" u JOIN orders o ON ((", "select users(name) | orders()"),
    ]);
    let statement = resolve("SELECT name FROM users WHERE )", &catalog(), Dialect::Generic).unwrap();
    assert_eq!(statement.understood, Understood::ByNames);
}

#[test]
fn a_truncated_statement_still_counts() {
    check(&[("SELECT name, age FROM users WHERE email = 'abc", "select users(name,email,age)")]);
}

#[test]
fn other_tables_are_named() {
    for sql in ["SELECT a FROM elsewhere JOIN beyond ON x = y", "SELECT a FROM elsewhere JOIN beyond ON ON x"]
    {
        let error = resolve(sql, &catalog(), Dialect::Generic).unwrap_err();
        let SqlError::OtherTables(mut names) = error else { panic!("{error}") };
        names.sort();
        assert_eq!(names, ["beyond", "elsewhere"]);
    }
}

#[test]
fn what_touches_no_rows_is_no_statement() {
    for sql in [
        "BEGIN",
        "COMMIT",
        "SET x = 1",
        "SHOW TABLES",
        "CREATE INDEX i ON users (name)",
        "VACUUM users",
        "",
        "-- x",
        "SELECT 1",
    ] {
        let found = shape(sql);
        let expected =
            if sql == "SELECT 1" { "none of the known tables" } else { "reads and writes no rows" };
        assert!(found.contains(expected), "{sql}: {found}");
    }
}

#[test]
fn a_long_list_of_values_is_parsed_all_the_same() {
    let values: Vec<String> = (0..200_000).map(|value| value.to_string()).collect();
    let sql = format!("SELECT name FROM users WHERE id IN ({})", values.join(","));
    assert_eq!(shape(&sql), "select users(id,name) where[id in1 ?]");
    let rows: Vec<String> = (0..50_000).map(|value| format!("({value}, 'n')")).collect();
    assert_eq!(
        shape(&format!("INSERT INTO users (id, name) VALUES {}", rows.join(","))),
        "insert users() writes(id,name)"
    );
}
