//! Who adds up: HBase's AggregateService in the servers, or we, from what scans of the regions bring.
//!
//! The service answers one question a call: how many rows there are, the sum, the least or the greatest of the 8-byte
//! integers among the values, whatever else there is. It sees every cell that the scan brings, versions included, and knows
//! no groups. Each question takes a pass over the region, at a moment of its own.
//!
//! - Cells are counted as rows of a scan that is cut into pieces of one cell.
//! - Numbers are counted as cells behind a filter that passes values of 8 bytes. A filter uncovers older versions of what
//!   it drops, unless the scan takes all versions that the family keeps.
//! - Sums wrap round without a word. So numbers too large to add up are looked for, and a region that has any is scanned.
//! - The sum of squares wraps round much sooner, and is never asked for.

use tablesmith_store::aggregate::{Figures, Held, Readings, TimeOf};
use tablesmith_store::{Aggregate, Columns, Filter, Group, ReadOptions, ValueType};

/// Who adds up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The service answers these questions.
    AskRegions(Vec<Question>),
    /// Scans of the regions, all at the same time.
    ScanRegions,
}

impl Choice {
    /// The same where it pays. Every question is a pass over the regions, and their servers share it; scans take one pass,
    /// but all cells end here. One pass of the service was faster than scans of all regions at once on three servers, three
    /// passes were slower, even than one scanner (`cargo xtask bench aggregate-hbase`). What cells cost here stays the same
    /// with more servers, so a further pass is worth it where there are two servers more.
    pub(super) fn worth(self, servers: usize) -> Self {
        match self {
            Self::AskRegions(questions) if questions.len() > 1 && 2 * questions.len() > servers => {
                Self::ScanRegions
            }
            choice => choice,
        }
    }
}

/// What the service can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// How many rows.
    Rows,
    /// How many rows, each of one cell.
    CellRows,
    /// How many cells.
    Cells,
    /// How many values of 8 bytes.
    Numbers,
    /// Their sum.
    Sum,
    /// How many values there may be that sums cannot take.
    Large,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// Decides who adds up. `kept_versions` is how many versions the family of the scan keeps, as far as that is known.
pub(super) fn choose(aggregate: &Aggregate, kept_versions: Option<u32>) -> Choice {
    let mut questions = Vec::new();
    for figure in Figures::each().filter(|figure| aggregate.figures.has(*figure)) {
        match questions_for(figure, aggregate, kept_versions) {
            Some(needed) => questions.extend_from_slice(needed),
            None => return Choice::ScanRegions,
        }
    }
    // Rows that are cells are asked for once.
    questions.dedup();
    if is_plain(aggregate) && !questions.is_empty() {
        Choice::AskRegions(questions)
    } else {
        Choice::ScanRegions
    }
}

/// Whether `kept_versions` can change the choice.
pub(super) fn needs_kept_versions(aggregate: &Aggregate) -> bool {
    choose(aggregate, None) != choose(aggregate, Some(0))
}

/// The questions that give one figure; `None` when none do.
fn questions_for(
    figure: Figures,
    aggregate: &Aggregate,
    kept_versions: Option<u32>,
) -> Option<&'static [Question]> {
    let Aggregate { scan, value, readings, .. } = aggregate;
    let read = &scan.read;
    // A cell that says that nothing is there counts nowhere, but the service sees it.
    let is_each_counted = readings.held == Held::Whole;
    let has_numbers = match value {
        ValueType::None => false,
        ValueType::I64 => true,
        ValueType::I32 | ValueType::F64 | ValueType::Text => return None,
    };
    match figure {
        Figures::ROWS | Figures::CELLS if is_each_counted && is_one_cell_a_row(read) => {
            Some(&[Question::CellRows])
        }
        Figures::ROWS => (is_each_counted && can_count_rows(&read.columns)).then_some(&[Question::Rows]),
        Figures::CELLS => (is_each_counted && can_cut(read)).then_some(&[Question::Cells]),
        // Without numbers there is nothing to ask.
        _ if !has_numbers => Some(&[]),
        Figures::NUMBERS => {
            let uncovers_none = kept_versions.is_some_and(|kept| read.versions >= kept);
            (uncovers_none && can_cut(read)).then_some(&[Question::Numbers])
        }
        Figures::SUM => can_cut(read).then_some(&[Question::Sum, Question::Large]),
        Figures::MIN => is_one_family(&read.columns).then_some(&[Question::Min]),
        Figures::MAX => is_one_family(&read.columns).then_some(&[Question::Max]),
        _ => None,
    }
}

/// Whether the values are those of the scan's cells, all together.
fn is_plain(aggregate: &Aggregate) -> bool {
    let Aggregate { scan, group, readings, rows, .. } = aggregate;
    let Readings { held, time, during } = readings;
    let is_every_cell = matches!(held, Held::Whole | Held::Single)
        && !matches!(time, TimeOf::Offset { .. })
        && during.is_none()
        && rows.is_none();
    let is_every_column = scan.read.max_results_per_family.is_none() && scan.read.row_offset_per_family == 0;
    *group == Group::default() && is_every_cell && is_every_column && !scan.raw && !scan.reversed
}

