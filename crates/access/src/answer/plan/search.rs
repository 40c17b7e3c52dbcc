//! In which order the tables of a query are read and joined: the cheapest way, found among all by dynamic programming over
//! sets of sources (Selinger et al., 1979).

use std::collections::HashMap;

use super::parts::Part;

/// One step of a way: a part, what it takes, and whether the order of rows is kept.
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    /// Its price in milliseconds.
    pub cost_ms: f64,
    /// Whether rows come in the query's order after it.
    pub in_order: bool,
    /// What the caller wants to know of it.
    pub step: S,
}

/// What it takes to begin with a part; none where that cannot be.
pub type First<'f, S> = dyn FnMut(&Part) -> Option<Stepped<S>> + 'f;

/// What it takes to join a part, in the step of this number, to sources that are read already, in the query's order or not.
pub type Next<'n, S> = dyn FnMut(usize, u64, &Part, bool) -> Option<Stepped<S>> + 'n;

/// The cheapest way through all parts. `first` says what it takes to begin with a part, `next` what it takes to join one to
/// sources that are read already; `sort_ms` is what it takes to sort the answer when it comes in no order. None when the parts
/// do not cover all sources.
pub fn cheapest<S: Clone>(
    parts: &[Part],
    all: u64,
    first: &mut First<'_, S>,
    next: &mut Next<'_, S>,
    sort_ms: f64,
) -> Option<Vec<S>> {
    let mut best: HashMap<(u64, bool), Way<S>> = HashMap::new();
    for part in parts {
        if let Some(stepped) = first(part) {
            offer(
                &mut best,
                part.mask(),
                Way { cost_ms: stepped.cost_ms, steps: vec![stepped.step] },
                stepped.in_order,
            );
        }
    }
    // Every way to a set goes through smaller sets, which are smaller numbers.
    for mask in 1..=all {
        for in_order in [true, false] {
            let Some(way) = best.get(&(mask, in_order)).cloned() else { continue };
            for part in parts.iter().filter(|part| part.mask() & mask == 0) {
                if let Some(stepped) = next(way.steps.len(), mask, part, in_order) {
                    let mut steps = way.steps.clone();
                    steps.push(stepped.step);
                    let cost_ms = way.cost_ms + stepped.cost_ms;
                    offer(&mut best, mask | part.mask(), Way { cost_ms, steps }, stepped.in_order);
                }
            }
        }
    }
    let (sorted, unsorted) = (best.remove(&(all, true)), best.remove(&(all, false)));
    match (sorted, unsorted) {
        (Some(sorted), Some(unsorted)) if unsorted.cost_ms + sort_ms < sorted.cost_ms => Some(unsorted.steps),
        (Some(way), _) | (None, Some(way)) => Some(way.steps),
        (None, None) => None,
    }
}

/// A way to a set of sources.
#[derive(Clone, Debug)]
struct Way<S> {
    cost_ms: f64,
    steps: Vec<S>,
}

fn offer<S>(best: &mut HashMap<(u64, bool), Way<S>>, mask: u64, way: Way<S>, in_order: bool) {
    let is_better = best.get(&(mask, in_order)).is_none_or(|have| way.cost_ms < have.cost_ms);
    if is_better {
        best.insert((mask, in_order), way);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(layout: usize, sources: &[usize]) -> Part {
        Part { layout, sources: sources.to_vec(), with: None }
    }

    fn stepped(cost_ms: f64, in_order: bool, layout: usize) -> Option<Stepped<usize>> {
        Some(Stepped { cost_ms, in_order, step: layout })
    }

    #[test]
    fn the_cheapest_way_is_found_among_all_orders() {
        let parts = [part(0, &[0]), part(1, &[1]), part(2, &[2]), part(3, &[0, 1])];
        let prices = [10.0, 1.0, 5.0, 3.0];
        let mut first = |part: &Part| stepped(prices[part.layout] * 10.0, false, part.layout);
        let mut next =
            |_: usize, _: u64, part: &Part, _: bool| stepped(prices[part.layout], false, part.layout);
        let way = cheapest(&parts, 0b111, &mut first, &mut next, 0.0).unwrap();
        assert_eq!(way[0], 1, "the cheapest beginning: 10 + 5 + 10 beats 30 + 5 and 50 + 3");
        let dear = |part: &Part| if part.layout == 0 { 100.0 } else { prices[part.layout] };
        let mut next = |_: usize, _: u64, part: &Part, _: bool| stepped(dear(part), false, part.layout);
        let way = cheapest(&parts, 0b111, &mut first, &mut next, 0.0).unwrap();
        assert_eq!(way, [3, 2], "a layout that has both tables");
    }

    #[test]
    fn an_order_that_is_kept_saves_the_sort() {
        let parts = [part(0, &[0]), part(1, &[0])];
        let mut first =
            |part: &Part| stepped(if part.layout == 0 { 5.0 } else { 3.0 }, part.layout == 0, part.layout);
        let mut next = |_: usize, _: u64, _: &Part, _: bool| None;
        assert_eq!(cheapest(&parts, 1, &mut first, &mut next, 1.0), Some(vec![1]));
        assert_eq!(cheapest(&parts, 1, &mut first, &mut next, 9.0), Some(vec![0]));
        assert_eq!(cheapest(&parts, 0b11, &mut first, &mut next, 9.0), None, "nothing has the second table");
    }
}
