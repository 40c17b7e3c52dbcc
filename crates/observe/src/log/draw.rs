//! Calls of one part of a log, drawn evenly: what a replay asks.
//!
//! Two walks over the file: the first keeps the order of the calls (see [`super::trail`]) and divides them by time, the
//! second picks those that were drawn. Memory grows with what is drawn, not with the log.

use std::collections::HashMap;
use std::path::Path;

use tablesmith_model::workload::Touched;
use tablesmith_sql::{Dialect, Folder};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::error::LogError;
use super::input::Input;
use super::queries::Part;
use super::run::{Options, cannot_read, in_shares, layout, open, walk};
use super::sink::{About, Sink, TooLong};
use super::trail::Trail;
use super::values::with_values;

/// What is drawn of a log.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    /// The part of the log.
    pub part: Part,
    /// At most so many calls.
    pub calls: u64,
    /// What the draw is made from.
    pub seed: u64,
}

/// The calls that were drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawn {
    /// The calls, in the order of their time.
    pub calls: Vec<DrawnCall>,
    /// Calls of the part that could be drawn.
    pub of: u64,
    /// Calls of the part that were not wanted.
    pub unwanted: u64,
}

/// A call of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnCall {
    /// What it asks.
    pub asks: DrawnAsks,
    /// The line where it begins, counted from 1.
    pub line: u64,
    /// When it ran, in milliseconds since 1970, where the log says so.
    pub time_ms: Option<i64>,
}

/// What a drawn call asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawnAsks {
    /// A statement, with the values of its parameters where the log has them.
    Sql(String),
    /// Only the columns that it touches.
    Columns(Touched),
}

/// Draws calls of a part of a log, spread evenly over it. `wants` is asked once for each kind of statement, by its first
/// call, whether such calls are to be drawn; calls known by their columns are always wanted.
pub fn draw(
    path: &Path,
    options: &Options,
    draw: &Draw,
    wants: &mut dyn FnMut(&str, Dialect) -> bool,
) -> Result<Drawn, LogError> {
    let mut order = Order::default();
    let mut known: HashMap<u64, bool> = HashMap::new();
    let has_order = each_entry(path, options, &mut |entry| {
        let wanted = match &entry.asks {
            EntryAsks::Touched(_) => true,
            EntryAsks::Statement { template, text, .. } => *known
                .entry(xxh3_64(template))
                .or_insert_with(|| wants(&String::from_utf8_lossy(text), entry.dialect)),
        };
        order.push(entry.about, wanted);
    })?;
    let chosen = order.choose(has_order, options, draw)?;
    let mut entries = chosen.entries.iter().copied().peekable();
    let mut number = 0;
    let mut calls = Vec::with_capacity(chosen.entries.len());
    each_entry(path, options, &mut |entry| {
        if let Some((_, times)) = entries.next_if(|(chosen, _)| *chosen == number) {
            let call = entry.call();
            calls.extend((0..times).map(|_| call.clone()));
        }
        number += 1;
    })?;
    // A log without times is in the order of time.
    calls.sort_by_key(|call| call.time_ms);
    Ok(Drawn { calls, of: chosen.of, unwanted: chosen.unwanted })
}

/// An entry of a log.
struct Entry<'a> {
    asks: EntryAsks<'a>,
    dialect: Dialect,
    about: &'a About,
}

enum EntryAsks<'a> {
    Statement { text: &'a [u8], template: &'a [u8], values: Option<&'a [u8]> },
    Touched(Touched),
}

impl Entry<'_> {
    fn call(self) -> DrawnCall {
        let asks = match self.asks {
            EntryAsks::Touched(touched) => DrawnAsks::Columns(touched),
            EntryAsks::Statement { text, values, .. } => {
                let text = values.map_or_else(|| text.to_vec(), |values| with_values(text, values));
                DrawnAsks::Sql(String::from_utf8_lossy(&text).into_owned())
            }
        };
        DrawnCall { asks, line: self.about.line, time_ms: self.about.time_ms }
    }
}

/// Shows each entry of a log, and says whether they come in the order of time.
fn each_entry(path: &Path, options: &Options, see: &mut dyn FnMut(Entry<'_>)) -> Result<bool, LogError> {
    struct Each<'a> {
        folder: Folder,
        dialect: Dialect,
        see: &'a mut dyn FnMut(Entry<'_>),
    }
    impl Sink for Each<'_> {
        fn folder(&mut self) -> &mut Folder {
            &mut self.folder
        }
        fn statement(&mut self, text: &[u8], values: Option<&[u8]>, about: &About) {
            let template = self.folder.template();
            if !template.is_empty() {
                let asks = EntryAsks::Statement { text: text.trim_ascii(), template, values };
                (self.see)(Entry { asks, dialect: self.dialect, about });
            }
        }
        fn touched(&mut self, touched: Touched, about: &About) {
            (self.see)(Entry { asks: EntryAsks::Touched(touched), dialect: self.dialect, about });
        }
        fn passed_over(&mut self) {}
        fn not_understood(&mut self, _: u64, _: &[u8], _: &str) {}
        fn too_long(&mut self, _: TooLong<'_>) {}
    }
    let mut progress = |_| {};
    let mut input = Input::new(open(path)?, options.statement_bytes_max, &mut progress)
        .map_err(|source| cannot_read(path, source))?;
    let layout = layout(&input, path, options.format)?;
    let dialect = options.dialect.unwrap_or_else(|| layout.dialect(input.sample()));
    let mut each = Each { folder: Folder::new(dialect), dialect, see };
    walk(&mut input, layout, &mut each).map_err(|source| cannot_read(path, source))?;
    Ok(layout.has_order())
}

