//! Declarations that no parser reads: databases have more words for tables than parsers know, and one of them must not
//! lose a table. Only what matters is looked for: names, types, keys, references; everything else is passed over.

use super::types::type_of;
use super::{Declared, DeclaredColumn};
use crate::dialect::Dialect;
use crate::qualified_name::QualifiedName;
use crate::scan::{Kind, Scanner, Token};

/// Words behind a column's type.
const AFTER_TYPE: [&str; 24] = [
    "NOT",
    "NULL",
    "PRIMARY",
    "UNIQUE",
    "DEFAULT",
    "REFERENCES",
    "CHECK",
    "COLLATE",
    "CONSTRAINT",
    "GENERATED",
    "AS",
    "AUTO_INCREMENT",
    "AUTOINCREMENT",
    "COMMENT",
    "ON",
    "KEY",
    "INVISIBLE",
    "VISIBLE",
    "STORED",
    "VIRTUAL",
    "CHARSET",
    "ZEROFILL",
    "COMPRESSED",
    "WITHOUT",
];

/// What a `CREATE TABLE` declares; none when it has no list of columns.
pub(super) fn table(sql: &str, dialect: Dialect) -> Option<Vec<Declared>> {
    let tokens = tokens(sql, dialect);
    let mut words = Words { text: sql, tokens: &tokens, dialect };
    while !words.take("TABLE") {
        words.next()?;
    }
    if words.take("IF") {
        words.next()?;
        words.next()?;
    }
    let table = words.name()?;
    let (mut columns, mut found) = (Vec::new(), Vec::new());
    for mut item in words.list()? {
        if item.take("CONSTRAINT") && !item.is_constraint() {
            item.next()?;
        }
        if item.is_constraint() {
            found.extend(item.constraint(&table));
        } else {
            columns.push(item.column(&table, &mut found)?);
        }
    }
    let mut inherits = Vec::new();
    if words.take("INHERITS") {
        inherits.extend(words.list()?.into_iter().filter_map(|mut parent| parent.name()));
    }
    found.insert(0, Declared::Table { table, columns, inherits });
    Some(found)
}

/// What `ALTER TABLE parent ATTACH PARTITION part …` says.
pub(super) fn attached(sql: &str, dialect: Dialect) -> Option<Declared> {
    let tokens = tokens(sql, dialect);
    let mut words = Words { text: sql, tokens: &tokens, dialect };
    (words.take("ALTER") && words.take("TABLE")).then_some(())?;
    if words.take("IF") {
        words.next()?;
    }
    words.take("ONLY");
    let of = words.name()?;
    (words.take("ATTACH") && words.take("PARTITION")).then_some(())?;
    Some(Declared::Part { table: words.name()?, of })
}

fn tokens(sql: &str, dialect: Dialect) -> Vec<Token> {
    let mut scanner = Scanner::new(sql.as_bytes(), dialect);
    std::iter::from_fn(|| scanner.next()).collect()
}

/// A stretch of a statement, of which the first words are taken away one by one.
#[derive(Clone, Copy)]
struct Words<'w> {
    text: &'w str,
    tokens: &'w [Token],
    dialect: Dialect,
}

