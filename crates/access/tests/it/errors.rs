//! What cannot be done says why, and what to do.

use std::sync::Arc;

use tablesmith_access::answer::{AnswerError, Database};
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement};

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

fn database(design: &Design) -> Result<Database, AnswerError> {
    Database::new(Arc::new(workload()), design)
}

#[test]
fn designs_that_cannot_hold_their_rows_are_refused() {
    for (key, cells, said) in [
        ("'day'", PLAIN, "\"id\" identifies a row and is not in it"),
        ("'id'", "{ family = 'f', columns = ['x'] }", "the column \"x\""),
        ("'id'", "{ family = 'f', columns = ['n', 'n'] }", "twice"),
        ("'id'", "{ family = 'f', columns = ['m'], encoding = 'i64' }", "cannot be stored as i64"),
        ("'x'", PLAIN, "\"x\", which does not exist"),
    ] {
        let error = database(&design(key, cells)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_query_that_a_design_does_not_cover_is_refused() {
    let database = database(&design("'id'", PLAIN)).unwrap();
    for (sql, said) in [
        (
            "SELECT n FROM t WHERE day = '2024-01-01'",
            "the column \"day\" is neither in the key of table \"laid\"",
        ),
        ("SELECT id FROM u", "of \"u\""),
    ] {
        let statement = PreparedStatement::new(sql, &workload(), Dialect::Generic)
            .unwrap()
            .bind(&Parameters::none())
            .unwrap();
        let error = database.plan(None, &statement).unwrap_err().to_string();
        assert!(error.contains(said), "{sql}: {error}");
    }
}

#[test]
fn a_design_without_a_base_table_is_read_and_not_written_to() {
    let database = database(&design("'id'", PLAIN)).unwrap();
    let error = database.writer().unwrap_err().to_string();
    assert!(error.contains("\"day\" is missing"), "{error}");
}
