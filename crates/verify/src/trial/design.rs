//! A design with tables of its own: created, loaded, and ready to execute statements.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use tablesmith_access::answer::{AnswerError, Database, PlannedStatement};
use tablesmith_access::{
    AccessError, ApplyError, LaidFamily, Living, LoadOptions, LoadRows, LoadSource, LoadWatch, LoadedFile,
    Steps,
};
use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::evidence::{FamilyShape, Loaded, Rejected};
use tablesmith_model::workload::Workload;
use tablesmith_model::{Durability, NameError, TableName};
use tablesmith_sql::executable::Statement;
use tablesmith_store::{FlushScope, Store, StoreError};

use super::tables::{drop_existing, table_name};
use crate::statements::BoundStatement;

/// So many different reasons for rejected rows are told apart.
const REASONS: usize = 100;
/// What all others are counted under.
const OTHER_REASONS: &str = "other reasons";

/// A design whose tables lie in the trial's namespace.
#[derive(Debug)]
pub struct TrialDesign {
    /// What the design is called.
    pub name: String,
    workload: Arc<Workload>,
    /// The design with the names of the trial's tables.
    design: Design,
    database: Arc<Database>,
    prices: Prices,
}

/// The rows of one table, as they come out of its file.
pub struct TrialRows<'r> {
    /// The table of the workload.
    pub table: &'r str,
    /// Its rows.
    pub rows: LoadRows,
}

/// Why a design cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The design does not go with the workload, or does not cover a statement.
    #[error("design `{design}`: {source}")]
    Design {
        /// The design.
        design: String,
        /// What is wrong.
        source: Box<AnswerError>,
    },
    /// Settings that no store takes.
    #[error("design `{design}`: {source}")]
    Settings {
        /// The design.
        design: String,
        /// What is wrong.
        source: Box<ApplyError>,
    },
    /// A statement that the design does not cover.
    #[error("design `{design}` does not cover the query `{query}`: {source}\n  in {statement}")]
    Uncovered {
        /// The design.
        design: String,
        /// The query.
        query: String,
        /// The statement.
        statement: String,
        /// What is missing.
        source: Box<AnswerError>,
    },
    /// No row of a table could be loaded.
    #[error(
        "table `{table}`: no row could be loaded; {} were rejected, the first in line {}: {}",
        .first.rows, .first.first_line, .first.reason
    )]
    NothingLoaded {
        /// The table of the workload.
        table: String,
        /// The first reason, with all rows that were rejected.
        first: Rejected,
    },
    /// Executing a statement failed.
    #[error(transparent)]
    Answer(Box<AnswerError>),
    /// Loading failed.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AnswerError> for TrialError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Access(error) => Self::Access(error),
            AnswerError::Store(error) => Self::Store(error),
            error => Self::Answer(Box::new(error)),
        }
    }
}

impl TrialError {
    /// What the store said, if it is the store.
    pub fn into_store(self) -> Result<StoreError, Self> {
        match self {
            Self::Store(error) | Self::Access(AccessError::Store(error)) => Ok(error),
            error => Err(error),
        }
    }
}

impl TrialDesign {
    /// A design for a workload. Its tables get names of their own, so that designs can stand side by side.
    pub fn new(name: &str, workload: Arc<Workload>, design: &Design) -> Result<Self, TrialError> {
        let wrong =
            |source: AnswerError| TrialError::Design { design: name.to_owned(), source: Box::new(source) };
        let mut design = design.clone();
        let renamed = |table: &str| table_name(name, table).map(|name| name.to_string());
        for table in &mut design.tables {
            table.name = renamed(&table.name)?;
        }
        for step in design.queries.iter_mut().flat_map(|query| &mut query.plan) {
            step.table = renamed(&step.table)?;
        }
        let database = Database::new(Arc::clone(&workload), &design).map_err(wrong)?;
        let prices = Prices::guessed();
        Ok(Self { name: name.to_owned(), workload, design, database: Arc::new(database), prices })
    }

    /// The same, planned with other unit costs. To be called before it is loaded.
    pub fn with_prices(self, prices: Prices) -> Result<Self, TrialError> {
        let database = Database::new(Arc::clone(&self.workload), &self.design)?.with_prices(prices.clone());
        Ok(Self { database: Arc::new(database), prices, ..self })
    }

    /// The tables of the store.
    pub fn tables(&self) -> Result<Vec<TableName>, StoreError> {
        let named = |error: NameError| StoreError::IllegalArgument(error.to_string());
        self.design.tables.iter().map(|table| table.name.parse().map_err(named)).collect()
    }

    /// What executes statements.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// Whether the design answers a statement.
    pub fn check(&self, query: &str, bound: &BoundStatement) -> Result<(), TrialError> {
        let uncovered = |source: AnswerError| TrialError::Uncovered {
            design: self.name.clone(),
            query: query.to_owned(),
            statement: bound.text.to_string(),
            source: Box::new(source),
        };
        for statement in &bound.statements {
            self.plan(query, statement).map_err(uncovered)?;
        }
        Ok(())
    }

    fn plan(&self, query: &str, statement: &Statement) -> Result<PlannedStatement, AnswerError> {
        let table = match statement {
            Statement::Select(_) => None,
            Statement::Insert(insert) => Some(&insert.table),
            Statement::Update(update) => Some(&update.table),
            Statement::Delete(delete) => Some(&delete.table),
        };
        if let Some(table) = table {
            let has_rows = self.database.writer()?.stores(table);
            let missing = || AccessError::Data(format!("it has no rows from the table {table:?}"));
            has_rows.then_some(()).ok_or_else(missing)?;
        }
        self.database.plan(Some(query), statement)
    }

