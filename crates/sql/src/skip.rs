//! Finds the end of a statement that is too long to be held: it is seen piece by piece, and nothing of it is kept.

use crate::dialect::Dialect;
use crate::scan::{Kind, Open, Scanner};

/// Goes over a statement to its end.
#[derive(Debug, Clone)]
pub struct StatementSkipper {
    dialect: Dialect,
    /// What the last piece ended in the middle of, and the tag of a dollar-quoted text.
    open: Option<(Open, Vec<u8>)>,
}

/// What was found in a piece of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// The statement goes on. So many bytes are dealt with: the next piece begins behind them, and is longer than what
    /// is left of this one.
    More(usize),
    /// The statement ends behind so many bytes, its semicolon included.
    End(usize),
}

impl StatementSkipper {
    /// Begins at the beginning of a statement.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, open: None }
    }

    /// Sees the next piece. The end of the last one ends the statement.
    pub fn see(&mut self, piece: &[u8], is_last: bool) -> Skipped {
        let mut scanner = Scanner::new(piece, self.dialect);
        if let Some((open, tag)) = self.open.take() {
            scanner.go_on(open, &tag);
            let is_closed = scanner.open().is_none() && (is_last || scanner.half_bytes() == 0);
            if !is_closed {
                // Comments may be nested otherwise by now.
                let open = scanner.open().unwrap_or(open);
                return Skipped::More(self.leave(open, tag, &scanner, piece));
            }
        }
        let mut done = scanner.position();
        while let Some(token) = scanner.next() {
            // What touches the end may go on, and be something else then.
            let is_whole = is_last || token.end < piece.len();
            match token.kind {
                Kind::Semicolon => return Skipped::End(token.end),
                _ if is_whole => done = token.end,
                _ => break,
            }
        }
        match scanner.open() {
            _ if is_last => Skipped::More(piece.len()),
            None => Skipped::More(done),
            Some(Open::Tag { start, end }) => {
                let tag = piece.get(start..end).unwrap_or_default().to_vec();
                let text = piece.get(end..).unwrap_or_default();
                Skipped::More(end + self.leave(Open::Tag { start, end }, tag, &scanner, text))
            }
            Some(open) => Skipped::More(self.leave(open, Vec::new(), &scanner, piece)),
        }
    }

    /// Leaves a text in the middle of something, and says how much of it is dealt with: what may belong together with
    /// the first bytes of the next piece is not.
    fn leave(&mut self, open: Open, tag: Vec<u8>, scanner: &Scanner<'_>, text: &[u8]) -> usize {
        let undecided = match open {
            Open::Tag { .. } => tag.len().saturating_sub(1),
            _ => scanner.half_bytes(),
        };
        self.open = Some((open, tag));
        text.len().saturating_sub(undecided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::{End, Folder};

    /// The end of a statement seen in pieces of this many bytes; none when it has none.
    fn end(text: &[u8], dialect: Dialect, bytes: usize) -> Option<usize> {
        let mut skipper = StatementSkipper::new(dialect);
        let (mut from, mut to) = (0, bytes.min(text.len()));
        loop {
            let is_last = to == text.len();
            match skipper.see(&text[from..to], is_last) {
                Skipped::End(end) => return Some(from + end),
                Skipped::More(_) if is_last => return None,
                Skipped::More(done) => from += done,
            }
            to = (to + bytes).min(text.len());
        }
    }

    fn folded(text: &[u8], dialect: Dialect) -> Option<usize> {
        let folded = Folder::new(dialect).fold(text);
        (folded.end == End::Semicolon).then_some(folded.bytes)
    }

    const DIALECTS: [Dialect; 4] = [Dialect::Generic, Dialect::MySql, Dialect::Postgres, Dialect::Sqlite];

    #[test]
    fn a_semicolon_in_a_quotation_or_a_comment_is_no_end() {
        let texts = [
            "SELECT ';' ; SELECT 2;",
            "SELECT 'it''s;' ; x",
            "SELECT 'a\\';' ; x",
            "SELECT \"a;\"\"b\" ; x",
            "SELECT `a;` ; x",
            "SELECT $$ ; $ ; $$ ; x",
            "SELECT $tag$ ; $ta$ ; $tag$ ; x",
            "SELECT 1 -- a ; '\n ; x",
            "SELECT 1 /* ; ' /* ; */ ; */ ; x",
            "SELECT 1 # it's ;\n ; x",
            "SELECT E'\\';' ; x",
            "SELECT 'never ends ; x",
            "SELECT 1",
        ];
        for text in texts {
            for dialect in DIALECTS {
                for bytes in 1..=text.len() {
                    let text = text.as_bytes();
                    let found = end(text, dialect, bytes);
                    let text = String::from_utf8_lossy(text);
                    assert_eq!(found, folded(text.as_bytes(), dialect), "{text} {dialect:?} {bytes}");
                }
            }
        }
    }

    #[test]
    fn random_texts_end_where_they_end_in_one_piece() {
        const PARTS: [&str; 24] = [
            "'", "''", "\\", "\\'", "\"", "`", ";", "$", "$a$", "$$", "/*", "*/", "*", "/", "--", "\n", "#",
            " ", "a", "E'", "x", "1", ",", "(",
        ];
        let seed = 4_u64;
        println!("seed {seed}");
        let mut state = seed;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let parts = 1 + next(30);
            let text: String =
                std::iter::once("S ").chain((0..parts).map(|_| PARTS[next(PARTS.len())])).collect();
            let (dialect, bytes) = (DIALECTS[next(4)], 1 + next(9));
            let found = end(text.as_bytes(), dialect, bytes);
            assert_eq!(found, folded(text.as_bytes(), dialect), "{text:?} {dialect:?} {bytes}");
        }
    }

    #[test]
    fn nothing_is_left_of_a_quotation_without_end() {
        let mut skipper = StatementSkipper::new(Dialect::Generic);
        assert_eq!(skipper.see(b"SELECT '", false), Skipped::More(8));
        for piece in [&[b'x'; 1_000][..], &[b'\''; 1_000], &[b'\\'; 1_000]] {
            let Skipped::More(done) = skipper.see(piece, false) else { panic!("it does not end") };
            assert!(done >= piece.len() - 2, "{done}");
        }
    }
}
