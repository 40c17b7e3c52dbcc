//! Reads a log from its file to its profile.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tablesmith_model::workload::{Split, Touched};
use tablesmith_sql::{Catalog, Dialect, Folder, SqlError, resolve};

use super::collect::{Collector, Draft, excerpt};
use super::csv::{self, Header};
use super::error::LogError;
use super::format::{Format, Layout};
use super::input::{Input, RECORD_BYTES_MAX};
use super::profile::{Asked, Call, LogProfile, Place, Template, TimeSlices};
use super::queries::Part;
use super::sink::{About, Sink, TooLong};
use super::trail::Trail;
use super::{json, mysql, plain};

/// Shorter files are never called binary.
const BINARY_BYTES_MIN: usize = 512;

/// How a log is read.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The format; found by its content when not given.
    pub format: Option<Format>,
    /// The dialect; found by the format when not given.
    pub dialect: Option<Dialect>,
    /// How the calls are divided by time.
    pub split: Split,
    /// How many templates are kept; of more, the rarest are only counted.
    pub templates_max: usize,
    /// How many places that cannot be understood are kept, and how many that are too long.
    pub places_max: usize,
    /// The longest statement that is read, in bytes; a longer one is only counted.
    pub statement_bytes_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            dialect: None,
            split: Split::default(),
            templates_max: 100_000,
            places_max: 100,
            statement_bytes_max: RECORD_BYTES_MAX,
        }
    }
}

/// How far reading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read so far.
    pub bytes: u64,
    /// Bytes of the whole file, where that is known.
    pub bytes_total: Option<u64>,
}

