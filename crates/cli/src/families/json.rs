//! The answers for programs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tablesmith_design::families::compare::Answer;
use tablesmith_design::families::{ColumnSet, Problem};

use super::{Asked, TableAnswer, Task};

/// One object: of the one table that was asked for, or of all of them with the totals of each method.
pub fn value(answers: &[TableAnswer], alone: bool, asked: &Asked, task: &Task) -> Value {
    if let ([answer], true) = (answers, alone) {
        let mut value = table(answer, task);
        add_notes(&mut value, asked);
        return Value::Object(value);
    }
    let tables: Vec<Value> = answers.iter().map(|answer| Value::Object(table(answer, task))).collect();
    let mut value = Map::new();
    value.insert("tables".to_owned(), tables.into());
    value.insert("totals".to_owned(), json!(totals(answers)));
    value.insert("seed".to_owned(), task.seed.into());
    add_notes(&mut value, asked);
    Value::Object(value)
}

/// The cost of all tables, for methods that have an answer for each.
pub fn totals(answers: &[TableAnswer]) -> BTreeMap<&'static str, f64> {
    let mut sums: BTreeMap<&'static str, (f64, usize)> = BTreeMap::new();
    for answer in answers.iter().flat_map(|answer| &answer.comparison.answers) {
        let (cost, tables) = sums.entry(answer.method).or_default();
        *cost += answer.cost;
        *tables += 1;
    }
    sums.into_iter()
        .filter(|(_, (_, tables))| *tables == answers.len())
        .map(|(method, (cost, _))| (method, cost))
        .collect()
}

fn add_notes(value: &mut Map<String, Value>, asked: &Asked) {
    value.insert("notes".to_owned(), json!(asked.notes));
}

fn table(answer: &TableAnswer, task: &Task) -> Map<String, Value> {
    let TableAnswer { problem, comparison, validation_costs, reasons } = answer;
    let names: Vec<&str> = problem.columns.iter().map(|column| column.name.as_str()).collect();
    let methods: Vec<Value> = (comparison.answers.iter().zip(validation_costs))
        .map(|(found, later)| method(answer, found, *later))
        .collect();
    let without: Vec<Value> =
        comparison.without.iter().map(|(method, why)| json!({ "method": method, "why": why })).collect();
    let mut value = Map::new();
    let mut add = |key: &str, part: Value| value.insert(key.to_owned(), part);
    add("table", problem.table.as_str().into());
    add("columns", names.into());
    let calibration = task.cost.calibration();
    add("cost", json!({ "name": task.cost.name(), "unit": task.cost.unit(), "calibration": calibration }));
    add("methods", methods.into());
    add("without", without.into());
    add("bound", json!(comparison.bound));
    add("best", json!(comparison.best().map(|best| best.method)));
    add("reasons", json!([reasons.families.clone(), reasons.whole.clone()].concat()));
    add("seed", task.seed.into());
    value
}

fn method(table: &TableAnswer, answer: &Answer, validation_cost: Option<f64>) -> Value {
    json!({
        "method": answer.method,
        "families": families(&table.problem, &answer.families),
        "cost": answer.cost,
        "proven_optimal": answer.proven_optimal,
        "millis": answer.took.as_secs_f64() * 1e3,
        "evaluations": answer.evaluations,
        "validation_cost": validation_cost,
        "gap": table.comparison.gap(answer),
        "out_of_time": answer.out_of_time,
        "notes": answer.notes,
    })
}

/// The families by their columns' names.
pub fn families(problem: &Problem, families: &[ColumnSet]) -> Vec<Vec<String>> {
    let names = |family: &ColumnSet| {
        family
            .iter()
            .filter_map(|column| problem.columns.get(column))
            .map(|column| column.name.clone())
            .collect()
    };
    families.iter().map(names).collect()
}
