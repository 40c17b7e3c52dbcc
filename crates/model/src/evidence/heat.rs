//! Load over time: which part of the keys, or which server, had how much of the work at each moment.

use serde::{Deserialize, Serialize};

/// Work by place and time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// What it is of: the name of a design or a key.
    pub name: String,
    /// What one line is, in the singular: `region`, `server`, `key range`.
    pub line: String,
    /// What one step along a line is: `slice of the write stream`, `10 s`.
    pub step: String,
    /// The places, in order.
    pub lines: Vec<HeatLine>,
}

/// One place of a heat map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatLine {
    /// Its name: where a key range begins, or a server.
    pub name: String,
    /// What it had to do at each step, in any unit that is the same for the whole map.
    pub loads: Vec<f64>,
}

impl HeatMap {
    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.lines.iter().map(|line| line.loads.len()).max().unwrap_or(0)
    }

    /// The load of each place at a step, beside what an even spread would give it: 1 is even, 0 is nothing to do. Steps
    /// where nobody had anything to do give 0.
    pub fn times_even(&self, step: usize) -> impl Iterator<Item = f64> + '_ {
        let load = move |line: &HeatLine| line.loads.get(step).copied().filter(|load| load.is_finite());
        let all: f64 = self.lines.iter().filter_map(load).sum();
        let even = all / self.lines.len().max(1) as f64;
        self.lines
            .iter()
            .map(move |line| if even > 0.0 { load(line).unwrap_or(0.0).max(0.0) / even } else { 0.0 })
    }

    /// The same with at most so many lines and steps: neighbours share a line, which has their mean.
    pub fn smaller(&self, most_lines: usize, most_steps: usize) -> Self {
        let together = |count: usize, most: usize| count.div_ceil(most.max(1)).max(1);
        let lines_each = together(self.lines.len(), most_lines);
        let steps_each = together(self.steps(), most_steps);
        let lines = self.lines.chunks(lines_each).map(|lines| {
            let steps = (0..self.steps()).step_by(steps_each).map(|first| {
                let of_line = |line: &HeatLine| {
                    line.loads
                        .iter()
                        .skip(first)
                        .take(steps_each)
                        .filter(|load| load.is_finite())
                        .sum::<f64>()
                };
                lines.iter().map(of_line).sum::<f64>() / lines.len() as f64
            });
            HeatLine {
                name: lines.first().map(|line| line.name.clone()).unwrap_or_default(),
                loads: steps.collect(),
            }
        });
        let (name, line, step) = (self.name.clone(), self.line.clone(), self.step.clone());
        Self { name, line, step, lines: lines.collect() }
    }

    /// The greatest load of a place beside the even one, over all steps in which there was something to do.
    pub fn hottest(&self) -> f64 {
        (0..self.steps()).flat_map(|step| self.times_even(step)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(lines: &[&[f64]]) -> HeatMap {
        let line = |loads: &&[f64]| HeatLine { name: String::new(), loads: loads.to_vec() };
        HeatMap { lines: lines.iter().map(line).collect(), ..HeatMap::default() }
    }

    #[test]
    fn an_even_load_is_one_everywhere_and_a_lone_one_is_the_number_of_places() {
        let map = map(&[&[5.0, 8.0, 0.0], &[5.0, 0.0, 0.0]]);
        let times: Vec<Vec<f64>> = (0..3).map(|step| map.times_even(step).collect()).collect();
        assert_eq!(times, [[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]]);
        assert_eq!(map.hottest(), 2.0);
    }

    #[test]
    fn lines_that_share_one_have_their_mean() {
        let map = map(&[&[1.0, 2.0, 3.0], &[4.0, 5.0, f64::NAN], &[7.0, 8.0, 9.0]]);
        let small = map.smaller(2, 2);
        let loads: Vec<Vec<f64>> = small.lines.into_iter().map(|line| line.loads).collect();
        assert_eq!(loads, [[6.0, 1.5], [15.0, 9.0]]);
        assert_eq!(map.smaller(0, 0).lines.len(), 1);
    }
}
