//! What two times differ in: who has a reading at one and not at the other.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tablesmith_model::TableName;
use tablesmith_model::series::Dimension;
use tablesmith_model::value::Value;
use tablesmith_store::{Answer, Filter, OpStats, ReadOptions, Store};

use super::decode::Wanted;
use super::meter::Meter;
use super::readings::scanner;
use super::window::Window;
use super::{Entities, RangeQuery, Series, SeriesError, wide};

/// Who has a reading at one of two times only, in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Those that have one at the second time and none at the first.
    pub appeared: Vec<Vec<Value>>,
    /// Those that have one at the first time and none at the second.
    pub gone: Vec<Vec<Value>>,
}

/// Who is seen at which of two times; those seen at both are forgotten as soon as that is known.
#[derive(Default)]
struct Seen(BTreeMap<Vec<Value>, Time>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    First,
    Second,
}

impl Series {
    /// Who has a reading at the second time and none at the first, and the other way round.
    pub async fn compare(
        &self,
        store: &dyn Store,
        name: &TableName,
        first: i64,
        second: i64,
    ) -> Result<Answer<Difference>, SeriesError> {
        let answer = self.compare_in_regions(store, name, first, second).await?;
        Ok(answer.map(|compared| compared.difference))
    }

    /// Compares the readings of two times here.
    pub(super) async fn compare_readings(
        &self,
        store: &dyn Store,
        name: &TableName,
        first: i64,
        second: i64,
    ) -> Result<Answer<Difference>, SeriesError> {
        let mut seen = Seen::default();
        let mut stats = OpStats::default();
        if self.keys.is_time_first() {
            for (at, time) in [(first, Time::First), (second, Time::Second)] {
                self.see(store, name, at, time, &mut seen, &mut stats).await?;
            }
        } else {
            self.see_both(store, name, first, second, &mut seen, &mut stats).await?;
        }
        Ok(Answer { value: seen.difference(), stats })
    }

    /// Reads who is there at one time.
    async fn see(
        &self,
        store: &dyn Store,
        name: &TableName,
        at: i64,
        time: Time,
        seen: &mut Seen,
        stats: &mut OpStats,
    ) -> Result<(), SeriesError> {
        let query = RangeQuery { entities: Entities::All, ..RangeQuery::all(at, at.saturating_add(1)) };
        let mut readings = self.range(store, name, &query).await?;
        loop {
            let portion = readings.next().await?;
            if portion.is_empty() {
                *stats += readings.stats();
                return Ok(());
            }
            portion.into_iter().for_each(|reading| seen.note(reading.entity, time));
        }
    }

    /// Reads who is there at both times in one scan of all rows, where the rows of an entity stand together.
    async fn see_both(
        &self,
        store: &dyn Store,
        name: &TableName,
        first: i64,
        second: i64,
        seen: &mut Seen,
        stats: &mut OpStats,
    ) -> Result<(), SeriesError> {
        let (from, to) = (first.min(second), first.max(second).saturating_add(1));
        let Some(window) = Window::new(from, to, self.keys.time_type) else { return Ok(()) };
        let metrics: Vec<usize> = (0..self.columns.metrics.len()).collect();
        let Some(mut read) = self.options(&metrics, window, false) else { return Ok(()) };
        self.only_at(&[first, second], &mut read);
        let mut scanner =
            scanner(store, name, self.keys.of_everybody(window)?, read, &mut Meter::default()).await?;
        let wanted = Wanted { metrics, window };
        loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                *stats += scanner.stats();
                return Ok(());
            }
            for row in rows {
                let id = self.keys.read(&row.row, self.layout.span)?;
                for reading in self.columns.readings(&row, &id, &wanted)? {
                    for (at, time) in [(first, Time::First), (second, Time::Second)] {
                        if reading.at == at {
                            seen.note(reading.entity.clone(), time);
                        }
                    }
                }
            }
        }
    }

    /// Tells the store that only some times are wanted, where it can leave others out.
    fn only_at(&self, times: &[i64], read: &mut ReadOptions) {
        match self.layout.dimension {
            Dimension::Version => {
                let mut timestamps: Vec<i64> = times.iter().copied().filter(|at| *at >= 0).collect();
                timestamps.sort_unstable();
                timestamps.dedup();
                read.filter = Some(Filter::Timestamps { timestamps, can_hint: false });
            }
            Dimension::Qualifier => read.filter = Some(wide::at_times(&self.columns, times)),
            Dimension::Row | Dimension::Packed => {}
        }
    }
}

impl Seen {
    fn note(&mut self, entity: Vec<Value>, time: Time) {
        match self.0.entry(entity) {
            Entry::Occupied(seen) if *seen.get() != time => drop(seen.remove()),
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => drop(place.insert(time)),
        }
    }

    fn difference(self) -> Difference {
        let mut difference = Difference::default();
        for (entity, time) in self.0 {
            match time {
                Time::First => difference.gone.push(entity),
                Time::Second => difference.appeared.push(entity),
            }
        }
        difference
    }
}
