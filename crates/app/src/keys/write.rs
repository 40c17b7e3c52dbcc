//! Puts the best keys and their split points into a `design.toml`.

use std::path::Path;

use tablesmith_model::design::{EditError, Reason};

use super::{Source, TableKeys};
use crate::{AppError, design_file, output_file};

/// Replaces the key and the splits of the tables that were judged; everything else in the file stays as it is. A file
/// that is not there is begun.
pub fn into_design(path: &Path, source: &Source, answers: &[TableKeys]) -> Result<(), AppError> {
    let workload = source.workload.as_deref().unwrap_or(Path::new("workload.toml"));
    let mut file = design_file::open(path, workload)?;
    let refused = AppError::in_file::<EditError>(path);
    for answer in answers {
        let Some(best) = &answer.judgement.best else { continue };
        let Some(table) = source.tables.iter().find(|table| table.name == answer.table) else { continue };
        file.ensure_table(table).map_err(&refused)?;
        file.set_key(&table.name, &best.key).map_err(&refused)?;
        file.set_splits(&table.name, &best.splits).map_err(&refused)?;
        file.set_statistics(table).map_err(&refused)?;
        let at = format!("{}.key", table.name);
        let reasons: Vec<Reason> =
            best.reasons.iter().map(|text| Reason::new(at.clone(), text.clone())).collect();
        file.set_reasons(&at, &reasons).map_err(&refused)?;
    }
    output_file::write(path, &file.to_string())
}
