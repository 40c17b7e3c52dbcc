//! Random statements and random damage: templates bring the same together and keep what differs apart.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tablesmith_sql::{Dialect, parameters, resolve, template};

use crate::shape::catalog;

const SEED: u64 = 5;

fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    println!("seed {SEED}");
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&SEED.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    runner.run(&strategy, test).unwrap();
}

/// A piece of a statement: fixed words, a name, or a literal.
#[derive(Debug, Clone)]
enum Piece {
    Keyword(&'static str),
    Symbol(&'static str),
    Name(String),
    Literal,
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,6}",
        "-[0-9]{1,3}\\.[0-9]{1,2}",
        "[0-9]e-[0-9]",
        "'[a-z ();,?-]{0,12}'",
        "'[a-z]{0,3}''[a-z]{0,3}'",
        Just("NULL".to_owned()),
        Just("$1".to_owned()),
        Just("?".to_owned()),
        Just("E'a\\'b'".to_owned()),
        Just("DATE '2020-01-02'".to_owned()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    "(users|orders|\"Odd Name\"|`key`|[a-z]{2}_[a-z0-9]{1,5})"
}

/// `SELECT names FROM name WHERE name = literal AND … ORDER BY name LIMIT literal` in pieces.
fn statement() -> impl Strategy<Value = Vec<Piece>> {
    let columns = prop::collection::vec(name(), 1..5);
    let conditions = prop::collection::vec((name(), 0..4_usize, 1..4_usize), 0..4);
    (columns, name(), conditions, prop::option::of(name()), any::<bool>()).prop_map(
        |(columns, table, conditions, order, limit)| {
            use Piece::{Keyword, Literal, Name, Symbol};
            let mut pieces = vec![Keyword("select")];
            for (at, column) in columns.into_iter().enumerate() {
                pieces.extend((at > 0).then_some(Symbol(",")));
                pieces.push(Name(column));
            }
            pieces.extend([Keyword("from"), Name(table)]);
            for (at, (column, kind, count)) in conditions.into_iter().enumerate() {
                pieces.push(Keyword(if at == 0 { "where" } else { "and" }));
                pieces.push(Name(column));
                match kind {
                    0 => pieces.extend([Symbol("="), Literal]),
                    1 => pieces.extend([Symbol(">="), Literal]),
                    2 => pieces.extend([Keyword("between"), Literal, Keyword("and"), Literal]),
                    _ => {
                        pieces.extend([Keyword("in"), Symbol("(")]);
                        (0..count).for_each(|at| {
                            pieces.extend((at > 0).then_some(Symbol(",")).into_iter().chain([Literal]))
                        });
                        pieces.push(Symbol(")"));
                    }
                }
            }
            if let Some(order) = order {
                pieces.extend([Keyword("order"), Keyword("by"), Name(order), Keyword("desc")]);
            }
            if limit {
                pieces.extend([Keyword("limit"), Literal]);
            }
            pieces
        },
    )
}

/// How a statement is written out: literals, spaces between pieces, capitals.
type Writing = (Vec<String>, Vec<usize>, Vec<bool>);

fn writing() -> impl Strategy<Value = Writing> {
    (
        prop::collection::vec(literal(), 16),
        prop::collection::vec(0..5_usize, 16),
        prop::collection::vec(any::<bool>(), 16),
    )
}

/// The text of the pieces, and the literals in it.
fn write(pieces: &[Piece], (literals, spaces, capitals): &Writing) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut used = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        text.push_str([" ", "  ", "\n", "\t/* note; it's */ ", " -- note '\r\n"][spaces[at % spaces.len()]]);
        match piece {
            Piece::Keyword(word) if capitals[at % capitals.len()] => text.push_str(&word.to_uppercase()),
            Piece::Keyword(word) => text.push_str(word),
            Piece::Symbol(symbol) => text.push_str(symbol),
            Piece::Name(name) => text.push_str(name),
            Piece::Literal => {
                let literal = &literals[at % literals.len()];
                text.push_str(literal);
                used.push(literal.clone());
            }
        }
    }
    (text, used)
}

