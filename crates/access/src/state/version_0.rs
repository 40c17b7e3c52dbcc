//! State as version 0 kept it, in the table `default:tablesmith_load`: it stays readable, and is copied when the state table
//! is created.
//!
//! Its layouts are texts that followed from names in the code of that time. The names are spelled out here, so that they stay
//! what they were.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::key::Key;
use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, Span};
use tablesmith_model::value::{CellEncoding, KeyEncoding};
use tablesmith_model::workload::SequenceKind;
use tablesmith_store::{Action, Mutation, Put, Row, Scan, Store, StoreError};

use super::{FAMILY, StateRow};
use crate::layout::{LaidColumn, LaidFamily, Layout};

const OLD_FAMILY: &str = "p";
const MOVES: &str = "moves under way";
const LAYOUT_SUFFIX: &str = " is laid out so";
/// The column of a layout; a copy keeps it.
const LAYOUT_COLUMN: &str = "how";
const PROGRESS_COLUMN: &str = "at";

/// The table of version 0.
pub(super) fn table() -> Result<TableName, StoreError> {
    TableName::new("default", "tablesmith_load")
        .map_err(|error| StoreError::IllegalArgument(error.to_string()))
}

/// The key that a row had.
pub(super) fn key(row: &StateRow) -> Bytes {
    match row {
        StateRow::Format => "format".into(),
        StateRow::Layout { table, from } => format!("{from} in {table}{LAYOUT_SUFFIX}").into(),
        StateRow::Load(name) => name.clone().into(),
        StateRow::Moves => MOVES.into(),
    }
}

/// The row of a key.
fn row(key: &str) -> StateRow {
    let layout = key.strip_suffix(LAYOUT_SUFFIX).and_then(|layout| layout.rsplit_once(" in "));
    match layout.and_then(|(from, table)| Some((from, table.parse().ok()?))) {
        Some((from, table)) => StateRow::Layout { table, from: from.to_owned() },
        None if key == MOVES => StateRow::Moves,
        None => StateRow::Load(key.to_owned()),
    }
}

/// What a row says of a layout, where it is of version 0.
pub(super) fn layout(row: &Row) -> Option<&Bytes> {
    [OLD_FAMILY, FAMILY].iter().find_map(|family| row.value(family.as_bytes(), LAYOUT_COLUMN.as_bytes()))
}

/// Copies all rows, where the table exists. Twice is the same as once.
pub(super) async fn copy(store: &dyn Store, into: &TableName) -> Result<(), StoreError> {
    let old = table()?;
    if !store.table_exists(&old).await? {
        return Ok(());
    }
    let mut scanner = store.scan(&old, Scan::default()).await?;
    loop {
        let rows = scanner.next_rows().await?;
        if rows.is_empty() {
            return Ok(());
        }
        let puts = rows.iter().map(|row| Action::Mutate(Mutation::Put(copied(row)))).collect();
        for answer in store.batch(into, puts).await?.value {
            answer?;
        }
    }
}

/// A row in its new place, with the same timestamps: those of moves mean something.
fn copied(old: &Row) -> Put {
    let row = row(&String::from_utf8_lossy(&old.row));
    let mut put = Put::new(row.key());
    for cell in &old.cells {
        let qualifier = match row {
            StateRow::Load(_) if cell.qualifier == PROGRESS_COLUMN => super::PROGRESS_COLUMN.into(),
            _ => cell.qualifier.clone(),
        };
        put = put.add_at(FAMILY, qualifier, cell.timestamp, cell.value.clone());
    }
    put
}

/// Drops the table, where it exists.
pub(super) async fn drop(store: &dyn Store) -> Result<(), StoreError> {
    let old = table()?;
    if !store.table_exists(&old).await? {
        return Ok(());
    }
    match store.disable_table(&old).await {
        Ok(()) | Err(StoreError::TableNotEnabled(_) | StoreError::TableNotFound(_)) => {}
        Err(error) => return Err(error),
    }
    match store.drop_table(&old).await {
        Ok(()) | Err(StoreError::TableNotFound(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// How plain rows are stored.
pub(super) fn rows_text(layout: &Layout) -> String {
    let parts = |key: &Key| key.parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + ");
    let family = |family: &LaidFamily| {
        let mut columns: Vec<String> = family.columns.iter().map(column_text).collect();
        columns.sort();
        format!("{} ({})", family.name, columns.join(", "))
    };
    let mut families: Vec<String> = layout.families().iter().map(family).collect();
    families.sort();
    let encoding = match layout.key().encoding {
        KeyEncoding::Binary => "Binary",
        KeyEncoding::Text => "Text",
    };
    let qualifier = layout.qualifier().map(parts).unwrap_or_default();
    format!("{encoding} {} / {qualifier} / {}", parts(layout.key()), families.join("; "))
}

fn column_text(column: &LaidColumn) -> String {
    let together = match &column.together {
        None => "None".to_owned(),
        Some(together) => {
            let encodings: Vec<&str> = together.encodings.iter().map(|encoding| name(*encoding)).collect();
            format!("Some(Together {{ encodings: [{}], at: {} }})", encodings.join(", "), together.at)
        }
    };
    format!("{} {} {together}", column.name, name(column.encoding))
}

fn name(encoding: CellEncoding) -> &'static str {
    match encoding {
        CellEncoding::Text => "Text",
        CellEncoding::I64 => "I64",
        CellEncoding::I32 => "I32",
        CellEncoding::F64 => "F64",
        CellEncoding::Bytes => "Bytes",
    }
}

/// How data points are stored.
pub(super) fn series_text(layout: &SeriesLayout) -> String {
    let kind = match layout.kind {
        SequenceKind::Time => "Time",
        SequenceKind::Sequence => "Sequence",
    };
    let dimension = match layout.dimension {
        Dimension::Row => "Row",
        Dimension::Qualifier => "Qualifier",
        Dimension::Version => "Version",
        Dimension::Packed => "Packed",
    };
    let span = match layout.span {
        Span::Each => "Each".to_owned(),
        Span::Of(width) => format!("Of({width})"),
        Span::Unbounded => "Unbounded".to_owned(),
    };
    let order = match layout.order {
        KeyOrder::EntityTime => "EntityTime".to_owned(),
        KeyOrder::TimeEntity => "TimeEntity".to_owned(),
        KeyOrder::ReversedEntityTime => "ReversedEntityTime".to_owned(),
        KeyOrder::HashedEntityTime => "HashedEntityTime".to_owned(),
        KeyOrder::SaltedEntityTime { buckets } => format!("SaltedEntityTime {{ buckets: {buckets} }}"),
        KeyOrder::BucketedTime { buckets } => format!("BucketedTime {{ buckets: {buckets} }}"),
    };
    let cells = match layout.cells {
        CellShape::EachMetric => "EachMetric",
        CellShape::Together => "Together",
    };
    let SeriesLayout { table, entity, time, metrics, .. } = layout;
    format!(
        "SeriesLayout {{ table: {table:?}, entity: {entity:?}, time: {time:?}, kind: {kind}, metrics: {metrics:?}, \
         dimension: {dimension}, span: {span}, order: {order}, cells: {cells} }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back() {
        let layout = StateRow::Layout { table: "ns:t".parse().unwrap(), from: "a with b in c".to_owned() };
        for one in [layout, StateRow::Moves, StateRow::Load("t in t (0a) from x.csv".to_owned())] {
            assert_eq!(row(std::str::from_utf8(&key(&one)).unwrap()), one);
        }
    }
}
