//! The line through points, by least squares.

/// `y = slope · x + start`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// How much `y` grows with `x`.
    pub slope: f64,
    /// `y` where `x` is 0.
    pub start: f64,
}

/// The line with the least squared distances in `y`; none where all `x` are alike.
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    let count = points.len() as f64;
    let (x_mean, y_mean) = (
        points.iter().map(|(x, _)| x).sum::<f64>() / count,
        points.iter().map(|(_, y)| y).sum::<f64>() / count,
    );
    let spread: f64 = points.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    let product: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let slope = product / spread;
    (slope.is_finite() && points.len() > 1).then_some(Line { slope, start: y_mean - slope * x_mean })
}

impl Line {
    /// Its value at a place.
    pub fn at(&self, x: f64) -> f64 {
        self.start + self.slope * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_give_the_line() {
        assert_eq!(line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), Some(Line { slope: 2.0, start: 1.0 }));
    }

    #[test]
    fn points_above_each_other_have_none() {
        assert_eq!(line(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(line(&[(1.0, 1.0)]), None);
        assert_eq!(line(&[]), None);
    }
}
