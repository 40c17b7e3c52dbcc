//! Random problems for tests.

use super::{Access, Ask, Column, Problem};

/// A problem with up to so many columns and asks, of all kinds of access.
pub fn random_problem(random: &mut fastrand::Rng, columns_max: usize, asks_max: usize) -> Problem {
    let columns: Vec<Column> = (0..random.usize(1..=columns_max))
        .map(|column| Column {
            name: format!("c{column}"),
            bytes: f64::from(random.u16(1..200)),
            filled: 0.5 + 0.5 * random.f64(),
        })
        .collect();
    let rows = random.u64(1_000..5_000_000);
    let asks = (0..random.usize(1..=asks_max))
        .map(|ask| {
            let density = 0.15 + 0.5 * random.f64();
            let access = match random.u8(0..5) {
                0 => Access::Write,
                1 => Access::Get,
                _ => Access::Scan,
            };
            let first = random.usize(0..columns.len());
            Ask {
                name: format!("q{ask}"),
                access,
                columns: (0..columns.len())
                    .filter(|column| *column == first || random.f64() < density)
                    .collect(),
                rows: if access == Access::Scan { rows as f64 * random.f64() } else { 1.0 },
                rate: f64::from(random.u8(1..20)),
            }
        })
        .collect();
    Problem { table: "t".to_owned(), rows, key_bytes: 12.0, columns, asks, ..Problem::default() }
}
