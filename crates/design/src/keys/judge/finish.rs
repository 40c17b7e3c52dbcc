//! From counts to a judgement.

use std::collections::HashSet;

use tablesmith_model::key::Part;
use tablesmith_model::value::Value;

use super::buckets;
use super::grid::Grid;
use super::judgement::{Accuracy, Heat, Judged, Judgement, SplitLoad};
use super::loads::Loads;
use super::plan::{Plan, Planned, Source};
use super::sampled::SampledKeys;
use super::worker::Worker;
use crate::keys::reads::{self, TableFacts};
use crate::keys::splits::{SplitMethod, fit, prefix};
use crate::keys::strategy::{self, LeftOut, StrategyName};
use crate::keys::{choose, growth, skew};

/// Keys that are made of a strategy whose load is counted otherwise: to see that they can be made, and how long they are.
const KEYS_TO_TRY: usize = 2_000;

/// The loads of all region counts, the chosen one's slice by slice, and how exact they are.
type Loaded = (Vec<SplitLoad>, Vec<Vec<f64>>, Accuracy);

/// What was found.
pub(super) fn judgement(plan: &Plan, worker: Worker, rows: u64) -> Judgement {
    let context = Context::new(plan, &worker, rows);
    let (mut strategies, mut left_out) = (Vec::new(), plan.left_out.clone());
    for judged in context.judge_all() {
        match judged {
            Ok(judged) => strategies.push(judged),
            Err(reason) => left_out.push(reason),
        }
    }
    let mut judgement = Judgement {
        rows,
        bytes: worker.bytes,
        servers: plan.setup.servers,
        regions: plan.setup.chosen_regions(),
        prefixes: plan.setup.chosen_prefixes(),
        rows_per_entity: context.rows_per_entity,
        slice_rows: 1 << worker.shift,
        strategies,
        left_out,
        heavy_hitters: skew::heavy_hitters(&plan.setup, &worker.sample, rows),
        duplicates: worker.ids.estimate(),
        best: None,
        warnings: warnings(plan, &worker, rows),
        seed: plan.setup.seed,
    };
    judgement.best = choose::choose(&plan.setup, &judgement);
    judgement
}

fn warnings(plan: &Plan, worker: &Worker, rows: u64) -> Vec<String> {
    let (setup, regions) = (&plan.setup, plan.setup.chosen_regions());
    let mut warnings = Vec::new();
    if rows == 0 {
        warnings.push(
            "there are no rows: nothing can be said of any key; give data or a write stream".to_owned(),
        );
    }
    if worker.empty_ids > 0 {
        warnings.push(format!(
            "{} of {rows} rows have an empty id: they all get the same key, and each overwrites the one before it; give them \
             ids or leave them out",
            worker.empty_ids
        ));
    }
    if regions == 1 && setup.servers > 1 {
        warnings.push("one region is on one server, whatever the key: take three for each server".to_owned());
    }
    if !regions.is_multiple_of(setup.servers) && regions > 1 {
        let better = regions.next_multiple_of(setup.servers);
        warnings.push(format!(
            "{regions} regions are not a multiple of {} servers: some servers hold one region more than others; take \
             {better} regions",
            setup.servers
        ));
    }
    warnings
}

/// What all strategies are judged by.
struct Context<'c> {
    plan: &'c Plan,
    worker: &'c Worker,
    rows: u64,
    rows_per_entity: f64,
    plain_key_bytes: f64,
}

impl<'c> Context<'c> {
    fn new(plan: &'c Plan, worker: &'c Worker, rows: u64) -> Self {
        let entities = worker.entities.estimate().distinct;
        let rows_per_entity = if entities > 0.0 { rows as f64 / entities } else { 1.0 };
        let plain = strategy::plain(&plan.setup).and_then(|plain| plan.planned_for(plain));
        let keys = plain.and_then(|plain| SampledKeys::new(plan, &plain, &worker.sample, KEYS_TO_TRY).ok());
        let plain_key_bytes = keys.map_or(0.0, |keys| keys.mean_bytes());
        Self { plan, worker, rows, rows_per_entity, plain_key_bytes }
    }

