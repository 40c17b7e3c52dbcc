//! Steps that write.

use tablesmith_model::TimeRange;
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{
    Action, Append, CheckAndMutate, Condition, Delete, DeleteTarget, Increment, Mutation, Put, RowMutations,
};

use super::Maker;
use crate::sequence::step::Operation;

impl Maker<'_> {
    /// Mostly one cell, sometimes several.
    pub(super) fn put(&mut self, table: usize) -> Put {
        let row = self.row();
        self.put_to(table, Put::new(row))
    }

    fn put_to(&mut self, table: usize, mut put: Put) -> Put {
        let cells = if self.percent(70) { 1 } else { 2 + self.number(2) };
        for _ in 0..cells {
            let (family, qualifier) = (self.family(table), self.qualifier());
            let (timestamp, value) = (self.some_timestamp(), self.value());
            put.cells.push((family, qualifier, timestamp, value));
        }
        put.ttl_ms = self.maybe(6, |maker| maker.one_of(&maker.config.cell_ttls_ms));
        put
    }

    /// Every kind of marker, alone or with others.
    pub(super) fn delete(&mut self, table: usize) -> Delete {
        let row = self.row();
        self.delete_from(table, Delete::row(row))
    }

    fn delete_from(&mut self, table: usize, mut delete: Delete) -> Delete {
        if self.percent(10) {
            delete.timestamp = self.some_timestamp();
            return delete;
        }
        let targets = if self.percent(80) { 1 } else { 2 + self.number(2) };
        for _ in 0..targets {
            let target = self.delete_target(table);
            // HBase forgets what was named of a family when the whole family is named after it, on some ways to its
            // servers and not on others: there is no answer to expect.
            let is_family = matches!(target, DeleteTarget::Family(..));
            if !(is_family && delete.targets.iter().any(|named| named.family() == target.family())) {
                delete.targets.push(target);
            }
        }
        delete
    }

    fn delete_target(&mut self, table: usize) -> DeleteTarget {
        let family = self.family(table);
        match self.below(10) {
            0 | 1 => DeleteTarget::Family(family, self.some_timestamp()),
            2 => DeleteTarget::FamilyVersion(family, self.timestamp()),
            3..6 => DeleteTarget::Column(family, self.qualifier(), self.some_timestamp()),
            _ => DeleteTarget::Version(family, self.qualifier(), self.some_timestamp()),
        }
    }

    fn increment(&mut self, table: usize) -> Increment {
        let (row, family, qualifier) = (self.row(), self.family(table), self.qualifier());
        let mut increment = Increment::new(row, family, qualifier, self.amount());
        if self.percent(20) {
            let more = (self.family(table), self.qualifier(), self.amount());
            increment.amounts.push(more);
        }
        increment.time_range = self.some_time(10);
        increment.ttl_ms = self.maybe(5, |maker| maker.one_of(&maker.config.cell_ttls_ms));
        increment.return_results = !self.percent(10);
        increment
    }

    fn amount(&mut self) -> i64 {
        self.one_of(&[1, 1, 2, -1, 0, i64::MAX])
    }

    fn append(&mut self, table: usize) -> Append {
        let (row, family, qualifier) = (self.row(), self.family(table), self.qualifier());
        let mut append = Append::new(row, family, qualifier, self.value());
        if self.percent(20) {
            let more = (self.family(table), self.qualifier(), self.value());
            append.values.push(more);
        }
        append.time_range = self.some_time(10);
        append.return_results = !self.percent(10);
        append
    }

    /// An increment or an append.
    pub(super) fn update(&mut self, table: usize) -> Operation {
        if self.percent(60) {
            Operation::Increment(self.increment(table))
        } else {
            Operation::Append(self.append(table))
        }
    }

    /// Writes that happen together.
    pub(super) fn together(&mut self, table: usize) -> Operation {
        match self.below(3) {
            0 => Operation::MutateRow(self.row_mutations(table)),
            1 => Operation::CheckAndMutate(self.check_and_mutate(table)),
            _ => Operation::Batch(self.batch(table)),
        }
    }

    fn mutation(&mut self, table: usize) -> Mutation {
        match self.below(10) {
            0..5 => Mutation::Put(self.put(table)),
            5..8 => Mutation::Delete(self.delete(table)),
            8 => Mutation::Increment(self.increment(table)),
            _ => Mutation::Append(self.append(table)),
        }
    }

    /// A cluster looks at its clock anew for an increment or an append among other mutations: there, each is alone.
    fn row_mutations(&mut self, table: usize) -> RowMutations {
        let row = self.row();
        let mut mutations: Vec<Mutation> = (0..1 + self.number(3))
            .map(|_| {
                let mut mutation = self.mutation(table);
                match &mut mutation {
                    Mutation::Put(put) => put.row = row.clone(),
                    Mutation::Delete(delete) => delete.row = row.clone(),
                    Mutation::Increment(increment) => increment.row = row.clone(),
                    Mutation::Append(append) => append.row = row.clone(),
                }
                mutation
            })
            .collect();
        let updates = |mutation: &Mutation| matches!(mutation, Mutation::Increment(_) | Mutation::Append(_));
        if self.config.own_clocks && mutations.iter().any(updates) {
            mutations.truncate(1);
        }
        RowMutations { row, mutations }
    }

    fn check_and_mutate(&mut self, table: usize) -> CheckAndMutate {
        CheckAndMutate { condition: self.condition(table), then: self.row_mutations(table) }
    }

    fn condition(&mut self, table: usize) -> Condition {
        let time_range = self.some_time(15);
        match self.below(10) {
            0 | 1 => {
                let filter = self.filter(table);
                Condition::Filter { filter, time_range }
            }
            2..5 => Condition::Absent { family: self.family(table), qualifier: self.qualifier(), time_range },
            _ => Condition::Value {
                family: self.family(table),
                qualifier: self.qualifier(),
                op: self.compare_op(),
                comparator: Comparator::Binary(self.value()),
                time_range,
            },
        }
    }

    /// Any operator that compares.
    pub(super) fn compare_op(&mut self) -> CompareOp {
        use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let place = self.number(6);
        [Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater].into_iter().nth(place).unwrap_or(Equal)
    }

    /// A cluster does the elements of a batch in an order of its own: there, each is about another row.
    fn batch(&mut self, table: usize) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        for _ in 0..1 + self.number(4) {
            let action = self.action(table);
            let same_row = actions.iter().any(|other| other.row() == action.row());
            if !(self.config.own_clocks && same_row) {
                actions.push(action);
            }
        }
        actions
    }

    fn action(&mut self, table: usize) -> Action {
        match self.below(10) {
            0..3 => Action::Get(self.get(table)),
            3..8 => Action::Mutate(self.mutation(table)),
            8 => Action::RowMutations(self.row_mutations(table)),
            _ => Action::CheckAndMutate(self.check_and_mutate(table)),
        }
    }

    /// A time range, now and then; else all time.
    pub(super) fn some_time(&mut self, percent: u64) -> TimeRange {
        self.maybe(percent, Self::time_range).unwrap_or_default()
    }

    fn time_range(&mut self) -> TimeRange {
        let (one, other) = (self.timestamp(), self.timestamp());
        let until = one.max(other).saturating_add(i64::from(self.percent(50)));
        let from = if self.percent(40) { 0 } else { one.min(other) };
        TimeRange::new(from, until).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::SequenceConfig;

    /// Steps that are refused before they reach a store would test little.
    #[test]
    fn writes_make_sense() {
        let config = SequenceConfig::default();
        let mut maker = Maker { families: vec![vec!["f", "g"]], ..Maker::new(3, &config) };
        for _ in 0..1_000 {
            let mutations = maker.row_mutations(0);
            mutations.check().unwrap();
        }
    }
}
