//! Requests per server over time, in slices whose width doubles when there would be too many.

use super::bucket::Service;

/// Slices are as narrow as this at first.
const FIRST_WIDTH_S: f64 = 0.001;
/// More slices than this are joined by two.
const MOST: usize = 512;

/// Requests per server and slice of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    width_s: f64,
    servers: Vec<Vec<f64>>,
}

impl Slices {
    pub(super) fn new(servers: usize) -> Self {
        Self { width_s: FIRST_WIDTH_S, servers: vec![Vec::new(); servers] }
    }

    pub(super) fn add_server(&mut self) {
        self.servers.push(Vec::new());
    }

    /// Requests of a server that are served evenly over a time.
    pub(super) fn add(&mut self, server: usize, requests: u64, service: Service) {
        while service.ready_s / self.width_s >= MOST as f64 {
            self.widen();
        }
        let Some(slices) = self.servers.get_mut(server) else { return };
        let (first, last) = (service.begins_s / self.width_s, service.ready_s / self.width_s);
        let last_slice = last as usize;
        if slices.len() <= last_slice {
            slices.resize(last_slice + 1, 0.0);
        }
        let (requests, length) = (requests as f64, last - first);
        for (index, slice) in slices.iter_mut().enumerate().skip(first as usize) {
            let (begin, end) = (index as f64, index as f64 + 1.0);
            let share = if length > 0.0 { (last.min(end) - first.max(begin)) / length } else { 1.0 };
            if share <= 0.0 {
                break;
            }
            *slice += requests * share;
        }
    }

    fn widen(&mut self) {
        self.width_s *= 2.0;
        for slices in &mut self.servers {
            *slices = slices.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
    }

    /// Requests a second of each server in so many equal slices of the first `seconds`.
    pub fn rates(&self, seconds: f64, slices: usize) -> Vec<Vec<f64>> {
        let width_s = seconds / slices.max(1) as f64;
        self.servers.iter().map(|counts| self.resampled(counts, width_s, slices)).collect()
    }

    fn resampled(&self, counts: &[f64], width_s: f64, slices: usize) -> Vec<f64> {
        let mut rates = vec![0.0; slices];
        let last = slices.saturating_sub(1);
        if !(width_s > 0.0 && width_s.is_finite()) {
            return rates;
        }
        for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            // What lies beyond the end belongs to the last slice.
            let end_s = ((index + 1) as f64 * self.width_s).min(slices as f64 * width_s);
            let begin_s = (index as f64 * self.width_s).min(end_s);
            let slot_of = |time_s: f64| ((time_s / width_s) as usize).min(last);
            let (first_slot, last_slot) = (slot_of(begin_s), slot_of(end_s));
            for (slot, rate) in rates.iter_mut().enumerate().take(last_slot + 1).skip(first_slot) {
                let share = if first_slot == last_slot {
                    1.0
                } else {
                    let (low_s, high_s) = (slot as f64 * width_s, (slot + 1) as f64 * width_s);
                    (end_s.min(high_s) - begin_s.max(low_s)).max(0.0) / (end_s - begin_s)
                };
                *rate += count * share / width_s;
            }
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(rates: &[Vec<f64>], width_s: f64) -> f64 {
        rates.iter().flatten().sum::<f64>() * width_s
    }

    #[test]
    fn requests_lie_where_they_are_served() {
        let mut slices = Slices::new(2);
        slices.add(0, 100, Service { begins_s: 0.0, ready_s: 5.0 });
        slices.add(1, 50, Service { begins_s: 5.0, ready_s: 10.0 });
        let rates = slices.rates(10.0, 10);
        for (slot, (one, two)) in rates[0].iter().zip(&rates[1]).enumerate() {
            let expected = if slot < 5 { (20.0, 0.0) } else { (0.0, 10.0) };
            assert!((one - expected.0).abs() < 1.0 && (two - expected.1).abs() < 1.0, "{slot}: {one} {two}");
        }
        assert!((total(&rates, 1.0) - 150.0).abs() < 1e-6);
    }

    #[test]
    fn no_request_is_lost_when_slices_widen_or_time_is_cut() {
        let mut slices = Slices::new(1);
        for second in 0..1_000 {
            let begins_s = f64::from(second) * 1.37;
            slices.add(0, 7, Service { begins_s, ready_s: begins_s + 0.4 });
        }
        for (seconds, count) in [(1_370.0, 40), (1_370.0, 1), (1_000.0, 33), (2_000.0, 64)] {
            let rates = slices.rates(seconds, count);
            assert!((total(&rates, seconds / count as f64) - 7_000.0).abs() < 1e-3, "{seconds} {count}");
        }
        assert_eq!(slices.rates(0.0, 3), [vec![0.0; 3]]);
        assert!(slices.servers[0].len() <= MOST);
    }
}