    /// All strategies, divided among as many threads as rows were.
    fn judge_all(&self) -> Vec<Result<Judged, LeftOut>> {
        let threads = self.plan.setup.workers.clamp(1, 64);
        let share = |thread: usize| {
            let own = self.plan.planned.iter().enumerate().skip(thread).step_by(threads);
            own.map(|(index, planned)| (index, self.judge(planned))).collect::<Vec<_>>()
        };
        let mut judged = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || share(thread))).collect();
            let own = share(0);
            let others = others.into_iter().filter_map(|other| other.join().ok());
            std::iter::once(own).chain(others).flatten().collect::<Vec<_>>()
        });
        judged.sort_by_key(|(index, _)| *index);
        judged.into_iter().map(|(_, judged)| judged).collect()
    }

    fn judge(&self, planned: &Planned) -> Result<Judged, LeftOut> {
        self.judged(planned).map_err(|reason| LeftOut { name: planned.strategy.name, reason })
    }

    /// A strategy judged, or why it is left out.
    fn judged(&self, planned: &Planned) -> Result<Judged, String> {
        self.failure(planned).map_or(Ok(()), Err)?;
        let most = if planned.regions.is_some() { KEYS_TO_TRY } else { usize::MAX };
        let keys = SampledKeys::new(self.plan, planned, &self.worker.sample, most);
        let keys = keys.map_err(|error| error.to_string())?;
        let (loads, slices, accuracy) = self.loads(planned, &keys)?;
        let chosen = self.plan.setup.chosen_regions();
        let load = loads.iter().find(|load| load.asked == chosen).cloned();
        let load = load.ok_or("the chosen number of regions was not counted")?;
        let key = planned.strategy.key.clone();
        let id: Vec<String> = self.plan.setup.id.iter().map(|column| column.name.clone()).collect();
        let entity = self.plan.setup.entity_columns();
        let facts = TableFacts { id: &id, entity: &entity, buckets: self.buckets(planned), ..self.facts() };
        let servers = self.plan.setup.servers;
        Ok(Judged {
            name: planned.strategy.name,
            reads: reads::costs(&key, &facts),
            growth: [1, servers].map(|added| growth::after_adding(added, &key, &load.rows, servers)).to_vec(),
            heat: Heat::new(&load.splits, &slices),
            buckets: self.bucket_loads(planned),
            added_key_bytes: keys.mean_bytes() - self.plain_key_bytes,
            warnings: self.warnings(planned, &load, &keys),
            splits: load.splits.clone(),
            load,
            by_regions: loads,
            accuracy,
            key,
        })
    }

    /// Why the rows do not go with a strategy.
    fn failure(&self, planned: &Planned) -> Option<String> {
        if self.worker.lacks_lines && matches!(planned.leading, Some((_, Source::Line))) {
            return Some("the rows have no lines: they come from a file without lines".to_owned());
        }
        let counter = planned.regions.or(planned.buckets)?;
        self.worker.failed.get(counter)?.as_ref().map(|(_, reason)| reason.clone())
    }

    /// The loads, counted where split points were known beforehand, else from the sample.
    fn loads(&self, planned: &Planned, keys: &SampledKeys) -> Result<Loaded, String> {
        let counted = planned
            .regions
            .and_then(|counter| Some((self.plan.grids.get(counter)?, self.worker.tallies.get(counter)?)));
        let Some((grid, tally)) = counted else { return self.sampled(planned, keys) };
        let splits =
            self.plan.region_counts.iter().map(|count| self.prefix_splits(planned, *count)).collect();
        let (loads, slices) = Loads::new(&self.plan.setup).of(grid, tally, 1.0, splits);
        Ok((loads, slices, Accuracy::Exact))
    }

    fn facts(&self) -> TableFacts<'static> {
        TableFacts {
            id: &[],
            entity: &[],
            rows: self.rows,
            regions: self.plan.setup.chosen_regions(),
            rows_per_entity: self.rows_per_entity,
            range_rows: self.plan.setup.reads.range_rows,
            buckets: 1,
            call_in_rows: self.plan.setup.reads.call_in_rows,
        }
    }

    fn prefix_splits(&self, planned: &Planned, regions: usize) -> Vec<Vec<u8>> {
        let encoding = planned.strategy.key.encoding;
        planned.leading.map(|(leading, _)| leading.splits(regions, encoding)).unwrap_or_default()
    }

    /// The loads that the sample gives.
    fn sampled(&self, planned: &Planned, keys: &SampledKeys) -> Result<Loaded, String> {
        let (setup, sample) = (&self.plan.setup, &self.worker.sample);
        let weighed = keys.weighed(setup.weight, sample);
        let leading = planned.leading.map(|(leading, _)| leading);
        let of = |count: &usize| keys.splits(setup.splits, leading, &weighed, *count, setup.encoding);
        let splits: Vec<Vec<Vec<u8>>> = self
            .plan
            .region_counts
            .iter()
            .map(of)
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let grid = Grid::new(&splits);
        let tally = keys.tally(&grid, sample, self.worker.shift);
        let rows = sample.len().max(1);
        let scale = self.rows as f64 / rows as f64;
        let (loads, slices) = Loads::new(setup).of(&grid, &tally, scale, splits);
        let error = 2.0 * (setup.chosen_regions() as f64 / rows as f64).sqrt();
        let exact = sample.len() as u64 == self.rows;
        let accuracy = if exact { Accuracy::Exact } else { Accuracy::Sampled { rows: sample.len(), error } };
        Ok((loads, slices, accuracy))
    }

    fn bucket_loads(&self, planned: &Planned) -> Vec<super::judgement::BucketLoad> {
        let tally = planned.buckets.and_then(|counter| self.worker.tallies.get(counter));
        let setup = &self.plan.setup;
        tally.map(|tally| buckets::loads(tally, setup.servers, setup.chosen_regions())).unwrap_or_default()
    }

    /// How many stretches of time the sample lies in, when the key begins with one.
    fn buckets(&self, planned: &Planned) -> u64 {
        let Some(Part::Bucket { field, width }) = planned.strategy.key.parts.first() else { return 1 };
        let Some(place) = self.plan.columns.iter().position(|column| column.name == *field) else { return 1 };
        let values = self.worker.sample.rows();
        let starts: HashSet<Value> =
            values.filter_map(|row| row.values.get(place).map(|value| width.start(value))).collect();
        starts.len().max(1) as u64
    }

    fn warnings(&self, planned: &Planned, load: &SplitLoad, keys: &SampledKeys) -> Vec<String> {
        let (setup, key) = (&self.plan.setup, &planned.strategy.key);
        let id: Vec<&str> = setup.id.iter().map(|column| column.name.as_str()).collect();
        let mut warnings: Vec<String> = key.loses(&id).into_iter().chain(key.doubles()).collect();
        let prefixes = planned.strategy.prefixes();
        if let (Some(prefixes), SplitMethod::Prefix) = (prefixes, setup.splits) {
            warnings.extend(prefix::warnings(prefixes.get(), load.asked));
        }
        warnings.extend(fit::warnings(setup.splits, load, keys.sorted()));
        if planned.strategy.name == StrategyName::Bucket {
            warnings.push(
                "all rows of one stretch of time go to the same place: one region is hot at a time"
                    .to_owned(),
            );
        }
        warnings
    }
}
