//! Puts the values of parameters into a statement.

/// PostgreSQL's `$1 = '42', $2 = NULL` put into the places of `$1` and `$2`. Values shortened by the server end in `...`
/// after their quote and are put in as they are.
pub(super) fn with_values(text: &[u8], values: &[u8]) -> Vec<u8> {
    let values = parse(values);
    let mut result = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut quote = None;
    while let Some((&byte, after)) = rest.split_first() {
        match quote {
            Some(mark) if mark == byte => quote = None,
            None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
            _ => {}
        }
        let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = (byte == b'$' && digits > 0 && quote.is_none())
            .then(|| {
                after.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<usize>().ok())
            })
            .flatten();
        let value = number.and_then(|number| values.iter().find(|(at, _)| *at == number));
        match value {
            Some((_, value)) => {
                result.extend_from_slice(value);
                rest = after.get(digits..).unwrap_or_default();
            }
            None => {
                result.push(byte);
                rest = after;
            }
        }
    }
    result
}

/// The number and the text of each value.
fn parse(values: &[u8]) -> Vec<(usize, &[u8])> {
    let mut found = Vec::new();
    let mut rest = values;
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        rest = rest.get(at + 1..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let after = rest.get(digits..).unwrap_or_default();
        let Some((number, text)) = number.zip(after.strip_prefix(b" = ")) else { continue };
        let length = match text {
            [b'\'', inner @ ..] => 1 + quoted_length(inner),
            text => text.iter().position(|byte| *byte == b',').unwrap_or(text.len()),
        };
        let (value, after) = text.split_at_checked(length).unwrap_or((text, &[]));
        found.push((number, value));
        rest = after;
    }
    found
}

/// The length of a quoted text after its first quote, with its last.
fn quoted_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\'')) {
        at += found + 1;
        if text.get(at) != Some(&b'\'') {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_places_of_parameters() {
        for (text, values, expected) in [
            ("a = $1 AND b = $2", "$1 = '4''2', $2 = NULL", "a = '4''2' AND b = NULL"),
            ("a = $10, '$1' $3", "$1 = 'x', $10 = 'y, $1 = z'", "a = 'y, $1 = z', '$1' $3"),
            ("a = $1", "$1 = 'never ends", "a = 'never ends"),
            ("a = $1", "", "a = $1"),
            ("$", "$1 = ", "$"),
        ] {
            assert_eq!(String::from_utf8(with_values(text.as_bytes(), values.as_bytes())).unwrap(), expected);
        }
    }
}
