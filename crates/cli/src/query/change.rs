//! Statements that change rows.

use std::fmt;
use std::io::Write;

use serde_json::json;
use tablesmith_access::answer::{Database, Explain, ExplainStep};
use tablesmith_access::{OTHER_LAYOUT, Writer, Written};
use tablesmith_model::design::Design;
use tablesmith_sql::executable::Statement;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Counting, Counts, Wrapped};

use super::{json as as_json, print_plan, told};
use crate::arguments::{Format, Global};
use crate::failure::Failure;
use crate::load::opened::{INSTEAD, failed, keeps_all};
use crate::{interrupt, open, terminal};

/// A statement that changes rows.
pub struct Change<'c>(&'c Statement);

impl<'c> Change<'c> {
    /// A statement that is no query.
    pub fn of(statement: &'c Statement) -> Self {
        Self(statement)
    }

    /// Changes rows, and says how many; with `explains` also how, and what it took.
    pub async fn run(
        &self,
        global: &Global,
        database: &Database,
        design: &Design,
        explains: bool,
    ) -> Result<(), Failure> {
        let counted = Wrapped::new(open::store(global).await?, Counting::default());
        let store: &dyn Store = &counted;
        keeps_all(store, design).await?;
        let writer = database.writer().map_err(told::failure)?;
        if let Some(table) = writer.tables_with_other_layout(store).await.map_err(failed)?.first() {
            // Values would be written where nobody looks for them, or over others.
            return Err(Failure::BadFile(format!("{table} {OTHER_LAYOUT}: {INSTEAD}")));
        }
        let plan = self.plan(database)?;
        let before = counted.intercept().snapshot();
        interrupt::note_progress(
            "the statement may have changed some of its rows: look with SELECT, then run the statement again for the rest",
        );
        let written = match self.0 {
            Statement::Insert(insert) => database.insert(store, insert).await,
            Statement::Update(update) => database.update(store, update).await,
            Statement::Delete(delete) => database.delete(store, delete).await,
            Statement::Select(_) => return Ok(()),
        };
        warn_of_clocks(store, writer);
        let Written { rows, is_blind } = written.map_err(told::failure)?;
        let took = StatementCost::between(&before, &counted.intercept().snapshot());
        let mut out = terminal::stdout();
        let said = match global.format {
            Format::Json => {
                let mut plan = as_json::plan(&plan);
                if let Some(plan) = plan.as_object_mut() {
                    plan.insert("actual".to_owned(), took.json());
                }
                writeln!(
                    out,
                    "{}",
                    json!({"columns": [], "rows": [], "changed": rows, "blind": is_blind, "plan": plan})
                )
            }
            Format::Text => {
                let is_said = if is_blind { ", if there" } else { "" };
                let said = writeln!(
                    out,
                    "{rows} {} {}{is_said}",
                    if rows == 1 { "row" } else { "rows" },
                    self.verb()
                );
                said.and_then(|()| if explains { write!(out, "{plan}{took}") } else { Ok(()) })
            }
        };
        said.map_err(Failure::Output)
    }

    /// Says how the rows are found.
    pub fn explain(&self, global: &Global, database: &Database) -> Result<(), Failure> {
        print_plan(global, &self.plan(database)?).map_err(Failure::Output)
    }

    fn plan(&self, database: &Database) -> Result<Explain, Failure> {
        if let Statement::Update(update) = self.0
            && let Some(table) = database.counter_of(update)
        {
            let what = format!("one increment of {table}, if the row is there");
            let step = ExplainStep { table: Some(table), what, expected: None, actual: None };
            return Ok(Explain { steps: vec![step], ..Explain::default() });
        }
        let (mut plan, table) = match self.0 {
            Statement::Update(update) => {
                (database.explain_change(&update.table, &update.rows()), &update.table)
            }
            Statement::Delete(delete) => {
                (database.explain_change(&delete.table, &delete.rows()), &delete.table)
            }
            Statement::Insert(insert) => (Ok(Explain::default()), &insert.table),
            Statement::Select(_) => return Ok(Explain::default()),
        };
        if let Ok(plan) = &mut plan {
            plan.steps.extend(database.copies(table).into_iter().map(|place| ExplainStep {
                table: Some(place.clone()),
                what: format!("write {place}"),
                expected: None,
                actual: None,
            }));
        }
        plan.map_err(told::failure)
    }

    fn verb(&self) -> &'static str {
        match self.0 {
            Statement::Insert(_) => "added",
            Statement::Delete(_) => "removed",
            Statement::Update(_) | Statement::Select(_) => "changed",
        }
    }
}

/// What a statement took of the store.
struct StatementCost {
    calls: u64,
    /// Rows that were read.
    read: u64,
    /// Rows that were written.
    written: u64,
}

impl StatementCost {
    fn between(before: &Counts, after: &Counts) -> Self {
        Self {
            calls: after.all_calls() - before.all_calls(),
            read: after.read.rows - before.read.rows,
            written: after.written.rows - before.written.rows,
        }
    }
}

impl StatementCost {
    fn json(&self) -> serde_json::Value {
        let Self { calls, read, written } = self;
        json!({"calls": calls, "rows_read": read, "rows_written": written})
    }
}

impl fmt::Display for StatementCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, read, written } = self;
        let many =
            |number: &u64, what: &str| format!("{number} {what}{}", if *number == 1 { "" } else { "s" });
        let (calls, read, written) = (many(calls, "call"), many(read, "row"), many(written, "row"));
        writeln!(f, "took: {calls}, {read} read, {written} written")
    }
}

/// Says so when the clocks of the store's servers and of this machine differ visibly.
fn warn_of_clocks(store: &dyn Store, writer: &Writer) {
    if let Some(ahead_ms) = writer.clock_behind_ms(store) {
        let _ = writeln!(
            terminal::stderr(),
            "warning: cells of the store are {} s ahead of this machine's clock: a row that was deleted and is inserted again \
             may stay hidden; set the clocks right",
            ahead_ms / 1_000
        );
    }
}
