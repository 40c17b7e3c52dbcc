//! What came out, as text for a terminal.

use std::fmt::Write as _;

use tablesmith_model::evidence::{Evidence, Pair, Rejected};

use crate::escape::printable;
use crate::number::{decimal, grouped, ms, percent, probability};
use crate::view::{View, is_told};

/// Narrower than this no table fits.
const LEAST_WIDTH: usize = 48;
/// More designs, pairs and reasons than this are on the page alone.
const MOST_DESIGNS: usize = 12;
const MOST_PAIRS: usize = 8;
const MOST_REASONS: usize = 8;

/// How a part of the summary looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// What matters most.
    Bold,
    /// What can be passed over.
    Dim,
    /// What is as it should be.
    Good,
    /// What is not.
    Bad,
}

/// Paints text, as the caller does it.
#[derive(Clone, Copy)]
struct Paint<'p>(&'p dyn Fn(Look, &str) -> String);

impl Paint<'_> {
    fn bold(self, text: &str) -> String {
        (self.0)(Look::Bold, text)
    }

    fn dim(self, text: &str) -> String {
        (self.0)(Look::Dim, text)
    }

    fn good(self, text: &str) -> String {
        (self.0)(Look::Good, text)
    }

    fn bad(self, text: &str) -> String {
        (self.0)(Look::Bad, text)
    }
}

/// What came out, for a terminal of so many columns: the verdict first. `paint` makes text look so, without changing its
/// width. Ends with a line's end.
pub fn summary(evidence: &Evidence, width: usize, paint: impl Fn(Look, &str) -> String) -> String {
    let (width, paint) = (width.max(LEAST_WIDTH), Paint(&paint));
    let view = View::of(evidence);
    let mut text = String::new();
    let verdict = if evidence.verdict.is_empty() { "Nothing was measured" } else { &evidence.verdict };
    for line in wrapped(verdict, width) {
        let _ = writeln!(text, "{}", paint.bold(&line));
    }
    if let Some(why) = &evidence.stopped {
        for line in wrapped(&format!("Measuring stopped early: {why}"), width) {
            let _ = writeln!(text, "{}", paint.bad(&line));
        }
    }
    text.push_str(&designs(&view, width, paint));
    text.push_str(&pairs(&view, width, paint));
    text.push_str(&prediction(evidence, width));
    text.push_str(&claims(evidence, width, paint));
    text.push_str(&caveats(evidence, width, paint));
    text
}

/// Lines of at most so many columns; a word that is longer is cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in printable(text).split_whitespace() {
        let word = cut(word, width);
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            *line = word;
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            *line = format!("{line} {word}");
        } else {
            lines.push(word);
        }
    }
    lines
}

/// At most so many columns of a text; what is cut off is marked.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Paragraphs with a sign before them, indented below it.
fn item(sign: &str, text: &str, width: usize) -> String {
    let mut lines = wrapped(text, width.saturating_sub(2)).into_iter();
    let mut item = format!("{sign} {}\n", lines.next().unwrap_or_default());
    lines.for_each(|line| item.push_str(&format!("  {line}\n")));
    item
}

