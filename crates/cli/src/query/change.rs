//! Statements that change rows.

use std::io::{self, Write};

use serde_json::json;
use tablesmith_access::answer::{Changer, Explain, ExplainStep};
use tablesmith_access::{LAID_OTHERWISE, Writer, Written};
use tablesmith_model::design::Design;
use tablesmith_sql::relational::Statement;

use super::{json as as_json, laid_otherwise, print_plan, told};
use crate::arguments::{Format, Global};
use crate::failure::Failure;
use crate::load::opened::{INSTEAD, keeps_all};
use crate::open;

/// A statement that changes rows.
pub struct Change<'c>(&'c Statement);

impl<'c> Change<'c> {
    /// A statement that is no query.
    pub fn of(statement: &'c Statement) -> Self {
        Self(statement)
    }

    /// Changes rows, and says how many.
    pub async fn run(
        &self,
        global: &Global,
        changer: &Changer,
        (design, writer): (&Design, Option<&Writer>),
    ) -> Result<(), Failure> {
        let store = open::store(global).await?;
        keeps_all(&*store, design).await?;
        if let Some(table) = laid_otherwise(writer, &*store).await? {
            // Values would be written where nobody looks for them, or over others.
            return Err(Failure::BadFile(format!("{table} {LAID_OTHERWISE}: {INSTEAD}")));
        }
        let plan = self.plan(changer)?;
        let written = match self.0 {
            Statement::Insert(insert) => changer.insert(&*store, insert).await,
            Statement::Update(update) => changer.update(&*store, update).await,
            Statement::Delete(delete) => changer.delete(&*store, delete).await,
            Statement::Select(_) => return Ok(()),
        };
        let Written { rows, is_blind } = written.map_err(told::failure)?;
        let mut out = io::stdout();
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
