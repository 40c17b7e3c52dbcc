//! Merges streams of rows by their ids: a tree of losers.
//!
//! Each stream shows its front row. Inner nodes keep who lost there, so that a new front of the winner is compared only
//! with those on its way up: one comparison a level (Knuth, *The Art of Computer Programming* 3, 5.4.1).

use std::cmp::Ordering;

use tablesmith_model::plan::Strand;
use tablesmith_store::Row;

/// The front rows of all streams.
pub(super) struct Merge {
    fronts: Vec<Option<Front>>,
    /// What of each stream's keys is its id: what comes before, and how many bytes are not of it.
    cuts: Vec<(Vec<u8>, usize)>,
    /// The losers of the inner nodes 1 and up; node 0 is not used.
    losers: Vec<usize>,
    winner: usize,
    falls: bool,
}

struct Front {
    /// The first eight bytes of the id: most comparisons end with them.
    first: u64,
    row: Row,
}

impl Merge {
    pub fn new<'s>(strands: impl Iterator<Item = &'s Strand>, falls: bool) -> Self {
        let cuts: Vec<(Vec<u8>, usize)> =
            strands.map(|strand| (strand.head.clone(), strand.prefix.len())).collect();
        let fronts = cuts.iter().map(|_| None).collect();
        Self { fronts, losers: vec![0; cuts.len()], cuts, winner: 0, falls }
    }

    /// Shows all first rows. None: that stream has no rows.
    pub fn begin(&mut self, rows: impl Iterator<Item = Option<Row>>) {
        let fronts = rows.enumerate().map(|(stream, row)| row.map(|row| self.front(stream, row)));
        self.fronts = fronts.collect();
        self.winner = self.play(1);
    }

    /// Takes the row that comes first, and says whose it is. Then that stream must [`Self::show`] its next one.
    pub fn take(&mut self) -> Option<(usize, Row)> {
        let front = self.fronts.get_mut(self.winner)?.take()?;
        Some((self.winner, front.row))
    }

    /// The next row of the stream that was taken from. None: it has no more.
    pub fn show(&mut self, row: Option<Row>) {
        let mut best = self.winner;
        let front = row.map(|row| self.front(best, row));
        if let Some(place) = self.fronts.get_mut(best) {
            *place = front;
        }
        let mut node = (best + self.fronts.len()) / 2;
        while node > 0 {
            let Some(&rival) = self.losers.get(node) else { break };
            if self.comes_first(rival, best) {
                if let Some(loser) = self.losers.get_mut(node) {
                    *loser = best;
                }
                best = rival;
            }
            node /= 2;
        }
        self.winner = best;
    }

    fn front(&self, stream: usize, row: Row) -> Front {
        let (head, tail) = self.id(stream, &row);
        Front { first: first_bytes(head, tail), row }
    }

    fn id<'m>(&'m self, stream: usize, row: &'m Row) -> (&'m [u8], &'m [u8]) {
        let Some((head, at)) = self.cuts.get(stream) else { return (&[], &row.row) };
        (head, row.row.get(*at..).unwrap_or_default())
    }

    /// Plays all games below a node and says who won. The leaf of stream `s` is node `streams + s`.
    fn play(&mut self, node: usize) -> usize {
        let streams = self.fronts.len();
        if node >= streams {
            return node - streams;
        }
        let (left, right) = (self.play(2 * node), self.play(2 * node + 1));
        let (winner, loser) = if self.comes_first(right, left) { (right, left) } else { (left, right) };
        if let Some(place) = self.losers.get_mut(node) {
            *place = loser;
        }
        winner
    }

    /// Whether the front of one stream comes before that of the other; a stream without one comes last.
    fn comes_first(&self, one: usize, two: usize) -> bool {
        let front = |stream: usize| self.fronts.get(stream).and_then(Option::as_ref);
        let (Some(first), Some(second)) = (front(one), front(two)) else { return front(one).is_some() };
        let ids = || self.id(one, &first.row).cmp(&self.id(two, &second.row));
        let order = first.first.cmp(&second.first).then_with(ids).then(one.cmp(&two));
        order == if self.falls { Ordering::Greater } else { Ordering::Less }
    }
}

/// The first eight bytes of an id, with zeros behind a shorter one.
fn first_bytes(head: &[u8], tail: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(head.iter().chain(tail)).for_each(|(byte, from)| *byte = *from);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges streams whose keys begin with the stream's number.
    fn merged(streams: &[&[&str]], falls: bool) -> Vec<String> {
        let strand = Strand { prefix: b"0".to_vec(), ..Strand::default() };
        let row = |stream: usize, id: &str| Row {
            row: format!("{}{id}", char::from(b'0' + u8::try_from(stream).unwrap())).into(),
            cells: Vec::new(),
        };
        let mut left: Vec<_> = streams.iter().map(|ids| ids.iter()).collect();
        let mut merge = Merge::new(streams.iter().map(|_| &strand), falls);
        let firsts: Vec<_> =
            left.iter_mut().enumerate().map(|(at, ids)| ids.next().map(|id| row(at, id))).collect();
        merge.begin(firsts.into_iter());
        let mut out = Vec::new();
        while let Some((stream, taken)) = merge.take() {
            out.push(String::from_utf8(taken.row.to_vec()).unwrap());
            merge.show(left[stream].next().map(|id| row(stream, id)));
        }
        out
    }

    #[test]
    fn rows_come_in_the_order_of_ids_and_then_of_streams() {
        let streams: [&[&str]; 5] =
            [&["b", "long enough 2"], &[], &["a", "b", "c"], &["long enough 1"], &["", "zz"]];
        let rising =
            ["4", "2a", "0b", "2b", "2c", "3long enough 1", "0long enough 2", "4zz"].map(str::to_owned);
        assert_eq!(merged(&streams, false), rising);
        let falling: Vec<Vec<&str>> = streams.iter().map(|ids| ids.iter().rev().copied().collect()).collect();
        let falling: Vec<&[&str]> = falling.iter().map(Vec::as_slice).collect();
        let mut expected = rising.to_vec();
        expected.reverse();
        assert_eq!(merged(&falling, true), expected);
    }

    #[test]
    fn any_number_of_streams_is_merged() {
        for streams in 0..40_usize {
            let ids: Vec<Vec<String>> = (0..streams)
                .map(|stream| {
                    (0..7).map(|at| format!("{:03}", at * streams + (stream * 7) % streams)).collect()
                })
                .collect();
            let ids: Vec<Vec<&str>> =
                ids.iter().map(|ids| ids.iter().map(String::as_str).collect()).collect();
            let slices: Vec<&[&str]> = ids.iter().map(Vec::as_slice).collect();
            let mut expected: Vec<&str> = ids.concat();
            expected.sort_unstable();
            let out = merged(&slices, false);
            let out: Vec<&str> = out.iter().map(|key| &key[key.len() - 3..]).collect();
            assert_eq!(out, expected, "{streams} streams");
        }
    }

    #[test]
    fn a_short_id_comes_before_a_longer_one_that_it_begins() {
        assert!(first_bytes(b"", b"a") == first_bytes(b"", b"a\0"));
        assert_eq!(merged(&[&["a\0"], &["a"]], false), ["1a", "0a\0"]);
    }
}