impl<'w> Words<'w> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    fn text_of(&self, token: Token) -> &'w str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Word);
        token.is_some_and(|token| self.text_of(*token).eq_ignore_ascii_case(word))
    }

    fn is_kind(&self, at: usize, kind: Kind) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == kind)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.is_word(0, word);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Where a word stands first, outside of parentheses.
    fn find(&self, word: &str) -> Option<usize> {
        let mut depth = 0_usize;
        self.tokens.iter().enumerate().find_map(|(at, token)| {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0 && self.is_word(at, word)).then_some(at)
        })
    }

    /// One part of a name, without its quotes.
    fn part(&mut self) -> Option<String> {
        if self.tokens.first().is_some_and(|token| self.text_of(*token) == "[") {
            return self.bracketed();
        }
        let token = self
            .tokens
            .first()
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Text))?;
        let text = self.text_of(*token);
        self.next();
        Some(match text.chars().next() {
            Some(mark @ ('"' | '`' | '\'')) => {
                let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
                inside.replace(&format!("{mark}{mark}"), &mark.to_string())
            }
            _ => text.to_owned(),
        })
    }

    /// `[a name]`, as SQLite takes it from others.
    fn bracketed(&mut self) -> Option<String> {
        let begin = self.next()?.end;
        loop {
            let token = self.next()?;
            if self.text_of(token) == "]" {
                return self.text.get(begin..token.start).map(str::to_owned);
            }
        }
    }

    fn name(&mut self) -> Option<QualifiedName> {
        let mut parts = vec![self.part()?];
        while self.is_kind(0, Kind::Dot) {
            self.next();
            parts.push(self.part()?);
        }
        Some(QualifiedName::of_parts(parts))
    }

    /// `(a, b (c, d))`: what stands between the outer commas.
    fn list(&mut self) -> Option<Vec<Words<'w>>> {
        (self.next()?.kind == Kind::Open).then_some(())?;
        let (mut items, mut depth, mut from) = (Vec::new(), 1_usize, 0);
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && token.kind == Kind::Comma) {
                items.push(Words { tokens: self.tokens.get(from..at)?, ..*self });
                from = at + 1;
            }
            if depth == 0 {
                self.tokens = self.tokens.get(from..)?;
                return Some(items);
            }
        }
        None
    }

    /// The names of a list; none where one is more than a name: a part of a column, or something computed.
    fn columns(&mut self) -> Option<Vec<String>> {
        let of = |mut item: Words<'w>| {
            let column = item.part()?;
            (!item.is_kind(0, Kind::Open)).then_some(column)
        };
        self.list()?.into_iter().map(of).collect()
    }

    /// Whether it declares no column. `KEY` and `INDEX` are names of columns where they are not MySQL's indexes.
    fn is_constraint(&self) -> bool {
        let begins = |words: [&str; 2]| self.is_word(0, words[0]) && self.is_word(1, words[1]);
        let is_index = ["KEY", "INDEX", "FULLTEXT", "SPATIAL"].iter().any(|word| self.is_word(0, word));
        begins(["PRIMARY", "KEY"])
            || begins(["FOREIGN", "KEY"])
            || begins(["PERIOD", "FOR"])
            || (self.is_word(0, "UNIQUE") && !self.tokens.get(1..).unwrap_or_default().is_empty())
            || (self.is_word(0, "CHECK") && self.is_kind(1, Kind::Open))
            || self.is_word(0, "EXCLUDE")
            || (self.is_word(0, "LIKE") && self.tokens.len() > 1)
            || (is_index && self.dialect == Dialect::MySql)
    }

    fn constraint(mut self, table: &QualifiedName) -> Option<Declared> {
        let first = self.next()?;
        let key = |words: &mut Self, is_primary| {
            while !words.is_kind(0, Kind::Open) {
                words.next()?;
            }
            Some(Declared::Key { table: table.clone(), columns: words.columns()?, is_primary })
        };
        match self.text_of(first).to_ascii_uppercase().as_str() {
            "PRIMARY" => key(&mut self, true),
            "UNIQUE" => key(&mut self, false),
            "FOREIGN" => {
                while !self.is_kind(0, Kind::Open) {
                    self.next()?;
                }
                let columns = self.columns()?;
                self.take("REFERENCES").then_some(())?;
                self.reference(table, columns)
            }
            _ => None,
        }
    }

    /// What stands behind `REFERENCES`.
    fn reference(&mut self, table: &QualifiedName, columns: Vec<String>) -> Option<Declared> {
        let other = self.name()?;
        let targets = if self.is_kind(0, Kind::Open) { self.columns()? } else { Vec::new() };
        Some(Declared::Reference { table: table.clone(), columns, other, targets })
    }

    /// A column; keys and references that stand behind it are added to what is found.
    fn column(mut self, table: &QualifiedName, found: &mut Vec<Declared>) -> Option<DeclaredColumn> {
        let name = self.part()?;
        let is_after = |at: usize| AFTER_TYPE.iter().any(|word| self.is_word(at, word));
        let type_tokens = (0..self.tokens.len()).take_while(|at| !is_after(*at)).count();
        let (declared, rest) = self.tokens.split_at_checked(type_tokens)?;
        let words: Vec<&str> = declared.iter().map(|token| self.text_of(*token)).collect();
        let (value_type, notation) = type_of(&words.join(" "), self.dialect);
        let rest = Words { tokens: rest, ..self };
        let behind = |at: usize| Words { tokens: rest.tokens.get(at + 1..).unwrap_or_default(), ..rest };
        let is_primary = rest.find("PRIMARY").is_some();
        let key =
            |is_primary| Declared::Key { table: table.clone(), columns: vec![name.clone()], is_primary };
        if is_primary {
            found.push(key(true));
        } else if rest.find("UNIQUE").is_some() {
            found.push(key(false));
        }
        if let Some(at) = rest.find("REFERENCES") {
            found.extend(behind(at).reference(table, vec![name.clone()]));
        }
        let is_not_null = rest.find("NOT").is_some_and(|at| behind(at).is_word(0, "NULL"));
        let is_computed = rest.find("AS").is_some_and(|at| behind(at).is_kind(0, Kind::Open));
        Some(DeclaredColumn {
            name,
            value_type,
            notation,
            is_nullable: !is_primary && !is_not_null,
            is_computed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::ValueType;

    #[test]
    fn words_that_no_parser_knows_lose_no_table() {
        let sql = "CREATE TABLE `shop`.`t` (`id` int(5) unsigned zerofill NOT NULL AUTO_INCREMENT, `a,b` varchar(9) \
                   DEFAULT 'x,(y', `o` int DEFAULT NULL REFERENCES other (id), PRIMARY KEY (`id`), KEY `k` (`o`)) \
                   PAGE_COMPRESSED=1 WITH SYSTEM VERSIONING PARTITION BY RANGE (`id`) (PARTITION p VALUES LESS THAN (9))";
        let found = table(sql, Dialect::MySql).unwrap();
        let [
            Declared::Table { table, columns, .. },
            Declared::Reference { other, .. },
            Declared::Key { columns: key, .. },
        ] = found.as_slice()
        else {
            panic!("{found:?}")
        };
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((table.to_string().as_str(), names), ("shop.t", vec!["id", "a,b", "o"]));
        assert_eq!((columns[0].value_type, columns[0].is_nullable), (ValueType::Int, false));
        assert_eq!((other.name.as_str(), key.as_slice()), ("other", &["id".to_owned()][..]));
    }

    #[test]
    fn a_table_of_sqlite_with_conflicts_and_long_types() {
        let sql = "CREATE TABLE \"a \"\"b\"\"\" (k VARYING CHARACTER(255), key BIG INT, [long name] TEXT, v AS (k || 'x') STORED, \
                   PRIMARY KEY (k) ON CONFLICT REPLACE)";
        let found = table(sql, Dialect::Sqlite).unwrap();
        let [Declared::Table { table, columns, .. }, Declared::Key { .. }] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(table.name, "a \"b\"");
        assert_eq!((columns[1].name.as_str(), columns[1].value_type), ("key", ValueType::Int));
        assert_eq!(columns[2].name, "long name");
        assert!(columns[3].is_computed && !columns[1].is_computed);
    }

    #[test]
    fn a_partition_belongs_to_its_table() {
        let sql = "ALTER TABLE ONLY public.ev ATTACH PARTITION public.ev_2024 FOR VALUES FROM ('a') TO ('b')";
        let Some(Declared::Part { table, of }) = attached(sql, Dialect::Postgres) else { panic!() };
        assert_eq!((table.to_string(), of.to_string()), ("public.ev_2024".into(), "public.ev".into()));
        assert_eq!(attached("ALTER TABLE a ADD b int", Dialect::Postgres), None);
    }
}
