//! The parts of statements that are not executed: the first one that is there, by its name.

use sqlparser::ast::{
    Delete, Distinct, Expr, Function, FunctionArguments, GroupByExpr, Insert, Join, JoinConstraint,
    JoinOperator, LimitClause, OrderByExpr, OrderByKind, OrderBySort, Query, Select, SelectFlavor,
    SelectItem, SetExpr, Spanned, TableFactor, Update, WildcardAdditionalOptions,
};

use crate::executable::{SourcePosition, StatementError};

/// The first that is there is refused.
fn first_of(found: &[(bool, &str)], instead: &str, whole: &impl Spanned) -> Option<StatementError> {
    let (_, construct) = found.iter().find(|(is_there, _)| *is_there)?;
    Some(StatementError::unsupported(*construct, instead, SourcePosition::of(whole)))
}

pub(super) fn of_query(query: &Query) -> Option<StatementError> {
    let Query {
        with,
        body: _,
        order_by,
        limit_clause,
        fetch,
        locks,
        for_clause,
        settings,
        format_clause,
        pipe_operators,
    } = query;
    let limits_by =
        matches!(limit_clause, Some(LimitClause::LimitOffset { limit_by, .. }) if !limit_by.is_empty());
    let found = [
        (with.is_some(), "WITH"),
        (fetch.is_some(), "FETCH"),
        (!locks.is_empty(), "FOR UPDATE or FOR SHARE"),
        (for_clause.is_some(), "FOR XML, JSON or BROWSE"),
        (settings.is_some(), "SETTINGS"),
        (format_clause.is_some(), "FORMAT"),
        (!pipe_operators.is_empty(), "|>"),
        (limits_by, "LIMIT … BY"),
        (order_by.as_ref().is_some_and(|order| order.interpolate.is_some()), "INTERPOLATE"),
        (order_by.as_ref().is_some_and(|order| matches!(order.kind, OrderByKind::All(_))), "ORDER BY ALL"),
    ];
    first_of(&found, "write one SELECT with FROM, WHERE, GROUP BY, ORDER BY and LIMIT", query)
}

pub(super) fn of_select(select: &Select) -> Option<StatementError> {
    let Select {
        select_token: _,
        optimizer_hints: _,
        distinct,
        select_modifiers,
        top,
        top_before_distinct: _,
        projection: _,
        exclude,
        into,
        from: _,
        lateral_views,
        prewhere,
        selection: _,
        connect_by,
        group_by,
        cluster_by,
        distribute_by,
        sort_by,
        having: _,
        named_window,
        qualify,
        window_before_qualify: _,
        value_table_mode,
        flavor,
    } = select;
    let groups_oddly = match group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(_, modifiers) => !modifiers.is_empty(),
    };
    let found = [
        (matches!(distinct, Some(Distinct::On(_))), "DISTINCT ON"),
        (select_modifiers.is_some(), "a modifier of SELECT"),
        (top.is_some(), "TOP"),
        (exclude.is_some(), "EXCLUDE"),
        (into.is_some(), "SELECT … INTO"),
        (!lateral_views.is_empty(), "LATERAL VIEW"),
        (prewhere.is_some(), "PREWHERE"),
        (!connect_by.is_empty(), "CONNECT BY"),
        (groups_oddly, "GROUP BY ALL, ROLLUP or CUBE"),
        (!cluster_by.is_empty(), "CLUSTER BY"),
        (!distribute_by.is_empty(), "DISTRIBUTE BY"),
        (!sort_by.is_empty(), "SORT BY"),
        (!named_window.is_empty(), "WINDOW"),
        (qualify.is_some(), "QUALIFY"),
        (value_table_mode.is_some(), "SELECT AS"),
        (*flavor != SelectFlavor::Standard, "FROM before SELECT"),
    ];
    first_of(&found, "write SELECT with FROM, WHERE, GROUP BY, ORDER BY and LIMIT", select)
}

pub(super) fn of_table(relation: &TableFactor) -> Option<StatementError> {
    let TableFactor::Table {
        name: _,
        alias,
        args,
        with_hints,
        version,
        with_ordinality,
        partitions,
        json_path,
        sample,
        index_hints: _,
    } = relation
    else {
        return None;
    };
    let found = [
        (args.is_some(), "a function in FROM"),
        (!with_hints.is_empty(), "WITH (hints)"),
        (version.is_some(), "FOR SYSTEM_TIME"),
        (*with_ordinality, "WITH ORDINALITY"),
        (!partitions.is_empty(), "PARTITION"),
        (json_path.is_some(), "a JSON path"),
        (sample.is_some(), "TABLESAMPLE"),
        (alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()), "an alias with columns"),
        (alias.as_ref().is_some_and(|alias| alias.at.is_some()), "AT"),
    ];
    first_of(&found, "name a table of the workload and an alias", relation)
}

pub(super) fn of_insert(insert: &Insert) -> Option<StatementError> {
    let Insert {
        or, ignore, overwrite, assignments, partitioned, after_columns, on, returning, output, ..
    } = insert;
    let Insert { replace_into, priority, insert_alias, settings, format_clause, .. } = insert;
    let Insert { multi_table_insert_type, multi_table_when_clauses, source, .. } = insert;
    let found = [
        (or.is_some(), "INSERT OR …"),
        (*ignore, "INSERT IGNORE"),
        (*replace_into, "REPLACE"),
        (*overwrite, "INSERT OVERWRITE"),
        (!assignments.is_empty(), "INSERT … SET"),
        (partitioned.is_some() || !after_columns.is_empty(), "PARTITION"),
        (on.is_some(), "ON CONFLICT and ON DUPLICATE KEY"),
        (returning.is_some() || output.is_some(), "RETURNING"),
        (priority.is_some(), "a priority of INSERT"),
        (insert_alias.is_some(), "an alias of the rows"),
        (settings.is_some() || format_clause.is_some(), "SETTINGS and FORMAT"),
        (multi_table_insert_type.is_some() || !multi_table_when_clauses.is_empty(), "INSERT ALL"),
        (source.is_none(), "INSERT without rows"),
    ];
    first_of(&found, "write INSERT INTO table (columns) VALUES (…), (…)", insert)
}

