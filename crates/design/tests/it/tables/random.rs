//! Random workloads of forty statements: each is decided with a proof.

use std::fmt::Write;
use std::time::{Duration, Instant};

use fastrand::Rng;
use tablesmith_design::tables::{Terms, decide};
use tablesmith_model::cost::Prices;

use super::support::workload;

const WORKLOADS: u64 = 8;
const STATEMENTS: usize = 40;

/// A table whose first column is its key.
struct Table {
    name: String,
    columns: Vec<String>,
    /// Columns that hold keys of earlier tables.
    references: Vec<(String, usize)>,
}

/// Tables and statements as text.
fn random(rng: &mut Rng) -> String {
    let mut text = String::new();
    let mut tables: Vec<Table> = Vec::new();
    for number in 0..rng.usize(3..9) {
        let table = table(rng, number);
        let rows = one_of(rng, &[1_000_u64, 20_000, 100_000, 1_000_000]);
        writeln!(text, "[[table]]\nname = {:?}\nrows = {rows}\nkey = [\"id\"]\n[table.columns]", table.name)
            .unwrap();
        for column in &table.columns {
            let value_type =
                if column.starts_with('c') { one_of(rng, &["int", "string", "timestamp"]) } else { "int" };
            let distinct = rows / one_of(rng, &[1, 5, 50, 1_000]);
            writeln!(text, "{column} = {{ type = {value_type:?}, distinct = {} }}", distinct.max(2)).unwrap();
        }
        writeln!(text, "[table.references]").unwrap();
        for (column, other) in &table.references {
            writeln!(text, "{column} = \"t{other}.id\"").unwrap();
        }
        tables.push(table);
    }
    for number in 0..STATEMENTS {
        let (sql, rate) = (statement(rng, &tables), one_of(rng, &[0.1, 1.0, 10.0, 100.0, 500.0]));
        writeln!(text, "[[query]]\nname = \"q{number}\"\nsql = {sql:?}\nrate = {rate:?}").unwrap();
    }
    text
}

fn table(rng: &mut Rng, number: usize) -> Table {
    let mut references = Vec::new();
    for place in 0..if number == 0 { 0 } else { rng.usize(0..3) } {
        references.push((format!("r{place}"), rng.usize(0..number)));
    }
    let mut columns = vec!["id".to_owned()];
    columns.extend(references.iter().map(|(column, _)| column.clone()));
    columns.extend((0..rng.usize(2..7)).map(|place| format!("c{place}")));
    Table { name: format!("t{number}"), columns, references }
}

fn statement(rng: &mut Rng, tables: &[Table]) -> String {
    let table = &tables[rng.usize(..tables.len())];
    let Table { name, columns, references } = table;
    match rng.usize(0..100) {
        0..12 => {
            let values = vec!["?"; columns.len()].join(", ");
            format!("INSERT INTO {name} ({}) VALUES ({values})", columns.join(", "))
        }
        12..20 => {
            format!("UPDATE {name} SET {} = ? WHERE id = ?", columns[rng.usize(1..columns.len())])
        }
        20..24 => format!("DELETE FROM {name} WHERE id = ?"),
        24..60 => single(rng, table),
        _ if references.is_empty() => single(rng, table),
        _ => join(rng, tables, table),
    }
}

fn single(rng: &mut Rng, table: &Table) -> String {
    let mut sql = format!("SELECT {} FROM {}", some_columns(rng, table, 3), table.name);
    for place in 0..rng.usize(1..3) {
        let word = if place == 0 { "WHERE" } else { "AND" };
        let column = &table.columns[rng.usize(..table.columns.len())];
        write!(sql, " {word} {column} {}", one_of(rng, &["= ?", "= ?", ">= ?", "IN (?, ?)"])).unwrap();
    }
    if rng.usize(0..10) < 4 {
        let column = &table.columns[rng.usize(..table.columns.len())];
        write!(sql, " ORDER BY {column} DESC LIMIT {}", one_of(rng, &[1, 10, 50])).unwrap();
    }
    sql
}

/// A table with one that it refers to, and sometimes one that that refers to.
fn join(rng: &mut Rng, tables: &[Table], table: &Table) -> String {
    let (column, other) = &table.references[rng.usize(..table.references.len())];
    let (name, other) = (&table.name, &tables[*other]);
    let mut shown = format!("{}, {}", some_columns(rng, table, 2), some_columns(rng, other, 2));
    let mut from = format!("{name} JOIN {0} ON {name}.{column} = {0}.id", other.name);
    if let Some((column, third)) = other.references.first().filter(|_| rng.bool()) {
        write!(from, " JOIN t{third} third ON {}.{column} = third.id", other.name).unwrap();
        shown.push_str(", third.c0");
    }
    let about = if rng.bool() { table } else { other };
    let asked = &about.columns[rng.usize(..about.columns.len())];
    format!("SELECT {shown} FROM {from} WHERE {}.{asked} = ?", about.name)
}

fn some_columns(rng: &mut Rng, table: &Table, count: usize) -> String {
    let mut columns: Vec<String> =
        table.columns.iter().map(|column| format!("{}.{column}", table.name)).collect();
    rng.shuffle(&mut columns);
    columns.truncate(count);
    columns.join(", ")
}

fn one_of<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())]
}

#[test]
fn forty_random_statements_are_decided_with_a_proof() {
    for seed in 1..=WORKLOADS {
        let text = random(&mut Rng::with_seed(seed));
        let terms = Terms { prices: Prices::guessed(), servers: Some(5), time: Duration::from_secs(60) };
        let begun = Instant::now();
        let decided = decide(&workload(&text), &terms).unwrap_or_else(|error| panic!("{error}\n{text}"));
        println!("seed {seed}: {} candidates, {:.1?}", decided.candidates, begun.elapsed());
        assert!(
            decided.is_proven,
            "seed {seed}: {} and at least {}\n{text}",
            decided.total_cost, decided.bound
        );
    }
}
