//! The answers for people: a table of strategies, heat maps, and the recommendation with its reasons.

use std::io::{self, Write};

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::keys::page::heat_map;
use tablesmith_app::keys::{KeysResult, SimulatedLoads, TableKeys, key_text, percent, read_words};
use tablesmith_design::keys::judge::Accuracy;
use tablesmith_design::keys::{Choice, StrategyName};
use tablesmith_model::bytes_text::to_text;

use crate::number_text::grouped;
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const BEST: Style = Style::color(AnsiColor::Green).bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
const PLAIN: Style = Style::new();
/// Lines of a heat map.
const HEAT_LINES: usize = 12;
/// Split points that are shown at the terminal; the file and JSON have all.
const SHOWN_SPLITS: usize = 6;

/// Writes everything, with heat maps of these strategies; none: the best and the plain key.
pub fn write(
    out: &mut dyn Write,
    result: &KeysResult,
    heat: &[StrategyName],
    width: usize,
) -> io::Result<()> {
    result.tables.iter().try_for_each(|answer| write_table(out, answer, heat, width))
}

fn write_table(
    out: &mut dyn Write,
    answer: &TableKeys,
    heat: &[StrategyName],
    width: usize,
) -> io::Result<()> {
    let judgement = &answer.judgement;
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {} rows on {}, {}, split points by {}",
        answer.table,
        grouped(judgement.rows),
        counted(judgement.servers, "server"),
        counted(judgement.regions, "region"),
        answer.setup.splits
    )?;
    if let Some((rows, why)) = &answer.rejected {
        writeln!(out, "   {WARNING}{} rows left out{WARNING:#}, the first: {why}", grouped(*rows))?;
    }
    writeln!(out)?;
    write_strategies(out, answer)?;
    writeln!(
        out,
        "   hot: the share of the writes that the busiest server gets, in all and at a moment (even is {})",
        percent(1.0 / judgement.servers.max(1) as f64)
    )?;
    let reads = &answer.setup.reads;
    writeln!(
        out,
        "   reads: {} by id, {} ranges of {} rows, {} of one entity ({}); a call costs as much as {:.0} rows",
        weight(reads.point),
        weight(reads.range),
        grouped(reads.range_rows),
        weight(reads.entity),
        answer.reads_from,
        reads.call_in_rows
    )?;
    for left_out in &judgement.left_out {
        writeln!(out, "   {} is left out: {}", left_out.name, left_out.reason)?;
    }
    writeln!(out)?;
    let best = judgement.best.as_ref().map(|best| best.strategy);
    let is_recommended = |index: usize| answer.recommended.is_some() && index == 0;
    let is_shown = |index: usize, name: StrategyName| match heat {
        [] if answer.recommended.is_some() => is_recommended(index) || name == StrategyName::Plain,
        [] => Some(name) == best || name == StrategyName::Plain,
        names => names.contains(&name),
    };
    for (index, (name, judged)) in answer.shown().enumerate() {
        if is_shown(index, judged.name) {
            writeln!(out, "   {TITLE}{name}{TITLE:#}: which keys are written when")?;
            writeln!(out, "{}", tablesmith_report::heat_text(&heat_map(&name, judged), HEAT_LINES, width))?;
        }
    }
    if let Some(simulated) = &answer.simulated {
        write_simulated(out, simulated)?;
    }
    write_found(out, answer)?;
    match &judgement.best {
        Some(best) => write_best(out, best),
        None => Ok(()),
    }?;
    writeln!(out, "seed {}", judgement.seed)
}

