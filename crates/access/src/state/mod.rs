//! What tablesmith keeps in a store about the tables of designs: the table `tablesmith:state`.
//!
//! ```text
//!  row                   column      value
//!  format                s:version   1
//!  layout TABLE FROM     s:layout    how the rows of FROM are stored in TABLE, as JSON (layout.rs)
//!  load NAME             s:progress  how far the load of a file has come (load/progress.rs)
//!  moves                 s:CLIENT    rows that a client is moving (moves/text.rs)
//! ```
//!
//! `docs/store.md` documents it. The row `format` is written last: without it another client is creating the table, or one
//! has stopped while it copied what version 0 kept in `default:tablesmith_load`; until then that table counts. Commands
//! that only read take either and write nothing.

mod layout;
mod version_0;

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Action, ActionAnswer, Get, Put, Row, Store, StoreError};

pub use layout::OTHER_LAYOUT;
pub(crate) use layout::{StoredLayout, has_rows, keep};

const NAMESPACE: &str = "tablesmith";
const TABLE: &str = "state";
/// Its only family.
pub(crate) const FAMILY: &str = "s";
/// The format that this version writes.
const VERSION: u64 = 1;
const VERSION_COLUMN: &str = "version";
/// The column of a load.
pub(crate) const PROGRESS_COLUMN: &str = "progress";

/// A row of the state table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StateRow {
    /// Which format the table has.
    Format,
    /// How rows are stored.
    Layout {
        /// The table of the store.
        table: TableName,
        /// The tables of the workload that the rows come from.
        from: String,
    },
    /// How far a load has come.
    Load(String),
    /// Rows that are being moved.
    Moves,
}

impl StateRow {
    /// Its row key.
    pub fn key(&self) -> Bytes {
        match self {
            Self::Format => "format".into(),
            Self::Layout { table, from } => format!("layout {table} {from}").into(),
            Self::Load(name) => format!("load {name}").into(),
            Self::Moves => "moves".into(),
        }
    }
}

/// The table.
pub(crate) fn state_table() -> Result<TableName, StoreError> {
    TableName::new(NAMESPACE, TABLE).map_err(|error| StoreError::IllegalArgument(error.to_string()))
}

/// All tables that hold state, also that of earlier versions.
pub(crate) fn state_tables() -> impl Iterator<Item = TableName> {
    [state_table(), version_0::table()].into_iter().flatten()
}

/// Reads rows; those that do not exist are empty. Takes one call where the state table exists.
pub(crate) async fn read(store: &dyn Store, rows: &[StateRow]) -> Result<Vec<Row>, StoreError> {
    let keys = rows.iter().map(StateRow::key).chain([StateRow::Format.key()]);
    if let Some(mut read) = get_all(store, &state_table()?, keys).await?
        && is_current(read.pop())?
    {
        return Ok(read);
    }
    let keys = rows.iter().map(version_0::key);
    let read = get_all(store, &version_0::table()?, keys).await?;
    Ok(read.unwrap_or_else(|| vec![Row::default(); rows.len()]))
}

/// Creates the state table where it does not exist, with what an earlier version kept.
pub(crate) async fn create(store: &dyn Store) -> Result<(), StoreError> {
    let table = state_table()?;
    let format = get_all(store, &table, [StateRow::Format.key()].into_iter()).await?;
    if is_current(format.and_then(|mut rows| rows.pop()))? {
        return Ok(());
    }
    let descriptor = TableDescriptor::new(table.clone(), [FamilyDescriptor::new(FAMILY)]);
    let mut created = store.create_table(descriptor.clone(), Vec::new()).await;
    // Whoever may not create namespaces can use one that an administrator has created.
    if let Err(StoreError::NamespaceNotFound(_)) = created {
        match store.create_namespace(NAMESPACE).await {
            Ok(()) | Err(StoreError::NamespaceExists(_)) => {}
            Err(error) => return Err(error),
        }
        created = store.create_table(descriptor, Vec::new()).await;
    }
    match created {
        Ok(()) | Err(StoreError::TableExists(_)) => {}
        Err(error) => return Err(error),
    }
    version_0::copy(store, &table).await?;
    let format = Put::new(StateRow::Format.key()).add(FAMILY, VERSION_COLUMN, VERSION.to_string());
    store.put(&table, format).await?;
    version_0::drop(store).await
}

/// Whether the row `format` says that the table is complete.
fn is_current(format: Option<Row>) -> Result<bool, StoreError> {
    let version = format.as_ref().and_then(|row| row.value(FAMILY.as_bytes(), VERSION_COLUMN.as_bytes()));
    let Some(version) = version else { return Ok(false) };
    if **version == *VERSION.to_string().as_bytes() {
        return Ok(true);
    }
    Err(StoreError::Refused(format!(
        "the table {NAMESPACE}:{TABLE} has format {}, and this version of tablesmith knows format {VERSION}: use the version \
         that wrote it, or a later one",
        String::from_utf8_lossy(version)
    )))
}

/// Rows by key; `None` where the table does not exist.
async fn get_all(
    store: &dyn Store,
    table: &TableName,
    keys: impl Iterator<Item = Bytes>,
) -> Result<Option<Vec<Row>>, StoreError> {
    let gets = keys.map(|key| Action::Get(Get::new(key))).collect();
    let answers = match store.batch(table, gets).await {
        Err(StoreError::TableNotFound(_)) => return Ok(None),
        answers => answers?.value,
    };
    let mut rows = Vec::with_capacity(answers.len());
    for answer in answers {
        match answer {
            Ok(ActionAnswer::Row(row)) => rows.push(row),
            Ok(_) => rows.push(Row::default()),
            Err(StoreError::TableNotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(rows))
}
