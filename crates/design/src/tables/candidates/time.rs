//! Layouts of readings over time, from their own decider.
//!
//! # What
//! Rows of a stretch of time with the readings as columns, as versions or packed into cells (Han and Stroulia), and the tall one.
//!
//! # Why
//! A reading of a few bytes in a cell of its own is mostly key and names; packed, a day of them is one cell.
//!
//! # When
//! The table says by which column its rows follow each other and whose they are (`[table.time]`), and nobody reads them
//! joined with others.

use tablesmith_model::cost::Prices;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::{Query, Table, Workload};
use tablesmith_plan::StoredRows;

use crate::tables::candidate::{Candidate, Shape};
use crate::time::{self, Demands, Facts, Prediction, TimeQuery, enumerate, predict};

/// So many of the best layouts are candidates.
const LAYOUTS: usize = 12;

/// A table of readings: what is known and asked of it.
pub struct Readings {
    /// The table.
    pub table: String,
    /// What is known.
    pub facts: Facts,
    /// What is asked, as far as layouts of readings can answer it.
    pub queries: Vec<TimeQuery>,
}

impl Readings {
    /// The readings of a table; `None` when it has none.
    pub fn of(workload: &Workload, table: &Table, queries: &[Query]) -> Option<Self> {
        let time = table.time.as_ref()?;
        // Of rows that differ in another column of the key only one would stay.
        if !table.key.iter().all(|column| *column == time.column || time.entity.contains(column)) {
            return None;
        }
        let facts = Facts::declared(table)?;
        let queries = time::questions(workload, table, &facts, queries).queries;
        Some(Self { table: table.name.clone(), facts, queries })
    }

    /// The layouts that serve the queries best, all together.
    pub fn candidates(&self, workload: &Workload, prices: &Prices) -> Vec<Candidate> {
        let Some(table) = workload.table(&self.table) else { return Vec::new() };
        let demands = Demands {
            servers: workload.cluster.region_servers,
            has_writes: self.queries.iter().any(TimeQuery::writes),
        };
        let layouts = enumerate(table, &self.facts, demands).layouts;
        let mut ranked: Vec<(f64, SeriesLayout)> =
            layouts.into_iter().map(|layout| (self.predict(&layout, prices, 1.0).cost_ms, layout)).collect();
        ranked.sort_by(|one, two| one.0.total_cmp(&two.0));
        let candidate = |layout: SeriesLayout| {
            let rows = layout.to_design(table).rows.into_iter().next()?;
            let entry = StoredRows::new(rows, workload)?;
            Some(Candidate { shape: Shape::Time(Box::new(layout)), entries: vec![entry] })
        };
        ranked.into_iter().take(LAYOUTS).filter_map(|(_, layout)| candidate(layout)).collect()
    }

    /// What the queries take on a layout.
    pub fn predict(&self, layout: &SeriesLayout, prices: &Prices, regions: f64) -> Prediction {
        predict(layout, &self.facts, &self.queries, prices, regions)
    }
}
