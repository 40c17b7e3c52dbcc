//! Writers that meet in one row lose nothing.

use std::sync::Arc;

use tablesmith_access::series::{RangeQuery, Series};
use tablesmith_model::TableName;
use tablesmith_model::series::{CellShape, Dimension, Reading, SeriesLayout, Span};
use tablesmith_model::value::Value;

use super::trial::layouts::{KINDS, table};
use crate::stores::memory;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn packed_rows_keep_what_all_writers_wrote() {
    let table = table(KINDS[0]);
    for cells in CellShape::ALL {
        let base = SeriesLayout::tall(&table).unwrap();
        let layout = SeriesLayout { dimension: Dimension::Packed, span: Span::Unbounded, cells, ..base };
        let series = Arc::new(Series::new(&table, layout).unwrap());
        let (store, name): (_, TableName) = (Arc::new(memory()), "met".parse().unwrap());
        series.create(&*store, &name, Vec::new()).await.unwrap();
        let write = |writer: i64| {
            let (series, store, name) = (series.clone(), store.clone(), name.clone());
            tokio::spawn(async move {
                for turn in 0..25 {
                    let metrics = vec![Value::Int(writer), Value::Null, Value::Null, Value::Null];
                    let reading =
                        Reading { entity: vec![Value::String("s".into())], at: turn * 8 + writer, metrics };
                    series.write(&*store, &name, &[reading]).await.unwrap();
                }
            })
        };
        for writer in (0..8).map(write).collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        let all = series.range(&*store, &name, &RangeQuery::all(0, 1_000)).await.unwrap();
        let times: Vec<i64> = all.all().await.unwrap().value.iter().map(|reading| reading.at).collect();
        assert_eq!(times, (0..200).collect::<Vec<_>>(), "{cells:?}");
    }
}
