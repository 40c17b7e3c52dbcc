//! Fitness and survival.

/// Equation (7): from 1 for no cost down to 0.
pub fn fitness(alpha: f64, cost: f64) -> f64 {
    (-alpha * cost).exp()
}

/// Equation (8): draws so many survivors, each in proportion to its fitness, as positions. Where all fitness is 0, all
/// have the same chance.
pub fn proportional(fitness: &[f64], survivors: usize, random: &mut fastrand::Rng) -> Vec<usize> {
    let sum: f64 = fitness.iter().sum();
    let is_usable = sum > 0.0 && sum.is_finite();
    let mut draw = || {
        if !is_usable {
            return random.usize(0..fitness.len());
        }
        let mut left = random.f64() * sum;
        for (position, share) in fitness.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return position;
            }
        }
        fitness.len() - 1
    };
    if fitness.is_empty() { Vec::new() } else { (0..survivors).map(|_| draw()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_one_without_cost_and_falls_with_it() {
        assert_eq!(fitness(3.0, 0.0), 1.0);
        assert!((fitness(2.0, 0.5) - 1.0 / std::f64::consts::E).abs() < 1e-12);
        assert!(fitness(2.0, 0.6) < fitness(2.0, 0.5));
    }

    #[test]
    fn survival_is_in_proportion_to_fitness() {
        let seed = 1;
        let mut random = fastrand::Rng::with_seed(seed);
        let drawn = proportional(&[0.1, 0.0, 0.3], 40_000, &mut random);
        let share = |position: usize| {
            drawn.iter().filter(|drawn| **drawn == position).count() as f64 / drawn.len() as f64
        };
        assert!(
            (share(0) - 0.25).abs() < 0.01 && share(1) == 0.0 && (share(2) - 0.75).abs() < 0.01,
            "seed {seed}"
        );
    }

    #[test]
    fn all_have_a_chance_when_no_one_is_fit() {
        let mut random = fastrand::Rng::with_seed(2);
        let drawn = proportional(&[0.0, 0.0], 100, &mut random);
        assert!(drawn.contains(&0) && drawn.contains(&1));
        assert!(proportional(&[], 3, &mut random).is_empty());
    }
}
