//! The first part of the demo: from questions to tables. People, edges and messages are looked at, tables are designed for
//! what is asked of them, made, loaded, and measured beside two designs that somebody could make by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tablesmith_design::tables::{Decided, Terms, decide};
use tablesmith_generate::follows;
use tablesmith_model::cost::Prices;
use tablesmith_model::design::{Design, Table};
use tablesmith_model::evidence::Evidence;
use tablesmith_model::workload::Workload;
use tablesmith_store::Store;
use tablesmith_verify::reproduce::follows::claims::{OURS, weighted_ms};
use tablesmith_verify::reproduce::follows::design::{FollowsDesign, Kind};
use tablesmith_verify::reproduce::follows::designed::DesignedFollows;
use tablesmith_verify::reproduce::follows::measure::Measured;

use crate::failure::Failure;
use crate::init;
use crate::output_file;
use crate::reproduce::follows::{failed, figures, measure_and_drop, world};
use crate::temporary::TemporaryDirectory;

/// Enough people that a scan hurts, few enough that all is done in a moment.
const SCALE: f64 = 0.001;
/// Questions of each kind.
const ROUNDS: usize = 40;
/// How long the choice of tables may take.
const TIME: Duration = Duration::from_secs(5);

/// Edges both ways in one table, as the guides end, and messages the newest first; no stream.
const BY_THE_GUIDES: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "user"
[[table.family]]
name = "f"
[[table.rows]]
from = "user"
key = ["id"]
cells = [{ family = "f", columns = ["name"] }]
[[table]]
name = "relation"
[[table.family]]
name = "f"
[[table.rows]]
from = "follow"
key = ["follower", 'const("f")', "followed"]
cells = [{ family = "f", columns = ["since"] }]
[[table.rows]]
from = "follow"
key = ["followed", 'const("b")', "follower"]
cells = [{ family = "f", columns = ["since"] }]
[[table]]
name = "twit"
[[table.family]]
name = "f"
[[table.rows]]
from = "twit"
key = ["author", "desc(at)"]
cells = [{ family = "f", columns = ["text"] }]
"#;

/// What came out of it.
#[derive(Clone, Debug)]
pub struct WholeStory {
    /// Rows that were looked at, by table.
    pub rows: Vec<(String, u64)>,
    /// What was decided.
    pub decided: Decided,
    /// How long deciding took.
    pub decided_in: Duration,
    /// The designs, measured.
    pub measured: Measured,
    /// Milliseconds of a second's questions on each design.
    pub weighted: Vec<(String, f64)>,
    /// What came out, in a sentence.
    pub verdict: String,
    /// Where the page is.
    pub page: PathBuf,
}

impl WholeStory {
    /// Whether all designs gave true answers.
    pub fn is_true(&self) -> bool {
        self.measured.wrong.is_empty()
    }
}

/// Does all of it, and writes the page.
pub async fn run(
    store: &Arc<dyn Store>,
    address: &str,
    page: &Path,
    seed: u64,
) -> Result<WholeStory, Failure> {
    let workload = observe(seed)?;
    let begun = Instant::now();
    let terms = Terms { prices: Prices::guessed(), servers: None, time: TIME };
    let decided = decide(&workload, &terms).map_err(|error| Failure::BadFile(error.to_string()))?;
    let decided_in = begun.elapsed();
    let designs = designs(&workload, &decided.design)?;
    let kinds = [Kind::GRAPH.as_slice(), &Kind::STREAM].concat();
    let mut world = world::generate(SCALE, seed);
    let measured = measure_and_drop(store, &designs, &mut world, &kinds, (ROUNDS, seed), &mut |_| ()).await?;
    let weighted: Vec<(String, f64)> = measured
        .designs
        .iter()
        .filter_map(|design| Some((design.name.clone(), weighted_ms(design)?)))
        .collect();
    let verdict = verdict(&weighted);
    let rows = workload.tables.iter().map(|table| (table.name.clone(), table.rows.unwrap_or(0))).collect();
    let evidence = Evidence {
        title: "From questions to tables".to_owned(),
        store: address.to_owned(),
        seed,
        verdict: verdict.clone(),
        answers_equal: measured.wrong.is_empty(),
        figures: figures::figures("People who follow each other", &measured, &kinds),
        notes: decided
            .design
            .reasons
            .iter()
            .map(|reason| format!("{}: {}", reason.at, reason.text))
            .collect(),
        ..Evidence::default()
    };
    output_file::write(page, &tablesmith_report::page(&evidence))?;
    Ok(WholeStory { rows, decided, decided_in, measured, weighted, verdict, page: page.to_owned() })
}

/// Writes the example's files, measures them as `tablesmith init` does, and adds what files cannot say: the references and
/// what is asked.
fn observe(seed: u64) -> Result<Workload, Failure> {
    let directory = TemporaryDirectory::new("tablesmith-demo-")?;
    let written = follows::generate(SCALE, seed, directory.path(), &mut |_| ())
        .map_err(|error| Failure::BadFile(error.to_string()))?;
    let said = follows::workload(written.size);
    let data: Vec<_> =
        said.tables.iter().filter_map(|table| Some(directory.path().join(table.data.as_ref()?))).collect();
    let asked =
        init::Asked { data: &data, schema: None, log: None, directory: directory.path(), overwrite: false };
    let mut workload = init::gather(&asked, &mut |_, _| ())?.workload;
    for table in &mut workload.tables {
        if let Some(said) = said.table(&table.name) {
            table.key.clone_from(&said.key);
            table.references.clone_from(&said.references);
        }
    }
    let workload = Workload { queries: said.queries, cluster: said.cluster, ..workload };
    let files: Vec<_> = workload.tables.iter().map(|table| table.name.clone()).zip(data).collect();
    let joins = init::joins::measure(&workload, &files, &mut |_, _| ()).map_err(init::bad_data)?;
    Ok(Workload { joins, ..workload })
}

fn designs(workload: &Workload, ours: &Design) -> Result<Vec<Box<dyn FollowsDesign>>, Failure> {
    let as_it_is =
        Design { tables: workload.tables.iter().map(Table::of_workload).collect(), ..Design::default() };
    let by_the_guides =
        Design::parse_for(BY_THE_GUIDES, workload).map_err(|error| Failure::BadFile(error.to_string()))?;
    let named = [
        ("as the data is", "a table for each of the application's", &as_it_is),
        ("by the guides", "edges both ways, messages newest first", &by_the_guides),
        (OURS, "tablesmith design", ours),
    ];
    let designed = |(name, origin, design): (&str, &str, &Design)| {
        let designed = DesignedFollows::new(name, origin, workload, design).map_err(failed)?;
        Ok(Box::new(designed) as Box<dyn FollowsDesign>)
    };
    named.into_iter().map(designed).collect()
}

fn verdict(weighted: &[(String, f64)]) -> String {
    let ours = weighted.iter().find(|(name, _)| name == OURS).map(|(_, ms)| *ms);
    let others = weighted.iter().filter(|(name, _)| name != OURS);
    let best = others.min_by(|one, two| one.1.total_cmp(&two.1));
    match (ours, best) {
        (Some(ours), Some((name, best))) if ours <= *best => format!(
            "a second's questions take {ours:.0} ms on the tables that were designed, {:.1} times less than {name}",
            best / ours.max(f64::MIN_POSITIVE)
        ),
        (Some(ours), Some((name, best))) => format!(
            "a second's questions take {ours:.0} ms on the tables that were designed and {best:.0} ms {name}: the design \
             is not better here"
        ),
        _ => "nothing was measured".to_owned(),
    }
}
