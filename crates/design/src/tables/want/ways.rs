//! The ways to answer a query: all its places at once, or in steps, each step for every row of those before.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::Workload;

use super::{Given, Want, of_place};
use crate::tables::ask::Ask;
use crate::tables::facts;

/// Up to so many places every order of steps is looked at.
const ORDERED_PLACES: usize = 4;

/// A way to answer a query: its wants, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The steps.
    pub steps: Vec<Want>,
}

/// All ways to answer a query.
pub fn ways(workload: &Workload, ask: &Ask) -> Vec<Way> {
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
    orders.into_iter().filter(is_possible).map(|blocks| way(workload, ask, &blocks)).collect()
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

fn way(workload: &Workload, ask: &Ask, blocks: &[Vec<usize>]) -> Way {
    let mut done: Vec<usize> = Vec::new();
    let mut steps: Vec<Want> = Vec::new();
    let mut rows = 1.0;
    for block in blocks {
        let mut want = of_block(workload, ask, block);
        want.times = rows;
        bind(workload, ask, block, &done, &mut want);
        rows *= answer_rows(workload, &want);
        done.extend(block);
        steps.push(want);
    }
    limit_first(workload, ask, &mut steps);
    Way { steps }
}

/// The want of several places at once.
fn of_block(workload: &Workload, ask: &Ask, block: &[usize]) -> Want {
    let mut want = Want::default();
    for need in block.iter().filter_map(|place| ask.needs.get(*place)) {
        let own = of_place(workload, need);
        want.tables.extend(own.tables);
        want.given.extend(own.given);
        want.ranges.extend(own.ranges);
        want.has_others |= own.has_others;
        want.reads.extend(own.reads);
        want.grouping.extend(own.grouping);
        want.sums |= own.sums;
    }
    let is_inside = |place: usize| block.contains(&place);
    let inside =
        ask.equalities.iter().filter(|equality| is_inside(equality.one.0) && is_inside(equality.two.0));
    want.equalities = inside
        .map(|equality| {
            (ask.column(equality.one.0, &equality.one.1), ask.column(equality.two.0, &equality.two.1))
        })
        .collect();
    if block.len() == ask.needs.len() {
        want.order = order(ask, block);
        want.limit = ask.limit;
    } else {
        // Groups and sums are made of the joined rows, above the steps.
        (want.grouping, want.sums) = (Vec::new(), false);
    }
    want
}

fn order(ask: &Ask, block: &[usize]) -> Vec<(ColumnOf, bool)> {
    let places = block.iter().filter_map(|place| ask.needs.get(*place).map(|need| (*place, need)));
    let orders = places.flat_map(|(place, need)| need.order.iter().map(move |order| (place, order)));
    orders.map(|(place, order)| (ask.column(place, &order.column), order.descending)).collect()
}

/// Columns that equal one of an earlier step are known.
fn bind(workload: &Workload, ask: &Ask, block: &[usize], done: &[usize], want: &mut Want) {
    for equality in &ask.equalities {
        for (own, other) in [(&equality.one, &equality.two), (&equality.two, &equality.one)] {
            if !block.contains(&own.0) || !done.contains(&other.0) {
                continue;
            }
            let column = ask.column(own.0, &own.1);
            if want.given.iter().any(|given| given.column == column) {
                continue;
            }
            let share = facts::share_with(workload, &column, &ask.column(other.0, &other.1));
            want.given.push(Given { column, values: 1.0, share });
        }
    }
}

/// Rows that one asking of a want answers.
fn answer_rows(workload: &Workload, want: &Want) -> f64 {
    let rows = |name: &String| workload.table(name).map_or(1.0, facts::rows);
    let all: f64 = want.tables.iter().map(rows).product();
    let joins: f64 = want
        .equalities
        .iter()
        .map(|(one, two)| facts::pairs(workload, one, two) / (rows(&one.table) * rows(&two.table)))
        .product();
    (all * joins * want.share()).max(f64::MIN_POSITIVE)
}

/// Where the first step has the order and every other step finds one row, the limit holds for the first step already.
fn limit_first(workload: &Workload, ask: &Ask, steps: &mut [Want]) {
    let sums = ask.needs.iter().any(|need| !need.aggregates.is_empty() || !need.grouping.is_empty());
    let Some(limit) = ask.limit.filter(|_| steps.len() > 1 && !sums && ask.is_flat) else { return };
    let all: Vec<usize> = (0..ask.needs.len()).collect();
    let wanted = order(ask, &all);
    let Some((first, later)) = steps.split_first_mut() else { return };
    let is_one = |want: &Want| {
        want.ranges.is_empty() && !want.has_others && want.given.len() == 1 && {
            let key =
                want.tables.first().and_then(|name| workload.table(name)).map(|table| table.key.as_slice());
            want.tables.len() == 1
                && key.is_some_and(|key| {
                    matches!(key, [only] if want.given.iter().all(|given| given.column.column == *only))
                })
        }
    };
    let has_order = wanted.iter().all(|(column, _)| first.tables.contains(&column.table));
    if !has_order || !later.iter().all(is_one) {
        return;
    }
    first.order = wanted;
    first.limit = Some(limit);
    for want in later {
        want.times = want.times.min(limit);
    }
}
