//! The decider: from a workload to the design of its tables.

use std::time::{Duration, Instant};

use tablesmith_model::cost::Prices;
use tablesmith_model::workload::Workload;
use tablesmith_plan::AccessPattern;

use super::ask::asks;
use super::build::{Decided, build};
use super::candidate::Candidate;
use super::candidates::{Ground as Making, Readings, candidates};
use super::error::TablesError;
use super::pose::{Posed, is_forbidden, maintenance_patterns, patterns, pose};
use super::predict::Ground;
use super::select::{Problem, Selection, select};
use super::wishes::{contradiction, hopeless};

/// What a decision is made with.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What operations cost.
    pub prices: Prices,
    /// Region servers, where they are said elsewhere than in the workload.
    pub servers: Option<u32>,
    /// How long the selection may take.
    pub time: Duration,
}

/// Servers of a cluster of which nobody says how many it has.
const SERVERS_ASSUMED: u32 = 3;
/// Sets that are drawn for each that is wanted.
const DRAWS_EACH: usize = 200;
/// How often a table is kept that no query needs.
const KEPT_BY_CHANCE: f64 = 0.15;

/// Designs the tables of a workload.
pub fn decide(workload: &Workload, terms: &Terms) -> Result<Decided, TablesError> {
    weigh(workload, terms, |ground, candidates, posed| {
        hopeless(ground, candidates, posed)?;
        let begun = Instant::now();
        let Some(selection) = select(&posed.problem, Some(begun + terms.time)) else {
            return Err(contradiction(ground, posed, terms.time));
        };
        Ok(build(ground, candidates, posed, &selection))
    })
}

/// Other designs that answer all queries, drawn by chance, none twice: to see whether what is predicted is what is measured.
pub fn alternatives(
    workload: &Workload,
    terms: &Terms,
    (count, seed): (usize, u64),
) -> Result<Vec<Decided>, TablesError> {
    weigh(workload, terms, |ground, candidates, posed| {
        hopeless(ground, candidates, posed)?;
        let mut random = fastrand::Rng::with_seed(seed);
        let mut sets: Vec<Selection> = Vec::new();
        for _ in 0..count * DRAWS_EACH {
            let kept = drawn(&posed.problem, candidates.len(), &mut random);
            let cost = posed.problem.cost(&kept);
            if cost.is_finite() && sets.len() < count && !sets.iter().any(|set| set.kept == kept) {
                sets.push(Selection { kept, cost, bound: 0.0, nodes: 0 });
            }
        }
        Ok(sets.iter().map(|set| build(ground, candidates, posed, set)).collect())
    })
}

/// A set drawn by chance: candidates are added until all is answered, then those that nobody needs go with some luck.
fn drawn(problem: &Problem, candidates: usize, random: &mut fastrand::Rng) -> Vec<bool> {
    let mut order: Vec<usize> = (0..candidates).collect();
    random.shuffle(&mut order);
    let mut kept = vec![false; candidates];
    let unserved = |kept: &[bool]| {
        problem.demands.iter().filter(|demand| demand.stands(kept) && demand.cost(kept).is_infinite()).count()
    };
    for candidate in order {
        let before = unserved(&kept);
        kept.get_mut(candidate).into_iter().for_each(|slot| *slot = true);
        let is_of_use = unserved(&kept) < before || random.f64() < KEPT_BY_CHANCE;
        let fits = problem
            .conflicts
            .iter()
            .all(|set| set.iter().filter(|one| kept.get(**one) == Some(&true)).count() < 2);
        kept.get_mut(candidate).into_iter().for_each(|slot| *slot = is_of_use && fits);
    }
    kept
}

/// Gathers what there is to choose from, and hands it on.
fn weigh<T>(
    workload: &Workload,
    terms: &Terms,
    then: impl FnOnce(&Ground<'_>, &[Candidate], &Posed) -> Result<T, TablesError>,
) -> Result<T, TablesError> {
    let asks = asks(workload)?;
    let mut filled = workload.with_assumptions();
    filled.cluster.region_servers = terms.servers.or(filled.cluster.region_servers).or(Some(SERVERS_ASSUMED));
    let tables = filled.tables.iter();
    let readings: Vec<Readings> =
        tables.filter_map(|table| Readings::of(&filled, table, &filled.queries)).collect();
    let servers = f64::from(filled.cluster.region_servers.unwrap_or(SERVERS_ASSUMED));
    let ground = Ground {
        workload: &filled,
        declared: workload,
        prices: &terms.prices,
        asks: &asks,
        readings: &readings,
        servers,
    };
    let candidates = all_candidates(&ground);
    let posed = pose(&ground, &candidates);
    then(&ground, &candidates, &posed)
}

/// Candidates for all wants, then for what keeping those true has to read.
fn all_candidates(ground: &Ground<'_>) -> Vec<Candidate> {
    let making = Making { workload: ground.workload, asks: ground.asks };
    let mut wanted: Vec<AccessPattern> =
        patterns(ground).into_iter().flat_map(|(_, orders)| orders).flat_map(|order| order.steps).collect();
    let first = candidates(&making, &wanted, ground.readings, ground.prices);
    wanted.extend(maintenance_patterns(ground, &first).into_iter().map(|(pattern, ..)| pattern));
    let mut all = candidates(&making, &wanted, ground.readings, ground.prices);
    all.retain(|candidate| !is_forbidden(ground, candidate));
    all
}
