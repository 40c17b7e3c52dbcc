//! Response times per design: how they are spread, the figures beside it, and what the store did for them.

use tablesmith_model::evidence::{MeasuredDesign, Summary};

use super::html::{self, Cell, Table, figure, paragraph};
use crate::number::{NONE, bytes, grouped, ms, significant};
use crate::pictures::Pictures;
use crate::view::View;

/// The section.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let reads = figures(view, "Reads, in ms", |design| Some(&design.reads));
    let writes = figures(view, "Writes, in ms", |design| design.writes.as_ref());
    if view.is_without_designs() {
        return String::new();
    }
    if reads.is_empty() && writes.is_empty() {
        let inside = paragraph("No call was measured, so there are no response times to show.");
        return html::section("times", "Response times", &inside);
    }
    let caption = "Each hill shows how often a time occurred; below it what sums the times up. Nothing is left out, not even outliers.";
    let mut inside = split(&figure(pictures.times.as_ref(), caption), &reads);
    inside.push_str(&split(&figure(pictures.writes.as_ref(), "The same for writes."), &writes));
    inside.push_str(&counts(view));
    html::section("times", "Response times", &inside)
}

/// A picture and its figures, beside it where there is room.
fn split(figure: &str, table: &Table) -> String {
    if table.is_empty() {
        String::new()
    } else {
        format!("<div class=\"split\">{figure}<div>{}</div></div>", table.html())
    }
}

fn figures(view: &View<'_>, caption: &str, pick: impl Fn(&MeasuredDesign) -> Option<&Summary>) -> Table {
    let mut table = Table::new(caption, &["design", "mean", "median", "95 %", "99 %", "calls"]);
    for shown in &view.designs {
        let Some(summary) = pick(shown.design).filter(|summary| summary.queries > 0) else { continue };
        let times =
            [summary.mean_ms, summary.median_ms, summary.p95_ms, summary.p99_ms].map(ms).map(Cell::Number);
        let mut row = vec![Cell::Name(shown.design.name.clone(), Some(shown.class))];
        row.extend(times);
        row.push(Cell::Number(grouped(summary.queries)));
        table.row(row);
    }
    table
}

/// What the store counted, for one call on average; nothing when it counts nothing.
fn counts(view: &View<'_>) -> String {
    let mut table = Table::new(
        "What the store did for a call, on average",
        &["design", "cells", "bytes", "blocks", "seeks", "regions"],
    );
    for shown in &view.designs {
        let stats = shown.design.stats;
        let writes = shown.design.writes.as_ref().map_or(0, |writes| writes.queries);
        let calls = shown.design.reads.queries.saturating_add(writes);
        let counts = [stats.cells, stats.bytes, stats.blocks, stats.seeks, stats.regions];
        if calls == 0 || counts.iter().all(Option::is_none) {
            continue;
        }
        let mean = |count: Option<u64>| count.map(|count| count as f64 / calls as f64);
        let number = |count: Option<u64>| mean(count).map_or(NONE.to_owned(), |mean| significant(mean, 3));
        table.row(vec![
            Cell::Name(shown.design.name.clone(), Some(shown.class)),
            Cell::Number(number(stats.cells)),
            Cell::Number(mean(stats.bytes).map_or(NONE.to_owned(), bytes)),
            Cell::Number(number(stats.blocks)),
            Cell::Number(number(stats.seeks)),
            Cell::Number(number(stats.regions)),
        ]);
    }
    if table.is_empty() { String::new() } else { table.html() }
}
