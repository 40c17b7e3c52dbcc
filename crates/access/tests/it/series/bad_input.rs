//! What cannot be a reading is refused with a sentence, and nothing of it is written.

use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, RangeQuery, Series, SeriesError};
use tablesmith_model::TableName;
use tablesmith_model::design::Setting;
use tablesmith_model::series::{Dimension, Reading, SeriesLayout, Span};
use tablesmith_model::value::Value;
use tablesmith_store::aggregate::Figures;
use tablesmith_store_testing::memory::MemoryStore;

use super::trial::layouts::{KINDS, Kind, table};
use crate::stores::memory;

fn reading(at: i64) -> Reading {
    let metrics = vec![Value::Int(1), Value::Null, Value::Null, Value::Null];
    Reading { entity: vec![Value::String("s".into())], at, metrics }
}

async fn made(kind: Kind, dimension: Dimension, span: Span) -> (MemoryStore, TableName, Series) {
    let table = table(kind);
    let layout = SeriesLayout { dimension, span, ..SeriesLayout::tall(&table).unwrap() };
    let (store, name, series) = (memory(), "bad".parse().unwrap(), Series::new(&table, layout).unwrap());
    series.create(&store, &name, Vec::new()).await.unwrap();
    (store, name, series)
}

async fn refused(dimension: Dimension, span: Span, bad: Reading) -> String {
    let (store, name, series) = made(KINDS[0], dimension, span).await;
    let told = series.write(&store, &name, &[reading(5), bad]).await.unwrap_err().to_string();
    let left = series.range(&store, &name, &RangeQuery::all(i64::MIN, i64::MAX)).await.unwrap();
    assert!(left.all().await.unwrap().value.is_empty(), "a batch with a bad reading wrote something");
    told
}

#[tokio::test]
async fn times_before_1970_are_no_versions_and_fine_elsewhere() {
    let told = refused(Dimension::Version, Span::Unbounded, reading(-1)).await;
    assert!(told.starts_with("1969-12-31T23:59:59.999Z cannot be the version"), "{told}");
    for (dimension, span) in [
        (Dimension::Row, Span::Each),
        (Dimension::Qualifier, Span::Of(60_000)),
        (Dimension::Packed, Span::Unbounded),
    ] {
        let (store, name, series) = made(KINDS[0], dimension, span).await;
        series.write(&store, &name, &[reading(-1)]).await.unwrap();
        let latest = series.latest(&store, &name, &reading(0).entity, 1, &[]).await.unwrap();
        assert_eq!(latest.value, [reading(-1)], "{dimension:?}");
    }
}

/// A design of a day of minutes in a row, with as many versions and no more.
#[tokio::test]
async fn no_reading_pushes_another_out_of_a_row() {
    let (table, minute, day) = (table(KINDS[0]), 60_000, 86_400_000);
    let (dimension, span) = (Dimension::Version, Span::Of(86_400_000));
    let layout = SeriesLayout { dimension, span, ..SeriesLayout::tall(&table).unwrap() };
    let mut laid = layout.to_design(&table);
    laid.families[0].settings[0].1 = Setting::Integer(1_440);
    let (store, name, series) =
        (memory(), "minutes".parse().unwrap(), Series::of_design(&laid, &table).unwrap());
    series.create(&store, &name, Vec::new()).await.unwrap();
    let readings: Vec<Reading> = (0..1_440).map(|number| reading(day + number * minute)).collect();
    series.write(&store, &name, &readings).await.unwrap();
    let told = series.write(&store, &name, &[reading(day + 30_000)]).await.unwrap_err().to_string();
    assert!(told.contains("VERSIONS = 1440 keeps times at distances of 60000"), "{told}");
    assert!(told.contains("VERSIONS = 86400000"), "{told}");
    series.write(&store, &name, &[reading(day + 30 * minute)]).await.unwrap();
    let all = series.range(&store, &name, &RangeQuery::all(0, 2 * day)).await.unwrap();
    assert_eq!(all.all().await.unwrap().value, readings);
}

#[tokio::test]
async fn a_time_in_the_future_is_a_time() {
    let future = 253_402_300_799_999;
    for (dimension, span) in [(Dimension::Row, Span::Each), (Dimension::Version, Span::Of(60_000))] {
        let (store, name, series) = made(KINDS[0], dimension, span).await;
        series.write(&store, &name, &[reading(future)]).await.unwrap();
        let latest = series.latest(&store, &name, &reading(0).entity, 1, &[]).await.unwrap();
        assert_eq!(latest.value, [reading(future)], "{dimension:?}");
        series.expire(&store, &name, future + 1).await.unwrap();
        let latest = series.latest(&store, &name, &reading(0).entity, 1, &[]).await.unwrap();
        assert!(latest.value.is_empty(), "{dimension:?}");
    }
}

#[tokio::test]
async fn what_is_no_reading_is_refused_before_anything_is_written() {
    let told = refused(Dimension::Row, Span::Each, reading(i64::MAX)).await;
    assert!(told.contains("is no time of \"at\""), "{told}");
    let told = refused(Dimension::Row, Span::Each, reading(i64::MIN)).await;
    assert!(told.contains("is no time of \"at\""), "{told}");
    let short = Reading { metrics: vec![Value::Int(1)], ..reading(1) };
    assert!(refused(Dimension::Packed, Span::Unbounded, short).await.contains("1 values for its metrics, 4"));
    let nobody = Reading { entity: Vec::new(), ..reading(1) };
    assert!(refused(Dimension::Row, Span::Each, nobody).await.contains("0 values for its entity, 1"));
    let text = Reading {
        metrics: vec![Value::String("x".into()), Value::Null, Value::Null, Value::Null],
        ..reading(1)
    };
    for (dimension, span) in [(Dimension::Row, Span::Each), (Dimension::Packed, Span::Unbounded)] {
        let told = refused(dimension, span, text.clone()).await;
        assert!(told.starts_with("the metric \"bikes\""), "{told}");
    }
    let number = Reading { entity: vec![Value::Int(3)], ..reading(1) };
    assert!(refused(Dimension::Row, Span::Each, number).await.contains("gets no row key"));
}

#[tokio::test]
async fn questions_that_make_no_sense_are_refused() {
    let (store, name, series) = made(KINDS[0], Dimension::Row, Span::Each).await;
    let query = RangeQuery::all(0, 9).metrics(["nothing"]);
    let told = series.range(&store, &name, &query).await.err().unwrap().to_string();
    assert_eq!(told, "\"nothing\" is no metric of this layout, which has bikes, load, Bikes_note, raw");
    let text = AggregateQuery {
        entities: Entities::All,
        from: 0,
        to: 9,
        metric: "Bikes_note".into(),
        group: GroupBy::All,
        figures: Figures::OF_NUMBERS,
    };
    let told = series.aggregate(&store, &name, &text).await.unwrap_err();
    assert!(matches!(told, SeriesError::NotANumber { .. }), "{told}");
    let nobody = RangeQuery { entities: Entities::These(vec![Vec::new()]), ..RangeQuery::all(0, 9) };
    assert!(series.range(&store, &name, &nobody).await.is_err());
}
