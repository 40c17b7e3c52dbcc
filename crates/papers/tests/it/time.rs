//! The experiment on time in a table, on a small embedded store.

use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};
use tablesmith_papers::time::bixi::{self, Extent};
use tablesmith_papers::time::claims::{Results, claims};
use tablesmith_papers::time::cosmology::{self, Lines};
use tablesmith_papers::time::data::Data;
use tablesmith_papers::time::paper::{ALL_SNAPSHOTS, FIRST_ID, STAR};
use tablesmith_papers::time::schemas::{self, Schema};
use tablesmith_papers::time::trial::{Trial, cut_alike};
use tablesmith_store::Store;

const HOUR_MS: i64 = 3_600_000;
const DAYS: i64 = 17;

fn table(columns: &[(&str, ValueType)], time: &str, entity: &[&str], kind: SequenceKind) -> Table {
    Table {
        name: "reading".to_owned(),
        columns: columns.iter().map(|(name, value_type)| Column::new(*name, *value_type)).collect(),
        time: Some(Sequence {
            column: time.to_owned(),
            entity: entity.iter().map(|name| (*name).to_owned()).collect(),
            kind,
        }),
        ..Table::default()
    }
}

/// A reading of six stations every hour.
fn stations() -> Data {
    let columns = [("station", ValueType::Int), ("at", ValueType::Timestamp), ("bikes", ValueType::Int)];
    let reading = |hour: i64, station: i64| Reading {
        entity: vec![Value::Int(station)],
        at: hour * HOUR_MS,
        metrics: vec![Value::Int((hour * 7 + station) % 20)],
    };
    let all = move || (0..DAYS * 24).flat_map(move |hour| (1..=6).map(move |station| reading(hour, station)));
    Data {
        table: table(&columns, "at", &["station"], SequenceKind::Time),
        readings: Arc::new(move || Box::new(all())),
    }
}

/// Stars that are born, forty in each snapshot.
fn stars() -> Data {
    let columns = [
        ("snapshot", ValueType::Int),
        ("kind", ValueType::Int),
        ("id", ValueType::Int),
        ("eps", ValueType::Float),
        ("tform", ValueType::Float),
    ];
    let state = |snapshot: i64, star: i64| Reading {
        entity: vec![Value::Int(STAR), Value::Int(FIRST_ID + star)],
        at: snapshot,
        metrics: vec![Value::Float(snapshot as f64), Value::Float(star as f64 / 4_000.0)],
    };
    let all = move || {
        (1..)
            .zip(ALL_SNAPSHOTS)
            .flat_map(move |(number, snapshot)| (0..40 * number).map(move |star| state(snapshot, star)))
    };
    Data {
        table: table(&columns, "snapshot", &["kind", "id"], SequenceKind::Sequence),
        readings: Arc::new(move || Box::new(all())),
    }
}

async fn trials(store: &Arc<dyn Store>, schemas: Vec<Schema>, data: &Data) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (number, schema) in schemas.into_iter().enumerate() {
        let name = format!("schema_{number}").parse().unwrap();
        trials.push(Trial::load(Arc::clone(store), name, schema, data).await.unwrap());
    }
    cut_alike(&mut trials).await.unwrap();
    trials
}

#[tokio::test]
async fn every_schema_gives_the_papers_questions_the_same_answers() {
    let directory = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Engine::open(EngineOptions::new(directory.path())).unwrap());
    let data = stations();
    let ours = SeriesLayout::tall(&data.table).unwrap();
    let loaded = trials(&store, schemas::bixi(&data.table, Some(ours)).unwrap(), &data).await;
    let extent = Extent { stations: 6, end_ms: DAYS * 24 * HOUR_MS };
    let averages = bixi::lines(&loaded, extent, 1, &mut |_| ()).await.unwrap();
    assert_eq!(averages.len(), 15);
    assert!(averages.iter().all(|(_, line)| line.answers_equal && line.found > 0), "{averages:#?}");
    assert!(averages.iter().all(|(_, line)| line.cells.iter().all(|cell| cell.region_count() > 0)));

    let data = stars();
    let loaded = trials(&store, schemas::cosmology(&data.table, None).unwrap(), &data).await;
    assert!(loaded.iter().all(|trial| trial.readings == 40 * 45));
    let lines = cosmology::lines(&loaded, 1, &mut |_| ()).await.unwrap();
    let Lines { query_1, query_2, query_3 } = &lines;
    for line in query_1.iter().chain(query_2).chain(query_3) {
        assert!(line.answers_equal, "{line:#?}");
    }
    assert_eq!(query_2[0].found, 40, "those born between the first two snapshots");
    assert_eq!(query_3[0].found, 10, "as many stars as are asked for");
    let claims = claims(&Results { bixi: &averages, cosmology: &lines });
    assert_eq!(claims.len(), 8, "ours is judged where it was measured");
}
