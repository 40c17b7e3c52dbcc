//! Whether a query is nothing but tables put together by inner joins.

use sqlparser::ast::{JoinOperator, Query, SetExpr, TableFactor, TableWithJoins};

/// How many tables a query puts together by inner joins; `None` where it does anything else with them.
pub(super) fn tables(query: &Query) -> Option<usize> {
    let SetExpr::Select(select) = &*query.body else { return None };
    if query.with.is_some() || !select.lateral_views.is_empty() {
        return None;
    }
    select.from.iter().map(joined).sum()
}

fn joined(table: &TableWithJoins) -> Option<usize> {
    let is_inner = |operator: &JoinOperator| {
        matches!(operator, JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_))
    };
    let is_plain = |factor: &TableFactor| matches!(factor, TableFactor::Table { args: None, .. });
    let all = table.joins.iter().all(|join| is_inner(&join.join_operator) && is_plain(&join.relation));
    (all && is_plain(&table.relation)).then_some(table.joins.len() + 1)
}

#[cfg(test)]
mod tests {
    use crate::{Amount, Catalog, Dialect, resolve};

    #[track_caller]
    fn check(sql: &str, is_flat: bool, limit: Option<u64>) {
        let mut catalog = Catalog::new();
        catalog.add("a", ["x", "y"]).add("b", ["x", "z"]);
        let statement = resolve(sql, &catalog, Dialect::default()).unwrap();
        assert_eq!((statement.is_flat, statement.limit), (is_flat, limit.map(Amount::Rows)), "{sql}");
    }

    #[test]
    fn inner_joins_of_tables_are_flat_and_their_limit_is_known() {
        check("SELECT y FROM a WHERE x = 1", true, None);
        check("SELECT y, z FROM a JOIN b ON a.x = b.x ORDER BY z LIMIT 20", true, Some(20));
        check("SELECT y, z FROM a, b WHERE a.x = b.x", true, None);
        check("SELECT y FROM a JOIN a AS other ON a.x = other.y", true, None);
        check("UPDATE a SET y = 1 WHERE x = 2", true, None);
    }

    #[test]
    fn everything_else_is_not_flat() {
        check("SELECT y, z FROM a LEFT JOIN b ON a.x = b.x", false, None);
        check("SELECT y FROM a WHERE x IN (SELECT x FROM b) LIMIT 3", false, Some(3));
        check("SELECT y FROM (SELECT y FROM a) AS inner_a", false, None);
        check("SELECT x FROM a UNION SELECT x FROM b", false, None);
    }
}
