//! The answers as evidence, for a page with pictures.

use tablesmith_design::keys::judge::{Heat, Judged};
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::evidence::{Evidence, Figures, HeatLine, HeatMap};

use super::{TableKeys, key_text, percent, read_words};

/// What was found, as evidence: figures of all strategies, and their load over time.
pub fn evidence(answers: &[TableKeys], seed: u64) -> Evidence {
    let names: Vec<&str> = answers.iter().map(|answer| answer.table.as_str()).collect();
    let verdicts: Vec<String> = answers.iter().filter_map(verdict).collect();
    Evidence {
        title: format!("Row keys of {}", names.join(", ")),
        store: "none: keys are judged without one".to_owned(),
        seed,
        verdict: verdicts.join(". "),
        answers_equal: true,
        figures: answers.iter().map(figures).collect(),
        heat: answers.iter().flat_map(heat_maps).collect(),
        notes: answers.iter().flat_map(notes).collect(),
        ..Evidence::default()
    }
}

fn verdict(answer: &TableKeys) -> Option<String> {
    let best = answer.judgement.best.as_ref()?;
    Some(format!(
        "{}: {} with the key {} on {} regions",
        answer.table,
        best.strategy,
        key_text(&best.key),
        best.regions
    ))
}

fn figures(answer: &TableKeys) -> Figures {
    let heads = [
        "strategy",
        "key",
        "hottest server in all",
        "at a moment",
        "region rows, least",
        "most",
        "sd",
        "point read",
        "range",
        "one entity",
        "bytes added to each cell",
    ];
    let row = |judged: &Judged| {
        let load = &judged.load;
        vec![
            judged.name.to_string(),
            key_text(&judged.key),
            percent(load.server_rows.hottest_share),
            percent(load.mean_hottest_share),
            format!("{:.0}", load.region_rows.min),
            format!("{:.0}", load.region_rows.max),
            format!("{:.1}", load.region_rows.sd),
            read_words(&judged.reads.point),
            read_words(&judged.reads.range),
            judged.reads.entity.as_ref().map_or_else(String::new, read_words),
            format!("{:.1}", judged.added_key_bytes),
        ]
    };
    Figures {
        title: format!(
            "{}: {} rows on {} servers, {} regions",
            answer.table, answer.judgement.rows, answer.judgement.servers, answer.judgement.regions
        ),
        columns: heads.map(str::to_owned).into(),
        rows: answer.judgement.strategies.iter().map(row).collect(),
    }
}

/// The load over time of each strategy.
fn heat_maps(answer: &TableKeys) -> impl Iterator<Item = HeatMap> + '_ {
    answer.shown().map(|(name, judged)| heat_map(&name, judged))
}

/// The load over time of a strategy.
pub fn heat_map(name: &str, judged: &Judged) -> HeatMap {
    let Heat { starts, rows } = &judged.heat;
    // The matrix is by key range, then by slice.
    let lines =
        starts.iter().zip(rows).map(|(start, loads)| HeatLine { name: to_text(start), loads: loads.clone() });
    HeatMap {
        name: name.to_owned(),
        line: "key range".to_owned(),
        step: "slice of the write stream".to_owned(),
        lines: lines.collect(),
    }
}

fn notes(answer: &TableKeys) -> Vec<String> {
    let judgement = &answer.judgement;
    let reasons = judgement.best.iter().flat_map(|best| best.reasons.iter().cloned());
    let heavy = judgement.heavy_hitters.iter().map(|heavy| {
        format!(
            "{} = {} has {} of the writes: {}",
            heavy.columns.join(", "),
            heavy.value,
            percent(heavy.share),
            heavy.advice
        )
    });
    let of_strategy = |judged: &Judged| {
        let name = judged.name;
        judged.warnings.iter().map(move |warning| format!("{name}: {warning}")).collect::<Vec<_>>()
    };
    let left_out = judgement
        .left_out
        .iter()
        .map(|left_out| format!("{} is left out: {}", left_out.name, left_out.reason));
    reasons
        .chain(heavy)
        .chain(judgement.warnings.iter().cloned())
        .chain(judgement.strategies.iter().flat_map(of_strategy))
        .chain(left_out)
        .collect()
}
