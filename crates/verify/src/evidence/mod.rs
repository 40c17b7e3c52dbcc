//! From what was measured to [`Evidence`]: summaries, pairs, and a verdict.

mod expectation;
mod pairs;
mod times;
mod verdict;

use tablesmith_model::evidence::{Evidence, MeasuredDesign, Pair, StoreCounts};
use tablesmith_store::OpStats;

pub use self::expectation::{Expectation, LEVEL};
pub use self::pairs::pair;
use self::times::Times;
use crate::replay::{Measured, Pace, Schedule, Script, Stop};

/// What is known about a run besides what was measured.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// What was measured, in a few words.
    pub title: String,
    /// The store, as its address says it.
    pub store: String,
    /// The seed of everything random.
    pub seed: u64,
    /// How fast calls were made.
    pub pace: Pace,
    /// The designs with their shape and how loading went; their times are filled in.
    pub designs: Vec<MeasuredDesign>,
    /// What was expected.
    pub expectation: Option<Expectation>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Puts together what follows from a replay.
pub fn evidence<C>(
    script: &Script<C>,
    schedule: &Schedule,
    measured: &Measured,
    setting: Setting,
) -> Evidence {
    let fill = |(design, told): (usize, MeasuredDesign)| {
        let times = Times { script, measured, design };
        MeasuredDesign {
            reads: times.summary(false).unwrap_or_default(),
            writes: times.summary(true),
            by_query: times.by_query(),
            stats: measured.stats.get(design).map(counts).unwrap_or_default(),
            outliers: times.outliers(),
            ..told
        }
    };
    let designs: Vec<MeasuredDesign> = setting.designs.into_iter().enumerate().map(fill).collect();
    let pairs = all_pairs(&designs, measured, script.calls.len());
    let mut notes = setting.notes;
    notes.extend(notes_on(script, schedule, measured));
    Evidence {
        title: setting.title,
        store: setting.store,
        seed: setting.seed,
        clients: setting.pace.clients(),
        rate: setting.pace.rate,
        warm_up: schedule.warm_up() as u64,
        verdict: sentence(&designs, &pairs, setting.expectation.as_ref(), measured),
        designs,
        pairs,
        answers_equal: !matches!(measured.stopped, Some(Stop::Differ(_))),
        stopped: measured
            .stopped
            .as_ref()
            .map(|stop| format!("after {} of {} queries: {stop}", measured.turns.len(), schedule.measured())),
        notes,
        ..Evidence::default()
    }
}

fn all_pairs(designs: &[MeasuredDesign], measured: &Measured, calls: usize) -> Vec<Pair> {
    let times: Vec<(&str, Vec<f64>)> = designs
        .iter()
        .enumerate()
        .map(|(place, design)| (design.name.as_str(), pairs::per_call(measured, place, calls)))
        .collect();
    let mut found = Vec::new();
    for (place, (a, a_times)) in times.iter().enumerate() {
        let later = times.iter().skip(place + 1);
        found.extend(later.filter_map(|(b, b_times)| pair((a, a_times), (b, b_times))));
    }
    found
}

/// Nothing can be said about designs that answer differently.
fn sentence(
    designs: &[MeasuredDesign],
    pairs: &[Pair],
    claim: Option<&Expectation>,
    measured: &Measured,
) -> String {
    match &measured.stopped {
        Some(Stop::Differ(_)) => "the designs answer differently: none of them counts as faster".to_owned(),
        Some(_) if measured.turns.is_empty() => "nothing was measured".to_owned(),
        _ => verdict::verdict(designs, pairs, claim),
    }
}

fn notes_on<C>(script: &Script<C>, schedule: &Schedule, measured: &Measured) -> Vec<String> {
    let mut notes = Vec::new();
    if schedule.passes() > 1 {
        notes.push(format!(
            "{} different calls, each made {} times; in pairs a call counts once, with its middle time",
            script.calls.len(),
            schedule.passes()
        ));
    }
    let measured_ms: f64 = measured.turns.iter().flat_map(|timed| &timed.times_ms).sum();
    let waited = measured.waited.as_secs_f64();
    // Less is within what times vary by.
    if waited > 0.01 * measured_ms / 1e3 {
        notes.push(format!(
            "this machine was busy: calls took {:.2} s and had to wait {waited:.2} s more for a processor, which does not count",
            measured_ms / 1e3
        ));
    }
    if script.writes() && !measured.turns.is_empty() {
        notes.push("pairs are over all calls, reads and writes".to_owned());
    }
    notes
}

fn counts(stats: &OpStats) -> StoreCounts {
    StoreCounts {
        cells: stats.cells,
        bytes: stats.bytes,
        blocks: stats.blocks,
        seeks: stats.seeks,
        regions: stats.regions,
    }
}
