//! The answers as evidence, for a page.

use tablesmith_design::time::Candidate;
use tablesmith_model::evidence::{Evidence, Figures};

use super::{TableTime, facts_text, key_text, settings};

/// What was found, as evidence: figures of all layouts, and the reasons.
pub fn evidence(answers: &[TableTime], store: String, seed: u64) -> Evidence {
    let names: Vec<&str> = answers.iter().map(|answer| answer.table.name.as_str()).collect();
    let verdicts: Vec<String> = answers.iter().filter_map(verdict).collect();
    Evidence {
        title: format!("Readings of {}", names.join(", ")),
        store,
        seed,
        verdict: verdicts.join(". "),
        answers_equal: answers.iter().all(|answer| answer.recommendation.differences.is_empty()),
        figures: answers.iter().map(figures).collect(),
        notes: answers.iter().flat_map(notes).collect(),
        ..Evidence::default()
    }
}

fn verdict(answer: &TableTime) -> Option<String> {
    let choice = &answer.recommendation.choice;
    let first = choice.reasons.first().cloned().unwrap_or_default();
    choice.best().map(|_| format!("{}: {first}", answer.table.name))
}

fn figures(answer: &TableTime) -> Figures {
    let heads = [
        "layout",
        "key",
        "readings of a row",
        "predicted ms",
        "measured ms",
        "bytes a reading, predicted",
        "stored",
    ];
    let row = |candidate: &Candidate| {
        let observed = candidate.observed.as_ref();
        vec![
            candidate.layout.name(),
            key_text(&candidate.layout, &answer.table).join(", "),
            format!("{:.0}", candidate.prediction.row_readings.ceil()),
            format!("{:.3}", candidate.prediction.cost_ms),
            observed.map_or_else(String::new, |observed| format!("{:.3}", observed.cost_ms)),
            format!("{:.1}", candidate.prediction.reading_bytes),
            observed
                .and_then(|observed| observed.reading_bytes)
                .map_or_else(String::new, |bytes| format!("{bytes:.1}")),
        ]
    };
    Figures {
        title: format!("{}: {}", answer.table.name, facts_text(&answer.facts)),
        columns: heads.map(str::to_owned).into(),
        rows: answer.recommendation.choice.candidates.iter().map(row).collect(),
    }
}

fn notes(answer: &TableTime) -> Vec<String> {
    let choice = &answer.recommendation.choice;
    let rejected = answer.recommendation.rejected.iter();
    let mut notes: Vec<String> = choice.reasons.iter().skip(1).chain(&choice.limits).cloned().collect();
    notes.extend(rejected.map(|rejected| format!("{} is left out: {}", rejected.layouts, rejected.reason)));
    notes.push(format!("stored: {}", settings(answer)));
    notes.extend(answer.notes.iter().cloned());
    notes
}