fn designs(view: &View<'_>, width: usize, paint: Paint<'_>) -> String {
    let shown: Vec<_> = view.measured().take(MOST_DESIGNS).collect();
    if shown.is_empty() {
        return String::new();
    }
    let names: Vec<String> = shown.iter().map(|shown| printable(&shown.design.name)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let column = longest.clamp(6, width.saturating_sub(4 * 9).max(6));
    let bar_room = width.saturating_sub(column + 4 * 9 + 2).min(30);
    let slowest = shown.iter().map(|shown| shown.design.reads.mean_ms).filter(|mean| mean.is_finite());
    let slowest = slowest.fold(f64::MIN_POSITIVE, f64::max);
    let head = format!("{:column$}{:>9}{:>9}{:>9}{:>9}", "ms", "mean", "median", "95 %", "99 %");
    let mut text = format!("\n{}\n", paint.dim(&head));
    for (shown, name) in shown.iter().zip(&names) {
        let reads = &shown.design.reads;
        let [mean, median, p95, p99] = [reads.mean_ms, reads.median_ms, reads.p95_ms, reads.p99_ms].map(ms);
        let name = cut(name, column);
        let line = format!(
            "{name:column$}{mean:>9}{median:>9}{p95:>9}{p99:>9}  {}",
            bar(reads.mean_ms / slowest, bar_room)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    match view.measured().count().saturating_sub(MOST_DESIGNS) {
        0 => {}
        more => text
            .push_str(&format!("{}\n", paint.dim(&format!("… and {} more designs", grouped(more as u64))))),
    }
    text
}

fn bar(share: f64, room: usize) -> String {
    let length = if share.is_finite() { (share.clamp(0.0, 1.0) * room as f64).round() as usize } else { 0 };
    "█".repeat(length)
}

fn pairs(view: &View<'_>, width: usize, paint: Paint<'_>) -> String {
    let mut text = String::new();
    for pair in view.pairs(MOST_PAIRS) {
        let sign = if is_told(&pair) { paint.good("<") } else { paint.dim("~") };
        text.push_str(&item(&sign, &pair_words(&pair), width));
    }
    match view.evidence.pairs.len().saturating_sub(MOST_PAIRS) {
        0 => {}
        more => {
            text.push_str(&format!("{}\n", paint.dim(&format!("… and {} more pairs", grouped(more as u64)))))
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn pair_words(pair: &Pair) -> String {
    let Pair { a, b, .. } = pair;
    let (low, high, p) = (percent(pair.share_low), percent(pair.share_high), probability(pair.p));
    let interval = format!("95 % interval {low} to {high}, p {p}");
    if is_told(pair) {
        format!("{a} takes {} less than {b} ({interval})", percent(pair.share))
    } else {
        format!("{a} and {b}: no difference can be told ({interval})")
    }
}

fn prediction(evidence: &Evidence, width: usize) -> String {
    let Some(prediction) = &evidence.prediction else { return String::new() };
    let spearman =
        prediction.spearman.map_or("not known for so few designs".to_owned(), |value| decimal(value, 3));
    let worst =
        prediction.worst.as_ref().map(|name| format!("; the worst miss is {name}")).unwrap_or_default();
    let line = format!("Cost {} against measured: rank correlation {spearman}{worst}", prediction.cost);
    format!("\n{}\n", wrapped(&line, width).join("\n"))
}

fn claims(evidence: &Evidence, width: usize, paint: Paint<'_>) -> String {
    let mut text = String::new();
    for claim in &evidence.claims {
        let sign = if claim.holds { paint.good("✓") } else { paint.bad("✗") };
        let reason = claim.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let words = format!("{} (paper {}, here {}){reason}", claim.claim, claim.paper, claim.measured);
        text.push_str(&item(&sign, &words, width));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Why rows were rejected, each reason once: all designs are loaded from the same data.
fn rejected(evidence: &Evidence) -> Vec<&Rejected> {
    let mut reasons: Vec<&Rejected> = Vec::new();
    for rejected in evidence.designs.iter().flat_map(|design| &design.loaded.rejected) {
        if !reasons.iter().any(|known| known.reason == rejected.reason) && reasons.len() < MOST_REASONS {
            reasons.push(rejected);
        }
    }
    reasons
}

/// What speaks against trusting all of it without a thought.
fn caveats(evidence: &Evidence, width: usize, paint: Paint<'_>) -> String {
    let mut text = String::new();
    if !evidence.answers_equal && evidence.designs.len() > 1 {
        let words = "The answers of the designs are not known to be the same: do not trust the comparison.";
        text.push_str(&item(&paint.bad("!"), words, width));
    }
    for rejected in rejected(evidence) {
        let (rows, line) = (grouped(rejected.rows), grouped(rejected.first_line));
        let words = format!("{rows} rows rejected, the first in line {line}: {}", rejected.reason);
        text.push_str(&item(&paint.bad("!"), &words, width));
    }
    for note in &evidence.notes {
        text.push_str(&item(&paint.dim("·"), note, width));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}
