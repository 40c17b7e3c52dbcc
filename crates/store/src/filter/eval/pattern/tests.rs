//! Patterns as a whole: what Java answered, and random patterns.

use fastrand::Rng;
use tablesmith_model::bytes_text::from_text;

use super::Pattern;
use crate::filter::testing::generate::{many, pick};

fn found(pattern: &str, text: &str) -> bool {
    Pattern::new(pattern, false).unwrap().is_found_in(text)
}

#[test]
fn a_pattern_is_found_anywhere() {
    assert!(found("b+", "abba") && !found("^b", "abba") && found("a$", "abba") && found("a.b", "a\nb"));
    assert!(found("", "") && found("x*", "abc"));
}

#[test]
fn the_end_is_also_before_a_last_line_end() {
    assert!(
        found("a$", "a\n") && found("a$", "a\r\n") && found(r"a\Z", "a\u{2028}") && !found(r"a\z", "a\n")
    );
    assert!(!found("a$", "a\n\n") && found("(?m)a$", "a\nb") && !found("\r$", "a\r\n"));
}

#[test]
fn looking_around_and_back() {
    assert!(
        found("^(?!ab)a", "ac")
            && !found("^(?!ab)a", "ab")
            && found("(?<=a)b", "ab")
            && !found("(?<!a)b", "ab")
    );
    assert!(found(r"(.)\1", "abba") && !found(r"^(.)\1", "abba") && found(r"(?<x>a|b)\k<x>", "bb"));
    assert!(!found("a++a", "aaa") && !found("(?>a*)a", "aaa") && found("a+?a", "aa"));
}

#[test]
fn classes_are_ascii_unless_said_otherwise() {
    assert!(
        !found(r"\w", "ä") && !found(r"\d", "\u{660}") && found(r"\p{L}", "ä") && found(r"\p{IsGreek}", "α")
    );
    assert!(found("[a-z&&[^b]]", "c") && !found("[a-z&&[^b]]", "b") && found("[]a]", "]"));
    let any_case = Pattern::new("ä[a-c]x", true).unwrap();
    assert!(any_case.is_found_in("äBX") && !any_case.is_found_in("Äbx"));
}

#[test]
fn what_is_no_pattern_is_refused() {
    for pattern in [
        "(",
        ")",
        "[",
        "*",
        "a**",
        "a{2",
        "a{2,1}",
        "a{",
        "[b-a]",
        r"\",
        r"\y",
        r"\p{Foo}",
        "(?<a>x)(?<a>y)",
        "(?Q)",
    ] {
        assert!(Pattern::new(pattern, false).is_err(), "{pattern}");
    }
    let deep = "(".repeat(100_000);
    assert!(Pattern::new(&deep, false).is_err());
    assert!(Pattern::new("(a{1000}){1000}", false).is_err());
}

/// `pattern <tab> in any case <tab> answers <tab> texts…`; the answers are a 0 or 1 for each text, or an exception.
#[test]
fn patterns_answer_as_javas_do() {
    let mut count = 0;
    for line in include_str!("recorded.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut next = || String::from_utf8(from_text(fields.next().unwrap().as_bytes())).unwrap();
        let (pattern, ignore_case, expected) = (next(), next() == "true", next());
        let texts = fields.map(|text| String::from_utf8(from_text(text.as_bytes())).unwrap());
        let found = match Pattern::new(&pattern, ignore_case) {
            Ok(pattern) => texts.map(|text| if pattern.is_found_in(&text) { '1' } else { '0' }).collect(),
            Err(_) => "PatternSyntaxException".to_owned(),
        };
        assert_eq!(found, expected, "{pattern}");
        count += 1;
    }
    assert!(count >= 100, "{count}");
}

#[test]
fn no_pattern_makes_it_panic() {
    const SEED: u64 = 0x72_65_67_65_78;
    const PIECES: [&str; 44] = [
        "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", ".", "a", "b", "-", "&&", "(?",
        "(?:", "(?i)", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?>", "{2}", "{1,2}", "{2,", "\\Q", "\\E",
        "\\p{", "L}", "\\x{", "1", "(?x)", "#", "\\b", "\\1", "\\k<n>", "\\u00", "ä", "\\R",
    ];
    println!("seed {SEED}");
    let mut random = Rng::with_seed(SEED);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let count = random.usize(..9);
        let pattern: String = many(&mut random, count, |random| pick(random, &PIECES)).concat();
        if let Ok(pattern) = Pattern::new(&pattern, random.bool()) {
            let count = random.usize(..5);
            pattern.is_found_in(
                &many(&mut random, count, |random| pick(random, &["a", "b", "ä", "\n", "1"])).concat(),
            );
            accepted += 1;
        }
    }
    assert!(accepted > 2_000, "{accepted}");
}
