//! What cannot be designed says why, and which query it is.

use super::support::try_decide;

const TABLES: &str = r#"
[[table]]
name = "user"
rows = 1000
key = ["id"]
[table.columns]
id = { type = "int" }
name = { type = "string" }
town = { type = "string", distinct = 1000 }
"#;

#[track_caller]
fn refused(queries: &str, query: Option<&str>, told: &str) {
    let error = try_decide(&format!("{TABLES}{queries}")).unwrap_err();
    assert_eq!(error.query(), query, "{error}");
    assert!(error.to_string().contains(told), "{error}");
}

#[test]
fn unknown_names_are_told_with_what_was_probably_meant() {
    refused(
        "[[query]]\nname = \"q\"\nsql = \"SELECT nam FROM user WHERE id = ?\"\n",
        Some("q"),
        "there is \"name\"",
    );
    refused("[[query]]\nname = \"q\"\nsql = \"SELECT x FROM usr\"\n", Some("q"), "usr");
}

#[test]
fn two_statements_are_two_queries() {
    let two = "[[query]]\nname = \"q\"\nsql = \"SELECT name FROM user WHERE id = ?; DELETE FROM user WHERE id = ?\"\n";
    refused(two, Some("q"), "has 2 statements");
}

#[test]
fn a_workload_without_questions_has_no_design() {
    refused("", None, "tables follow from questions");
}

#[test]
fn a_wish_that_no_design_can_fulfil_is_told_with_the_best_that_is_possible() {
    let query = "[[query]]\nname = \"q\"\nsql = \"SELECT name FROM user WHERE id = ?\"\nmax_ms = 0.001\n";
    refused(query, Some("q"), "max_ms = 0.001");
    let two = "[[query]]\nname = \"q\"\nsql = \"SELECT a.name FROM user a JOIN user b ON a.town = b.name WHERE b.id = ?\"\none_call = true\n";
    refused(two, Some("q"), "one_call");
}

#[test]
fn of_several_wishes_those_are_named_that_stand_in_the_way() {
    let join = "[[query]]\nname = \"q\"\nsql = \"SELECT a.name FROM user a JOIN user b ON a.town = b.name WHERE b.id = ?\"\n";
    let both = format!("{join}one_call = true\nmax_ms = 100_000.0\n");
    refused(&both, Some("q"), "it can be had without one_call");
    let get = "[[query]]\nname = \"q\"\nsql = \"SELECT name FROM user WHERE id = ?\"\n";
    refused(
        &format!("{get}one_call = true\nfresh = true\nmax_ms = 0.001\n"),
        Some("q"),
        "without max_ms = 0.001",
    );
    let orders = "[[table]]\nname = \"order\"\nrows = 100_000\nkey = [\"no\"]\n[table.columns]\nno = { type = \"int\" }\n\
                  buyer = { type = \"int\", distinct = 1000 }\n[table.references]\nbuyer = \"user.id\"\n\
                  [[query]]\nname = \"q\"\nsql = \"SELECT u.name, o.no FROM user u JOIN order o ON o.buyer = u.id WHERE u.name = ?\"\n\
                  one_call = true\nfresh = true\n";
    refused(orders, Some("q"), "without any one of one_call, fresh");
}

#[test]
fn wishes_that_exclude_each_other_are_told() {
    let queries = "[[query]]\nname = \"by id\"\nsql = \"SELECT name FROM user WHERE id = ?\"\none_call = true\nmax_ms = 1.0\n\
                   [[query]]\nname = \"by town\"\nsql = \"SELECT name FROM user WHERE town = ?\"\none_call = true\nmax_ms = 0.6\n\
                   [[query]]\nname = \"add\"\nsql = \"INSERT INTO user (id, name, town) VALUES (?, ?, ?)\"\natomic = true\n";
    let large = TABLES
        .replace("rows = 1000", "rows = 100_000_000")
        .replace("distinct = 1000", "distinct = 50_000_000");
    let error = try_decide(&format!("{large}{queries}")).unwrap_err();
    assert_eq!(error.query(), Some("add"), "{error}");
    assert!(error.to_string().contains("atomic"), "{error}");
}

#[test]
fn references_that_lead_round_in_a_circle_are_refused() {
    let circle = r#"
[[table]]
name = "a"
key = ["x"]
[table.columns]
x = { type = "int" }
[table.references]
x = "b.y"
[[table]]
name = "b"
key = ["y"]
[table.columns]
y = { type = "int" }
[table.references]
y = "a.x"
[[query]]
name = "q"
sql = "SELECT x FROM a"
"#;
    let error = try_decide(circle).unwrap_err();
    assert_eq!(error.column(), Some(("a", "x")));
    assert!(error.to_string().contains("a.x → b.y → a.x"), "{error}");
}

#[test]
fn rows_without_a_key_are_stored_once() {
    let text = "[[table]]\nname = \"user\"\nrows = 1000\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\n\
                [[table]]\nname = \"visit\"\nrows = 9000\n[table.columns]\nuser = { type = \"int\", distinct = 1000 }\n\
                at = { type = \"timestamp\" }\n[table.references]\nuser = \"user.id\"\n\
                [[query]]\nname = \"q\"\nsql = \"SELECT visit.at FROM user JOIN visit ON visit.user = user.id WHERE user.id = ?\"\n\
                [[query]]\nname = \"r\"\nsql = \"SELECT user FROM visit WHERE at > ?\"\n";
    let decided = super::support::decided(text);
    let rows = decided.design.tables.iter().flat_map(|table| &table.rows);
    let of_visits: Vec<_> = rows.filter(|rows| rows.from == "visit" || !rows.join.is_empty()).collect();
    assert_eq!(of_visits.len(), 1, "{of_visits:?}");
}

#[test]
fn an_atomic_statement_writes_one_row() {
    let several =
        "[[query]]\nname = \"q\"\nsql = \"UPDATE user SET name = ? WHERE town = ?\"\natomic = true\n";
    refused(several, Some("q"), "it writes several rows");
    let one = "[[query]]\nname = \"q\"\nsql = \"UPDATE user SET name = ? WHERE id = ?\"\natomic = true\n";
    assert!(try_decide(&format!("{TABLES}{one}")).is_ok());
}

#[test]
fn a_statement_that_is_no_sql_says_what_the_parser_says() {
    refused("[[query]]\nname = \"q\"\nsql = \"SELECT name FROM user WHERE id ==\"\n", Some("q"), "Expected");
}
