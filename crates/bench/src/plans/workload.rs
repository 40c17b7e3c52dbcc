//! Random workloads with their rows, and statistics that are exact.

use std::collections::{BTreeMap, BTreeSet};

use tablesmith_model::design::ColumnOf;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Asks, Column, Heavy, Join, Query, Reference, Table, Wishes, Workload};

/// A workload with the rows of its tables.
pub struct RandomWorkload {
    pub workload: Workload,
    /// The rows of each table, in the order of the workload.
    pub rows: Vec<Vec<Vec<Value>>>,
    templates: Vec<Template>,
}

/// A query whose parameters are values of one row.
#[derive(Clone)]
pub struct Template {
    pub name: String,
    sql: String,
    /// The table that parameters come from, and the column of each.
    table: usize,
    parameters: Vec<Parameter>,
}

#[derive(Clone)]
enum Parameter {
    /// A value of the row.
    Value(usize),
    /// The value of an integer column, and so much more.
    Plus(usize, i64),
    /// A value of another row.
    Other(usize),
}

impl Template {
    /// The statement with parameters of a random row.
    pub fn bound(&self, random: &mut fastrand::Rng, world: &RandomWorkload) -> String {
        let rows = world.rows.get(self.table).map(Vec::as_slice).unwrap_or_default();
        let value = |row: Option<&Vec<Value>>, column: usize| {
            row.and_then(|row| row.get(column)).cloned().unwrap_or(Value::Null)
        };
        let row = random.choice(rows);
        let mut sql = self.sql.clone();
        for parameter in &self.parameters {
            let value = match parameter {
                Parameter::Value(column) => value(row, *column),
                Parameter::Other(column) => value(random.choice(rows), *column),
                Parameter::Plus(column, more) => match value(row, *column) {
                    Value::Int(number) => Value::Int(number + more),
                    other => other,
                },
            };
            let text = match value {
                Value::String(text) => format!("'{text}'"),
                other => other.to_string(),
            };
            sql = sql.replacen('?', &text, 1);
        }
        sql
    }
}

impl RandomWorkload {
    /// Up to three tables, each after the first with a reference to one before.
    pub fn new(random: &mut fastrand::Rng) -> Self {
        let mut world = Self { workload: Workload::default(), rows: Vec::new(), templates: Vec::new() };
        for number in 0..random.usize(1..=3) {
            world.add_table(random, number);
        }
        for (number, table) in world.workload.tables.clone().iter().enumerate() {
            world.add_queries(random, number, table);
        }
        world.measure();
        world
    }

    /// The queries that read.
    pub fn reads(&self) -> Vec<Template> {
        self.templates.clone()
    }

    fn add_table(&mut self, random: &mut fastrand::Rng, number: usize) {
        let count = random.choice([60_i64, 300, 800, 2_000]).unwrap_or(300);
        let parent = (number > 0).then(|| random.usize(..number));
        let name = format!("t{number}");
        let mut table = Table { name: name.clone(), ..Table::default() };
        table.columns.push(Column::new("id", ValueType::Int));
        table.key = vec!["id".to_owned()];
        if let Some(parent) = parent {
            table.columns.push(Column::new("parent", ValueType::Int));
            let (table_name, target) = (format!("t{parent}"), "id".to_owned());
            table.references.push(Reference { column: "parent".into(), table: table_name, target });
            if random.bool() {
                table.key = vec!["parent".to_owned(), "id".to_owned()];
            }
        }
        let kinds: Vec<(bool, i64)> = (0..random.usize(2..=5))
            .map(|_| (random.bool(), random.choice([2, 8, 40, count]).unwrap_or(8)))
            .collect();
        for (at, (is_text, _)) in kinds.iter().enumerate() {
            let value_type = if *is_text { ValueType::String } else { ValueType::Int };
            table.columns.push(Column::new(format!("c{at}"), value_type));
        }
        let parents = parent.and_then(|parent| self.rows.get(parent)).map(|rows| rows.len() as i64);
        let is_skewed = random.u8(..3) == 0;
        let pick = |random: &mut fastrand::Rng, of: i64| match is_skewed {
            true => (random.f64().powi(3) * of as f64) as i64,
            false => random.i64(0..of),
        };
        let mut rows = Vec::new();
        for id in 0..count {
            let mut row = vec![Value::Int(id)];
            row.extend(parents.map(|parents| Value::Int(pick(random, parents))));
            for (is_text, distinct) in &kinds {
                let number = pick(random, *distinct);
                row.push(match is_text {
                    true => Value::String(format!("value {number:06}")),
                    false => Value::Int(number),
                });
            }
            rows.push(row);
        }
        random.shuffle(&mut rows);
        self.workload.tables.push(table);
        self.rows.push(rows);
    }