/// The service loses the column with the empty name when it counts.
fn can_count_rows(columns: &Columns) -> bool {
    let mut families = columns.families();
    let has_names =
        families.next().is_none_or(|(_, qualifiers)| qualifiers.iter().all(|name| !name.is_empty()));
    has_names && families.next().is_none()
}

/// Whether cells can be counted one by one, and behind a filter of ours.
fn can_cut(read: &ReadOptions) -> bool {
    let is_free = matches!(read.filter, None | Some(Filter::MultiRowRange(_)));
    let has_columns = read.columns.families().all(|(_, qualifiers)| !qualifiers.is_empty());
    is_free && has_columns && is_one_family(&read.columns) && can_count_rows(&read.columns)
}

fn is_one_family(columns: &Columns) -> bool {
    columns.families().count() == 1
}

fn is_one_cell_a_row(read: &ReadOptions) -> bool {
    let mut families = read.columns.families();
    let is_one_column = families.next().is_some_and(|(_, qualifiers)| qualifiers.len() == 1);
    is_one_column && families.next().is_none() && read.versions == 1 && can_count_rows(&read.columns)
}

#[cfg(test)]
mod tests {
    use super::Question::{CellRows, Cells, Large, Max, Min, Numbers, Rows, Sum};
    use super::*;
    use tablesmith_store::Scan;

    fn column() -> Scan {
        Scan::all().column("f", "q")
    }

    fn chosen(scan: Scan, value: ValueType, figures: Figures) -> Choice {
        choose(&Aggregate::new(scan, value).only(figures), Some(1))
    }

    #[track_caller]
    fn asks(scan: Scan, value: ValueType, figures: Figures, questions: &[Question]) {
        assert_eq!(chosen(scan, value, figures), Choice::AskRegions(questions.to_vec()));
    }

    #[test]
    fn figures_of_whole_numbers_are_asked_for_one_by_one() {
        let mean_and_max = Figures::MEAN | Figures::MAX;
        asks(column(), ValueType::I64, mean_and_max, &[Numbers, Sum, Large, Max]);
        asks(column().versions(9), ValueType::I64, Figures::MIN, &[Min]);
        asks(Scan::all().family("f"), ValueType::I64, Figures::MAX, &[Max]);
    }

    #[test]
    fn rows_and_cells_are_counted_in_the_regions() {
        asks(column(), ValueType::None, Figures::ROWS | Figures::CELLS | Figures::SUM, &[CellRows]);
        asks(column().versions(2), ValueType::I64, Figures::CELLS, &[Cells]);
        asks(Scan::all(), ValueType::None, Figures::ROWS, &[Rows]);
    }

    #[test]
    fn several_passes_are_worth_it_on_many_servers() {
        let mean = chosen(column(), ValueType::I64, Figures::MEAN);
        assert_eq!(mean.clone().worth(6), mean);
        assert_eq!(mean.worth(5), Choice::ScanRegions);
        let max = chosen(column(), ValueType::I64, Figures::MAX);
        assert_eq!(max.clone().worth(0), max);
    }

    #[test]
    fn all_else_is_scanned() {
        for (scan, figures) in [
            (column().raw(), Figures::MAX),
            (column().reversed(), Figures::MAX),
            (Scan::all().column("f", "q").column("g", "q"), Figures::MAX),
            (Scan::all(), Figures::MIN),
            (Scan::all().column("f", ""), Figures::ROWS),
            (Scan::all().family("f"), Figures::CELLS),
            (column(), Figures::SUM_OF_SQUARES),
            (column(), Figures::ALL),
            (column().filter(Filter::Page(3)), Figures::SUM),
        ] {
            assert_eq!(chosen(scan, ValueType::I64, figures), Choice::ScanRegions);
        }
        for value in [ValueType::I32, ValueType::F64, ValueType::Text] {
            assert_eq!(chosen(column(), value, Figures::SUM), Choice::ScanRegions);
        }
        let sum = Aggregate::new(column(), ValueType::I64).only(Figures::SUM);
        assert_eq!(choose(&sum.grouped(Group::by_prefix(1)), Some(1)), Choice::ScanRegions);
    }

    #[test]
    fn numbers_are_not_counted_where_a_filter_would_uncover_older_ones() {
        let aggregate = Aggregate::new(column(), ValueType::I64).only(Figures::NUMBERS);
        assert!(needs_kept_versions(&aggregate));
        assert_eq!(choose(&aggregate, Some(2)), Choice::ScanRegions);
        assert_eq!(choose(&aggregate, None), Choice::ScanRegions);
        assert!(!needs_kept_versions(&aggregate.only(Figures::SUM)));
    }

    #[test]
    fn cells_that_say_that_nothing_is_there_are_no_numbers() {
        let readings = Readings { held: Held::Single, ..Readings::default() };
        let single = |figures| Aggregate {
            readings: readings.clone(),
            ..Aggregate::new(column(), ValueType::I64).only(figures)
        };
        assert_eq!(choose(&single(Figures::NUMBERS), Some(1)), Choice::AskRegions(vec![Numbers]));
        assert_eq!(choose(&single(Figures::CELLS), Some(1)), Choice::ScanRegions);
    }
}
