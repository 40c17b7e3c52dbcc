//! What is written can be read by people, and is read back as the same values.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::super::*;
use super::*;
use crate::design::ColumnOf;
use crate::value::ValueType;

#[test]
fn the_file_explains_itself_once() {
    let mut table = Table { name: "follow".into(), rows: Some(4_000_000), ..Table::default() };
    table.columns = vec![
        Column::new("id", ValueType::Int).with_bytes(8.0),
        Column { nulls: Some(0.25), monotone: true, ..Column::new("made at", ValueType::Timestamp) },
    ];
    let other = Table { name: "other".into(), ..table.clone() };
    let queries = vec![Query::sql("one", "SELECT 1", 0.5)];
    let text = Workload { tables: vec![table, other], queries, ..Workload::default() }.to_toml();
    assert!(text.contains("rows = 4_000_000\n"), "{text}");
    assert!(text.contains("\nid        = { type = \"int\", bytes = 8 }\n"), "{text}");
    assert!(
        text.contains("\n\"made at\" = { type = \"timestamp\", nulls = 0.25, monotone = true }\n"),
        "{text}"
    );
    assert!(text.contains("\nsql = \"SELECT 1\"\nrate = 0.5\n"), "{text}");
    assert_eq!(text.matches(ABOUT_COLUMNS).count(), 1, "{text}");
}

/// Names that need quotes, escapes or nothing.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{1,8}", "[a-zäß \"'\\\\\n\t.#=\u{1}]{1,8}x", "\u{1F600}[0-9]{0,3}"]
}

fn unique_names(size: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::btree_set(name(), size)
        .prop_map(|names| names.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.0..1.0]
}

fn magnitude() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        (0u32..5_000_000).prop_map(f64::from),
        0.0..1e18,
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE)
    ]
}

fn column(name: String) -> impl Strategy<Value = Column> {
    let heavy = ("[ -~\n]{0,6}", share()).prop_map(|(value, share)| Heavy { value, share });
    let types = select(ValueType::ALL.to_vec());
    let counts = (option::of(0..=i64::MAX as u64), option::of(magnitude()), option::of(share()));
    let ends = types.prop_flat_map(|value_type| {
        (Just(value_type), option::of(end(value_type, 0)), option::of(end(value_type, 1)))
    });
    (ends, counts, any::<bool>(), vec(heavy, 0..3)).prop_map(
        move |((value_type, min, max), (distinct, bytes, nulls), monotone, heavy)| Column {
            name: name.clone(),
            value_type,
            distinct,
            bytes,
            nulls,
            min,
            max,
            monotone,
            heavy,
        },
    )
}

/// Texts of a type, of which those of a higher `place` are greater.
fn end(value_type: ValueType, place: u8) -> BoxedStrategy<String> {
    let number = (0..100u32).prop_map(move |number| number + 100 * u32::from(place));
    match value_type {
        ValueType::String | ValueType::Bytes => {
            "[ -Z\n]{0,5}".prop_map(move |rest| format!("{}{rest}", char::from(b'a' + place))).boxed()
        }
        ValueType::Bool => Just((place == 1).to_string()).boxed(),
        ValueType::Int => number.prop_map(|number| number.to_string()).boxed(),
        ValueType::Float | ValueType::Decimal => number.prop_map(|number| format!("{number}.50")).boxed(),
        ValueType::Date => number.prop_map(|number| format!("{}-02-28", 1900 + number)).boxed(),
        ValueType::Timestamp => {
            number.prop_map(|number| format!("{}-02-28T10:00:00Z", 1900 + number)).boxed()
        }
    }
}

fn table(name: String) -> impl Strategy<Value = Table> {
    unique_names(1..6).prop_flat_map(move |names| {
        let name = name.clone();
        let columns: Vec<_> = names.iter().cloned().map(column).collect();
        let some = || subsequence(names.clone(), 0..=names.len()).prop_shuffle();
        let all = names.clone();
        let time = option::of((select(names.clone()), some(), select(SequenceKind::ALL.to_vec())));
        let facts = (option::of("[a-z/.]{1,9}"), option::of(0..=i64::MAX as u64), option::of(0u64..1 << 40));
        (columns, some(), some(), time, facts, any::<bool>()).prop_map(
            move |(columns, key, family, time, (data, rows, retention), has_families)| {
                with_time(
                    time,
                    Table {
                        name: name.clone(),
                        called: data.as_ref().map(|data| format!("public.{data}")),
                        data,
                        rows,
                        key,
                        retention: retention.map(Duration::from_millis),
                        columns,
                        references: Vec::new(),
                        time: None,
                        families: if has_families {
                            vec![
                                Family { name: "all".into(), columns: all.clone() },
                                Family { name: "f 2".into(), columns: family },
                            ]
                        } else {
                            Vec::new()
                        },
                    },
                )
            },
        )
    })
}

