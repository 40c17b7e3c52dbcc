//! Rows of a file as puts for all places of their table.

use std::collections::{HashMap, HashSet};

use tablesmith_model::Durability;
use tablesmith_model::source_row::SourceRow;
use tablesmith_store::{Action, Mutation, Put};
use xxhash_rust::xxh3::xxh3_64;

use super::keys::{KeyNumbers, Keys, Sureness};
use super::made::Make;
use crate::write::{FindBy, Place, Writer};

/// Puts that go to one table at the same time as those of other lanes, in the order of the file. What has one row is in
/// one lane, so that of two puts the later stays.
#[derive(Clone, Default)]
pub(super) struct Lane {
    pub puts: Vec<Action>,
    pub lines: Vec<u64>,
}

/// The puts to one table, in as many lanes as its store takes at once.
#[derive(Clone)]
pub(super) struct Lanes(pub Vec<Lane>);

/// Some rows on their way.
#[derive(Default)]
pub(super) struct Puts {
    /// For each place.
    pub places: Vec<Lanes>,
    /// Rows that may be there already, with other values.
    pub again: Vec<SourceRow>,
    /// How they are found.
    pub find_by: Option<FindBy>,
    /// Rows whose key comes once more behind them: they are not written.
    pub superseded: u64,
    /// What is known of all keys of the table, once the file is through.
    pub known: Option<Keys>,
    /// The number of what tells each row from others, and its line.
    keys: Vec<(u128, u64)>,
}

/// Makes the puts of rows for all places.
pub(super) struct MakePuts<'m> {
    writer: &'m Writer,
    table: &'m str,
    places: Vec<&'m Place>,
    keys: Keys,
    key_numbers: KeyNumbers,
    /// What tells rows apart, once one is known.
    find_by: Option<FindBy>,
    /// Joined places that rows of the table are part of.
    joined: Vec<&'m Place>,
    /// The puts of one row.
    puts: Vec<Put>,
    /// Lanes to each place.
    lanes: usize,
    durability: Durability,
}

impl<'m> MakePuts<'m> {
    pub fn new(
        writer: &'m Writer,
        table: &'m str,
        places: Vec<&'m Place>,
        keys: Keys,
        (lanes, durability): (usize, Durability),
    ) -> Self {
        let key_numbers = KeyNumbers::of(writer.key_columns(table));
        let joined = writer.joined_places_of(table).collect();
        let (find_by, puts) = (None, Vec::new());
        Self { writer, table, places, keys, key_numbers, find_by, joined, puts, lanes, durability }
    }

    /// The number of what tells a row from others; none where nothing does.
    fn number(&mut self, row: &SourceRow) -> Option<u128> {
        let find_by = || self.writer.find_by(self.table, &row.values);
        match self.find_by.get_or_insert_with(find_by) {
            FindBy::Key | FindBy::KeyInAll => Some(self.key_numbers.number(&row.values)),
            FindBy::Nothing => None,
        }
    }
}

impl Make for MakePuts<'_> {
    type Made = Puts;

    fn none(&self) -> Puts {
        Puts { places: vec![Lanes(vec![Lane::default(); self.lanes]); self.places.len()], ..Puts::default() }
    }

    fn add(&mut self, row: SourceRow, made: &mut Puts) -> Result<(), String> {
        self.writer.has_key(self.table, &row.values)?;
        // A row goes to all places or to none.
        self.puts.clear();
        for place in &self.places {
            let put = place.put_new(&row.values).map_err(|error| error.to_string())?;
            self.puts.push(Put { durability: self.durability, ..put });
        }
        for place in &self.joined {
            self.writer.fits_in(place, self.table, &row.values).map_err(|error| error.to_string())?;
        }
        let number = self.number(&row);
        for (lanes, put) in made.places.iter_mut().zip(self.puts.drain(..)) {
            lanes.add(put, row.line);
        }
        made.find_by = self.find_by;
        if let Some(number) = number {
            made.keys.push((number, row.line));
            let sureness = match self.find_by {
                Some(FindBy::KeyInAll) => Sureness::OneInManyMillions,
                _ => Sureness::OneInThousands,
            };
            if self.keys.may_have(number, sureness) {
                made.again.push(row);
            }
        }
        Ok(())
    }

    /// Of rows with one key the last is written.
    fn end(&mut self, made: &mut Puts) {
        if made.again.is_empty() {
            return;
        }
        let last: HashMap<u128, u64> = made.keys.iter().copied().collect();
        let is_superseded = |(key, line): &&(u128, u64)| last.get(key) != Some(line);
        let superseded: HashSet<u64> =
            made.keys.iter().filter(is_superseded).map(|(_, line)| *line).collect();
        made.superseded = superseded.len() as u64;
        made.again.retain(|row| !superseded.contains(&row.line));
        made.places.iter_mut().for_each(|lanes| lanes.leave_out(&superseded));
    }

    fn last(&mut self, made: &mut Puts) {
        made.known = Some(std::mem::replace(&mut self.keys, Keys::Unknown));
    }

    fn numbers(&self) -> Vec<u64> {
        next_numbers(&self.places)
    }
}

impl Lanes {
    fn add(&mut self, put: Put, line: u64) {
        let lane = xxh3_64(&put.row).checked_rem(self.0.len() as u64).unwrap_or_default();
        let Some(lane) = self.0.get_mut(lane as usize) else { return };
        lane.puts.push(Action::Mutate(Mutation::Put(put)));
        lane.lines.push(line);
    }

    /// Leaves out the puts of some lines.
    pub fn leave_out(&mut self, lines: &HashSet<u64>) {
        if lines.is_empty() {
            return;
        }
        for lane in &mut self.0 {
            let stays = |line: &u64| !lines.contains(line);
            let mut each = lane.lines.iter();
            lane.puts.retain(|_| each.next().is_none_or(stays));
            lane.lines.retain(stays);
        }
    }
}

/// The next number of each place whose rows are numbered.
pub(super) fn next_numbers(places: &[&Place]) -> Vec<u64> {
    let numbered = places.iter().filter(|place| place.layout.numbers_rows());
    numbered.map(|place| place.layout.peek_row_number()).collect()
}
