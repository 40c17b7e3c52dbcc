//! The recommendation: even load at every moment first, then cheap reads, with as few buckets as evenness allows.

use tablesmith_model::key::{Key, Modulus};

use tablesmith_plan::REGIONS_PER_SERVER;

use super::judge::{BucketLoad, Judged, Judgement};
use super::load::hottest_share_by_chance;
use super::reads::{self, ReadCost, ReadCosts, TableFacts};
use super::setup::Setup;
use super::splits::prefix::Leading;
use super::strategy::{Strategy, StrategyName};

/// How much more than the mean the busiest server may carry.
const TOLERANCE: f64 = 1.10;

/// The recommendation.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The strategy.
    pub strategy: StrategyName,
    /// The key, with the number of buckets that was chosen.
    pub key: Key,
    /// How many buckets its prefix has; none without a prefix.
    pub buckets: Option<u64>,
    /// Regions.
    pub regions: usize,
    /// Their split points.
    pub splits: Vec<Vec<u8>>,
    /// What reads cost.
    pub reads: ReadCosts,
    /// What part goes to the hottest server at a moment, on average.
    pub mean_hottest_share: f64,
    /// What the busiest server carries in all, over the mean.
    pub busiest_over_mean: f64,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// The best key for a write stream; none without rows or strategies.
pub(super) fn choose(setup: &Setup, judgement: &Judgement) -> Option<Choice> {
    if judgement.rows == 0 {
        return None;
    }
    let mut candidates: Vec<Choice> =
        judgement.strategies.iter().filter_map(|judged| candidate(setup, judgement, judged)).collect();
    // An id that comes again must find its row: a key that is another each time would store it twice.
    let is_known_again =
        |choice: &Choice| !matches!(choice.strategy, StrategyName::Random | StrategyName::Md5LineMod);
    if judgement.duplicates.duplicates > judgement.duplicates.error && candidates.iter().any(is_known_again) {
        candidates.retain(is_known_again);
    }
    let limit = limit(setup, judgement);
    let even = |choice: &Choice| {
        choice.mean_hottest_share <= limit && choice.busiest_over_mean <= tolerance(setup, judgement)
    };
    let weight = |choice: &Choice| read_weight(setup, &choice.reads);
    let best_even = candidates
        .iter()
        .filter(|choice| even(choice))
        .min_by(|one, two| weight(one).total_cmp(&weight(two)).then(trust(one).cmp(&trust(two))));
    let coolest = || {
        let heat = |choice: &Choice| choice.mean_hottest_share;
        candidates
            .iter()
            .min_by(|one, two| heat(one).total_cmp(&heat(two)).then(weight(one).total_cmp(&weight(two))))
    };
    let mut best = best_even.or_else(coolest)?.clone();
    best.reasons = reasons(setup, judgement, &best, &candidates, best_even.is_some());
    Some(best)
}

/// Which of two equals is taken: a digest stays even when the next ids are not as these were, a remainder may not.
fn trust(choice: &Choice) -> u8 {
    match choice.strategy {
        StrategyName::Md5Mod | StrategyName::Md5ModPart => 0,
        _ => 1,
    }
}

/// The greatest part that the hottest server may get at a moment.
fn limit(setup: &Setup, judgement: &Judgement) -> f64 {
    let rows = judgement.slice_rows.min(judgement.rows) as f64;
    (TOLERANCE * hottest_share_by_chance(rows, setup.servers)).min(1.0)
}

/// The greatest load in all that a server may carry over the mean: few rows are uneven by chance.
fn tolerance(setup: &Setup, judgement: &Judgement) -> f64 {
    let chance = hottest_share_by_chance(judgement.rows as f64, setup.servers) * setup.servers as f64;
    TOLERANCE.max(chance)
}

/// A strategy at its best: with the fewest buckets that keep the load even.
fn candidate(setup: &Setup, judgement: &Judgement, judged: &Judged) -> Option<Choice> {
    let regions = setup.chosen_regions();
    let even = |load: &&BucketLoad| {
        load.busiest_over_mean <= tolerance(setup, judgement)
            && load.mean_hottest_share <= limit(setup, judgement)
    };
    let enough = |load: &&BucketLoad| load.buckets >= regions && load.buckets.is_multiple_of(regions.max(1));
    let asked = setup.prefixes.is_some();
    let buckets = judged.buckets.iter().filter(|_| !asked).filter(enough);
    let fewest = buckets
        .clone()
        .find(even)
        .or_else(|| buckets.min_by(|one, two| one.mean_hottest_share.total_cmp(&two.mean_hottest_share)));
    let as_judged = Choice {
        strategy: judged.name,
        key: judged.key.clone(),
        buckets: Leading::of(&judged.key)
            .and_then(|_| judged.key.parts.first()?.prefixes())
            .map(Modulus::get),
        regions: judged.splits.len() + 1,
        splits: judged.splits.clone(),
        reads: judged.reads.clone(),
        mean_hottest_share: judged.load.mean_hottest_share,
        busiest_over_mean: judged.load.server_rows.hottest_over_mean(),
        reasons: Vec::new(),
    };
    let Some(fewest) = fewest else { return Some(as_judged) };
    let modulus = Modulus::new(fewest.buckets as u64)?;
    let key = Strategy { name: judged.name, key: judged.key.clone() }.with_prefixes(modulus);
    Some(Choice {
        buckets: Some(modulus.get()),
        regions: fewest.regions,
        splits: Leading::Remainder(modulus).splits(fewest.regions, key.encoding),
        reads: reads_of(setup, judgement, &key),
        mean_hottest_share: fewest.mean_hottest_share,
        busiest_over_mean: fewest.busiest_over_mean,
        key,
        ..as_judged
    })
}

