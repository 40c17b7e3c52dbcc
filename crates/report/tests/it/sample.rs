//! Evidence made from a seed: what a run could have measured, and what none should have.

use fastrand::Rng;
use tablesmith_model::evidence::{
    Claim, Distribution, Evidence, FamilyShape, Figures, HeatLine, HeatMap, Loaded, MeasuredDesign,
    MeasuredQuery, MeasuredRegion, Outlier, Pair, Predicted, Prediction, Rejected, StoreCounts, Summary,
};

/// The same evidence every time.
const SEED: u64 = 7;

const COLUMNS: [&str; 18] = [
    "ad_id",
    "campaign",
    "creative",
    "site",
    "slot",
    "country",
    "region",
    "city",
    "browser",
    "os",
    "device",
    "clicks",
    "views",
    "spent_micros",
    "first_seen",
    "last_seen",
    "referrer",
    "user_agent",
];

/// All kinds of evidence, by name.
pub fn all() -> Vec<(&'static str, Evidence)> {
    vec![
        ("full", full()),
        ("one-design", one_design()),
        ("nothing", Evidence::default()),
        ("hostile", hostile()),
        ("crowd", crowd()),
    ]
}

/// A run as the five schemas of a paper would give it: everything is there.
pub fn full() -> Evidence {
    let mut rng = Rng::with_seed(SEED);
    let names = ["ref01", "ref02", "ref03", "s03", "s05", "exact"];
    let means = [4.1, 9.8, 5.2, 3.1, 2.6, 2.5];
    let families = [1, 18, 6, 3, 5, 4];
    let designs: Vec<MeasuredDesign> =
        (0..6).map(|index| design(&mut rng, names[index], means[index], families[index])).collect();
    Evidence {
        title: "Column families of the ad-tracking table".into(),
        store: "embedded:tables".into(),
        seed: SEED,
        clients: 4,
        rate: None,
        warm_up: 200,
        pairs: pairs(&mut rng, &designs),
        prediction: Some(prediction(&mut rng, &designs)),
        designs,
        verdict: "s05 answers 36 % faster than ref01 (95 % interval 34–38 %)".into(),
        answers_equal: true,
        stopped: Some("the store hbase://localhost:16000 did not answer call 1,412 within 60 s".into()),
        figures: vec![Figures {
            title: "Rows per region".into(),
            columns: ["key", "least", "most"].map(str::to_owned).into(),
            rows: vec![["plain", "0", "4,000,000"].map(str::to_owned).into()],
        }],
        heat: vec![heat(&mut rng, "md5_mod", |rng, _, _| 90.0 + rng.f64() * 20.0), diagonal()],
        notes: vec![
            "Queries known only by their columns were asked with keys drawn from the data.".into(),
            "The block cache holds a quarter of the data.".into(),
        ],
        claims: vec![
            Claim {
                claim: "s05 answers about 34 % faster than ref01".into(),
                paper: "34 %".into(),
                measured: "36 %".into(),
                holds: true,
                reason: None,
            },
            Claim {
                claim: "ref01 is the best of the references".into(),
                paper: "yes".into(),
                measured: "ref03 is".into(),
                holds: false,
                reason: Some(
                    "Rows are narrower here, so a second seek costs less than the bytes it saves.".into(),
                ),
            },
        ],
    }
}

/// Loads of thirty regions at eighty moments.
fn heat(rng: &mut Rng, name: &str, load: impl Fn(&mut Rng, usize, usize) -> f64) -> HeatMap {
    let line = |line: usize, rng: &mut Rng| HeatLine {
        name: format!("{line:02x}"),
        loads: (0..80).map(|step| load(rng, line, step)).collect(),
    };
    HeatMap {
        name: name.into(),
        line: "region".into(),
        step: "slice of the write stream".into(),
        lines: (0..30).map(|number| line(number, rng)).collect(),
    }
}

/// A key that is even in total and hot at every moment.
fn diagonal() -> HeatMap {
    let is_hot = |line: usize, step: usize| line * 80 / 30 <= step + 3 && step < line * 80 / 30 + 3;
    heat(&mut Rng::with_seed(SEED), "mod", |_, line, step| if is_hot(line, step) { 100.0 } else { 0.0 })
}

/// One design, a store that counts nothing, no prediction, no pairs.
pub fn one_design() -> Evidence {
    let mut rng = Rng::with_seed(SEED);
    let alone = MeasuredDesign {
        regions: Vec::new(),
        stats: StoreCounts::default(),
        writes: None,
        ..design(&mut rng, "only", 0.4, 2)
    };
    Evidence {
        title: "One design".into(),
        verdict: "only answers in 0.4 ms on average".into(),
        designs: vec![alone],
        answers_equal: true,
        ..Evidence::default()
    }
}

