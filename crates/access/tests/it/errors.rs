//! What cannot be done says why, and what to do.

use tablesmith_access::{Layout, Question, plan};
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;

const WORKLOAD: &str = "version = 1\n[[table]]\nname = 't'\nkey = ['id']\n[table.columns]\n\
    id = { type = 'int' }\nn = { type = 'int' }\nm = { type = 'string' }\nday = { type = 'date' }\n\
    [[table]]\nname = 'u'\n[table.columns]\nid = { type = 'int' }\n";

fn workload() -> Workload {
    Workload::parse(WORKLOAD).unwrap()
}

fn design(key: &str, cells: &str) -> Design {
    let text = format!(
        "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'laid'\n[[table.family]]\nname = 'f'\n\
         [[table.family]]\nname = 'g'\n[[table.rows]]\nfrom = 't'\nkey = [{key}]\nkey_encoding = 'binary'\n\
         cells = [{cells}]\n[[query]]\nname = 'planned'\nplan = [{{ table = 'laid', access = 'get', families = ['g'] }}]\n"
    );
    Design::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

const PLAIN: &str = "{ family = 'f', columns = ['n'] }, { family = 'g', columns = ['m'] }";

#[test]
fn designs_that_are_not_carried_out_are_refused() {
    for (key, cells, said) in [
        ("'id'", "{ family = 'f', columns = ['n'], version = 'day' }", "cells with a version"),
        ("'id'", "{ family = 'f', columns = ['n'], pack_by = 'day' }", "packed cells"),
        ("'id'", "{ family = 'f', qualifier = 'm', value = 'n' }", "whose qualifier is data"),
        ("'day'", PLAIN, "\"id\" identifies a row and is not in it"),
        ("'id'", "{ family = 'f', columns = ['x'] }", "the column \"x\""),
        ("'id'", "{ family = 'f', columns = ['n', 'n'] }", "twice"),
        ("'id'", "{ family = 'f', columns = ['m'], encoding = 'i64' }", "cannot be stored as i64"),
        ("'x'", PLAIN, "\"x\", which does not exist"),
    ] {
        let error = Layout::of(&workload(), &design(key, cells), "t").unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let error = Layout::of(&workload(), &design("'id'", PLAIN), "u").unwrap_err().to_string();
    assert_eq!(error, "the design has no rows from the table \"u\": add [[table.rows]] with from = \"u\"");
}

#[test]
fn questions_that_are_not_carried_out_are_refused() {
    for (sql, said) in [
        ("SELECT n FROM t JOIN u ON t.id = u.id", "needs t, u"),
        ("SELECT n FROM t WHERE id IN (SELECT id FROM t)", "needs t, t"),
        ("SELECT n FROM elsewhere", "none of the known tables"),
        ("SELECT x FROM t", "names the column \"x\""),
        ("UPDATE t SET n = n + 1 WHERE id = 1", "writes what only a database could compute (n)"),
        ("INSERT INTO t SELECT * FROM t", "needs t, t"),
        ("DELETE FROM t WHERE m LIKE 'a%'", "m LIKE"),
    ] {
        let error = Question::of_sql("q", sql, &workload(), Dialect::Generic).unwrap_err().to_string();
        assert!(error.contains(said), "{sql}: {error}");
    }
}

#[test]
fn values_that_do_not_go_are_refused() {
    let question = Question::of_sql(
        "q",
        "SELECT n FROM t WHERE id = ? AND day > '2024-01-01'",
        &workload(),
        Dialect::Generic,
    );
    let question = question.unwrap();
    let columns: Vec<Option<&str>> = question.slots().iter().map(|slot| slot.column.as_deref()).collect();
    assert_eq!(columns, [Some("id"), Some("day")]);
    for (literals, said) in [
        (&["7"][..], "takes 2 values, 1 were given"),
        (&["?", "'2024-01-01'"], "the parameter ? without a value"),
        (&["'x'", "'2024-01-01'"], "column \"id\": \"x\" is not a value of type int"),
        (&["7", "'soon'"], "column \"day\""),
    ] {
        let error = question.bind(literals).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(question.bind(&["7.0", "DATE '2024-02-29'"]).is_ok());
}

#[test]
fn a_design_that_does_not_cover_a_query_is_told_with_query_column_and_design() {
    let layout = Layout::of(&workload(), &design("'id'", PLAIN), "t").unwrap().named("s05");
    for (name, sql, said) in [
        (
            "by day",
            "SELECT n FROM t WHERE day = '2024-01-01'",
            "the design \"s05\" does not cover the query \"by day\": the column \"day\" is neither in its key nor in \
             its families",
        ),
        (
            "planned",
            "SELECT n FROM t WHERE id = 1",
            "the column \"n\" is neither in its key nor in the families that its plan reads (g)",
        ),
        ("q", "UPDATE t SET id = 2 WHERE id = 1", "sets \"id\""),
        ("q", "UPDATE t SET n = 2 WHERE m = 'a'", "not all of it is said"),
        ("q", "UPDATE t SET n = 2 WHERE id = 1 AND m = 'a'", "the condition m = a names no value of it"),
        ("q", "DELETE FROM t WHERE id = 1 AND id > 5", "the condition id > 5 names no value of it"),
        ("q", "SELECT id FROM u", "is about the table \"u\""),
    ] {
        let question = Question::of_sql(name, sql, &workload(), Dialect::Generic).unwrap();
        let literals: Vec<&str> =
            question.slots().iter().map(|slot| slot.literal.as_deref().unwrap()).collect();
        let error = plan(&layout, &question.bind(&literals).unwrap()).unwrap_err().to_string();
        assert!(error.contains(said), "{sql}: {error}");
    }
}
