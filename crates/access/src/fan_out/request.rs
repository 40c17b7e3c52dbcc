//! What a fan-out reads.

use tablesmith_model::bytes_text::to_text;
use tablesmith_model::plan::Strand;
use tablesmith_plan::rpc::FanOutBounds;
use tablesmith_store::{ReadOptions, RegionInfo};

use crate::error::AccessError;

/// A scan over several strands.
///
/// The filter of `read` runs beside the data, in each strand on its own: one that counts rows or ends a scan (a page, the
/// first that does not match) does so in each strand.
#[derive(Clone, Debug, Default)]
pub struct FanOutScan {
    /// What is read: strands that [`crate::strands`] gives, in the order of their keys.
    pub strands: Vec<Strand>,
    /// In which order rows come.
    pub order: Order,
    /// Which rows come first.
    pub begin: Begin,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// What of each row.
    pub read: ReadOptions,
    /// Where the regions are, if that is known: then no server gets more calls at a time than others.
    pub regions: Vec<RegionInfo>,
    /// How much is done at a time.
    pub bounds: FanOutBounds,
}

/// In which order rows come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the lowest id on; rows with one id in the order of their keys.
    #[default]
    Rising,
    /// The other way round.
    Falling,
    /// As they come.
    Any,
}

/// Which rows come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Begin {
    /// The first of all.
    #[default]
    First,
    /// Those with this id, or what comes after it.
    AtId(Vec<u8>),
    /// Those that come after the row with this key: with the last key that was handed out a scan goes on where it was.
    AfterRow(Vec<u8>),
}

impl FanOutScan {
    /// All rows of some strands, in rising order.
    pub fn new(strands: Vec<Strand>) -> Self {
        Self { strands, ..Self::default() }
    }

    /// The strands without what comes before the beginning.
    pub(super) fn strands_from_begin(&self) -> Result<Vec<Strand>, AccessError> {
        let mut strands = self.strands.clone();
        let falls = self.order == Order::Falling;
        let cut = |strand: &mut Strand, id: &[u8], is_included: bool| {
            if falls { strand.end_at(id, is_included) } else { strand.begin_at(id, is_included) }
        };
        match &self.begin {
            Begin::First => {}
            Begin::AtId(id) => strands.iter_mut().for_each(|strand| cut(strand, id, true)),
            Begin::AfterRow(key) => {
                let at = strands.iter().position(|strand| strand.contains(key));
                let strand = at.and_then(|at| strands.get(at)).map(|strand| strand.id(key));
                let (Some(at), Some(id)) = (at, strand) else {
                    return Err(AccessError::NotInScan { row: to_text(key) });
                };
                for (index, strand) in strands.iter_mut().enumerate() {
                    // Rows with the same id come in the order of the strands.
                    let comes_later = if falls { index < at } else { index > at };
                    cut(strand, &id, comes_later);
                }
            }
        }
        strands.retain(|strand| !strand.range.is_empty());
        Ok(strands)
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_model::plan::KeyRange;

    use super::*;

    fn scan(order: Order, begin: Begin) -> FanOutScan {
        let strand = |prefix: &str| Strand {
            range: KeyRange::prefix(prefix.into()),
            prefix: prefix.into(),
            head: Vec::new(),
        };
        FanOutScan { order, begin, ..FanOutScan::new(vec![strand("0"), strand("1"), strand("2")]) }
    }

    fn ranges(order: Order, begin: Begin) -> String {
        let strands = scan(order, begin).strands_from_begin().unwrap();
        strands.iter().map(|strand| strand.range.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rows_with_the_same_id_in_later_strands_still_come() {
        let after = || Begin::AfterRow(b"1m".to_vec());
        assert_eq!(ranges(Order::Rising, after()), "[0m\\x00, 1) [1m\\x00, 2) [2m, 3)");
        assert_eq!(ranges(Order::Falling, after()), "[0, 0m\\x00) [1, 1m) [2, 2m)");
        assert_eq!(ranges(Order::Rising, Begin::AtId(b"m".to_vec())), "[0m, 1) [1m, 2) [2m, 3)");
    }

    #[test]
    fn a_row_of_another_scan_is_refused() {
        let error = scan(Order::Rising, Begin::AfterRow(b"7".to_vec())).strands_from_begin().unwrap_err();
        assert!(error.to_string().contains("in none of the ranges"), "{error}");
    }
}
