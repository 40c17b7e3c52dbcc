//! Files go into all places of a design, and a load that dies anywhere goes on.

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_access::{LoadOptions, LoadSource, LoadWatch, Repair, Wanted, Writer, repair};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::design::Design;
use tablesmith_model::plan::{self, Test};
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tablesmith_store::Store;
use tablesmith_store::wrap::{Counting, OpKind, Wrapped};
use tablesmith_store_testing::faulty::{Condition, Fault, Faulty, Reaction, Rule, Turn};

use super::designs::{design, workload};
use super::model::Model;
use super::statements::{Statement, columns, of};
use super::world::{assert_true, make};
use crate::random::seed;
use crate::stores::{far, memory};

/// Lines that were rejected. What is not kept dies with the program.
#[derive(Default)]
struct Watch {
    told: Vec<u64>,
    kept: Vec<u64>,
}

impl LoadWatch for Watch {
    fn rejected(&mut self, line: u64, _: u64, _: &str) {
        self.told.push(line);
    }

    fn loaded(&mut self, _: u64) {
        self.kept.append(&mut self.told);
    }
}

const TABLES: [&str; 3] = ["user", "follow", "twit"];

/// Rows with different keys.
fn rows(random: &mut Rng, model: &Model, table: &'static str) -> Vec<Vec<Value>> {
    let row = |random: &mut Rng| columns(model, table).iter().map(|one| of(random, table, one)).collect();
    let mut only = Model::new(&workload());
    Statement::Insert(table, (0..20).map(|_| row(random)).collect()).on(&mut only);
    only.rows(table).clone()
}

async fn load_all(
    store: &dyn Store,
    writer: &Arc<Writer>,
    model: &Model,
    watch: &mut Watch,
) -> Result<(), tablesmith_access::AccessError> {
    for table in TABLES {
        let good = model.rows(table).clone().into_iter().enumerate();
        let good = good.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values }));
        let bad = Err(RowError::rejected(99, "it is bad"));
        let rows = Box::new(std::iter::once(bad).chain(good));
        let loaded = writer
            .load(store, LoadSource { table, file: "a file", rows }, LoadOptions::default(), watch)
            .await?;
        assert_eq!((loaded.rows, loaded.rejected), (model.rows(table).len() as u64, 1));
    }
    writer.load_joined(store, &TABLES.map(str::to_owned), LoadOptions::default(), watch).await?;
    Ok(())
}

#[tokio::test]
async fn a_load_that_dies_at_any_call_goes_on_with_nothing_lost_and_nothing_twice() {
    for run in 0..40 {
        let seed = seed() + 30_000 + run;
        let mut random = Rng::with_seed(seed);
        let design = design(&mut random);
        let store: Arc<dyn Store> = match random.usize(..2) {
            0 => Arc::new(memory()),
            _ => Arc::new(far(Arc::new(memory()))),
        };
        make(&*store, &design).await;
        let mut model = Model::new(&workload());
        for table in TABLES {
            let rows = rows(&mut random, &model, table);
            *model.rows_mut(table) = rows;
        }
        let reaction = match random.usize(..2) {
            0 => Reaction::FailBefore(Fault::Io),
            _ => Reaction::FailAfter(Fault::Io),
        };
        let turn = Turn::Nth(1 + random.usize(..40) as u64);
        let faulty = Wrapped::new(
            store.clone(),
            Faulty::new(seed, [Rule { condition: Condition::Always, turn, reaction }]),
        );
        let context = format!("seed {seed}, {turn:?} {reaction:?}\n{}", design.to_toml());
        // Each attempt is a program of its own, which knows nothing of the one before.
        let (mut first, mut second) = (Watch::default(), Watch::default());
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let died = load_all(&faulty, &writer, &model, &mut first).await.is_err();
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let again = load_all(&*store, &writer, &model, &mut second).await;
        again.unwrap_or_else(|error| panic!("{error}: {context}"));
        assert!(died || second.kept.is_empty(), "a file that is through is not read again: {context}");
        assert!(first.kept.len() + second.kept.len() >= TABLES.len(), "a rejected line is lost: {context}");
        assert_true(&*store, &writer, &model, &context).await;
        let found = repair(&*store, &writer, Repair::Look).await.unwrap();
        assert!(found.iter().all(|place| place.is_true()), "{found:?}: {context}");
    }
}

