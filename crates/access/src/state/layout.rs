//! How the rows of a table are stored, as loads have written them: kept so that a design under which they would not be found
//! is noticed.
//!
//! ```text
//!  {"key": ["md5_mod(id, 4)", "id"], "key_encoding": "binary", "qualifier": [],
//!   "families": {"a": {"name": {"packed": ["text", "text"], "at": 0}, "city": {…}}, "b": {"age": "i64"}}}
//!  {"series": "versions/1d/salted-16-entity-time/each", "entity": ["station"], "time": "at", "kind": "time",
//!   "metrics": ["bikes"]}
//! ```
//!
//! All words are those of design.toml. Two layouts are the same when their JSON is, whatever the order of members.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use tablesmith_model::TableName;
use tablesmith_model::key::Key;
use tablesmith_store::{Action, Filter, Mutation, Put, ReadOptions, Row, Scan, Store};

use super::{FAMILY, StateRow, create, read, state_table, version_0};
use crate::error::AccessError;
use crate::layout::{LaidColumn, Layout};
use crate::moves;
use crate::series::StoredSeries;
use crate::write::{Place, Writer};

/// What is said of a table whose rows are not stored as a design says.
pub const OTHER_LAYOUT: &str =
    "holds rows that were loaded with another key or other cells than the design has now";

const LAYOUT_COLUMN: &str = "layout";

/// How records are stored in a table of the store.
#[derive(Clone, Debug)]
pub(crate) struct StoredLayout {
    pub table: TableName,
    /// The tables of the workload that they come from.
    from: String,
    layout: Json,
    /// The same as version 0 wrote it.
    pub version_0: String,
}

impl StoredLayout {
    /// Its row of the state table.
    fn row(&self) -> StateRow {
        StateRow::Layout { table: self.table.clone(), from: self.from.clone() }
    }

    /// The layout as it is stored.
    pub fn text(&self) -> String {
        self.layout.to_string()
    }

    /// Whether a row of the state table says otherwise.
    fn differs(&self, kept: &Row) -> bool {
        if let Some(text) = kept.value(FAMILY.as_bytes(), LAYOUT_COLUMN.as_bytes()) {
            return serde_json::from_slice::<Json>(text).ok().as_ref() != Some(&self.layout);
        }
        version_0::layout(kept).is_some_and(|text| **text != *self.version_0.as_bytes())
    }
}

impl Place {
    /// How its records are stored.
    pub(crate) fn stored_layout(&self) -> StoredLayout {
        StoredLayout {
            table: self.name.clone(),
            from: self.record().tables.join(" with "),
            layout: rows_json(&self.layout),
            version_0: version_0::rows_text(&self.layout),
        }
    }
}

impl StoredSeries {
    /// How its data points are stored, and the columns that depend on their entity alone.
    pub(crate) fn stored_layouts(&self) -> Vec<StoredLayout> {
        let layout = self.series.layout();
        let points = StoredLayout {
            table: self.name.clone(),
            from: self.from.clone(),
            layout: json!({
                "series": layout.name(),
                "entity": layout.entity,
                "time": layout.time,
                "kind": layout.kind.name(),
                "metrics": layout.metrics,
            }),
            version_0: version_0::series_text(layout),
        };
        let fixed = self.fixed.as_ref().map(|fixed| fixed.place.stored_layout());
        std::iter::once(points).chain(fixed).collect()
    }
}

fn rows_json(layout: &Layout) -> Json {
    let parts = |key: &Key| key.parts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let column = |column: &LaidColumn| match &column.together {
        None => json!(column.encoding.name()),
        Some(together) => {
            let packed: Vec<&str> = together.encodings.iter().map(|encoding| encoding.name()).collect();
            json!({"packed": packed, "at": together.at})
        }
    };
    // Sorted: the order in which a design names them means nothing, and the text is part of a load's name.
    let mut families = BTreeMap::new();
    for family in layout.families() {
        let columns = family.columns.iter().map(|laid| (laid.name.as_str(), column(laid)));
        families.insert(family.name.as_str(), columns.collect::<BTreeMap<_, _>>());
    }
    json!({
        "key": parts(layout.key()),
        "key_encoding": layout.key().encoding.name(),
        "qualifier": layout.qualifier().map(parts).unwrap_or_default(),
        "families": families,
    })
}

impl Writer {
    /// The tables of the store that hold rows with other keys or other cells than they would be written with now, as far as
    /// loads know: queries would not find them.
    pub async fn tables_with_other_layout(&self, store: &dyn Store) -> Result<Vec<String>, AccessError> {
        let places = self.places.iter().map(Place::stored_layout);
        let layouts = places.chain(self.series.iter().flat_map(StoredSeries::stored_layouts));
        let layouts: Vec<StoredLayout> = layouts.collect();
        // The log of moves is in the same table: the statement that follows has to know it.
        let log = (!store.has_atomic_batches()).then_some(StateRow::Moves);
        let rows: Vec<StateRow> = layouts.iter().map(StoredLayout::row).chain(log).collect();
        let kept = read(store, &rows).await?;
        if let Some(log) = kept.get(layouts.len()) {
            self.unsettled.note(self.learn(moves::in_row(log)?));
        }
        differing(store, &layouts, &kept).await
    }
}

/// Keeps how records will be stored that are written from now on. Where others are stored otherwise it is refused.
pub(crate) async fn keep(store: &dyn Store, layouts: &[StoredLayout]) -> Result<(), AccessError> {
    create(store).await?;
    let rows: Vec<StateRow> = layouts.iter().map(StoredLayout::row).collect();
    let kept = read(store, &rows).await?;
    let differing = differing(store, layouts, &kept).await?;
    if !differing.is_empty() {
        return Err(AccessError::Data(format!(
            "{} {OTHER_LAYOUT}: empty it first (truncate in tablesmith shell), or give it another name in the design",
            differing.join(", ")
        )));
    }
    let put = |layout: &StoredLayout| {
        let put = Put::new(layout.row().key()).add(FAMILY, LAYOUT_COLUMN, layout.text());
        Action::Mutate(Mutation::Put(put))
    };
    for answer in store.batch(&state_table()?, layouts.iter().map(put).collect()).await?.value {
        answer?;
    }
    Ok(())
}

/// The tables that have rows which are stored otherwise.
async fn differing(
    store: &dyn Store,
    layouts: &[StoredLayout],
    kept: &[Row],
) -> Result<Vec<String>, AccessError> {
    let mut differing = Vec::new();
    for (layout, kept) in layouts.iter().zip(kept) {
        let name = layout.table.to_string();
        if layout.differs(kept) && !differing.contains(&name) && has_rows(store, &layout.table).await? {
            differing.push(name);
        }
    }
    Ok(differing)
}

/// Whether a table exists and has a row.
pub(crate) async fn has_rows(store: &dyn Store, table: &TableName) -> Result<bool, AccessError> {
    if !store.table_exists(table).await? {
        return Ok(false);
    }
    let read = ReadOptions { filter: Some(Filter::FirstKeyOnly), ..ReadOptions::default() };
    let mut scanner = store.scan(table, Scan { limit: Some(1), read, ..Scan::default() }).await?;
    Ok(!scanner.next_rows().await?.is_empty())
}
