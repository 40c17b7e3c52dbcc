//! `load`: every file goes into all places of its table's rows, then materialized joins are backfilled.

mod data_file;
mod opened;
mod reject;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tablesmith_access::{LoadOptions as WriterOptions, LoadSource};
use tablesmith_observe::rows;
use tablesmith_store::Store;

pub use data_file::DataFile;
pub use opened::{Opened, keeps_all};

use self::data_file::Input;
use self::watch::Watch;
use crate::{AppError, Context, open};

/// What is loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The file of the design.
    pub design: PathBuf,
    /// Files that were named; none: those of the workload.
    pub data: Vec<DataFile>,
    /// Where rejected rows go; none: beside the design.
    pub reject: Option<PathBuf>,
    /// Whether files are loaded that were loaded already.
    pub again: bool,
}

/// What was loaded.
#[derive(Clone, Debug, Serialize)]
pub struct LoadResult {
    /// The files, in their order.
    pub files: Vec<FileResult>,
    /// Materialized joins.
    pub joined: JoinedResult,
    /// Where rejected rows are.
    #[serde(skip)]
    pub reject: PathBuf,
}

/// A file that is loaded.
#[derive(Clone, Debug, Serialize)]
pub struct FileResult {
    /// The table of the workload.
    pub table: String,
    /// The file, as it was named.
    pub file: String,
    /// Rows that are loaded.
    pub rows: u64,
    /// Those of them that an earlier load had loaded already.
    pub before: u64,
    /// Rows that took the place of others with their key, as far as this load knows.
    pub replaced: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Materialized joins that were backfilled.
#[derive(Clone, Debug, Serialize)]
pub struct JoinedResult {
    /// Rows that they were made from.
    pub rows: u64,
    /// How long it took.
    pub seconds: f64,
}

impl LoadResult {
    /// Whether every row went in.
    pub fn is_complete(&self) -> bool {
        self.files.iter().all(|file| file.rejected == 0)
    }
}

/// Loads all files.
pub async fn run(context: &Context, options: &LoadOptions) -> Result<LoadResult, AppError> {
    let opened = Opened::read(&options.design)?;
    let inputs = data_file::inputs(&opened, &options.data)?;
    if let Some(input) = inputs.iter().find(|input| !opened.writer.stores(&input.table.name)) {
        let (file, table) = (input.name.clone(), input.table.name.clone());
        return Err(AppError::NotStored { file, table });
    }
    let store = open::for_rows(context).await?;
    has_tables(&store, &opened).await?;
    let reject = options.reject.clone().unwrap_or_else(|| options.design.with_extension("rejected"));
    let mut watch = Watch::new(Arc::clone(&context.progress), &reject);
    let mut files = Vec::new();
    for input in &inputs {
        files.push(load_file(&store, &opened, input, options.again, &mut watch).await?);
    }
    let tables: Vec<String> = files.iter().map(|file| file.table.clone()).collect();
    watch.begin_joined();
    let begun = Instant::now();
    let rows = opened.writer.load_joined(&store, &tables, WriterOptions::default(), &mut watch).await?;
    watch.end()?;
    let joined = JoinedResult { rows, seconds: begun.elapsed().as_secs_f64() };
    Ok(LoadResult { files, joined, reject })
}

async fn load_file(
    store: &dyn Store,
    opened: &Opened,
    Input { table, path, name, .. }: &Input,
    again: bool,
    watch: &mut Watch,
) -> Result<FileResult, AppError> {
    // What came over the standard input lies in a file that nobody knows.
    let named = |text: String| text.replace(&path.display().to_string(), name);
    let rows = rows::open(path, table).map_err(|error| AppError::Rows(named(error.to_string())))?;
    watch.begin(table, name, rows.position());
    let file = &data_file::identity(path, name);
    if again {
        opened.writer.load_again(store, &table.name, file).await?;
    }
    let source = LoadSource { table: &table.name, file, rows: Box::new(rows) };
    let loaded = opened.writer.load(store, source, WriterOptions::default(), watch).await?;
    watch.end()?;
    Ok(FileResult {
        table: table.name.clone(),
        file: name.clone(),
        rows: loaded.rows,
        before: loaded.before,
        replaced: loaded.replaced,
        rejected: loaded.rejected,
        seconds: loaded.seconds,
    })
}

async fn has_tables(store: &dyn Store, opened: &Opened) -> Result<(), AppError> {
    for table in &opened.design.tables {
        let name = table.name.parse()?;
        if !store.table_exists(&name).await? {
            return Err(AppError::NoTableToLoad(name));
        }
    }
    keeps_all(store, &opened.design).await
}
