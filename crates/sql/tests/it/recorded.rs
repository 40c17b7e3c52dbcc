//! Recorded results: what statements need of each table and how they are executed, for a corpus of statements.
//!
//! `fixtures/statements.txt` begins with the tables. Each statement follows with `=` what it needs and `!` what is executed, or
//! why it is not.

use std::fmt::Write;

use tablesmith_model::value::Value as ModelValue;
use tablesmith_model::workload::Workload;
use tablesmith_sql::executable::{
    Assigned, Column, Expr, Order, OutputColumn, Parameter, Parameters, Predicate, PreparedStatement, Query,
    Statement as Executed,
};
use tablesmith_sql::{Amount, Argument, Catalog, Dialect, Need, Statement, Understood, Value, resolve};

const RECORDED: &str = include_str!("fixtures/statements.txt");

#[test]
fn statements_mean_what_was_recorded() {
    let workload = workload();
    let catalog = Catalog::of_workload(&workload);
    let mut text = String::new();
    for line in RECORDED.lines() {
        if line.starts_with("table ") {
            writeln!(text, "{line}").unwrap();
        }
        let Some(escaped) = line.strip_prefix("> ") else { continue };
        let sql = unescaped(escaped);
        writeln!(text, "{line}\n{}\n{}", needs(&sql, &catalog), executed(&sql, &workload)).unwrap();
    }
    let mut statement = "";
    let mut differing = 0;
    for (recorded, now) in RECORDED.lines().zip(text.lines()) {
        if recorded.starts_with('>') {
            statement = recorded;
        }
        if recorded != now {
            println!("{statement}\n  recorded {recorded}\n  now      {now}");
            differing += 1;
        }
    }
    assert_eq!(differing, 0, "results differ from those that were recorded");
    assert_eq!(RECORDED, text);
}

/// The tables of the fixture.
fn workload() -> Workload {
    let mut toml = "version = 1\n".to_owned();
    for line in RECORDED.lines().filter_map(|line| line.strip_prefix("table ")) {
        let (name, columns) = line.split_once(' ').unwrap();
        let columns: Vec<(&str, &str)> = columns.split(' ').map(|one| one.split_once(':').unwrap()).collect();
        let key = columns[0].0;
        writeln!(toml, "[[table]]\nname = '{name}'\nkey = ['{key}']\n[table.columns]").unwrap();
        columns.iter().for_each(|(name, of)| writeln!(toml, "{name} = {{ type = '{of}' }}").unwrap());
    }
    Workload::parse(&toml).unwrap()
}

/// Line ends are written as `\n`.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        plain.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            char => char,
        });
    }
    plain
}

fn needs(sql: &str, catalog: &Catalog) -> String {
    let statement = match resolve(sql, catalog, Dialect::Generic) {
        Ok(statement) => statement,
        Err(error) => return format!("= error: {}", one_line(&error.to_string())),
    };
    let Statement { kind, needs, understood, other_tables, unknown_columns, limit, is_flat, statements } =
        statement;
    let mut text = format!("= {kind:?}");
    text += if understood == Understood::ByNames { " by names" } else { "" };
    text += if is_flat { " flat" } else { "" };
    if let Some(limit) = limit {
        text += &format!(" limit {}", amount(limit));
    }
    if statements != 1 {
        text += &format!(" statements {statements}");
    }
    needs.iter().for_each(|need| text += &format!(" | {}", one_need(need)));
    if !other_tables.is_empty() {
        text += &format!(" | others {}", other_tables.join(", "));
    }
    if !unknown_columns.is_empty() {
        text += &format!(" | unknown {}", unknown_columns.join(", "));
    }
    one_line(&text)
}

fn one_need(need: &Need) -> String {
    let Need { table, reads, writes, written, predicates, order, limit, offset, grouping, aggregates, joins } =
        need;
    let mut text = format!("{table}({})", reads.join(" "));
    if !writes.is_empty() {
        text += &format!(" writes({})", writes.join(" "));
    }
    for row in written {
        let row: Vec<String> = row.iter().map(|(column, to)| format!("{column}={}", value(to))).collect();
        text += &format!(" row({})", row.join(" "));
    }
    for predicate in predicates {
        let values: Vec<String> =
            std::iter::once(&predicate.value).chain(&predicate.more).map(value).collect();
        text += &format!(" where[{} {:?} {}]", predicate.column, predicate.operator, values.join(" "));
    }
    for join in joins {
        text += &format!(" join[{} = {}.{}]", join.column, join.other_table, join.other_column);
    }
    if !grouping.is_empty() {
        text += &format!(" group[{}]", grouping.join(" "));
    }
    for aggregate in aggregates {
        let of = match &aggregate.of {
            Argument::Rows => "*",
            Argument::Column(column) => column,
            Argument::Expression => "…",
        };
        text += &format!(" {}({of})", aggregate.function);
    }
    for by in order {
        text += &format!(" order[{}{}]", by.column, if by.descending { " desc" } else { "" });
    }
    limit.iter().for_each(|rows| text += &format!(" limit {}", amount(*rows)));
    offset.iter().for_each(|rows| text += &format!(" offset {}", amount(*rows)));
    text
}

fn amount(amount: Amount) -> String {
    amount.rows().map_or("?".to_owned(), |rows| rows.to_string())
}

fn value(value: &Value) -> String {
    match value {
        Value::Literal(text) => format!("'{text}'"),
        Value::Parameter => "?".to_owned(),
        Value::Column(table, column) => format!("{table}.{column}"),
        Value::Expression => "…".to_owned(),
    }
}

