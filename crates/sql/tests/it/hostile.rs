//! No text may overflow the stack, take long, or panic.

use tablesmith_sql::{Dialect, declared, inserted, parameters, resolve, template};

use crate::shape::catalog;

const DIALECTS: [Dialect; 3] = [Dialect::Generic, Dialect::Postgres, Dialect::MySql];

fn survives(sql: &str) {
    for dialect in DIALECTS {
        // Any answer will do; what takes exponential time does not come back.
        drop(resolve(sql, &catalog(), dialect));
        let folded = template(sql, dialect);
        assert_eq!(template(&folded, dialect), folded, "a template folds to itself: {sql:.200}");
        parameters(sql, dialect);
        drop(declared(sql, dialect));
        drop(declared(&sql.replacen("SELECT", "CREATE TABLE t (a int CHECK (", 1), dialect));
        inserted(sql.as_bytes(), dialect, &mut |_, _| {});
        inserted(format!("INSERT INTO t VALUES ({sql}").as_bytes(), dialect, &mut |_, _| {});
    }
}

#[test]
fn deep_nesting_is_survived() {
    for deep in [30, 45, 1_000, 30_000] {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("CASE WHEN ", " END"),
            ("f(", ")"),
            ("(SELECT ", ")"),
            ("- ", ""),
            ("NOT ", ""),
        ] {
            survives(&format!("SELECT {}id{} FROM users", open.repeat(deep), close.repeat(deep)));
            survives(&format!(
                "SELECT id FROM users WHERE {}id{} = 1",
                open.repeat(deep),
                close.repeat(deep)
            ));
            survives(&format!("SELECT id FROM {}users{}", open.repeat(deep), close.repeat(deep)));
            survives(&open.repeat(deep));
        }
        survives(&format!(
            "SELECT id FROM users WHERE id IN {}",
            "(SELECT id FROM users WHERE id IN ".repeat(deep)
        ));
        survives(&"SELECT * FROM (".repeat(deep));
    }
}

#[test]
fn very_deep_parentheses_are_survived() {
    survives(&format!("SELECT id FROM users WHERE {}", "(".repeat(100_000)));
}

#[test]
fn long_chains_are_survived() {
    for long in [1_000, 10_000, 100_000] {
        survives(&format!("SELECT id{} FROM users", " + age".repeat(long)));
        survives(&format!("SELECT id FROM users WHERE id = 1{}", " AND age = 2".repeat(long)));
        survives(&format!("SELECT id FROM users WHERE id = 1{}", " OR age = 2 AND name = 'x'".repeat(long)));
        survives(&format!("SELECT id FROM users{}", " UNION ALL SELECT id FROM users".repeat(long / 10)));
        survives(&format!("SELECT id FROM users u{}", " JOIN users ON 1 = 1".repeat(long / 10)));
        survives(&format!("SELECT {}", "a.".repeat(long)));
        survives(&"'".repeat(long));
        survives(&"/*".repeat(long));
        survives(&"$a".repeat(long));
    }
}
