//! What else was possible, and what it would have cost.

use super::kept::Kept;
use crate::tables::ask::Ask;
use crate::tables::candidate::Candidate;
use crate::tables::pose::{Posed, Posing, What};
use crate::tables::predict::{Ground, read};
use crate::tables::select::{Demand, Problem, Selection, Served};

/// So many of the best are told.
const TOLD: usize = 3;

/// A way to answer a query that was not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// What it is.
    pub what: String,
    /// What the query would cost, in milliseconds.
    pub cost_ms: f64,
    /// What all queries would cost together.
    pub total_ms: f64,
}

/// The design without one of its tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Without {
    /// The table.
    pub table: String,
    /// What all queries would cost then; none where some query has no answer left.
    pub total_ms: Option<f64>,
    /// The query that would suffer most, and what its calls would cost then.
    pub hurts: Option<(String, Option<f64>)>,
}

/// A candidate in a few words: its shape, its key, and what its rows are.
pub fn describe(candidate: &Candidate) -> String {
    let entries: Vec<String> = candidate
        .entries
        .iter()
        .map(|entry| {
            let key: Vec<String> = entry.rows.key.parts.iter().map(ToString::to_string).collect();
            let inside: Vec<String> = entry.qualifier_parts().iter().map(ToString::to_string).collect();
            let tables = entry.record.tables.join(" with ");
            match inside.as_slice() {
                [] => format!("{tables} by {}", key.join(", ")),
                _ => format!("{tables} by {}, a cell for each {}", key.join(", "), inside.join(", ")),
            }
        })
        .collect();
    format!("{}: {}", candidate.shape.name(), entries.join("; "))
}

/// The best ways to answer a query that were not taken, each once.
pub fn of_query(
    ground: &Ground<'_>,
    candidates: &[Candidate],
    problem: &Problem,
    selection: &Selection,
    (demand, posing): (&Demand, &Posing),
    ask: &Ask,
) -> Vec<Rival> {
    let taken = demand.served(&selection.kept);
    let mut found: Vec<(f64, Vec<usize>, String)> = Vec::new();
    for (alternative, way) in demand.alternatives.iter().zip(&posing.orders) {
        // Steps after the first are left as cheap as they come: one rival for each first step.
        let Some((first, later)) = alternative.slots.split_first() else { continue };
        let cheapest = later
            .iter()
            .map(|slot| slot.choices.iter().min_by(|one, two| one.cost.total_cmp(&two.cost)).copied());
        let Some(later) = cheapest.collect::<Option<Vec<_>>>() else { continue };
        for choice in &first.choices {
            let chosen: Vec<usize> =
                std::iter::once(choice.candidate).chain(later.iter().map(|one| one.candidate)).collect();
            let words = chosen.iter().zip(&way.steps).filter_map(|(number, want)| {
                let candidate = candidates.get(*number)?;
                let how = read(ground, Some(ask), want, candidate).ok()?.words();
                Some(format!("{how} of {}", describe(candidate)))
            });
            let words = words.collect::<Vec<_>>().join(", then ");
            let cost = choice.cost + later.iter().map(|one| one.cost).sum::<f64>();
            found.push((cost / ask.rate, chosen, words));
        }
    }
    found.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut said: Vec<String> = taken
        .iter()
        .flat_map(|taken| &taken.candidates)
        .filter_map(|number| candidates.get(*number))
        .map(describe)
        .collect();
    let other = |one: &&Demand| !std::ptr::eq(*one, demand);
    let others =
        Problem { demands: problem.demands.iter().filter(other).cloned().collect(), ..problem.clone() };
    let mut rivals = Vec::new();
    for (cost_ms, chosen, what) in found {
        let is_told = said.iter().any(|said| what.ends_with(said.as_str())) || rivals.len() >= TOLD;
        if is_told {
            continue;
        }
        said.push(what.clone());
        let total_ms = total_with(&others, selection, taken.as_ref(), &chosen) + cost_ms * ask.rate;
        rivals.push(Rival { what, cost_ms, total_ms });
    }
    rivals
}

/// What all other queries cost when a query is answered by these candidates, and what served it before and nobody else needs
/// is not kept.
fn total_with(others: &Problem, selection: &Selection, before: Option<&Served>, chosen: &[usize]) -> f64 {
    let mut kept = selection.kept.clone();
    chosen.iter().for_each(|number| set(&mut kept, *number, false, true));
    let mut total = others.cost(&kept);
    for number in before.iter().flat_map(|before| &before.candidates).filter(|one| !chosen.contains(one)) {
        set(&mut kept, *number, true, false);
        let without = others.cost(&kept);
        if without <= total {
            total = without;
        } else {
            set(&mut kept, *number, false, true);
        }
    }
    total
}

/// What the design would cost without each of its tables; where a table held all columns of something, with the best place for
/// those that begins with another column.
pub fn without(
    posed: &Posed,
    selection: &Selection,
    kept: &[Kept],
    ground: &Ground<'_>,
    candidates: &[Candidate],
) -> Vec<Without> {
    let one = |one: &Kept| {
        let fewer = fewer(posed, selection, one, ground, candidates);
        let total = posed.problem.cost(&fewer);
        let answers = posed.problem.demands.iter().zip(&posed.demands);
        let hurt = answers.filter_map(|(demand, posing)| {
            let What::Answer(number) = posing.what else { return None };
            let ask = ground.asks.get(number)?;
            let now = demand.served(&selection.kept)?.cost;
            let then = demand.served(&fewer).map(|served| served.cost);
            Some((then.unwrap_or(f64::INFINITY) - now, ask.name.clone(), then.map(|then| then / ask.rate)))
        });
        let worst = hurt.filter(|(more, ..)| *more > 0.0).max_by(|one, two| one.0.total_cmp(&two.0));
        Without {
            table: one.table.name.clone(),
            total_ms: total.is_finite().then_some(total),
            hurts: worst.map(|(_, name, cost)| (name, cost)),
        }
    };
    kept.iter().map(one).collect()
}

/// The selection without one candidate, each table that it held whole in the cheapest other place.
fn fewer(
    posed: &Posed,
    selection: &Selection,
    one: &Kept,
    ground: &Ground<'_>,
    candidates: &[Candidate],
) -> Vec<bool> {
    let mut kept = selection.kept.clone();
    set(&mut kept, one.number, true, false);
    for table in &one.base_of {
        let begins = |candidate: &Candidate| {
            let entry = candidate.base_of(table, ground.workload)?;
            entry.rows.key.parts.iter().find_map(|part| part.fields().first().cloned())
        };
        let own = begins(&one.candidate);
        let others = candidates
            .iter()
            .enumerate()
            .filter(|(_, other)| begins(other).is_some_and(|first| Some(first) != own));
        let priced = others.map(|(number, _)| {
            let mut with = kept.clone();
            set(&mut with, number, false, true);
            (posed.problem.cost(&with), number)
        });
        if let Some((_, number)) = priced.min_by(|one, two| one.0.total_cmp(&two.0)) {
            set(&mut kept, number, false, true);
        }
    }
    kept
}

fn set(kept: &mut [bool], number: usize, from: bool, to: bool) {
    kept.get_mut(number).filter(|place| **place == from).into_iter().for_each(|place| *place = to);
}
