//! Builds the partials of one region from its cells. Nothing is allocated for a cell: only a new group takes memory.

use std::collections::BTreeMap;
use std::ops::Range;

use bytes::Bytes;
use tablesmith_model::series::entry::{self, Entry, NOTHING};
use tablesmith_model::series::packed;
use tablesmith_model::{Cell, Timestamp};

use super::{Aggregate, Figures, Group, GroupKey, Held, Number, Partial, Readings, RowSet, ValueType};

/// Builds the partials of one region from its rows, one row after the other.
#[derive(Clone, Debug)]
pub struct Aggregator {
    value: ValueType,
    readings: Readings,
    rows: Option<RowSet>,
    figures: Figures,
    groups: Groups,
}

/// The groups up to now, and the row that is being counted.
#[derive(Clone, Debug)]
struct Groups {
    group: Group,
    during: Option<Range<Timestamp>>,
    places: BTreeMap<GroupKey, usize>,
    slots: Vec<Slot>,
    present: Present,
}

/// A group.
#[derive(Clone, Copy, Debug)]
struct Slot {
    partial: Partial,
    /// The number of the last row that had a value in the group.
    last_row: u64,
}

/// The row that is being counted.
#[derive(Clone, Debug, Default)]
struct Present {
    row: Bytes,
    /// Rows begun up to now.
    number: u64,
    is_wanted: bool,
    time: Option<Timestamp>,
    /// The group of the last value: mostly that of the next one.
    slot: Option<(Option<Timestamp>, usize)>,
}

impl Aggregator {
    /// Nothing counted yet.
    pub fn new(aggregate: &Aggregate) -> Self {
        Self {
            value: aggregate.value,
            readings: aggregate.readings.clone(),
            rows: aggregate.rows.clone(),
            figures: aggregate.figures,
            groups: Groups {
                group: aggregate.group,
                during: aggregate.readings.during.clone(),
                places: BTreeMap::new(),
                slots: Vec::new(),
                present: Present::default(),
            },
        }
    }

    /// Counts the cells of a row, or of a part of it.
    pub fn add(&mut self, cells: &[Cell]) {
        for cell in cells {
            if self.go_to_row(&cell.row) {
                self.add_value(&cell.qualifier, cell.timestamp, &cell.value);
            }
        }
    }

    /// Goes on to a row, or stays in it; false when its values do not count.
    #[inline]
    pub fn go_to_row(&mut self, row: &Bytes) -> bool {
        let present = &self.groups.present;
        let is_shared = present.row.as_ptr() == row.as_ptr() && present.row.len() == row.len();
        if present.number == 0 || !(is_shared || present.row == row) {
            self.begin_row(row);
        }
        self.groups.present.is_wanted
    }

    fn begin_row(&mut self, row: &Bytes) {
        let Groups { group, present, .. } = &mut self.groups;
        // Rows of one group often follow each other.
        let is_same_group = group.key.is_none_or(|slice| slice.of(row) == slice.of(&present.row));
        *present = Present {
            row: row.clone(),
            number: present.number + 1,
            is_wanted: self.rows.as_ref().is_none_or(|rows| rows.contains(row)),
            time: self.readings.time.of_row(row),
            slot: present.slot.filter(|_| is_same_group),
        };
    }

    /// Counts what a cell of the present row holds; what is damaged counts as one value that is no number.
    #[inline]
    pub fn add_value(&mut self, qualifier: &[u8], timestamp: Timestamp, value: &[u8]) {
        let Self { value: value_type, readings, groups, .. } = self;
        let Ok(at) = readings.time.of_cell(groups.present.time, qualifier, timestamp) else { return };
        match &readings.held {
            Held::Single if value == NOTHING => {}
            Held::Whole | Held::Single => groups.count(at, value_type.number(value)),
            Held::Together(metric) => match entry::read(&metric.encodings, value) {
                Some((entry, _)) => groups.count_entry(at, entry, metric.index, *value_type),
                None => groups.count(at, None),
            },
            Held::Packed(metric) => {
                for reading in packed::entries(value, &metric.encodings) {
                    let Ok(reading) = reading else { return groups.count(at, None) };
                    let at = at.and_then(|base| base.checked_add_unsigned(reading.offset));
                    groups.count_entry(at, reading.entry, metric.index, *value_type);
                }
            }
        }
    }

    /// The partials.
    pub fn finish(self) -> BTreeMap<GroupKey, Partial> {
        let Groups { places, slots, .. } = self.groups;
        let partial = |place: usize| self.figures.of(&slots.get(place)?.partial);
        places.into_iter().filter_map(|(key, place)| Some((key, partial(place)?))).collect()
    }
}

