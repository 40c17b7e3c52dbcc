//! Join orders: all tables of a query at once, or in steps, each step executed for every row of those before.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::Workload;
use tablesmith_plan::{AccessPattern, EqualityPredicate, statistics};

use super::ask::Ask;

/// Up to so many places every order of steps is looked at.
const ORDERED_PLACES: usize = 4;

/// One order: the access patterns of its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinOrder {
    /// The steps.
    pub steps: Vec<AccessPattern>,
}

/// All orders in which a query can be answered.
pub fn join_orders(workload: &Workload, ask: &Ask) -> Vec<JoinOrder> {
    let places: Vec<usize> = (0..ask.needs.len()).collect();
    let orders = if places.len() <= ORDERED_PLACES {
        partitions(&places)
    } else {
        // Too many for all orders: those places first of which something is known.
        let mut order = places;
        order.sort_by_key(|place| ask.needs.get(*place).is_none_or(|need| need.predicates.is_empty()));
        vec![order.into_iter().map(|place| vec![place]).collect()]
    };
    let is_possible = |blocks: &Vec<Vec<usize>>| blocks.iter().all(|block| is_joined(ask, block));
    orders.into_iter().filter(is_possible).map(|blocks| join_order(workload, ask, &blocks)).collect()
}

/// All lists of blocks of the places.
fn partitions(places: &[usize]) -> Vec<Vec<Vec<usize>>> {
    if places.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for subset in 1..1_usize << places.len() {
        let (block, rest): (Vec<_>, Vec<_>) =
            places.iter().enumerate().partition(|(index, _)| subset >> index & 1 == 1);
        let values =
            |list: Vec<(usize, &usize)>| list.into_iter().map(|(_, place)| *place).collect::<Vec<_>>();
        let (block, rest) = (values(block), values(rest));
        for mut after in partitions(&rest) {
            after.insert(0, block.clone());
            all.push(after);
        }
    }
    all
}

/// Whether places can be one record: different tables, inner joins, and all hang together.
fn is_joined(ask: &Ask, block: &[usize]) -> bool {
    let [first, ..] = block else { return false };
    if block.len() == 1 {
        return true;
    }
    let tables: std::collections::BTreeSet<&str> =
        block.iter().filter_map(|place| ask.needs.get(*place)).map(|need| need.table.as_str()).collect();
    if !ask.is_flat || tables.len() < block.len() {
        return false;
    }
    let mut reached = vec![*first];
    let mut next = 0;
    while let Some(place) = reached.get(next).copied() {
        for equality in &ask.equalities {
            for (from, to) in [(&equality.one, &equality.two), (&equality.two, &equality.one)] {
                if from.0 == place && block.contains(&to.0) && !reached.contains(&to.0) {
                    reached.push(to.0);
                }
            }
        }
        next += 1;
    }
    reached.len() == block.len()
}

fn join_order(workload: &Workload, ask: &Ask, blocks: &[Vec<usize>]) -> JoinOrder {
    let mut done: Vec<usize> = Vec::new();
    let mut steps: Vec<AccessPattern> = Vec::new();
    let mut rows = 1.0;
    for block in blocks {
        let mut pattern = of_block(workload, ask, block);
        pattern.executions = rows;
        pattern.is_lookup = !done.is_empty();
        bind(workload, ask, block, &done, &mut pattern);
        rows *= answer_rows(workload, &pattern);
        done.extend(block);
        steps.push(pattern);
    }
    limit_first(workload, ask, &mut steps);
    JoinOrder { steps }
}

