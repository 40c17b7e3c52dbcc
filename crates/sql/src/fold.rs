//! Folds a statement to its template: one spelling for all calls that differ in values, spaces, comments and the
//! case of keywords only.
//!
//! Literals and parameters become `?` (with their sign, their type word and their quotes); a list after `IN` or
//! `ARRAY` keeps one `?`, rows after `VALUES` that look alike keep one row. Positions after `ORDER BY` and
//! `GROUP BY` stay, for they are columns. Names keep their spelling. A template folds to itself.

use std::ops::Range;

use crate::dialect::Dialect;
use crate::keyword::{Keyword, keyword};
use crate::scan::{Kind, Scanner, Token};

/// Folds statements, one after the other, into a buffer of its own.
#[derive(Debug, Clone)]
pub struct Folder {
    dialect: Dialect,
    keeps_limits: bool,
    template: Vec<u8>,
    lists: Vec<List>,
}

/// How far a statement went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folded {
    /// Bytes read, the semicolon included.
    pub bytes: usize,
    /// What ended it.
    pub end: End,
}

/// What ended a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A semicolon.
    Semicolon,
    /// The end of the text.
    Text,
    /// The end of the text, inside a quotation or a comment.
    InsideQuotation,
}

/// A list whose like items are kept once.
#[derive(Debug, Clone, Copy)]
struct List {
    /// The depth of parentheses at which its items stand.
    depth: usize,
    /// Rows after `VALUES`, which no parenthesis encloses.
    is_open: bool,
    /// Where in the template the row begins that is being read.
    row_start: usize,
    /// The first row.
    first_row: Option<(usize, usize)>,
}

/// What was written last, as far as it matters for what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    Name,
    Keyword(Keyword),
    Literal,
    Operator,
    Comma,
    /// A dot, `::` or `[`: nothing comes between it and its neighbours.
    Tight,
    Open,
    Close,
}

impl Folder {
    /// A folder for statements of a dialect.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, keeps_limits: false, template: Vec::new(), lists: Vec::new() }
    }

    /// The dialect of the statements.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Keeps the number after `LIMIT`, which says more about a query than other literals do.
    pub fn keep_limits(mut self) -> Self {
        self.keeps_limits = true;
        self
    }

    /// Folds the first statement of the text; [`Folder::template`] has the result.
    #[inline]
    pub fn fold(&mut self, text: &[u8]) -> Folded {
        self.fold_with(text, |_| {})
    }

    /// As [`Folder::fold`], and hands over where each literal and parameter stands, in order.
    pub fn fold_with(&mut self, text: &[u8], literal: impl FnMut(Range<usize>)) -> Folded {
        self.template.clear();
        self.lists.clear();
        let scanner = Scanner::new(text, self.dialect);
        Fold { folder: self, scanner, literal, last: Last::Start, depth: 0, by_depth: None }.run()
    }

    /// The template of the statement folded last; empty when the text had nothing but spaces and comments.
    pub fn template(&self) -> &[u8] {
        &self.template
    }
}

/// One statement being folded.
struct Fold<'f, 'a, F> {
    folder: &'f mut Folder,
    scanner: Scanner<'a>,
    literal: F,
    last: Last,
    depth: usize,
    /// The depth at which a list after `BY` stands.
    by_depth: Option<usize>,
}

impl<F: FnMut(Range<usize>)> Fold<'_, '_, F> {
    fn run(mut self) -> Folded {
        while let Some(token) = self.scanner.next() {
            match token.kind {
                Kind::Word => self.word(token),
                Kind::Quoted => self.name(token),
                Kind::Text | Kind::Number | Kind::Parameter => self.value(token.start, token),
                Kind::Operator => self.operator(token),
                Kind::Comma => self.put(b",", Last::Comma),
                Kind::Dot => self.put(b".", Last::Tight),
                Kind::Open => self.open(),
                Kind::Close => self.close(),
                Kind::Semicolon if self.last == Last::Start => {}
                Kind::Semicolon => return Folded { bytes: self.scanner.position(), end: End::Semicolon },
            }
        }
        let end = if self.scanner.unfinished() { End::InsideQuotation } else { End::Text };
        Folded { bytes: self.scanner.position(), end }
    }

    /// Writes a token, with a space before it where one belongs.
    #[inline]
    fn put(&mut self, bytes: &[u8], kind: Last) {
        let tight = match kind {
            Last::Comma | Last::Close | Last::Tight => true,
            Last::Open => self.last == Last::Name,
            _ => false,
        };
        if !tight && !matches!(self.last, Last::Start | Last::Open | Last::Tight) {
            self.folder.template.push(b' ');
        }
        self.folder.template.extend_from_slice(bytes);
        self.last = kind;
    }

    #[inline]
    fn name(&mut self, token: Token) {
        self.end_open_list();
        let bytes = self.scanner.bytes(token);
        self.put(bytes, Last::Name);
    }

    #[inline]
    fn word(&mut self, token: Token) {
        // After a dot or a cast a keyword is a name.
        let found = if self.last == Last::Tight { None } else { keyword(self.scanner.bytes(token)) };
        match found {
            None => self.name(token),
            Some(Keyword::Function) => match self.scanner.before_parenthesis() {
                true => self.capitals(token, Last::Name),
                false => self.name(token),
            },
            Some(Keyword::Literal) if self.last != Last::Keyword(Keyword::Is) => {
                self.value(token.start, token)
            }
            Some(Keyword::Typed) => match self.next_token() {
                Some(next) if next.kind == Kind::Text => {
                    self.scanner.next();
                    self.value(token.start, next);
                }
                _ => self.name(token),
            },
            Some(found) => self.keyword(token, found),
        }
    }

