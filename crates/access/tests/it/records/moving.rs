//! Rows that get another key: whenever the client stops, each is seen once, and repair finishes what it began.

use std::collections::BTreeMap;
use std::sync::Arc;

use fastrand::Rng;
use tablesmith_access::answer::Database;
use tablesmith_access::{Repair, SetTo, Writer, read_view, repair, unfinished_moves};
use tablesmith_model::design::Design;
use tablesmith_model::plan::{Condition as Met, Test};
use tablesmith_model::value::Value;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement as Sql};
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Get, Store};
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};

use super::crashing::masters;
use super::designs::{design, workload};
use super::model::Model;
use super::statements::Statement;
use super::world::{all, assert_true, make};
use crate::random::seed;
use crate::soak::runs;
use crate::stores::{far, memory};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// The column of each table whose values are all different, and never change.
const IDENTITY: [(&str, usize); 3] = [("user", 1), ("follow", 2), ("twit", 3)];

/// Some rows of each table.
fn rows() -> Model {
    let mut model = Model::new(&workload());
    for (at, id) in ["a", "b", "c", "dd"].into_iter().enumerate() {
        model.rows_mut("user").push(vec![text(id), text(&format!("name {at}")), Value::Int(at as i64 * 7)]);
    }
    for (at, (one, two)) in
        [("a", "b"), ("a", "c"), ("b", "a"), ("c", "b"), ("dd", "b")].into_iter().enumerate()
    {
        model.rows_mut("follow").push(vec![text(one), text(two), Value::Int(at as i64 + 100)]);
    }
    for id in 0..6 {
        let (author, at) = (text(["a", "b", "c"][id % 3]), Value::Int(id as i64 / 2));
        model.rows_mut("twit").push(vec![Value::Int(id as i64), author, at, text(&format!("text {id}"))]);
    }
    model
}

/// Statements that move rows, in base tables or in index tables.
const MOVING: u64 = 7;

fn moving(which: u64) -> Statement {
    let is = |column: &str, value: Value| vec![Met::new(column, Test::equals(value))];
    let set = |column: &str, to: SetTo| vec![(column.to_owned(), to)];
    match which % MOVING {
        0 => Statement::Update("user", set("id", SetTo::Value(text("zz"))), is("id", text("b"))),
        1 => Statement::Update("user", set("age", SetTo::Plus(11)), Vec::new()),
        2 => {
            Statement::Update("follow", set("followed", SetTo::Value(text("zz"))), is("followed", text("b")))
        }
        3 => Statement::Update("twit", set("at", SetTo::Plus(3)), Vec::new()),
        4 => Statement::Update("twit", set("author", SetTo::Value(text("dd"))), is("author", text("a"))),
        // Every row takes the key of the next one.
        5 => Statement::Update("twit", set("id", SetTo::Plus(1)), Vec::new()),
        _ => Statement::Update("twit", set("id", SetTo::Plus(-1)), is("author", text("b"))),
    }
}

async fn filled(store: &dyn Store, design: &Design, model: &Model) -> Writer {
    make(store, design).await;
    let writer = Writer::new(&workload(), design).unwrap();
    for (table, rows) in model.tables.iter().filter(|(table, _)| writer.stores(table)) {
        writer.insert(store, table, rows.clone()).await.unwrap();
    }
    writer
}

/// Each row is there once, as it was or as it will be.
fn assert_seen_once(seen: &Model, before: &Model, after: &Model, context: &str) {
    for (table, identity) in IDENTITY {
        let by_identity = |model: &Model| -> BTreeMap<Value, Vec<Value>> {
            model.rows(table).iter().map(|row| (row[identity].clone(), row.clone())).collect()
        };
        let (old, new, now) = (by_identity(before), by_identity(after), by_identity(seen));
        assert_eq!(seen.rows(table).len(), old.len(), "{table} has {:?}: {context}", seen.rows(table));
        for (identity, row) in now {
            assert!(row == old[&identity] || row == new[&identity], "{table} has {row:?}: {context}");
        }
    }
}

/// A store with atomic batches, or one as HBase is.
fn store_of(is_atomic: bool) -> Arc<dyn Store> {
    if is_atomic { Arc::new(memory()) } else { Arc::new(far(Arc::new(memory()))) }
}

