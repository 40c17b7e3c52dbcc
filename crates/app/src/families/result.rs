//! Groupings as they are serialized.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use tablesmith_design::families::compare::Answer;
use tablesmith_design::families::{ColumnSet, Problem};

use super::{TableAnswer, Task};

/// What was found for all tables.
pub struct FamiliesResult {
    /// The tables.
    pub tables: Vec<TableAnswer>,
    /// What the user should know about the queries.
    pub notes: Vec<String>,
    /// What was done.
    pub task: Task,
}

impl FamiliesResult {
    /// The cost of all tables, for methods that have an answer for each.
    pub fn totals(&self) -> BTreeMap<&'static str, f64> {
        let mut sums: BTreeMap<&'static str, (f64, usize)> = BTreeMap::new();
        for answer in self.tables.iter().flat_map(|answer| &answer.comparison.answers) {
            let (cost, tables) = sums.entry(answer.method).or_default();
            *cost += answer.cost;
            *tables += 1;
        }
        sums.into_iter()
            .filter(|(_, (_, tables))| *tables == self.tables.len())
            .map(|(method, (cost, _))| (method, cost))
            .collect()
    }
}

/// One object: of the one table, or of all of them with the totals of each method.
#[derive(Serialize)]
#[serde(untagged)]
enum Fields<'r> {
    One {
        #[serde(flatten)]
        table: TableFields<'r>,
        notes: &'r [String],
    },
    All {
        tables: Vec<TableFields<'r>>,
        totals: BTreeMap<&'static str, f64>,
        seed: u64,
        notes: &'r [String],
    },
}

#[derive(Serialize)]
struct TableFields<'r> {
    table: &'r str,
    columns: Vec<&'r str>,
    cost: CostFields<'r>,
    methods: Vec<MethodFields<'r>>,
    without: Vec<WithoutFields<'r>>,
    bound: Option<f64>,
    best: Option<&'static str>,
    reasons: Vec<&'r str>,
    seed: u64,
}

#[derive(Serialize)]
struct CostFields<'r> {
    name: &'static str,
    unit: &'static str,
    calibration: Option<&'r str>,
}

#[derive(Serialize)]
struct WithoutFields<'r> {
    method: &'static str,
    why: &'r str,
}

#[derive(Serialize)]
struct MethodFields<'r> {
    method: &'static str,
    families: Vec<Vec<&'r str>>,
    cost: f64,
    proven_optimal: bool,
    millis: f64,
    evaluations: u64,
    validation_cost: Option<f64>,
    gap: Option<f64>,
    out_of_time: bool,
    notes: &'r [String],
}

impl Serialize for FamiliesResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (task, notes) = (&self.task, self.notes.as_slice());
        let fields = match self.tables.as_slice() {
            [answer] => Fields::One { table: table(answer, task), notes },
            answers => Fields::All {
                tables: answers.iter().map(|answer| table(answer, task)).collect(),
                totals: self.totals(),
                seed: task.seed,
                notes,
            },
        };
        fields.serialize(serializer)
    }
}

fn table<'r>(answer: &'r TableAnswer, task: &'r Task) -> TableFields<'r> {
    let TableAnswer { problem, comparison, validation_costs, reasons } = answer;
    let methods = comparison.answers.iter().zip(validation_costs);
    let without = comparison.without.iter().map(|(method, why)| WithoutFields { method, why });
    TableFields {
        table: &problem.table,
        columns: problem.columns.iter().map(|column| column.name.as_str()).collect(),
        cost: CostFields {
            name: task.cost.name(),
            unit: task.cost.unit(),
            calibration: task.cost.calibration(),
        },
        methods: methods.map(|(found, later)| method(answer, found, *later)).collect(),
        without: without.collect(),
        bound: comparison.bound,
        best: comparison.best().map(|best| best.method),
        reasons: reasons.families.iter().chain(&reasons.whole).map(String::as_str).collect(),
        seed: task.seed,
    }
}

fn method<'r>(table: &'r TableAnswer, answer: &'r Answer, validation_cost: Option<f64>) -> MethodFields<'r> {
    MethodFields {
        method: answer.method,
        families: families(&table.problem, &answer.families),
        cost: answer.cost,
        proven_optimal: answer.proven_optimal,
        millis: answer.took.as_secs_f64() * 1e3,
        evaluations: answer.evaluations,
        validation_cost,
        gap: table.comparison.gap(answer),
        out_of_time: answer.out_of_time,
        notes: &answer.notes,
    }
}

/// The families by their columns' names.
fn families<'r>(problem: &'r Problem, families: &[ColumnSet]) -> Vec<Vec<&'r str>> {
    let name = |column: usize| problem.columns.get(column).map(|column| column.name.as_str());
    families.iter().map(|family| family.iter().filter_map(name).collect()).collect()
}
