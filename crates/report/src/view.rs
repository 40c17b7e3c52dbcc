//! The evidence as all sections look at it: designs in one order, each with one colour.

use std::collections::HashMap;

use tablesmith_model::evidence::{Evidence, MeasuredDesign, Pair};

use crate::orient::faster_first;
use crate::svg::theme;

/// More designs than this have no colours of their own, but for the fastest.
const MOST_COLOURS: usize = 7;

/// The evidence, and its designs with the fastest first.
pub struct View<'a> {
    /// All of it.
    pub evidence: &'a Evidence,
    /// Its designs, fastest first; those without a mean last.
    pub designs: Vec<Shown<'a>>,
    classes: HashMap<&'a str, &'static str>,
}

/// A design and the class that colours it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The design.
    pub design: &'a MeasuredDesign,
    /// Its class.
    pub class: &'static str,
}

impl<'a> View<'a> {
    /// Looks at evidence.
    pub fn of(evidence: &'a Evidence) -> Self {
        let mut designs: Vec<&MeasuredDesign> = evidence.designs.iter().collect();
        let mean = |design: &MeasuredDesign| {
            let mean = design.reads.mean_ms;
            if design.reads.queries == 0 || mean.is_nan() { f64::INFINITY } else { mean }
        };
        designs.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
        let has_colours = designs.len() <= MOST_COLOURS;
        let designs: Vec<Shown<'a>> = designs
            .into_iter()
            .enumerate()
            .map(|(index, design)| {
                let class = if has_colours || index == 0 { theme::series(index) } else { theme::PLAIN };
                Shown { design, class }
            })
            .collect();
        let classes = designs.iter().map(|shown| (shown.design.name.as_str(), shown.class)).collect();
        Self { evidence, designs, classes }
    }

    /// Whether it is not about designs at all, but about loads or other figures.
    pub fn is_without_designs(&self) -> bool {
        self.designs.is_empty() && !(self.evidence.heat.is_empty() && self.evidence.figures.is_empty())
    }

    /// The class of a design by name.
    pub fn class(&self, design: &str) -> &'static str {
        self.classes.get(design).copied().unwrap_or(theme::PLAIN)
    }

    /// Designs with measured reads.
    pub fn measured(&self) -> impl Iterator<Item = &Shown<'a>> {
        self.designs.iter().filter(|shown| shown.design.reads.queries > 0)
    }

    /// At most so many pairs, each with its faster design first; those of the fastest design of all come first, for they
    /// are what one wants to know.
    pub fn pairs(&self, most: usize) -> Vec<Pair> {
        let fastest = self.designs.first().map(|shown| shown.design.name.as_str());
        let is_first = |pair: &&Pair| Some(pair.a.as_str()) == fastest || Some(pair.b.as_str()) == fastest;
        let all = &self.evidence.pairs;
        let rest = all.iter().filter(|pair| !is_first(pair));
        all.iter().filter(is_first).chain(rest).take(most).map(faster_first).collect()
    }
}

/// Whether the 95 % interval tells that the first design is faster: 0 is not in it.
pub fn is_told(pair: &Pair) -> bool {
    pair.low > 0.0 && pair.high.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::Summary;

    fn design(name: &str, mean_ms: f64) -> MeasuredDesign {
        let reads = Summary { queries: 5, mean_ms, ..Summary::default() };
        MeasuredDesign { name: name.into(), reads, ..MeasuredDesign::default() }
    }

    #[test]
    fn the_fastest_comes_first_and_what_has_no_mean_last() {
        let designs = vec![design("none", f64::NAN), design("slow", 9.0), design("fast", 1.0)];
        let evidence = Evidence { designs, ..Evidence::default() };
        let view = View::of(&evidence);
        let names: Vec<&str> = view.designs.iter().map(|shown| shown.design.name.as_str()).collect();
        assert_eq!(names, ["fast", "slow", "none"]);
        assert_eq!((view.class("fast"), view.class("unknown")), ("s0", theme::PLAIN));
    }

    #[test]
    fn of_many_pairs_those_of_the_fastest_are_kept() {
        let pair = |a: &str, b: &str| Pair { a: a.into(), b: b.into(), ..Pair::default() };
        let evidence = Evidence {
            designs: vec![design("x", 2.0), design("best", 1.0)],
            pairs: vec![pair("x", "y"), pair("y", "best")],
            ..Evidence::default()
        };
        assert_eq!(View::of(&evidence).pairs(1).first().unwrap().b, "best");
        assert_eq!(View::of(&evidence).pairs(9).len(), 2);
    }

    #[test]
    fn an_interval_with_zero_in_it_says_nothing() {
        let pair = |low, high| Pair { low, high, ..Pair::default() };
        let told = [pair(1.0, 2.0), pair(-1.0, 1.0), pair(f64::NAN, 1.0), pair(1.0, f64::INFINITY)];
        assert_eq!(told.each_ref().map(is_told), [true, false, false, false]);
    }
}
