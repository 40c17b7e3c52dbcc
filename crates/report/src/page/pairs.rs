//! Paired differences: the mean with its interval, how differences are spread, and the test in figures.

use super::html::{self, Cell, MOST_ROWS, Table, figure, paragraph};
use crate::number::{grouped, ms, percent, probability, significant};
use crate::pictures::Pictures;
use crate::view::View;

/// The section, when there are pairs.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let pairs = &view.evidence.pairs;
    if pairs.is_empty() {
        return String::new();
    }
    let lead = paragraph(
        "Every query was asked of both designs of a pair, so that each answer has its counterpart. A difference is the second's time less the \
         first's; the first is the one that was faster. Where the 95 % interval of the mean has 0 in it, there is no telling.",
    );
    let heads =
        ["first", "second", "difference, ms", "95 % interval", "share", "t", "p", "effect", "queries"];
    let mut table = Table::new("Paired t-tests", &heads);
    for pair in view.pairs(MOST_ROWS) {
        table.row(vec![
            Cell::Name(pair.a.clone(), Some(view.class(&pair.a))),
            Cell::Name(pair.b.clone(), Some(view.class(&pair.b))),
            Cell::Number(ms(pair.difference)),
            Cell::Number(format!("{} to {}", ms(pair.low), ms(pair.high))),
            Cell::Number(percent(pair.share)),
            Cell::Number(significant(pair.t, 3)),
            Cell::Number(probability(pair.p)),
            Cell::Number(significant(pair.effect, 2)),
            Cell::Number(grouped(pair.queries)),
        ]);
    }
    table.leave_out(pairs.len().saturating_sub(MOST_ROWS));
    let intervals = figure(
        pictures.intervals.as_ref(),
        "The stroke is the mean difference, the bar its 95 % interval; the figures are shares of the second's mean.",
    );
    let differences = figure(
        pictures.differences.as_ref(),
        "All differences, query by query; the mark is their median. Hills to the right of 0: the first is faster.",
    );
    let explained = paragraph(
        "t is Student's statistic, p the chance of one at least as far from 0 were there no difference (two-sided), effect the mean difference in \
         standard deviations of the differences.",
    );
    let inside = format!("{lead}{intervals}{differences}{}{explained}", table.html());
    html::section("pairs", "Paired differences", &inside)
}
