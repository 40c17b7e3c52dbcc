//! Estimated rows against counted ones.

use std::collections::HashMap;

use tablesmith_generate::ads::generate;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Table, Workload};
use tablesmith_observe::log::{Options, Part, each_statement, read};
use tablesmith_observe::profile::{Certainty, columns_only, find_keys, profile};
use tablesmith_plan::reach;
use tablesmith_sql::{Catalog, Dialect, Need, Operator, Predicate, resolve};
use tempfile::TempDir;

/// Rows as texts, by column.
struct Data {
    table: Table,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Data {
    fn of_csv(table: Table, text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        Self { table, columns: lines.next().unwrap(), rows: lines.collect() }
    }

    /// Rows in the range of keys that a statement has to look at: equalities on leading parts, then one range.
    fn counted(&self, need: &Need) -> usize {
        let mut kept: Vec<&Vec<String>> = self.rows.iter().collect();
        for name in &self.table.key {
            let on_part: Vec<&Predicate> =
                need.predicates.iter().filter(|predicate| predicate.column == *name).collect();
            if on_part.is_empty() {
                break;
            }
            let place = self.columns.iter().position(|column| column == name).unwrap();
            let value_type = self.table.column(name).unwrap().value_type;
            let typed = |text: &str| Value::parse(value_type, text).unwrap();
            let mut cache: HashMap<&str, bool> = HashMap::new();
            kept.retain(|row| {
                let value = row[place].as_str();
                *cache.entry(value).or_insert_with(|| {
                    on_part.iter().all(|predicate| holds(predicate, &typed(value), &typed))
                })
            });
            if !on_part.iter().any(|on| matches!(on.operator, Operator::Eq | Operator::In(_))) {
                break;
            }
        }
        kept.len()
    }

    fn estimated(&self, sql: &str) -> (f64, usize) {
        let workload = Workload { tables: vec![self.table.clone()], ..Workload::default() };
        let statement = resolve(sql, &Catalog::of_workload(&workload), Dialect::default()).unwrap();
        let need = &statement.needs[0];
        let estimate = reach(&self.table, statement.kind, need, self.rows.len() as f64);
        assert!(!estimate.whole_keys, "{sql}");
        (estimate.rows, self.counted(need))
    }
}

fn holds(predicate: &Predicate, value: &Value, typed: &dyn Fn(&str) -> Value) -> bool {
    let literals: Vec<Value> = predicate.values().map(|value| typed(value.literal().unwrap())).collect();
    match predicate.operator {
        Operator::Eq | Operator::In(_) => literals.contains(value),
        Operator::Lt => *value < literals[0],
        Operator::Le => *value <= literals[0],
        Operator::Gt => *value > literals[0],
        Operator::Ge => *value >= literals[0],
        Operator::Between => (&literals[0]..=&literals[1]).contains(&value),
        other => panic!("{other:?}"),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// Half of all are 0, the others even.
    fn skewed(&mut self, limit: u64) -> u64 {
        if self.below(2) == 0 { 0 } else { self.below(limit) }
    }
}

/// A table of whole numbers, days, words and amounts, measured as `init` does.
fn random_table(random: &mut Random, is_skewed: bool, key: [&str; 2]) -> Data {
    let mut text = "number,day,word,amount\n".to_owned();
    for _ in 0..20_000 {
        let mut pick = |limit| if is_skewed { random.skewed(limit) } else { random.below(limit) };
        let (number, day, word, cents) = (pick(40), pick(90), pick(60), pick(5_000));
        let (month, day) = (day / 30 + 1, day % 30 + 1);
        let word = char::from(b'a' + (word % 26) as u8);
        text.push_str(&format!(
            "{number},2024-{month:02}-{day:02},{word}{word}{word},{}.{:02}\n",
            cents / 100,
            cents % 100
        ));
    }
    // The 30th of February is a day too many.
    let text = text.replace("-02-30", "-02-29");
    let directory = TempDir::with_prefix("tablesmith-rows-").unwrap();
    let path = directory.path().join("t.csv");
    std::fs::write(&path, &text).unwrap();
    let mut table = profile(&path, &mut |_| {}).unwrap().to_table("t", "t.csv");
    table.key = [key[0], key[1], "none"].map(str::to_owned).into();
    table.columns.push(Column::new("none", ValueType::Int));
    Data::of_csv(table, &text)
}

/// Conditions on the key: values or a range of the first part, or values of it and either of the second.
fn random_query(random: &mut Random, data: &Data) -> String {
    let [first, second] = [0, 1].map(|part| data.table.key[part].clone());
    let forms = [0, 1].map(|_| random.below(6));
    let mut condition = |name: &str, form: u64| {
        let place = data.columns.iter().position(|column| column == name).unwrap();
        let mut value = || {
            let row = random.below(data.rows.len() as u64) as usize;
            data.rows[row][place].clone()
        };
        let value_type = data.table.column(name).unwrap().value_type;
        let typed = |text: &String| Value::parse(value_type, text).unwrap();
        let mut ends = [value(), value()];
        ends.sort_by_key(typed);
        let [low, high] = ends;
        match form {
            0 => format!("{name} = '{low}'"),
            1 => format!("{name} IN ('{low}', '{high}')"),
            2 => format!("{name} BETWEEN '{low}' AND '{high}'"),
            3 => format!("{name} >= '{low}' AND {name} <= '{high}'"),
            4 => format!("{name} > '{low}'"),
            _ => format!("{name} <= '{high}'"),
        }
    };
    let one = condition(&first, forms[0]);
    let two = condition(&second, forms[1]);
    if forms[0] < 2 {
        format!("SELECT day FROM t WHERE {one} AND {two}")
    } else {
        format!("SELECT day FROM t WHERE {one}")
    }
}

/// The mean of |estimated − counted| / counted over random queries.
fn mean_error(is_skewed: bool, seed: u64) -> f64 {
    let mut random = Random(seed);
    let mut errors = Vec::new();
    for key in [["number", "day"], ["day", "word"], ["amount", "number"], ["word", "amount"]] {
        let data = random_table(&mut random, is_skewed, key);
        for _ in 0..100 {
            let sql = random_query(&mut random, &data);
            let (estimated, counted) = data.estimated(&sql);
            errors.push((estimated - counted.max(1) as f64).abs() / counted.max(1) as f64);
        }
    }
    errors.iter().sum::<f64>() / errors.len() as f64
}

#[test]
fn estimates_are_near_the_counts_where_values_are_spread_evenly() {
    let error = mean_error(false, 1);
    println!("seed 1: mean relative error {error:.3}");
    assert!(error < 0.2, "{error}");
}

#[test]
fn estimates_are_near_the_counts_where_one_value_has_half_the_rows() {
    let error = mean_error(true, 2);
    println!("seed 2: mean relative error {error:.3}");
    assert!(error < 0.25, "{error}");
}

#[test]
fn the_first_columns_are_found_to_be_the_key_of_ads() {
    let directory = TempDir::with_prefix("tablesmith-rows-").unwrap();
    generate(0.01, 1, directory.path(), &mut |_| {}).unwrap();
    let path = directory.path().join("ads.csv");
    let measured = columns_only(&path, &mut |_| {}).unwrap();
    let asked = ["day", "publisher", "campaign", "country", "device", "advertiser"].map(str::to_owned);
    for preferred in [&[][..], &asked] {
        let keys = find_keys(&path, &measured, preferred).unwrap();
        assert_eq!(keys.len(), 1, "{keys:?}");
        assert_eq!(keys[0].certainty, Certainty::Certain);
        // Among so few rows the device, which is the last part of the key, is not needed.
        assert_eq!(keys[0].columns, ["day", "publisher", "campaign", "country"]);
    }
}

fn median_and_tails(mut ratios: Vec<f64>) -> [f64; 3] {
    ratios.sort_by(f64::total_cmp);
    [0.05, 0.5, 0.95].map(|rank| ratios[(rank * (ratios.len() - 1) as f64).round() as usize])
}

#[test]
fn reports_on_ads_touch_about_as_many_rows_as_is_said() {
    let directory = TempDir::with_prefix("tablesmith-rows-").unwrap();
    generate(0.01, 1, directory.path(), &mut |_| {}).unwrap();
    let text = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
    let workload = Workload::parse(&text("workload.toml")).unwrap();
    let data = Data::of_csv(workload.tables[0].clone(), &text("ads.csv"));
    let log = directory.path().join("queries.sql");
    let mut statements = Vec::new();
    each_statement(&log, &Options::default(), |sql, _, _| {
        statements.push(String::from_utf8(sql.to_vec()).unwrap())
    })
    .unwrap();
    let scans: Vec<&String> = statements.iter().filter(|sql| sql.contains("BETWEEN")).collect();
    let ratios = scans.iter().step_by(scans.len() / 200).map(|sql| {
        let (estimated, counted) = data.estimated(sql);
        estimated / counted as f64
    });
    let [low, median, high] = median_and_tails(ratios.collect());
    println!("estimated / counted: median {median:.2}, from {low:.2} to {high:.2} in 90 of 100");
    assert!((0.8..1.25).contains(&median) && low > 0.5 && high < 2.0, "{low} {median} {high}");

    let catalog = Catalog::of_workload(&workload);
    let queries =
        read(&log, &catalog, &Options::default(), &mut |_| {}).unwrap().queries_of(Part::Training, &workload);
    let means = queries
        .iter()
        .filter(|query| query.rows != Some(1))
        .map(|query| query.rows.unwrap() as f64 / 26_000.0);
    // A quarter each asks for 2, 8, 31 and 91 of 366 days; the first days of the year have fewer before them.
    let [low, median, high] = median_and_tails(means.collect());
    assert!(low > 0.03 && (0.06..0.1).contains(&median) && high < 0.13, "{low} {median} {high}");
}
