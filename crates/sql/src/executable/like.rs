//! Patterns of `LIKE`: `%` for any text, `_` for one character. Letters match in their own case only.

use std::ops::Bound;

use tablesmith_model::plan::Test;
use tablesmith_model::value::Value;

/// A pattern of `LIKE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Any,
    One,
    Char(char),
}

impl Pattern {
    /// Reads a pattern; what follows the escape character stands for itself. `None` when nothing follows it.
    pub fn parse(text: &str, escape: Option<char>) -> Option<Self> {
        let mut parts = Vec::new();
        let mut chars = text.chars();
        while let Some(next) = chars.next() {
            parts.push(match next {
                next if Some(next) == escape => Part::Char(chars.next()?),
                '%' => Part::Any,
                '_' => Part::One,
                next => Part::Char(next),
            });
        }
        Some(Self { parts })
    }

    /// Whether a text has this pattern. After a `%` that fits nowhere further on, only the last one is tried again, so that
    /// it takes no more steps than the product of both lengths.
    pub fn matches(&self, text: &str) -> bool {
        let (mut part, mut rest) = (0, text.chars());
        let mut again: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            let before = rest.clone();
            let next = rest.next();
            match (self.parts.get(part), next) {
                (Some(Part::Any), _) => {
                    rest = before.clone();
                    again = Some((part, before));
                    part += 1;
                    continue;
                }
                (Some(Part::One), Some(_)) => part += 1,
                (Some(Part::Char(wanted)), Some(have)) if *wanted == have => part += 1,
                (None, None) => return true,
                _ => {
                    let Some((any, from)) = &mut again else { return false };
                    if from.next().is_none() {
                        return false;
                    }
                    (part, rest) = (*any + 1, from.clone());
                }
            }
        }
    }

    /// A test that every text with this pattern meets, and whether it says the same as the pattern; none when the pattern
    /// begins with a wildcard.
    pub fn test(&self) -> Option<(Test, bool)> {
        let is_char = |part: &Part| match part {
            Part::Char(char) => Some(*char),
            Part::Any | Part::One => None,
        };
        let prefix: String = self.parts.iter().map_while(is_char).collect();
        let rest = self.parts.get(prefix.chars().count()..).unwrap_or_default();
        match rest {
            [] => Some((Test::equals(Value::String(prefix)), true)),
            _ if prefix.is_empty() => None,
            rest => {
                let is_exact = rest == [Part::Any];
                let high = match after(&prefix) {
                    Some(after) => Bound::Excluded(Value::String(after)),
                    None => Bound::Unbounded,
                };
                Some((Test::Between(Bound::Included(Value::String(prefix)), high), is_exact))
            }
        }
    }
}

/// The least text that is greater than all that begin so; none when there is none.
fn after(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        let next = match last {
            // Between these lie code points that are no characters.
            '\u{d7ff}' => Some('\u{e000}'),
            last => char::from_u32(u32::from(last) + 1),
        };
        if let Some(next) = next {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text, Some('!')).unwrap()
    }

    #[test]
    fn wildcards_stand_for_any_text_or_one_character() {
        for (text, yes, no) in [
            ("abc", &["abc"][..], &["ab", "abcd", "Abc", ""][..]),
            ("a%", &["a", "abc", "aé"], &["", "ba"]),
            ("%c", &["c", "abc", "cc"], &["", "cb"]),
            ("a_c", &["abc", "aéc"], &["ac", "abbc"]),
            ("%b%b%", &["bb", "abab", "xbyybz"], &["b", "ab"]),
            ("%", &["", "x"], &[]),
            ("", &[""], &["x"]),
            ("%ab%abc", &["abababc", "ababc"], &["abc", "ababcd"]),
            ("100!%", &["100%"], &["100x", "100"]),
            ("__%", &["ab", "abc"], &["a"]),
        ] {
            yes.iter().for_each(|have| assert!(pattern(text).matches(have), "{have} like {text}"));
            no.iter().for_each(|have| assert!(!pattern(text).matches(have), "{have} not like {text}"));
        }
        assert_eq!(Pattern::parse("x!", Some('!')), None);
    }

    #[test]
    fn a_hostile_pattern_takes_no_longer_than_the_product_of_lengths() {
        let text = "a".repeat(5_000);
        assert!(!pattern(&("%a".repeat(500) + "%b")).matches(&text));
    }

    #[test]
    fn a_beginning_without_wildcards_is_a_range() {
        let range = |low: &str, high: Option<&str>| {
            let text = |text: &str| Value::String(text.to_owned());
            let high = high.map_or(Bound::Unbounded, |high| Bound::Excluded(text(high)));
            Test::Between(Bound::Included(text(low)), high)
        };
        assert_eq!(pattern("ab%").test(), Some((range("ab", Some("ac")), true)));
        assert_eq!(pattern("ab%c").test(), Some((range("ab", Some("ac")), false)));
        assert_eq!(pattern("a\u{d7ff}_").test(), Some((range("a\u{d7ff}", Some("a\u{e000}")), false)));
        assert_eq!(pattern("a\u{10ffff}%").test(), Some((range("a\u{10ffff}", Some("b")), true)));
        assert_eq!(pattern("\u{10ffff}%").test(), Some((range("\u{10ffff}", None), true)));
        assert_eq!(pattern("ab").test(), Some((Test::equals(Value::String("ab".into())), true)));
        assert_eq!(pattern("%b").test(), None);
    }
}
