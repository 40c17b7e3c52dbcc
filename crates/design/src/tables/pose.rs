//! From candidates and questions to a problem of selection: what keeping each candidate costs, and what each makes of every
//! question.

use tablesmith_model::design::ColumnOf;
use tablesmith_plan::{AccessKind, AccessPattern, ReadEstimate};
use tablesmith_sql::Kind;

use super::ask::Ask;
use super::candidate::Candidate;
use super::join_orders::{JoinOrder, join_orders};
use super::predict::{Ground, keeping, read, writes_one_record};
use super::select::{Alternative, Choice, Demand, Problem, Slot};

/// What a gibibyte costs: as much as making every call so many milliseconds longer. Small, so that it decides only between
/// designs that are equally fast.
const SPACE_MS_PER_GIB: f64 = 1e-4;
const GIB: f64 = 1_073_741_824.0;

/// A problem of selection, and what its demands are about.
pub struct Posed {
    /// The problem.
    pub problem: Problem,
    /// What each demand is about.
    pub demands: Vec<Posing>,
    /// The query whose wish each conflict comes from, and the wish.
    pub wished: Vec<(usize, &'static str)>,
}

/// What a demand is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Posing {
    /// What it is.
    pub what: What,
    /// The join orders that serve it, as the alternatives of the demand have them.
    pub orders: Vec<JoinOrder>,
}

/// What a demand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The answer to a query, by its number.
    Answer(usize),
    /// The rows that a statement changes, where it does not name them by their key.
    Find(usize),
    /// What has to be read to keep copies true when a statement writes.
    Keep(usize),
    /// A place that holds all columns of a table.
    Master(String),
}

impl What {
    /// The query that it belongs to.
    pub fn ask(&self) -> Option<usize> {
        match self {
            Self::Answer(ask) | Self::Find(ask) | Self::Keep(ask) => Some(*ask),
            Self::Master(_) => None,
        }
    }
}

/// The access patterns of all queries: answers, and the rows that statements change.
pub fn patterns(ground: &Ground<'_>) -> Vec<(What, Vec<JoinOrder>)> {
    let mut all = Vec::new();
    for (number, ask) in ground.asks.iter().enumerate() {
        match ask.writes() {
            false => all.push((What::Answer(number), join_orders(ground.workload, ask))),
            true => all.extend(
                find(ground, ask)
                    .map(|pattern| (What::Find(number), vec![JoinOrder { steps: vec![pattern] }])),
            ),
        }
    }
    all
}

/// The rows that an update or a delete changes, where it does not name whole keys.
fn find(ground: &Ground<'_>, ask: &Ask) -> Option<AccessPattern> {
    let need = ask.written().filter(|_| ask.kind != Kind::Insert)?;
    let table = ground.workload.table(&need.table)?;
    let mut pattern = AccessPattern::of_table(ground.workload, need);
    let is_named = |column: &String| pattern.equalities.iter().any(|given| given.column.column == *column);
    if !table.key.is_empty() && table.key.iter().all(is_named) {
        return None;
    }
    let conditions = need.predicates.iter().map(|predicate| &predicate.column);
    let mut reads: Vec<ColumnOf> =
        table.key.iter().chain(conditions).map(|column| ColumnOf::new(&table.name, column)).collect();
    reads.sort();
    reads.dedup();
    pattern.columns = reads;
    Some(pattern)
}

/// What keeping candidates true has to read, for every statement that writes: the pattern, the statement, the candidates.
pub fn maintenance_patterns(
    ground: &Ground<'_>,
    candidates: &[Candidate],
) -> Vec<(AccessPattern, usize, Vec<usize>)> {
    let mut all: Vec<(AccessPattern, usize, Vec<usize>)> = Vec::new();
    for (number, ask) in ground.asks.iter().enumerate().filter(|(_, ask)| ask.writes()) {
        for (place, candidate) in candidates.iter().enumerate() {
            for pattern in keeping(ground, ask, candidate).into_iter().flat_map(|kept| kept.reads) {
                match all.iter_mut().find(|(known, of, _)| *of == number && *known == pattern) {
                    Some((_, _, when)) => when.push(place),
                    None => all.push((pattern, number, vec![place])),
                }
            }
        }
    }
    all
}

