//! Which candidates are worth measuring: the best by prediction, and the best of each other kind, since a prediction may be
//! wrong about a whole kind.

use tablesmith_model::series::{CellShape, Dimension, KeyOrder, Span};

use super::Candidate;

/// The places of at most so many candidates, the most promising first. Keys that begin with the entity differ only in how
/// entities are spread over regions, which a sample does not show: the cheapest of them stands for all.
pub fn finalists(candidates: &[Candidate], most: usize) -> Vec<usize> {
    let mut by_cost: Vec<usize> = (0..candidates.len()).collect();
    let cost = |place: &usize| candidates.get(*place).map_or(f64::INFINITY, |one| one.prediction.cost_ms);
    by_cost.sort_by(|one, two| cost(one).total_cmp(&cost(two)));
    let distinct = once_each(&by_cost, |place| candidates.get(place).map(likeness));
    let of_kind = once_each(&distinct, |place| {
        candidates.get(place).map(|one| (one.layout.dimension, one.layout.order.is_time_first()))
    });
    // Every second place goes to a kind that has none yet.
    let mut chosen: Vec<usize> = Vec::new();
    let (mut best, mut others) = (distinct.iter(), of_kind.iter());
    while chosen.len() < most.min(distinct.len()) {
        let from_best = best.by_ref().find(|place| !chosen.contains(place)).copied();
        chosen.extend(from_best);
        if chosen.len() < most {
            chosen.extend(others.by_ref().find(|place| !chosen.contains(place)).copied());
        }
    }
    chosen
}

/// The first of each likeness, in order.
fn once_each<L: PartialEq>(places: &[usize], likeness: impl Fn(usize) -> Option<L>) -> Vec<usize> {
    let mut seen: Vec<L> = Vec::new();
    let mut kept = Vec::new();
    for place in places.iter().copied() {
        let Some(own) = likeness(place) else { continue };
        if !seen.contains(&own) {
            seen.push(own);
            kept.push(place);
        }
    }
    kept
}

fn likeness(candidate: &Candidate) -> (Dimension, Span, CellShape, Option<KeyOrder>) {
    let layout = &candidate.layout;
    let order = Some(layout.order).filter(|order| order.is_time_first());
    (layout.dimension, layout.span, layout.cells, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{facts, table};
    use crate::time::{Demands, TimeKind, TimeQuery, Whose, enumerate, predict};
    use tablesmith_model::cost::Prices;

    #[test]
    fn the_best_comes_first_and_every_kind_has_a_place() {
        let kind = TimeKind::Range { entities: Whose::Named(1.0), length: 86_400e3 };
        let query = TimeQuery { name: "q".into(), rate: 1.0, kind, metrics: vec!["m0".into()] };
        let candidates: Vec<Candidate> = enumerate(&table(1), &facts(1), Demands::default())
            .layouts
            .into_iter()
            .map(|layout| {
                let prediction =
                    predict(&layout, &facts(1), std::slice::from_ref(&query), &Prices::guessed(), 1.0);
                Candidate { layout, prediction, observed: None }
            })
            .collect();
        let chosen = finalists(&candidates, 12);
        assert_eq!(chosen.len(), 12);
        let cheapest = candidates.iter().map(|one| one.prediction.cost_ms).fold(f64::INFINITY, f64::min);
        assert_eq!(candidates[chosen[0]].prediction.cost_ms, cheapest);
        let has = |wanted| chosen.iter().any(|place| candidates[*place].layout.dimension == wanted);
        assert!(Dimension::ALL.into_iter().all(has), "{chosen:?}");
        let mut twice = chosen.clone();
        twice.sort_unstable();
        twice.dedup();
        assert_eq!(twice.len(), chosen.len());
        assert_eq!(finalists(&candidates, 1), chosen[..1]);
        assert!(finalists(&[], 3).is_empty());
        assert!(finalists(&candidates, 10_000).len() < candidates.len());
    }
}