fn reads_of(setup: &Setup, judgement: &Judgement, key: &Key) -> ReadCosts {
    let id: Vec<String> = setup.id.iter().map(|column| column.name.clone()).collect();
    let entity = setup.entity_columns();
    let facts = TableFacts {
        id: &id,
        entity: &entity,
        rows: judgement.rows,
        regions: setup.chosen_regions(),
        rows_per_entity: judgement.rows_per_entity,
        range_rows: setup.reads.range_rows,
        buckets: 1,
        call_in_rows: setup.reads.call_in_rows,
    };
    reads::costs(key, &facts)
}

fn read_weight(setup: &Setup, costs: &ReadCosts) -> f64 {
    let weights = &setup.reads;
    let weight = |cost: &ReadCost| cost.weight(weights.call_in_rows);
    weights.point * weight(&costs.point)
        + weights.range * weight(&costs.range)
        + costs.entity.as_ref().map_or(0.0, |entity| weights.entity * weight(entity))
}

fn reasons(setup: &Setup, judgement: &Judgement, best: &Choice, all: &[Choice], even: bool) -> Vec<String> {
    let percent = |share: f64| share * 100.0;
    let mut reasons = vec![match even {
        true => format!(
            "{}: at every moment the hottest of {} servers gets {:.1} % of the writes on average ({:.1} % would be \
             even), and in all the busiest carries {:.2} × the mean",
            best.strategy,
            setup.servers,
            percent(best.mean_hottest_share),
            percent(1.0 / setup.servers as f64),
            best.busiest_over_mean
        ),
        false => format!(
            "no key is even at every moment; under {} the hottest of {} servers gets the least, {:.1} % of the writes on \
             average",
            best.strategy,
            setup.servers,
            percent(best.mean_hottest_share)
        ),
    }];
    if let Some(plain) =
        all.iter().find(|choice| choice.strategy == StrategyName::Plain).filter(|plain| *plain != best)
    {
        reasons.push(format!(
            "the plain key sends {:.1} % of the writes of a moment to one server",
            percent(plain.mean_hottest_share)
        ));
    }
    reasons.extend(about_buckets(setup, judgement, best));
    reasons.push(format!(
        "a point read takes {} ({}), a range of {} rows in id order takes {} ({})",
        calls(best.reads.point.calls),
        best.reads.point.how,
        setup.reads.range_rows,
        calls(best.reads.range.calls),
        best.reads.range.how
    ));
    if let Some(entity) = &best.reads.entity {
        let names = setup.entity_columns().join(", ");
        reasons.push(format!("the rows of one {names} take {} ({})", calls(entity.calls), entity.how));
    }
    reasons.push(about_regions(setup, best));
    reasons
}

fn calls(calls: u64) -> String {
    if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") }
}

fn about_buckets(setup: &Setup, judgement: &Judgement, best: &Choice) -> Option<String> {
    let buckets = best.buckets?;
    let prefixes = judgement.prefixes;
    match setup.prefixes {
        Some(_) => Some(format!("{buckets} buckets, as asked: a scan in id order opens a scanner for each")),
        None if buckets < prefixes => Some(format!(
            "{buckets} buckets are the fewest that give every region one and keep the busiest server within 10 % of the \
             mean: a scan in id order opens {buckets} scanners, with {prefixes} prefixes it would open as many"
        )),
        None => Some(format!("{buckets} prefixes: fewer did not keep the load even")),
    }
}

fn about_regions(setup: &Setup, best: &Choice) -> String {
    let each = best.regions as f64 / setup.servers as f64;
    match setup.regions {
        Some(1) => "one region, as asked: one server carries all".to_owned(),
        Some(asked) => format!("{asked} regions, as asked: {each:.1} for each server"),
        None => format!(
            "{} regions, {REGIONS_PER_SERVER} for each server: a server works on several regions at once, and the cluster \
             can grow to {} servers before a region must be split",
            best.regions, best.regions
        ),
    }
}