/// Names that are markup, control characters or endless, and numbers that are none.
pub fn hostile() -> Evidence {
    let mut rng = Rng::with_seed(SEED);
    let long = "a_very_long_name_without_any_space".repeat(9);
    let names = [
        "<script>document.title='taken'</script>",
        "\"quoted\" 'twice' & more",
        "\u{202e}turned\u{1b}[31m\0\u{7f}",
        long.as_str(),
        "漢字のデザイン 🙂",
    ];
    let mut designs: Vec<MeasuredDesign> = names.map(|name| design(&mut rng, name, 3.0, 3)).into();
    for (design, number) in designs.iter_mut().zip([f64::NAN, f64::INFINITY, f64::MAX, 0.0, -1.0]) {
        design.reads.mean_ms = number;
        design.reads.p99_ms = number;
        design.reads.distribution.0[50] = number;
        design.by_query[0].mean_ms = number;
        design.families[0].bytes_a_row = Some(number);
        design.loaded.seconds = number;
        for text in design.families.iter_mut().flat_map(|family| family.columns.iter_mut()) {
            text.push_str("</text><script>");
        }
        design.by_query[1].name = format!("{}</title><img src=x onerror=alert(1)>", design.name);
        design.regions[0].server = "</g>&<\u{0}".into();
        design.loaded.rejected[0].reason = format!("row <{long}> & \"its\" \u{1b}[2J end");
    }
    let mut pairs = pairs(&mut rng, &designs);
    for (pair, number) in
        pairs.iter_mut().zip([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN])
    {
        (pair.difference, pair.low, pair.high, pair.t, pair.p) = (number, number, number, number, number);
        (pair.share, pair.share_low, pair.effect) = (number, number, number);
        pair.distribution.0[3] = number;
    }
    let mut prediction = prediction(&mut rng, &designs);
    prediction.designs[0].predicted = f64::NAN;
    prediction.designs[1].measured_ms = f64::INFINITY;
    prediction.spearman = Some(f64::NAN);
    prediction.worst = Some(long.clone());
    prediction.cost = "<b>store</b>".into();
    Evidence {
        title: "</title><script>".into(),
        store: format!("embedded:{long}"),
        rate: Some(f64::INFINITY),
        verdict: format!("{long} <b>beats</b> \"all\" others\u{1b}[31m"),
        stopped: Some("<script>".into()),
        notes: vec![long.clone(), "</main>".into()],
        figures: vec![Figures {
            title: long.clone(),
            columns: vec!["<b>".into(), long.clone()],
            rows: vec![vec!["</td>".into()], vec![long.clone(), "1".into(), "<script>".into()]],
        }],
        heat: vec![HeatMap {
            name: long.clone(),
            line: "<i>".into(),
            step: "</p>".into(),
            lines: vec![
                HeatLine { name: long.clone(), loads: vec![f64::NAN, -1.0, f64::INFINITY] },
                HeatLine { name: "</title>".into(), loads: vec![1e300; 2_000] },
                HeatLine { name: "\u{1b}[31m".into(), loads: Vec::new() },
            ],
        }],
        claims: vec![Claim {
            claim: long.clone(),
            paper: long.clone(),
            reason: Some("</td>".into()),
            ..Claim::default()
        }],
        designs,
        pairs,
        prediction: Some(prediction),
        ..Evidence::default()
    }
}

/// A thousand designs of many regions.
pub fn crowd() -> Evidence {
    let mut rng = Rng::with_seed(SEED);
    let mut designs: Vec<MeasuredDesign> = (0..1_000)
        .map(|index| {
            let (mean, families) = (1.0 + rng.f64() * 20.0, rng.usize(1..18));
            design(&mut rng, &format!("random {index:04}"), mean, families)
        })
        .collect();
    designs[0].regions = (0..2_000).map(|index| region(&mut rng, index, 40)).collect();
    let some: Vec<MeasuredDesign> = designs.iter().take(30).cloned().collect();
    let prediction = prediction(&mut rng, &designs);
    Evidence {
        title: "A thousand random schemas".into(),
        store: "embedded:tables".into(),
        verdict: "random 0007 answers 62 % faster than the middle one (95 % interval 60–64 %)".into(),
        pairs: pairs(&mut rng, &some),
        prediction: Some(prediction),
        designs,
        answers_equal: true,
        ..Evidence::default()
    }
}