/// The statement as it is executed, with nulls for parameters that meet a column and 20 for the others.
fn executed(sql: &str, workload: &Workload) -> String {
    let result = PreparedStatement::new(sql, workload, Dialect::Generic).and_then(|prepared| {
        let values = prepared.parameters().iter().fold(Parameters::none(), |values, parameter| {
            let value = if parameter.column.is_some() { ModelValue::Null } else { ModelValue::Int(20) };
            values.with(&parameter.name, value)
        });
        Ok((prepared.bind(&values)?, prepared))
    });
    let (statement, prepared) = match result {
        Ok(found) => found,
        Err(error) => {
            let chars = error.position.map(|place| format!(" +{}", place.chars)).unwrap_or_default();
            return format!("! {}{chars}", one_line(&error.to_string()));
        }
    };
    let explain = if prepared.is_explain() { "explain " } else { "" };
    let statement = match &statement {
        Executed::Select(query) => select(query),
        Executed::Insert(insert) => {
            let row = |row: &Vec<ModelValue>| row.iter().map(typed).collect::<Vec<_>>().join(", ");
            let rows: Vec<String> = insert.rows.iter().map(|one| format!("({})", row(one))).collect();
            format!("insert {} {}", insert.table, rows.join(" "))
        }
        Executed::Update(update) => {
            let set = update.set.iter().map(|assignment| match &assignment.to {
                Assigned::Value(value) => format!("{} = {}", assignment.column, typed(value)),
                Assigned::Plus(value) => format!("{} += {}", assignment.column, typed(value)),
                Assigned::Column(column) => format!("{} = {column}", assignment.column),
            });
            let set: Vec<String> = set.collect();
            format!("update {} set {}{}", update.table, set.join(", "), filter(&update.filter))
        }
        Executed::Delete(delete) => format!("delete {}{}", delete.table, filter(&delete.filter)),
    };
    let mut text = format!("! {explain}{statement}");
    for Parameter { name, column } in prepared.parameters() {
        text += &match column {
            Some(met) => format!(" :{name}={}#{}.{}#{}", met.table, met.source, met.column, met.row),
            None => format!(" :{name}"),
        };
    }
    one_line(&text)
}

fn select(query: &Query) -> String {
    let items: Vec<String> = query
        .outputs
        .iter()
        .map(|OutputColumn { name, expr }| format!("{} as {name}", one_expr(expr)))
        .collect();
    let sources: Vec<String> =
        query.sources.iter().map(|source| format!("{} {}", source.table, source.alias)).collect();
    let distinct = if query.distinct { "distinct " } else { "" };
    let mut text = format!("select {distinct}{} from {}", items.join(", "), sources.join(", "));
    text += &filter(&query.filter);
    if let Some(grouping) = &query.grouping {
        let by: Vec<String> = grouping.by.iter().map(one_column).collect();
        let aggregates: Vec<String> = grouping.aggregates.iter().map(ToString::to_string).collect();
        text += &format!(" group[{}] of[{}]", by.join(" "), aggregates.join(" "));
        text += &filter(&grouping.having).replace(" where", " having");
    }
    for Order { by, descending, nulls_first } in &query.order {
        let direction = if *descending { " desc" } else { "" };
        let nulls = if *nulls_first { " nulls first" } else { "" };
        text += &format!(" order[{}{direction}{nulls}]", one_expr(by));
    }
    query.limit.iter().for_each(|rows| text += &format!(" limit {rows}"));
    if query.offset > 0 {
        text += &format!(" offset {}", query.offset);
    }
    text
}

fn filter(filter: &[Predicate]) -> String {
    filter.iter().map(|predicate| format!(" where[{}]", one_predicate(predicate))).collect()
}

fn one_predicate(predicate: &Predicate) -> String {
    // One of many alternatives may stand beside the others, or in parentheses.
    let alternatives =
        |predicates: &[Predicate], word: &str, of: &dyn Fn(&Predicate) -> Option<Vec<Predicate>>| {
            let mut flat: Vec<Predicate> = Vec::new();
            let mut waiting: Vec<Predicate> = predicates.iter().rev().cloned().collect();
            while let Some(next) = waiting.pop() {
                match of(&next) {
                    Some(inner) => waiting.extend(inner.into_iter().rev()),
                    None => flat.push(next),
                }
            }
            let texts: Vec<String> = flat.iter().map(one_predicate).collect();
            format!("({})", texts.join(&format!(" {word} ")))
        };
    match predicate {
        Predicate::Compare(one, how, two) => format!("{} {how:?} {}", one_expr(one), one_expr(two)),
        Predicate::In(one, list) => {
            let list: Vec<String> = list.iter().map(one_expr).collect();
            format!("{} in {}", one_expr(one), list.join(" "))
        }
        Predicate::Like(one, pattern) => format!("{} like {pattern:?}", one_expr(one)),
        Predicate::IsNull(one) => format!("{} is null", one_expr(one)),
        Predicate::Not(inner) => format!("not {}", one_predicate(inner)),
        Predicate::And(all) => alternatives(all, "and", &|predicate| match predicate {
            Predicate::And(inner) => Some(inner.clone()),
            _ => None,
        }),
        Predicate::Or(all) => alternatives(all, "or", &|predicate| match predicate {
            Predicate::Or(inner) => Some(inner.clone()),
            _ => None,
        }),
        Predicate::Known(known) => format!("{known:?}"),
    }
}

fn one_column(column: &Column) -> String {
    format!("#{}.{}:{}", column.source, column.name, column.value_type)
}

fn one_expr(expr: &Expr) -> String {
    match expr {
        Expr::Column(column) => one_column(column),
        Expr::Value(value) => typed(value),
        Expr::Aggregate(at) => format!("@{at}"),
    }
}

fn typed(value: &ModelValue) -> String {
    match value.value_type() {
        Some(value_type) => format!("{value_type} '{value}'"),
        None => "null".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}
