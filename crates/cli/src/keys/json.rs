//! The answers for programs.

use serde_json::{Value, json};
use tablesmith_design::keys::Choice;
use tablesmith_design::keys::judge::{Accuracy, Judged, SplitLoad};
use tablesmith_design::keys::load::Summary;
use tablesmith_design::keys::reads::ReadCost;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::key::Key;

use super::{Answer, ReadsFrom};

/// One object for a table; for several, an object with a list of them.
pub fn value(answers: &[Answer]) -> Value {
    match answers {
        [answer] => table(answer),
        answers => json!({ "tables": answers.iter().map(table).collect::<Vec<_>>() }),
    }
}

fn table(answer: &Answer) -> Value {
    let judgement = &answer.judgement;
    json!({
        "table": answer.table,
        "servers": judgement.servers,
        "regions": judgement.regions,
        "rows": judgement.rows,
        "bytes": judgement.bytes,
        "prefixes": judgement.prefixes,
        "slice_rows": judgement.slice_rows,
        "strategies": judgement.strategies.iter().map(strategy).collect::<Vec<_>>(),
        "left_out": judgement.left_out.iter().map(|left_out| json!({
            "strategy": left_out.name.name(),
            "reason": left_out.reason,
        })).collect::<Vec<_>>(),
        "best": judgement.best.as_ref().map(|best| best.strategy.name()),
        "recommendation": judgement.best.as_ref().map(choice),
        "heavy_hitters": judgement.heavy_hitters.iter().map(|heavy| json!({
            "columns": heavy.columns,
            "value": heavy.value,
            "share": heavy.share,
            "error": heavy.error,
            "advice": heavy.advice,
        })).collect::<Vec<_>>(),
        "duplicates": {
            "distinct": judgement.duplicates.distinct,
            "duplicates": judgement.duplicates.duplicates,
            "error": judgement.duplicates.error,
        },
        "reads": reads(answer),
        "warnings": judgement.warnings,
        "rejected": answer.rejected.as_ref().map_or(0, |(rows, _)| *rows),
        "seed": judgement.seed,
    })
}

/// How often which read happens, and who says so.
fn reads(answer: &Answer) -> Value {
    let reads = &answer.setup.reads;
    let from = match answer.reads_from {
        ReadsFrom::CommandLine => "command line",
        ReadsFrom::Queries => "queries",
        ReadsFrom::Nobody => "guess",
    };
    json!({
        "point": reads.point,
        "range": reads.range,
        "entity": reads.entity,
        "range_rows": reads.range_rows,
        "call_in_rows": reads.call_in_rows,
        "from": from,
    })
}

fn strategy(judged: &Judged) -> Value {
    let mut value = load(&judged.load);
    let more = json!({
        "strategy": judged.name.name(),
        "key": parts(&judged.key),
        "key_encoding": judged.key.encoding.name(),
        "splits": splits(&judged.splits),
        "point_read": read(&judged.reads.point),
        "range_scan": read(&judged.reads.range),
        "entity_scan": judged.reads.entity.as_ref().map(read),
        "added_key_bytes": judged.added_key_bytes,
        "by_regions": judged.by_regions.iter().map(load).collect::<Vec<_>>(),
        "buckets": judged.buckets.iter().map(|load| json!({
            "buckets": load.buckets,
            "regions": load.regions,
            "busiest_over_mean": load.busiest_over_mean,
            "mean_hottest_share": load.mean_hottest_share,
        })).collect::<Vec<_>>(),
        "growth": judged.growth.iter().map(|growth| json!({
            "added": growth.added,
            "moved_share": growth.moved_share,
            "busiest_over_mean": growth.busiest_over_mean,
            "can_split_prefix": growth.can_split_prefix,
            "note": growth.note,
        })).collect::<Vec<_>>(),
        "accuracy": match judged.accuracy {
            Accuracy::Exact => json!({ "exact": true }),
            Accuracy::Sampled { rows, error } => json!({ "exact": false, "sample_rows": rows, "error": error }),
        },
        "warnings": judged.warnings,
    });
    if let (Some(value), Value::Object(more)) = (value.as_object_mut(), more) {
        value.extend(more);
    }
    value
}

fn load(load: &SplitLoad) -> Value {
    json!({
        "regions": load.asked,
        "region_rows": summary(&load.region_rows),
        "region_bytes": summary(&load.region_bytes),
        "server_rows": summary(&load.server_rows),
        "server_bytes": summary(&load.server_bytes),
        "hottest_server_share": load.hottest_server_share,
        "mean_hottest_share": load.mean_hottest_share,
    })
}

fn choice(choice: &Choice) -> Value {
    json!({
        "strategy": choice.strategy.name(),
        "key": parts(&choice.key),
        "key_encoding": choice.key.encoding.name(),
        "buckets": choice.buckets,
        "regions": choice.regions,
        "splits": splits(&choice.splits),
        "mean_hottest_share": choice.mean_hottest_share,
        "busiest_over_mean": choice.busiest_over_mean,
        "point_read": read(&choice.reads.point),
        "range_scan": read(&choice.reads.range),
        "entity_scan": choice.reads.entity.as_ref().map(read),
        "reasons": choice.reasons,
    })
}

fn summary(summary: &Summary) -> Value {
    json!({
        "min": summary.min,
        "max": summary.max,
        "mean": summary.mean,
        "sd": summary.sd,
        "hottest_share": summary.hottest_share,
    })
}

fn read(cost: &ReadCost) -> Value {
    json!({
        "possible": cost.possible,
        "calls": cost.calls,
        "regions": cost.regions,
        "rows_read": cost.rows_read,
        "how": cost.how,
    })
}

fn parts(key: &Key) -> Vec<String> {
    key.parts.iter().map(ToString::to_string).collect()
}

fn splits(splits: &[Vec<u8>]) -> Vec<String> {
    splits.iter().map(|split| to_text(split)).collect()
}
