//! A number that would leave the range of its type is refused, and nothing is changed.

use std::sync::Arc;

use tablesmith_access::Writer;
use tablesmith_access::answer::Database;
use tablesmith_model::design::Design;
use tablesmith_model::value::Value;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_store::Store;

use super::designs::workload;
use super::world::{all, make};
use crate::stores::{far, memory};

/// A counter that the store adds to, a text of digits, a cell with others, and a wide row.
const AGES: [&str; 4] = [
    "key = ['id']\ncells = [{ family = 'f', columns = ['name'] }, { family = 'f', columns = ['age'], encoding = 'i64' }]",
    "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'], encoding = 'text' }]",
    "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'], together = true }]",
    "key = ['const(\"u\")']\ncells = [{ family = 'f', qualifier = 'id', columns = ['age', 'name'], together = true }]",
];

fn user(id: &str, age: Value) -> Vec<Value> {
    vec![Value::String(id.to_owned()), Value::String("n".to_owned()), age]
}

async fn update(store: &dyn Store, database: &Database, sql: &str) -> Result<u64, String> {
    let asked = PreparedStatement::new(sql, database.workload(), Dialect::Generic)
        .unwrap()
        .bind(&Parameters::none())
        .unwrap();
    let Statement::Update(update) = &asked else { panic!("{sql}") };
    database.update(store, update).await.map(|written| written.rows).map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_sum_beyond_the_largest_integer_is_refused_and_changes_nothing() {
    for (ages, is_atomic) in AGES.iter().flat_map(|ages| [(ages, true), (ages, false)]) {
        let store: Arc<dyn Store> =
            if is_atomic { Arc::new(memory()) } else { Arc::new(far(Arc::new(memory()))) };
        let text = format!(
            "version = 1\n[[table]]\nname = 'user'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'user'\n{ages}\n"
        );
        let design = Design::parse_for(&text, &workload()).unwrap();
        make(&*store, &design).await;
        let writer = Writer::new(&workload(), &design).unwrap();
        let database = Database::new(Arc::new(workload()), &design).unwrap();
        let rows = vec![
            user("high", Value::Int(i64::MAX)),
            user("low", Value::Int(i64::MIN)),
            user("mid", Value::Int(5)),
            user("none", Value::Null),
        ];
        writer.insert(&*store, "user", rows.clone()).await.unwrap();
        let layout = writer.layouts().next().unwrap().0;
        for (sql, key, value) in [
            ("UPDATE user SET age = age + 1 WHERE id = 'high'", "high", i64::MAX),
            ("UPDATE user SET age = age - 1 WHERE id = 'low'", "low", i64::MIN),
            ("UPDATE user SET age = age + 9223372036854775807 WHERE id = 'mid'", "mid", 5),
            ("UPDATE user SET age = age + 1", "high", i64::MAX),
            ("UPDATE user SET age = age - 1 WHERE name = 'n'", "low", i64::MIN),
            // Rows that have to be found first, and a second column.
            ("UPDATE user SET age = age + 1, name = 'x' WHERE id = 'mid' OR id = 'high'", "high", i64::MAX),
        ] {
            let error = update(&*store, &database, sql).await.unwrap_err();
            for part in ["\"age\"", key, &value.to_string(), "out of the range", "no row was changed"] {
                assert!(error.contains(part), "{sql} on {ages}: {error}");
            }
            assert_eq!(all(&*store, layout).await, rows, "{sql} on {ages}");
        }
        for (sql, changed) in [
            ("UPDATE user SET age = age - 1 WHERE id = 'high'", 1),
            ("UPDATE user SET age = age + 1 WHERE id = 'high'", 1),
            ("UPDATE user SET age = age + 0 WHERE id = 'low'", 1),
            ("UPDATE user SET age = age - 9223372036854775807 WHERE id = 'mid'", 1),
            ("UPDATE user SET age = age + 1 WHERE id = 'nobody'", 0),
        ] {
            assert_eq!(update(&*store, &database, sql).await, Ok(changed), "{sql} on {ages}");
        }
        let there = all(&*store, layout).await;
        assert_eq!(there[0], rows[0]);
        assert_eq!(there[2][2], Value::Int(5 - i64::MAX));
    }
}

/// The rows are found in several groups, by the first column of their key, and only one row of the last is refused.
#[tokio::test]
async fn a_refused_row_leaves_rows_of_other_groups_as_they_were() {
    let text = "version = 1\n[[table]]\nname = 'follow'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'follow'\n\
        key = ['follower', 'followed']\ncells = [{ family = 'f', columns = ['since'] }]\n";
    let design = Design::parse_for(text, &workload()).unwrap();
    let store = memory();
    make(&store, &design).await;
    let writer = Writer::new(&workload(), &design).unwrap();
    let database = Database::new(Arc::new(workload()), &design).unwrap();
    let edge =
        |one: &str, since| vec![Value::String(one.into()), Value::String("x".into()), Value::Int(since)];
    let rows = vec![edge("a", 1), edge("b", 2), edge("c", i64::MAX)];
    writer.insert(&store, "follow", rows.clone()).await.unwrap();
    let sql = "UPDATE follow SET since = since + 1 WHERE follower = 'a' OR since > 1";
    let error = update(&store, &database, sql).await.unwrap_err();
    assert!(error.contains("with the key c, x") && error.contains("no row was changed"), "{error}");
    assert_eq!(all(&store, writer.layouts().next().unwrap().0).await, rows);
}
