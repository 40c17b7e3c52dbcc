//! What the guides say, each beside what came out.

use tablesmith_model::evidence::Claim;

use super::design::Kind;
use super::measure::{DesignTook, Measured, Took};

/// Designs that differ by less are as fast as each other.
const ALIKE: f64 = 1.25;
/// How often questions are asked, beside each other: people read far more than they write.
const RATES: [(Kind, f64); 7] = [
    (Kind::Whom, 100.0),
    (Kind::Does, 200.0),
    (Kind::Who, 40.0),
    (Kind::Follow, 5.0),
    (Kind::Unfollow, 1.0),
    (Kind::Newest, 300.0),
    (Kind::Write, 2.0),
];
/// The name of the design that was not made by hand.
pub const OURS: &str = "ours";

/// What was measured.
pub struct Results<'r> {
    /// The graph.
    pub graph: &'r Measured,
    /// The stream.
    pub stream: &'r Measured,
}

/// The claims.
pub fn claims(results: &Results<'_>) -> Vec<Claim> {
    let graph = Compared(&results.graph.designs);
    let stream = Compared(&results.stream.designs);
    let ours = [graph.ours("who follows whom"), stream.ours("the stream")];
    let mut claims = vec![
        graph.calls_more(
            "adding somebody under a running number takes a read before the write (figure 7)",
            ("numbered, counter", "wide"),
            Kind::Follow,
        ),
        graph.calls_more(
            "removing somebody under a running number takes a read before the write",
            ("numbered", "wide"),
            Kind::Unfollow,
        ),
        graph.brings_more(
            "a list must be gone through to see whether A follows B when followed people are values (figures 4 to 8)",
            ("numbered", "wide"),
            Kind::Does,
        ),
        graph.slower(
            "who follows A takes a scan of the whole table unless edges are stored the other way round, too",
            ("wide", "wide, both ways"),
            Kind::Who,
        ),
        graph.alike(
            "a short scan of a tall table costs hardly more than a get of a wide row (below figure 9)",
            ("tall", "wide"),
            Kind::Whom,
        ),
        graph.alike(
            "does A follow B is a get of one small row in a tall table, at least as fast as a cell of a wide row (4.1.3)",
            ("tall", "wide"),
            Kind::Does,
        ),
        stream.slower(
            "the stream is read faster when it is kept ready than when it is put together (4.2)",
            ("joined when read", "stream table"),
            Kind::Newest,
        ),
        stream.slower(
            "and it is written slower: normalised optimises for writes, denormalised for reads (4.2)",
            ("stream table", "joined when read"),
            Kind::Write,
        ),
    ];
    claims.extend(ours.into_iter().flatten());
    claims
}

/// Milliseconds that a second's questions take on a design, by their rates; none when it cannot answer one.
pub fn weighted_ms(design: &DesignTook) -> Option<f64> {
    let asked = RATES.iter().filter_map(|(kind, rate)| Some((design.took.get(kind)?, rate)));
    let each = asked.map(|(took, rate)| took.says_all.then_some(took.mean_ms * rate));
    each.sum::<Option<f64>>()
}

/// Designs by name.
struct Compared<'c>(&'c [DesignTook]);

impl Compared<'_> {
    fn took(&self, name: &str, kind: Kind) -> Option<&Took> {
        self.0.iter().find(|design| design.name == name)?.took.get(&kind)
    }

    /// Our design beside the best of the guides.
    fn ours(&self, what: &str) -> Option<Claim> {
        let (ours, others): (Vec<&DesignTook>, Vec<&DesignTook>) =
            self.0.iter().partition(|design| design.name == OURS);
        let ours = ours.first()?;
        let total = weighted_ms(ours)?;
        let others = others.into_iter().filter_map(|design| Some((design, weighted_ms(design)?)));
        let (best, best_total) = others.min_by(|one, two| one.1.total_cmp(&two.1))?;
        let calls: Vec<String> =
            ours.took.iter().map(|(kind, took)| format!("{} {}", kind.words(), number(took.calls))).collect();
        Some(Claim {
            claim: format!(
                "{what}: the design that tablesmith finds is at least as good as the guides' best one"
            ),
            paper: format!("{}: {} ms for a second's questions", best.name, number(best_total)),
            measured: format!("{} ms; calls: {}", number(total), calls.join(", ")),
            holds: total <= best_total * ALIKE,
            reason: Some(
                "times are those inside the store's calls; within a quarter counts as equal".to_owned(),
            ),
        })
    }

    /// A claim about two designs, and why it does not hold where it does not.
    fn claim(
        &self,
        claim: &str,
        (one, other): (&str, &str),
        kind: Kind,
        why_not: &str,
        judge: impl Fn(&Took, &Took) -> (String, bool),
    ) -> Claim {
        let both = self.took(one, kind).zip(self.took(other, kind));
        let (measured, holds) = both.map_or_else(|| ("not measured".to_owned(), false), |(a, b)| judge(a, b));
        Claim {
            claim: claim.to_owned(),
            paper: format!("{one} against {other}, without figures"),
            measured,
            holds,
            reason: (!holds).then(|| why_not.to_owned()),
        }
    }

    fn calls_more(&self, claim: &str, names: (&str, &str), kind: Kind) -> Claim {
        let why_not = "nothing has to be read first here";
        self.claim(claim, names, kind, why_not, |one, other| {
            (format!("{} calls against {}", number(one.calls), number(other.calls)), one.calls > other.calls)
        })
    }

    fn brings_more(&self, claim: &str, names: (&str, &str), kind: Kind) -> Claim {
        let why_not = "the lists are too short to show it: a larger --scale has longer ones";
        self.claim(claim, names, kind, why_not, |one, other| {
            let cells = format!("{} cells against {}", number(one.cells), number(other.cells));
            (format!("{cells}; {}", times(one, other)), one.cells > other.cells)
        })
    }

    fn slower(&self, claim: &str, names: (&str, &str), kind: Kind) -> Claim {
        let why_not = "the difference is too small to show with so few rows: a larger --scale has more";
        self.claim(claim, names, kind, why_not, |one, other| (times(one, other), one.mean_ms > other.mean_ms))
    }

    fn alike(&self, claim: &str, names: (&str, &str), kind: Kind) -> Claim {
        let why_not = "a scanner that is opened and rows that are gone through have their price beside one get; \
                       the quicker calls are, the more it shows";
        self.claim(claim, names, kind, why_not, |one, other| {
            (times(one, other), one.mean_ms <= ALIKE * other.mean_ms)
        })
    }
}

/// What both took, with the rows that came back.
fn times(one: &Took, other: &Took) -> String {
    let [one_ms, other_ms, one_rows, other_rows] =
        [one.mean_ms, other.mean_ms, one.rows, other.rows].map(number);
    format!("{one_ms} ms against {other_ms} ms ({one_rows} rows against {other_rows})")
}

/// A number with as many digits as say something.
fn number(number: f64) -> String {
    match number {
        number if number >= 100.0 => format!("{number:.0}"),
        number if number >= 1.0 => format!("{number:.1}"),
        number => format!("{number:.3}"),
    }
}