/// When the calls were made, entry by entry, and which are wanted. Twice: dividing uses one up.
struct Order {
    trails: [Trail; 2],
    entries: u64,
    calls: u64,
    /// The time of the last entry that had one; none when the first had none.
    time_ms: Option<i64>,
    error: Option<std::io::Error>,
}

impl Default for Order {
    fn default() -> Self {
        Self { trails: [Trail::new(), Trail::new()], entries: 0, calls: 0, time_ms: None, error: None }
    }
}

/// Entries that were chosen, by their number in the log with how often; in the order of the log.
#[derive(Default)]
struct Chosen {
    entries: Vec<(u64, u64)>,
    of: u64,
    unwanted: u64,
}

impl Order {
    /// Times as the profile of a log has them: the first entry says whether there are any.
    fn push(&mut self, about: &About, wanted: bool) {
        if self.entries == 0 || self.time_ms.is_some() {
            self.time_ms = about.time_ms.or(self.time_ms);
        }
        let place = i64::try_from(self.calls).unwrap_or(i64::MAX);
        let (time, calls) = (self.time_ms.unwrap_or(place), about.calls.max(1));
        for trail in &mut self.trails {
            self.error = trail.push(u32::from(wanted), time, calls).err().or(self.error.take());
        }
        self.entries += 1;
        self.calls += calls;
    }

    fn choose(self, has_order: bool, options: &Options, draw: &Draw) -> Result<Chosen, LogError> {
        if let Some(error) = self.error {
            return Err(LogError::Temporary(error));
        }
        let shares = options.split.shares();
        let part = Part::ALL.into_iter().position(|part| part == draw.part).unwrap_or_default();
        let in_part = |calls: [u64; 3]| {
            let calls = if has_order { calls } else { in_shares(calls.iter().sum(), shares) };
            calls.get(part).copied().unwrap_or(0)
        };
        let [first, second] = self.trails;
        let mut chosen = Chosen::default();
        let count = |wanted, calls| match wanted {
            0 => chosen.unwanted += in_part(calls),
            _ => chosen.of += in_part(calls),
        };
        first.divide(shares, count).map_err(LogError::Temporary)?;
        let mut places = places(chosen.of, draw).peekable();
        let (mut number, mut before) = (0, 0);
        let pick = |wanted, calls| {
            if wanted != 0 {
                before += in_part(calls);
                let mut times = 0;
                while places.next_if(|place| *place < before).is_some() {
                    times += 1;
                }
                if times > 0 {
                    chosen.entries.push((number, times));
                }
            }
            number += 1;
        };
        second.divide(shares, pick).map_err(LogError::Temporary)?;
        Ok(chosen)
    }
}

/// Which of so many calls are drawn, rising: one at random from each of as many equal stretches as are wanted.
fn places(of: u64, draw: &Draw) -> impl Iterator<Item = u64> {
    let (wanted, seed) = (draw.calls.min(of), draw.seed);
    (0..wanted).map(move |stretch| {
        let [from, to] =
            [stretch, stretch + 1].map(|end| u128::from(end) * u128::from(of) / u128::from(wanted));
        let random = xxh3_64_with_seed(&stretch.to_le_bytes(), seed);
        (from + u128::from(random) % (to - from).max(1)) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spread_evenly_and_none_comes_twice() {
        let draw = |calls, seed| Draw { part: Part::Test, calls, seed };
        let drawn: Vec<u64> = places(1_000, &draw(100, 1)).collect();
        assert!(drawn.iter().enumerate().all(|(stretch, place)| place / 10 == stretch as u64), "{drawn:?}");
        assert_ne!(drawn, places(1_000, &draw(100, 2)).collect::<Vec<_>>());
        assert_eq!(places(5, &draw(100, 1)).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(places(0, &draw(100, 1)).count(), 0);
        let odd: Vec<u64> = places(7, &draw(5, 3)).collect();
        assert!(odd.windows(2).all(|two| two[0] < two[1]) && odd.iter().all(|place| *place < 7), "{odd:?}");
    }
}
