//! Who adds up: HBase's AggregateService in the servers, or we, from what scans of the regions bring.
//!
//! A partial says how many rows, cells and numbers there are, their sum, the sum of their squares, the least and the
//! greatest. The service answers one such question a call, each with a pass over the region and at a moment of its own; it
//! adds 64-bit integers that wrap round, and never tells how many values were numbers. It says the same as a partial
//! where rows alone are counted and a row is a cell: one column with a name, one version, no groups.

use tablesmith_store::aggregate::Readings;
use tablesmith_store::{Aggregate, Group, ReadOptions, ValueType};

/// Who adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The service counts rows, each of one cell.
    CountInRegions,
    /// Scans of the regions, all at the same time.
    ScanRegions,
}

/// Decides who adds up.
pub(super) fn choose(aggregate: &Aggregate) -> Choice {
    let Aggregate { scan, value, group, readings, rows } = aggregate;
    let is_plain = *group == Group::default() && *readings == Readings::default() && rows.is_none();
    let counts_only = *value == ValueType::None && is_plain;
    if counts_only && !scan.raw && !scan.reversed && is_one_cell_a_row(&scan.read) {
        Choice::CountInRegions
    } else {
        Choice::ScanRegions
    }
}

fn is_one_cell_a_row(read: &ReadOptions) -> bool {
    let mut families = read.columns.families();
    let one_column = families.next().is_some_and(|(_, qualifiers)| {
        qualifiers.len() == 1 && qualifiers.iter().all(|qualifier| !qualifier.is_empty())
    });
    one_column && families.next().is_none() && read.versions == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::Scan;

    fn chosen(scan: Scan, value: ValueType) -> Choice {
        choose(&Aggregate::new(scan, value))
    }

    #[test]
    fn rows_of_one_cell_are_counted_in_the_regions() {
        assert_eq!(chosen(Scan::all().column("f", "q"), ValueType::None), Choice::CountInRegions);
    }

    #[test]
    fn all_else_is_scanned() {
        for scan in [
            Scan::all(),
            Scan::all().family("f"),
            Scan::all().column("f", "q").column("f", "r"),
            Scan::all().column("f", "q").column("g", "q"),
            Scan::all().column("f", "q").versions(2),
            Scan::all().column("f", "q").raw(),
            Scan::all().column("f", "q").reversed(),
            Scan::all().column("f", ""),
        ] {
            assert_eq!(chosen(scan, ValueType::None), Choice::ScanRegions);
        }
        assert_eq!(chosen(Scan::all().column("f", "q"), ValueType::I64), Choice::ScanRegions);
        let count = Aggregate::new(Scan::all().column("f", "q"), ValueType::None);
        assert_eq!(choose(&count.grouped(Group::by_prefix(1))), Choice::ScanRegions);
    }
}
