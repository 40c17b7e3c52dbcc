//! Puts the best layouts into a `design.toml`.

use std::path::Path;

use tablesmith_model::design::{Cells, CostName, EditError, Family, Reason, Rows, Table};
use tablesmith_model::key::Key;

use super::TableTime;
use crate::{AppError, design_file, output_file};

/// The family of what depends on the entity alone.
const FIXED_FAMILY: &str = "f";

/// Lays the readings out as recommended; everything else in the file stays as it is. A file that is not there is begun.
pub fn into_design(path: &Path, workload: &Path, answers: &[TableTime]) -> Result<(), AppError> {
    let mut file = design_file::open(path, workload)?;
    let refused = AppError::in_file::<EditError>(path);
    for answer in answers {
        let choice = &answer.recommendation.choice;
        let Some(best) = choice.best() else { continue };
        let name = &answer.table.name;
        file.set_laid(name, &best.layout.to_design(&answer.table)).map_err(&refused)?;
        if let Some(fixed) = fixed_table(answer) {
            file.set_table(&fixed).map_err(&refused)?;
        }
        let cost =
            CostName { name: answer.prices.name.clone(), calibration: answer.prices.calibration.clone() };
        file.set_cost(&cost).map_err(&refused)?;
        file.set_statistics(&answer.table).map_err(&refused)?;
        let at = format!("{name}.time");
        let texts = choice.reasons.iter().chain(&choice.limits);
        let reasons: Vec<Reason> = texts.map(|text| Reason::new(at.clone(), text.clone())).collect();
        file.set_reasons(&at, &reasons).map_err(&refused)?;
    }
    output_file::write(path, &file.to_string())
}

/// A row for each entity, with what depends on it alone.
fn fixed_table(answer: &TableTime) -> Option<Table> {
    let time = answer.table.time.as_ref()?;
    let columns = answer.facts.fixed.clone();
    let cells = vec![Cells { family: FIXED_FAMILY.to_owned(), columns, ..Cells::default() }];
    let rows =
        Rows { from: answer.table.name.clone(), join: Vec::new(), key: Key::of_fields(&time.entity), cells };
    (!answer.facts.fixed.is_empty()).then(|| Table {
        name: format!("{}_{}", answer.table.name, time.entity.join("_")),
        splits: Vec::new(),
        families: vec![Family::new(FIXED_FAMILY)],
        rows: vec![rows],
    })
}
