//! All designs in turn: what each question takes of calls, rows and time inside the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use fastrand::Rng;
use tablesmith_model::TableName;
use tablesmith_store::wrap::{Counting, Counts, OpKind, Wrapped};
use tablesmith_store::{FlushScope, Scan, Store, StoreError};

use super::design::{Answer, FollowsDesign, FollowsError, Kind, Question};
use super::world::{Message, World};
use tablesmith_verify::replay::StoreTime;
use tablesmith_verify::statistics::{quantile, sorted};

/// Messages that are written while measuring come after all others.
const LATER_MS: i64 = 86_400_000;

/// What a question took on a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Took {
    /// Round trips to the store, on average; a scan counts one for each portion that has rows.
    pub calls: f64,
    /// Rows that came back, on average.
    pub rows: f64,
    /// Cells that came back, on average.
    pub cells: f64,
    /// The median, in milliseconds.
    pub median_ms: f64,
    /// The mean, in milliseconds.
    pub mean_ms: f64,
    /// Whether the answer says all that was asked.
    pub says_all: bool,
}

/// What was measured of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignTook {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: String,
    /// How it looks.
    pub looks: String,
    /// Bytes of its tables on disk, where the store tells.
    pub stored_bytes: Option<u64>,
    /// Of each kind of question.
    pub took: BTreeMap<Kind, Took>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// One for each design, in their order.
    pub designs: Vec<DesignTook>,
    /// Answers that were wrong, in sentences.
    pub wrong: Vec<String>,
}

/// Loads all designs and asks them the same questions, so many of each kind, each time in another order.
pub async fn measure(
    store: &Arc<dyn Store>,
    designs: &[Box<dyn FollowsDesign>],
    world: &mut World,
    kinds: &[Kind],
    (rounds, seed): (usize, u64),
    says: &mut (dyn FnMut(String) + Send),
) -> Result<Measured, FollowsError> {
    for design in designs {
        says(format!("loading {}", design.name()));
        design.load(&**store, world).await?;
        for table in design.tables()? {
            store.flush(FlushScope::Table(table.clone(), None)).await?;
            store.major_compact(FlushScope::Table(table.clone(), None)).await?;
            read_once(&**store, &table).await?;
        }
    }
    says("asking all designs in turn".to_owned());
    let mut race = Race { designs, raw: vec![BTreeMap::new(); designs.len()], wrong: Vec::new() };
    let mut random = Rng::with_seed(seed);
    for round in 0..rounds {
        for kind in kinds {
            // An embedded store never waits: whoever wants to stop this gets a turn here.
            tokio::task::yield_now().await;
            let question = draw(*kind, world, &mut random, round);
            race.turn(store, &question, world, &mut random).await?;
        }
    }
    let Race { raw, wrong, .. } = race;
    let mut measured = Measured { designs: Vec::new(), wrong };
    for (design, raw) in designs.iter().zip(raw) {
        measured.designs.push(DesignTook {
            name: design.name(),
            origin: design.origin(),
            looks: design.looks(),
            stored_bytes: stored_bytes(&**store, &**design).await?,
            took: raw.into_iter().map(|(kind, raw)| (kind, raw.summed_up())).collect(),
        });
    }
    Ok(measured)
}

