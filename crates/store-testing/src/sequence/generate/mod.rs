//! Draws sequences.

mod filters;
mod reads;
mod tables;
mod writes;

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_model::Timestamp;

use super::step::{Operation, Part, Step};
use super::{Sequence, SequenceConfig};

/// More versions than a sequence writes.
const ALL_VERSIONS: u32 = 99;

/// The sequence of a seed: tables first, then whatever comes, then a look at all that is stored.
pub fn generate(seed: u64, config: &SequenceConfig) -> Sequence {
    let mut maker = Maker::new(seed, config);
    let mut steps = Vec::new();
    for table in 0..config.tables {
        let create = maker.create();
        steps.push(Step::On(table, create));
    }
    let (least, most) = (*config.steps.start() as u64, *config.steps.end() as u64);
    let wanted = least + maker.below(most.saturating_sub(least) + 1);
    while (steps.len() as u64) < wanted {
        steps.push(maker.step());
    }
    for table in 0..config.tables {
        steps.extend(maker.last_look().into_iter().map(|operation| Step::On(table, operation)));
    }
    let original_steps = steps.len();
    Sequence { seed, original_steps, start_ms: config.start_ms, own_clocks: config.own_clocks, steps }
}

/// Draws steps one after the other.
struct Maker<'a> {
    random: Rng,
    config: &'a SequenceConfig,
    /// The families of each table, as the steps drawn up to now leave them.
    families: Vec<Vec<&'static str>>,
    /// The most files that a family of each table can have.
    files: Vec<usize>,
}

/// HBase begins to compact a family with so many files whenever its region is opened, and a compaction forgets markers:
/// a table that is to be opened anew has fewer.
const FILES_COMPACTED: usize = 3;

/// What a step may be, and how often it is.
const KINDS: [(Kind, u64); 9] = [
    (Kind::Clock, 8),
    (Kind::Put, 24),
    (Kind::Delete, 14),
    (Kind::Update, 7),
    (Kind::Together, 8),
    (Kind::Get, 10),
    (Kind::Scan, 18),
    (Kind::Files, 9),
    (Kind::Table, 3),
];

#[derive(Clone, Copy)]
enum Kind {
    Clock,
    Put,
    Delete,
    Update,
    Together,
    Get,
    Scan,
    Files,
    Table,
}

impl<'a> Maker<'a> {
    fn new(seed: u64, config: &'a SequenceConfig) -> Self {
        Self { random: Rng::with_seed(seed), config, families: Vec::new(), files: Vec::new() }
    }

    fn step(&mut self) -> Step {
        let kind = self.kind();
        if matches!(kind, Kind::Clock) && !self.config.own_clocks {
            return Step::Advance(self.one_of(&self.config.advances_ms));
        }
        let table = self.number(self.config.tables);
        let operation = match kind {
            Kind::Clock | Kind::Scan => self.scan_or_aggregate(table),
            Kind::Put => Operation::Put(self.put(table)),
            Kind::Delete => Operation::Delete(self.delete(table)),
            Kind::Update => self.update(table),
            Kind::Together => self.together(table),
            Kind::Get => self.get_or_exists(table),
            Kind::Files => self.files(table),
            Kind::Table => self.rearrange(table),
        };
        self.count_files(table, &operation);
        Step::On(table, operation)
    }

    fn count_files(&mut self, table: usize, operation: &Operation) {
        let Some(files) = self.files.get_mut(table) else { return };
        match operation {
            // Closing a region flushes it.
            Operation::Flush(_) | Operation::Reopen | Operation::Alter(_) | Operation::Move(_) => *files += 1,
            Operation::MajorCompact(Part { family: None, region: None }) => *files = 1,
            Operation::Truncate(_) => *files = 0,
            _ => {}
        }
    }

    /// Whether HBase would compact a region of the table when it is closed and opened.
    fn opening_compacts(&self, table: usize) -> bool {
        self.files.get(table).is_some_and(|files| files + 1 >= FILES_COMPACTED)
    }

    /// A kind of step, each as often as its weight says.
    fn kind(&mut self) -> Kind {
        let mut left = self.below(KINDS.iter().map(|(_, weight)| weight).sum());
        for (kind, weight) in KINDS {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return kind,
            }
        }
        Kind::Scan
    }

    /// A number from 0 up to, not including, `bound`; 0 when there is none.
    fn below(&mut self, bound: u64) -> u64 {
        self.random.u64(..bound.max(1))
    }

    /// True in `percent` of 100 cases.
    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these; the default of its type when there are none.
    fn one_of<T: Clone + Default>(&mut self, choices: &[T]) -> T {
        self.random.choice(choices).cloned().unwrap_or_default()
    }

    /// A number below `bound`.
    fn number(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).unwrap_or(0)
    }

    /// A number from `least` to `most`.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        let drawn = self.below(u64::from(most.saturating_sub(least)) + 1);
        least.saturating_add(u32::try_from(drawn).unwrap_or(0))
    }

    fn row(&mut self) -> Bytes {
        self.one_of(&self.config.rows).into()
    }

    /// A family of the table; now and then one that it does not have.
    fn family(&mut self, table: usize) -> Bytes {
        if self.percent(1) {
            return Bytes::from_static(b"nope");
        }
        let known = self.families.get(table).cloned().unwrap_or_default();
        self.one_of(&known).into()
    }

    fn qualifier(&mut self) -> Bytes {
        self.one_of(&self.config.qualifiers).into()
    }

    fn value(&mut self) -> Bytes {
        self.one_of(&self.config.values).into()
    }

    fn timestamp(&mut self) -> Timestamp {
        self.one_of(&self.config.timestamps_ms)
    }

    /// A timestamp, or that of the store's clock.
    fn some_timestamp(&mut self) -> Option<Timestamp> {
        (!self.percent(25)).then(|| self.timestamp())
    }

    /// Something, now and then.
    fn maybe<T>(&mut self, percent: u64, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.percent(percent).then(|| draw(self))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_gives_the_same_sequence_again() {
        let config = SequenceConfig::default();
        assert_eq!(generate(7, &config), generate(7, &config));
        assert_ne!(generate(7, &config).steps, generate(8, &config).steps);
    }

    #[test]
    fn every_kind_of_operation_is_drawn() {
        let config = SequenceConfig { tables: 2, ..SequenceConfig::default() };
        let mut seen = BTreeSet::new();
        for seed in 0..300 {
            for step in generate(seed, &config).steps {
                let text = match step {
                    Step::Advance(_) => "Advance".to_owned(),
                    Step::On(_, operation) => format!("{operation:?}"),
                };
                seen.insert(text.split(['(', ' ']).next().unwrap_or_default().to_owned());
            }
        }
        let all = [
            "Advance",
            "Aggregate",
            "Alter",
            "Append",
            "Batch",
            "Borders",
            "CheckAndMutate",
            "Compact",
            "Create",
            "Delete",
            "Exists",
            "Flush",
            "Get",
            "Increment",
            "MajorCompact",
            "Merge",
            "Move",
            "MutateRow",
            "Put",
            "Reopen",
            "Scan",
            "Split",
            "Truncate",
        ];
        assert_eq!(seen, all.map(str::to_owned).into());
    }

    #[test]
    fn stores_with_own_clocks_get_no_clock_steps() {
        let config = SequenceConfig::own_clocks();
        for seed in 0..50 {
            assert!(generate(seed, &config).steps.iter().all(|step| !matches!(step, Step::Advance(_))));
        }
    }
}
