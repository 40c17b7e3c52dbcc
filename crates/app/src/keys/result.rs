//! Judged keys as they are serialized.

use serde::{Serialize, Serializer};
use tablesmith_design::keys::Choice;
use tablesmith_design::keys::judge::{Accuracy, Judged, SplitLoad};
use tablesmith_design::keys::load::Summary;
use tablesmith_design::keys::reads::ReadCost;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::key::Key;

use super::{ReadsFrom, SimulatedLoads, TableKeys};

#[derive(Serialize)]
struct TableFields<'r> {
    table: &'r str,
    servers: usize,
    regions: usize,
    rows: u64,
    bytes: u64,
    prefixes: u64,
    slice_rows: u64,
    strategies: Vec<StrategyFields<'r>>,
    left_out: Vec<LeftOutFields<'r>>,
    best: Option<&'static str>,
    recommendation: Option<ChoiceFields<'r>>,
    heavy_hitters: Vec<HeavyFields<'r>>,
    duplicates: DuplicateFields,
    reads: ReadWeightFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<&'r SimulatedLoads>,
    warnings: &'r [String],
    rejected: u64,
    seed: u64,
}

#[derive(Serialize)]
struct LeftOutFields<'r> {
    strategy: &'static str,
    reason: &'r str,
}

#[derive(Serialize)]
struct HeavyFields<'r> {
    columns: &'r [String],
    value: &'r str,
    share: f64,
    error: f64,
    advice: &'r str,
}

#[derive(Serialize)]
struct DuplicateFields {
    distinct: f64,
    duplicates: f64,
    error: f64,
}

/// How often which read happens, and who says so.
#[derive(Serialize)]
struct ReadWeightFields {
    point: f64,
    range: f64,
    entity: f64,
    range_rows: u64,
    call_in_rows: f64,
    from: &'static str,
}

#[derive(Serialize)]
struct StrategyFields<'r> {
    #[serde(flatten)]
    load: LoadFields<'r>,
    strategy: &'static str,
    key: Vec<String>,
    key_encoding: &'static str,
    splits: Vec<String>,
    point_read: ReadFields<'r>,
    range_scan: ReadFields<'r>,
    entity_scan: Option<ReadFields<'r>>,
    added_key_bytes: f64,
    by_regions: Vec<LoadFields<'r>>,
    buckets: Vec<BucketFields>,
    growth: Vec<GrowthFields<'r>>,
    accuracy: AccuracyFields,
    warnings: &'r [String],
}

#[derive(Serialize)]
struct LoadFields<'r> {
    regions: usize,
    region_rows: SummaryFields,
    region_bytes: SummaryFields,
    server_rows: SummaryFields,
    server_bytes: SummaryFields,
    hottest_server_share: &'r [f64],
    mean_hottest_share: f64,
}

#[derive(Serialize)]
struct BucketFields {
    buckets: usize,
    regions: usize,
    busiest_over_mean: f64,
    mean_hottest_share: f64,
}

#[derive(Serialize)]
struct GrowthFields<'r> {
    added: usize,
    moved_share: f64,
    busiest_over_mean: f64,
    can_split_prefix: bool,
    note: &'r str,
}

#[derive(Serialize)]
struct AccuracyFields {
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_rows: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
}

#[derive(Serialize)]
struct ChoiceFields<'r> {
    strategy: &'static str,
    key: Vec<String>,
    key_encoding: &'static str,
    buckets: Option<u64>,
    regions: usize,
    splits: Vec<String>,
    mean_hottest_share: f64,
    busiest_over_mean: f64,
    point_read: ReadFields<'r>,
    range_scan: ReadFields<'r>,
    entity_scan: Option<ReadFields<'r>>,
    reasons: &'r [String],
}

#[derive(Serialize)]
struct SummaryFields {
    min: f64,
    max: f64,
    mean: f64,
    sd: f64,
    hottest_share: f64,
}

#[derive(Serialize)]
struct ReadFields<'r> {
    possible: bool,
    calls: u64,
    regions: u64,
    rows_read: u64,
    how: &'r str,
}

