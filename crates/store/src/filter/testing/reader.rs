//! A plain reader: it has all cells of a scan in a list and moves through it as the filter says.

use std::cmp::Ordering;

use tablesmith_model::Cell;

use crate::filter::Filter;
use crate::filter::eval::{FilterRun, Hint, ReturnCode};

/// What happened, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A row begins; the filter says that nothing more can pass, or not.
    Row(Vec<u8>, bool),
    /// The row is left out by its key, or not.
    Key(bool),
    /// The answer for a cell.
    Code(ReturnCode),
    /// Where to go on.
    Hint(Option<Hint>),
    /// The row ends, is left out or not, and has these cells.
    End(bool, Vec<Cell>),
    /// The cells are read; nothing more can pass, or not.
    Done(bool),
}

/// Runs a filter over the cells of a scan.
pub(crate) fn trace(run: &mut FilterRun, cells: &[Cell], reversed: bool) -> Vec<Event> {
    let mut events = Vec::new();
    let mut hint = None;
    let mut at = 0;
    while let Some(first) = cells.get(at) {
        if hint.as_ref().is_some_and(|hint| is_before(first, hint, reversed)) {
            at += 1;
            continue;
        }
        let all_remaining = run.all_remaining();
        events.push(Event::Row(first.row.to_vec(), all_remaining));
        if all_remaining {
            break;
        }
        let row = cells[at..].iter().take_while(|cell| cell.row == first.row).count();
        hint = trace_row(run, &cells[at..at + row], reversed, &mut events);
        at += row;
    }
    events.push(Event::Done(run.all_remaining()));
    events
}

fn trace_row(run: &mut FilterRun, row: &[Cell], reversed: bool, events: &mut Vec<Event>) -> Option<Hint> {
    run.reset();
    let is_left_out = run.filter_row_key(&row[0].row);
    events.push(Event::Key(is_left_out));
    if is_left_out {
        return None;
    }
    let mut taken = Vec::new();
    let mut hint: Option<Hint> = None;
    let mut left: Option<(&Cell, ReturnCode)> = None;
    for cell in row {
        let is_left = left.is_some_and(|(left, code)| match code {
            ReturnCode::IncludeAndNextColumn | ReturnCode::NextColumn => {
                left.family == cell.family && left.qualifier == cell.qualifier
            }
            ReturnCode::IncludeAndNextRow | ReturnCode::NextRow => left.family == cell.family,
            _ => false,
        });
        if is_left || hint.as_ref().is_some_and(|hint| is_before(cell, hint, reversed)) {
            continue;
        }
        hint = None;
        let code = run.cell(cell);
        events.push(Event::Code(code));
        if code.is_include() {
            taken.push(run.transform(cell.clone()));
        } else if code == ReturnCode::SeekHint {
            hint = run.next_hint(cell);
            events.push(Event::Hint(hint.clone()));
        }
        left = Some((cell, code));
    }
    let is_left_out = run.finish_row(&mut taken);
    events.push(Event::End(is_left_out, taken));
    hint
}

/// Whether the scan meets the cell before the hint's place.
fn is_before(cell: &Cell, hint: &Hint, reversed: bool) -> bool {
    match cell.row.cmp(&hint.row) {
        Ordering::Less => !reversed,
        Ordering::Greater => reversed,
        Ordering::Equal => hint.cmp_cell(cell).is_gt(),
    }
}

/// The answers for cells of one row, one after the other, whatever they are.
pub(crate) fn codes(filter: &Filter, cells: &[Cell]) -> Vec<ReturnCode> {
    let mut run = FilterRun::new(filter, false).unwrap();
    run.reset();
    if let Some(first) = cells.first() {
        run.filter_row_key(&first.row);
    }
    cells.iter().map(|cell| run.cell(cell)).collect()
}

/// What a scan with the filter gives.
pub(crate) fn scan(filter: &Filter, cells: &[Cell], reversed: bool) -> Vec<Cell> {
    let mut run = FilterRun::new(filter, reversed).unwrap();
    let events = trace(&mut run, cells, reversed);
    let rows = events.into_iter().filter_map(|event| match event {
        Event::End(_, cells) => Some(cells),
        _ => None,
    });
    rows.flatten().collect()
}

/// The rows of a scan with the filter.
pub(crate) fn rows(filter: &Filter, cells: &[Cell], reversed: bool) -> Vec<String> {
    let rows =
        scan(filter, cells, reversed).into_iter().map(|cell| String::from_utf8_lossy(&cell.row).into_owned());
    let mut rows: Vec<_> = rows.collect();
    rows.dedup();
    rows
}

/// A cell in each row; the value is the row.
pub(crate) fn rows_of<'a>(rows: impl IntoIterator<Item = &'a str>) -> Vec<Cell> {
    rows.into_iter().map(|row| Cell::put(row.to_owned(), "f", "q", 1, row.to_owned())).collect()
}

/// A cell in each column of one row.
pub(crate) fn columns<'a>(qualifiers: impl IntoIterator<Item = &'a str>) -> Vec<Cell> {
    qualifiers.into_iter().map(|qualifier| Cell::put("r", "f", qualifier.to_owned(), 1, "v")).collect()
}
