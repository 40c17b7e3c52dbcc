//! Designs that hold readings over time are loaded, asked and changed as those of plain rows are.

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_model::series::{Dimension, SeriesLayout, Span};
use tablesmith_model::value::Value;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_store::wrap::Wrapped;
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};
use tablesmith_store_testing::memory::MemoryStore;

use super::laid::{Laid, answer_alike, design_of, load_both, readings, workload};
use super::trial::layouts::{KINDS, all};
use crate::random::seed;
use crate::stores::{Shifted, far, memory};

#[tokio::test]
async fn designs_of_readings_answer_as_plain_ones() {
    println!("seed {}", seed());
    let workload = Arc::new(workload());
    let rows = readings(&mut Rng::with_seed(seed()));
    let tall = SeriesLayout::tall(&workload.tables[0]).unwrap();
    let layouts = all(KINDS[0]).into_iter().filter(|layout| layout.dimension != Dimension::Row);
    for layout in layouts.step_by(7) {
        let plain = Laid::new(&workload, &design_of(&workload, &tall)).await;
        let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
        load_both(&plain, &rows).await;
        load_both(&laid, &rows).await;
        let (again, _) = laid.load("reading", &rows).await;
        assert_eq!((again.rows, again.before), (180, 180), "what is loaded is not loaded again");
        answer_alike(&laid, &plain, &layout.name()).await;
    }
}

#[tokio::test]
async fn readings_without_a_key_are_rejected_and_two_never_become_one() {
    let workload = Arc::new(workload());
    let layout = all(KINDS[0]).into_iter().find(|layout| layout.dimension == Dimension::Packed).unwrap();
    let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
    let mut rows = readings(&mut Rng::with_seed(1));
    rows.truncate(3);
    rows[1][0] = Value::Null;
    let (loaded, rejected) = laid.load("reading", &rows).await;
    assert_eq!((loaded.rows, loaded.rejected), (2, 1));
    assert!(rejected[0].contains("3: the column \"station\" is part of the key"), "{rejected:?}");
    let sql = "UPDATE reading SET at = '1970-01-01 00:00:12' WHERE at = '1970-01-01 00:00:00'";
    let asked =
        PreparedStatement::new(sql, &workload, Dialect::Generic).unwrap().bind(&Parameters::none()).unwrap();
    let Statement::Update(update) = &asked else { panic!("{asked:?}") };
    let error = laid.database.update(&*laid.store, update).await.unwrap_err().to_string();
    assert!(error.contains("the same entity and time"), "{error}");
}

#[tokio::test]
async fn an_update_that_dies_leaves_each_reading_once() {
    let workload = Arc::new(workload());
    let rows = readings(&mut Rng::with_seed(1));
    let sql = "UPDATE reading SET station = 'z' WHERE station = 'a'";
    let asked =
        PreparedStatement::new(sql, &workload, Dialect::Generic).unwrap().bind(&Parameters::none()).unwrap();
    let Statement::Update(update) = &asked else { panic!("{asked:?}") };
    for dimension in [Dimension::Qualifier, Dimension::Version, Dimension::Packed] {
        let layout = all(KINDS[0]).into_iter().find(|layout| layout.dimension == dimension).unwrap();
        for nth in 1.. {
            let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
            laid.load("reading", &rows).await;
            let before = laid.ask("SELECT at FROM reading WHERE station = 'a' ORDER BY at").await;
            let rule = Rule {
                condition: Condition::Always,
                turn: Turn::Nth(nth),
                reaction: Reaction::FailBefore(Fault::Io),
            };
            let faulty = Wrapped::new(laid.store.clone(), Faulty::new(1, [rule]));
            let died = laid.database.update(&faulty, update).await.is_err();
            let left = laid.ask("SELECT at FROM reading WHERE station IN ('a', 'z') ORDER BY at").await;
            assert_eq!(left, before, "{}, call {nth}", layout.name());
            if !died {
                break;
            }
        }
    }
}

#[tokio::test]
async fn readings_move_only_inside_of_rows_where_a_store_writes_one_row_at_a_time() {
    let workload = Arc::new(workload());
    let rows = readings(&mut Rng::with_seed(1));
    let spans =
        |layout: &SeriesLayout, dimension| layout.dimension == dimension && layout.span == Span::Unbounded;
    for dimension in [Dimension::Qualifier, Dimension::Version, Dimension::Packed] {
        let layout = all(KINDS[0]).into_iter().find(|layout| spans(layout, dimension)).unwrap();
        let laid =
            Laid::on(Arc::new(far(Arc::new(memory()))), &workload, &design_of(&workload, &layout)).await;
        laid.load("reading", &rows).await;
        let change = async |sql: &str| {
            let asked = PreparedStatement::new(sql, &workload, Dialect::Generic)
                .unwrap()
                .bind(&Parameters::none())
                .unwrap();
            let Statement::Update(update) = asked else { panic!("{sql}") };
            laid.database.update(&*laid.store, &update).await.map_err(|error| error.to_string())
        };
        let inside =
            "UPDATE reading SET at = '1970-01-01 01:00' WHERE station = 'a' AND at = '1970-01-01 00:01'";
        assert_eq!(change(inside).await.map(|written| written.rows), Ok(1), "{}", layout.name());
        let across = change("UPDATE reading SET station = 'z' WHERE station = 'a'").await.unwrap_err();
        assert!(across.contains("INSERT it with its new entity"), "{across}");
        assert_eq!(laid.ask("SELECT COUNT(*) FROM reading").await, [[Value::Int(180)]]);
        let moved = laid.ask("SELECT station FROM reading WHERE at = '1970-01-01 01:00'").await;
        assert_eq!(moved, [[Value::String("a".to_owned())]], "{}", layout.name());
    }
}