/// Whether a wish forbids a candidate: a statement that wishes one call has none to spare for reading first, and one that
/// wishes to be atomic writes one record.
pub fn is_forbidden(ground: &Ground<'_>, candidate: &Candidate) -> bool {
    let is_against = |ask: &Ask| {
        let Some(kept) = keeping(ground, ask, candidate) else { return false };
        let takes_calls = !kept.reads.is_empty() || kept.operations.calls > 1.0;
        ask.wishes.one_call && takes_calls || ask.wishes.atomic && !writes_one_record(ground, ask, candidate)
    };
    ground.asks.iter().filter(|ask| ask.writes()).any(is_against)
}

/// Poses the problem of these candidates.
pub fn pose(ground: &Ground<'_>, candidates: &[Candidate]) -> Posed {
    let mut posed = Posed { problem: Problem::default(), demands: Vec::new(), wished: Vec::new() };
    let calls: f64 = ground.asks.iter().map(|ask| ask.rate).sum();
    posed.problem.keeping = candidates.iter().map(|candidate| kept_cost(ground, candidate, calls)).collect();
    for (what, orders) in patterns(ground) {
        let ask = what.ask().and_then(|number| ground.asks.get(number));
        let alternatives = orders.iter().map(|order| alternative(ground, ask, order, candidates)).collect();
        posed.add(Demand { when: Vec::new(), alternatives }, Posing { what, orders });
    }
    for (pattern, number, when) in maintenance_patterns(ground, candidates) {
        let rate = ground.asks.get(number).map_or(0.0, |ask| ask.rate);
        let slots = vec![slot(ground, None, &pattern, candidates, rate)];
        let alternatives = vec![Alternative { slots, most: f64::INFINITY }];
        let orders = vec![JoinOrder { steps: vec![pattern] }];
        posed.add(Demand { when, alternatives }, Posing { what: What::Keep(number), orders });
    }
    for table in &ground.workload.tables {
        let masters = candidates.iter().enumerate();
        let masters =
            masters.filter(|(_, candidate)| candidate.base_of(&table.name, ground.workload).is_some());
        let choices = masters.map(|(candidate, _)| Choice { candidate, cost: 0.0 }).collect();
        let alternatives = vec![Alternative { slots: vec![Slot { choices }], most: f64::INFINITY }];
        let posing = Posing { what: What::Master(table.name.clone()), orders: Vec::new() };
        posed.add(Demand { when: Vec::new(), alternatives }, posing);
    }
    exclude(ground, candidates, &mut posed);
    one_way_over_time(ground, candidates, &mut posed.problem);
    once_without_key(ground, candidates, &mut posed.problem);
    posed
}

impl Posed {
    fn add(&mut self, demand: Demand, posing: Posing) {
        self.problem.demands.push(demand);
        self.demands.push(posing);
    }
}

/// What keeping a candidate costs: its writes, and its space.
fn kept_cost(ground: &Ground<'_>, candidate: &Candidate, calls: f64) -> f64 {
    let writes: f64 = ground
        .asks
        .iter()
        .filter_map(|ask| Some(ask.rate * ground.prices.cost(&keeping(ground, ask, candidate)?.operations)))
        .sum();
    let bytes: f64 = candidate.entries.iter().map(|entry| entry.size.total_bytes()).sum();
    writes + bytes / GIB * SPACE_MS_PER_GIB * calls
}

fn alternative(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    order: &JoinOrder,
    candidates: &[Candidate],
) -> Alternative {
    let wishes = ask.map(|ask| ask.wishes).unwrap_or_default();
    let rate = ask.map_or(0.0, |ask| ask.rate);
    let is_barred = order.steps.len() > 1 && (wishes.one_call || wishes.atomic);
    let slots = order.steps.iter().map(|pattern| {
        if is_barred { Slot::default() } else { slot(ground, ask, pattern, candidates, rate) }
    });
    let most = wishes.max_ms.map_or(f64::INFINITY, |max_ms| max_ms * rate);
    Alternative { slots: slots.collect(), most }
}

/// Whether a query can be answered as it wishes, each table for itself.
pub fn is_served(ground: &Ground<'_>, ask: &Ask, candidates: &[Candidate]) -> bool {
    let least = |slot: &Slot| slot.choices.iter().map(|choice| choice.cost).fold(f64::INFINITY, f64::min);
    join_orders(ground.workload, ask).iter().any(|order| {
        let Alternative { slots, most } = alternative(ground, Some(ask), order, candidates);
        let cost: f64 = slots.iter().map(least).sum();
        cost.is_finite() && cost <= most
    })
}