/// Stops a statement at its nth call, and looks what is left; whether there was such a call.
async fn stop_at(seed: u64, statement: &Statement, is_atomic: bool, turn: Turn, reaction: Reaction) -> bool {
    let design = design(&mut Rng::with_seed(seed));
    let (store, before) = (store_of(is_atomic), rows());
    let writer = filled(&*store, &design, &before).await;
    let mut after = before.clone();
    statement.on(&mut after);
    let rule = Rule { condition: Condition::Always, turn, reaction };
    let faulty = Wrapped::new(store.clone(), Faulty::new(seed, [rule]));
    let died = statement.carry_out(&faulty, &writer).await.is_err();
    let context = format!(
        "TABLESMITH_SEED={seed}, atomic: {is_atomic}, {turn:?} {reaction:?}, died: {died}, {statement:?}\n{}",
        design.to_toml()
    );
    let view = read_view(&*store).await.unwrap();
    let seen = masters(view.store(), &writer).await;
    assert_seen_once(&seen, &before, &after, &context);
    if is_atomic {
        assert_true(&*store, &writer, &seen, &format!("no index table is behind: {context}")).await;
    }
    let writer = Writer::new(&workload(), &design).unwrap();
    repair(&*store, &writer, Repair::Mend).await.unwrap_or_else(|error| panic!("{error}: {context}"));
    let repaired = masters(&*store, &writer).await;
    assert_seen_once(&repaired, &before, &after, &context);
    assert_true(&*store, &writer, &repaired, &context).await;
    assert_eq!(unfinished_moves(&*store).await.unwrap(), 0, "{context}");
    if !died {
        assert_true(&*store, &writer, &after, &context).await;
    }
    !faulty.intercept().injected().is_empty()
}

#[tokio::test]
async fn a_row_that_moves_is_seen_once_wherever_the_client_stops() {
    for run in 0..runs(MOVING, 50 * MOVING) {
        let (seed, statement) = (seed() + 40_000 + run, moving(run));
        for is_atomic in [true, false] {
            for nth in 1.. {
                let reaction = match (nth + run / MOVING) % 2 {
                    0 => Reaction::FailBefore(Fault::Io),
                    _ => Reaction::FailAfter(Fault::Io),
                };
                if !stop_at(seed, &statement, is_atomic, Turn::Nth(nth), reaction).await {
                    break;
                }
            }
        }
    }
}

#[tokio::test]
async fn the_next_statement_finishes_what_a_stopped_client_began() {
    let statement = Statement::Update("twit", vec![("id".to_owned(), SetTo::Plus(10))], Vec::new());
    let mut found_doubled = false;
    for nth in 1.. {
        let design = Design::parse_for(BY_AUTHOR, &workload()).unwrap();
        let (store, before) = (store_of(false), rows());
        let writer = filled(&*store, &design, &before).await;
        let rule = Rule {
            condition: Condition::Always,
            turn: Turn::Nth(nth),
            reaction: Reaction::FailBefore(Fault::Io),
        };
        let faulty = Wrapped::new(store.clone(), Faulty::new(1, [rule]));
        let died = statement.carry_out(&faulty, &writer).await;
        let is_stopped = !faulty.intercept().injected().is_empty();
        assert!(is_stopped || died.is_ok(), "{died:?}");
        found_doubled |= unfinished_moves(&*store).await.unwrap() > 0;
        // The same writer, or another client.
        let writer = if nth % 2 == 0 { writer } else { Writer::new(&workload(), &design).unwrap() };
        let set = [("text".to_owned(), SetTo::Value(text("new")))];
        let written = writer.update(&*store, "twit", &set, &[]).await.unwrap();
        assert_eq!(written.rows, before.rows("twit").len() as u64, "call {nth}");
        assert_eq!(unfinished_moves(&*store).await.unwrap(), 0, "call {nth}");
        let there = masters(&*store, &writer).await;
        assert_eq!(there.rows("twit").len(), before.rows("twit").len(), "call {nth}");
        if !is_stopped {
            break;
        }
    }
    assert!(found_doubled, "no call left a row twice");
}

