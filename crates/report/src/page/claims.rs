//! Claims of others beside what was measured here.

use super::html::{self, Cell, Table, paragraph};
use crate::view::View;

/// The section, when there are claims.
pub fn section(view: &View<'_>) -> String {
    let claims = &view.evidence.claims;
    if claims.is_empty() {
        return String::new();
    }
    let holding = claims.iter().filter(|claim| claim.holds).count();
    let mut table = Table::new("Claims", &["claim", "holds", "paper", "measured here", "what else to know"]);
    for claim in claims {
        let mark = if claim.holds { "✓ holds" } else { "✗ does not hold" };
        table.row(vec![
            Cell::Name(claim.claim.clone(), None),
            Cell::Mark(mark.to_owned(), claim.holds),
            Cell::Words(claim.paper.clone()),
            Cell::Words(claim.measured.clone()),
            Cell::Words(claim.reason.clone().unwrap_or_default()),
        ]);
    }
    let lead = paragraph(&format!("{holding} of {} claims hold on this data and this store.", claims.len()));
    html::section("claims", "Claims", &format!("{lead}<div class=\"wrapping\">{}</div>", table.html()))
}
