//! Statements that change rows: INSERT, UPDATE and DELETE.

use serde::{Serialize, Serializer};
use tablesmith_access::answer::{Database, Explain, ExplainStep};
use tablesmith_access::{Writer, Written};
use tablesmith_model::design::Design;
use tablesmith_sql::executable::Statement;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Counting, Counts, Wrapped};

use super::plan::{Plan, PlanFields};
use crate::load::keeps_all;
use crate::{AppError, Context, open};

/// What a statement did to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Rows were added.
    Added,
    /// Rows were removed.
    Removed,
    /// Rows were changed.
    Changed,
}

/// What a statement changed, and how.
#[derive(Clone, Debug)]
pub struct Change {
    /// What it did.
    pub kind: ChangeKind,
    /// How many rows.
    pub rows: u64,
    /// Whether it was written without a look at what is there.
    pub is_blind: bool,
    /// How the rows were found.
    pub plan: Plan,
    /// What it took of the store.
    pub took: StatementCost,
}

/// What a statement took of the store.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StatementCost {
    /// Calls.
    pub calls: u64,
    /// Rows that were read.
    pub rows_read: u64,
    /// Rows that were written.
    pub rows_written: u64,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'c> {
            columns: [(); 0],
            rows: [(); 0],
            changed: u64,
            blind: bool,
            plan: PlanAndCost<'c>,
        }
        #[derive(Serialize)]
        struct PlanAndCost<'c> {
            #[serde(flatten)]
            plan: PlanFields<'c>,
            actual: StatementCost,
        }
        let plan = PlanAndCost { plan: self.plan.fields(), actual: self.took };
        Fields { columns: [], rows: [], changed: self.rows, blind: self.is_blind, plan }.serialize(serializer)
    }
}

/// Changes rows, and says how many and how.
pub async fn run(
    context: &Context,
    database: &Database,
    design: &Design,
    statement: &Statement,
) -> Result<Change, AppError> {
    let counted = Wrapped::new(open::store(context).await?, Counting::default());
    let store: &dyn Store = &counted;
    keeps_all(store, design).await?;
    let writer = database.writer()?;
    if let Some(table) = writer.tables_with_other_layout(store).await?.into_iter().next() {
        // Values would be written where nobody looks for them, or over others.
        return Err(AppError::OtherLayout(table));
    }
    let plan = Plan(plan(database, statement)?);
    let before = counted.intercept().snapshot();
    context.progress.note(
        "the statement may have changed some of its rows: look with SELECT, then run the statement again for the rest"
            .to_owned(),
    );
    let (kind, written) = match statement {
        Statement::Insert(insert) => (ChangeKind::Added, database.insert(store, insert).await),
        Statement::Update(update) => (ChangeKind::Changed, database.update(store, update).await),
        Statement::Delete(delete) => (ChangeKind::Removed, database.delete(store, delete).await),
        Statement::Select(_) => (ChangeKind::Changed, Ok(Written::default())),
    };
    warn_of_clocks(context, store, writer);
    let Written { rows, is_blind } = written?;
    let took = StatementCost::between(&before, &counted.intercept().snapshot());
    Ok(Change { kind, rows, is_blind, plan, took })
}

/// How the rows of a statement that changes some are found, and where they are written.
pub fn plan(database: &Database, statement: &Statement) -> Result<Explain, AppError> {
    if let Statement::Update(update) = statement
        && let Some(table) = database.counter_of(update)
    {
        let what = format!("one increment of {table}, if the row is there");
        let step = ExplainStep { table: Some(table), what, expected: None, actual: None };
        return Ok(Explain { steps: vec![step], ..Explain::default() });
    }
    let (mut plan, table) = match statement {
        Statement::Update(update) => (database.explain_change(&update.table, &update.rows())?, &update.table),
        Statement::Delete(delete) => (database.explain_change(&delete.table, &delete.rows())?, &delete.table),
        Statement::Insert(insert) => (Explain::default(), &insert.table),
        Statement::Select(_) => return Ok(Explain::default()),
    };
    plan.steps.extend(database.copies(table).into_iter().map(|place| ExplainStep {
        table: Some(place.clone()),
        what: format!("write {place}"),
        expected: None,
        actual: None,
    }));
    Ok(plan)
}

impl StatementCost {
    fn between(before: &Counts, after: &Counts) -> Self {
        Self {
            calls: after.all_calls() - before.all_calls(),
            rows_read: after.read.rows - before.read.rows,
            rows_written: after.written.rows - before.written.rows,
        }
    }
}

/// Says so when the clocks of the store's servers and of this machine differ visibly.
fn warn_of_clocks(context: &Context, store: &dyn Store, writer: &Writer) {
    if let Some(ahead_ms) = writer.clock_behind_ms(store) {
        context.progress.warn(&format!(
            "warning: cells of the store are {} s ahead of this machine's clock: a row that was deleted and is inserted again \
             may stay hidden; set the clocks right",
            ahead_ms / 1_000
        ));
    }
}