/// What each candidate takes for a pattern.
fn slot(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    pattern: &AccessPattern,
    candidates: &[Candidate],
    rate: f64,
) -> Slot {
    let choices = candidates.iter().enumerate().filter_map(|(number, candidate)| {
        let read = read(ground, ask, pattern, candidate).ok()?;
        let is_allowed = ask.is_none_or(|ask| allows(ground, ask, pattern, candidate, &read));
        is_allowed.then(|| Choice { candidate: number, cost: rate * ground.prices.cost(&read.operations) })
    });
    Slot { choices: choices.collect() }
}

/// Whether a read is what the asker wishes.
fn allows(
    ground: &Ground<'_>,
    ask: &Ask,
    pattern: &AccessPattern,
    candidate: &Candidate,
    read: &ReadEstimate,
) -> bool {
    let wishes = ask.wishes;
    let is_one_row = read.access == AccessKind::Gets && read.requests <= 1.0;
    let is_master = || pattern.tables.iter().all(|table| candidate.base_of(table, ground.workload).is_some());
    (!wishes.one_call || read.operations.calls <= 1.0)
        && (!wishes.atomic || is_one_row)
        && (!wishes.fresh || is_master())
}

/// The candidates that hold rows of a table.
fn holding<'c>(candidates: &'c [Candidate], table: &'c str) -> impl Iterator<Item = usize> + 'c {
    let holds = move |one: &Candidate| one.entries.iter().any(|entry| entry.record.has(table));
    candidates.iter().enumerate().filter(move |(_, one)| holds(one)).map(|(place, _)| place)
}

/// Readings over time are written by rules of their own, so that copies of them could not be kept true: a table is stored so
/// once, and then in no other way.
fn one_way_over_time(ground: &Ground<'_>, candidates: &[Candidate], problem: &mut Problem) {
    for table in ground.readings.iter().map(|readings| &readings.table) {
        let (over_time, plain): (Vec<usize>, Vec<usize>) = holding(candidates, table)
            .partition(|place| candidates.get(*place).is_some_and(Candidate::is_over_time));
        let with = |plain: Option<usize>| over_time.iter().copied().chain(plain).collect::<Vec<usize>>();
        if over_time.len() > 1 || !plain.is_empty() && !over_time.is_empty() {
            problem.conflicts.push(with(None));
            problem.conflicts.extend(plain.into_iter().map(|place| with(Some(place))));
        }
    }
}

/// Copies of rows that cannot be told apart could not be kept true: a table without a key is stored once.
fn once_without_key(ground: &Ground<'_>, candidates: &[Candidate], problem: &mut Problem) {
    for table in ground.workload.tables.iter().filter(|table| table.key.is_empty()) {
        let holding: Vec<usize> = holding(candidates, &table.name).collect();
        if holding.len() > 1 {
            problem.conflicts.push(holding);
        }
    }
}

/// One row is all that is atomic, and one call writes one row's copies: what a statement with such a wish writes may be kept
/// once. What is read fresh is read where it is written first, so that queries which wish it of one table need one place.
fn exclude(ground: &Ground<'_>, candidates: &[Candidate], posed: &mut Posed) {
    for (number, ask) in ground.asks.iter().enumerate() {
        let touched = || {
            let all = candidates.iter().enumerate();
            all.filter(|(_, candidate)| keeping(ground, ask, candidate).is_some()).map(|(place, _)| place)
        };
        if ask.writes() && (ask.wishes.atomic || ask.wishes.one_call) {
            posed.problem.conflicts.push(touched().collect());
            posed.wished.push((number, if ask.wishes.atomic { "atomic" } else { "one_call" }));
        }
        if ask.wishes.fresh && !ask.writes() {
            // One alone may have any place: the one that serves it is the master.
            let tables =
                ask.needs.iter().map(|need| &need.table).filter(|table| fresh_reads(ground, table) > 1);
            for table in tables {
                let masters = candidates.iter().enumerate();
                let masters = masters.filter(|(_, one)| one.base_of(table, ground.workload).is_some());
                posed.problem.conflicts.push(masters.map(|(place, _)| place).collect());
                posed.wished.push((number, "fresh"));
            }
        }
    }
}

/// How often queries read a table that wish it fresh.
fn fresh_reads(ground: &Ground<'_>, table: &str) -> usize {
    let fresh = ground.asks.iter().filter(|ask| ask.wishes.fresh && !ask.writes());
    fresh.flat_map(|ask| &ask.needs).filter(|need| need.table == table).count()
}
