//! Reads text with ANSI colours into runs of one style.

/// How a run of characters looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// One of the terminal's 16 colours.
    pub colour: Option<u8>,
    /// Bold.
    pub bold: bool,
    /// Dimmed.
    pub dim: bool,
}

/// Characters of one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The characters.
    pub text: String,
    /// Their style.
    pub style: Style,
}

/// The lines of a terminal's output. Escapes other than colours are left out.
pub fn lines(output: &str) -> Vec<Vec<Run>> {
    let mut style = Style::default();
    output.lines().map(|line| runs(line, &mut style)).collect()
}

/// A style lasts until the next escape, also over the end of a line.
fn runs(line: &str, style: &mut Style) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (plain, escape) = rest.split_at(rest.find('\x1b').unwrap_or(rest.len()));
        if !plain.is_empty() {
            runs.push(Run { text: plain.to_owned(), style: *style });
        }
        rest = after_escape(escape, style);
    }
    runs
}

/// Takes an escape from the beginning of `text` and returns what follows.
fn after_escape<'a>(text: &'a str, style: &mut Style) -> &'a str {
    let Some(body) = text.strip_prefix("\x1b[") else {
        return text.strip_prefix('\x1b').unwrap_or(text);
    };
    let Some(end) = body.find(|letter: char| letter.is_ascii_alphabetic()) else { return "" };
    let (codes, tail) = body.split_at(end);
    if tail.starts_with('m') {
        codes.split(';').for_each(|code| apply(code, style));
    }
    tail.get(1..).unwrap_or_default()
}

fn apply(code: &str, style: &mut Style) {
    match code.parse::<u8>() {
        Ok(1) => style.bold = true,
        Ok(2) => style.dim = true,
        Ok(22) => (style.bold, style.dim) = (false, false),
        Ok(code @ 30..=37) => style.colour = Some(code - 30),
        Ok(code @ 90..=97) => style.colour = Some(code - 90 + 8),
        Ok(39) => style.colour = None,
        Ok(0) | Err(_) => *style = Style::default(),
        Ok(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, colour: Option<u8>, bold: bool) -> Run {
        Run { text: text.to_owned(), style: Style { colour, bold, dim: false } }
    }

    #[test]
    fn colours_begin_and_end() {
        let read = lines("a \x1b[1m\x1b[32mgreen\x1b[0m b\n\x1b[91mred\nstill red\x1b[m");
        assert_eq!(
            read,
            [
                vec![run("a ", None, false), run("green", Some(2), true), run(" b", None, false)],
                vec![run("red", Some(9), false)],
                vec![run("still red", Some(9), false)],
            ]
        );
    }

    #[test]
    fn other_escapes_vanish() {
        assert_eq!(lines("\x1b[2Ka\x1b[1;34mb"), [vec![run("a", None, false), run("b", Some(4), true)]]);
        assert_eq!(lines("a\x1b[12"), [vec![run("a", None, false)]]);
    }
}
