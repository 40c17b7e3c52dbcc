//! `tablesmith generate`: data and a query log to try things with.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use tablesmith_generate::Progress;
use tablesmith_generate::ads::{self, Written};
use tablesmith_generate::bixi;
use tablesmith_generate::cosmology::{self, Cosmology};
use tablesmith_generate::follows;
use tablesmith_generate::sparse::{self, Sparse};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::number_text::grouped;
use crate::terminal;
use tablesmith_app::{AppError, Unit};

const EXAMPLES: &str = "\
Examples:
  tablesmith generate ads -o ads
  tablesmith generate ads --scale 0.01 -o small --seed 7
  tablesmith generate ads --scale 1 -o ads --format json
  tablesmith generate sparse --scale 0.05 --files 8 -o sparse
  tablesmith generate bixi --scale 0.01 -o bixi
  tablesmith generate cosmology -o particles
  tablesmith generate follows --scale 0.001 -o follows";

/// Makes data, a query log and a workload.toml to try things with
///
/// At scale 1, ads has 2.6 million rows of 60 columns (750 MB) and 1.3 million statements (340 MB); sparse has 4 million rows of
/// 108 column-value pairs (3 GB) and no log; bixi has 39 million readings of 404 stations (1.4 GB), cosmology 23 million states of
/// stars (3.5 GB), follows 500,000 people, 4 million edges and 2 million messages (360 MB). The same seed gives the same bytes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GenerateArguments {
    /// What to make
    kind: Kind,
    /// How much of it [default: 0.01, of cosmology 0.02]
    #[arg(long, value_name = "S")]
    scale: Option<f64>,
    /// The directory to write into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Files over which the rows of sparse are divided
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=80))]
    files: u32,
    /// Column-value pairs in a row of sparse, on average
    #[arg(long, value_name = "N", default_value_t = sparse::FULL_WIDTH, value_parser = clap::value_parser!(u32).range(1..=12_000))]
    width: u32,
    /// Dark matter and gas in cosmology too: fourteen times as much
    #[arg(long)]
    all_particles: bool,
    /// Writes over files that exist
    #[arg(long)]
    force: bool,
}

/// What can be made.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Aggregated ad-tracking data, and the reports that are asked of it over a year.
    Ads,
    /// Sparse rows of column-value pairs with rising ids.
    Sparse,
    /// Minute readings of bicycle stations, some of them late, some missing.
    Bixi,
    /// Particles of a simulated universe over nine snapshots.
    Cosmology,
    /// People who follow each other and write short messages.
    Follows,
}

/// How much is made when nothing else is said.
const DEFAULT_SCALE: f64 = 0.01;

impl Kind {
    /// The names of what is written.
    fn files(self, divided_over: u32) -> Vec<String> {
        match self {
            Self::Ads => ["ads.csv", "queries.sql", "workload.toml"].map(str::to_owned).to_vec(),
            Self::Sparse => {
                let data = sparse::file_names(divided_over).into_iter();
                data.chain(["workload.toml".to_owned()]).collect()
            }
            Self::Bixi => bixi::FILES.map(str::to_owned).to_vec(),
            Self::Cosmology => cosmology::FILES.map(str::to_owned).to_vec(),
            Self::Follows => follows::FILES.map(str::to_owned).to_vec(),
        }
    }

    fn default_scale(self) -> f64 {
        match self {
            Self::Ads | Self::Sparse | Self::Bixi | Self::Follows => DEFAULT_SCALE,
            Self::Cosmology => cosmology::DEFAULT_SCALE,
        }
    }
}

