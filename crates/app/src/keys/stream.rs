//! The rows of a table, in the order of its file, as the write stream.

use tablesmith_design::keys::Setup;
use tablesmith_design::keys::duplicates::ExactDuplicates;
use tablesmith_design::keys::judge::{ExactPass, Judge, Judged, Judgement, Row};
use tablesmith_model::source_row::{RowError, SourceRow, write_line};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;

use super::source::Source;
use crate::AppError;
use crate::context::FileProgress;

/// Rows between two looks at how far the file is read.
const ROWS_A_LOOK: u64 = 10_000;

/// Memory for the ids that were seen; with more ids the file is read several times.
const DUPLICATES_BYTES: u64 = 256 << 20;

/// Rows that could not be read, and the first reason.
type Rejected = Option<(u64, String)>;

/// What all rows gave.
pub struct Stream {
    /// All strategies side by side.
    pub judgement: Judgement,
    /// The recommended key with its own number of buckets, where that is not the number that all were judged with.
    pub recommended: Option<Judged>,
    /// Rows that could not be read, and the first reason.
    pub rejected: Rejected,
}

/// Puts all rows through a judge.
pub fn judge(
    source: &Source,
    table: &Table,
    setup: &Setup,
    is_exact: bool,
    reading: &mut FileProgress<'_>,
) -> Result<Stream, AppError> {
    let mut judge = Judge::new(setup).map_err(AppError::about(&table.name))?;
    let rejected = each_row(source, table, setup, reading, &mut |row| judge.take(row))?;
    let mut judgement = judge.finish();
    if judgement.rows == 0 {
        return Err(AppError::NoRows(table.name.clone()));
    }
    if judgement.strategies.is_empty() {
        let reasons = judgement.left_out.iter().map(|left| left.reason.clone()).collect();
        return Err(AppError::NoStrategy { table: table.name.clone(), reasons });
    }
    if is_exact {
        exactly(source, table, setup, reading, &mut judgement)?;
    }
    let recommended = match narrowed(setup, &judgement) {
        Some(narrowed) => {
            let mut judge = Judge::new(&narrowed).map_err(AppError::about(&table.name))?;
            each_row(source, table, &narrowed, reading, &mut |row| judge.take(row))?;
            judge.finish().strategies.into_iter().next()
        }
        None => None,
    };
    Ok(Stream { judgement, recommended, rejected })
}

/// The setup that judges the recommended key alone, with its own number of buckets.
fn narrowed(setup: &Setup, judgement: &Judgement) -> Option<Setup> {
    let best = judgement.best.as_ref()?;
    let buckets = best.buckets.filter(|buckets| *buckets != judgement.prefixes)?;
    Some(Setup {
        strategies: vec![best.strategy],
        prefixes: Some(buckets),
        compare_regions: Vec::new(),
        ..setup.clone()
    })
}

/// Reads the file again and counts what was estimated: rows of regions in one pass, duplicates in as many as memory needs.
fn exactly(
    source: &Source,
    table: &Table,
    setup: &Setup,
    reading: &mut FileProgress<'_>,
    judgement: &mut Judgement,
) -> Result<(), AppError> {
    if let Some(mut pass) = ExactPass::new(setup, judgement) {
        each_row(source, table, setup, reading, &mut |row| pass.take(row))?;
        pass.finish(judgement);
    }
    let mut duplicates = ExactDuplicates::new(judgement.rows, DUPLICATES_BYTES);
    let found = loop {
        let id = setup.id.len();
        each_row(source, table, setup, reading, &mut |row| {
            duplicates.take(row.values.get(..id).unwrap_or_default());
        })?;
        if let Some(found) = duplicates.end_pass() {
            break found;
        }
    };
    judgement.duplicates = found;
    Ok(())
}

/// Hands every row to `take`.
pub(super) fn each_row(
    source: &Source,
    table: &Table,
    setup: &Setup,
    reading: &mut FileProgress<'_>,
    take: &mut dyn FnMut(&Row<'_>),
) -> Result<Rejected, AppError> {
    let places: Vec<usize> = setup
        .columns()
        .into_iter()
        .filter_map(|wanted| table.columns.iter().position(|column| column.name == wanted.name))
        .collect();
    let mut rows = source.rows(table)?;
    let (mut rejected, mut count, mut line, mut values) = (None, 0_u64, Vec::new(), Vec::new());
    while let Some(row) = rows.next() {
        let row = match row {
            Ok(row) => row,
            Err(RowError::Rejected(why)) => {
                let (rows, _) =
                    rejected.get_or_insert_with(|| (0, format!("line {}: {}", why.first_line, why.reason)));
                *rows += why.rows;
                continue;
            }
            Err(RowError::Failed(why)) => return Err(AppError::Rows(why)),
        };
        line.clear();
        write_line(&row.values, &mut line);
        values.clear();
        values.extend(places.iter().map(|place| row.values.get(*place).cloned().unwrap_or(Value::Null)));
        take(&Row { values: &values, line: Some(&line), bytes: bytes(&row, &line) });
        count += 1;
        if count.is_multiple_of(ROWS_A_LOOK) {
            let position = rows.position();
            let (done, all) = (position.read(), position.bytes());
            reading.read(done, all);
        }
    }
    Ok(rejected)
}

/// What a row takes, about: its values as text.
fn bytes(row: &SourceRow, line: &[u8]) -> u64 {
    (line.len().saturating_sub(row.values.len().saturating_sub(1))) as u64
}
