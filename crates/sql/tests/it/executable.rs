//! Statements that are executed, and those that are refused with the name of what is not.

use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{
    Assigned, Comparison, Expr, Parameters, Predicate, PreparedStatement, Problem, Query, Statement,
    StatementError,
};

const WORKLOAD: &str = "version = 1
[[table]]
name = 'user'
key = ['id']
[table.columns]
id = { type = 'int' }
name = { type = 'string' }
born = { type = 'date' }
score = { type = 'float' }
active = { type = 'bool' }
[[table]]
name = 'follow'
key = ['follower', 'followed']
[table.columns]
follower = { type = 'int' }
followed = { type = 'int' }
since = { type = 'timestamp' }
[table.references]
follower = 'user.id'
followed = 'user.id'
";

fn bind(sql: &str, parameters: &Parameters) -> Result<Statement, StatementError> {
    PreparedStatement::new(sql, &Workload::parse(WORKLOAD).unwrap(), Dialect::Generic)?.bind(parameters)
}

fn select(sql: &str) -> Query {
    match bind(sql, &Parameters::none()).unwrap_or_else(|error| panic!("{sql}: {error}")) {
        Statement::Select(query) => query,
        other => panic!("{sql} is no query: {other:?}"),
    }
}

fn error(sql: &str) -> StatementError {
    bind(sql, &Parameters::none()).unwrap_err()
}

fn names(query: &Query) -> Vec<&str> {
    query.outputs.iter().map(|output| output.name.as_str()).collect()
}

#[test]
fn a_join_is_read_with_its_aliases_conditions_order_and_limit() {
    let query = select(
        "SELECT u.name AS who, f.since FROM follow f JOIN USER u ON u.id = f.followed \
         WHERE f.follower = 7 AND u.score BETWEEN 1 AND '2.5' ORDER BY since DESC, 1 LIMIT 10 OFFSET 3",
    );
    let sources: Vec<_> = query.sources.iter().map(|s| (s.table.as_str(), s.alias.as_str())).collect();
    assert_eq!(sources, [("follow", "f"), ("user", "u")]);
    assert_eq!(names(&query), ["who", "since"]);
    assert_eq!(query.filter.len(), 4);
    let (one, two) = query.filter[0].joins().unwrap();
    assert_eq!((one.source, one.name.as_str(), two.source, two.name.as_str()), (1, "id", 0, "followed"));
    assert!(matches!(
        &query.filter[2],
        Predicate::Compare(Expr::Column(column), Comparison::Ge, Expr::Value(Value::Float(1.0)))
            if column.name == "score"
    ));
    assert_eq!((query.limit, query.offset), (Some(10), 3));
    let order: Vec<(bool, bool)> = query.order.iter().map(|o| (o.descending, o.nulls_first)).collect();
    assert_eq!(order, [(true, false), (false, true)], "nulls are less than everything");
    assert!(matches!(&query.order[1].by, Expr::Column(column) if column.name == "name"));
}

#[test]
fn user_is_the_name_of_a_table() {
    let query =
        select("SELECT user.name FROM follow JOIN user ON user.id = follow.followed WHERE user.id = 7");
    assert_eq!((names(&query), query.filter.len()), (vec!["name"], 2));
    let star =
        select("SELECT user.* FROM user GROUP BY user.id, user.name, user.born, user.score, user.active");
    assert_eq!(star.outputs.len(), 5);
}

#[test]
fn a_star_shows_all_columns_of_all_tables() {
    let query = select("SELECT f.*, * FROM follow f, user");
    assert_eq!(names(&query)[..6], ["follower", "followed", "since", "follower", "followed", "since"]);
    assert_eq!(query.outputs.len(), 11);
}

#[test]
fn aggregates_are_collected_once() {
    let query = select(
        "SELECT followed, COUNT(*), max(since), count(*) AS n FROM follow GROUP BY followed \
         HAVING COUNT(*) > 2 AND followed <> 3 ORDER BY n DESC, MIN(since)",
    );
    let grouping = query.grouping.unwrap();
    let told: Vec<String> = grouping.aggregates.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["COUNT(*)", "MAX(since)", "MIN(since)"]);
    assert_eq!(grouping.having.len(), 2);
    assert_eq!(query.outputs[3].expr, Expr::Aggregate(0));
    assert_eq!(grouping.aggregates[1].value_type(), ValueType::Timestamp);
}

#[test]
fn having_knows_aliases_and_a_column_hides_them() {
    let having = |sql: &str| select(sql).grouping.unwrap().having.remove(0);
    let of_alias = having("SELECT followed, COUNT(*) AS n FROM follow GROUP BY followed HAVING n > 2");
    assert_eq!(
        of_alias,
        having("SELECT followed, COUNT(*) FROM follow GROUP BY followed HAVING COUNT(*) > 2")
    );
    let hidden = having(
        "SELECT followed, COUNT(*) AS followed FROM follow GROUP BY follow.followed HAVING followed > 2",
    );
    assert!(matches!(hidden, Predicate::Compare(Expr::Column(_), ..)), "{hidden:?}");
}

