//! Non-negative least squares, by the active sets of Lawson and Hanson ("Solving Least Squares Problems", 1974, chapter
//! 23), on the normal equations.
//!
//! Hand-written since there are a dozen unknowns and a hundred equations: a library for matrices would take longer to
//! build than this takes to read. The normal equations square the condition of the problem, which is harmless once all
//! columns have the same length.
#![expect(
    clippy::indexing_slicing,
    reason = "all matrices here are square and made for their number of unknowns"
)]

/// Steps after which the best found so far stands, for each unknown. Far more than are ever needed.
const STEPS_EACH: usize = 30;
/// A pivot below this share of its diagonal: the column is a mixture of others.
const COLLINEAR: f64 = 1e-10;
/// Gradients below this are rounding.
const FLAT: f64 = 1e-10;

/// The x ≥ 0 for which the sum of squares of `rows · x - right` is least. Of columns that are mixtures of others some
/// get 0.
pub fn non_negative<const N: usize>(rows: &[[f64; N]], right: &[f64]) -> [f64; N] {
    let lengths = lengths(rows);
    let (gram, target) = normal_equations(rows, right, &lengths);
    let mut x = [0.0; N];
    let mut is_free = [false; N];
    let mut is_barred = [false; N];
    for _ in 0..STEPS_EACH * N {
        let slope = |at: usize| target[at] - (0..N).map(|other| gram[at][other] * x[other]).sum::<f64>();
        let candidates = (0..N).filter(|at| !is_free[*at] && !is_barred[*at] && lengths[*at] > 0.0);
        let steepest = candidates.max_by(|a, b| slope(*a).total_cmp(&slope(*b)));
        let Some(enters) = steepest.filter(|at| slope(*at) > FLAT) else { break };
        is_free[enters] = true;
        if solve(&gram, &target, &is_free).is_none() {
            // A mixture of those that are free already: it can explain nothing that they do not.
            (is_free[enters], is_barred[enters]) = (false, true);
            continue;
        }
        is_barred = [false; N];
        step_towards_least(&gram, &target, &mut is_free, &mut x);
        // What entered and left at once would enter again for ever.
        is_barred[enters] = !is_free[enters];
    }
    std::array::from_fn(|at| if lengths[at] > 0.0 { x[at] / lengths[at] } else { 0.0 })
}

/// Goes to the least sum of squares of the free unknowns; those that would become negative on the way are set to 0.
fn step_towards_least<const N: usize>(
    gram: &[[f64; N]; N],
    target: &[f64; N],
    is_free: &mut [bool; N],
    x: &mut [f64; N],
) {
    while let Some(least) = solve(gram, target, is_free) {
        let crossing = |at: &usize| is_free[*at] && least[*at] <= 0.0;
        let step = (0..N).filter(crossing).map(|at| x[at] / (x[at] - least[at]).max(f64::MIN_POSITIVE));
        let Some(step) = step.reduce(f64::min) else {
            *x = least;
            return;
        };
        for at in (0..N).filter(|at| is_free[*at]).collect::<Vec<_>>() {
            x[at] += step.clamp(0.0, 1.0) * (least[at] - x[at]);
            if least[at] <= 0.0 && x[at] <= FLAT * least[at].abs().max(f64::MIN_POSITIVE) {
                (x[at], is_free[at]) = (0.0, false);
            }
        }
        // Rounding may leave the one that is crossed first just above 0.
        let first = (0..N).filter(|at| is_free[*at] && least[*at] <= 0.0);
        if let Some(first) = first.min_by(|a, b| x[*a].total_cmp(&x[*b]))
            && x[first] <= FLAT
        {
            (x[first], is_free[first]) = (0.0, false);
        }
    }
}

/// The length of each column.
fn lengths<const N: usize>(rows: &[[f64; N]]) -> [f64; N] {
    std::array::from_fn(|at| rows.iter().map(|row| row[at] * row[at]).sum::<f64>().sqrt())
}

/// AᵀA and Aᵀb, with each column of A made as long as 1.
fn normal_equations<const N: usize>(
    rows: &[[f64; N]],
    right: &[f64],
    lengths: &[f64; N],
) -> ([[f64; N]; N], [f64; N]) {
    let scaled = |row: &[f64; N], at: usize| if lengths[at] > 0.0 { row[at] / lengths[at] } else { 0.0 };
    let gram = std::array::from_fn(|a| {
        std::array::from_fn(|b| rows.iter().map(|row| scaled(row, a) * scaled(row, b)).sum())
    });
    let target =
        std::array::from_fn(|at| rows.iter().zip(right).map(|(row, right)| scaled(row, at) * right).sum());
    (gram, target)
}

