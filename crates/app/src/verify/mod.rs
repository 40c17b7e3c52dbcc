//! `verify`: creates the tables of each design, loads the data, replays the test part of the log on all of them, and says
//! which is faster.

mod data;
mod designs;
mod script;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Serialize, Serializer};
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::{Evidence, MeasuredDesign, MeasuredRegion};
use tablesmith_model::workload::Workload;
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Store, StoreError};
use tablesmith_verify::evidence::{Expectation, Setting, evidence};
use tablesmith_verify::replay::{Pace, REPEATS, Replay, Schedule, Script, Stop, Subject, replay};
use tablesmith_verify::statements::BoundStatement;
use tablesmith_verify::trial::{self, DesignSubject, TrialDesign, TrialRows};

use tablesmith_report::number::grouped;

pub use self::designs::NamedDesign;
use crate::evidence_files::EvidenceFiles;
use crate::give_way::GiveWay;
use crate::leftovers::TemporaryTables;
use crate::{AppError, Context, Unit, calibrate, open, workload_file};

/// What is measured, how, and where it is written.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The workload.
    pub workload: PathBuf,
    /// The designs.
    pub designs: Vec<PathBuf>,
    /// Calls that are measured on each design.
    pub queries: usize,
    /// Calls before them.
    pub warm_up: usize,
    /// How fast.
    pub pace: Pace,
    /// What is expected.
    pub expectation: Option<Expectation>,
    /// Whether the tables stay.
    pub keep: bool,
    /// Where evidence is written.
    pub files: EvidenceFiles,
}

/// What was measured, and what follows.
pub struct VerifyResult {
    /// What was measured.
    pub evidence: Evidence,
    /// Whether what was expected holds; true where nothing was.
    pub holds: bool,
    /// Why it ended early.
    pub stopped: Option<Stop>,
    /// Closed with the result: that could take longer than somebody waits who cancelled this and wants to see what was
    /// measured.
    _store: Arc<dyn Store>,
}

impl VerifyResult {
    /// Whether all answers were equal and what was expected holds; the error that ended it early, if one did.
    pub fn verdict(self) -> Result<bool, AppError> {
        match self.stopped {
            Some(Stop::Store { error, .. }) => Err(AppError::Store(*error)),
            Some(Stop::Interrupted) => Err(AppError::Cancelled),
            Some(Stop::Differ(_)) => Ok(false),
            None => Ok(self.holds),
        }
    }
}

impl Serialize for VerifyResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.evidence.serialize(serializer)
    }
}

/// Measures designs of a workload, and writes the evidence.
pub async fn run(context: &Context, options: &VerifyOptions) -> Result<VerifyResult, AppError> {
    let workload = workload_file::read(&options.workload)?;
    let designs = designs::read(&options.designs, &workload)?;
    designs::check_expectation(options.expectation.as_ref(), &designs)?;
    options.files.check()?;
    let prices = calibrate::of_store(context, false).await?.map(|found| found.prices());
    let names: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    let task = Task {
        queries: options.queries,
        warm_up: options.warm_up,
        pace: options.pace,
        expectation: options.expectation.clone(),
        keep: options.keep,
        seed: context.seed,
        store: open::address(context),
        title: names.join(", "),
        prices: prices.unwrap_or_else(Prices::guessed),
    };
    let store = open::bare(context).await?;
    let Outcome { evidence, stopped } =
        measure(context, &store, &workload, &options.workload, &designs, &task).await?;
    options.files.write(&evidence)?;
    let holds = options.expectation.as_ref().is_none_or(|claim| claim.holds(&evidence.pairs));
    Ok(VerifyResult { evidence, holds, stopped, _store: store })
}

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
    /// The unit costs that statements are planned with.
    pub prices: Prices,
}

/// What was measured, and why it ended early if it did.
pub struct Outcome {
    /// What was measured.
    pub evidence: Evidence,
    /// Why it ended early.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// What was measured, if it was measured to the end.
    pub fn complete(self, context: &Context) -> Result<Evidence, AppError> {
        match self.stopped {
            Some(Stop::Store { error, .. }) => Err(AppError::Store(*error)),
            Some(Stop::Interrupted) => {
                context.progress.may_end();
                Err(AppError::Cancelled)
            }
            Some(Stop::Differ(_)) | None => Ok(self.evidence),
        }
    }
}

/// Measures designs of the workload that lies at `path`. What was measured before a store failed or Ctrl-C came is in the
/// outcome; an error means that nothing was measured.
pub async fn measure(
    context: &Context,
    store: &Arc<dyn Store>,
    workload: &Workload,
    path: &Path,
    designs: &[NamedDesign],
    task: &Task,
) -> Result<Outcome, AppError> {
    let input = script::of(workload, path, task.queries.div_ceil(REPEATS), task.seed)?;
    let shared = Arc::new(workload.clone());
    let designs =
        designs.iter().map(|design| design.trial(&shared, &task.prices)).collect::<Result<Vec<_>, _>>()?;
    check_covered(&input.script, &designs)?;
    let loader = Arc::new(Wrapped::new(Arc::clone(store), GiveWay::default()));
    let mut trial = Trial { store, loader, workload, path, context, designs: Vec::new() };
    let tables = (!task.keep).then(|| TemporaryTables::new("verify, in the namespace tablesmith_verify"));
    let measured = trial.run(input, designs, task).await;
    context.progress.end();
    let Some(tables) = tables else { return measured };
    let is_gone = match &measured {
        Ok(outcome) => matches!(outcome.stopped, Some(Stop::Store { .. })),
        Err(failure) => matches!(failure, AppError::Store(_)),
    };
    // What was measured counts more than what could not be removed.
    let removed = trial.remove(is_gone).await;
    tables.dropped(
        context,
        match (removed, measured) {
            (Err(error), Ok(Outcome { mut evidence, stopped })) => {
                evidence.notes.push(format!("the tables of the trial could not be removed: {error}"));
                Ok(Outcome { evidence, stopped })
            }
            (_, measured) => measured,
        },
    )
}