/// Messages by their author, and an index table of their numbers.
const BY_AUTHOR: &str = "
version = 1
[[table]]
name = 'twit'
[[table.family]]
name = 'f'
[[table.rows]]
from = 'twit'
key = ['author', 'id']
cells = [{ family = 'f', columns = ['at'], encoding = 'i64' }, { family = 'f', columns = ['text'] }]
[[table]]
name = 'by_id'
[[table.family]]
name = 'f'
[[table.rows]]
from = 'twit'
key = ['id']
cells = [{ family = 'f', columns = ['author'] }]
";

async fn asked(store: &dyn Store, design: &Design, sql: &str) -> Vec<Vec<Value>> {
    let workload = Arc::new(workload());
    let asked =
        PreparedStatement::new(sql, &workload, Dialect::Generic).unwrap().bind(&Parameters::none()).unwrap();
    let Sql::Select(query) = &asked else { panic!("{sql}") };
    let designed = Database::new(workload, design).unwrap();
    let plan = designed.plan_query(None, query).unwrap();
    designed.answer(store, &plan).unwrap().all().await.unwrap()
}

/// A store in which some rows exist twice: a client stopped before it deleted the old ones.
async fn doubled(design: &Design, statement: &Statement) -> Arc<dyn Store> {
    for nth in 1.. {
        let store = store_of(false);
        let writer = filled(&*store, design, &rows()).await;
        let rule = Rule {
            condition: Condition::Always,
            turn: Turn::Nth(nth),
            reaction: Reaction::FailBefore(Fault::Io),
        };
        let faulty = Wrapped::new(store.clone(), Faulty::new(1, [rule]));
        let stopped = statement.carry_out(&faulty, &writer).await;
        assert!(stopped.is_err() && !faulty.intercept().injected().is_empty(), "no call left a row twice");
        if unfinished_moves(&*store).await.unwrap() > 0 {
            return store;
        }
    }
    panic!("no call left a row twice")
}

#[tokio::test]
async fn every_kind_of_read_sees_a_doubled_row_once() {
    let design = Design::parse_for(BY_AUTHOR, &workload()).unwrap();
    let all = Statement::Update("twit", vec![("author".to_owned(), SetTo::Value(text("0")))], Vec::new());
    let store = doubled(&design, &all).await;
    let bare = asked(&*store, &design, "SELECT id FROM twit WHERE author >= ''").await;
    assert!(bare.len() > 6, "the store itself has both: {bare:?}");
    let view = read_view(&*store).await.unwrap();
    let ask = async |sql: &str| asked(view.store(), &design, sql).await;
    assert_eq!(
        ask("SELECT COUNT(*), SUM(at), MIN(at) FROM twit WHERE author >= ''").await,
        [[Value::Int(6), Value::Int(6), Value::Int(0)]]
    );
    let ids = ask("SELECT id FROM twit WHERE author >= '' ORDER BY id").await;
    assert_eq!(ids, (0..6).map(|id| vec![Value::Int(id)]).collect::<Vec<_>>());
    // The new rows come first by their key: a limit does not stop at what is hidden.
    let first = ask("SELECT author FROM twit WHERE author >= '' ORDER BY author LIMIT 2").await;
    assert_eq!(first, [[text("a")], [text("a")]]);
    assert!(ask("SELECT id FROM twit WHERE author = '0'").await.is_empty());
}

