//! A large workload: an online shop with forty statements.

use std::fmt::Write;
use std::time::{Duration, Instant};

use tablesmith_design::tables::{Terms, decide};
use tablesmith_model::cost::Prices;

use super::support::workload;

/// Tables: name, rows, key, columns, references.
const TABLES: [(&str, u64, &str, &str, &str); 8] = [
    ("customer", 2_000_000, "id", "id string, name string, city string, born date, points int", ""),
    (
        "address",
        3_000_000,
        "no",
        "no int, customer string, street string, city string",
        "customer customer.id",
    ),
    ("product", 300_000, "sku", "sku string, title string, kind string, price int, stock int", ""),
    (
        "orders",
        20_000_000,
        "no",
        "no int, customer string, at timestamp, state string, total int",
        "customer customer.id",
    ),
    (
        "item",
        60_000_000,
        "orders place",
        "orders int, place int, product string, amount int, price int",
        "orders orders.no|product product.sku",
    ),
    (
        "review",
        5_000_000,
        "no",
        "no int, product string, customer string, stars int, at timestamp, text string",
        "product product.sku|customer customer.id",
    ),
    (
        "wish",
        8_000_000,
        "customer product",
        "customer string, product string, at timestamp",
        "customer customer.id|product product.sku",
    ),
    (
        "visit",
        90_000_000,
        "customer at",
        "customer string, at timestamp, page string",
        "customer customer.id",
    ),
];

/// Statements, each with its rate.
const STATEMENTS: [(&str, f64); 40] = [
    ("SELECT name, city, points FROM customer WHERE id = ?", 900.0),
    ("SELECT id FROM customer WHERE city = ? AND born BETWEEN ? AND ?", 2.0),
    ("SELECT street, city FROM address WHERE customer = ?", 300.0),
    (
        "SELECT c.name, a.street, a.city FROM customer c JOIN address a ON a.customer = c.id WHERE c.id = ?",
        120.0,
    ),
    ("SELECT title, price, stock FROM product WHERE sku = ?", 2000.0),
    ("SELECT sku, title, price FROM product WHERE kind = ? ORDER BY price LIMIT 50", 400.0),
    ("SELECT sku, title FROM product WHERE kind = ? AND price BETWEEN ? AND ?", 150.0),
    ("SELECT sku, stock FROM product WHERE stock < ?", 0.1),
    ("SELECT no, at, state, total FROM orders WHERE customer = ? ORDER BY at DESC LIMIT 10", 350.0),
    ("SELECT at, state, total FROM orders WHERE no = ?", 500.0),
    ("SELECT no, customer FROM orders WHERE state = ? ORDER BY at LIMIT 100", 20.0),
    ("SELECT COUNT(*), SUM(total) FROM orders WHERE at BETWEEN ? AND ?", 0.2),
    ("SELECT SUM(total) FROM orders WHERE customer = ?", 15.0),
    ("SELECT product, amount, price FROM item WHERE orders = ?", 450.0),
    ("SELECT i.amount, p.title FROM item i JOIN product p ON p.sku = i.product WHERE i.orders = ?", 200.0),
    (
        "SELECT o.at, o.state, i.product, i.amount FROM orders o JOIN item i ON i.orders = o.no WHERE o.no = ?",
        180.0,
    ),
    ("SELECT orders, amount FROM item WHERE product = ?", 3.0),
    ("SELECT SUM(amount) FROM item WHERE product = ?", 1.0),
    ("SELECT stars, text, at FROM review WHERE product = ? ORDER BY at DESC LIMIT 20", 800.0),
    ("SELECT AVG(stars), COUNT(*) FROM review WHERE product = ?", 100.0),
    ("SELECT product, stars FROM review WHERE customer = ?", 10.0),
    (
        "SELECT r.text, c.name FROM review r JOIN customer c ON c.id = r.customer WHERE r.product = ? ORDER BY r.at DESC LIMIT 5",
        250.0,
    ),
    ("SELECT product FROM wish WHERE customer = ?", 180.0),
    (
        "SELECT w.at, p.title, p.price FROM wish w JOIN product p ON p.sku = w.product WHERE w.customer = ?",
        90.0,
    ),
    ("SELECT customer FROM wish WHERE product = ?", 4.0),
    ("SELECT at, page FROM visit WHERE customer = ? ORDER BY at DESC LIMIT 30", 60.0),
    ("SELECT COUNT(*) FROM visit WHERE customer = ? AND at > ?", 5.0),
    ("INSERT INTO customer (id, name, city, born, points) VALUES (?, ?, ?, ?, ?)", 1.0),
    ("UPDATE customer SET points = points + ? WHERE id = ?", 40.0),
    ("UPDATE customer SET city = ? WHERE id = ?", 0.5),
    ("INSERT INTO address (no, customer, street, city) VALUES (?, ?, ?, ?)", 1.0),
    ("UPDATE product SET price = ? WHERE sku = ?", 3.0),
    ("UPDATE product SET stock = stock - ? WHERE sku = ?", 50.0),
    ("INSERT INTO orders (no, customer, at, state, total) VALUES (?, ?, ?, ?, ?)", 15.0),
    ("UPDATE orders SET state = ? WHERE no = ?", 30.0),
    ("INSERT INTO item (orders, place, product, amount, price) VALUES (?, ?, ?, ?, ?)", 45.0),
    ("INSERT INTO review (no, product, customer, stars, at, text) VALUES (?, ?, ?, ?, ?, ?)", 2.0),
    ("INSERT INTO wish (customer, product, at) VALUES (?, ?, ?)", 12.0),
    ("DELETE FROM wish WHERE customer = ? AND product = ?", 6.0),
    ("INSERT INTO visit (customer, at, page) VALUES (?, ?, ?)", 300.0),
];

fn shop() -> String {
    let mut text = String::new();
    for (name, rows, key, columns, references) in TABLES {
        let quoted: Vec<String> = key.split(' ').map(|column| format!("{column:?}")).collect();
        writeln!(
            text,
            "[[table]]\nname = {name:?}\nrows = {rows}\nkey = [{}]\n[table.columns]",
            quoted.join(", ")
        )
        .unwrap();
        for (column, value_type) in columns.split(", ").filter_map(|column| column.split_once(' ')) {
            writeln!(text, "{column} = {{ type = {value_type:?} }}").unwrap();
        }
        writeln!(text, "[table.references]").unwrap();
        for (column, target) in references.split('|').filter_map(|reference| reference.split_once(' ')) {
            writeln!(text, "{column} = {target:?}").unwrap();
        }
    }
    for (number, (sql, rate)) in STATEMENTS.iter().enumerate() {
        writeln!(text, "[[query]]\nname = \"q{number}\"\nsql = {sql:?}\nrate = {rate:?}").unwrap();
    }
    text
}

#[test]
fn forty_statements_are_decided_with_a_proof() {
    let terms = Terms { prices: Prices::guessed(), servers: Some(5), time: Duration::from_secs(60) };
    let begun = Instant::now();
    let decided = decide(&workload(&shop()), &terms).unwrap_or_else(|error| panic!("{error}"));
    println!(
        "{} candidates, {} tables, {:.1?}: {:.1} ms of a second's calls",
        decided.candidates,
        decided.tables.len(),
        begun.elapsed(),
        decided.total_cost
    );
    assert!(decided.is_proven, "{} and {}", decided.total_cost, decided.bound);
    assert_eq!(decided.queries.len(), 40);
}
