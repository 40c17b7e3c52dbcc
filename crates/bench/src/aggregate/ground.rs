//! Readings of stations in one layout, and the two ways to sum them up.

use bytes::Bytes;
use hbase_testbed::java_client::{ScannedColumn, Way, Work};
use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, RangeQuery, Series};
use tablesmith_model::TableName;
use tablesmith_model::series::{CellShape, Dimension, KeyOrder, Reading, SeriesLayout, Span};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};
use tablesmith_store::aggregate::{self, Figures};
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{Aggregate, Filter, FlushScope, Scan, Store};

use super::{DAYS, Failure, READINGS, STATIONS};

/// The layouts that are measured.
pub const LAYOUTS: [&str; 4] = ["tall", "wide", "versions", "packed"];

const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;

/// Readings in a table.
pub struct Laid {
    series: Series,
    table: TableName,
}

impl Laid {
    /// Loads all readings, stations spread evenly over so many regions.
    pub async fn load(store: &dyn Store, layout: &str, name: &str, regions: i64) -> Result<Self, Failure> {
        let series = Series::new(&table(), layout_of(layout)?)?;
        let name: TableName = format!("bench_{layout}_{name}").parse()?;
        let split = |region| series.row_key(&[Value::Int(region * STATIONS / regions)], 0);
        let splits = (1..regions).map(split).collect::<Result<Vec<_>, _>>()?;
        series.create(store, &name, splits).await?;
        for day in 0..DAYS {
            series.write(store, &name, &readings_of(day, STATIONS)).await?;
        }
        store.flush(FlushScope::Table(name.clone(), None)).await?;
        store.major_compact(FlushScope::Table(name.clone(), None)).await?;
        Ok(Self { series, table: name })
    }

    /// Sums up inside the regions.
    pub async fn sum(&self, store: &dyn Store) -> Result<(), Failure> {
        let query = AggregateQuery {
            entities: Entities::All,
            from: 0,
            to: DAYS * DAY_MS,
            metric: "bikes".to_owned(),
            group: GroupBy::Entity,
            figures: Figures::OF_NUMBERS,
        };
        let groups = self.series.aggregate(store, &self.table, &query).await?.value;
        expect(groups.values().map(|summary| summary.count).sum())
    }

    /// Some figures of all readings together.
    pub async fn figures(&self, store: &dyn Store, figures: Figures) -> Result<(), Failure> {
        let query = AggregateQuery {
            entities: Entities::All,
            from: i64::MIN,
            to: i64::MAX,
            metric: "bikes".to_owned(),
            group: GroupBy::All,
            figures,
        };
        let groups = self.series.aggregate(store, &self.table, &query).await?.value;
        let all = groups.values().next().ok_or("nothing was found")?;
        if figures.has(Figures::NUMBERS) { expect(all.count) } else { Ok(()) }
    }

    /// Pulls all readings with one scanner and sums up here.
    pub async fn pull(&self, store: &dyn Store) -> Result<(), Failure> {
        let query = RangeQuery::all(0, DAYS * DAY_MS).metrics(["bikes"]);
        let mut readings = self.series.range(store, &self.table, &query).await?;
        let (mut count, mut sum) = (0, 0);
        loop {
            let portion = readings.next().await?;
            if portion.is_empty() {
                break;
            }
            count += portion.len() as u64;
            for reading in portion {
                if let Some(Value::Int(bikes)) = reading.metrics.first() {
                    sum += bikes;
                }
            }
        }
        std::hint::black_box(sum);
        expect(count)
    }

    /// Lets all regions go through the same readings at once, behind a filter that passes none.
    pub async fn walk(&self, store: &dyn Store) -> Result<(), Failure> {
        let family = self.series.family();
        let nothing = Filter::Value(CompareOp::Less, Comparator::Binary(Bytes::new()));
        let scan = Scan::all().column(family.name.clone(), "bikes").versions(family.versions).filter(nothing);
        // All figures are folded from scans of the regions.
        let walked =
            store.aggregate(&self.table, Aggregate::new(scan, aggregate::ValueType::I64)).await?.value;
        let found: usize = walked.iter().map(|region| region.groups.len()).sum();
        if found == 0 { Ok(()) } else { Err(format!("{found} groups were found").into()) }
    }

    /// What HBase's own client scans to pull the same readings, in one of its ways.
    pub fn pull_by_java(&self, way: Way) -> Work {
        let family = self.series.family();
        let (qualifier, versions) = ("bikes".to_owned(), family.versions);
        let column =
            ScannedColumn { family: String::from_utf8_lossy(&family.name).into_owned(), qualifier, versions };
        Work::Scan { table: self.table.to_string(), column: Some(column), way }
    }

    /// Removes the table.
    pub async fn remove(self, store: &dyn Store) -> Result<(), Failure> {
        store.disable_table(&self.table).await?;
        Ok(store.drop_table(&self.table).await?)
    }
}

/// The readings of a day.
pub fn readings_of(day: i64, stations: i64) -> Vec<Reading> {
    let minutes = day * 1_440..(day + 1) * 1_440;
    let at = |minute| {
        (0..stations).map(move |station| Reading {
            entity: vec![Value::Int(station)],
            at: minute * MINUTE_MS,
            metrics: vec![Value::Int((station * 7 + minute) % 40), Value::Int(minute % 7)],
        })
    };
    minutes.flat_map(at).collect()
}

/// A layout with a day in a row, where rows hold more than one reading.
pub fn layout_of(name: &str) -> Result<SeriesLayout, Failure> {
    let dimension = Dimension::from_name(name).ok_or("there is no such layout")?;
    let span = if dimension == Dimension::Row { Span::Each } else { Span::Of(DAY_MS.cast_unsigned()) };
    let (order, cells) = (KeyOrder::EntityTime, CellShape::EachMetric);
    Ok(SeriesLayout { dimension, span, order, cells, ..SeriesLayout::tall(&table())? })
}

/// The table of the readings.
pub fn table() -> Table {
    let column = |name, value_type| Column::new(name, value_type);
    Table {
        name: "reading".to_owned(),
        columns: vec![
            column("station", ValueType::Int),
            column("at", ValueType::Timestamp),
            column("bikes", ValueType::Int),
            column("empty_docks", ValueType::Int),
        ],
        time: Some(Sequence {
            column: "at".to_owned(),
            entity: vec!["station".to_owned()],
            kind: SequenceKind::Time,
        }),
        ..Table::default()
    }
}

/// All readings must have been seen.
pub fn expect(found: u64) -> Result<(), Failure> {
    if found == READINGS { Ok(()) } else { Err(format!("found {found}, expected {READINGS}").into()) }
}
