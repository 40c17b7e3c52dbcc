//! Steps that read.

use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::value::CellEncoding;
use tablesmith_store::aggregate::{
    Figures, Held, KeyPlace, KeyTime, KeyUnit, Metric, OffsetForm, Readings, RowSet, TimeOf,
};
use tablesmith_store::{Aggregate, Get, Group, KeySlice, ReadOptions, RowBound, Scan, ValueType};

use super::{ALL_VERSIONS, Maker};
use crate::sequence::step::Operation;

impl Maker<'_> {
    /// Any get.
    pub(super) fn get(&mut self, table: usize) -> Get {
        Get { row: self.row(), read: self.read_options(table) }
    }

    /// A get, or the question whether it would find anything.
    pub(super) fn get_or_exists(&mut self, table: usize) -> Operation {
        let get = self.get(table);
        if self.percent(10) { Operation::Exists(get) } else { Operation::Get(get) }
    }

    /// A scan, or an aggregation of what it would read.
    pub(super) fn scan_or_aggregate(&mut self, table: usize) -> Operation {
        if self.percent(8) {
            Operation::Aggregate(self.aggregate(table))
        } else {
            Operation::Scan(self.scan(table))
        }
    }

    fn read_options(&mut self, table: usize) -> ReadOptions {
        let mut read = ReadOptions { versions: self.one_of(&[1, 1, 2, 3, 9]), ..ReadOptions::default() };
        if self.percent(30) {
            for _ in 0..1 + self.number(3) {
                let (family, qualifier) = (self.family(table), self.qualifier());
                if self.percent(30) {
                    read.columns.add_family(family);
                } else {
                    read.columns.add_column(family, qualifier);
                }
            }
        }
        read.time_range = self.some_time(20);
        if self.percent(5) {
            let family = self.family(table);
            let range = self.some_time(100);
            read.family_time_ranges.insert(family, range);
        }
        if self.percent(10) {
            read.max_results_per_family = Some(self.between(1, 3));
        }
        if self.percent(8) {
            read.row_offset_per_family = self.between(1, 2);
        }
        read.filter = self.maybe(40, |maker| maker.filter(table));
        read
    }

    fn bound(&mut self) -> RowBound {
        match self.below(10) {
            0..5 => RowBound::Open,
            5..8 => RowBound::Included(self.key()),
            _ => RowBound::Excluded(self.key()),
        }
    }

    fn scan(&mut self, table: usize) -> Scan {
        if self.percent(15) {
            return Scan { raw: true, ..self.raw_scan(table) };
        }
        let mut scan = Scan {
            start: self.bound(),
            stop: self.bound(),
            reversed: self.percent(25),
            read: self.read_options(table),
            ..Scan::all()
        };
        // A cluster asks a region also where no row can be: it refuses what a store refuses that looks at rows first.
        if self.config.spares_hbase && scan.reversed && scan.read.filter.is_some() {
            (scan.start, scan.stop) = (RowBound::Open, RowBound::Open);
        }
        scan.limit = self.maybe(15, |maker| u64::from(maker.between(1, 3)));
        scan.caching = self.maybe(20, |maker| maker.between(1, 3));
        let whole_rows = scan.read.filter.is_some() && !self.percent(30);
        if self.percent(15) && !whole_rows {
            scan.batch = Some(self.between(1, 3));
        }
        scan
    }

    /// What is stored, mostly all of it: raw scans take no columns.
    fn raw_scan(&mut self, table: usize) -> Scan {
        let mut scan = Scan { reversed: self.percent(10), ..Scan::all() };
        scan.read.versions = self.one_of(&[1, 2, 9, 9, 9]);
        if self.config.spares_hbase {
            scan.read.versions = ALL_VERSIONS;
        } else {
            scan.read.time_range = self.some_time(20);
            scan.read.filter = self.maybe(15, |maker| maker.filter(table));
        }
        if self.percent(10) {
            let family = self.family(table);
            scan.read.columns.add_family(family);
        }
        scan
    }

    fn aggregate(&mut self, table: usize) -> Aggregate {
        let scan =
            Scan { start: self.bound(), stop: self.bound(), read: self.read_options(table), ..Scan::all() };
        // Times that the stores chose fall into buckets of their own.
        let by_time_percent = if self.config.own_clocks { 0 } else { 30 };
        let group = Group {
            key: self.maybe(30, Self::key_slice),
            time_bucket_ms: self.maybe(by_time_percent, |maker| maker.one_of(&[1, 1_000, 50_000])),
        };
        let value = match self.below(3) {
            0 => ValueType::I64,
            1 => ValueType::Text,
            _ => ValueType::None,
        };
        let readings = self.readings(by_time_percent);
        let rows = self.maybe(15, |maker| {
            let slice = maker.key_slice();
            let rows: Vec<Bytes> = (0..maker.number(4)).map(|_| maker.row()).collect();
            if maker.percent(50) {
                return RowSet::of_ranges(rows.iter().map(|row| row.clone()..maker.row()));
            }
            RowSet::of_parts(slice, rows.iter().map(|row| Bytes::copy_from_slice(slice.of(row))))
        });
        let figures = self.figures();
        Aggregate { scan, value, group, readings, rows, figures }
    }

    /// Mostly one or two.
    fn figures(&mut self) -> Figures {
        let figures: Vec<Figures> = Figures::each().collect();
        match self.below(3) {
            0 => Figures::ALL,
            1 => self.one_of(&figures),
            _ => self.one_of(&figures) | self.one_of(&figures),
        }
    }

    fn key_slice(&mut self) -> KeySlice {
        if self.percent(50) {
            return KeySlice::First(self.number(3));
        }
        KeySlice::Inner { front: self.number(2), back: self.number(2) }
    }

    /// Mostly what cells are without more; else times in keys and qualifiers, and cells of several values, also where
    /// there are none.
    fn readings(&mut self, by_time_percent: u64) -> Readings {
        let metric = Metric { encodings: Arc::new([CellEncoding::I32, CellEncoding::Text]), index: 1 };
        let held = match self.below(10) {
            0 => Held::Together(metric),
            1 => Held::Packed(metric),
            _ => Held::Whole,
        };
        let time = match self.below(8) {
            0 => TimeOf::Key(KeyTime { place: KeyPlace::FromFront(0), unit: KeyUnit::Days }),
            1 => TimeOf::Offset { base: None, form: OffsetForm::Short, name: Bytes::new() },
            2 => TimeOf::Least,
            _ => TimeOf::Timestamp,
        };
        let during = self.maybe(by_time_percent / 2, |maker| {
            let from = maker.one_of(&[0, 10, 2_000]);
            from..from + maker.one_of(&[1, 1_000, 100_000])
        });
        Readings { held, time, during }
    }
}
