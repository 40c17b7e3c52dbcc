//! The story for programs: one object.

use serde_json::{Value, json};
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::evidence::MeasuredDesign;

use super::ads::AdsStory;
use super::story::{Cost, Question, RegionStory, Story, TableStory};
use super::whole::WholeStory;

/// All of it. What the store does not know is `null`.
pub fn value(story: &Story) -> Value {
    json!({
        "seed": story.seed,
        "whole": story.whole.as_ref().map(whole),
        "users": story.users,
        "edges": story.edges,
        "most_followed": {"user": story.most_followed.0, "followers": story.most_followed.1},
        "tables": story.tables.iter().map(table).collect::<Vec<_>>(),
        "questions": story.questions.iter().map(question).collect::<Vec<_>>(),
        "ads": story.ads.as_ref().map(ads),
        "answers_equal": story.is_true(),
    })
}

fn whole(whole: &WholeStory) -> Value {
    let rows = whole.rows.iter().map(|(table, rows)| json!({ "table": table, "rows": rows }));
    let design = |(name, ms): &(String, f64)| json!({ "name": name, "ms_a_second": ms });
    let tables = whole.decided.design.tables.iter().map(|table| table.name.as_str());
    json!({
        "observed": rows.collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
        "candidates": whole.decided.candidates,
        "proven": whole.decided.is_proven,
        "designs": whole.weighted.iter().map(design).collect::<Vec<_>>(),
        "verdict": whole.verdict,
        "page": whole.page.display().to_string(),
    })
}

fn ads(ads: &AdsStory) -> Value {
    let design = |design: &MeasuredDesign| {
        json!({
            "name": design.name,
            "families": design.families.iter().map(|family| &family.columns).collect::<Vec<_>>(),
            "mean_ms": design.reads.mean_ms,
            "median_ms": design.reads.median_ms,
            "p95_ms": design.reads.p95_ms,
            "stats": design.stats,
        })
    };
    json!({
        "columns": ads.columns,
        "rows": ads.rows,
        "designs": ads.evidence.designs.iter().map(design).collect::<Vec<_>>(),
        "verdict": ads.evidence.verdict,
        "page": ads.page.display().to_string(),
    })
}

fn table(table: &TableStory) -> Value {
    json!({
        "table": table.direction.table_text(),
        "key": table.direction.key_text(),
        "cell": table.direction.cell_text(),
        "load": cost(&table.load),
        "regions": table.regions.iter().map(region).collect::<Vec<_>>(),
    })
}

fn region(region: &RegionStory) -> Value {
    json!({
        "start": to_text(&region.start),
        "server": region.server,
        "rows": region.rows,
        "writes": region.writes,
        "reads": region.reads,
        "read_bytes": region.read_bytes,
    })
}

fn question(question: &Question) -> Value {
    json!({
        "question": question.words,
        "how": question.how,
        "shell": question.shell,
        "answer": question.answer,
        "cost": cost(&question.cost),
    })
}

fn cost(cost: &Cost) -> Value {
    json!({
        "calls": cost.calls,
        "rows": cost.rows,
        "cells": cost.stats.cells,
        "bytes": cost.stats.bytes,
        "blocks": cost.stats.blocks,
        "seeks": cost.stats.seeks,
        "regions": cost.stats.regions,
        "millis": cost.waited.as_secs_f64() * 1_000.0,
    })
}
