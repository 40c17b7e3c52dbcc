//! What `tablesmith load` does: every file goes into its table's places, then joined copies are made.

mod data_file;
pub mod opened;
mod reject;
mod watch;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use tablesmith_access::{LoadOptions, LoadSource, LoadedFile};
use tablesmith_observe::rows;
use tablesmith_store::Store;

pub use data_file::DataFile;

use self::data_file::Input;
use self::opened::{Opened, failed, keeps_all};
use self::watch::Watch;
use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::open;
use crate::terminal;

/// What is loaded.
pub struct Task<'t> {
    /// The file of the design.
    pub design: &'t Path,
    /// Files that were named.
    pub data: &'t [DataFile],
    /// Where bad rows go.
    pub reject: PathBuf,
    /// Whether files are loaded that were loaded already.
    pub again: bool,
}

/// A file that is loaded.
struct Done {
    table: String,
    file: String,
    loaded: LoadedFile,
}

/// Loads all files.
pub async fn run(global: &Global, task: &Task<'_>) -> Result<Verdict, Failure> {
    let opened = Opened::read(task.design)?;
    let inputs = data_file::inputs(&opened, task.data)?;
    if let Some(input) = inputs.iter().find(|input| !opened.writer.stores(&input.table.name)) {
        let (name, table) = (&input.name, &input.table.name);
        return Err(Failure::BadFile(format!("{name}: the design has no rows from the table {table:?}")));
    }
    let store = open::for_rows(global).await?;
    has_tables(&store, &opened).await?;
    let mut watch = Watch::new(&task.reject);
    let mut done = Vec::new();
    for Input { table, path, name, .. } in &inputs {
        // What came over the standard input lies in a file that nobody knows.
        let told = |text: String| text.replace(&path.display().to_string(), name);
        let rows = rows::open(path, table).map_err(|error| Failure::BadFile(told(error.to_string())))?;
        watch.begin(table, name, rows.position());
        let file = &data_file::identity(path, name);
        if task.again {
            opened.writer.load_again(&store, &table.name, file).await.map_err(failed)?;
        }
        let source = LoadSource { table: &table.name, file, rows: Box::new(rows) };
        let loaded =
            opened.writer.load(&store, source, LoadOptions::default(), &mut watch).await.map_err(failed)?;
        watch.end()?;
        done.push(Done { table: table.name.clone(), file: name.clone(), loaded });
    }
    let tables: Vec<String> = done.iter().map(|one| one.table.clone()).collect();
    watch.begin_joined();
    let begun = Instant::now();
    let rows = opened
        .writer
        .load_joined(&store, &tables, LoadOptions::default(), &mut watch)
        .await
        .map_err(failed)?;
    watch.end()?;
    print(global, task, &done, (rows, begun.elapsed())).map_err(Failure::Output)?;
    let is_fine = done.iter().all(|one| one.loaded.rejected == 0);
    Ok(if is_fine { Verdict::Yes } else { Verdict::No })
}

async fn has_tables(store: &dyn Store, opened: &Opened) -> Result<(), Failure> {
    for table in &opened.design.tables {
        let name = table.name.parse().map_err(|error| Failure::BadFile(format!("{error}")))?;
        if !store.table_exists(&name).await? {
            return Err(Failure::BadFile(format!(
                "the store has no table {name}: make the tables first, with tablesmith apply DESIGN.toml --yes"
            )));
        }
    }
    keeps_all(store, &opened.design).await
}

fn print(global: &Global, task: &Task<'_>, done: &[Done], (joined, took): (u64, Duration)) -> io::Result<()> {
    let mut out = terminal::stdout();
    if global.format == Format::Json {
        let file = |one: &Done| {
            let LoadedFile { rows, before, replaced, rejected, seconds, .. } = &one.loaded;
            json!({"table": one.table, "file": one.file, "rows": rows, "before": before, "replaced": replaced,
                   "rejected": rejected, "seconds": seconds})
        };
        let files: Vec<_> = done.iter().map(file).collect();
        let joined = json!({"rows": joined, "seconds": took.as_secs_f64()});
        return writeln!(out, "{}", json!({"files": files, "joined": joined}));
    }
    for Done { table, file, loaded } in done {
        let LoadedFile { rows, before, replaced, rejected, seconds, .. } = loaded;
        let now = rows.saturating_sub(*before);
        let rate = now as f64 / seconds.max(1e-3);
        match before {
            0 => writeln!(out, "{table}: {rows} rows from {file} in {seconds:.1} s ({rate:.0} a second)")?,
            _ => writeln!(
                out,
                "{table}: {now} rows from {file} in {seconds:.1} s; {before} were loaded before"
            )?,
        }
        if *replaced > 0 {
            writeln!(out, "  {replaced} rows took the place of others with their key: the last one stays")?;
        }
        if *rejected > 0 && task.reject.exists() {
            writeln!(out, "  {rejected} rows did not go in: see {}", task.reject.display())?;
        } else if *rejected > 0 {
            writeln!(
                out,
                "  {rejected} rows did not go in when the file was loaded; to try them again: --again"
            )?;
        }
    }
    if joined > 0 {
        writeln!(out, "joined copies: made from {joined} rows in {:.1} s", took.as_secs_f64())?;
    }
    Ok(())
}