impl Serialize for TableKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let judgement = &self.judgement;
        let left_out = judgement
            .left_out
            .iter()
            .map(|left_out| LeftOutFields { strategy: left_out.name.name(), reason: &left_out.reason });
        let heavy = judgement.heavy_hitters.iter().map(|heavy| HeavyFields {
            columns: &heavy.columns,
            value: &heavy.value,
            share: heavy.share,
            error: heavy.error,
            advice: &heavy.advice,
        });
        let fields = TableFields {
            table: &self.table,
            servers: judgement.servers,
            regions: judgement.regions,
            rows: judgement.rows,
            bytes: judgement.bytes,
            prefixes: judgement.prefixes,
            slice_rows: judgement.slice_rows,
            strategies: judgement.strategies.iter().map(strategy).collect(),
            left_out: left_out.collect(),
            best: judgement.best.as_ref().map(|best| best.strategy.name()),
            recommendation: judgement.best.as_ref().map(choice),
            heavy_hitters: heavy.collect(),
            duplicates: DuplicateFields {
                distinct: judgement.duplicates.distinct,
                duplicates: judgement.duplicates.duplicates,
                error: judgement.duplicates.error,
            },
            reads: reads(self),
            simulated: self.simulated.as_ref(),
            warnings: &judgement.warnings,
            rejected: self.rejected.as_ref().map_or(0, |(rows, _)| *rows),
            seed: judgement.seed,
        };
        fields.serialize(serializer)
    }
}

fn reads(table: &TableKeys) -> ReadWeightFields {
    let reads = &table.setup.reads;
    let from = match table.reads_from {
        ReadsFrom::CommandLine => "command line",
        ReadsFrom::Queries => "queries",
        ReadsFrom::Nobody => "guess",
    };
    ReadWeightFields {
        point: reads.point,
        range: reads.range,
        entity: reads.entity,
        range_rows: reads.range_rows,
        call_in_rows: reads.call_in_rows,
        from,
    }
}

fn strategy(judged: &Judged) -> StrategyFields<'_> {
    let buckets = judged.buckets.iter().map(|load| BucketFields {
        buckets: load.buckets,
        regions: load.regions,
        busiest_over_mean: load.busiest_over_mean,
        mean_hottest_share: load.mean_hottest_share,
    });
    let growth = judged.growth.iter().map(|growth| GrowthFields {
        added: growth.added,
        moved_share: growth.moved_share,
        busiest_over_mean: growth.busiest_over_mean,
        can_split_prefix: growth.can_split_prefix,
        note: &growth.note,
    });
    StrategyFields {
        load: load(&judged.load),
        strategy: judged.name.name(),
        key: parts(&judged.key),
        key_encoding: judged.key.encoding.name(),
        splits: splits(&judged.splits),
        point_read: read(&judged.reads.point),
        range_scan: read(&judged.reads.range),
        entity_scan: judged.reads.entity.as_ref().map(read),
        added_key_bytes: judged.added_key_bytes,
        by_regions: judged.by_regions.iter().map(load).collect(),
        buckets: buckets.collect(),
        growth: growth.collect(),
        accuracy: match judged.accuracy {
            Accuracy::Exact => AccuracyFields { exact: true, sample_rows: None, error: None },
            Accuracy::Sampled { rows, error } => {
                AccuracyFields { exact: false, sample_rows: Some(rows), error: Some(error) }
            }
        },
        warnings: &judged.warnings,
    }
}

fn load(load: &SplitLoad) -> LoadFields<'_> {
    LoadFields {
        regions: load.asked,
        region_rows: summary(&load.region_rows),
        region_bytes: summary(&load.region_bytes),
        server_rows: summary(&load.server_rows),
        server_bytes: summary(&load.server_bytes),
        hottest_server_share: &load.hottest_server_share,
        mean_hottest_share: load.mean_hottest_share,
    }
}

fn choice(choice: &Choice) -> ChoiceFields<'_> {
    ChoiceFields {
        strategy: choice.strategy.name(),
        key: parts(&choice.key),
        key_encoding: choice.key.encoding.name(),
        buckets: choice.buckets,
        regions: choice.regions,
        splits: splits(&choice.splits),
        mean_hottest_share: choice.mean_hottest_share,
        busiest_over_mean: choice.busiest_over_mean,
        point_read: read(&choice.reads.point),
        range_scan: read(&choice.reads.range),
        entity_scan: choice.reads.entity.as_ref().map(read),
        reasons: &choice.reasons,
    }
}

fn summary(summary: &Summary) -> SummaryFields {
    let Summary { min, max, mean, sd, hottest_share, .. } = *summary;
    SummaryFields { min, max, mean, sd, hottest_share }
}

fn read(cost: &ReadCost) -> ReadFields<'_> {
    let ReadCost { possible, calls, regions, rows_read, how } = cost;
    ReadFields { possible: *possible, calls: *calls, regions: *regions, rows_read: *rows_read, how }
}

fn parts(key: &Key) -> Vec<String> {
    key.parts.iter().map(ToString::to_string).collect()
}

fn splits(splits: &[Vec<u8>]) -> Vec<String> {
    splits.iter().map(|split| to_text(split)).collect()
}
