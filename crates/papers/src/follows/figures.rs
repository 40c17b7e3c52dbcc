//! Designs side by side as tables of a page.

use crate::follows::design::Kind;
use crate::follows::measure::Measured;
use tablesmith_model::evidence::Figures;

use tablesmith_report::number::grouped;

/// What the designs look like, and what each question takes on each.
pub fn figures(title: &str, measured: &Measured, kinds: &[Kind]) -> Vec<Figures> {
    let looks = measured.designs.iter().map(|design| {
        let bytes = design.stored_bytes.map_or_else(|| "not told".to_owned(), grouped);
        vec![design.name.clone(), design.origin.clone(), design.looks.clone(), bytes]
    });
    let times = measured.designs.iter().map(|design| {
        let cell = |kind: &Kind| match design.took.get(kind) {
            Some(took) if took.says_all => format!("{:.1} · {:.3}", took.calls, took.median_ms),
            Some(took) => format!("{:.1} · {:.3}, how many only", took.calls, took.median_ms),
            None => "–".to_owned(),
        };
        std::iter::once(design.name.clone()).chain(kinds.iter().map(cell)).collect()
    });
    let heads = ["design", "where it comes from", "row → cells", "bytes on disk"];
    let questions = kinds.iter().map(|kind| kind.words().to_owned());
    vec![
        Figures {
            title: format!("{title}: designs"),
            columns: heads.map(str::to_owned).to_vec(),
            rows: looks.collect(),
        },
        Figures {
            title: format!("{title}: calls of each question, and the median in milliseconds"),
            columns: std::iter::once("design".to_owned()).chain(questions).collect(),
            rows: times.collect(),
        },
    ]
}
