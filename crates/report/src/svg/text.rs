//! How wide text will be, more or less: nobody measures it before a browser does.

/// The width of a text of this size, as in the widest of the usual fonts without serifs (DejaVu Sans).
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(letter_width).sum::<f64>() * size
}

/// In units of the text's size.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | '(' | ')'
        | '[' | ']' | ' ' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 1.0,
        'A'..='Z' | '&' | '<' | '>' | '=' | '+' | '−' => 0.8,
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{1100}'.. if is_wide(letter) => 1.05,
        _ => 0.64,
    }
}

/// Scripts and signs that take a full square.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2400}'..='\u{243f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{fffd}' | '\u{1f000}'..)
}

/// How much wider bold letters are.
pub const BOLD: f64 = 1.1;

/// As much of the text as fits into so much room; what is cut off is marked by `…`.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room - width("…", size);
    let kept: String = text
        .chars()
        .take_while(|&letter| {
            left -= letter_width(letter) * size;
            left >= 0.0
        })
        .collect();
    if kept.is_empty() { String::new() } else { format!("{}…", kept.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_marked() {
        assert_eq!(fit("short", 12.0, 200.0), "short");
        let cut = fit(&"name ".repeat(60), 12.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 100.0 && cut.len() > 10, "{cut}");
    }

    #[test]
    fn without_room_there_is_no_text() {
        assert_eq!(fit("anything", 12.0, 5.0), "");
    }

    #[test]
    fn full_squares_are_wider() {
        assert!(width("漢字", 10.0) > width("ab", 10.0));
    }
}