/// A store that has failed gets so long to let go of the tables and no longer: somebody waits for what was measured.
const PATIENCE: Duration = Duration::from_secs(10);

/// Every design must answer every statement, which is known before anything is created.
fn check_covered(script: &Script<BoundStatement>, designs: &[TrialDesign]) -> Result<(), AppError> {
    for design in designs {
        for (at, entry) in script.calls.iter().enumerate() {
            design.check(script.query_of(at), &entry.call)?;
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
    workload: &'a Workload,
    path: &'a Path,
    context: &'a Context,
    /// The designs whose tables are created, as far as that has come.
    designs: Vec<(MeasuredDesign, TrialDesign)>,
}

impl Trial<'_> {
    async fn run(
        &mut self,
        input: script::ReplayInput,
        designs: Vec<TrialDesign>,
        task: &Task,
    ) -> Result<Outcome, AppError> {
        let Context { progress, cancellation, .. } = self.context;
        cancellation.or_cancelled(self.load(&input.script, designs)).await?;
        let schedule = Schedule::new(
            input.script.calls.len(),
            self.designs.len(),
            task.warm_up,
            task.queries,
            task.seed,
        );
        let turns = schedule.warm_up() + schedule.measured();
        let replayed =
            Arc::new(Replay { script: input.script, subjects: self.subjects(), schedule, pace: task.pace });
        progress.begin("replaying", Unit::Count, Some(turns as u64));
        let made = AtomicU64::new(0);
        let advance = |more: u64| progress.advance(made.fetch_add(more, Ordering::Relaxed) + more);
        let measured = replay(Arc::clone(&replayed), cancellation.cancelled(), &advance).await;
        progress.note(format!(
            "{} of {} calls measured on each design",
            grouped(measured.turns.len() as u64),
            grouped(replayed.schedule.measured() as u64)
        ));
        progress.end();
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
            notes: input.notes,
        };
        let evidence = evidence(&replayed.script, &replayed.schedule, &measured, setting);
        Ok(Outcome { evidence, stopped: measured.stopped })
    }

    async fn load(
        &mut self,
        script: &Script<BoundStatement>,
        designs: Vec<TrialDesign>,
    ) -> Result<(), AppError> {
        let touched: BTreeSet<&str> = script.calls.iter().flat_map(|entry| entry.call.tables()).collect();
        let total = designs.iter().flat_map(|design| design.tables_for(&touched));
        let total = total.filter_map(|table| self.workload.table(table)?.rows).sum();
        let context = self.context;
        context.progress.begin("loading", Unit::Count, Some(total));
        let mut before = 0;
        for design in designs {
            let tables: Vec<String> = design.tables_for(&touched).into_iter().map(str::to_owned).collect();
            let measured = MeasuredDesign { name: design.name.clone(), ..MeasuredDesign::default() };
            self.designs.push((measured, design));
            let Some((measured, design)) = self.designs.last_mut() else { continue };
            design.create(&*self.loader).await?;
            let mut files = Vec::with_capacity(tables.len());
            for table in tables.iter().filter_map(|name| self.workload.table(name)) {
                let rows = Box::new(data::rows(self.path, table)?);
                files.push(TrialRows { table: &table.name, rows });
            }
            let mut progress = |rows| context.progress.advance(before + rows);
            measured.loaded = design.load(&*self.loader, files, &mut progress).await?;
            before += measured.loaded.rows;
            measured.families = design.families();
        }
        Ok(())
    }

    fn subjects(&self) -> Vec<(String, Arc<dyn Subject<BoundStatement>>)> {
        let subject = |(measured, design): &(MeasuredDesign, TrialDesign)| {
            let subject: Arc<dyn Subject<BoundStatement>> =
                Arc::new(DesignSubject::new(Arc::clone(self.store), Arc::clone(design.database())));
            (measured.name.clone(), subject)
        };
        self.designs.iter().map(subject).collect()
    }

    /// What the regions had to do; a store that does not answer any more leaves it open.
    async fn see_regions(&mut self) {
        for (measured, design) in &mut self.designs {
            for name in design.tables().unwrap_or_default() {
                let regions = self.store.regions(&name).await.unwrap_or_default();
                measured.regions.extend(regions.iter().map(|region| MeasuredRegion {
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
            self.designs.iter().flat_map(|(_, design)| design.tables().unwrap_or_default()).collect();
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
