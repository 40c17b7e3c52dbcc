//! Spearman's rank correlation.

use super::moments::mean;

/// Spearman's rank correlation (1904): how well two lists agree in the order of their places, from -1 to 1. Values that
/// are equal share the mean of their ranks. `None` of fewer than two, of lists of different lengths, or when one of the
/// lists has no order because all of its values are equal.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<f64> {
    if first.len() != second.len() {
        return None;
    }
    correlation(&ranks(first), &ranks(second))
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    order.sort_by(|(_, first), (_, second)| first.total_cmp(second));
    let mut ranked = Vec::with_capacity(values.len());
    for ties in order.chunk_by(|(_, first), (_, second)| first == second) {
        let rank = ranked.len() as f64 + (ties.len() + 1) as f64 / 2.0;
        ranked.extend(ties.iter().map(|(place, _)| (*place, rank)));
    }
    ranked.sort_by_key(|(place, _)| *place);
    ranked.into_iter().map(|(_, rank)| rank).collect()
}

/// Pearson's correlation, which is Spearman's when taken of ranks.
fn correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let (first_mean, second_mean) = (mean(first)?, mean(second)?);
    let (mut both, mut first_squares, mut second_squares) = (0.0, 0.0, 0.0);
    for (first, second) in first.iter().zip(second) {
        let (first_off, second_off) = (first - first_mean, second - second_mean);
        both += first_off * second_off;
        first_squares += first_off * first_off;
        second_squares += second_off * second_off;
    }
    let scale = (first_squares * second_squares).sqrt();
    (scale > 0.0).then(|| (both / scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked case of many texts: intelligence quotients and hours of television of ten people, rho = -29/165.
    #[test]
    fn a_worked_case_without_ties() {
        let quotients = [106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0];
        let hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
        let rho = spearman(&quotients, &hours).unwrap();
        assert!((rho - -29.0 / 165.0).abs() < 1e-12, "{rho}");
    }

    /// By hand: ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4 have the correlation 4.5 / √(4.5 × 5).
    #[test]
    fn ties_share_their_ranks() {
        assert_eq!(ranks(&[10.0, 20.0, 20.0, 30.0]), [1.0, 2.5, 2.5, 4.0]);
        let rho = spearman(&[10.0, 20.0, 20.0, 30.0], &[1.0, 3.0, 2.0, 4.0]).unwrap();
        assert!((rho - 4.5 / 22.5_f64.sqrt()).abs() < 1e-12, "{rho}");
    }

    #[test]
    fn the_ends_and_what_has_no_order() {
        assert_eq!(spearman(&[1.0, 2.0, 9.0], &[5.0, 6.0, 7.0]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 9.0], &[7.0, 6.0, 5.0]), Some(-1.0));
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[1.0]), None);
        assert_eq!(spearman(&[1.0, 2.0], &[1.0]), None);
    }
}