/// The solution of the normal equations in the free unknowns, by Cholesky's decomposition; `None` when a column is a
/// mixture of the others.
fn solve<const N: usize>(gram: &[[f64; N]; N], target: &[f64; N], is_free: &[bool; N]) -> Option<[f64; N]> {
    let free: Vec<usize> = (0..N).filter(|at| is_free[*at]).collect();
    let mut lower = [[0.0; N]; N];
    for (row, at) in free.iter().enumerate() {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
            let rest = gram[*at][free[column]] - known;
            if row == column {
                if rest <= COLLINEAR * gram[*at][*at] {
                    return None;
                }
                lower[row][column] = rest.sqrt();
            } else {
                lower[row][column] = rest / lower[column][column];
            }
        }
    }
    let mut y = [0.0; N];
    for (row, at) in free.iter().enumerate() {
        let known: f64 = (0..row).map(|k| lower[row][k] * y[k]).sum();
        y[row] = (target[*at] - known) / lower[row][row];
    }
    let mut x = [0.0; N];
    for row in (0..free.len()).rev() {
        let known: f64 = (row + 1..free.len()).map(|k| lower[k][row] * x[free[k]]).sum();
        x[free[row]] = (y[row] - known) / lower[row][row];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error<const N: usize>(rows: &[[f64; N]], right: &[f64], x: &[f64; N]) -> f64 {
        let row_error = |(row, right): (&[f64; N], &f64)| {
            (row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() - right).powi(2)
        };
        rows.iter().zip(right).map(row_error).sum()
    }

    #[test]
    fn exact_data_give_the_exact_solution() {
        let rows = [[1.0, 0.0, 5.0], [1.0, 2.0, 0.0], [1.0, 2.0, 1_000.0], [3.0, 1.0, 1.0]];
        let right = rows.map(|[a, b, c]| 0.5 * a + 2.0 * b + 1e-3 * c);
        let x = non_negative(&rows, &right);
        for (x, expected) in x.into_iter().zip([0.5, 2.0, 1e-3]) {
            assert!((x / expected - 1.0).abs() < 1e-9, "{x}, not {expected}");
        }
    }

    #[test]
    fn what_would_be_negative_is_zero_and_the_others_make_the_best_of_it() {
        // Without the bound the second would be -1.
        let rows = [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]];
        let x = non_negative(&rows, &[3.0, 2.0, 1.0]);
        assert_eq!(x[1], 0.0);
        assert!((x[0] - 2.0).abs() < 1e-12, "{x:?}");
    }

    #[test]
    fn columns_that_are_mixtures_of_others_explain_as_much_together() {
        let rows: Vec<[f64; 4]> = (1..20).map(f64::from).map(|n| [1.0, n, 2.0 * n, 1.0 + n]).collect();
        let right: Vec<f64> = (1..20).map(f64::from).map(|n| 3.0 + 4.0 * n).collect();
        let x = non_negative(&rows, &right);
        assert!(error(&rows, &right, &x) < 1e-12, "{x:?}");
        assert!(x.iter().all(|x| *x >= 0.0), "{x:?}");
    }

    #[test]
    fn an_unknown_that_no_equation_has_is_zero() {
        assert_eq!(non_negative(&[[2.0, 0.0]], &[4.0]), [2.0, 0.0]);
        assert_eq!(non_negative::<2>(&[], &[]), [0.0, 0.0]);
    }

    /// At the least no unknown can be changed a little, up or if it may down, for the better.
    #[test]
    fn nothing_nearby_is_better() {
        let seed = 3;
        let mut random = fastrand::Rng::with_seed(seed);
        for case in 0..200 {
            let rows: Vec<[f64; 6]> =
                (0..12).map(|_| std::array::from_fn(|at| random.f64() * 10_f64.powi(at as i32))).collect();
            let right: Vec<f64> = (0..12).map(|_| random.f64() * 100.0).collect();
            let x = non_negative(&rows, &right);
            let least = error(&rows, &right, &x);
            for at in 0..6 {
                for change in [1e-4, -1e-4] {
                    let mut other = x;
                    other[at] = (x[at] + change * 10_f64.powi(-(at as i32))).max(0.0);
                    assert!(
                        error(&rows, &right, &other) >= least * (1.0 - 1e-9),
                        "seed {seed} case {case}: {x:?} is not the least"
                    );
                }
            }
        }
    }
}
