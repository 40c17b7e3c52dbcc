//! What each key does with a write stream.

use tablesmith_design::keys::judge::Accuracy;
use tablesmith_design::keys::splits::region_of;
use tablesmith_design::keys::{ExactPass, Judgement, Row, SplitMethod, StrategyName};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};

use super::streams::{ids, judge, of_ids, of_readings, readings};

fn share(judgement: &Judgement, name: StrategyName) -> f64 {
    judgement.strategy(name).expect("a strategy that was judged").load.mean_hottest_share
}

#[test]
fn sequential_ids_heat_one_server_at_a_time_unless_they_are_hashed() {
    let judgement = judge(&of_ids(5), ids(60_000));
    for name in [StrategyName::Random, StrategyName::Md5Mod, StrategyName::Md5LineMod, StrategyName::Hash] {
        assert!(share(&judgement, name) < 0.24, "{name}: {}", share(&judgement, name));
        assert_eq!(judgement.strategy(name).unwrap().accuracy, Accuracy::Exact);
    }
    for name in [StrategyName::Plain, StrategyName::Mod] {
        assert!(share(&judgement, name) > 0.9, "{name}: {}", share(&judgement, name));
    }
    // In all the plain key is even: its split points are quantiles.
    let plain = judgement.strategy(StrategyName::Plain).unwrap();
    assert!(plain.load.server_rows.hottest_over_mean() < 1.05, "{:?}", plain.load.server_rows);
}

#[test]
fn every_row_is_counted_in_the_region_of_its_key() {
    let mut setup = of_ids(4);
    setup.compare_regions = vec![1, 7, 220];
    setup.encoding = KeyEncoding::Text;
    let judgement = judge(&setup, ids(20_000));
    for judged in &judgement.strategies {
        if judged.name == StrategyName::Random || judged.name == StrategyName::Md5LineMod {
            continue;
        }
        let codec = judged.key.codec(|_| Some(ValueType::Int)).unwrap();
        for load in &judged.by_regions {
            let mut rows = vec![0.0; load.splits.len() + 1];
            for id in 1..=20_000 {
                let mut row = std::collections::BTreeMap::from([("id".to_owned(), Value::Int(id))]);
                rows[region_of(&load.splits, &codec.encode(&mut row).unwrap())] += 1.0;
            }
            assert_eq!(rows, load.rows, "{} at {} regions", judged.name, load.asked);
        }
    }
    assert_eq!(judgement.strategies.len(), 7);
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let mut setup = of_readings(3);
    setup.sample_rows_per_region = 1;
    let rows = || readings((0..60_000_u64).map(|row| row * row % 977));
    let judgements = [1, 2, 5].map(|workers| {
        setup.workers = workers;
        judge(&setup, rows())
    });
    assert!(matches!(
        judgements[0].strategy(StrategyName::Plain).unwrap().accuracy,
        Accuracy::Sampled { .. }
    ));
    assert_eq!(judgements[0], judgements[1]);
    assert_eq!(judgements[0], judgements[2]);
}

#[test]
fn a_hot_user_is_named_and_the_whole_id_recommended() {
    let users = (0..100_000_u64).map(|row| if row % 2 == 0 { 7 } else { row % 1_000 });
    let judgement = judge(&of_readings(5), readings(users));
    let hot = &judgement.heavy_hitters[0];
    assert_eq!((hot.value.as_str(), hot.more_than_a_server), ("user7", true));
    assert!((hot.share - 0.5).abs() < 0.01 + hot.error, "{hot:?}");
    assert!(hot.advice.contains("md5_mod(user, at"), "{}", hot.advice);
    assert!(share(&judgement, StrategyName::Md5ModPart) > 0.5);
    let best = judgement.best.unwrap();
    assert_eq!(best.strategy, StrategyName::Md5Mod, "{:?}", best.reasons);
}

#[test]
fn even_users_get_a_prefix_of_their_own_and_stay_together() {
    let mut random = fastrand::Rng::with_seed(1);
    let users: Vec<u64> = (0..100_000).map(|_| random.u64(0..5_000)).collect();
    let mut setup = of_readings(5);
    setup.reads.entity = 1.0;
    let judgement = judge(&setup, readings(users.into_iter()));
    let best = judgement.best.as_ref().unwrap();
    assert_eq!(best.reads.entity.as_ref().unwrap().calls, 1, "{:?}", best.reasons);
    assert!(best.busiest_over_mean < 1.1);
    assert!((judgement.rows_per_entity - 20.0).abs() < 1.0, "{}", judgement.rows_per_entity);
}

#[test]
fn few_buckets_are_recommended_for_sequential_ids() {
    let judgement = judge(&of_ids(5), ids(100_000));
    let best = judgement.best.unwrap();
    assert_eq!(
        (best.strategy, best.buckets, best.regions),
        (StrategyName::Md5Mod, Some(15), 15),
        "{:?}",
        best.reasons
    );
    assert_eq!(best.splits.len(), 14);
    assert_eq!((best.reads.point.calls, best.reads.range.calls), (1, 15));
}

#[test]
fn points_over_the_wrong_alphabet_are_warned_of() {
    let mut setup = of_ids(2);
    setup.encoding = KeyEncoding::Text;
    setup.splits = SplitMethod::Hex;
    let judgement = judge(&setup, ids(5_000));
    let of = |name| judgement.strategy(name).unwrap().warnings.join("\n");
    assert!(of(StrategyName::Md5Mod).contains("from a to f"), "{}", of(StrategyName::Md5Mod));
    assert!(of(StrategyName::Plain).contains("all keys begin with"), "{}", of(StrategyName::Plain));
    assert!(!of(StrategyName::Hash).contains("alphabet") && !of(StrategyName::Hash).contains("points"));
}

#[test]
fn a_second_pass_counts_what_was_sampled() {
    let mut setup = of_ids(4);
    setup.sample_rows_per_region = 1;
    setup.strategies = vec![StrategyName::Plain, StrategyName::Reverse];
    let mut judgement = judge(&setup, ids(150_000));
    let plain = judgement.strategy(StrategyName::Plain).unwrap();
    let Accuracy::Sampled { error, .. } = plain.accuracy else { panic!("nothing was sampled") };
    let estimated = plain.load.region_rows.max;
    let mut exact = ExactPass::new(&setup, &judgement).unwrap();
    ids(150_000).for_each(|values| exact.take(&Row { values: &values, line: None, bytes: 100 }));
    exact.finish(&mut judgement);
    let plain = judgement.strategy(StrategyName::Plain).unwrap();
    assert_eq!(plain.accuracy, Accuracy::Exact);
    assert_eq!(plain.load.rows.iter().sum::<f64>(), 150_000.0);
    assert!(
        (plain.load.region_rows.max / estimated - 1.0).abs() <= error * 1.5,
        "{} {estimated}",
        plain.load.region_rows.max
    );
    assert!(ExactPass::new(&setup, &judgement).is_none());
}