#[test]
fn literals_have_the_type_of_their_column() {
    let of = |sql: &str| match select(&format!("SELECT id FROM user WHERE {sql}")).filter.remove(0) {
        Predicate::Compare(_, _, Expr::Value(value)) | Predicate::Compare(Expr::Value(value), _, _) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(of("id = '5'"), Value::Int(5));
    assert_eq!(of("id = 5.0"), Value::Int(5));
    assert_eq!(of("id = -5"), Value::Int(-5));
    assert_eq!(of("id < 1.5").value_type(), Some(ValueType::Decimal), "no whole number, yet comparable");
    assert_eq!(of("3 < score"), Value::Float(3.0));
    assert_eq!(of("name = 12"), Value::String("12".into()));
    assert_eq!(of("active"), Value::Bool(true));
    assert_eq!(of("born >= DATE '2000-01-01'").to_string(), "2000-01-01");
    assert_eq!(of("born = NULL"), Value::Null);
}

#[test]
fn equalities_joined_by_or_are_a_list() {
    let query = select("SELECT id FROM user WHERE id = 1 OR id IN (2, 3) OR 4 = id");
    assert!(matches!(&query.filter[..], [Predicate::In(_, list)] if list.len() == 4), "{:?}", query.filter);
    let query = select("SELECT id FROM user WHERE id = 1 OR name = 'x'");
    assert!(matches!(&query.filter[..], [Predicate::Or(_)]));
}

#[test]
fn parameters_take_their_values_by_number_and_name() {
    let parameters = Parameters::in_order([Value::Int(1)]);
    for sql in [
        "SELECT name FROM user WHERE name = 'x' AND id = ? LIMIT 5",
        "SELECT name FROM user WHERE name = 'x' AND id = $1",
        "SELECT name FROM user WHERE name = 'x' AND id = ?1",
        "SELECT name FROM user WHERE name = 'x' AND id = :1",
    ] {
        let Ok(Statement::Select(query)) = bind(sql, &parameters) else {
            panic!("{sql}: {:?}", bind(sql, &parameters))
        };
        assert!(
            matches!(&query.filter[1], Predicate::Compare(_, _, Expr::Value(Value::Int(1)))),
            "{sql}: {query:?}"
        );
    }
    let statement = bind(
        "UPDATE user SET name = ? WHERE id = :who",
        &Parameters::in_order([Value::String("b".into())]).with_text("who", "3"),
    );
    let Statement::Update(update) = statement.unwrap() else { panic!("an update") };
    assert_eq!(update.set[0].to, Assigned::Value(Value::String("b".into())));
    assert!(matches!(&update.filter[0], Predicate::Compare(_, _, Expr::Value(Value::Int(3)))));
    let error = bind("SELECT id FROM user WHERE id = ? AND name = ?", &Parameters::none()).unwrap_err();
    assert!(
        matches!(&error.problem, Problem::NoValue { text, name } if text.contains("number 1") && name == "1"),
        "{error}"
    );
    let parameters = Parameters::none().with_text("id", "3").with_text("wo", "b");
    let error = bind("SELECT id FROM user WHERE id = :id AND name = :who", &parameters).unwrap_err();
    assert!(matches!(&error.problem, Problem::NoValue { name, .. } if name == "who"), "{error}");
    let error = bind("SELECT id FROM user WHERE id = :id", &parameters).unwrap_err();
    assert!(matches!(&error.problem, Problem::NoParameter { name, .. } if name == "wo"), "{error}");
    let error =
        bind("SELECT id FROM user WHERE id = :id", &Parameters::none().with_text("id", "x")).unwrap_err();
    assert!(matches!(error.problem, Problem::Literal { .. }), "{error}");
}

#[test]
fn changes_are_read() {
    let statement =
        bind("INSERT INTO user (name, id) VALUES ('a', 1), (NULL, 2)", &Parameters::none()).unwrap();
    let Statement::Insert(insert) = statement else { panic!("an insert") };
    assert_eq!(insert.rows[0][..2], [Value::Int(1), Value::String("a".into())]);
    assert_eq!((insert.rows[1].len(), &insert.rows[1][1]), (5, &Value::Null));
    let statement =
        bind("UPDATE user SET id = id - 3, score = 0.5 + score, name = 'x'", &Parameters::none()).unwrap();
    let Statement::Update(update) = statement else { panic!("an update") };
    let to: Vec<_> = update.set.iter().map(|assignment| assignment.to.clone()).collect();
    assert_eq!(
        to,
        [
            Assigned::Plus(Value::Int(-3)),
            Assigned::Plus(Value::Float(0.5)),
            Assigned::Value(Value::String("x".into()))
        ]
    );
    let workload = Workload::parse(WORKLOAD).unwrap();
    let sql = "EXPLAIN DELETE FROM follow WHERE follower = 1";
    let explain = PreparedStatement::new(sql, &workload, Dialect::Generic).unwrap();
    let statement = explain.bind(&Parameters::none()).unwrap();
    assert!(explain.is_explain() && matches!(statement, Statement::Delete(_)));
}

#[test]
fn what_is_not_carried_out_is_named() {
    for (sql, construct) in [
        ("SELECT id FROM user UNION SELECT id FROM user", "UNION"),
        ("SELECT u.id FROM user u LEFT JOIN follow f ON f.follower = u.id", "LEFT JOIN"),
        ("SELECT id FROM user JOIN follow USING (id)", "JOIN … USING"),
        ("WITH x AS (SELECT 1) SELECT id FROM user", "WITH"),
        ("SELECT id FROM (SELECT id FROM user) x", "a query in FROM"),
        ("SELECT id FROM user WHERE id IN (SELECT follower FROM follow)", "a query inside a query"),
        ("SELECT upper(name) FROM user", "the function upper"),
        ("SELECT id + 1 FROM user", "the expression id + 1"),
        ("SELECT sum(score) OVER () FROM user", "OVER"),
        ("SELECT DISTINCT ON (id) id FROM user", "DISTINCT ON"),
        ("SELECT id FROM user WHERE id + 1 = 2", "the expression id + 1"),
        (
            "SELECT DISTINCT name FROM user ORDER BY id",
            "ORDER BY something that SELECT DISTINCT does not show",
        ),
        ("INSERT INTO user SELECT * FROM user", "INSERT … SELECT"),
        ("INSERT INTO user (id) VALUES (1) ON CONFLICT DO NOTHING", "ON CONFLICT"),
        ("UPDATE user SET id = 1 RETURNING id", "RETURNING"),
        ("UPDATE user SET score = score * 2", "the expression score * 2"),
        ("CREATE TABLE x (id INT)", "CREATE TABLE"),
        ("SELECT id FROM user FOR UPDATE", "FOR UPDATE"),
        ("SELECT count(id + 1) FROM user", "COUNT of anything but one column"),
        ("SELECT id FROM user WHERE id LIKE '1%'", "LIKE of a column of type int"),
    ] {
        let told = error(sql);
        assert!(
            matches!(&told.problem, Problem::Unsupported { construct: named, .. } if named.starts_with(construct)),
            "{sql}: {told}"
        );
    }
}

#[test]
fn mistakes_are_pointed_at() {
    for (sql, line, column, part) in [
        ("SELECT id\nFROM user\nWHERE nam = 'x'", 3, 7, "did you mean \"name\"?"),
        ("SELECT id FROM users", 1, 16, "did you mean \"user\"?"),
        ("SELECT x.id FROM user u", 1, 8, "no table \"x\""),
        ("SELECT id FROM user WHERE id = 'abc'", 1, 32, "a whole number"),
        ("SELECT id FROM user WHERE id = name", 1, 32, "cannot be compared"),
        (
            "UPDATE user SET id = 99999999999999999999 WHERE id = 1",
            1,
            22,
            "does not fit into the column \"id\"",
        ),
        ("SELECT follower FROM follow a, follow b", 1, 8, "write the table before it"),
        ("SELECT id FROM user WHERE", 1, 25, "no SQL"),
        ("SELECT id FROM user WHERE id = = 3", 1, 32, "no SQL"),
        ("SELECT avg(name) FROM user", 1, 8, "needs numbers"),
    ] {
        let told = error(sql);
        let place = told.position.unwrap_or_else(|| panic!("{sql}: {told} has no place"));
        assert_eq!((place.line, place.column), (line, column), "{sql}: {told}");
        assert!(told.to_string().contains(part), "{sql}: {told}");
    }
    assert!(matches!(error("SELECT name, COUNT(*) FROM user").problem, Problem::NotGrouped(_)));
    assert!(matches!(error("SELECT id FROM user, user").problem, Problem::SameAlias(_)));
    assert!(matches!(error("SELECT id FROM user; SELECT 1").problem, Problem::Statements(2)));
    assert!(matches!(error("INSERT INTO user (id, name) VALUES (1)").problem, Problem::Values { .. }));
    assert!(matches!(error("").problem, Problem::Statements(0)));
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "SELECT", "FROM", "user", "follow", "WHERE", "id", "=", "?", "(", ")", ",", "*", "'x'", "1", "AND",
        "OR", "NOT", "IN", "LIKE", "IS", "NULL", "GROUP", "BY", "ORDER", "LIMIT", "COUNT", "INSERT", "INTO",
        "VALUES", "UPDATE", "SET", "DELETE", "BETWEEN", "u", ".", "JOIN", "ON", "HAVING", "-", "X'0'",
        "EXPLAIN", "AS", ";",
    ];
    let mut state = 9_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..1_500 {
        let count = next(14);
        let mut text =
            vec![["SELECT id FROM user", "SELECT", "UPDATE user SET", "DELETE FROM user", ""][next(5)]];
        text.extend((0..count).map(|_| words[next(words.len())]));
        let _ = bind(&text.join(" "), &Parameters::none());
    }
}
