//! What `tablesmith verify` does: makes a table for each design, loads the data, replays the test part of the log on all
//! of them, and says which is faster.

mod data;
pub mod designs;
pub mod progress;
mod script;
pub mod text;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::evidence::{Evidence, MeasuredDesign, RegionLoad};
use tablesmith_model::workload::Workload;
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Store, StoreError};
use tablesmith_verify::calls::TextCall;
use tablesmith_verify::evidence::{Expectation, Setting, evidence};
use tablesmith_verify::replay::{Pace, REPEATS, Replay, Schedule, Script, Stop, Subject, replay};
use tablesmith_verify::trial::{self, DesignSubject, Laid, LaidError, Placed};

use self::designs::NamedDesign;
use self::progress::Bars;
use crate::failure::Failure;
use crate::give_way::GiveWay;
use crate::interrupt::{self, TemporaryTables};
use crate::number_text::grouped;

/// How designs are measured.
pub struct Task {
    /// Calls that are measured on each design: different ones, each made [`REPEATS`] times, or more often where there are
    /// fewer.
    pub queries: usize,
    /// Calls before them.
    pub warm_up: usize,
    /// How fast.
    pub pace: Pace,
    /// What is expected.
    pub expectation: Option<Expectation>,
    /// Whether the tables stay.
    pub keep: bool,
    /// What everything random is made from.
    pub seed: u64,
    /// The store, as its address says it.
    pub store: String,
    /// What is measured, in a few words.
    pub title: String,
}

/// What was measured, and why it ended early if it did.
pub struct Outcome {
    /// What was measured.
    pub evidence: Evidence,
    /// Why it ended early.
    pub stopped: Option<Stop>,
}

/// Measures designs of the workload that lies at `path`. What was measured before a store failed or Ctrl-C came is in the
/// outcome; an error means that nothing was measured.
pub async fn measure(
    store: &Arc<dyn Store>,
    workload: &Workload,
    path: &Path,
    designs: &[NamedDesign],
    task: &Task,
) -> Result<Outcome, Failure> {
    let asked = script::of(workload, path, task.queries.div_ceil(REPEATS), task.seed)?;
    let tables = tables_of(&asked.script);
    let laid: Vec<Vec<Laid>> =
        designs.iter().map(|design| design.laid(workload, &tables)).collect::<Result<_, _>>()?;
    check_covered(&asked.script, &laid)?;
    let loader = Arc::new(Wrapped::new(Arc::clone(store), GiveWay::default()));
    let mut trial = Trial { store, loader, path, bars: Bars::default(), designs: Vec::new() };
    let tables = (!task.keep).then(|| TemporaryTables::new("verify, in the namespace tablesmith_verify"));
    let measured = trial.run(asked, laid, task).await;
    trial.bars.end();
    let Some(tables) = tables else { return measured };
    let is_gone = match &measured {
        Ok(outcome) => matches!(outcome.stopped, Some(Stop::Store { .. })),
        Err(failure) => matches!(failure, Failure::Store(_)),
    };
    // What was measured counts more than what could not be removed.
    let removed = trial.remove(is_gone).await;
    tables.dropped(match (removed, measured) {
        (Err(error), Ok(Outcome { mut evidence, stopped })) => {
            evidence.notes.push(format!("the tables of the trial could not be removed: {error}"));
            Ok(Outcome { evidence, stopped })
        }
        (_, measured) => measured,
    })
}

/// A store that has failed gets so long to let go of the tables and no longer: somebody waits for what was measured.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tables of the workload that are asked.
fn tables_of(script: &Script<TextCall>) -> Vec<String> {
    let tables: BTreeSet<&str> = script.calls.iter().map(|entry| &*entry.call.call.table).collect();
    tables.into_iter().map(str::to_owned).collect()
}

/// Every design must answer every call, which is known before anything is made.
fn check_covered(script: &Script<TextCall>, designs: &[Vec<Laid>]) -> Result<(), Failure> {
    for tables in designs {
        for entry in &script.calls {
            let call = &entry.call.call;
            let Some(laid) = tables.iter().find(|laid| laid.source().name == *call.table) else {
                continue;
            };
            laid.check(call).map_err(|error| Failure::BadFile(format!("{error}\n  in {}", entry.call)))?;
        }
    }
    Ok(())
}

/// A measurement under way.
struct Trial<'a> {
    /// The store that is measured, with nothing before it.
    store: &'a Arc<dyn Store>,
    /// The same, for loading: it gives way to Ctrl-C.
    loader: Arc<dyn Store>,
    path: &'a Path,
    bars: Bars,
    /// The tables of each design as far as they are made.
    designs: Vec<(MeasuredDesign, Vec<Placed>)>,
}

