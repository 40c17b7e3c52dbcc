//! The first part of the demo: from queries to tables. People, edges and messages are looked at, tables are designed for
//! the queries, created, loaded, and measured beside two designs that somebody could make by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};
use tablesmith_design::tables::{Decided, Terms, decide};
use tablesmith_generate::follows;
use tablesmith_model::cost::Prices;
use tablesmith_model::design::{Design, Table};
use tablesmith_model::evidence::{Evidence, MeasuredDesign, MeasuredQuery};
use tablesmith_model::workload::Workload;
use tablesmith_store::Store;
use tablesmith_verify::replay::Pace;

use crate::init::{self, joins};
use crate::temporary::TemporaryDirectory;
use crate::verify::NamedDesign;
use crate::{AppError, Context, output_file, verify};

/// Enough people that a scan hurts, few enough that all is done in a moment.
const SCALE: f64 = 0.001;
/// Calls that are measured on each design, and calls before them.
const QUERIES: usize = 400;
const WARM_UP: usize = 40;
/// How long the choice of tables may take.
const TIME: Duration = Duration::from_secs(5);
/// The name of the design that was not made by hand.
pub const OURS: &str = "ours";

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
    pub evidence: Evidence,
    /// Milliseconds of a second's queries on each design.
    pub weighted: Vec<(String, f64)>,
    /// What came out, in a sentence.
    pub verdict: String,
    /// Where the page is.
    pub page: PathBuf,
}

impl Serialize for WholeStory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'s> {
            observed: Vec<Observed<'s>>,
            tables: Vec<&'s str>,
            candidates: usize,
            proven: bool,
            designs: Vec<Weighted<'s>>,
            verdict: &'s str,
            #[serde(serialize_with = "crate::serialize::path")]
            page: &'s Path,
        }
        #[derive(Serialize)]
        struct Observed<'s> {
            table: &'s str,
            rows: u64,
        }
        #[derive(Serialize)]
        struct Weighted<'s> {
            name: &'s str,
            ms_a_second: f64,
        }
        let fields = Fields {
            observed: self.rows.iter().map(|(table, rows)| Observed { table, rows: *rows }).collect(),
            tables: self.decided.design.tables.iter().map(|table| table.name.as_str()).collect(),
            candidates: self.decided.candidates,
            proven: self.decided.is_proven,
            designs: self.weighted.iter().map(|(name, ms)| Weighted { name, ms_a_second: *ms }).collect(),
            verdict: &self.verdict,
            page: &self.page,
        };
        fields.serialize(serializer)
    }
}

/// Does all of it, and writes the page.
pub async fn run(
    context: &Context,
    store: &Arc<dyn Store>,
    address: &str,
    page: &Path,
) -> Result<WholeStory, AppError> {
    let directory = TemporaryDirectory::new("tablesmith-demo-")?;
    let workload = observe(context.seed, directory.path())?;
    let begun = Instant::now();
    let terms = Terms { prices: Prices::guessed(), servers: None, time: TIME };
    let decided = decide(&workload, &terms).map_err(AppError::refused)?;
    let decided_in = begun.elapsed();
    let designs = designs(&workload, &decided.design)?;
    let task = verify::Task {
        queries: QUERIES,
        warm_up: WARM_UP,
        pace: Pace::default(),
        expectation: None,
        keep: false,
        seed: context.seed,
        store: address.to_owned(),
        title: "From questions to tables".to_owned(),
        prices: Prices::guessed(),
    };
    let path = directory.path().join("workload.toml");
    let measured = verify::measure(context, store, &workload, &path, &designs, &task).await?;
    let mut evidence = measured.complete(context)?;
    let reasons = decided.design.reasons.iter();
    evidence.notes.extend(reasons.map(|reason| format!("{}: {}", reason.at, reason.text)));
    let weighted: Vec<(String, f64)> =
        evidence.designs.iter().map(|design| (design.name.clone(), weighted_ms(&workload, design))).collect();
    let verdict = verdict(&weighted);
    evidence.verdict.clone_from(&verdict);
    output_file::write(page, &tablesmith_report::page(&evidence))?;
    let rows = workload.tables.iter().map(|table| (table.name.clone(), table.rows.unwrap_or(0))).collect();
    Ok(WholeStory { rows, decided, decided_in, evidence, weighted, verdict, page: page.to_owned() })
}

/// Writes the example's files into a directory, measures them as `tablesmith init` does, and adds what files cannot say: the
/// references and the queries.
fn observe(seed: u64, directory: &Path) -> Result<Workload, AppError> {
    let written = follows::generate(SCALE, seed, directory, &mut |_| ())?;
    let said = follows::workload(written.size);
    let data: Vec<_> =
        said.tables.iter().filter_map(|table| Some(directory.join(table.data.as_ref()?))).collect();
    let asked = init::Asked { data: &data, schema: None, log: None, directory, overwrite: false };
    let mut workload = init::gather(&asked, &mut |_, _| ())?.workload;
    for table in &mut workload.tables {
        if let Some(said) = said.table(&table.name) {
            table.key.clone_from(&said.key);
            table.references.clone_from(&said.references);
        }
    }
    let workload = Workload { queries: said.queries, cluster: said.cluster, ..workload };
    let files: Vec<_> = workload.tables.iter().map(|table| table.name.clone()).zip(data).collect();
    let joins = joins::measure(&workload, &files, &mut |_, _| ())?;
    Ok(Workload { joins, ..workload })
}

fn designs(workload: &Workload, ours: &Design) -> Result<Vec<NamedDesign>, AppError> {
    let as_it_is =
        Design { tables: workload.tables.iter().map(Table::of_workload).collect(), ..Design::default() };
    let by_the_guides = Design::parse_for(BY_THE_GUIDES, workload)?;
    let named = [("as the data is", as_it_is), ("by the guides", by_the_guides), (OURS, ours.clone())];
    Ok(named.map(|(name, design)| NamedDesign { name: name.to_owned(), design }).into())
}

/// Milliseconds that a second's queries take on a design, by their rates.
fn weighted_ms(workload: &Workload, design: &MeasuredDesign) -> f64 {
    let rate = |measured: &MeasuredQuery| {
        let query = workload.queries.iter().find(|query| query.name == measured.name);
        query.map_or(0.0, |query| query.rate)
    };
    design.by_query.iter().map(|measured| rate(measured) * measured.mean_ms).sum()
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