#[tokio::test]
async fn a_logged_move_is_not_taken_for_rows_that_came_later() {
    let design = Design::parse_for(BY_AUTHOR, &workload()).unwrap();
    let one = Statement::Update(
        "twit",
        vec![("id".to_owned(), SetTo::Value(Value::Int(77)))],
        vec![Met::new("id", Test::equals(Value::Int(1)))],
    );
    let store = doubled(&design, &one).await;
    // The log stays as it is, and the rows go on without it, as by a client that knows nothing of it.
    let log = store.get(&"tablesmith:state".parse().unwrap(), Get::new("moves")).await.unwrap().value;
    repair(&*store, &Writer::new(&workload(), &design).unwrap(), Repair::Mend).await.unwrap();
    let writer = Writer::new(&workload(), &design).unwrap();
    let row = |id: i64| vec![Value::Int(id), text("b"), Value::Int(0), text("text 1")];
    writer.insert(&*store, "twit", vec![row(1)]).await.unwrap();
    let mut put = tablesmith_store::Put::new(log.row.clone());
    for cell in &log.cells {
        put = put.add(cell.family.clone(), cell.qualifier.clone(), cell.value.clone());
    }
    store.put(&"tablesmith:state".parse().unwrap(), put).await.unwrap();
    // Both the row that was moved and the one that was inserted under its old key are there to stay.
    let writer = Writer::new(&workload(), &design).unwrap();
    let view = read_view(&*store).await.unwrap();
    assert_eq!(masters(view.store(), &writer).await.rows("twit").len(), 7);
    writer.insert(&*store, "twit", vec![row(99)]).await.unwrap();
    repair(&*store, &writer, Repair::Mend).await.unwrap();
    assert_eq!(masters(&*store, &writer).await.rows("twit").len(), 8);
}

#[tokio::test]
async fn rows_that_take_each_others_keys_change_at_once_or_not_at_all() {
    let text_of = "version = 1\n[[table]]\nname = 'follow'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'follow'\n\
        key = ['follower', 'followed']\ncells = [{ family = 'f', columns = ['since'] }]\n\
        [[table]]\nname = 'back'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'follow'\n\
        key = ['followed', 'follower']\ncells = [{ family = 'f', columns = ['since'] }]\n";
    let design = Design::parse_for(text_of, &workload()).unwrap();
    let sql = "UPDATE follow SET follower = followed, followed = follower";
    let asked = PreparedStatement::new(sql, &workload(), Dialect::Generic)
        .unwrap()
        .bind(&Parameters::none())
        .unwrap();
    let Sql::Update(update) = &asked else { panic!("{sql}") };
    for is_atomic in [true, false] {
        let store = store_of(is_atomic);
        make(&*store, &design).await;
        let database = Database::new(Arc::new(workload()), &design).unwrap();
        let writer = Writer::new(&workload(), &design).unwrap();
        let mut model = rows();
        let before = model.rows("follow").clone();
        writer.insert(&*store, "follow", before.clone()).await.unwrap();
        match (database.update(&*store, update).await, is_atomic) {
            (Ok(written), true) => {
                assert_eq!(written.rows, before.len() as u64);
                model.rows_mut("follow").iter_mut().for_each(|row| row.swap(0, 1));
            }
            (Err(error), false) => {
                assert!(error.to_string().contains("through a key that no row has"), "{error}")
            }
            (done, _) => panic!("atomic: {is_atomic}, {done:?}"),
        }
        assert_true(&*store, &writer, &model, &format!("atomic: {is_atomic}")).await;
    }
}

#[tokio::test]
async fn a_materialized_join_that_is_too_large_for_one_batch_is_changed_too() {
    let text_of = "version = 1\n[[table]]\nname = 'user'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'user'\n\
        key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]\n\
        [[table]]\nname = 'twit'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'twit'\n\
        key = ['author', 'id']\ncells = [{ family = 'f', columns = ['at', 'text'] }]\n\
        [[table]]\nname = 'joined'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'twit'\njoin = ['twit.author']\n\
        key = ['user.id', 'id']\ncells = [{ family = 'f', columns = ['user.name'] }]\n";
    let design = Design::parse_for(text_of, &workload()).unwrap();
    let store = memory();
    make(&store, &design).await;
    let writer = Writer::new(&workload(), &design).unwrap();
    let twit = |id: i64| vec![Value::Int(id), text("a"), Value::Null, Value::Null];
    writer.insert(&store, "twit", (0..6_000).map(twit).collect()).await.unwrap();
    writer.insert(&store, "user", vec![vec![text("a"), text("ann"), Value::Null]]).await.unwrap();
    let set = [("name".to_owned(), SetTo::Value(text("bob")))];
    let met = [Met::new("id", Test::equals(text("a")))];
    writer.update(&store, "user", &set, &met).await.unwrap();
    let joined = writer.layouts().find(|(layout, _)| layout.table() == "joined").unwrap().0;
    let there = all(&store, joined).await;
    assert_eq!(there.len(), 6_000);
    assert!(there.iter().all(|record| record.contains(&text("bob"))));
}