pub(super) fn of_update(update: &Update) -> Option<StatementError> {
    let Update { from, returning, output, or, order_by, limit, table, .. } = update;
    let found = [
        (from.is_some(), "UPDATE … FROM"),
        (returning.is_some() || output.is_some(), "RETURNING"),
        (or.is_some(), "UPDATE OR …"),
        (!order_by.is_empty(), "ORDER BY in UPDATE"),
        (limit.is_some(), "LIMIT in UPDATE"),
        (!table.joins.is_empty(), "UPDATE of a join"),
    ];
    first_of(&found, "write UPDATE table SET column = value WHERE …", update)
}

pub(super) fn of_delete(delete: &Delete) -> Option<StatementError> {
    let Delete { tables, using, returning, output, order_by, limit, .. } = delete;
    let found = [
        (!tables.is_empty(), "DELETE of several tables"),
        (using.is_some(), "DELETE … USING"),
        (returning.is_some() || output.is_some(), "RETURNING"),
        (!order_by.is_empty(), "ORDER BY in DELETE"),
        (limit.is_some(), "LIMIT in DELETE"),
    ];
    first_of(&found, "write DELETE FROM table WHERE …", delete)
}

pub(super) fn of_function(function: &Function, whole: &Expr) -> Option<StatementError> {
    let Function { name: _, uses_odbc_syntax, parameters, args, within_group, filter, null_treatment, over } =
        function;
    let has_clauses = matches!(args, FunctionArguments::List(list) if !list.clauses.is_empty());
    let found = [
        (over.is_some(), "OVER"),
        (filter.is_some(), "FILTER"),
        (!within_group.is_empty(), "WITHIN GROUP"),
        (null_treatment.is_some(), "IGNORE NULLS and RESPECT NULLS"),
        (*uses_odbc_syntax, "{fn …}"),
        (!matches!(parameters, FunctionArguments::None), "parameters of a function"),
        (has_clauses, "a clause inside a function"),
    ];
    first_of(&found, "write the aggregate of a column alone", whole)
}

/// What stands in `FROM` and is no table.
pub(super) fn of_relation(relation: &TableFactor) -> Option<StatementError> {
    let found = [
        (matches!(relation, TableFactor::Derived { .. }), "a query in FROM"),
        (matches!(relation, TableFactor::NestedJoin { .. }), "a join in parentheses"),
        (!matches!(relation, TableFactor::Table { .. }), "what stands in FROM"),
    ];
    first_of(&found, "name tables of the workload there", relation)
}

pub(super) fn of_join(join: &Join) -> Option<StatementError> {
    use JoinOperator as Operator;
    let constraint = match &join.join_operator {
        Operator::Join(constraint) | Operator::Inner(constraint) | Operator::CrossJoin(constraint) => {
            constraint
        }
        other => {
            let found = [
                (matches!(other, Operator::Left(_) | Operator::LeftOuter(_)), "LEFT JOIN"),
                (matches!(other, Operator::Right(_) | Operator::RightOuter(_)), "RIGHT JOIN"),
                (matches!(other, Operator::FullOuter(_)), "FULL JOIN"),
                (true, "this kind of join"),
            ];
            return first_of(&found, "only INNER JOIN and comma joins are carried out", join);
        }
    };
    let found = [
        (matches!(constraint, JoinConstraint::Using(_)), "JOIN … USING"),
        (matches!(constraint, JoinConstraint::Natural), "NATURAL JOIN"),
    ];
    first_of(&found, "write the equalities behind ON", join)
}

/// Bodies of queries that are no `SELECT`.
pub(super) fn of_body(query: &Query) -> Option<StatementError> {
    let construct = match &*query.body {
        SetExpr::Select(_) => return None,
        SetExpr::Query(_) if query.order_by.is_none() && query.limit_clause.is_none() => return None,
        SetExpr::SetOperation { op, .. } => op.to_string(),
        SetExpr::Values(_) => "VALUES alone".to_owned(),
        _ => "this kind of query".to_owned(),
    };
    Some(StatementError::unsupported(construct, "write one SELECT", SourcePosition::of(query)))
}

/// A `*` with something behind it.
pub(super) fn of_wildcard(options: &WildcardAdditionalOptions, item: &SelectItem) -> Option<StatementError> {
    let has_more = options.opt_exclude.is_some()
        || options.opt_except.is_some()
        || options.opt_ilike.is_some()
        || options.opt_replace.is_some()
        || options.opt_rename.is_some();
    first_of(&[(has_more, "* with EXCEPT, REPLACE or the like")], "name the columns", item)
}

pub(super) fn of_order(order: &OrderByExpr) -> Option<StatementError> {
    let fills = first_of(&[(order.with_fill.is_some(), "WITH FILL")], "sort by columns", order);
    let uses = matches!(order.options.sort, Some(OrderBySort::Using(_)));
    fills.or_else(|| first_of(&[(uses, "ORDER BY … USING")], "write ASC or DESC", order))
}