fn design(rng: &mut Rng, name: &str, mean_ms: f64, families: usize) -> MeasuredDesign {
    let regions = 8;
    MeasuredDesign {
        name: name.into(),
        families: shapes(rng, families),
        reads: summary(rng, mean_ms, 2_000),
        writes: Some(summary(rng, mean_ms * 0.3 + families as f64 * 0.1, 400)),
        by_query: (0..9)
            .map(|index| MeasuredQuery {
                name: format!("Q{} by campaign and day", index + 1),
                calls: 400 - 40 * index,
                mean_ms: mean_ms * (0.4 + rng.f64() * 2.0),
                rows: 1.0 + rng.f64() * 30.0,
            })
            .collect(),
        stats: StoreCounts {
            cells: Some(420_000),
            bytes: Some(91_234_567),
            blocks: Some(9_000),
            seeks: Some(4_100),
            regions: None,
        },
        outliers: (0..5)
            .map(|index| Outlier {
                call: rng.u64(0..2_000),
                query: "Q3 by campaign and day".into(),
                ms: mean_ms * f64::from(40 - index),
            })
            .collect(),
        loaded: Loaded {
            rows: 120_000,
            seconds: 4.2,
            rejected: vec![Rejected {
                reason: "the key column ad_id is empty".into(),
                rows: 12,
                first_line: 4_711,
            }],
        },
        regions: (0..regions).map(|index| region(rng, index, 3)).collect(),
    }
}

/// Times behind a distribution: enough for a smooth one.
const SAMPLES: usize = 400;

/// Log-normal times around a mean, as response times often are.
fn summary(rng: &mut Rng, mean_ms: f64, queries: u64) -> Summary {
    let mut times: Vec<f64> = (0..SAMPLES).map(|_| mean_ms * (normal(rng) * 0.55 - 0.15).exp()).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    Summary {
        queries,
        mean_ms: times.iter().sum::<f64>() / times.len() as f64,
        median_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        distribution: Distribution((0..=100).map(|index| at(f64::from(index) / 100.0)).collect()),
    }
}

/// About normal: twelve even numbers added up.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0
}

fn shapes(rng: &mut Rng, count: usize) -> Vec<FamilyShape> {
    let mut families: Vec<FamilyShape> = (0..count)
        .map(|index| FamilyShape { name: format!("f{}", index + 1), ..FamilyShape::default() })
        .collect();
    for (index, column) in COLUMNS.iter().enumerate() {
        families[index % count].columns.push((*column).to_owned());
    }
    if count > 1 {
        families[1].columns.push(COLUMNS[0].to_owned());
    }
    for family in &mut families {
        family.bytes_a_row = Some(family.columns.len() as f64 * (6.0 + rng.f64() * 20.0));
    }
    families
}

fn region(rng: &mut Rng, index: usize, servers: usize) -> MeasuredRegion {
    MeasuredRegion {
        start: if index == 0 { String::new() } else { format!("\\x{:02X}", index * 16 % 256) },
        server: format!("server{}", index % servers),
        reads: Some(rng.u64(100..2_000)),
        writes: Some(rng.u64(1_000..40_000)),
        bytes: Some(rng.u64(1_000_000..90_000_000)),
    }
}

fn pairs(rng: &mut Rng, designs: &[MeasuredDesign]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (index, b) in designs.iter().enumerate() {
        for a in designs.iter().skip(index + 1) {
            let (difference, half) = (b.reads.mean_ms - a.reads.mean_ms, 0.15);
            let spread: Vec<f64> = {
                let mut values: Vec<f64> = (0..101).map(|_| difference + normal(rng) * 2.5).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            pairs.push(Pair {
                a: a.name.clone(),
                b: b.name.clone(),
                difference,
                low: difference - half,
                high: difference + half,
                t: difference / (half / 1.96),
                p: if difference.abs() > half { 1e-9 } else { 0.2 },
                effect: difference / 2.5,
                queries: 2_000,
                share: difference / b.reads.mean_ms,
                share_low: (difference - half) / b.reads.mean_ms,
                share_high: (difference + half) / b.reads.mean_ms,
                distribution: Distribution(spread),
            });
        }
    }
    pairs
}

fn prediction(rng: &mut Rng, designs: &[MeasuredDesign]) -> Prediction {
    let designs: Vec<Predicted> = designs
        .iter()
        .map(|design| Predicted {
            design: design.name.clone(),
            predicted: design.reads.mean_ms * (0.8 + rng.f64() * 0.3),
            measured_ms: design.reads.mean_ms,
            ..Predicted::default()
        })
        .collect();
    let worst = designs.first().map(|point| point.design.clone());
    Prediction {
        cost: "store".into(),
        calibration: Some("c1f0".into()),
        designs,
        spearman: Some(0.971),
        significant_pairs: 14,
        ordered_right: 14,
        worst,
    }
}