/// Whether rows of a table are found by its key: where they are numbered and are not, a second row with the same key is one
/// more row.
fn is_found_by_key(writer: &Writer, table: &str) -> bool {
    let workload = workload();
    let table = workload.table(table).unwrap();
    // A place without the text still says where a message lies.
    let columns = table.columns.iter().map(|column| column.name.clone());
    let fields: Vec<String> = columns.filter(|column| column != "text").collect();
    let example = |column: &str| match table.column(column).unwrap().value_type {
        tablesmith_model::value::ValueType::Int => Value::Int(1),
        _ => Value::String("a".to_owned()),
    };
    let condition = |column: &String| plan::Condition::new(column.clone(), Test::equals(example(column)));
    let conditions = || table.key.iter().map(condition).collect();
    let wanted = Wanted { fields, conditions: conditions(), ..Wanted::default() };
    let layouts = writer.layouts().map(|(layout, _)| layout);
    let mut plain = layouts.filter(|layout| layout.record().tables == [table.name.as_str()]).peekable();
    let is_numbered = plain.peek().is_some_and(|master| master.numbers_rows());
    !is_numbered || plain.any(|layout| layout.read(&wanted).is_ok_and(|read| !read.is_full_scan()))
}

/// Files whose keys come again, in the same one and in later ones.
fn files(random: &mut Rng, model: &mut Model, writer: &Writer) -> Vec<(&'static str, Vec<Vec<Value>>)> {
    let mut files = Vec::new();
    for turn in 0..3 {
        for table in TABLES {
            if turn > 0 && !is_found_by_key(writer, table) {
                continue;
            }
            let row = |random: &mut Rng| {
                columns(model, table).iter().map(|one| of(random, table, one)).collect::<Vec<Value>>()
            };
            let rows = match is_found_by_key(writer, table) {
                true => (0..random.usize(..12)).map(|_| row(random)).collect(),
                false => rows(random, model, table),
            };
            Statement::Insert(table, rows.clone()).on(model);
            files.push((table, rows));
        }
    }
    files
}