/// The pattern of several tables at once.
fn of_block(workload: &Workload, ask: &Ask, block: &[usize]) -> AccessPattern {
    let mut pattern = AccessPattern::default();
    for need in block.iter().filter_map(|place| ask.needs.get(*place)) {
        let own = AccessPattern::of_table(workload, need);
        pattern.tables.extend(own.tables);
        pattern.equalities.extend(own.equalities);
        pattern.ranges.extend(own.ranges);
        pattern.residual += own.residual;
        pattern.columns.extend(own.columns);
        pattern.grouping.extend(own.grouping);
        pattern.aggregates |= own.aggregates;
    }
    let is_inside = |place: usize| block.contains(&place);
    let inside =
        ask.equalities.iter().filter(|equality| is_inside(equality.one.0) && is_inside(equality.two.0));
    pattern.joins = inside
        .map(|equality| {
            (ask.column(equality.one.0, &equality.one.1), ask.column(equality.two.0, &equality.two.1))
        })
        .collect();
    if block.len() == ask.needs.len() {
        pattern.order = order(ask, block);
        pattern.limit = ask.limit;
    } else {
        // Groups and sums are made of the joined rows, above the steps.
        (pattern.grouping, pattern.aggregates) = (Vec::new(), false);
    }
    pattern
}

fn order(ask: &Ask, block: &[usize]) -> Vec<(ColumnOf, bool)> {
    let places = block.iter().filter_map(|place| ask.needs.get(*place).map(|need| (*place, need)));
    let orders = places.flat_map(|(place, need)| need.order.iter().map(move |order| (place, order)));
    orders.map(|(place, order)| (ask.column(place, &order.column), order.descending)).collect()
}

/// Columns that equal one of an earlier step are known.
fn bind(workload: &Workload, ask: &Ask, block: &[usize], done: &[usize], pattern: &mut AccessPattern) {
    for equality in &ask.equalities {
        for (own, other) in [(&equality.one, &equality.two), (&equality.two, &equality.one)] {
            if !block.contains(&own.0) || !done.contains(&other.0) {
                continue;
            }
            let column = ask.column(own.0, &own.1);
            if pattern.equalities.iter().any(|given| given.column == column) {
                continue;
            }
            let share = statistics::share_with(workload, &column, &ask.column(other.0, &other.1));
            pattern.equalities.push(EqualityPredicate { column, values: 1.0, share });
        }
    }
}

/// Records that one execution of a pattern finds.
fn answer_rows(workload: &Workload, pattern: &AccessPattern) -> f64 {
    let rows = |name: &String| workload.table(name).map_or(1.0, statistics::rows);
    let all: f64 = pattern.tables.iter().map(rows).product();
    let joins: f64 = pattern
        .joins
        .iter()
        .map(|(one, two)| statistics::pairs(workload, one, two) / (rows(&one.table) * rows(&two.table)))
        .product();
    (all * joins * pattern.share()).max(f64::MIN_POSITIVE)
}

/// Where the first step has the order and every other step finds one row, the limit holds for the first step already.
fn limit_first(workload: &Workload, ask: &Ask, steps: &mut [AccessPattern]) {
    let sums = ask.needs.iter().any(|need| !need.aggregates.is_empty() || !need.grouping.is_empty());
    let Some(limit) = ask.limit.filter(|_| steps.len() > 1 && !sums && ask.is_flat) else { return };
    let all: Vec<usize> = (0..ask.needs.len()).collect();
    let wanted = order(ask, &all);
    let Some((first, later)) = steps.split_first_mut() else { return };
    let is_one = |pattern: &AccessPattern| {
        pattern.ranges.is_empty()
            && pattern.residual == 0
            && pattern.equalities.len() == 1
            && {
                let key = pattern
                    .tables
                    .first()
                    .and_then(|name| workload.table(name))
                    .map(|table| table.key.as_slice());
                pattern.tables.len() == 1
                && key.is_some_and(|key| {
                    matches!(key, [only] if pattern.equalities.iter().all(|given| given.column.column == *only))
                })
            }
    };
    let has_order = wanted.iter().all(|(column, _)| first.tables.contains(&column.table));
    if !has_order || !later.iter().all(is_one) {
        return;
    }
    first.order = wanted;
    first.limit = Some(limit);
    for pattern in later {
        pattern.executions = pattern.executions.min(limit);
    }
}