fn write_strategies(out: &mut dyn Write, answer: &TableKeys) -> io::Result<()> {
    let mut table = Table::new([
        Column::words("strategy"),
        Column::numbers("hot in all"),
        Column::numbers("hot at a moment"),
        Column::numbers("region rows"),
        Column::words("point read"),
        Column::words("range"),
        Column::words("one entity"),
        Column::numbers("key bytes"),
    ]);
    let best = answer.judgement.best.as_ref().map(|best| best.strategy);
    for judged in &answer.judgement.strategies {
        let style = if Some(judged.name) == best { BEST } else { PLAIN };
        let about = if matches!(judged.accuracy, Accuracy::Sampled { .. }) { "~" } else { "" };
        let rows = &judged.load.region_rows;
        table.add(
            style,
            [
                judged.name.to_string(),
                format!("{about}{}", percent(judged.load.server_rows.hottest_share)),
                format!("{about}{}", percent(judged.load.mean_hottest_share)),
                format!("{about}{}–{}", grouped(rows.min.round() as u64), grouped(rows.max.round() as u64)),
                read_words(&judged.reads.point),
                read_words(&judged.reads.range),
                judged.reads.entity.as_ref().map_or_else(|| "–".to_owned(), read_words),
                format!("{:+.1}", judged.added_key_bytes),
            ],
        );
    }
    table.write(out)?;
    let sampled = answer.judgement.strategies.iter().find_map(|judged| match judged.accuracy {
        Accuracy::Sampled { rows, error } => Some((rows, error)),
        Accuracy::Exact => None,
    });
    if let Some((rows, error)) = sampled {
        writeln!(
            out,
            "   ~ from a sample of {} rows: rows of a region are right to about {} (--exact counts all)",
            grouped(rows as u64),
            percent(error)
        )?;
    }
    Ok(())
}

/// What the load takes on a simulated cluster.
fn write_simulated(out: &mut dyn Write, simulated: &SimulatedLoads) -> io::Result<()> {
    let SimulatedLoads { servers, clients, batch_rows, rows_per_second, one_of, .. } = simulated;
    writeln!(
        out,
        "   {TITLE}Load on {}{TITLE:#}, simulated: {} in batches of {}, {} rows a second per server",
        counted(*servers, "server"),
        counted(*clients, "client"),
        grouped(*batch_rows as u64),
        grouped((*rows_per_second).into())
    )?;
    let mut table = Table::new([
        Column::words("strategy"),
        Column::numbers("load time"),
        Column::numbers("times even"),
        Column::numbers("busiest server"),
        Column::numbers("its share"),
    ]);
    for load in &simulated.strategies {
        table.add(
            PLAIN,
            [
                load.strategy.to_owned(),
                format!("{:.1} s", load.load_s),
                format!("{:.2}", load.times_even),
                load.busiest_server.to_string(),
                percent(load.busiest_share),
            ],
        );
    }
    table.write(out)?;
    if *one_of > 1 {
        writeln!(out, "   one row in {} was simulated and stands for the others", grouped(*one_of))?;
    }
    writeln!(out)
}

/// Warnings, heavy hitters, duplicates.
fn write_found(out: &mut dyn Write, answer: &TableKeys) -> io::Result<()> {
    let judgement = &answer.judgement;
    for heavy in &judgement.heavy_hitters {
        writeln!(
            out,
            "   {WARNING}{} = {}{WARNING:#} has {} of the writes: {}",
            heavy.columns.join(", "),
            heavy.value,
            percent(heavy.share),
            heavy.advice
        )?;
    }
    let again = &judgement.duplicates;
    if again.duplicates >= 0.5 {
        let about = if again.error > 0.0 { "about " } else { "" };
        writeln!(
            out,
            "   {WARNING}{about}{} rows have an id that came before{WARNING:#}: each is written over the one before it",
            grouped(again.duplicates.round() as u64)
        )?;
    }
    for warning in &judgement.warnings {
        writeln!(out, "   {WARNING}warning:{WARNING:#} {warning}")?;
    }
    for judged in &judgement.strategies {
        for warning in &judged.warnings {
            writeln!(out, "   {WARNING}{}:{WARNING:#} {warning}", judged.name)?;
        }
    }
    Ok(())
}

fn write_best(out: &mut dyn Write, best: &Choice) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "   {BEST}{}{BEST:#}: key = [{}]", best.strategy, key_text(&best.key))?;
    let shown: Vec<String> = best.splits.iter().take(SHOWN_SPLITS).map(|split| to_text(split)).collect();
    let more = best.splits.len().saturating_sub(SHOWN_SPLITS);
    let more = if more > 0 { format!(" … and {} more", grouped(more as u64)) } else { String::new() };
    match best.regions {
        1 => writeln!(out, "   one region, no split points")?,
        regions => {
            writeln!(out, "   {} regions, split at {}{more}", grouped(regions as u64), shown.join(" "))?
        }
    }
    for reason in &best.reasons {
        writeln!(out, "   {reason}")?;
    }
    writeln!(out)
}

/// So many of a thing.
fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {one}s", grouped(count as u64)) }
}

/// A weight, with as many digits as it takes.
fn weight(weight: f64) -> String {
    format!("{}", (weight * 1_000.0).round() / 1_000.0)
}
