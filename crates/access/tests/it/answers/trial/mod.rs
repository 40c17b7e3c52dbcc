//! One trial: a random workload and design in a store, beside SQLite with the same rows, and the same statements for both.

mod changes;
mod check;
mod design;
mod sqlite;
mod statement;
mod world;

use std::sync::{Arc, Mutex};

use fastrand::Rng;
use tablesmith_access::answer::{Database, Explain, PlanOrigin, QueryPlan};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{PreparedStatement, Statement};
use tablesmith_store::Store;

use sqlite::Oracle;
pub use statement::Written;
pub use world::World;

/// A design in a store, beside SQLite with the same rows.
struct Case<'c> {
    store: &'c dyn Store,
    world: World,
    database: Database,
    oracle: Oracle,
    told: String,
    tally: &'c Mutex<Tally>,
}

/// How plans and what they were expected to take compare with the design and with what they took.
#[derive(Debug, Default)]
pub struct Tally {
    /// Queries whose plan is the one in the design.
    pub as_designed: usize,
    /// Queries with another plan than the one in the design, in words.
    pub differing: Vec<String>,
    /// Queries that took as many calls as was expected.
    pub calls_exact: usize,
    /// Queries in all.
    pub queries: usize,
}

impl Tally {
    fn add(&mut self, plan: &QueryPlan, explain: &Explain, told: &str) {
        self.queries += 1;
        match plan.origin() {
            PlanOrigin::Planner => {}
            PlanOrigin::Design(_) => self.as_designed += 1,
            PlanOrigin::Differs { designed, .. } => {
                let tables: Vec<&str> = plan.tables().collect();
                self.differing.push(format!("{tables:?} instead of {designed:?}\n{explain}\n{told}"));
            }
        }
        let steps = explain.steps.iter().filter_map(|step| Some((step.expected?.calls, step.actual?.calls)));
        self.calls_exact +=
            usize::from(steps.fold(0.0, |sum, (expected, took)| sum + expected - took) == 0.0);
    }
}

impl<'c> Case<'c> {
    async fn new(
        store: &'c dyn Store,
        world: World,
        design: &Design,
        told: String,
        tally: &'c Mutex<Tally>,
    ) -> Self {
        let told = format!("{told}, on\n{}\n{}", world.workload.to_toml(), design.to_toml());
        let database = Database::new(Arc::new(world.workload.clone()), design);
        let database = database.unwrap_or_else(|error| panic!("{error}; {told}"));
        design::fill(store, &world, design, &database).await;
        let oracle = Oracle::new(&world);
        Self { store, world, database, oracle, told, tally }
    }

    fn statement(&self, written: &Written) -> Statement {
        let prepared = PreparedStatement::new(&written.sql, &self.world.workload, Dialect::Generic);
        let statement = prepared.and_then(|prepared| prepared.bind(&written.bound()));
        statement.unwrap_or_else(|error| panic!("{error}: {}", self.told(written)))
    }

    fn told(&self, written: &Written) -> String {
        format!("{}\nwith {:?}; {}", written.sql, written.parameters, self.told)
    }

    /// Executes a query of the workload on both, and holds the answers against each other. Where the design has a plan for
    /// it, that is the one which is executed.
    async fn ask(&self, name: &str, written: &Written) {
        let told = self.told(written);
        let Statement::Select(query) = self.statement(written) else { panic!("no query: {told}") };
        let designed = &self.database;
        let plan = designed.plan_query(Some(name), &query).unwrap_or_else(|error| panic!("{error}: {told}"));
        let mut answer = designed.answer(self.store, &plan).unwrap_or_else(|error| panic!("{error}: {told}"));
        let rows = answer.all().await.unwrap_or_else(|error| panic!("{error}: {told}"));
        let expected = self.oracle.rows(&written.sql, &written.parameters);
        let all = self.oracle.rows(&written.without_limit, &written.parameters);
        let explain = answer.explain();
        check::same(&rows, &expected, &all, written, &format!("{explain}\n{told}"));
        self.tally.lock().unwrap().add(&plan, &explain, &told);
    }

    /// Changes rows of both.
    async fn change(&self, written: &Written) {
        let told = self.told(written);
        let statement = self.statement(written);
        let done = match &statement {
            Statement::Insert(insert) => self.database.insert(self.store, insert).await,
            Statement::Update(update) => self.database.update(self.store, update).await,
            Statement::Delete(delete) => self.database.delete(self.store, delete).await,
            Statement::Select(_) => panic!("no change: {told}"),
        };
        done.unwrap_or_else(|error| panic!("{error}: {told}"));
        self.oracle.change(&written.sql, &written.parameters);
    }
}

/// Who designs the tables of a workload that is asked these statements; the names of tables begin as said.
pub type Designer<'d> = dyn Fn(&mut Rng, &World, &[&Written], &str) -> Design + Send + Sync + 'd;

/// Makes a workload, a random design and its tables, whose names begin as said; asks some queries, changes rows, and asks
/// again. The tables stay.
pub async fn trial(store: &dyn Store, seed: u64, tables: &str) -> Vec<TableName> {
    let by_chance =
        |random: &mut Rng, world: &World, _: &[&Written], names: &str| design::random(random, world, names);
    trial_of(store, seed, tables, &by_chance, &Mutex::default()).await
}

/// The same with a design that somebody makes for these statements.
pub async fn trial_of(
    store: &dyn Store,
    seed: u64,
    tables: &str,
    designer: &Designer<'_>,
    tally: &Mutex<Tally>,
) -> Vec<TableName> {
    let mut random = Rng::with_seed(seed);
    let world = World::random(&mut random);
    let before: Vec<Written> = (0..10).map(|_| statement::select(&mut random, &world)).collect();
    let mut changed = || (changes::change(&mut random, &world), statement::select(&mut random, &world));
    let after: Vec<(Written, Written)> = (0..5).map(|_| changed()).collect();
    let all: Vec<&Written> =
        before.iter().chain(after.iter().flat_map(|(change, select)| [change, select])).collect();
    let design = designer(&mut random, &world, &all, tables);
    let case = Case::new(store, world, &design, format!("TABLESMITH_SEED={seed}"), tally).await;
    for (number, select) in before.iter().enumerate() {
        case.ask(&format!("q{number}"), select).await;
    }
    for (number, (change, select)) in after.iter().enumerate() {
        case.change(change).await;
        case.ask(&format!("q{}", before.len() + 2 * number + 1), select).await;
    }
    let layouts = case.database.layouts().iter();
    let mut names: Vec<TableName> = layouts.map(|layout| layout.table().parse().unwrap()).collect();
    // Rows of two kinds can share a table.
    names.dedup();
    names
}
