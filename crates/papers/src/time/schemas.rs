//! The paper's schemas as layouts (tables III and IV).

use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, SeriesLayoutError, Span};
use tablesmith_model::workload::Table;

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

/// A schema that is compared with others.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its name in tables.
    pub name: String,
    /// How readings lie in it.
    pub layout: SeriesLayout,
}

/// The schemas of table IV: an hour of a station with a column a minute, with a version a minute, and a day of it with a
/// version a minute. Then ours, when there is one.
pub fn bixi(table: &Table, ours: Option<SeriesLayout>) -> Result<Vec<Schema>, SeriesLayoutError> {
    let plain = SeriesLayout::tall(table)?;
    let of = |dimension, span, cells| SeriesLayout {
        dimension,
        span: Span::Of(span),
        order: KeyOrder::TimeEntity,
        cells,
        ..plain.clone()
    };
    let papers = [
        of(Dimension::Qualifier, HOUR_MS, CellShape::Together),
        of(Dimension::Version, HOUR_MS, CellShape::EachMetric),
        of(Dimension::Version, DAY_MS, CellShape::EachMetric),
    ];
    Ok(named(papers, ours))
}

/// The schemas of table III: snapshot, kind and id; kind and id with a version a snapshot; kind and reversed id with a
/// version a snapshot. Then ours, when there is one.
pub fn cosmology(table: &Table, ours: Option<SeriesLayout>) -> Result<Vec<Schema>, SeriesLayoutError> {
    let plain = SeriesLayout::tall(table)?;
    let versions =
        |order| SeriesLayout { dimension: Dimension::Version, span: Span::Unbounded, order, ..plain.clone() };
    let papers = [
        SeriesLayout { order: KeyOrder::TimeEntity, ..plain.clone() },
        versions(KeyOrder::EntityTime),
        versions(KeyOrder::ReversedEntityTime),
    ];
    Ok(named(papers, ours))
}

fn named(papers: [SeriesLayout; 3], ours: Option<SeriesLayout>) -> Vec<Schema> {
    let numbered =
        (1..).zip(papers).map(|(number, layout)| Schema { name: format!("schema {number}"), layout });
    let ours = ours.map(|layout| Schema { name: "ours".to_owned(), layout });
    numbered.chain(ours).collect()
}
