//! Time series and their layouts in few words.

use std::time::Duration;

use tablesmith_design::time::Facts;
use tablesmith_model::duration_text;
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::workload::{self, SequenceKind};
use tablesmith_report::number::grouped;

use super::TableTime;

/// What readings are like, in a sentence.
pub fn facts_text(facts: &Facts) -> String {
    let every = match facts.kind {
        SequenceKind::Time => duration_text::print(Duration::from_millis(facts.interval.round() as u64)),
        SequenceKind::Sequence => grouped(facts.interval.round() as u64),
    };
    let metrics: Vec<&str> = facts.metrics.iter().map(|metric| metric.name.as_str()).collect();
    format!(
        "{} readings of {} entities, one every {every}, of {}",
        grouped(facts.readings.round() as u64),
        grouped(facts.entities.round() as u64),
        metrics.join(", ")
    )
}

/// How the store kept what was measured.
pub fn settings(answer: &TableTime) -> String {
    let family = answer
        .recommendation
        .choice
        .best()
        .and_then(|best| best.layout.to_design(&answer.table).families.first()?.descriptor().ok());
    match family {
        Some(family) => format!(
            "bytes a reading as the store counts them after a major compaction, with COMPRESSION {:?} and \
             DATA_BLOCK_ENCODING {:?}",
            family.compression, family.data_block_encoding
        ),
        None => "bytes a reading as the store counts them".to_owned(),
    }
}

/// The parts of a layout's row key.
pub fn key_text(layout: &SeriesLayout, table: &workload::Table) -> Vec<String> {
    let laid = layout.to_design(table);
    let key = laid.rows.first().map(|rows| &rows.key);
    key.into_iter().flat_map(|key| key.parts.iter().map(ToString::to_string)).collect()
}
