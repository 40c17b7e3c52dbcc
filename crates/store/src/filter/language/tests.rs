//! The language as a whole: what HBase's own parser answered, random filters there and back, and random texts.

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_model::bytes_text::{from_text, to_text};

use super::{ParseError, Problem, parse, print};
use crate::filter::eval::{FilterRun, MAX_DEPTH};
use crate::filter::testing::generate::{self, many, pick};
use crate::filter::{ColumnCondition, Comparator, CompareOp, Filter, ListOp};

fn equal(value: &'static str) -> (CompareOp, Comparator) {
    (CompareOp::Equal, Comparator::Binary(value.into()))
}

#[test]
fn operators_bind_as_in_hbase() {
    let page = |rows| Filter::Page(rows);
    let both = Filter::List(ListOp::All, vec![page(2), page(3)]);
    let expected = Filter::List(ListOp::One, vec![page(1), both.clone(), page(4)]);
    let text = b"PageFilter(1) OR PageFilter(2) AND PageFilter(3) OR PageFilter(4)";
    assert_eq!(parse(text), Ok(expected));
    let skip = |filter| Filter::Skip(Box::new(filter));
    assert_eq!(
        parse(b"SKIP PageFilter(2) AND PageFilter(3)"),
        Ok(Filter::List(ListOp::All, vec![skip(page(2)), page(3)]))
    );
    assert_eq!(parse(b"SKIP (PageFilter(2) AND PageFilter(3))"), Ok(skip(both)));
}

#[test]
fn quotes_are_doubled_and_bytes_stand_for_themselves() {
    assert_eq!(parse(b"PrefixFilter('it''s')"), Ok(Filter::Prefix("it's".into())));
    assert_eq!(parse(b"PrefixFilter('''')"), Ok(Filter::Prefix("'".into())));
    assert_eq!(parse(b"PrefixFilter('')"), Ok(Filter::Prefix(Bytes::new())));
    assert_eq!(
        parse(b"PrefixFilter('a)\xff\\x00(')"),
        Ok(Filter::Prefix(Bytes::from_static(b"a)\xff\\x00(")))
    );
}

#[test]
fn conditions_have_four_or_six_arguments() {
    let (op, comparator) = equal("x");
    let condition = ColumnCondition {
        family: "f".into(),
        qualifier: "q".into(),
        op,
        comparator,
        filter_if_missing: false,
        latest_version_only: true,
    };
    let short = parse(b"SingleColumnValueFilter('f','q',=,'binary:x')");
    assert_eq!(short, Ok(Filter::SingleColumnValue(condition.clone())));
    let long = parse(b"SingleColumnValueExcludeFilter ( 'f' , 'q' , = , 'binary:x' , TRUE , false )");
    let other = ColumnCondition { filter_if_missing: true, latest_version_only: false, ..condition };
    assert_eq!(long, Ok(Filter::SingleColumnValueExclude(other)));
}

fn error(text: &str) -> ParseError {
    parse(text.as_bytes()).unwrap_err()
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(
        error("PageFilter(1) OR").to_string(),
        "expected a closing parenthesis after the arguments of a filter, found the end (at byte 16 of the filter)"
    );
    assert_eq!(
        error("PageFilter('1')").to_string(),
        "expected a whole number without quotes, found '1' (at byte 11 of the filter)"
    );
    assert_eq!(error("(Foo())").problem, Problem::UnknownFilter { name: "Foo".to_owned() });
    assert_eq!(error("(Foo())").offset, 1);
    assert_eq!(error("PageFilter(1) PageFilter(1)").problem, Problem::NoOperatorBetween);
    assert_eq!(
        error("PageFilter(1) AND ").problem,
        Problem::OperandMissing { operator: "AND", needed: "a filter on both sides" }
    );
    assert_eq!(error("ValueFilter(<, 'substring:a')").problem, Problem::OperatorForText);
    assert_eq!(error("ValueFilter(=, 'regexstring:(')").offset, 0);
    assert_eq!(error("SKIP SKIP PageFilter(1))").exception(), "EmptyStackException");
    assert_eq!(error("").exception(), "IllegalArgumentException");
}

