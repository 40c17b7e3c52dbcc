//! The readings, in the order in which they arrive.

use std::collections::BTreeMap;

use tablesmith_model::value::Moment;

use super::extent::{Extent, FIRST_DAY_MS, MINUTE_MS};
use super::gaps::Gaps;
use super::station::Station;

/// A station falls silent once in so many readings, for up to so many minutes.
const SILENT_ONCE_IN: u64 = 20_000;
const LONGEST_SILENCE: u64 = 180;
/// A reading comes late once in so many, by up to so many minutes.
const LATE_ONCE_IN: u64 = 250;
const LATEST: u64 = 600;
/// A station is closed once in so many readings, for up to so many minutes.
const LOCKED_ONCE_IN: u64 = 30_000;
const LONGEST_LOCKED: u64 = 240;

/// What a station said of a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The station's number.
    pub station: u32,
    /// The minute.
    pub at_ms: i64,
    /// Bicycles that are there.
    pub bikes: i64,
    /// Docks without one.
    pub empty_docks: i64,
    /// Whether the station is closed.
    pub locked: bool,
}

/// A station, and for how long it will say nothing or be closed.
#[derive(Clone, Debug)]
struct Reporter {
    station: Station,
    silent_for: u64,
    locked_for: u64,
}

/// The readings of all stations, minute by minute; the late ones when they come.
#[derive(Clone, Debug)]
pub struct Readings {
    minutes: u64,
    minute: u64,
    gaps: Gaps,
    reporters: Vec<Reporter>,
    /// What came in a minute and is not handed out yet, the last first.
    arrived: Vec<Reading>,
    /// What will come, by minute.
    late: BTreeMap<u64, Vec<Reading>>,
}

impl Readings {
    /// All readings; the same seed gives the same ones.
    pub fn new(extent: Extent, seed: u64) -> Self {
        let station = |number| Station::new(number, seed);
        let reporter = |station| Reporter { station, silent_for: 0, locked_for: 0 };
        Self {
            minutes: extent.minutes(),
            minute: 0,
            gaps: Gaps::new(seed),
            reporters: (1..=extent.stations).map(station).map(reporter).collect(),
            arrived: Vec::new(),
            late: BTreeMap::new(),
        }
    }

    /// Lets a minute pass; false when all are over and nothing is on its way any more.
    fn pass_minute(&mut self) -> bool {
        let minute = self.minute;
        if minute >= self.minutes {
            let Some((_, late)) = self.late.pop_first() else { return false };
            self.arrived = late;
            return true;
        }
        self.minute += 1;
        self.arrived = self.late.remove(&minute).unwrap_or_default();
        let is_missing = self.gaps.is_missing();
        for reporter in self.reporters.iter_mut().rev() {
            let Some(reading) = reporter.report(minute).filter(|_| !is_missing) else { continue };
            if reporter.station.happens(LATE_ONCE_IN) {
                let due = minute + reporter.station.minutes_up_to(LATEST);
                self.late.entry(due).or_default().push(reading);
            } else {
                self.arrived.push(reading);
            }
        }
        true
    }
}

impl Iterator for Readings {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        while self.arrived.is_empty() {
            if !self.pass_minute() {
                return None;
            }
        }
        self.arrived.pop()
    }
}

impl Reporter {
    /// What the station says of a minute, unless it is silent. Bicycles come and go all the same.
    fn report(&mut self, minute: u64) -> Option<Reading> {
        let Self { station, silent_for, locked_for } = self;
        let bikes = station.next_minute(minute);
        if *silent_for == 0 && station.happens(SILENT_ONCE_IN) {
            *silent_for = station.minutes_up_to(LONGEST_SILENCE);
        }
        if *locked_for == 0 && station.happens(LOCKED_ONCE_IN) {
            *locked_for = station.minutes_up_to(LONGEST_LOCKED);
        }
        let (is_silent, locked) = (*silent_for > 0, *locked_for > 0);
        *silent_for = silent_for.saturating_sub(1);
        *locked_for = locked_for.saturating_sub(1);
        let reading = Reading {
            station: station.number(),
            at_ms: FIRST_DAY_MS + minute.cast_signed() * MINUTE_MS,
            bikes,
            empty_docks: station.docks() - bikes,
            locked,
        };
        (!is_silent).then_some(reading)
    }
}

/// Lines of the file. Readings of one minute follow each other, so that its text is kept.
#[derive(Debug, Default)]
pub(super) struct Line {
    at_ms: Option<i64>,
    at: String,
    line: Vec<u8>,
}

impl Line {
    /// The line of a reading, with its end.
    pub fn of(&mut self, reading: &Reading) -> &[u8] {
        if self.at_ms != Some(reading.at_ms) {
            self.at_ms = Some(reading.at_ms);
            self.at = Moment::from_millis(reading.at_ms).map_or_else(String::new, |at| at.to_string());
        }
        let mut digits = itoa::Buffer::new();
        self.line.clear();
        self.line.extend(digits.format(reading.station).bytes());
        self.line.push(b',');
        self.line.extend(self.at.bytes());
        for number in [reading.bikes, reading.empty_docks, i64::from(reading.locked)] {
            self.line.push(b',');
            self.line.extend(digits.format(number).bytes());
        }
        self.line.push(b'\n');
        &self.line
    }
}
