//! Clauses that are in a statement and not carried out: refused by name.

use sqlparser::ast::{
    Delete, Distinct, Expr, Function, FunctionArguments, GroupByExpr, Insert, LimitClause, OrderByKind,
    Query, Select, SelectFlavor, TableFactor, Update,
};

use super::super::error::{SourcePosition, StatementError};
use super::{Reading, place};

/// Refuses the first that is there.
fn none_of(found: &[(bool, &str)], instead: &str, at: Option<SourcePosition>) -> Reading<()> {
    match found.iter().find(|(is_there, _)| *is_there) {
        Some((_, construct)) => Err(StatementError::unsupported(*construct, instead, at)),
        None => Ok(()),
    }
}

pub(super) fn of_query(query: &Query) -> Reading<()> {
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
    none_of(&found, "write one SELECT with FROM, WHERE, GROUP BY, ORDER BY and LIMIT", place::of(query))
}

pub(super) fn of_select(select: &Select) -> Reading<()> {
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
    none_of(&found, "write SELECT with FROM, WHERE, GROUP BY, ORDER BY and LIMIT", place::of(select))
}

pub(super) fn of_table(relation: &TableFactor) -> Reading<()> {
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
        return Ok(());
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
    none_of(&found, "name a table of the workload and an alias", place::of(relation))
}

pub(super) fn of_insert(insert: &Insert) -> Reading<()> {
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
    none_of(&found, "write INSERT INTO table (columns) VALUES (…), (…)", place::of(insert))
}

pub(super) fn of_update(update: &Update) -> Reading<()> {
    let Update { from, returning, output, or, order_by, limit, table, .. } = update;
    let found = [
        (from.is_some(), "UPDATE … FROM"),
        (returning.is_some() || output.is_some(), "RETURNING"),
        (or.is_some(), "UPDATE OR …"),
        (!order_by.is_empty(), "ORDER BY in UPDATE"),
        (limit.is_some(), "LIMIT in UPDATE"),
        (!table.joins.is_empty(), "UPDATE of a join"),
    ];
    none_of(&found, "write UPDATE table SET column = value WHERE …", place::of(update))
}

pub(super) fn of_delete(delete: &Delete) -> Reading<()> {
    let Delete { tables, using, returning, output, order_by, limit, .. } = delete;
    let found = [
        (!tables.is_empty(), "DELETE of several tables"),
        (using.is_some(), "DELETE … USING"),
        (returning.is_some() || output.is_some(), "RETURNING"),
        (!order_by.is_empty(), "ORDER BY in DELETE"),
        (limit.is_some(), "LIMIT in DELETE"),
    ];
    none_of(&found, "write DELETE FROM table WHERE …", place::of(delete))
}

pub(super) fn of_function(function: &Function, whole: &Expr) -> Reading<()> {
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
    none_of(&found, "write the aggregate of a column alone", place::of(whole))
}
