//! Text from data, made safe to show: names of queries and designs can hold anything.

/// Text for HTML and SVG, inside elements and inside quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars().map(visible) {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Text of sentences for HTML: a number is not torn from its unit at the end of a line.
pub fn typeset(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut set = String::with_capacity(text.len());
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| words.get(index)).copied().unwrap_or_default();
        if index > 0 {
            set.push(if before.ends_with(|letter: char| letter.is_ascii_digit()) && is_unit(word) {
                '\u{a0}'
            } else {
                ' '
            });
        }
        set.push_str(&escape(word));
    }
    set
}

/// Whether a word is a unit, with or without a stop after it.
fn is_unit(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
    ["%", "s", "ms", "µs", "B", "kB", "MB", "GB", "TB", "calls", "rows"].contains(&word)
}

/// Text for a terminal: nothing in it moves the cursor or changes colours.
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// The letter, or a sign for one that cannot be seen. XML has no way to write control characters at all, a terminal
/// obeys them, and those that turn the direction of writing could make a name look like another.
fn visible(letter: char) -> char {
    match letter {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fffe}'
        | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
    }

    #[test]
    fn numbers_stay_with_their_units() {
        assert_eq!(
            typeset("36 % faster (34 to 38 %) in 5 <ms"),
            "36\u{a0}% faster (34 to 38\u{a0}%) in 5 &lt;ms"
        );
        assert_eq!(typeset("  a % "), "  a % ");
    }

    #[test]
    fn what_cannot_be_seen_is_shown_as_a_sign() {
        assert_eq!(printable("a\0b\x1b[31m\u{7f}\u{9b}\u{202e}é漢"), "a␀b␛[31m␡\u{fffd}\u{fffd}é漢");
        assert_eq!(escape("one\ntwo"), "one␊two");
    }
}