pub fn run(global: &Global, arguments: &GenerateArguments) -> Result<Verdict, Failure> {
    let GenerateArguments { kind, scale, output, files, width, all_particles, force } = arguments;
    let scale = scale.unwrap_or(kind.default_scale());
    let existing = kind.files(*files).into_iter().map(|name| output.join(name)).find(|path| path.exists());
    if let (Some(path), false) = (existing, *force) {
        return Err(AppError::Exists(path).into());
    }
    let context = global.context();
    let mut total = None;
    let mut progress = |now: Progress| {
        context.progress.may_end();
        if total != Some(now.total) {
            total = Some(now.total);
            context.progress.begin("writing", Unit::Count, total);
        }
        context.progress.advance(now.done);
    };
    match kind {
        Kind::Ads => {
            let written = ads::generate(scale, global.seed, output, &mut progress);
            context.progress.end();
            print(global, output, &written.map_err(AppError::from)?)
        }
        Kind::Sparse => {
            let wanted = Sparse { scale, files: *files, width: *width };
            let written = sparse::generate(wanted, global.seed, output, &mut progress);
            context.progress.end();
            print_sparse(global, output, &written.map_err(AppError::from)?)
        }
        Kind::Bixi => {
            let written = bixi::generate(scale, global.seed, output, &mut progress);
            context.progress.end();
            let bixi::Written { readings, stations, days, files } = written.map_err(AppError::from)?;
            let what = format!("{} readings of {stations} stations over {days} days", grouped(readings));
            print_series(global, output, &what, readings, &files)
        }
        Kind::Cosmology => {
            let wanted = Cosmology { scale, stars_only: !all_particles };
            let written = cosmology::generate(wanted, global.seed, output, &mut progress);
            context.progress.end();
            let cosmology::Written { states, files } = written.map_err(AppError::from)?;
            let what = format!("{} states of particles in nine snapshots", grouped(states));
            print_series(global, output, &what, states, &files)
        }
        Kind::Follows => {
            let written = follows::generate(scale, global.seed, output, &mut progress);
            context.progress.end();
            let follows::Written { size, files } = written.map_err(AppError::from)?;
            let [users, edges, twits] = [size.users, size.follows, size.twits].map(|count| count as u64);
            let what =
                format!("{} people, {} edges, {} messages", grouped(users), grouped(edges), grouped(twits));
            print_series(global, output, &what, users + edges + twits, &files)
        }
    }
    .map_err(Failure::output)?;
    Ok(Verdict::Yes)
}

fn print_sparse(global: &Global, directory: &Path, written: &sparse::Written) -> io::Result<()> {
    let mut out = terminal::stdout();
    let sparse::Written { rows, files } = written;
    match global.format {
        Format::Json => {
            let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            writeln!(out, "{}", json!({ "rows": rows, "files": files, "seed": global.seed }))
        }
        Format::Text => writeln!(
            out,
            "{} sparse rows in {} files and workload.toml are in {}, from seed {}",
            grouped(*rows),
            files.len().saturating_sub(1),
            directory.display(),
            global.seed
        ),
    }
}

fn print_series(
    global: &Global,
    directory: &Path,
    what: &str,
    rows: u64,
    files: &[PathBuf],
) -> io::Result<()> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => {
            let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            writeln!(out, "{}", json!({ "rows": rows, "files": files, "seed": global.seed }))
        }
        Format::Text => {
            writeln!(
                out,
                "{what} and workload.toml are in {}, from seed {}",
                directory.display(),
                global.seed
            )
        }
    }
}

fn print(global: &Global, directory: &Path, written: &Written) -> io::Result<()> {
    let mut out = terminal::stdout();
    let Written { rows, columns, statements, templates, files } = written;
    match global.format {
        Format::Json => {
            let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            let value = json!({
                "rows": rows, "columns": columns, "statements": statements, "templates": templates,
                "files": files, "seed": global.seed,
            });
            writeln!(out, "{value}")
        }
        Format::Text => writeln!(
            out,
            "{} rows of {columns} columns (ads.csv), {} statements of {templates} reports (queries.sql) and \
             workload.toml are in {}, from seed {}",
            grouped(*rows),
            grouped(*statements),
            directory.display(),
            global.seed
        ),
    }
}
