//! What servers had done up to some moments of a load.

/// Requests of each server up to each of some moments.
#[derive(Clone, Debug)]
pub struct Samples {
    servers: usize,
    taken: Vec<(f64, Vec<u64>)>,
}

impl Samples {
    /// No samples yet of so many servers.
    pub fn new(servers: usize) -> Self {
        Self { servers, taken: Vec::new() }
    }

    /// Adds up what regions had to do by their servers.
    pub fn by_server(&self, server_of_region: &[usize], of_region: &[u64]) -> Vec<u64> {
        let mut sums = vec![0; self.servers];
        for (server, requests) in server_of_region.iter().zip(of_region) {
            if let Some(sum) = sums.get_mut(*server) {
                *sum += requests;
            }
        }
        sums
    }

    /// Adds what each server had done at a time.
    pub fn add(&mut self, at_s: f64, requests: Vec<u64>) {
        self.taken.push((at_s, requests));
    }

    /// Requests a second of each server in so many slices of the load.
    pub fn rates(&self, load_s: f64, slices: usize) -> Vec<Vec<f64>> {
        let width_s = load_s / slices.max(1) as f64;
        let done_at = |server, slice: usize| self.done_until(server, slice as f64 * width_s);
        let rate = |server, slice| {
            let done: f64 = done_at(server, slice + 1) - done_at(server, slice);
            if width_s > 0.0 { done.max(0.0) / width_s } else { 0.0 }
        };
        (0..self.servers).map(|server| (0..slices).map(|slice| rate(server, slice)).collect()).collect()
    }

    /// What a server had done at a time: between two samples it worked evenly.
    fn done_until(&self, server: usize, time_s: f64) -> f64 {
        let mut before = (0.0, 0.0);
        for (at_s, requests) in &self.taken {
            let now = (*at_s, requests.get(server).copied().unwrap_or_default() as f64);
            if now.0 >= time_s {
                let length_s = now.0 - before.0;
                let share = if length_s > 0.0 { (time_s - before.0) / length_s } else { 1.0 };
                return before.1 + (now.1 - before.1) * share;
            }
            before = now;
        }
        before.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_between_samples() {
        let mut samples = Samples::new(2);
        samples.add(1.0, vec![10, 0]);
        samples.add(2.0, vec![10, 40]);
        assert_eq!(samples.rates(2.0, 4), [[10.0, 10.0, 0.0, 0.0], [0.0, 0.0, 40.0, 40.0]]);
        assert_eq!(samples.rates(0.0, 1), [[0.0], [0.0]]);
    }

    #[test]
    fn regions_add_up_by_server() {
        assert_eq!(Samples::new(3).by_server(&[0, 1, 0, 9], &[1, 2, 3, 4]), [4, 2, 0]);
    }
}
