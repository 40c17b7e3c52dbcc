//! AccessKind each query is answered by the tables that are kept, and what that takes.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::{PlanAccess, Rows};
use tablesmith_plan::{AccessKind, AccessPattern, ReadEstimate};
use tablesmith_sql::Kind;

use super::kept::Kept;
use super::rivals::Rival;
use super::{crash, rivals};
use crate::tables::ask::Ask;
use crate::tables::candidate::Candidate;
use crate::tables::pose::{Posed, Posing, What};
use crate::tables::predict::{Ground, keeping, read};
use crate::tables::select::{Demand, Selection, Served};

/// How a query is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The query.
    pub name: String,
    /// Calls a second, or any weight.
    pub rate: f64,
    /// Whether it changes something.
    pub writes: bool,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// What one call takes.
    pub operations: Operations,
    /// What that costs, in milliseconds.
    pub cost_ms: f64,
    /// Why it is answered so, in sentences.
    pub reasons: Vec<String>,
    /// The best ways that were not taken.
    pub rivals: Vec<Rival>,
    /// What can be seen when a client dies half-way.
    pub after_crash: Option<String>,
}

/// One access to a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The table of the design.
    pub table: String,
    /// How it is read or written.
    pub access: PlanAccess,
    /// The families.
    pub families: Vec<String>,
    /// The same in words: `one get`, `one scan up to 20 rows`.
    pub words: String,
    /// What it takes.
    pub operations: Operations,
}

/// How all queries are answered.
pub fn all(
    ground: &Ground<'_>,
    candidates: &[Candidate],
    posed: &Posed,
    selection: &Selection,
    kept: &[Kept],
) -> Vec<Answered> {
    let planning = Planning { ground, candidates, posed, selection, kept };
    ground.asks.iter().enumerate().map(|(number, ask)| planning.answered(number, ask)).collect()
}

struct Planning<'a> {
    ground: &'a Ground<'a>,
    candidates: &'a [Candidate],
    posed: &'a Posed,
    selection: &'a Selection,
    kept: &'a [Kept],
}

impl Planning<'_> {
    fn answered(&self, number: usize, ask: &Ask) -> Answered {
        let mut steps = Vec::new();
        let mut reasons = Vec::new();
        let mut found = Vec::new();
        let mut master_reads: Vec<String> = Vec::new();
        for (demand, posing) in self.of_ask(number) {
            let Some(served) = demand.served(&self.selection.kept) else { continue };
            let reads = self.reads(ask, posing, &served);
            reasons.extend(self.why(ask, posing, &reads));
            if posing.what == What::Answer(number) {
                let (problem, ground) = (&self.posed.problem, self.ground);
                found =
                    rivals::of_query(ground, self.candidates, problem, self.selection, (demand, posing), ask);
            }
            for (pattern, kept, read) in reads {
                // What several copies need is read once.
                let id = format!("{} {:?}", kept.table.name, pattern.columns);
                if matches!(posing.what, What::Keep(_)) && master_reads.contains(&id) {
                    continue;
                }
                master_reads.push(id);
                steps.push(step(pattern, kept, &read));
            }
        }
        if ask.writes() {
            steps.extend(self.puts(ask));
        }
        let operations: Operations = steps.iter().map(|step| step.operations).sum();
        Answered {
            name: ask.name.clone(),
            rate: ask.rate,
            writes: ask.writes(),
            operations,
            cost_ms: self.ground.prices.cost(&operations),
            reasons,
            rivals: found,
            after_crash: crash::after(self.ground, ask, self.kept),
            steps,
        }
    }

    /// The demands of a query that stand.
    fn of_ask(&self, number: usize) -> impl Iterator<Item = (&Demand, &Posing)> {
        let all = self.posed.problem.demands.iter().zip(&self.posed.demands);
        all.filter(move |(demand, posing)| {
            posing.what.ask() == Some(number) && demand.stands(&self.selection.kept)
        })
    }

    fn reads<'p>(
        &'p self,
        ask: &Ask,
        posing: &'p Posing,
        served: &Served,
    ) -> Vec<(&'p AccessPattern, &'p Kept, ReadEstimate)> {
        let Some(way) = posing.orders.get(served.alternative) else { return Vec::new() };
        let asked = matches!(posing.what, What::Answer(_) | What::Find(_)).then_some(ask);
        let steps = way.steps.iter().zip(&served.candidates).filter_map(|(pattern, number)| {
            let kept = self.kept.iter().find(|kept| kept.number == *number)?;
            Some((pattern, kept, read(self.ground, asked, pattern, &kept.candidate).ok()?))
        });
        steps.collect()
    }

    /// Why a query is answered as it is.
    fn why(
        &self,
        ask: &Ask,
        posing: &Posing,
        reads: &[(&AccessPattern, &Kept, ReadEstimate)],
    ) -> Vec<String> {
        let mut said = Vec::new();
        for (pattern, kept, read) in reads {
            let columns: Vec<String> =
                pattern.equalities.iter().map(|given| given.column.to_string()).collect();
            let table = &kept.table.name;
            said.push(match (&posing.what, read.access) {
                (What::Keep(_), _) => format!("{table} is read to find the copies that have to change"),
                (What::Find(_), _) => format!("{table} is read to find the rows that change"),
                (_, AccessKind::FullScan) => format!(
                    "no key that is worth its writes begins with what is asked for: all of {table} is read"
                ),
                (_, _) if columns.is_empty() => {
                    format!("{table} holds the rows in the order that is asked for")
                }
                (_, _) if kept.candidate.entries.iter().any(|entry| entry.record.tables.len() > 1) => {
                    format!(
                        "{table} holds the rows joined already, by {}: nothing is joined when it is read",
                        columns.join(", ")
                    )
                }
                (_, _) => format!("the key of {table} begins with what is known: {}", columns.join(", ")),
            });
            if read.stops_early && pattern.limit.is_some() && !pattern.order.is_empty() {
                said.push(
                    "rows lie in the order that is asked for, so that reading stops at the limit".to_owned(),
                );
            }
        }
        if !ask.adds().is_empty() && reads.is_empty() {
            said.push(
                "the store itself adds to the number: nothing is read first, and additions do not race"
                    .to_owned(),
            );
        }
        said
    }

    /// What a statement writes, the master first; a delete the other way round.
    fn puts(&self, ask: &Ask) -> Vec<Step> {
        let touched =
            self.kept.iter().filter_map(|kept| Some((kept, keeping(self.ground, ask, &kept.candidate)?)));
        let mut steps: Vec<Step> = touched
            .map(|(kept, keeping)| Step {
                table: kept.table.name.clone(),
                access: PlanAccess::Put,
                families: written_families(kept, ask),
                words: if keeping.is_increment {
                    "one increment".to_owned()
                } else {
                    put_words(keeping.operations.puts)
                },
                operations: keeping.operations,
            })
            .collect();
        if ask.kind == Kind::Delete {
            steps.reverse();
        }
        steps
    }
}

