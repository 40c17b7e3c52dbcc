//! Folds statements to templates and counts them: memory grows with the number of templates, not with the log.

use std::collections::HashMap;

use tablesmith_model::workload::Touched;
use tablesmith_sql::{Dialect, Folder};
use xxhash_rust::xxh3::xxh3_64;

use super::profile::Place;
use super::sample::{Calls, Room};
use super::sink::{About, Sink, TooLong};
use super::slices::{Counts, Grid};
use super::trail::Trail;
use super::values::with_values;

/// Longer examples are not kept; the template stands for them.
const EXAMPLE_BYTES_MAX: usize = 8 * 1024;

/// All texts together may take this much before the rarest templates go.
const TEXT_BYTES_MAX: usize = 96 * 1024 * 1024;

/// What is shown of a place that cannot be understood.
const EXCERPT_CHARS: usize = 120;

/// Counts the calls of a log by template.
pub(super) struct Collector {
    folder: Folder,
    templates: Vec<Draft>,
    /// Templates by the hash of their text; in the rare case of equal hashes, by the next free number.
    by_hash: HashMap<u64, usize>,
    next_id: u32,
    text_bytes: usize,
    templates_max: usize,
    places_max: usize,
    /// `None` for a log of totals, which have no order.
    trail: Option<Trail>,
    /// Entries in the trail.
    entries: u64,
    samples: Room,
    pub grid: Grid,
    pub statements: u64,
    pub rare_statements: u64,
    pub not_understood: u64,
    pub places: Vec<Place>,
    pub too_long: u64,
    pub too_long_places: Vec<Place>,
    pub passed_over: u64,
    pub times_ms: Option<(i64, i64)>,
    clock: Clock,
    /// Why the order of calls could not be kept.
    pub trail_error: Option<std::io::Error>,
}

/// A template being counted.
pub(super) struct Draft {
    /// Its number in the trail, never used again.
    pub id: u32,
    hash: u64,
    pub text: Vec<u8>,
    /// `None` where the template stands for it.
    pub example: Option<Vec<u8>>,
    /// A sample of the calls; none of a log of totals.
    pub calls: Calls,
    pub touched: Option<Touched>,
    pub count: u64,
    pub counts: Counts,
    pub line: u64,
    pub times_ms: Option<(i64, i64)>,
    pub rows: Mean,
    pub mean_ms: Mean,
}

/// An average that may be unknown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    sum: f64,
    calls: u64,
}

/// What stands for the time of a call.
#[derive(Debug, Clone, Copy, Default)]
enum Clock {
    /// No call has come yet.
    #[default]
    Unset,
    /// The first call had a time: a call without one has that of the call before.
    Times(i64),
    /// The first call had none: the place in the log stands for it.
    Places,
}

impl Mean {
    fn add(&mut self, value: Option<f64>, calls: u64) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.sum += value * calls as f64;
            self.calls += calls;
        }
    }

    /// The average, where anything is known.
    pub fn get(self) -> Option<f64> {
        (self.calls > 0).then(|| self.sum / self.calls as f64)
    }
}

impl Collector {
    pub fn new(dialect: Dialect, has_order: bool, templates_max: usize, places_max: usize) -> Self {
        Self {
            folder: Folder::new(dialect),
            templates: Vec::new(),
            by_hash: HashMap::new(),
            next_id: 0,
            text_bytes: 0,
            templates_max,
            places_max,
            trail: has_order.then(Trail::new),
            entries: 0,
            samples: Room::default(),
            grid: Grid::default(),
            statements: 0,
            rare_statements: 0,
            not_understood: 0,
            places: Vec::new(),
            too_long: 0,
            too_long_places: Vec::new(),
            passed_over: 0,
            times_ms: None,
            clock: Clock::Unset,
            trail_error: None,
        }
    }

    /// The templates in the order of their first call, and the order of all calls.
    pub fn finish(&mut self) -> (Vec<Draft>, Option<Trail>) {
        if self.templates.len() > self.templates_max {
            self.forget_rare(self.templates_max);
        }
        (std::mem::take(&mut self.templates), self.trail.take())
    }

    /// The time of a call, or what stands for it.
    fn time(&mut self, about: &About) -> i64 {
        self.clock = match (self.clock, about.time_ms) {
            (Clock::Unset | Clock::Times(_), Some(time)) => Clock::Times(time),
            (Clock::Unset, None) => Clock::Places,
            (clock, _) => clock,
        };
        match self.clock {
            Clock::Times(time) => time,
            Clock::Places | Clock::Unset => i64::try_from(self.statements).unwrap_or(i64::MAX),
        }
    }

