//! The second part of the demo: which columns of a wide table belong together, decided from a query log and measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};
use tablesmith_design::families::{FamilyLimit, registry};
use tablesmith_generate::ads;
use tablesmith_model::cost::Prices;
use tablesmith_model::evidence::{Evidence, StoreCounts};
use tablesmith_model::workload::Workload;
use tablesmith_store::Store;
use tablesmith_verify::replay::Pace;

use crate::families::{self, CostChoice, TableAnswer, write};
use crate::temporary::TemporaryDirectory;
use crate::verify::NamedDesign;
use crate::{AppError, Context, output_file, verify, workload_file};

/// Enough rows that reading them takes time, few enough that all is done in a moment.
const SCALE: f64 = 0.001;
/// Calls that are measured on each design, and calls before them.
const QUERIES: usize = 300;
const WARM_UP: usize = 20;
/// How long the search may take.
const TIME: Duration = Duration::from_millis(1_500);
/// The families that a table should have at most.
const FAMILIES: usize = 3;
/// The name of the design that puts everything into one family.
pub const ONE: &str = "one_family";
/// The name of the design that was found.
pub const FOUND: &str = "found";

/// What came out of it.
#[derive(Clone, Debug)]
pub struct AdsStory {
    /// Columns of the table.
    pub columns: usize,
    /// Rows in it.
    pub rows: u64,
    /// Kinds of queries in the log.
    pub queries: usize,
    /// What was measured.
    pub evidence: Evidence,
    /// Where the page with the pictures is.
    pub page: PathBuf,
}

impl Serialize for AdsStory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'s> {
            columns: usize,
            rows: u64,
            designs: Vec<DesignFields<'s>>,
            verdict: &'s str,
            #[serde(serialize_with = "crate::serialize::path")]
            page: &'s Path,
        }
        #[derive(Serialize)]
        struct DesignFields<'s> {
            name: &'s str,
            families: Vec<&'s [String]>,
            mean_ms: f64,
            median_ms: f64,
            p95_ms: f64,
            stats: StoreCounts,
        }
        let designs = self.evidence.designs.iter().map(|design| DesignFields {
            name: &design.name,
            families: design.families.iter().map(|family| family.columns.as_slice()).collect(),
            mean_ms: design.reads.mean_ms,
            median_ms: design.reads.median_ms,
            p95_ms: design.reads.p95_ms,
            stats: design.stats,
        });
        let fields = Fields {
            columns: self.columns,
            rows: self.rows,
            designs: designs.collect(),
            verdict: &self.evidence.verdict,
            page: &self.page,
        };
        fields.serialize(serializer)
    }
}

/// Where everything is done.
pub struct Place<'a> {
    /// The store.
    pub store: &'a Arc<dyn Store>,
    /// Its address.
    pub address: String,
    /// Where the page goes.
    pub page: &'a Path,
}

/// Generates data and a log, finds families, measures them beside one family, and writes the page.
pub async fn run(context: &Context, place: &Place<'_>) -> Result<AdsStory, AppError> {
    let directory = TemporaryDirectory::new("tablesmith-demo-")?;
    let seed = context.seed;
    ads::generate(SCALE, seed, directory.path(), &mut |_| ())?;
    let path = directory.path().join("workload.toml");
    let workload = workload_file::read(&path)?;
    let answer = decide(context, &workload, &path)?;
    let one = answer.problem.one_family();
    let best = answer.comparison.best().map_or_else(|| one.clone(), |best| best.families.clone());
    let mut designs = Vec::new();
    for (name, families) in [(ONE, &one), (FOUND, &best)] {
        let design = write::design_of(&workload, &answer.problem, families)?;
        designs.push(NamedDesign { name: name.to_owned(), design });
    }
    let task = verify::Task {
        queries: QUERIES,
        warm_up: WARM_UP,
        pace: Pace::default(),
        expectation: None,
        keep: false,
        seed,
        store: place.address.clone(),
        title: "One family, or those that the query log asks for".to_owned(),
        prices: Prices::guessed(),
    };
    let measured = verify::measure(context, place.store, &workload, &path, &designs, &task).await?;
    let evidence = measured.complete(context)?;
    output_file::write(place.page, &tablesmith_report::page(&evidence))?;
    Ok(AdsStory {
        columns: answer.problem.columns.len(),
        rows: answer.problem.rows,
        queries: answer.problem.asks.len(),
        evidence,
        page: place.page.to_owned(),
    })
}

fn decide(context: &Context, workload: &Workload, path: &Path) -> Result<TableAnswer, AppError> {
    let mut asked = families::asked(context, workload, path)?;
    let task = families::Task {
        table: None,
        method_names: vec!["one", registry::DEFAULT],
        settings: registry::Settings::default(),
        is_set: false,
        cost: CostChoice::Bytes,
        limit: FamilyLimit::AtMost(FAMILIES),
        time: TIME,
        seed: context.seed,
    };
    let answers = families::decide(context, workload, &mut asked, &task)?;
    let no_table = || AppError::NoSuchTable { name: "ads".to_owned(), tables: Vec::new() };
    answers.into_iter().next().ok_or_else(no_table)
}