fn put_words(puts: f64) -> String {
    match puts.round() {
        puts if puts <= 1.0 => "one row written".to_owned(),
        puts => format!("about {puts} rows written"),
    }
}

fn step(pattern: &AccessPattern, kept: &Kept, read: &ReadEstimate) -> Step {
    let stops = pattern.limit.filter(|_| read.stops_early && !matches!(read.access, AccessKind::Gets));
    let words = match stops {
        Some(limit) => format!("{} up to {limit} rows", read.words()),
        None => read.words(),
    };
    Step {
        table: kept.table.name.clone(),
        access: read.access.plan_access(),
        families: read_families(kept, pattern),
        words,
        operations: read.operations,
    }
}

/// The families that hold what a pattern reads.
fn read_families(kept: &Kept, pattern: &AccessPattern) -> Vec<String> {
    let mut families: Vec<String> = Vec::new();
    for (rows, entry) in kept.table.rows.iter().zip(&kept.candidate.entries) {
        if !pattern.tables.iter().any(|table| entry.record.has(table)) {
            continue;
        }
        let is_read = |field: &String| {
            let column = entry.column(field);
            pattern.columns.iter().any(|read| Some(entry.record.same_as(read)) == column)
        };
        let cells =
            rows.cells.iter().filter(|cells| cells.qualifier.is_some() || cells.columns.iter().any(is_read));
        add(&mut families, cells.map(|cells| &cells.family));
        if families.is_empty() {
            add(&mut families, rows.cells.first().map(|cells| &cells.family));
        }
    }
    families
}

fn written_families(kept: &Kept, ask: &Ask) -> Vec<String> {
    let mut families = Vec::new();
    let table = ask.written().map(|need| need.table.as_str()).unwrap_or_default();
    let own =
        kept.table.rows.iter().zip(&kept.candidate.entries).filter(|(_, entry)| entry.record.has(table));
    let of = |rows: &Rows| rows.cells.iter().map(|cells| cells.family.clone()).collect::<Vec<_>>();
    let all: Vec<String> = own.flat_map(|(rows, _)| of(rows)).collect();
    add(&mut families, all.iter());
    families
}

fn add<'f>(families: &mut Vec<String>, more: impl IntoIterator<Item = &'f String>) {
    for family in more {
        if !families.contains(family) {
            families.push(family.clone());
        }
    }
}