/// Reads the log at a path beside the known tables.
pub fn read(
    path: &Path,
    catalog: &Catalog,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<LogProfile, LogError> {
    let file = open(path)?;
    let bytes_total = file.metadata().ok().map(|metadata| metadata.len());
    let mut bytes_read = |bytes| progress(Progress { bytes, bytes_total });
    read_from(file, path, catalog, options, &mut bytes_read)
}

/// Reads a log from anything that can be read; the path is only for messages.
pub fn read_from(
    source: impl Read,
    path: &Path,
    catalog: &Catalog,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<LogProfile, LogError> {
    let mut input = Input::new(source, options.statement_bytes_max, progress)
        .map_err(|source| cannot_read(path, source))?;
    let layout = layout(&input, path, options.format)?;
    let dialect = options.dialect.unwrap_or_else(|| layout.dialect(input.sample()));
    let mut collector =
        Collector::new(dialect, layout.has_order(), options.templates_max, options.places_max);
    walk(&mut input, layout, &mut collector).map_err(|source| cannot_read(path, source))?;
    let lines = input.lines();
    finish(collector, layout.format(), dialect, lines, catalog, options)
}

/// Goes over the statements of a log in its order: the text of each, and what the log says about it. Values that the
/// log lists apart from a statement are handed over beside it.
pub fn each_statement(
    path: &Path,
    options: &Options,
    mut see: impl FnMut(&[u8], Option<&[u8]>, &About),
) -> Result<(), LogError> {
    struct Each<F> {
        folder: Folder,
        see: F,
    }
    impl<F: FnMut(&[u8], Option<&[u8]>, &About)> Sink for Each<F> {
        fn folder(&mut self) -> &mut Folder {
            &mut self.folder
        }
        fn statement(&mut self, text: &[u8], values: Option<&[u8]>, about: &About) {
            if !self.folder.template().is_empty() {
                (self.see)(text.trim_ascii(), values, about);
            }
        }
        fn touched(&mut self, _: Touched, _: &About) {}
        fn passed_over(&mut self) {}
        fn not_understood(&mut self, _: u64, _: &[u8], _: &str) {}
        fn too_long(&mut self, _: TooLong<'_>) {}
    }
    let mut progress = |_| {};
    let mut input = Input::new(open(path)?, options.statement_bytes_max, &mut progress)
        .map_err(|source| cannot_read(path, source))?;
    let layout = layout(&input, path, options.format)?;
    let dialect = options.dialect.unwrap_or_else(|| layout.dialect(input.sample()));
    let mut each = Each { folder: Folder::new(dialect), see: &mut see };
    walk(&mut input, layout, &mut each).map_err(|source| cannot_read(path, source))
}

pub(super) fn open(path: &Path) -> Result<File, LogError> {
    if path.is_dir() {
        return Err(LogError::Directory(PathBuf::from(path)));
    }
    File::open(path).map_err(|source| cannot_read(path, source))
}

pub(super) fn cannot_read(path: &Path, source: io::Error) -> LogError {
    LogError::Read { path: PathBuf::from(path), source }
}

pub(super) fn layout<R: Read>(
    input: &Input<'_, R>,
    path: &Path,
    wanted: Option<Format>,
) -> Result<Layout, LogError> {
    let sample = input.sample();
    if sample.starts_with(&[0xFF, 0xFE]) || sample.starts_with(&[0xFE, 0xFF]) {
        return Err(LogError::Utf16(PathBuf::from(path)));
    }
    // gzip, Zstandard, zip, bzip2, xz.
    let magics: [&[u8]; 5] = [b"\x1F\x8B", b"\x28\xB5\x2F\xFD", b"PK\x03\x04", b"BZh", b"\xFD7zXZ"];
    if magics.iter().any(|magic| sample.starts_with(magic)) {
        return Err(LogError::Compressed(PathBuf::from(path)));
    }
    // A few stray bytes are damage; one in twenty, in a text that is long enough to tell, is another kind of file.
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    if sample.len() >= BINARY_BYTES_MIN && sample.iter().filter(is_control).count() * 20 > sample.len() {
        return Err(LogError::Binary(PathBuf::from(path)));
    }
    Layout::find(sample, wanted).ok_or_else(|| LogError::NoStatementColumn {
        path: PathBuf::from(path),
        expected: Header::expected(),
    })
}

pub(super) fn walk<R: Read>(
    input: &mut Input<'_, R>,
    layout: Layout,
    sink: &mut impl Sink,
) -> io::Result<()> {
    match layout {
        Layout::Sql(ends) => plain::read(input, ends, sink),
        Layout::JsonLines => json::read(input, sink),
        Layout::Csv(header) => csv::read(input, header, sink),
        Layout::PostgresCsv => csv::read_csvlog(input, sink),
        Layout::MysqlGeneral => mysql::read(input, sink),
    }
}

/// Divides the calls by time, resolves each template, and puts all together.
fn finish(
    mut collector: Collector,
    format: Format,
    dialect: Dialect,
    lines: u64,
    catalog: &Catalog,
    options: &Options,
) -> Result<LogProfile, LogError> {
    let (drafts, trail) = collector.finish();
    if let Some(error) = collector.trail_error.take() {
        return Err(LogError::Temporary(error));
    }
    let (parts, parts_of_entries) = divide(&drafts, trail, options.split.shares())?;
    let (start, width, count) = collector.grid.slices();
    let mut profile = LogProfile {
        format,
        dialect,
        templates: Vec::with_capacity(drafts.len()),
        statements: collector.statements,
        lines,
        rare_statements: collector.rare_statements,
        other_tables: 0,
        without_rows: 0,
        not_understood: collector.not_understood,
        not_understood_places: std::mem::take(&mut collector.places),
        too_long: collector.too_long,
        too_long_places: std::mem::take(&mut collector.too_long_places),
        passed_over: collector.passed_over,
        times_ms: collector.times_ms,
        slices: TimeSlices { start, width, count },
    };
    for mut draft in drafts {
        let slices = collector.grid.dense(&mut draft.counts);
        let parts = parts.get(&draft.id).copied().unwrap_or_default();
        let template = template(draft, slices, parts, &parts_of_entries, catalog, dialect);
        account(&mut profile, &template, options.places_max);
        profile.templates.push(template);
    }
    profile.templates.sort_by_key(|template| std::cmp::Reverse(template.count));
    profile.not_understood_places.sort_by_key(|place| place.line);
    Ok(profile)
}

/// The calls of each template in each part, and the part of each entry that is in a sample.
type Divided = (HashMap<u32, [u64; 3]>, HashMap<u64, Part>);

/// Divides the calls of the templates that were kept by time; those of a log without order all by the same shares.
fn divide(drafts: &[Draft], trail: Option<Trail>, shares: [f64; 3]) -> Result<Divided, LogError> {
    let Some(trail) = trail else {
        let parts = drafts.iter().map(|draft| (draft.id, in_shares(draft.count, shares))).collect();
        return Ok((parts, HashMap::new()));
    };
    let mut parts: HashMap<u32, [u64; 3]> = drafts.iter().map(|draft| (draft.id, [0; 3])).collect();
    let mut sampled: Vec<u64> = drafts.iter().flat_map(|draft| &draft.calls).map(|call| call.entry).collect();
    sampled.sort_unstable();
    let mut sampled = sampled.into_iter().peekable();
    let mut of_entries = HashMap::new();
    let mut entry = 0;
    let add = |id, calls: [u64; 3]| {
        let sums = parts.get_mut(&id).into_iter().flatten();
        sums.zip(calls).for_each(|(sum, calls)| *sum += calls);
        if sampled.next_if_eq(&entry).is_some() {
            of_entries.extend(
                Part::ALL.into_iter().zip(calls).find(|(_, calls)| *calls > 0).map(|(part, _)| (entry, part)),
            );
        }
        entry += 1;
    };
    trail.divide(shares, add).map_err(LogError::Temporary)?;
    Ok((parts, of_entries))
}

/// Calls divided by shares; what rounding leaves goes to the last part.
pub(super) fn in_shares(calls: u64, [training, validation, _]: [f64; 3]) -> [u64; 3] {
    let rank = |share: f64| ((share * calls as f64).round() as u64).min(calls);
    let first = rank(training);
    let second = rank(training + validation).max(first);
    [first, second - first, calls - second]
}

fn template(
    draft: Draft,
    slices: Vec<u64>,
    parts: [u64; 3],
    parts_of_entries: &HashMap<u64, Part>,
    catalog: &Catalog,
    dialect: Dialect,
) -> Template {
    let sampled = draft.calls.into_sorted_vec().into_iter();
    let sample = sampled.filter_map(|call| {
        let part = *parts_of_entries.get(&call.entry)?;
        Some(Call { sql: String::from_utf8_lossy(&call.text).into_owned(), part })
    });
    let text = String::from_utf8_lossy(&draft.text).into_owned();
    let asks = match draft.touched {
        Some(touched) => Asked::Columns(touched),
        None => {
            let example = draft
                .example
                .map_or_else(|| text.clone(), |example| String::from_utf8_lossy(&example).into_owned());
            let statement = resolve(&example, catalog, dialect);
            Asked::Sql { example, statement }
        }
    };
    Template {
        text,
        asks,
        sample: sample.collect(),
        count: draft.count,
        slices,
        parts,
        line: draft.line,
        times_ms: draft.times_ms,
        rows: draft.rows.get(),
        mean_ms: draft.mean_ms.get(),
    }
}

/// Counts a template among those that say nothing about the known tables, if it is one.
fn account(profile: &mut LogProfile, template: &Template, places_max: usize) {
    match template.error() {
        None => {}
        Some(SqlError::OtherTables(_)) => profile.other_tables += template.count,
        Some(SqlError::NotAStatement(_)) => profile.without_rows += template.count,
        Some(error @ SqlError::NotSql(_)) => {
            profile.not_understood += template.count;
            if profile.not_understood_places.len() < places_max {
                profile.not_understood_places.push(Place {
                    line: template.line,
                    excerpt: excerpt(template.text.as_bytes()),
                    why: error.to_string(),
                });
            }
        }
    }
}
