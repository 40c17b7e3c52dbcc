//! Quantiles, by linear interpolation between the two values around the place (definition 7 of Hyndman and Fan, "Sample
//! quantiles in statistical packages", 1996; what R and numpy do by default).

/// The values in rising order.
pub fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The value below which this share (0 to 1) of the sorted values lies; `None` of nothing.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let below = *sorted.get(place.floor() as usize)?;
    let above = *sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// The smallest of the sorted values, 1 %, 2 %, … and the largest, 101 in all; empty of nothing.
pub fn percentiles(sorted: &[f64]) -> Vec<f64> {
    (0..=100).filter_map(|percent| quantile(sorted, f64::from(percent) / 100.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let values = sorted(vec![15.0, 50.0, 35.0, 20.0, 40.0]);
        // The textbook case of this definition: 40 % of {15, 20, 35, 40, 50} is 29.
        assert_eq!(quantile(&values, 0.4), Some(29.0));
        assert_eq!(quantile(&values, 0.5), Some(35.0));
        assert_eq!(
            [0.0, 1.0, -1.0, 2.0].map(|share| quantile(&values, share)),
            [15.0, 50.0, 15.0, 50.0].map(Some)
        );
        assert_eq!(quantile(&[7.0], 0.99), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn a_hundred_and_one_percentiles_span_all() {
        let values: Vec<f64> = (0..=200).map(f64::from).collect();
        let all = percentiles(&values);
        assert_eq!((all.len(), all[0], all[37], all[100]), (101, 0.0, 74.0, 200.0));
        assert!(percentiles(&[]).is_empty());
    }
}