/// The same over time, where its columns allow that.
fn with_time(time: Option<(String, Vec<String>, SequenceKind)>, mut table: Table) -> Table {
    let orders = |value_type| matches!(value_type, ValueType::Timestamp | ValueType::Date | ValueType::Int);
    table.time = time.and_then(|(column, mut entity, kind)| {
        entity.retain(|name| *name != column);
        let is_fine = table.column(&column).is_some_and(|column| orders(column.value_type));
        (is_fine && !entity.is_empty()).then_some(Sequence { column, entity, kind })
    });
    table
}

fn query(name: String, tables: Vec<Table>) -> impl Strategy<Value = Query> {
    let sql = "[ -~\n]{0,20}x".prop_map(Asks::Sql).boxed();
    let asks = if tables.is_empty() {
        sql
    } else {
        let touched = select(tables).prop_flat_map(|table| {
            let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
            let some = || subsequence(names.clone(), 0..=names.len());
            let access = option::of(select(Access::ALL.to_vec()));
            (some(), some(), access).prop_map(move |(reads, writes, access)| {
                Asks::Columns(Touched { table: table.name.clone(), reads, writes, access })
            })
        });
        prop_oneof![sql, touched].boxed()
    };
    let wishes = (option::of(magnitude()), any::<[bool; 3]>())
        .prop_map(|(max_ms, [one_call, atomic, fresh])| Wishes { max_ms, one_call, atomic, fresh });
    (asks, option::of(0..=i64::MAX as u64), magnitude(), wishes)
        .prop_map(move |(asks, rows, rate, wishes)| Query { name: name.clone(), asks, rows, rate, wishes })
}

/// References between all tables whose names have no dot: the file has no way to write others.
fn with_references(mut tables: Vec<Table>) -> Vec<Table> {
    let targets: Vec<(String, String)> =
        tables.iter().map(|table| (table.name.clone(), table.columns[0].name.clone())).collect();
    for (table, (target_table, target)) in tables.iter_mut().zip(targets.into_iter().rev()) {
        if !target_table.contains('.') {
            let column = table.columns[0].name.clone();
            table.references = vec![Reference { column, table: target_table, target }];
        }
    }
    tables
}

/// A join of the first columns of the first two tables.
fn joins(tables: &[Table]) -> Vec<Join> {
    let side = |table: &Table| {
        let column = table.columns.first()?;
        (!table.name.contains('.')).then(|| ColumnOf::new(&table.name, &column.name))
    };
    match tables {
        [one, other, ..] => {
            let join = |(one, other)| Join { one, other, rows: 7_000 };
            side(one).zip(side(other)).map(join).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn any_workload() -> impl Strategy<Value = Workload> {
    let tables = unique_names(0..4)
        .prop_flat_map(|names| names.into_iter().map(table).collect::<Vec<_>>())
        .prop_map(with_references);
    let parts = (tables, unique_names(0..4), option::of(1..u32::MAX), option::of(name()));
    parts.prop_flat_map(|(tables, names, region_servers, path)| {
        let queries: Vec<_> = names.into_iter().map(|name| query(name, tables.clone())).collect();
        queries.prop_map(move |queries| Workload {
            version: VERSION,
            cluster: Cluster { region_servers },
            joins: joins(&tables),
            tables: tables.clone(),
            queries,
            log: path.clone().map(|path| Log { path, split: Split::default() }),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn what_is_written_is_read_back(workload in any_workload()) {
        let text = workload.to_toml();
        match Workload::parse(&text) {
            Ok(read) => prop_assert_eq!(read, workload, "{}", text),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[\\[\\]a-z =\"{},.0-9\n]{0,80}", cut in 0usize..2000) {
        let _ = Workload::parse(&text);
        let whole = Workload { log: Some(Log { path: text, split: Split::default() }), ..Workload::default() }.to_toml();
        let _ = Workload::parse(whole.get(..cut.min(whole.len())).unwrap_or_default());
    }
}