    /// Counts calls of the template whose text is given. `call` makes the statement with its values.
    fn count(
        &mut self,
        text: &[u8],
        about: &About,
        call: impl Fn() -> Option<Vec<u8>>,
        touched: Option<Touched>,
    ) {
        let calls = about.calls.max(1);
        let time = self.time(about);
        self.grid.include(time);
        let at = self.find_or_begin(text, about.line, &call, touched);
        let Some(template) = self.templates.get_mut(at) else { return };
        template.count += calls;
        template.counts.add(&self.grid, time, calls);
        template.rows.add(about.rows, calls);
        template.mean_ms.add(about.mean_ms, calls);
        if let Some(time) = about.time_ms {
            widen(&mut template.times_ms, time);
            widen(&mut self.times_ms, time);
        }
        self.statements += calls;
        let id = template.id;
        if let Some(trail) = &mut self.trail {
            self.samples.offer(&mut template.calls, self.entries, call);
            self.entries += 1;
            if let Err(error) = trail.push(id, time, calls) {
                self.trail = None;
                self.trail_error = Some(error);
            }
        }
        while self.samples.is_full() {
            self.samples.halve();
            self.templates.iter_mut().for_each(|template| self.samples.fit(&mut template.calls));
        }
        if self.text_bytes > TEXT_BYTES_MAX {
            self.forget_rare(self.templates_max.min(self.templates.len() / 2));
        } else if self.templates.len() > self.templates_max + self.templates_max / 4 {
            // A quarter more than are kept, so that they need not be sorted for each new one.
            self.forget_rare(self.templates_max);
        }
    }

    fn find_or_begin(
        &mut self,
        text: &[u8],
        line: u64,
        call: impl Fn() -> Option<Vec<u8>>,
        touched: Option<Touched>,
    ) -> usize {
        let mut hash = xxh3_64(text);
        while let Some(at) = self.by_hash.get(&hash) {
            if self.templates.get(*at).is_some_and(|template| template.text == text) {
                return *at;
            }
            hash = hash.wrapping_add(1);
        }
        let example = call();
        self.text_bytes += text.len() + example.as_ref().map_or(0, Vec::len);
        self.by_hash.insert(hash, self.templates.len());
        self.templates.push(Draft {
            id: self.next_id,
            hash,
            text: text.to_vec(),
            example,
            calls: Calls::new(),
            touched,
            count: 0,
            counts: Counts::default(),
            line,
            times_ms: None,
            rows: Mean::default(),
            mean_ms: Mean::default(),
        });
        self.next_id = self.next_id.wrapping_add(1);
        self.templates.len() - 1
    }

    /// Keeps the most frequent templates; of equally frequent ones, those that came first.
    fn forget_rare(&mut self, kept: usize) {
        let mut order: Vec<(u64, usize)> =
            self.templates.iter().enumerate().map(|(at, template)| (u64::MAX - template.count, at)).collect();
        order.sort_unstable();
        let mut keeps = vec![false; self.templates.len()];
        for (_, at) in order.into_iter().take(kept) {
            keeps.get_mut(at).into_iter().for_each(|keep| *keep = true);
        }
        let mut keeps = keeps.into_iter();
        let (rare, samples) = (&mut self.rare_statements, &mut self.samples);
        self.templates.retain(|template| {
            let keep = keeps.next().unwrap_or(false);
            if !keep {
                *rare += template.count;
                samples.forget_all(&template.calls);
            }
            keep
        });
        self.by_hash.clear();
        self.text_bytes = 0;
        for (at, template) in self.templates.iter().enumerate() {
            self.by_hash.insert(template.hash, at);
            self.text_bytes += template.text.len() + template.example.as_ref().map_or(0, Vec::len);
        }
    }
}

impl Sink for Collector {
    fn folder(&mut self) -> &mut Folder {
        &mut self.folder
    }

    fn statement(&mut self, text: &[u8], values: Option<&[u8]>, about: &About) {
        let folder = std::mem::replace(&mut self.folder, Folder::new(Dialect::Generic));
        if !folder.template().is_empty() {
            self.count(folder.template(), about, || example(text, values), None);
        }
        self.folder = folder;
    }

    fn touched(&mut self, touched: Touched, about: &About) {
        let text = describe(&touched);
        self.count(text.as_bytes(), about, || None, Some(touched));
    }

    fn passed_over(&mut self) {
        self.passed_over += 1;
    }

    fn not_understood(&mut self, line: u64, text: &[u8], why: &str) {
        self.not_understood += 1;
        if self.places.len() < self.places_max {
            self.places.push(Place { line, excerpt: excerpt(text), why: why.to_owned() });
        }
    }

    fn too_long(&mut self, found: TooLong<'_>) {
        self.too_long += found.calls;
        if self.too_long_places.len() < self.places_max {
            let excerpt = excerpt(found.beginning);
            self.too_long_places.push(Place { line: found.line, excerpt, why: found.why() });
        }
    }
}

fn widen(range: &mut Option<(i64, i64)>, time: i64) {
    *range = Some(range.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
}

/// A call worth keeping as an example, with the values of its parameters in their places.
fn example(text: &[u8], values: Option<&[u8]>) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    if text.len() > EXAMPLE_BYTES_MAX {
        return None;
    }
    Some(values.map_or_else(|| text.to_vec(), |values| with_values(text, values)))
}

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &[u8]) -> String {
    let beginning = text.get(..text.len().min(EXCERPT_CHARS * 4)).unwrap_or_default();
    let text = String::from_utf8_lossy(beginning);
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(EXCERPT_CHARS) {
        words.truncate(end);
        words.push('…');
    }
    words
}

/// Touched columns as text: equal when the calls are.
fn describe(touched: &Touched) -> String {
    let access = touched.access.map_or("touch", |access| access.name());
    let mut text = format!("{access} {}", touched.table);
    for (what, columns) in [("reads", &touched.reads), ("writes", &touched.writes)] {
        if !columns.is_empty() {
            text.push_str(&format!(" {what} {}", columns.join(", ")));
        }
    }
    text
}
