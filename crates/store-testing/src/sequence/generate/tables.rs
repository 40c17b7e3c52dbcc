//! Steps about tables, regions and files.

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, KeepDeletedCells};
use tablesmith_store::Scan;

use super::{ALL_VERSIONS, Maker};
use crate::sequence::step::{Operation, Part};

impl Maker<'_> {
    /// A new table: one family or more, cut nowhere or at some keys.
    pub(super) fn create(&mut self) -> Operation {
        let mut names = self.config.families.clone();
        let keep = 1 + self.number(names.len());
        names.truncate(keep);
        let families = self.described(&names);
        self.families.push(names);
        self.files.push(0);
        let mut splits: Vec<Bytes> = Vec::new();
        if self.percent(40) {
            splits = (0..1 + self.number(2)).map(|_| self.key()).collect();
            splits.sort();
            splits.dedup();
        }
        Operation::Create(families, splits)
    }

    fn described(&mut self, names: &[&'static str]) -> Vec<FamilyDescriptor> {
        names.iter().map(|name| self.described_family(name)).collect()
    }

    fn described_family(&mut self, name: &'static str) -> FamilyDescriptor {
        let mut family = FamilyDescriptor::new(name).with_versions(self.between(1, 4));
        family.keep_deleted_cells = match self.below(20) {
            0..12 => KeepDeletedCells::False,
            12..17 => KeepDeletedCells::True,
            _ => KeepDeletedCells::Ttl,
        };
        if !self.config.family_ttls_s.is_empty() && self.percent(30) {
            family.ttl_s = self.one_of(&self.config.family_ttls_s);
            family.min_versions = self.between(0, family.versions.min(2));
        }
        family
    }

    /// A key at which a table may be cut or a scan may begin: a row, or one between rows.
    pub(super) fn key(&mut self) -> Bytes {
        let row = self.row();
        match self.below(6) {
            0 => [&row[..], b"\x00"].concat().into(),
            1 => [&row[..], b"a"].concat().into(),
            _ => row,
        }
    }

    /// Flushes and compactions.
    pub(super) fn files(&mut self, table: usize) -> Operation {
        let one_region_percent = if self.config.spares_hbase { 0 } else { 15 };
        let part = Part {
            family: self.maybe(15, |maker| maker.family(table)),
            region: self.maybe(one_region_percent, |maker| maker.number(3)),
        };
        match self.below(10) {
            0..6 => Operation::Flush(part),
            6..8 => Operation::Compact(part),
            _ => Operation::MajorCompact(part),
        }
    }

    /// Everything that changes a table's shape.
    pub(super) fn rearrange(&mut self, table: usize) -> Operation {
        match self.below(12) {
            0..5 if self.config.spares_hbase => Operation::Borders,
            5 | 6 | 10.. if self.config.spares_hbase && self.opening_compacts(table) => {
                Operation::MajorCompact(Part::default())
            }
            0..3 => Operation::Split(self.key()),
            3 | 4 => Operation::Merge(self.number(3)),
            5 => Operation::Move(self.number(3)),
            6 => Operation::Reopen,
            7 => Operation::Truncate(self.percent(50)),
            8 | 9 => Operation::Borders,
            _ => self.alter(table),
        }
    }

    /// Other settings; now and then a family comes or goes.
    fn alter(&mut self, table: usize) -> Operation {
        let mut names = self.families.get(table).cloned().unwrap_or_default();
        if self.percent(30) {
            names = self.config.families.clone();
            let keep = 1 + self.number(names.len());
            names.truncate(keep);
        }
        let families = self.described(&names);
        if let Some(known) = self.families.get_mut(table) {
            *known = names;
        }
        Operation::Alter(families)
    }

    /// All that is stored and all that is seen, at the end of a sequence.
    pub(super) fn last_look(&mut self) -> Vec<Operation> {
        vec![
            Operation::Borders,
            Operation::Scan(Scan::all().versions(ALL_VERSIONS)),
            Operation::Scan(Scan::all().versions(ALL_VERSIONS).raw()),
            Operation::Scan(Scan::all().reversed()),
        ]
    }
}