    /// The tables of the workload that have to be loaded for statements on some of them: a materialized join needs all of
    /// its tables.
    pub fn tables_for<'t>(&'t self, touched: &BTreeSet<&'t str>) -> BTreeSet<&'t str> {
        let mut all = touched.clone();
        let joins = self.database.layouts().iter().map(|layout| &layout.record().tables);
        for tables in joins.filter(|tables| tables.iter().any(|table| touched.contains(table.as_str()))) {
            all.extend(tables.iter().map(String::as_str));
        }
        all
    }

    /// Creates the tables; those that an earlier trial left are dropped first.
    pub async fn create(&self, store: &dyn Store) -> Result<(), TrialError> {
        for table in self.tables()? {
            drop_existing(store, &table).await?;
        }
        let living = Living::look(store, &[]).await?;
        let settings = |source| TrialError::Settings { design: self.name.clone(), source: Box::new(source) };
        let steps = Steps::of(&self.design, &living, &[]).map_err(settings)?;
        Ok(steps.make(store, &mut |_| ()).await?)
    }

    /// Loads rows of tables, and tells `progress` now and then how many there are. Rows that do not go in are counted by
    /// reason. At the end everything is in files, one a family and region, so that all designs start alike.
    pub async fn load(
        &mut self,
        store: &dyn Store,
        tables: impl IntoIterator<Item = TrialRows<'_>>,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Loaded, TrialError> {
        let begun = Instant::now();
        // What is not in the log is in files when the load is through; a load that breaks off is not used.
        let options = LoadOptions { checkpoints: false, durability: Durability::SkipWal };
        let writer = Arc::clone(self.database.writer()?);
        let mut watch = Watch { rejects: Rejects::default(), before: 0, progress };
        let (mut loaded, mut never_null) = (Vec::new(), Vec::new());
        for TrialRows { table, rows } in tables {
            watch.rejects.begin();
            let source = LoadSource { table, file: table, rows };
            let LoadedFile { rows, never_null: columns, .. } =
                writer.load(store, source, options, &mut watch).await?;
            if let (0, Some(first)) = (rows, watch.rejects.first()) {
                return Err(TrialError::NothingLoaded { table: table.to_owned(), first });
            }
            watch.before += rows;
            loaded.push(table.to_owned());
            never_null.push((table.to_owned(), columns));
        }
        let rows = watch.before;
        let rejected = watch.rejects.all();
        writer.load_joined(store, &loaded, options, &mut SilentWatch).await?;
        for name in self.tables()? {
            store.flush(FlushScope::Table(name.clone(), None)).await?;
            store.major_compact(FlushScope::Table(name, None)).await?;
        }
        let mut database =
            Database::new(Arc::clone(&self.workload), &self.design)?.with_prices(self.prices.clone());
        for (table, columns) in &never_null {
            database = database.with_never_null(table, columns);
        }
        self.database = Arc::new(database);
        Ok(Loaded { rows, seconds: begun.elapsed().as_secs_f64(), rejected })
    }

    /// The families, with what a row has in them.
    pub fn families(&self) -> Vec<FamilyShape> {
        let shape = |family: &LaidFamily| FamilyShape {
            name: family.name.clone(),
            columns: family.columns.iter().map(|column| column.name.clone()).collect(),
            bytes_a_row: Some(family.bytes()),
        };
        let rows = self.database.layouts().iter().flat_map(|layout| layout.families()).map(shape);
        let series = self.database.series().iter().map(|stored| FamilyShape {
            name: String::from_utf8_lossy(&stored.series.family().name).into_owned(),
            columns: stored.series.layout().metrics.clone(),
            bytes_a_row: None,
        });
        rows.chain(series).collect()
    }
}

/// Follows a load.
struct Watch<'w> {
    rejects: Rejects,
    /// Rows of the tables before.
    before: u64,
    progress: &'w mut (dyn FnMut(u64) + Send),
}

impl LoadWatch for Watch<'_> {
    fn rejected(&mut self, line: u64, rows: u64, reason: &str) {
        self.rejects.add(Rejected { reason: reason.to_owned(), rows, first_line: line });
    }

    fn loaded(&mut self, rows: u64) {
        (self.progress)(self.before + rows);
    }
}

/// Nobody follows it.
struct SilentWatch;

impl LoadWatch for SilentWatch {
    fn rejected(&mut self, _: u64, _: u64, _: &str) {}
    fn loaded(&mut self, _: u64) {}
}

/// Rows that could not be loaded, by reason.
#[derive(Default)]
struct Rejects {
    all: BTreeMap<String, Rejected>,
    /// What was rejected of the table that is loaded now.
    rows: u64,
    first: Option<Rejected>,
}

impl Rejects {
    /// The next table begins.
    fn begin(&mut self) {
        (self.rows, self.first) = (0, None);
    }

    fn add(&mut self, mut rejected: Rejected) {
        self.rows += rejected.rows;
        self.first.get_or_insert_with(|| rejected.clone());
        if self.all.len() >= REASONS && !self.all.contains_key(&rejected.reason) {
            rejected.reason = OTHER_REASONS.to_owned();
        }
        let known = self.all.entry(rejected.reason.clone());
        let known = known.or_insert_with(|| Rejected { rows: 0, ..rejected.clone() });
        known.rows += rejected.rows;
        known.first_line = known.first_line.min(rejected.first_line);
    }

    /// The first reason of this table, with all rows that were rejected.
    fn first(&self) -> Option<Rejected> {
        self.first.clone().map(|first| Rejected { rows: self.rows, ..first })
    }

    /// In the order of their first lines.
    fn all(self) -> Vec<Rejected> {
        let mut all: Vec<Rejected> = self.all.into_values().collect();
        all.sort_by_key(|rejected| rejected.first_line);
        all
    }
}