#[test]
fn statements_that_differ_in_values_spaces_and_capitals_have_one_template() {
    check(1_000, (statement(), writing(), writing()), |(pieces, first, second)| {
        let (first, literals) = write(&pieces, &first);
        let (second, _) = write(&pieces, &second);
        let folded = template(&first, Dialect::Generic);
        prop_assert_eq!(&folded, &template(&second, Dialect::Generic), "{}\n{}", first, second);
        prop_assert_eq!(&folded, &template(&folded, Dialect::Generic));
        prop_assert_eq!(parameters(&first, Dialect::Generic), literals, "{}", first);
        Ok(())
    });
}

#[test]
fn another_name_gives_another_template() {
    check(1_000, (statement(), any::<prop::sample::Index>(), writing()), |(pieces, at, writing)| {
        let names: Vec<usize> = pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| matches!(piece, Piece::Name(_)))
            .map(|(at, _)| at)
            .collect();
        let mut other = pieces.clone();
        other[names[at.index(names.len())]] = Piece::Name("another".to_owned());
        let (text, _) = write(&pieces, &writing);
        let (changed, _) = write(&other, &writing);
        prop_assert_ne!(template(&text, Dialect::Generic), template(&changed, Dialect::Generic), "{}", text);
        Ok(())
    });
}

/// Statements of many shapes, to be damaged.
const VALID: &[&str] = &[
    "WITH RECURSIVE t(a) AS (SELECT id FROM users UNION SELECT a + 1 FROM t) SELECT * FROM t WHERE a IN (1, 2, 3)",
    "SELECT u.name, count(*) FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY 1 HAVING count(*) > 3 ORDER BY 2 LIMIT 5",
    "INSERT INTO users (id, name) VALUES (1, 'it''s'), (2, E'\\'') ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING *",
    "UPDATE orders SET status = CASE WHEN total > 1.5e3 THEN 'a' ELSE $tag$b$tag$ END FROM users WHERE users.id = user_id",
    "DELETE FROM items USING orders WHERE order_id = orders.id AND price BETWEEN -1 AND 2 /* why */ -- so",
    "SELECT rank() OVER (PARTITION BY user_id ORDER BY total DESC), a[1], x::date, \"Odd\" FROM orders, LATERAL (SELECT 1) z",
    "MERGE INTO users u USING orders o ON u.id = o.user_id WHEN MATCHED THEN UPDATE SET age = o.total",
];

#[test]
fn damaged_statements_are_survived() {
    let change = (any::<prop::sample::Index>(), 0..6_usize, any::<prop::sample::Index>());
    let changes = prop::collection::vec(change, 1..6);
    let dialect = prop::sample::select(vec![Dialect::Generic, Dialect::Postgres, Dialect::MySql]);
    check(6_000, (prop::sample::select(VALID.to_vec()), changes, dialect), |(sql, changes, dialect)| {
        let mut bytes = sql.as_bytes().to_vec();
        for (at, kind, other) in changes {
            let (at, other) = (at.index(bytes.len().max(1)), other.index(256));
            let another = other % bytes.len().max(1);
            match kind {
                _ if bytes.is_empty() => bytes.push(b'x'),
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, other as u8),
                2 => bytes.truncate(at),
                3 => bytes[at] = b"'\"`;()$\\-/*,.?:[{"[other % 17],
                4 => bytes.extend_from_within(at..),
                _ => bytes.swap(at, another),
            }
            if bytes.is_empty() {
                bytes.push(b' ');
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        drop(resolve(&text, &catalog(), dialect));
        parameters(&text, dialect);
        let folded = template(&text, dialect);
        prop_assert_eq!(template(&folded, dialect), folded.clone(), "a template folds to itself: {}", text);
        Ok(())
    });
}
