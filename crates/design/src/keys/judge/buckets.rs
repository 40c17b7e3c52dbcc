//! How even few prefixes are: the same rows in fewer and fewer buckets.

use tablesmith_model::key::Modulus;

use super::judgement::BucketLoad;
use super::plan::BUCKETS_PER_SERVER;
use super::tally::Tally;
use crate::keys::load::{Summary, server_of};
use crate::keys::splits::prefix::Leading;

/// The load of servers under every number of buckets that was counted. The remainder by a divisor of the counted
/// modulus is the remainder of the remainder.
pub(super) fn loads(tally: &Tally, servers: usize, regions: usize) -> Vec<BucketLoad> {
    let slices: Vec<Vec<f64>> = tally.by_slice(1.0).collect();
    let counted = tally.bytes(1.0).len();
    let numbers = BUCKETS_PER_SERVER.iter().map(|each| each * servers);
    let divides = |buckets: &usize| *buckets > 0 && counted.is_multiple_of(*buckets);
    numbers.filter(divides).filter_map(|buckets| load(&slices, buckets, servers, regions, counted)).collect()
}

fn load(
    slices: &[Vec<f64>],
    buckets: usize,
    servers: usize,
    regions: usize,
    counted: usize,
) -> Option<BucketLoad> {
    let bounds = Leading::Remainder(Modulus::new(buckets as u64)?).bounds(regions);
    let region = |bucket: u64| bounds.partition_point(|bound| *bound <= bucket);
    let server: Vec<usize> =
        (0..counted).map(|cell| server_of(region((cell % buckets) as u64), servers)).collect();
    let (mut all, mut hottest, mut total) = (vec![0.0; servers], 0.0, 0.0);
    for slice in slices {
        let mut own = vec![0.0; servers];
        for (rows, server) in slice.iter().zip(&server) {
            if let Some(load) = own.get_mut(*server) {
                *load += rows;
            }
        }
        let summary = Summary::of(&own);
        hottest += summary.max;
        total += own.iter().sum::<f64>();
        all.iter_mut().zip(&own).for_each(|(all, own)| *all += own);
    }
    Some(BucketLoad {
        buckets,
        regions: bounds.len() + 1,
        busiest_over_mean: Summary::of(&all).hottest_over_mean(),
        mean_hottest_share: if total > 0.0 { hottest / total } else { 0.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_buckets_are_the_same_rows_folded() {
        let mut tally = Tally::new(8);
        tally.reach(0);
        // All rows leave 1 or 5: with four buckets that is one bucket, with eight it is two.
        [1, 5, 1, 5].into_iter().for_each(|cell| tally.add(0, cell, 0));
        let loads = loads(&tally, 2, 8);
        let of = |buckets: usize| *loads.iter().find(|load| load.buckets == buckets).unwrap();
        assert_eq!((of(4).busiest_over_mean, of(4).regions), (2.0, 4));
        assert_eq!((of(8).busiest_over_mean, of(8).regions), (2.0, 8));
        assert_eq!(of(2).mean_hottest_share, 1.0);
        assert_eq!(loads.len(), 3);
    }
}