    fn keyword(&mut self, token: Token, found: Keyword) {
        self.end_open_list();
        self.capitals(token, Last::Keyword(found));
        match found {
            Keyword::By => self.by_depth = Some(self.depth),
            Keyword::Clause | Keyword::Limit => self.by_depth = None,
            Keyword::Values => self.begin_list(self.depth, true),
            _ => {}
        }
    }

    fn capitals(&mut self, token: Token, kind: Last) {
        let bytes = self.scanner.bytes(token);
        self.put(bytes, kind);
        let written = self.folder.template.len() - bytes.len();
        self.folder.template.get_mut(written..).unwrap_or_default().make_ascii_uppercase();
    }

    /// A literal or parameter that begins at `start` (its sign or type word) and ends with the token.
    #[inline]
    fn value(&mut self, start: usize, token: Token) {
        if token.kind == Kind::Number && self.stays() {
            let bytes = self.scanner.bytes(token);
            return self.put(bytes, Last::Literal);
        }
        (self.literal)(start..token.end);
        let again = self.last == Last::Comma
            && self.folder.lists.last().is_some_and(|list| !list.is_open && list.depth == self.depth)
            && self.folder.template.ends_with(b"?,");
        if again {
            self.folder.template.pop();
            self.last = Last::Literal;
        } else {
            self.put(b"?", Last::Literal);
        }
    }

    /// Whether a number that comes now is a position, or a limit to be kept.
    fn stays(&self) -> bool {
        let is_position = self.by_depth == Some(self.depth)
            && matches!(self.last, Last::Keyword(Keyword::By) | Last::Comma);
        is_position || (self.folder.keeps_limits && self.last == Last::Keyword(Keyword::Limit))
    }

    fn operator(&mut self, token: Token) {
        match self.scanner.bytes(token) {
            b"::" => self.put(b"::", Last::Tight),
            // With a space after it, it would begin a comment.
            b"#" => self.put(b"#", Last::Tight),
            b"[" => {
                if self.last == Last::Keyword(Keyword::In) {
                    self.begin_list(self.depth, false);
                }
                self.folder.template.push(b'[');
                self.last = Last::Tight;
            }
            b"]" => {
                if self.folder.lists.last().is_some_and(|list| !list.is_open && list.depth == self.depth) {
                    self.folder.lists.pop();
                }
                self.put(b"]", Last::Close);
            }
            b"-" | b"+" if self.wants_value() => self.sign(token),
            bytes => self.put(bytes, Last::Operator),
        }
    }

    /// A sign belongs to the number or parameter that follows.
    fn sign(&mut self, token: Token) {
        match self.next_token() {
            Some(next) if matches!(next.kind, Kind::Number | Kind::Parameter) => {
                self.scanner.next();
                self.value(token.start, next);
            }
            _ => self.put(self.scanner.bytes(token), Last::Operator),
        }
    }

    /// Whether a value comes next, so that a minus is a sign and no subtraction.
    fn wants_value(&self) -> bool {
        match self.last {
            Last::Start | Last::Operator | Last::Comma | Last::Open | Last::Tight => true,
            Last::Keyword(keyword) => !matches!(keyword, Keyword::Ends | Keyword::Literal),
            Last::Name | Last::Literal | Last::Close => false,
        }
    }

    fn next_token(&self) -> Option<Token> {
        let mut ahead = self.scanner;
        ahead.next()
    }

    fn open(&mut self) {
        let is_list = self.last == Last::Keyword(Keyword::In);
        if let Some(list) = self.folder.lists.last_mut()
            && list.depth == self.depth
        {
            let spaced = !matches!(self.last, Last::Open | Last::Tight);
            list.row_start = self.folder.template.len() + usize::from(spaced);
        }
        self.put(b"(", Last::Open);
        self.depth += 1;
        if is_list {
            self.begin_list(self.depth, false);
        }
    }

    fn close(&mut self) {
        self.put(b")", Last::Close);
        self.depth = self.depth.saturating_sub(1);
        if self.by_depth.is_some_and(|depth| depth > self.depth) {
            self.by_depth = None;
        }
        while self.folder.lists.last().is_some_and(|list| list.depth > self.depth) {
            self.folder.lists.pop();
        }
        let Some(list) = self.folder.lists.last_mut() else { return };
        if list.depth != self.depth {
            return;
        }
        let template = &mut self.folder.template;
        let row = (list.row_start, template.len());
        match list.first_row {
            None => list.first_row = Some(row),
            Some(first) if template.get(row.0..row.1) == template.get(first.0..first.1) => {
                template.truncate(first.1);
            }
            Some(_) => {}
        }
    }

    fn begin_list(&mut self, depth: usize, is_open: bool) {
        self.folder.lists.push(List { depth, is_open, row_start: 0, first_row: None });
    }

    /// A word after the rows of `VALUES` ends their list.
    #[inline]
    fn end_open_list(&mut self) {
        if self.folder.lists.last().is_some_and(|list| list.is_open && list.depth == self.depth) {
            self.folder.lists.pop();
        }
    }
}