async fn load_files(
    store: &dyn Store,
    writer: &Arc<Writer>,
    files: &[(&'static str, Vec<Vec<Value>>)],
) -> Result<(), tablesmith_access::AccessError> {
    for (at, (table, rows)) in files.iter().enumerate() {
        let rows = rows.clone().into_iter().enumerate();
        let rows = rows.map(|(line, values)| Ok(SourceRow { line: line as u64, values }));
        let source = LoadSource { table, file: &at.to_string(), rows: Box::new(rows) };
        writer.load(store, source, LoadOptions::default(), &mut Watch::default()).await?;
        writer
            .load_joined(store, &[(*table).to_owned()], LoadOptions::default(), &mut Watch::default())
            .await?;
    }
    Ok(())
}

#[tokio::test]
async fn rows_that_are_loaded_take_the_place_of_those_with_their_key_in_all_copies() {
    for run in 0..150 {
        let seed = seed() + 40_000 + run;
        let mut random = Rng::with_seed(seed);
        let design = design(&mut random);
        let store: Arc<dyn Store> = match random.usize(..2) {
            0 => Arc::new(memory()),
            _ => Arc::new(far(Arc::new(memory()))),
        };
        make(&*store, &design).await;
        let mut model = Model::new(&workload());
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let files = files(&mut random, &mut model, &writer);
        let turn = Turn::Nth(1 + random.usize(..120) as u64);
        let reaction = match random.usize(..2) {
            0 => Reaction::FailBefore(Fault::Io),
            _ => Reaction::FailAfter(Fault::Io),
        };
        let faulty = Wrapped::new(
            store.clone(),
            Faulty::new(seed, [Rule { condition: Condition::Always, turn, reaction }]),
        );
        let context = format!("seed {seed}, {turn:?} {reaction:?}\n{files:?}\n{}", design.to_toml());
        let _ = load_files(&faulty, &writer, &files).await;
        let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
        let again = load_files(&*store, &writer, &files).await;
        again.unwrap_or_else(|error| panic!("{error}: {context}"));
        assert_true(&*store, &writer, &model, &context).await;
        let found = repair(&*store, &writer, Repair::Look).await.unwrap();
        assert!(found.iter().all(|place| place.is_true()), "{found:?}: {context}");
    }
}

#[tokio::test]
async fn a_key_that_comes_again_far_behind_in_a_file_is_replaced() {
    let text = "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'user'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'user'\nkey = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]\n\
        [[table]]\nname = 'by_age'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'user'\nkey = ['age', 'id']\ncells = [{ family = 'f', columns = ['name'] }]\n";
    let design = Design::parse_for(text, &workload()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Engine::open(EngineOptions::new(directory.path())).unwrap();
    make(&store, &design).await;
    let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
    let (different, in_all) = (9_000_i64, 10_000_i64);
    let rows = (0..in_all).map(move |line| {
        let name = if line % 3 == 0 { Value::Null } else { Value::String(format!("name {line}")) };
        let id = Value::String((line % different).to_string());
        Ok(SourceRow { line: line as u64, values: vec![id, name, Value::Int(line)] })
    });
    let source = LoadSource { table: "user", file: "a file", rows: Box::new(rows) };
    let loaded = writer.load(&store, source, LoadOptions::default(), &mut Watch::default()).await.unwrap();
    assert_eq!((loaded.rows, loaded.replaced), (in_all as u64, (in_all - different) as u64));
    let found = repair(&store, &writer, Repair::Look).await.unwrap();
    assert!(found.iter().all(|place| place.is_true()), "{found:?}");
    let layout = writer.layouts().next().unwrap().0;
    let there = super::world::all(&store, layout).await;
    assert_eq!(there.len() as i64, different);
    let has_no_old_name = |row: &Vec<Value>| match (&row[1], &row[2]) {
        (Value::Null, Value::Int(line)) => line % 3 == 0,
        (Value::String(name), Value::Int(line)) => *name == format!("name {line}"),
        _ => false,
    };
    assert!(there.iter().all(has_no_old_name));
}

/// A store with tables whose rows are users, each `(key and cells)`; the first is the master.
async fn users(places: &[&str]) -> (tablesmith_store_testing::memory::MemoryStore, Arc<Writer>) {
    let mut text = "version = 1\nworkload = 'workload.toml'\n".to_owned();
    for (at, place) in places.iter().enumerate() {
        text += &format!(
            "[[table]]\nname = 't{at}'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'user'\n{place}\n"
        );
    }
    let design = Design::parse_for(&text, &workload()).unwrap();
    let store = memory();
    make(&store, &design).await;
    (store, Arc::new(Writer::new(&workload(), &design).unwrap()))
}

/// Loads users, `id name age` each; what has no value is `-`.
async fn load_users(
    store: &dyn Store,
    writer: &Arc<Writer>,
    file: &str,
    users: &[&str],
) -> Result<(), String> {
    let value = |text: &str| if text == "-" { Value::Null } else { Value::String(text.to_owned()) };
    let row = |(at, text): (usize, &&str)| {
        let words: Vec<&str> = text.split(' ').collect();
        let age = words[2].parse().map_or(Value::Null, Value::Int);
        Ok(SourceRow { line: at as u64, values: vec![value(words[0]), value(words[1]), age] })
    };
    let rows: Vec<_> = users.iter().enumerate().map(row).collect();
    let source = LoadSource { table: "user", file, rows: Box::new(rows.into_iter()) };
    writer
        .load(store, source, LoadOptions::default(), &mut Watch::default())
        .await
        .map(drop)
        .map_err(|error| error.to_string())
}

/// The users that a place has.
async fn users_in(store: &dyn Store, writer: &Writer, at: usize) -> Vec<String> {
    let layout = writer.layouts().nth(at).unwrap().0;
    let text = |row: Vec<Value>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    super::world::all(store, layout).await.into_iter().map(text).collect()
}

#[tokio::test]
async fn a_row_is_found_through_a_copy_that_has_its_key() {
    let (store, writer) = users(&[
        "key = ['name']\ncells = [{ family = 'f', qualifier = 'id', value = 'age' }]",
        "key = ['id']\ncells = [{ family = 'f', columns = ['name'] }]",
    ])
    .await;
    load_users(&store, &writer, "a", &["a ann 1", "a rob 2", "b bob 3"]).await.unwrap();
    load_users(&store, &writer, "b", &["b bill 4", "c carl 5"]).await.unwrap();
    assert_eq!(users_in(&store, &writer, 0).await, ["a rob 2", "b bill 4", "c carl 5"]);
    assert_eq!(users_in(&store, &writer, 1).await, ["a rob", "b bill", "c carl"]);
}

#[tokio::test]
async fn rows_of_the_next_file_are_looked_for_only_when_their_key_came() {
    let (store, writer) = users(&[
        "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]",
        "key = ['name', 'id']\ncells = [{ family = 'f', columns = ['age'] }]",
    ])
    .await;
    let counted = Wrapped::new(Arc::new(store.clone()) as Arc<dyn Store>, Counting::default());
    let batches_of = async |file, users: &[&str]| {
        counted.intercept().take();
        load_users(&counted, &writer, file, users).await.unwrap();
        let counts = counted.intercept().take();
        counts.calls_of(OpKind::Batch) + counts.calls_of(OpKind::AtomicBatch)
    };
    let first = batches_of("a", &["a ann 1", "b bob 2"]).await;
    let new = batches_of("b", &["c carl 3", "d dora 4"]).await;
    let again = batches_of("c", &["e emil 5", "b bill 6"]).await;
    assert_eq!(new, first, "nothing is looked for");
    assert!(again > new, "{again}");
    assert_eq!(
        users_in(&store, &writer, 0).await,
        ["a ann 1", "b bill 6", "c carl 3", "d dora 4", "e emil 5"]
    );
}

#[tokio::test]
async fn rows_that_come_again_are_replaced_where_only_a_walk_finds_them() {
    let (store, writer) = users(&[
        "key = ['name', 'id']\ncells = [{ family = 'f', columns = ['age'] }]",
        "key = ['age', 'id']\ncells = [{ family = 'f', columns = [] }]",
    ])
    .await;
    load_users(&store, &writer, "a", &["a ann 1", "a ann -", "b bob 2"]).await.unwrap();
    load_users(&store, &writer, "b", &["b bob 3", "b rob 4"]).await.unwrap();
    assert_eq!(users_in(&store, &writer, 0).await, ["a ann NULL", "b rob 4"]);
    assert_eq!(users_in(&store, &writer, 1).await.len(), 2);
}

#[tokio::test]
async fn a_change_that_a_copy_refuses_changes_nothing() {
    let (store, writer) = users(&[
        "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]",
        "key = ['name', 'id']\ncells = [{ family = 'f', columns = ['age'], encoding = 'i32' }]",
    ])
    .await;
    load_users(&store, &writer, "a", &["a ann 1"]).await.unwrap();
    let set = [("age".to_owned(), tablesmith_access::SetTo::Value(Value::Int(5_000_000_000)))];
    assert!(writer.update(&store, "user", &set, &[]).await.unwrap_err().to_string().contains("i32"));
    let long = vec![Value::String("a".to_owned()), Value::String("x".repeat(40_000)), Value::Int(1)];
    assert!(writer.insert(&store, "user", vec![long]).await.unwrap_err().to_string().contains("32767"));
    assert_eq!(users_in(&store, &writer, 0).await, ["a ann 1"]);
    assert_eq!(users_in(&store, &writer, 1).await, ["a ann 1"]);
}

#[tokio::test]
async fn a_row_that_a_joined_copy_does_not_take_is_rejected() {
    let text = "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'user'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'user'\nkey = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]\n\
        [[table]]\nname = 'twit'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'twit'\nkey = ['id']\ncells = [{ family = 'f', columns = ['author', 'at', 'text'] }]\n\
        [[table]]\nname = 'by_name'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'twit'\njoin = ['twit.author']\nkey = ['user.name', 'id']\ncells = [{ family = 'f', columns = ['text'] }]\n";
    let design = Design::parse_for(text, &workload()).unwrap();
    let store = memory();
    make(&store, &design).await;
    let writer = Arc::new(Writer::new(&workload(), &design).unwrap());
    let long = "x".repeat(40_000);
    let users = [["a", "ann"], ["b", long.as_str()]].into_iter().enumerate().map(|(at, user)| {
        let values = user.map(|text| Value::String(text.to_owned())).into_iter().chain([Value::Int(1)]);
        Ok(SourceRow { line: at as u64 + 2, values: values.collect() })
    });
    let rows = Box::new(users.collect::<Vec<_>>().into_iter());
    let mut watch = Watch::default();
    let source = LoadSource { table: "user", file: "users", rows };
    let loaded = writer.load(&store, source, LoadOptions::default(), &mut watch).await.unwrap();
    assert_eq!((loaded.rows, loaded.rejected, watch.kept), (1, 1, vec![3]));
    let layout = writer.layouts().next().unwrap().0;
    assert_eq!(super::world::all(&store, layout).await.len(), 1, "no place has it");
}

#[tokio::test]
async fn rows_are_not_loaded_beside_copies_of_an_emptied_table() {
    let (store, writer) = users(&[
        "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]",
        "key = ['random(5)', 'name', 'id']\ncells = [{ family = 'f', columns = ['age'] }]",
    ])
    .await;
    load_users(&store, &writer, "a", &["a ann 1"]).await.unwrap();
    let master = "t0".parse().unwrap();
    store.disable_table(&master).await.unwrap();
    store.truncate_table(&master, false).await.unwrap();
    let error = load_users(&store, &writer, "b", &["a rob 1"]).await.unwrap_err();
    assert!(error.contains("t1 has rows, and t0, which they are copies of, has none"), "{error}");
    repair(&store, &writer, Repair::Mend).await.unwrap();
    load_users(&store, &writer, "b", &["a rob 1"]).await.unwrap();
    assert_eq!(users_in(&store, &writer, 1).await, ["a rob 1"]);
}
