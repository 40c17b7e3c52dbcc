//! Wishes that no design fulfils: which they are, and what could be had without them.

use std::time::{Duration, Instant};

use tablesmith_model::workload::Wishes;

use super::ask::Ask;
use super::candidate::Candidate;
use super::error::TablesError;
use super::join_orders::join_orders;
use super::pose::{Posed, What, is_served};
use super::predict::{Ground, read};
use super::select::{Selection, select};

/// Says which wish no design can fulfil.
pub fn hopeless(ground: &Ground<'_>, candidates: &[Candidate], posed: &Posed) -> Result<(), TablesError> {
    let Some(place) = posed.problem.hopeless().into_iter().next() else { return Ok(()) };
    let what = posed.demands.get(place).map(|posing| &posing.what);
    let ask = what.and_then(What::ask).and_then(|number| ground.asks.get(number));
    let Some(ask) = ask else {
        // A table without a place for all its columns: a statement that wishes one call, or to be atomic, forbids all of them.
        let wishing =
            ground.asks.iter().find(|ask| ask.writes() && (ask.wishes.one_call || ask.wishes.atomic));
        let query = wishing.map(|ask| ask.name.clone()).unwrap_or_default();
        let (wish, why) = match wishing.is_some_and(|ask| ask.wishes.one_call) {
            true => {
                ("one_call", "rows have to be read before they can be written: name them by their whole key")
            }
            false => (
                "atomic",
                "it writes several rows, and only one is written whole or not at all: name it by its whole key",
            ),
        };
        return Err(TablesError::Impossible { query, wish: wish.to_owned(), why: why.to_owned() });
    };
    Err(impossible(ground, candidates, ask))
}

/// Which wishes a query has, which of them stand in the way, and what the best design would take without any.
fn impossible(ground: &Ground<'_>, candidates: &[Candidate], ask: &Ask) -> TablesError {
    let wished = each(ask.wishes);
    let is_enough = |without: Wishes| is_served(ground, &Ask { wishes: without, ..ask.clone() }, candidates);
    let enough: Vec<&str> =
        wished.iter().filter(|one| is_enough(one.without)).map(|one| one.name.as_str()).collect();
    let advice = match enough.as_slice() {
        _ if wished.len() < 2 => "drop the wish, or ask for less".to_owned(),
        [] => "drop several of the wishes, or ask for less".to_owned(),
        [one] => format!("it can be had without {one}: drop that wish, or ask for less"),
        several => format!("it can be had without any one of {}: drop one of them", several.join(", ")),
    };
    let why = match best(ground, candidates, ask) {
        Some((cost, calls, words)) => {
            format!(
                "without wishes the best way is {words}, {} calls and {cost:.3} ms; {advice}",
                calls.round()
            )
        }
        None => "no table can hold what it asks for".to_owned(),
    };
    let wish = wished.into_iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
    TablesError::Impossible { query: ask.name.clone(), wish, why }
}

/// A wish, and the others without it.
struct Wish {
    name: String,
    without: Wishes,
}

fn each(wishes: Wishes) -> Vec<Wish> {
    let max_ms = format!("max_ms = {}", wishes.max_ms.unwrap_or_default());
    let all = [
        (wishes.one_call, "one_call", Wishes { one_call: false, ..wishes }),
        (wishes.atomic, "atomic", Wishes { atomic: false, ..wishes }),
        (wishes.fresh, "fresh", Wishes { fresh: false, ..wishes }),
        (wishes.max_ms.is_some(), max_ms.as_str(), Wishes { max_ms: None, ..wishes }),
    ];
    let wished = all.into_iter().filter(|(is_wished, ..)| *is_wished);
    wished.map(|(_, name, without)| Wish { name: name.to_owned(), without }).collect()
}

/// The cheapest way to answer a query whatever it wishes: its cost, its calls and how it goes.
fn best(ground: &Ground<'_>, candidates: &[Candidate], ask: &Ask) -> Option<(f64, f64, String)> {
    let mut best: Option<(f64, f64, String)> = None;
    for order in join_orders(ground.workload, ask) {
        let (mut cost, mut calls, mut words) = (0.0, 0.0, Vec::new());
        for want in &order.steps {
            let reads =
                candidates.iter().filter_map(|candidate| read(ground, Some(ask), want, candidate).ok());
            let cheapest = reads.min_by(|one, two| {
                ground.prices.cost(&one.operations).total_cmp(&ground.prices.cost(&two.operations))
            });
            let Some(cheapest) = cheapest else {
                cost = f64::INFINITY;
                break;
            };
            cost += ground.prices.cost(&cheapest.operations);
            calls += cheapest.operations.calls;
            words.push(cheapest.words());
        }
        if cost.is_finite() && best.as_ref().is_none_or(|best| cost < best.0) {
            best = Some((cost, calls, words.join(", then ")));
        }
    }
    best
}

/// Which wish stands in the way of all others.
pub fn contradiction(ground: &Ground<'_>, posed: &Posed, time: Duration) -> TablesError {
    let solves = |without: usize| -> Option<Selection> {
        let mut problem = posed.problem.clone();
        problem.conflicts.remove(without);
        select(&problem, Some(Instant::now() + time))
    };
    let found = (0..posed.wished.len()).find(|conflict| solves(*conflict).is_some());
    let wished = posed.wished.get(found.unwrap_or(0));
    let query = wished.and_then(|(number, _)| ground.asks.get(*number)).map(|ask| ask.name.clone());
    let wish = wished.map_or("", |(_, wish)| wish);
    let why = match wish {
        "fresh" => {
            "several queries wish to read the one place that is always true, each in another order of rows; let one of them \
             read a copy"
        }
        _ => {
            "what it writes would have to lie in one row only, and other queries need it in another order or joined with others; \
             drop the wish, or those queries' wishes"
        }
    };
    TablesError::Contradiction {
        query: query.unwrap_or_default(),
        wish: wish.to_owned(),
        why: why.to_owned(),
    }
}
