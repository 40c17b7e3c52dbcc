//! A statement's template and its literals, for single statements.

use crate::dialect::Dialect;
use crate::fold::{End, Folder};

/// The template of a statement: literals replaced by `?`, lists shortened, spaces, comments and the case of keywords
/// evened out. Further statements after a semicolon follow, each after `; `.
pub fn template(sql: &str, dialect: Dialect) -> String {
    fold_all(sql, Folder::new(dialect))
}

/// As [`template`], but numbers after `LIMIT` stay.
pub fn template_keeping_limits(sql: &str, dialect: Dialect) -> String {
    fold_all(sql, Folder::new(dialect).keep_limits())
}

fn fold_all(sql: &str, mut folder: Folder) -> String {
    let mut rest = sql.as_bytes();
    let mut template = String::new();
    loop {
        let folded = folder.fold(rest);
        if !template.is_empty() && !folder.template().is_empty() {
            template.push_str("; ");
        }
        template.push_str(&String::from_utf8_lossy(folder.template()));
        if folded.end != End::Semicolon {
            return template;
        }
        rest = rest.get(folded.bytes..).unwrap_or_default();
    }
}

/// The literals and parameters that [`template`] replaces, in order, as they stand in the text.
pub fn parameters(sql: &str, dialect: Dialect) -> Vec<String> {
    let mut folder = Folder::new(dialect);
    let mut parameters = Vec::new();
    let mut rest = sql;
    loop {
        let folded =
            folder.fold_with(rest.as_bytes(), |range| parameters.extend(rest.get(range).map(str::to_owned)));
        if folded.end != End::Semicolon {
            return parameters;
        }
        rest = rest.get(folded.bytes..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folds(cases: &[(&str, &str)], dialect: Dialect) {
        for (sql, expected) in cases {
            assert_eq!(template(sql, dialect), *expected, "{sql}");
            assert_eq!(template(expected, dialect), *expected, "a template folds to itself: {sql}");
        }
    }

    #[test]
    fn literals_become_question_marks() {
        folds(
            &[
                (
                    "select a,b from t where x='it''s' and y>=-1.5e3;",
                    "SELECT a, b FROM t WHERE x = ? AND y >= ?",
                ),
                (
                    "SELECT  a\n FROM t -- note\n WHERE x=$1 /* c */ AND y = :name",
                    "SELECT a FROM t WHERE x = ? AND y = ?",
                ),
                ("SELECT a-1, -b, a - -2 FROM t", "SELECT a - ?, - b, a - ? FROM t"),
                ("SELECT count( * ), Max(a) FROM t", "SELECT COUNT(*), MAX(a) FROM t"),
                ("SELECT t.*, max FROM t", "SELECT t.*, max FROM t"),
                (
                    "SELECT x::date, a[1], DATE '2020-01-01', date FROM t",
                    "SELECT x::date, a[?], ?, date FROM t",
                ),
                (
                    "SELECT a FROM t WHERE b IS NOT NULL AND c = NULL",
                    "SELECT a FROM t WHERE b IS NOT NULL AND c = ?",
                ),
                ("SELECT a FROM t LIMIT 10 OFFSET 20", "SELECT a FROM t LIMIT ? OFFSET ?"),
                ("SELECT E'\\'', X'00', $$x$$ FROM t", "SELECT ?, ?, ? FROM t"),
                ("SELECT now() - interval '7 days'", "SELECT NOW() - INTERVAL ?"),
            ],
            Dialect::Generic,
        );
    }

    #[test]
    fn lists_of_values_keep_one_and_rows_that_look_alike_keep_one() {
        folds(
            &[
                (
                    "SELECT a FROM t WHERE x in (1,2, 3) AND f(1,2) = 3",
                    "SELECT a FROM t WHERE x IN (?) AND f(?, ?) = ?",
                ),
                ("SELECT a FROM t WHERE (x,y) IN ((1,2),(3,4))", "SELECT a FROM t WHERE (x, y) IN ((?, ?))"),
                ("SELECT a FROM t WHERE x = ANY(ARRAY[1,2,3])", "SELECT a FROM t WHERE x = ANY (ARRAY[?])"),
                (
                    "INSERT INTO t (a,b) VALUES (1,NULL),(2,'x') , (3,default)",
                    "INSERT INTO t(a, b) VALUES (?, ?)",
                ),
                (
                    "INSERT INTO t VALUES (1),(2) ON CONFLICT (a) DO UPDATE SET b = 1",
                    "INSERT INTO t VALUES (?) ON CONFLICT (a) DO UPDATE SET b = ?",
                ),
                ("INSERT INTO t VALUES (1,f(2)),(2,3)", "INSERT INTO t VALUES (?, f(?)), (?, ?)"),
                ("SELECT a FROM t WHERE x IN (1, b, 2, 3)", "SELECT a FROM t WHERE x IN (?, b, ?)"),
            ],
            Dialect::Generic,
        );
    }

    #[test]
    fn positions_stay() {
        folds(
            &[
                (
                    "SELECT a,b FROM t GROUP BY 1,2 ORDER BY 2 desc, f(a, 3) LIMIT 5",
                    "SELECT a, b FROM t GROUP BY 1, 2 ORDER BY 2 DESC, f(a, ?) LIMIT ?",
                ),
                ("SELECT rank() OVER (ORDER BY a), 7 FROM t", "SELECT rank() OVER (ORDER BY a), ? FROM t"),
            ],
            Dialect::Generic,
        );
    }

    #[test]
    fn double_quotes_are_names_or_texts_by_dialect() {
        let sql = "SELECT \"a\" FROM t WHERE x = \"b\"";
        assert_eq!(template(sql, Dialect::Postgres), "SELECT \"a\" FROM t WHERE x = \"b\"");
        assert_eq!(template(sql, Dialect::MySql), "SELECT ? FROM t WHERE x = ?");
    }

    #[test]
    fn several_statements_are_folded_one_after_the_other() {
        assert_eq!(template("BEGIN; ; UPDATE t SET a = 1;", Dialect::Generic), "BEGIN; UPDATE t SET a = ?");
        assert_eq!(template(" ; -- nothing", Dialect::Generic), "");
    }

    #[test]
    fn limits_can_be_kept() {
        assert_eq!(
            template_keeping_limits("SELECT a FROM t WHERE x = 3 LIMIT 10 OFFSET 20", Dialect::Generic),
            "SELECT a FROM t WHERE x = ? LIMIT 10 OFFSET ?"
        );
    }

    #[test]
    fn literals_are_handed_over_in_order_with_sign_and_quotes() {
        assert_eq!(
            parameters(
                "SELECT a FROM t WHERE x IN (1,-2) AND y = 'it''s' AND z > DATE '2020-01-01'; SELECT $1",
                Dialect::Generic
            ),
            ["1", "-2", "'it''s'", "DATE '2020-01-01'", "$1"]
        );
    }
}
