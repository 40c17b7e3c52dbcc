//! Split points at quantiles of real keys, beside those that divide an alphabet.

use tablesmith_design::keys::splits::{region_of, region_splitter};
use tablesmith_design::keys::{ExactPass, IdColumn, Judge, Judgement, Row, Setup, SplitMethod, StrategyName};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};

/// Rows of a stream: more than the sample that gives 10 or 32 regions their split points.
const ROWS: usize = 400_000;
/// Rows where there is time for them: more than the sample of 220 regions.
const SOAK_ROWS: usize = 6_000_000;

/// The plain key over texts, every row counted.
fn counted(texts: &[String], method: SplitMethod, regions: usize, others: &[usize]) -> Judgement {
    let mut setup = Setup::new(vec![IdColumn::new("id", ValueType::String)], 5);
    setup.splits = method;
    setup.encoding = KeyEncoding::Text;
    setup.regions = Some(regions);
    setup.compare_regions = others.to_vec();
    setup.strategies = vec![StrategyName::Plain];
    let mut judge = Judge::new(&setup).expect("the setup is sound");
    let mut values = [Value::Null];
    for text in texts {
        values[0] = Value::String(text.clone());
        judge.take(&Row { values: &values, line: None, bytes: 1 });
    }
    let mut judgement = judge.finish();
    if let Some(mut exact) = ExactPass::new(&setup, &judgement) {
        for text in texts {
            values[0] = Value::String(text.clone());
            exact.take(&Row { values: &values, line: None, bytes: 1 });
        }
        exact.finish(&mut judgement);
    }
    judgement
}

/// The keys of a stream without heavy hitters, by the stream's name.
const STREAMS: [&str; 5] = ["uniform", "zipf", "hex", "decimal", "user"];

fn texts(name: &str, rows: usize) -> Vec<String> {
    let seed = 1;
    println!("quantiles: {name}, seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let text = |random: &mut fastrand::Rng| match name {
        "uniform" => (0..8).map(|_| random.char(' '..='~')).collect(),
        // Shares fall as 1/rank^0.5 over 100 million keys: the first has 0.005 % of the rows, a hundredth of what one of 220
        // regions has.
        "zipf" => {
            let rank = (random.f64().powi(2) * 1e8) as u64;
            format!("{:016x}", rank.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        }
        "hex" => format!("{:032x}", random.u128(..)),
        "decimal" => format!("{:010}", random.u64(..10_000_000_000)),
        _ => format!("user{}", random.u64(..1_000_000_000)),
    };
    (0..rows).map(|_| text(&mut random)).collect()
}

/// The busiest region of each number of regions stays within 5 % of the mean, counted row by row.
fn check_quantiles(name: &str, texts: &[String], chosen: usize, others: &[usize]) {
    let judgement = counted(texts, SplitMethod::Quantile, chosen, others);
    for load in &judgement.strategies[0].by_regions {
        assert_eq!(load.rows.iter().sum::<f64>(), texts.len() as f64);
        let busiest = load.region_rows.max / (texts.len() as f64 / load.asked as f64);
        assert!(busiest <= 1.05, "{name} over {} regions: {busiest}", load.asked);
        assert_eq!(load.rows.len(), load.asked, "{name}");
    }
    assert_eq!(judgement.strategies[0].by_regions.len(), others.len() + 1);
}

#[test]
fn quantiles_of_a_sample_are_even_over_any_alphabet() {
    for name in STREAMS {
        check_quantiles(name, &texts(name, ROWS), 32, &[10]);
    }
}

#[test]
fn many_quantiles_are_even_over_any_alphabet() {
    for name in STREAMS {
        check_quantiles(name, &texts(name, ROWS), 220, &[110]);
    }
}

/// With more rows than the sample of 220 regions has.
#[test]
fn many_quantiles_of_a_sample_are_even_where_there_is_time_for_it() {
    let rows = if std::env::var_os("TABLESMITH_SOAK").is_some() { SOAK_ROWS } else { 100_000 };
    for name in STREAMS {
        check_quantiles(name, &texts(name, rows), 220, &[10, 32, 110]);
    }
}

#[test]
fn alphabets_are_even_only_over_their_own() {
    for (method, name, even) in [
        (SplitMethod::Hex, "hex", true),
        (SplitMethod::Hex, "decimal", false),
        (SplitMethod::Decimal, "decimal", true),
        (SplitMethod::Decimal, "hex", false),
        (SplitMethod::Uniform, "hex", false),
        (SplitMethod::Uniform, "user", false),
        (SplitMethod::Hex, "user", false),
    ] {
        let texts = texts(name, ROWS);
        for regions in [10, 220] {
            let judgement = counted(&texts, method, regions, &[]);
            let judged = &judgement.strategies[0];
            let busiest = judged.load.region_rows.hottest_over_mean();
            assert_eq!(busiest < 1.1, even, "{method} over {name}, {regions} regions: {busiest}");
            let warnings = &judged.warnings;
            assert_eq!(warnings.is_empty(), even, "{method} over {name}, {regions} regions: {warnings:?}");
        }
    }
}

#[test]
fn byte_arithmetic_over_hexadecimal_text_fills_three_of_ten_regions() {
    let splits = region_splitter::uniform(10).unwrap();
    let mut rows = [0; 10];
    for number in 0..65_536_u64 {
        let key = format!("{:016x}", number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        rows[region_of(&splits, key.as_bytes())] += 1;
    }
    assert_eq!(rows.iter().filter(|rows| **rows > 0).count(), 3, "{rows:?}");
}
