//! Random problems that a proof can be had for.

use tablesmith_design::families::{Access, Ask, Column, FamilyLimit, Problem};

/// A problem of up to so many columns and asks, with any limit.
pub fn random(seed: u64, columns_max: usize, asks_max: usize) -> Problem {
    let mut random = fastrand::Rng::with_seed(seed);
    let columns: Vec<Column> = (0..random.usize(2..=columns_max))
        .map(|column| Column {
            name: format!("c{column}"),
            bytes: f64::from(random.u16(1..200)),
            filled: 0.5 + 0.5 * random.f64(),
        })
        .collect();
    let rows = random.u64(10_000..5_000_000);
    let asks = (0..random.usize(2..=asks_max)).map(|ask| {
        let access = [Access::Write, Access::Get, Access::Scan, Access::Scan][random.usize(0..4)];
        let density = 0.15 + 0.5 * random.f64();
        let first = random.usize(0..columns.len());
        Ask {
            name: format!("q{ask}"),
            access,
            columns: (0..columns.len()).filter(|c| *c == first || random.f64() < density).collect(),
            rows: if access == Access::Scan { rows as f64 * random.f64() } else { 1.0 },
            rate: f64::from(random.u8(1..20)),
        }
    });
    let asks = asks.collect();
    let limit = match random.usize(0..4) {
        0 => FamilyLimit::None,
        1 => FamilyLimit::Exactly(random.usize(1..=columns.len().min(4))),
        _ => FamilyLimit::AtMost(random.usize(2..=5)),
    };
    Problem { table: "t".to_owned(), rows, key_bytes: 12.0, columns, asks, limit, current: None }
}