/// `text <tab> what HBase's parser made of it`: an exception, or a filter, here as it prints.
#[test]
fn texts_mean_what_hbase_takes_them_for() {
    let mut count = 0;
    for line in include_str!("recorded.txt").lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').unwrap();
        let found = match parse(&from_text(text.as_bytes())) {
            Ok(filter) => to_text(&print(&filter).unwrap()),
            Err(error) => error.exception().to_owned(),
        };
        assert_eq!(found, expected, "{text}");
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn what_is_printed_reads_back() {
    const SEED: u64 = 0x70_72_69_6e_74;
    println!("seed {SEED}");
    let mut random = Rng::with_seed(SEED);
    let mut count = 0;
    for _ in 0..20_000 {
        let depth = random.usize(..5);
        let filter = generate::filter(&mut random, depth);
        let Ok(text) = print(&filter) else {
            assert!(FilterRun::new(&filter, false).is_err(), "{filter:?}");
            continue;
        };
        assert_eq!(parse(&text), Ok(filter), "{}", to_text(&text));
        count += 1;
    }
    assert!(count > 19_000, "{count}");
    for chance in [0.0, 0.25, -1.0, 1e-20, f32::INFINITY] {
        let filter = Filter::RandomRow(chance);
        assert_eq!(parse(&print(&filter).unwrap()), Ok(filter));
    }
}

#[test]
fn depth_is_limited() {
    let text = |depth: usize| ["SKIP "].repeat(depth).concat() + "PageFilter(1)";
    let deepest = parse(text(MAX_DEPTH - 1).as_bytes()).unwrap();
    assert_eq!(parse(&print(&deepest).unwrap()), Ok(deepest));
    assert!(parse(text(MAX_DEPTH).as_bytes()).is_err());
    assert!(parse(text(200_000).as_bytes()).is_err());
    assert!(parse(&[b'('].repeat(200_000)).is_err());
}

/// Pieces of the language that are put together at random.
const PIECES: [&str; 40] = [
    "(",
    ")",
    " ",
    "\t",
    ",",
    "'",
    "''",
    " AND ",
    " OR ",
    "SKIP ",
    "WHILE ",
    "ALL ",
    "ONE ",
    "PrefixFilter(",
    "'a'",
    "PageFilter(5)",
    "KeyOnlyFilter()",
    "ValueFilter(",
    "=",
    "<",
    "LESS",
    "'binary:a'",
    "'regexstring:a*",
    "'substring:A'",
    "'long:5'",
    "-1",
    "99999999999999999999",
    "true",
    "FuzzyRowFilter(",
    "'\0\x01'",
    "MultiRowRangeFilter(",
    "'', true, 'a', false",
    "SingleColumnValueFilter('f','q',=,'binary:x'",
    "TimestampsFilter(",
    "ColumnRangeFilter(EMPTY, true",
    "FilterList(ALL)",
    "RandomRowFilter(0.5)",
    "ColumnPaginationFilter(1",
    "\u{e4}",
    "DependentColumnFilter('f', 'q', false, >, 'null:')",
];

fn mutated(random: &mut Rng, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.usize(..4) {
        let at = random.usize(..text.len() + 1);
        let end = (at + random.usize(..8)).min(text.len());
        match random.usize(..3) {
            0 => text.insert(at, random.u8(..)),
            1 => drop(text.drain(at..end)),
            _ => drop(text.splice(at..end, pick(random, &PIECES).bytes())),
        }
    }
    text
}

#[test]
fn no_text_makes_the_parser_panic() {
    const SEED: u64 = 0x66_75_7a_7a;
    println!("seed {SEED}");
    let mut random = Rng::with_seed(SEED);
    let mut accepted = 0;
    for round in 0..210_000 {
        let text = match round % 3 {
            0 => {
                let count = random.usize(..30);
                many(&mut random, count, |random| random.u8(..))
            }
            1 => {
                let count = random.usize(..10);
                many(&mut random, count, |random| pick(random, &PIECES)).concat().into_bytes()
            }
            _ => {
                let depth = random.usize(..3);
                let filter = generate::filter(&mut random, depth);
                let text = print(&filter).unwrap_or_default();
                mutated(&mut random, text)
            }
        };
        if let Ok(filter) = parse(&text) {
            assert!(FilterRun::new(&filter, false).is_ok(), "{}", to_text(&text));
            accepted += 1;
        }
    }
    assert!(accepted > 10_000, "{accepted}");
}