impl Groups {
    /// Counts one metric of a reading, unless it is null.
    #[inline]
    fn count_entry(&mut self, at: Option<Timestamp>, entry: Entry<'_>, index: usize, value_type: ValueType) {
        if let Some(value) = entry.value(index) {
            self.count(at, value_type.number(value));
        }
    }

    #[inline]
    fn count(&mut self, at: Option<Timestamp>, number: Option<Number>) {
        if let Some(during) = &self.during
            && !at.is_some_and(|at| during.contains(&at))
        {
            return;
        }
        let bucket_ms = self.group.bucket_of(at);
        let place = match self.present.slot {
            Some((of, place)) if of == bucket_ms => place,
            _ => self.place_of(bucket_ms),
        };
        if let Some(slot) = self.slots.get_mut(place) {
            if slot.last_row != self.present.number {
                slot.last_row = self.present.number;
                slot.partial.rows += 1;
            }
            slot.partial.add_cell(number);
        }
    }

    fn place_of(&mut self, bucket_ms: Option<Timestamp>) -> usize {
        // A key that stays must not keep alive what it was cut from.
        let key = self.group.key.map(|slice| Bytes::copy_from_slice(slice.of(&self.present.row)));
        let place = *self.places.entry(GroupKey { key, bucket_ms }).or_insert_with(|| {
            self.slots.push(Slot { partial: Partial::default(), last_row: 0 });
            self.slots.len() - 1
        });
        self.present.slot = Some((bucket_ms, place));
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scan;
    use crate::aggregate::{KeySlice, TimeOf};

    fn cell(row: &'static str, timestamp: Timestamp, value: i64) -> Cell {
        Cell::put(row, "f", "q", timestamp, value.to_be_bytes().to_vec())
    }

    fn groups(aggregate: &Aggregate, cells: &[Cell]) -> BTreeMap<GroupKey, Partial> {
        let mut aggregator = Aggregator::new(aggregate);
        aggregator.add(cells);
        aggregator.finish()
    }

    #[test]
    fn groups_by_prefix_and_time() {
        let group = Group { key: Some(KeySlice::First(1)), time_bucket_ms: Some(10) };
        let aggregate = Aggregate { group, ..Aggregate::new(Scan::all(), ValueType::I64) };
        let cells =
            [cell("a1", 15, 1), cell("a1", 12, 2), cell("a1", 3, 4), cell("a2", 11, 8), cell("b", 11, -1)];
        let groups = groups(&aggregate, &cells);
        let of = |key: &'static str, bucket_ms| {
            groups[&GroupKey { key: Some(key.into()), bucket_ms: Some(bucket_ms) }]
        };
        assert_eq!((of("a", 10).rows, of("a", 10).cells, of("a", 10).sum), (2, 3, Number::Int(11)));
        assert_eq!((of("a", 0).rows, of("b", 10).min), (1, Some(Number::Int(-1))));
    }

    #[test]
    fn a_row_counts_once_in_each_of_its_groups() {
        let aggregate =
            Aggregate { group: Group::by_time(10), ..Aggregate::new(Scan::all(), ValueType::None) };
        let cells = [cell("a", 15, 1), cell("a", 3, 1), cell("a", 14, 1), cell("b", 13, 1)];
        let rows: Vec<u64> = groups(&aggregate, &cells).values().map(|partial| partial.rows).collect();
        assert_eq!(rows, [1, 2]);
    }

    #[test]
    fn only_wanted_rows_and_times_count() {
        let rows = RowSet::of_parts(KeySlice::Inner { front: 1, back: 0 }, ["x", "y"].map(Bytes::from));
        let readings = Readings { during: Some(5..10), ..Readings::default() };
        let aggregate =
            Aggregate { rows: Some(rows), readings, ..Aggregate::new(Scan::all(), ValueType::I64) };
        let cells = [cell("1x", 5, 1), cell("1x", 10, 2), cell("1z", 6, 4), cell("2y", 9, 8)];
        let groups = groups(&aggregate, &cells);
        assert_eq!(groups[&GroupKey::default()].sum, Number::Int(9));
    }

    #[test]
    fn values_without_a_time_have_no_bucket_and_are_of_no_time() {
        let key = super::super::KeyTime {
            place: super::super::KeyPlace::FromBack(8),
            unit: super::super::KeyUnit::Number,
        };
        let timed = |during| Aggregate {
            group: Group::by_time(10),
            readings: Readings { time: TimeOf::Key(key), during, ..Readings::default() },
            ..Aggregate::new(Scan::all(), ValueType::I64)
        };
        let cells = [cell("short", 5, 1)];
        assert_eq!(groups(&timed(None), &cells)[&GroupKey::default()].cells, 1);
        assert_eq!(groups(&timed(Some(0..100)), &cells), BTreeMap::new());
    }
}