    /// Queries on one table, each at a random rate, and an INSERT that makes index tables cost something.
    fn add_queries(&mut self, random: &mut fastrand::Rng, number: usize, table: &Table) {
        use Parameter::{Other, Plus, Value as Own};
        let name = &table.name;
        let column = |random: &mut fastrand::Rng| {
            let at = random.usize(1..table.columns.len());
            (at, table.columns.get(at).map(|column| column.name.clone()).unwrap_or_default())
        };
        let shown = format!("{}, {}", column(random).1, column(random).1);
        let key = table.key.iter().map(|key| format!("{key} = ?")).collect::<Vec<_>>().join(" AND ");
        let of_key = table.key.iter().filter_map(|key| table.column_index(key)).map(Own).collect();
        let by_key = format!("SELECT {shown} FROM {name} WHERE {key}");
        let (at, equal) = column(random);
        let by_column = format!("SELECT id, {shown} FROM {name} WHERE {equal} = ?");
        let (sorted_at, sorted) = column(random);
        let (order, limit) = (if random.bool() { "DESC" } else { "ASC" }, random.u8(1..30));
        let in_order =
            format!("SELECT id, {shown} FROM {name} WHERE {sorted} = ? ORDER BY id {order} LIMIT {limit}");
        let length = random.i64(5..60);
        let (counted_at, counted) = column(random);
        let mut queries = vec![
            (by_key, of_key),
            (by_column, vec![Own(at)]),
            (in_order, vec![Own(sorted_at)]),
            (format!("SELECT {shown} FROM {name} WHERE id >= ? AND id < ?"), vec![Own(0), Plus(0, length)]),
            (format!("SELECT COUNT(*), MAX(id) FROM {name} WHERE {counted} = ?"), vec![Own(counted_at)]),
            (format!("SELECT id, {shown} FROM {name}"), Vec::new()),
        ];
        if table.key.len() == 1 {
            let sql = format!("SELECT {shown} FROM {name} WHERE id IN (?, ?, ?)");
            queries.push((sql, vec![Own(0), Other(0), Other(0)]));
        }
        if let Some(reference) = table.references.first() {
            let from = format!("{name} a JOIN {} b ON a.parent = b.id", reference.table);
            let (at, by) = column(random);
            queries.push((format!("SELECT a.id, b.c0 FROM {from} WHERE a.parent = ?"), vec![Own(1)]));
            queries.push((format!("SELECT a.id, b.c0, b.c1 FROM {from} WHERE a.{by} = ?"), vec![Own(at)]));
        }
        queries.retain(|_| random.bool());
        for (sql, parameters) in queries {
            let name = self.add_query(random, sql.clone());
            self.templates.push(Template { name, sql, table: number, parameters });
        }
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let marks = vec!["?"; columns.len()].join(", ");
        self.add_query(random, format!("INSERT INTO {name} ({}) VALUES ({marks})", columns.join(", ")));
    }

    /// Adds a query at a random rate; its name.
    fn add_query(&mut self, random: &mut fastrand::Rng, sql: String) -> String {
        let name = format!("q{}", self.workload.queries.len());
        let rate = random.choice([1.0, 30.0, 1_000.0]).unwrap_or(1.0);
        self.workload.queries.push(Query {
            name: name.clone(),
            asks: Asks::Sql(sql),
            rows: None,
            rate,
            wishes: Wishes::default(),
        });
        name
    }

    /// Statistics of all columns, and how many rows belong together.
    fn measure(&mut self) {
        for (table, rows) in self.workload.tables.iter_mut().zip(&self.rows) {
            table.rows = Some(rows.len() as u64);
            for (at, column) in table.columns.iter_mut().enumerate() {
                measure(column, rows.iter().filter_map(|row| row.get(at)));
            }
        }
        let tables = self.workload.tables.iter().zip(&self.rows);
        for (table, rows) in tables.clone() {
            let Some(reference) = table.references.first() else { continue };
            let Some((_, parents)) = tables.clone().find(|(other, _)| other.name == reference.table) else {
                continue;
            };
            let ids: BTreeSet<&Value> = parents.iter().filter_map(|row| row.first()).collect();
            let has_parent = |row: &&Vec<Value>| row.get(1).is_some_and(|parent| ids.contains(parent));
            self.workload.joins.push(Join {
                one: ColumnOf::new(&table.name, "parent"),
                other: ColumnOf::new(&reference.table, "id"),
                rows: rows.iter().filter(has_parent).count() as u64,
            });
        }
    }
}

fn measure<'v>(column: &mut Column, values: impl Iterator<Item = &'v Value>) {
    let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
    let (mut bytes, mut all) = (0, 0);
    for value in values {
        *counts.entry(value).or_default() += 1;
        bytes += value.to_string().len();
        all += 1;
    }
    column.distinct = Some(counts.len() as u64);
    column.nulls = Some(0.0);
    column.bytes = Some(bytes as f64 / f64::from(all).max(1.0));
    column.min = counts.keys().next().map(ToString::to_string);
    column.max = counts.keys().next_back().map(ToString::to_string);
    // Where values differ in how often they occur, all of them are listed: the statistics are exact.
    let is_even = counts.values().max() == counts.values().min();
    let heavy = counts.into_iter().filter(|_| !is_even);
    let share = |count: u64| count as f64 / f64::from(all);
    column.heavy =
        heavy.map(|(value, count)| Heavy { value: value.to_string(), share: share(count) }).collect();
}
