//! Layouts that papers and practice know to be good for a query are predicted to be.

use tablesmith_model::cost::Prices;
use tablesmith_model::series::{CellShape, KeyOrder, SeriesLayout, Span};

use super::*;
use crate::time::query::{Group, Whose};
use crate::time::testing::{facts, table};

const HOUR: f64 = 3_600e3;
const DAY: f64 = 24.0 * HOUR;

fn layout(dimension: Dimension, span: Span, order: KeyOrder) -> SeriesLayout {
    let tall = SeriesLayout::tall(&table(1)).unwrap();
    SeriesLayout { dimension, span, order, cells: CellShape::EachMetric, ..tall }
}

fn tall(order: KeyOrder) -> SeriesLayout {
    layout(Dimension::Row, Span::Each, order)
}

fn cost(layout: &SeriesLayout, kind: TimeKind) -> f64 {
    let query = TimeQuery { name: "q".into(), rate: 2.0, kind, metrics: vec!["m0".into()] };
    let predicted = predict(layout, &facts(1), &[query], &Prices::guessed(), 1.0);
    assert_eq!(predicted.cost_ms, 2.0 * predicted.queries[0].cost_ms);
    predicted.queries[0].cost_ms
}

#[test]
fn one_entity_wants_its_rows_together_and_one_moment_wants_everybody_together() {
    let range = || TimeKind::Range { entities: Whose::Named(1.0), length: DAY };
    let instant = || TimeKind::Instant { entities: Whose::All };
    let [by_entity, by_time] = [KeyOrder::EntityTime, KeyOrder::TimeEntity].map(tall);
    assert!(cost(&by_entity, range()) * 5.0 < cost(&by_time, range()));
    assert!(cost(&by_time, instant()) * 5.0 < cost(&by_entity, instant()));
}

#[test]
fn long_averages_are_cheapest_where_a_row_holds_much() {
    let average = || TimeKind::Aggregate { entities: Whose::All, length: 8.0 * DAY, group: Group::All };
    let of = |dimension, span| cost(&layout(dimension, span, KeyOrder::EntityTime), average());
    let rows = cost(&tall(KeyOrder::EntityTime), average());
    let hours = of(Dimension::Version, Span::Of(3_600_000));
    let days = of(Dimension::Version, Span::Of(86_400_000));
    let packed = of(Dimension::Packed, Span::Of(86_400_000));
    assert!(packed < days && days < hours && hours < rows, "{packed} {days} {hours} {rows}");
}

#[test]
fn packing_pays_for_every_reading_that_comes_alone() {
    let write = || TimeKind::Write { readings: 1.0 };
    let day = |dimension| cost(&layout(dimension, Span::Of(86_400_000), KeyOrder::EntityTime), write());
    assert!(day(Dimension::Packed) > 1.4 * day(Dimension::Version));
    assert!((day(Dimension::Version) / day(Dimension::Qualifier) - 1.0).abs() < 0.01);
}

#[test]
fn the_newest_stand_first_among_versions_and_last_among_columns() {
    let newest = || TimeKind::Latest { n: 1 };
    let day = |dimension| cost(&layout(dimension, Span::Of(86_400_000), KeyOrder::EntityTime), newest());
    assert!(day(Dimension::Version) < day(Dimension::Qualifier));
    let by_time = cost(&tall(KeyOrder::TimeEntity), newest());
    assert!(by_time > cost(&tall(KeyOrder::EntityTime), newest()));
}

#[test]
fn depth_is_what_versions_need() {
    let predicted = |layout| predict(&layout, &facts(1), &[], &Prices::guessed(), 1.0);
    let day = predicted(layout(Dimension::Version, Span::Of(86_400_000), KeyOrder::EntityTime));
    assert_eq!((day.depth, day.row_readings.round()), (1_440, 1_440.0));
    assert_eq!(predicted(tall(KeyOrder::EntityTime)).depth, 1);
}
