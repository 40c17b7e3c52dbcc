//! Which columns of its sources a query needs.

use std::collections::BTreeSet;

use tablesmith_sql::executable::{Column, Expr, Query};

use super::conditions::Conditions;

/// Columns whose values are needed above the reads, sorted.
pub fn columns(query: &Query, conditions: &Conditions) -> BTreeSet<Column> {
    let mut needed = BTreeSet::new();
    let items = query.outputs.iter().map(|item| &item.expr);
    for shown in items.chain(query.order.iter().map(|order| &order.by)) {
        if let Expr::Column(column) = shown {
            needed.insert(column.clone());
        }
    }
    if let Some(grouping) = &query.grouping {
        needed.extend(grouping.by.iter().cloned());
        needed.extend(grouping.aggregates.iter().filter_map(|aggregate| aggregate.of.clone()));
    }
    for (truth, _) in &conditions.left {
        truth.columns(&mut |column| {
            needed.insert(column.clone());
        });
    }
    // Where two sources meet, both sides are looked at.
    needed.extend(conditions.classes.iter().flatten().cloned());
    needed
}