/// Reads all of a table, so that no question is the first to read a block from disk.
async fn read_once(store: &dyn Store, table: &TableName) -> Result<(), StoreError> {
    let mut scanner = store.scan(table, Scan::default()).await?;
    while !scanner.next_rows().await?.is_empty() {
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn stored_bytes(store: &dyn Store, design: &dyn FollowsDesign) -> Result<Option<u64>, FollowsError> {
    let mut sum = Some(0);
    for table in design.tables()? {
        for region in store.regions(&table).await? {
            sum = sum.zip(region.load.stored_bytes).map(|(sum, bytes)| sum + bytes);
        }
    }
    Ok(sum)
}

/// A question of a kind. Who begins to follow somebody in one turn no longer does after the next.
fn draw(kind: Kind, world: &World, random: &mut Rng, round: usize) -> Question {
    let user = |random: &mut Rng| random.choice(&world.users).cloned().unwrap_or_default();
    let edges = || world.edges().map(|(one, other)| (one.to_owned(), other.to_owned()));
    let edge = |random: &mut Rng| {
        let follower = user(random);
        let followed: Vec<&str> = world.followed_by(&follower).collect();
        let other = random.choice(followed).map(str::to_owned);
        other.map(|other| (follower, other)).or_else(|| edges().next()).unwrap_or_default()
    };
    match kind {
        Kind::Whom => Question::Whom(user(random)),
        Kind::Who => Question::Who(user(random)),
        Kind::Does if round.is_multiple_of(2) => {
            let (one, other) = edge(random);
            Question::Does(one, other)
        }
        Kind::Does => Question::Does(user(random), user(random)),
        Kind::Follow => {
            // As old as the graph: one who was followed before and is not now would do, too.
            let (one, mut other) = (user(random), user(random));
            for _ in 0..100 {
                if other != one && !world.followed_by(&one).any(|followed| followed == other) {
                    break;
                }
                other = user(random);
            }
            Question::Follow(one, other)
        }
        Kind::Unfollow => {
            let (one, other) = edge(random);
            Question::Unfollow(one, other)
        }
        Kind::Newest => Question::Newest(user(random)),
        Kind::Write => {
            let last = world.messages().map(|message| message.at_ms).max().unwrap_or(0);
            let text = format!("message {round}");
            Question::Write(Message { at_ms: last + LATER_MS, author: user(random), text })
        }
    }
}

/// Times that the client waits for a server. A scan is opened by its first portion, and its last one says so itself, where
/// a store here is asked once more and has nothing.
fn round_trips(counts: &Counts) -> u64 {
    let (scans, portions) = (counts.calls_of(OpKind::Scan), counts.portions());
    counts.all_calls() - scans - portions + portions.saturating_sub(scans).max(scans)
}

/// Times and counts of a kind of question.
#[derive(Clone, Debug, Default)]
struct Raw {
    millis: Vec<f64>,
    calls: u64,
    rows: u64,
    cells: u64,
    is_short: bool,
}

impl Raw {
    fn summed_up(self) -> Took {
        let count = self.millis.len().max(1) as f64;
        Took {
            calls: self.calls as f64 / count,
            rows: self.rows as f64 / count,
            cells: self.cells as f64 / count,
            mean_ms: self.millis.iter().sum::<f64>() / count,
            median_ms: quantile(&sorted(self.millis), 0.5).unwrap_or(f64::NAN),
            says_all: !self.is_short,
        }
    }
}

struct Race<'r> {
    designs: &'r [Box<dyn FollowsDesign>],
    raw: Vec<BTreeMap<Kind, Raw>>,
    wrong: Vec<String>,
}

impl Race<'_> {
    /// One question on all designs, in an order drawn anew; all must answer what is true.
    async fn turn(
        &mut self,
        store: &Arc<dyn Store>,
        question: &Question,
        world: &mut World,
        random: &mut Rng,
    ) -> Result<(), FollowsError> {
        let truth = world.ask(question);
        let mut order: Vec<usize> = (0..self.designs.len()).collect();
        random.shuffle(&mut order);
        // All before the first is asked: planning pushes the store out of the processor's caches.
        self.designs.iter().try_for_each(|design| design.prepare(question))?;
        for place in order {
            let (Some(design), Some(raw)) = (self.designs.get(place), self.raw.get_mut(place)) else {
                continue;
            };
            let timed = Arc::new(Wrapped::new(Arc::clone(store), StoreTime::default()));
            let metered = Wrapped::new(Arc::clone(&timed) as Arc<dyn Store>, Counting::default());
            let answer = design.ask(&metered, question).await?;
            let (time, counts) = (timed.intercept().usage().time, metered.intercept().snapshot());
            let raw = raw.entry(question.kind()).or_default();
            raw.millis.push(time.as_secs_f64() * 1e3);
            raw.calls += round_trips(&counts);
            raw.rows += counts.read.rows;
            raw.cells += counts.read.cells;
            raw.is_short |= matches!(answer, Answer::Count(_));
            if !answer.agrees(&truth) && self.wrong.len() < 10 {
                self.wrong.push(format!("{}: {question:?} was answered {answer:?}", design.name()));
            }
        }
        Ok(())
    }
}
