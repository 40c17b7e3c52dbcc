//! Published methods, each in its file with the paper that it comes from.

pub mod autopart;
pub mod hillclimb;
pub mod hyrise;
pub mod navathe;
pub mod o2p;
pub mod trojan;

pub use autopart::AutoPart;
pub use hillclimb::HillClimb;
pub use hyrise::Hyrise;
pub use navathe::Navathe;
pub use o2p::O2p;
pub use trojan::Trojan;

use super::{ColumnSet, Outcome, Problem, atoms};

/// Up to so many columns a method begins with single columns, as its paper has it; with more it begins with groups of
/// columns used alike, which keeps the number of pairs within reason.
const SINGLE_COLUMNS_MAX: usize = 256;

/// What a method begins with.
fn units(problem: &Problem, outcome: &mut Outcome) -> Vec<ColumnSet> {
    if problem.columns.len() <= SINGLE_COLUMNS_MAX {
        return problem.each_alone();
    }
    let atoms = atoms::atoms(problem);
    outcome.notes.push(format!(
        "began with {} groups of columns used alike, not with {} columns",
        atoms.len(),
        problem.columns.len()
    ));
    atoms
}

#[cfg(test)]
mod tests;