#[tokio::test]
async fn changes_of_readings_count_though_the_clock_was_set_back() {
    let workload = Arc::new(workload());
    let rows = readings(&mut Rng::with_seed(seed()));
    let tall = SeriesLayout::tall(&workload.tables[0]).unwrap();
    let layouts = all(KINDS[0]).into_iter().step_by(9);
    for layout in layouts {
        let plain = Laid::new(&workload, &design_of(&workload, &tall)).await;
        let clock = Arc::new(Shifted::default());
        let store = Arc::new(MemoryStore::new(clock.clone(), 2));
        let laid = Laid::on(store, &workload, &design_of(&workload, &layout)).await;
        load_both(&plain, &rows).await;
        load_both(&laid, &rows).await;
        clock.set(-3_600_000);
        // A statement that reads shows that the clock is behind.
        for one in [&plain, &laid] {
            one.ask("UPDATE reading SET bikes = bikes + 1 WHERE station = 'c'").await;
        }
        answer_alike(&laid, &plain, &layout.name()).await;
    }
}

#[tokio::test]
async fn aggregates_of_one_metric_are_made_in_the_regions() {
    let mut workload = workload();
    let reading = &mut workload.tables[0];
    reading.columns.retain(|column| ["station", "at", "bikes"].contains(&column.name.as_str()));
    let layouts = [Dimension::Qualifier, Dimension::Version, Dimension::Packed];
    let rows: Vec<Vec<Value>> = readings(&mut Rng::with_seed(seed()))
        .into_iter()
        .filter(|row| !row[2].is_null())
        .map(|row| row[..3].to_vec())
        .collect();
    let workload = Arc::new(workload);
    let tall = SeriesLayout::tall(&workload.tables[0]).unwrap();
    let plain = Laid::new(&workload, &design_of(&workload, &tall)).await;
    plain.load("reading", &rows).await;
    for dimension in layouts {
        let layout = all(KINDS[0]).into_iter().find(|layout| layout.dimension == dimension).unwrap();
        let layout = SeriesLayout { metrics: vec!["bikes".to_owned()], ..layout };
        let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
        laid.load("reading", &rows).await;
        for sql in [
            "SELECT COUNT(*), SUM(bikes), AVG(bikes) FROM reading WHERE at >= '1970-01-01 00:02'",
            "SELECT station, COUNT(*), MAX(bikes) FROM reading WHERE at < '1970-01-01 00:03' GROUP BY station HAVING MAX(bikes) > 2",
            "SELECT SUM(bikes), station FROM reading WHERE station IN ('c', 'a', 'x', 'a') GROUP BY station",
        ] {
            assert_eq!(laid.ask(sql).await, plain.ask(sql).await, "{}: {sql}", layout.name());
            let designed = &laid.database;
            let asked = PreparedStatement::new(sql, &workload, Dialect::Generic)
                .unwrap()
                .bind(&Parameters::none())
                .unwrap();
            let Statement::Select(query) = &asked else { panic!("{sql}") };
            let told = designed.plan_query(None, query).unwrap().explain().to_string();
            assert!(told.contains("aggregate inside the regions"), "{told}");
        }
    }
}

#[tokio::test]
async fn an_update_that_leaves_a_reading_without_a_value_is_refused() {
    let workload = Arc::new(workload());
    let layout = all(KINDS[0]).into_iter().find(|layout| layout.dimension == Dimension::Version).unwrap();
    let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
    laid.load("reading", &readings(&mut Rng::with_seed(1))).await;
    let sql = "UPDATE reading SET bikes = NULL, load = NULL, Bikes_note = NULL WHERE station = 'a'";
    let asked =
        PreparedStatement::new(sql, &workload, Dialect::Generic).unwrap().bind(&Parameters::none()).unwrap();
    let Statement::Update(update) = &asked else { panic!("{asked:?}") };
    let error = laid.database.update(&*laid.store, update).await.unwrap_err().to_string();
    assert!(error.contains("no value besides") && error.contains("DELETE"), "{error}");
    assert_eq!(laid.ask("SELECT COUNT(*) FROM reading").await, [[Value::Int(180)]]);
}

#[tokio::test]
async fn the_last_readings_of_one_entity_are_read_backwards() {
    let workload = Arc::new(workload());
    for dimension in [Dimension::Qualifier, Dimension::Version, Dimension::Packed] {
        let layout = all(KINDS[0]).into_iter().find(|layout| layout.dimension == dimension).unwrap();
        let laid = Laid::new(&workload, &design_of(&workload, &layout)).await;
        let explained = |sql: &str| {
            let asked = PreparedStatement::new(sql, &workload, Dialect::Generic)
                .unwrap()
                .bind(&Parameters::none())
                .unwrap();
            let Statement::Select(query) = &asked else { panic!("{asked:?}") };
            let explain = laid.database.plan_query(None, query).unwrap().explain();
            explain.steps.into_iter().map(|step| step.what).collect::<Vec<_>>().join("; ")
        };
        let last = explained("SELECT at FROM reading WHERE station = 'a' ORDER BY at DESC LIMIT 2");
        assert!(last.starts_with("the last 2 readings of") && !last.contains("sort"), "{last}");
        let first = explained("SELECT at FROM reading WHERE station = 'a' ORDER BY at LIMIT 2");
        assert!(first.contains("sort"), "{first}");
    }
}