impl Trial<'_> {
    async fn run(
        &mut self,
        asked: script::Asked,
        laid: Vec<Vec<Laid>>,
        task: &Task,
    ) -> Result<Outcome, Failure> {
        interrupt::interruptible(self.load(laid)).await?;
        let schedule = Schedule::new(
            asked.script.calls.len(),
            self.designs.len(),
            task.warm_up,
            task.queries,
            task.seed,
        );
        let turns = schedule.warm_up() + schedule.measured();
        let replayed =
            Arc::new(Replay { script: asked.script, subjects: self.subjects(), schedule, pace: task.pace });
        let bar = self.bars.begin("replaying", turns as u64);
        let measured = replay(Arc::clone(&replayed), interrupt::interrupted(), &|made| bar.inc(made)).await;
        interrupt::note_progress(format!(
            "{} of {} calls measured on each design",
            grouped(measured.turns.len() as u64),
            grouped(replayed.schedule.measured() as u64)
        ));
        self.bars.end();
        if !matches!(measured.stopped, Some(Stop::Store { .. })) {
            self.see_regions().await;
        }
        let setting = Setting {
            title: task.title.clone(),
            store: task.store.clone(),
            seed: task.seed,
            pace: task.pace,
            designs: self.designs.iter().map(|(design, _)| design.clone()).collect(),
            expectation: task.expectation.clone(),
            notes: asked.notes,
        };
        let evidence = evidence(&replayed.script, &replayed.schedule, &measured, setting);
        Ok(Outcome { evidence, stopped: measured.stopped })
    }

    async fn load(&mut self, designs: Vec<Vec<Laid>>) -> Result<(), Failure> {
        let rows = |laid: &Laid| laid.source().rows.unwrap_or(0);
        let total = designs.iter().flatten().map(rows).sum();
        let bar = self.bars.begin("loading", total);
        for tables in designs {
            let name = tables.first().map(|laid| laid.design().to_owned()).unwrap_or_default();
            self.designs.push((MeasuredDesign { name, ..MeasuredDesign::default() }, Vec::new()));
            for laid in tables {
                let source = laid.source().clone();
                let mut placed = trial::make(&*self.loader, laid).await.map_err(failed)?;
                let Some((design, tables)) = self.designs.last_mut() else { continue };
                tables.push(placed.clone());
                let before = bar.position();
                let mut progress = |rows| bar.set_position(before + rows);
                let rows = data::rows(self.path, &source)?;
                let loaded = placed.load(&*self.loader, rows, &mut progress).await.map_err(failed)?;
                design.loaded.rows += loaded.rows;
                design.loaded.seconds += loaded.seconds;
                design.loaded.rejected.extend(loaded.rejected);
                design.families.extend(placed.laid.families());
                // Loading has found out which columns every row has: planning needs to know.
                if let Some(last) = tables.last_mut() {
                    *last = placed;
                }
            }
        }
        Ok(())
    }

    fn subjects(&self) -> Vec<(String, Arc<dyn Subject<TextCall>>)> {
        let subject = |(design, tables): &(MeasuredDesign, Vec<Placed>)| {
            let subject: Arc<dyn Subject<TextCall>> =
                Arc::new(DesignSubject::new(Arc::clone(self.store), tables.clone()));
            (design.name.clone(), subject)
        };
        self.designs.iter().map(subject).collect()
    }

    /// What the regions had to do; a store that does not answer any more leaves it open.
    async fn see_regions(&mut self) {
        for (design, tables) in &mut self.designs {
            for placed in tables {
                let regions = self.store.regions(&placed.name).await.unwrap_or_default();
                design.regions.extend(regions.iter().map(|region| RegionLoad {
                    start: to_text(&region.start),
                    server: region.server.clone(),
                    reads: Some(region.load.reads),
                    writes: Some(region.load.writes),
                    bytes: region.load.stored_bytes,
                }));
            }
        }
    }

    async fn remove(&self, is_gone: bool) -> Result<(), StoreError> {
        let names: Vec<TableName> =
            self.designs.iter().flat_map(|(_, tables)| tables).map(|placed| placed.name.clone()).collect();
        let removed = trial::remove(&**self.store, names.iter().cloned());
        if !is_gone {
            return removed.await;
        }
        let names = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let no_answer =
            |_| StoreError::Io(format!("the store does not answer; {names} stay until the next trial"));
        tokio::time::timeout(PATIENCE, removed).await.map_err(no_answer)?
    }
}

fn failed(error: LaidError) -> Failure {
    error.into_store().map_or_else(|error| Failure::BadFile(error.to_string()), Failure::Store)
}
