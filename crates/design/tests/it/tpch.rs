//! TPC-H at scale factor 10, as the published comparison of vertical partitioning has it.

use tablesmith_design::families::cost::Disk;
use tablesmith_design::families::{
    Access, Ask, Column, ColumnSet, Cost, Evaluator, FamilyLimit, Method, Outcome, Problem,
};
use tablesmith_model::workload::{Asks, Workload};

/// The tables with what is asked of each.
pub fn tables() -> Vec<Problem> {
    let workload = Workload::parse(include_str!("../tpch-workload.toml")).expect("the fixture is right");
    workload.tables.iter().map(|table| problem(&workload, &table.name)).collect()
}

/// One table with a limit on families.
pub fn table(name: &str, limit: FamilyLimit) -> Problem {
    let problem = tables().into_iter().find(|problem| problem.table == name).expect("the fixture has it");
    Problem { limit, ..problem }
}

fn problem(workload: &Workload, name: &str) -> Problem {
    let table = workload.table(name).expect("it comes from the workload");
    let rows = table.rows.expect("the fixture says how many");
    let asks = workload.queries.iter().filter_map(|query| match &query.asks {
        Asks::Columns(touched) if touched.table == name => Some(Ask {
            name: query.name.clone(),
            access: Access::Scan,
            columns: touched.reads.iter().filter_map(|column| table.column_index(column)).collect(),
            rows: rows as f64,
            rate: query.rate,
        }),
        _ => None,
    });
    Problem {
        table: name.to_owned(),
        rows,
        key_bytes: 8.0,
        columns: table
            .columns
            .iter()
            .map(|column| Column {
                name: column.name.clone(),
                bytes: column.bytes.expect("the fixture says how many"),
                filled: 1.0,
            })
            .collect(),
        asks: asks.collect(),
        limit: FamilyLimit::None,
        current: None,
    }
}

/// Runs a method and checks that its answer is a grouping that the problem and the cost allow.
pub fn run(method: &dyn Method, problem: &Problem, cost: &dyn Cost, seed: u64) -> (f64, Outcome) {
    let evaluator = Evaluator::new(problem, cost, None);
    let outcome = method.run(&evaluator, seed);
    let families: &[ColumnSet] = outcome.families.as_deref().expect("there is an answer");
    assert!(problem.allows(families), "{} on {}: {families:?}", method.name(), problem.table);
    let columns: usize = families.iter().map(ColumnSet::len).sum();
    assert!(cost.allows_duplicates() || columns == problem.columns.len(), "{}: {families:?}", method.name());
    (cost.of(problem, families), outcome)
}

/// The cost of a method summed over the tables, without a limit.
pub fn total(method: &dyn Method) -> f64 {
    tables().iter().map(|problem| run(method, problem, &Disk::default(), 1).0).sum()
}
