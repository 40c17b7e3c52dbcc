//! Statements that change rows.

use std::io::Write;

use serde_json::json;
use tablesmith_access::answer::{Changer, Explain, ExplainStep};
use tablesmith_access::{LAID_OTHERWISE, Written};
use tablesmith_model::design::Design;
use tablesmith_sql::relational::Statement;
use tablesmith_store::Store;

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

    /// Changes rows, and says how many.
    pub async fn run(&self, global: &Global, changer: &Changer, design: &Design) -> Result<(), Failure> {
        let store = open::store(global).await?;
        keeps_all(&*store, design).await?;
        if let Some(table) = changer.laid_otherwise(&*store).await.map_err(failed)?.first() {
            // Values would be written where nobody looks for them, or over others.
            return Err(Failure::BadFile(format!("{table} {LAID_OTHERWISE}: {INSTEAD}")));
        }
        let plan = self.plan(changer)?;
        interrupt::note_progress(
            "the statement may have changed some of its rows: look with SELECT, then run the statement again for the rest",
        );
        let written = match self.0 {
            Statement::Insert(insert) => changer.insert(&*store, insert).await,
            Statement::Update(update) => changer.update(&*store, update).await,
            Statement::Delete(delete) => changer.delete(&*store, delete).await,
            Statement::Select(_) => return Ok(()),
        };
        warn_of_clocks(&*store, changer);
        let Written { rows, is_blind } = written.map_err(told::failure)?;
        let mut out = terminal::stdout();
        let said = match global.format {
            Format::Json => {
                let plan = as_json::plan(&plan);
                writeln!(
                    out,
                    "{}",
                    json!({"columns": [], "rows": [], "changed": rows, "blind": is_blind, "plan": plan})
                )
            }
            Format::Text => {
                let is_said = if is_blind { ", if there" } else { "" };
                writeln!(out, "{rows} {} {}{is_said}", if rows == 1 { "row" } else { "rows" }, self.verb())
            }
        };
        said.map_err(Failure::Output)
    }

    /// Says how the rows are found.
    pub fn explain(&self, global: &Global, changer: &Changer) -> Result<(), Failure> {
        print_plan(global, &self.plan(changer)?).map_err(Failure::Output)
    }

    fn plan(&self, changer: &Changer) -> Result<Explain, Failure> {
        if let Statement::Update(update) = self.0
            && let Some(table) = changer.counter_of(update)
        {
            let what = format!("one increment of {table}, if the row is there");
            let step = ExplainStep { table: Some(table), what, expected: None, actual: None };
            return Ok(Explain { steps: vec![step] });
        }
        let (mut plan, table) = match self.0 {
            Statement::Update(update) => (changer.explain(&update.table, &update.rows()), &update.table),
            Statement::Delete(delete) => (changer.explain(&delete.table, &delete.rows()), &delete.table),
            Statement::Insert(insert) => (Ok(Explain::default()), &insert.table),
            Statement::Select(_) => return Ok(Explain::default()),
        };
        if let Ok(plan) = &mut plan {
            plan.steps.extend(changer.copies(table).into_iter().map(|place| ExplainStep {
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

/// Says so when the clocks of the store's servers and of this machine differ visibly.
fn warn_of_clocks(store: &dyn Store, changer: &Changer) {
    if let Some(ahead_ms) = changer.clock_behind_ms(store) {
        let _ = writeln!(
            terminal::stderr(),
            "warning: cells of the store are {} s ahead of this machine's clock: a row that was deleted and is inserted again \
             may stay hidden; set the clocks right",
            ahead_ms / 1_000
        );
    }
}
