//! Which literal of a text is which value of the resolved statement.
//!
//! The resolver hands on the text of literals, not their places. So every literal and parameter is replaced by a marker
//! of the same kind that says its number, and the markers are looked for in what comes out: a statement and all that
//! differ from it in values only have the same marked text.

use std::ops::Range;

use tablesmith_sql::{Amount, Folder, Value};

/// Numbers that mark numbers begin here: a whole number that no clause refuses.
const NUMBER: u64 = 7_700_000_000_000;
/// What marks everything else begins so.
const TEXT: &str = "value no. ";

/// The literals and parameters of a statement, in order.
pub(super) fn places(folder: &mut Folder, sql: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    folder.fold_with(sql.as_bytes(), |place| places.push(place));
    places
}

/// The text with markers in the places.
pub(super) fn marked(sql: &str, places: &[Range<usize>]) -> String {
    let mut text = String::with_capacity(sql.len() + places.len() * 16);
    let mut at = 0;
    for (number, place) in places.iter().enumerate() {
        text.push_str(sql.get(at..place.start).unwrap_or_default());
        if is_number(sql.get(place.clone()).unwrap_or_default()) {
            // A space: the sign may have been the only thing between two words.
            text.push_str(&format!(" {}", NUMBER + number as u64));
        } else {
            text.push_str(&format!(" '{TEXT}{number}'"));
        }
        at = place.end;
    }
    text.push_str(sql.get(at..).unwrap_or_default());
    text
}

/// The number of the literal that a value marks.
pub(super) fn of_value(value: &Value) -> Option<usize> {
    let Value::Literal(text) = value else { return None };
    match text.strip_prefix(TEXT) {
        Some(number) => number.parse().ok(),
        None => of_number(text.parse().ok()?),
    }
}

/// The number of the literal that an amount marks.
pub(super) fn of_amount(amount: Amount) -> Option<usize> {
    amount.rows().and_then(of_number)
}

fn of_number(number: u64) -> Option<usize> {
    usize::try_from(number.checked_sub(NUMBER)?).ok().filter(|number| *number < usize::from(u16::MAX))
}

fn is_number(literal: &str) -> bool {
    literal.trim_start_matches(['+', '-', ' ']).starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_sql::Dialect;

    #[test]
    fn every_literal_is_marked_by_its_number() {
        let sql = "SELECT a FROM t WHERE x = -5 AND y IN ('a', ?) LIMIT 3";
        let places = places(&mut Folder::new(Dialect::Generic), sql);
        let text = marked(sql, &places);
        assert_eq!(
            text,
            "SELECT a FROM t WHERE x =  7700000000000 AND y IN ( 'value no. 1',  'value no. 2') LIMIT  7700000000003"
        );
        assert_eq!(of_value(&Value::Literal("7700000000000".into())), Some(0));
        assert_eq!(of_value(&Value::Literal("value no. 12".into())), Some(12));
        assert_eq!(of_value(&Value::Literal("12".into())), None);
        assert_eq!(of_amount(Amount::Rows(NUMBER + 3)), Some(3));
        assert_eq!(of_amount(Amount::Rows(3)), None);
    }
}
