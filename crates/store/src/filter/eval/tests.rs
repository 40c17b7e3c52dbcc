//! Filters as a whole: what HBase's own filters answered, and random filters over random cells.

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_model::Cell;
use tablesmith_model::bytes_text::{from_text, to_text};

use super::rule::MAX_DEPTH;
use super::{FilterError, FilterRun, Hint, ReturnCode};
use crate::filter::testing::generate;
use crate::filter::testing::reader::{Event, trace};
use crate::filter::{Comparator, CompareOp, Filter, RegexFlags, language};

/// A filter, a scan's cells and what happened, as `recorded.txt` has it.
struct Case<'a> {
    filter: &'a str,
    reversed: bool,
    cells: Vec<Cell>,
    expected: Vec<&'a str>,
}

fn read_case(text: &str) -> Case<'_> {
    let mut case = Case { filter: "", reversed: false, cells: vec![], expected: vec![] };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once('\t').unwrap_or((line, "")) {
            ("filter", filter) => case.filter = filter,
            ("scan", direction) => case.reversed = direction == "backwards",
            ("cell", cell) => case.cells.push(read_cell(cell)),
            _ => case.expected.push(line),
        }
    }
    case
}

fn read_cell(text: &str) -> Cell {
    let fields: Vec<_> = text.split('\t').map(|field| from_text(field.as_bytes())).collect();
    let [row, family, qualifier, timestamp, value] = fields.try_into().unwrap();
    Cell::put(row, family, qualifier, String::from_utf8(timestamp).unwrap().parse().unwrap(), value)
}

fn print_cell(cell: &Cell) -> String {
    let Cell { row, family, qualifier, timestamp, value, .. } = cell;
    format!("{}\t{}\t{}\t{timestamp}\t{}", to_text(row), to_text(family), to_text(qualifier), to_text(value))
}

fn name(code: ReturnCode) -> &'static str {
    match code {
        ReturnCode::Include => "INCLUDE",
        ReturnCode::IncludeAndNextColumn => "INCLUDE_AND_NEXT_COL",
        ReturnCode::IncludeAndNextRow => "INCLUDE_AND_SEEK_NEXT_ROW",
        ReturnCode::Skip => "SKIP",
        ReturnCode::NextColumn => "NEXT_COL",
        ReturnCode::NextRow => "NEXT_ROW",
        ReturnCode::SeekHint => "SEEK_NEXT_USING_HINT",
    }
}

fn print_event(event: &Event) -> Vec<String> {
    match event {
        Event::Row(row, all_remaining) => vec![format!("row\t{}\t{all_remaining}", to_text(row))],
        Event::Key(is_left_out) => vec![format!("key\t{is_left_out}")],
        Event::Code(code) => vec![name(*code).to_owned()],
        Event::Hint(None) => vec!["hint\tnull".to_owned()],
        Event::Hint(Some(Hint { row, family, qualifier, timestamp })) => {
            vec![format!("hint\t{}\t{}\t{}\t{timestamp}", to_text(row), to_text(family), to_text(qualifier))]
        }
        Event::End(is_left_out, cells) => {
            let kept = cells.iter().map(|cell| format!("kept\t{}", print_cell(cell)));
            [format!("end\t{is_left_out}")].into_iter().chain(kept).collect()
        }
        Event::Done(all_remaining) => vec![format!("done\t{all_remaining}")],
    }
}

#[test]
fn filters_answer_as_hbases_do() {
    let mut count = 0;
    for text in include_str!("recorded.txt").split("\n\n") {
        let case = read_case(text);
        let filter = language::parse(&from_text(case.filter.as_bytes())).unwrap();
        let mut run = FilterRun::new(&filter, case.reversed).unwrap();
        let events = trace(&mut run, &case.cells, case.reversed);
        let found: Vec<String> = events.iter().flat_map(print_event).collect();
        assert_eq!(found, case.expected, "{}", case.filter);
        count += 1;
    }
    assert!(count >= 100, "{count}");
}

#[test]
fn no_filter_panics_over_any_cells() {
    const SEED: u64 = 0x65_76_61_6c;
    println!("seed {SEED}");
    let mut random = Rng::with_seed(SEED);
    let mut kept = 0;
    for _ in 0..10_000 {
        let depth = random.usize(..4);
        let filter = generate::filter(&mut random, depth);
        let reversed = random.bool();
        let cells = generate::cells(&mut random, 12, reversed);
        let Ok(mut run) = FilterRun::new(&filter, reversed) else { continue };
        let events = trace(&mut run, &cells, reversed);
        kept += events
            .iter()
            .map(|event| if let Event::End(_, cells) = event { cells.len() } else { 0 })
            .sum::<usize>();
        // Also what no reader does: cells in any order, without a row before them, hints that nobody asked for.
        for _ in 0..cells.len() {
            let cell = generate::pick(&mut random, &cells);
            run.cell(&cell);
            run.next_hint(&cell);
            run.transform(cell);
        }
        run.filter_row();
    }
    assert!(kept > 10_000, "{kept}");
}

#[test]
fn a_row_ends_as_in_hbase() {
    let cell = Cell::put("r", "f", "q", 1, "v");
    let mut page = FilterRun::new(&Filter::Page(1), false).unwrap();
    // A row without cells is left out and not counted.
    assert!(page.finish_row(&mut vec![]) && !page.all_remaining());
    let mut cells = vec![cell.clone()];
    assert!(!page.finish_row(&mut cells) && page.all_remaining() && cells.len() == 1);
    assert!(page.finish_row(&mut cells) && cells.is_empty());
    // A row of which the filter took all cells away is not left out: other families may still join it.
    let text = b"SingleColumnValueExcludeFilter('f', 'q', =, 'binary:v')";
    let mut exclude = FilterRun::new(&language::parse(text).unwrap(), false).unwrap();
    exclude.cell(&cell);
    let mut cells = vec![cell];
    assert!(!exclude.finish_row(&mut cells) && cells.is_empty());
}

#[test]
fn filters_stand_inside_each_other_only_so_deep() {
    let nest = |depth| (0..depth).fold(Filter::FirstKeyOnly, |filter, _| Filter::While(Box::new(filter)));
    assert!(FilterRun::new(&nest(MAX_DEPTH - 1), false).is_ok());
    assert_eq!(FilterRun::new(&nest(MAX_DEPTH), false).unwrap_err(), FilterError::TooDeep { max: MAX_DEPTH });
}

#[test]
fn what_hbase_alone_evaluates_is_refused() {
    let value = |comparator| Filter::Value(CompareOp::Equal, comparator);
    let multiline = Comparator::Regex {
        pattern: "^a".to_owned(),
        flags: RegexFlags::DOT_ALL | RegexFlags::MULTILINE,
        charset: "UTF-8".to_owned(),
    };
    for filter in [
        Filter::Other { class: "com.example.F".to_owned(), serialized: Bytes::new() },
        Filter::FirstKeyValueMatchingQualifiers(vec!["q".into()]),
        value(Comparator::decimal(314, 2)),
        value(Comparator::BinaryComponent { bytes: "x".into(), offset: 1 }),
        value(multiline),
    ] {
        let refused = FilterRun::new(&filter, false).map(drop);
        assert!(matches!(refused, Err(FilterError::Unsupported { .. })), "{filter:?}: {refused:?}");
        assert!(language::print(&filter).is_err(), "{filter:?}");
    }
}
