//! Split points at quantiles of real keys, beside those that divide an alphabet.

use tablesmith_design::keys::splits::{region_of, region_splitter};
use tablesmith_design::keys::{ExactPass, IdColumn, Judgement, Row, Setup, SplitMethod, StrategyName};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};

use super::streams::judge;

const ROWS: usize = 60_000;

/// The plain key over texts, every row counted.
fn counted(texts: &[String], method: SplitMethod, regions: usize) -> Judgement {
    let mut setup = Setup::new(vec![IdColumn::new("id", ValueType::String)], 5);
    setup.splits = method;
    setup.encoding = KeyEncoding::Text;
    setup.regions = Some(regions);
    setup.strategies = vec![StrategyName::Plain];
    let row = |text: &String| vec![Value::String(text.clone())];
    let mut judgement = judge(&setup, texts.iter().map(row));
    if let Some(mut exact) = ExactPass::new(&setup, &judgement) {
        texts.iter().for_each(|text| exact.take(&Row { values: &row(text), line: None, bytes: 1 }));
        exact.finish(&mut judgement);
    }
    judgement
}

fn busiest_over_mean(texts: &[String], method: SplitMethod, regions: usize) -> f64 {
    let judgement = counted(texts, method, regions);
    let load = &judgement.strategies[0].load;
    assert_eq!(load.rows.iter().sum::<f64>(), texts.len() as f64);
    load.region_rows.max / (texts.len() as f64 / regions as f64)
}

/// Streams of texts without heavy hitters, by name.
fn streams() -> Vec<(&'static str, Vec<String>)> {
    let seed = 1;
    println!("quantiles: seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut texts = |make: &mut dyn FnMut(&mut fastrand::Rng) -> String| -> Vec<String> {
        (0..ROWS).map(|_| make(&mut random)).collect()
    };
    // Shares fall as 1/rank^0.5 over 50,000 keys: the first has 0.2 % of the rows.
    let zipf = |random: &mut fastrand::Rng| (random.f64().powi(2) * 50_000.0) as u64;
    vec![
        ("uniform", texts(&mut |random| (0..8).map(|_| random.char(' '..='~')).collect())),
        ("zipf", texts(&mut |random| format!("{:016x}", zipf(random).wrapping_mul(0x9E37_79B9_7F4A_7C15)))),
        ("hex", texts(&mut |random| format!("{:032x}", random.u128(..)))),
        ("decimal", texts(&mut |random| format!("{:010}", random.u64(..10_000_000_000)))),
        ("user", texts(&mut |random| format!("user{}", random.u64(..1_000_000)))),
    ]
}

#[test]
fn quantiles_are_even_over_any_alphabet() {
    for (name, texts) in streams() {
        let busiest = busiest_over_mean(&texts, SplitMethod::Quantile, 10);
        assert!(busiest <= 1.05, "{name}: {busiest}");
    }
}

#[test]
fn alphabets_are_even_only_over_their_own() {
    let streams = streams();
    let of = |name: &str| &streams.iter().find(|(own, _)| *own == name).unwrap().1;
    for (method, name, even) in [
        (SplitMethod::Hex, "hex", true),
        (SplitMethod::Hex, "decimal", false),
        (SplitMethod::Decimal, "decimal", true),
        (SplitMethod::Decimal, "hex", false),
        (SplitMethod::Uniform, "hex", false),
        (SplitMethod::Uniform, "user", false),
        (SplitMethod::Hex, "user", false),
    ] {
        let judgement = counted(of(name), method, 10);
        let judged = &judgement.strategies[0];
        let busiest = judged.load.region_rows.hottest_over_mean();
        assert_eq!(busiest < 1.1, even, "{method} over {name}: {busiest}");
        assert_eq!(judged.warnings.is_empty(), even, "{method} over {name}: {:?}", judged.warnings);
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
