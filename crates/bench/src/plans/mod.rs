//! How well plans are predicted: random workloads whose statistics are exact, designed, loaded and queried.
//!
//! For every execution of a query: whether the executed plan is the one in the design, and what the planner estimated beside
//! what the store counted.

mod tally;
mod workload;

use std::sync::Arc;
use std::time::Duration;

use tablesmith_access::answer::PlanOrigin;
use tablesmith_design::tables::{Terms, decide};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::cost::Prices;
use tablesmith_model::source_row::SourceRow;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_store::Store;
use tablesmith_verify::trial::{TrialDesign, TrialRows};

use tally::{Execution, Tally};
use workload::RandomWorkload;

/// What goes wrong.
type Failure = Box<dyn std::error::Error + Send + Sync>;

const WORKLOADS: u64 = 200;
/// Executions of each query, with parameters from the data.
const EXECUTIONS: usize = 5;
/// Workloads that share a store: one with many tables takes longer to create another.
const WORKLOADS_PER_STORE: u64 = 10;

/// Prints the distribution over all workloads. `TABLESMITH_SEED` picks one, `TABLESMITH_WORKLOADS` says how many.
pub fn compare() -> Result<(), String> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("TABLESMITH_SEED") {
        Some(seed) => seed..=seed,
        None => 1..=number("TABLESMITH_WORKLOADS").unwrap_or(WORKLOADS),
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let tally = runtime.block_on(tally(seeds)).map_err(|error| error.to_string())?;
    println!("{tally}");
    Ok(())
}

/// What executions on the workloads of these seeds show.
async fn tally(seeds: std::ops::RangeInclusive<u64>) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let (mut from, last) = seeds.into_inner();
    while from <= last {
        let to = last.min(from + WORKLOADS_PER_STORE - 1);
        let directory = tempfile::tempdir()?;
        let engine = Engine::open(EngineOptions::new(directory.path()))?;
        for seed in from..=to {
            workload(&engine, seed, &mut tally).await.map_err(|error| format!("seed {seed}: {error}"))?;
        }
        from = to + 1;
    }
    Ok(tally)
}

/// Designs, loads and queries one workload.
async fn workload(store: &dyn Store, seed: u64, tally: &mut Tally) -> Result<(), Failure> {
    let mut random = fastrand::Rng::with_seed(seed);
    let world = RandomWorkload::new(&mut random);
    let workload = Arc::new(world.workload.clone());
    let terms = Terms { prices: Prices::guessed(), servers: Some(1), time: Duration::from_secs(2) };
    let design = decide(&workload, &terms)?.design;
    let mut trial = TrialDesign::new(&format!("plans{seed}"), Arc::clone(&workload), &design)?;
    trial.create(store).await?;
    let rows = workload.tables.iter().zip(&world.rows).map(|(table, rows)| TrialRows {
        table: &table.name,
        rows: Box::new(
            rows.clone()
                .into_iter()
                .enumerate()
                .map(|(at, values)| Ok(SourceRow { line: at as u64 + 1, values })),
        ),
    });
    trial.load(store, rows, &mut |_| ()).await?;
    tally.workloads += 1;
    for query in world.reads() {
        let predicted = design.queries.iter().find(|plan| plan.name == query.name);
        for _ in 0..EXECUTIONS {
            let sql = query.bound(&mut random, &world);
            let prepared = PreparedStatement::new(&sql, &workload, Dialect::Generic)?;
            let statement = prepared.bind(&Parameters::none())?;
            let Statement::Select(select) = statement else { return Err(format!("no query: {sql}").into()) };
            let database = trial.database();
            let plan = database.plan_query(Some(&query.name), &select)?;
            let mut answer = database.answer(store, &plan)?;
            answer.all().await?;
            tally.add(Execution {
                seed,
                sql: sql.clone(),
                is_as_designed: matches!(plan.origin(), PlanOrigin::Design(_)),
                predicted: predicted.and_then(|plan| plan.predicted),
                explain: answer.explain(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks that the cost model has to meet where statistics are exact.
    #[tokio::test]
    async fn plans_are_those_of_the_design_and_their_cost_is_predicted() {
        let tally = tally(1..=20).await.unwrap();
        println!("{tally}");
        assert_eq!(tally.share(|one| one.is_as_designed), 1.0, "{tally}");
        assert!(tally.share(Execution::has_calls) >= 0.95, "{tally}");
        assert!(tally.share(Execution::has_rows) >= 0.9, "{tally}");
        assert!(tally.share(Execution::has_bytes) >= 0.9, "{tally}");
    }
}
