//! Load per region: reads, writes and bytes of each, in key order, coloured by server.

use tablesmith_model::evidence::MeasuredRegion;

use super::{Drawn, Room};
use crate::number::{bytes, grouped, significant};
use crate::svg::legend::{self, Entry};
use crate::svg::{Anchor, Sketch, text, theme};
use crate::view::{Shown, View};

/// More designs than this are in the table alone.
const MOST_DESIGNS: usize = 10;
/// More regions than this share bars.
const MOST_BARS: usize = 110;
/// More servers than this have no colours of their own.
const MOST_SERVERS: usize = 7;
const BAR_HEIGHT: f64 = 64.0;

/// A figure of a region.
#[derive(Clone, Copy)]
struct Metric {
    name: &'static str,
    of: fn(&MeasuredRegion) -> Option<u64>,
    show: fn(f64) -> String,
}

const METRICS: [Metric; 3] = [
    Metric { name: "reads", of: |region| region.reads, show: count },
    Metric { name: "writes", of: |region| region.writes, show: count },
    Metric { name: "bytes", of: |region| region.bytes, show: bytes },
];

fn count(value: f64) -> String {
    grouped(value.round() as u64)
}

/// Draws the designs whose store says what regions did.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let known = |region: &MeasuredRegion| METRICS.iter().any(|metric| (metric.of)(region).is_some());
    let shown: Vec<Shown<'_>> = view
        .designs
        .iter()
        .filter(|shown| shown.design.regions.iter().any(known))
        .take(MOST_DESIGNS)
        .copied()
        .collect();
    if shown.is_empty() {
        return None;
    }
    let servers = servers(&shown);
    Some(Drawn::new("regions", "Load per region", alt(&shown), |room| sketch(room, &shown, &servers)))
}

/// Servers in the order of their names.
fn servers<'a>(shown: &[Shown<'a>]) -> Vec<&'a str> {
    let mut servers: Vec<&str> = shown
        .iter()
        .flat_map(|shown| shown.design.regions.iter().map(|region| region.server.as_str()))
        .collect();
    servers.sort_unstable();
    servers.dedup();
    servers
}

fn class(servers: &[&str], server: &str) -> &'static str {
    let place = servers.binary_search(&server).unwrap_or(usize::MAX);
    if servers.len() > MOST_SERVERS { theme::PLAIN } else { theme::series(place) }
}

fn sketch(room: Room, shown: &[Shown<'_>], servers: &[&str]) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let mut y = 0.0;
    for shown in shown {
        let name = text::fit(&shown.design.name, 12.0 * text::BOLD, room.width() - 90.0);
        let count = shown.design.regions.len() as u64;
        let figure = format!("{} region{}", grouped(count), if count == 1 { "" } else { "s" });
        sketch.text("strong", Anchor::Start, (0.0, y + 14.0), &name);
        sketch.text("muted small", Anchor::End, (room.width(), y + 14.0), &figure);
        y = panels(&mut sketch, room, shown, servers, y + 24.0) + 16.0;
    }
    let entries: Vec<Entry<'_>> = if servers.len() > MOST_SERVERS {
        Vec::new()
    } else {
        servers
            .iter()
            .map(|server| Entry {
                class: class(servers, server),
                sign: legend::square,
                text: if server.is_empty() { "server not known" } else { server },
            })
            .collect()
    };
    legend::draw(&mut sketch, &entries, (0.0, y - 6.0));
    sketch
}

/// The panels of a design: side by side, or on a phone one below the other. Returns where they end.
fn panels(sketch: &mut Sketch, room: Room, shown: &Shown<'_>, servers: &[&str], top: f64) -> f64 {
    let regions = &shown.design.regions;
    let metrics: Vec<Metric> = METRICS
        .into_iter()
        .filter(|metric| regions.iter().any(|region| (metric.of)(region).is_some()))
        .collect();
    let gap = 20.0;
    let columns = if room == Room::Wide { metrics.len().max(1) } else { 1 };
    let width = (room.width() - gap * (columns - 1) as f64) / columns as f64;
    let height = BAR_HEIGHT + 24.0;
    for (index, metric) in metrics.iter().enumerate() {
        let (column, line) = (index % columns, index / columns);
        let at = (column as f64 * (width + gap), top + line as f64 * height);
        panel(sketch, regions, *metric, servers, at, width);
    }
    top + metrics.len().div_ceil(columns) as f64 * height
}

/// A bar: the busiest of the regions that share it.
struct Bar<'a> {
    region: &'a MeasuredRegion,
    value: f64,
}

/// One bar for each region, or for the busiest of several neighbours where there are too many.
fn bars(regions: &[MeasuredRegion], metric: Metric) -> Vec<Bar<'_>> {
    let share = regions.len().div_ceil(MOST_BARS).max(1);
    let value = |region: &MeasuredRegion| (metric.of)(region).unwrap_or(0);
    regions
        .chunks(share)
        .filter_map(|together| together.iter().max_by_key(|region| value(region)))
        .map(|region| Bar { region, value: value(region) as f64 })
        .collect()
}

fn panel(
    sketch: &mut Sketch,
    regions: &[MeasuredRegion],
    metric: Metric,
    servers: &[&str],
    (left, top): (f64, f64),
    width: f64,
) {
    let bars = bars(regions, metric);
    let known: Vec<u64> = regions.iter().filter_map(metric.of).collect();
    let mean = known.iter().map(|value| *value as f64).sum::<f64>() / known.len().max(1) as f64;
    let most = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let base = top + 16.0 + BAR_HEIGHT;
    let step = width / bars.len().max(1) as f64;
    let space = if step > 5.0 { 2.0 } else { 0.0 };
    sketch.text("muted small", Anchor::Start, (left, top + 10.0), metric.name);
    let times =
        if mean > 0.0 { format!(", {} × the mean", significant(most / mean, 2)) } else { String::new() };
    let figure = format!("most {}{times}", (metric.show)(most));
    sketch.text("muted small", Anchor::End, (left + width, top + 10.0), &figure);
    for (index, Bar { region, value }) in bars.iter().enumerate() {
        let height = if most > 0.0 { value / most * BAR_HEIGHT } else { 0.0 };
        let title = format!(
            "from '{}' on {}: {} {}",
            region.start,
            region.server,
            (metric.show)(*value),
            metric.name
        );
        sketch.group(class(servers, &region.server), &title, |sketch| {
            let at = (left + step * index as f64 + space / 2.0, base - height);
            sketch.rect("fill", at, (step - space, height));
        });
    }
    sketch.line("edge", (left, base), (left + width, base));
    if most > 0.0 && bars.len() > 1 {
        let y = base - mean / most * BAR_HEIGHT;
        sketch.line("mark dashed", (left, y), (left + width, y));
    }
}

fn alt(shown: &[Shown<'_>]) -> String {
    let designs: Vec<String> = shown
        .iter()
        .map(|shown| {
            let regions = &shown.design.regions;
            let busiest = regions.iter().filter_map(|region| region.reads).max();
            let all: u64 = regions.iter().filter_map(|region| region.reads).fold(0, u64::saturating_add);
            let share = busiest
                .filter(|_| all > 0)
                .map(|most| {
                    format!(
                        ", the busiest answers {} of the reads",
                        crate::number::percent(most as f64 / all as f64)
                    )
                })
                .unwrap_or_default();
            format!("{} has {} regions{share}", shown.design.name, regions.len())
        })
        .collect();
    format!("What each region had to do, in key order; the dashed line is the mean. {}.", designs.join("; "))
}
