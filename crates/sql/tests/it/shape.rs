//! The catalog of the tests, and needs as one short line each.

use tablesmith_sql::{Amount, Argument, Catalog, Dialect, Kind, Need, Operator, Statement, Value, resolve};

/// Users, orders and their items; `Mixed` keeps its spelling.
pub fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    catalog
        .add("users", ["id", "name", "email", "age", "active"])
        .add("orders", ["id", "user_id", "status", "total", "created"])
        .add("items", ["order_id", "product", "quantity", "price"])
        .add("Mixed", ["Key", "userId"])
        .add("visits", ["user", "at"]);
    catalog
}

/// The statement of a text; its kind and needs as text.
pub fn shape(sql: &str) -> String {
    match resolve(sql, &catalog(), Dialect::Generic) {
        Ok(statement) => describe(&statement),
        Err(error) => format!("error: {error}"),
    }
}

/// Checks a table of SQL → shape.
pub fn check(cases: &[(&str, &str)]) {
    for (sql, expected) in cases {
        assert_eq!(shape(sql), *expected, "\n{sql}");
    }
}

fn describe(statement: &Statement) -> String {
    let kind = match statement.kind {
        Kind::Select => "select",
        Kind::Insert => "insert",
        Kind::Update => "update",
        Kind::Delete => "delete",
    };
    let needs: Vec<String> = statement.needs.iter().map(describe_need).collect();
    let mut text = format!("{kind} {}", needs.join(" | "));
    if !statement.other_tables.is_empty() {
        text += &format!(" | others {}", statement.other_tables.join(","));
    }
    if !statement.unknown_columns.is_empty() {
        text += &format!(" | unknown {}", statement.unknown_columns.join(","));
    }
    text
}

fn describe_need(need: &Need) -> String {
    let mut text = format!("{}({})", need.table, need.reads.join(","));
    if !need.writes.is_empty() {
        text += &format!(" writes({})", need.writes.join(","));
    }
    if !need.predicates.is_empty() {
        let predicates: Vec<String> = need
            .predicates
            .iter()
            .map(|predicate| {
                format!("{}{}{}", predicate.column, operator(predicate.operator), value(&predicate.value))
            })
            .collect();
        text += &format!(" where[{}]", predicates.join(" "));
    }
    for join in &need.joins {
        text += &format!(" join[{}={}.{}]", join.column, join.other_table, join.other_column);
    }
    if !need.grouping.is_empty() {
        text += &format!(" group[{}]", need.grouping.join(","));
    }
    for aggregate in &need.aggregates {
        let of = match &aggregate.of {
            Argument::Rows => "*",
            Argument::Column(column) => column,
            Argument::Expression => "…",
        };
        text += &format!(" {}({of})", aggregate.function);
    }
    if !need.order.is_empty() {
        let order: Vec<String> = need
            .order
            .iter()
            .map(|by| format!("{}{}", by.column, if by.descending { "↓" } else { "↑" }))
            .collect();
        text += &format!(" order[{}]", order.join(","));
    }
    if let Some(limit) = need.limit {
        text += &format!(" limit {}", amount(limit));
    }
    if let Some(offset) = need.offset {
        text += &format!(" offset {}", amount(offset));
    }
    text
}

fn amount(amount: Amount) -> String {
    amount.rows().map_or("?".to_owned(), |rows| rows.to_string())
}

fn operator(operator: Operator) -> String {
    match operator {
        Operator::Eq => "=".to_owned(),
        Operator::In(count) => format!(" in{count} "),
        Operator::Lt => "<".to_owned(),
        Operator::Le => "<=".to_owned(),
        Operator::Gt => ">".to_owned(),
        Operator::Ge => ">=".to_owned(),
        Operator::Between => " between ".to_owned(),
        Operator::Like => " like ".to_owned(),
        Operator::IsNull => " is null ".to_owned(),
        Operator::Other => "~".to_owned(),
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Literal(text) => format!("'{text}'"),
        Value::Parameter => "?".to_owned(),
        Value::Column(table, column) => format!("{table}.{column}"),
        Value::Expression => "…".to_owned(),
    }
}
