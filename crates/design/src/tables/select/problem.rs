//! Candidates with what keeping them costs, and demands with what each candidate makes of them.

/// A choice among candidates, which are known by their number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// What keeping each candidate costs.
    pub keeping: Vec<f64>,
    /// What has to be served.
    pub demands: Vec<Demand>,
    /// Of each of these sets at most one candidate may be kept.
    pub conflicts: Vec<Vec<usize>>,
}

/// Something that has to be served in one of several ways.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// It stands only when one of these is kept; always when there are none.
    pub when: Vec<usize>,
    /// The ways.
    pub alternatives: Vec<Alternative>,
}

/// A way to serve a demand: one candidate for each slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// What has to be done, each by one candidate.
    pub slots: Vec<Slot>,
    /// The way is none when its slots together cost more.
    pub most: f64,
}

/// One thing that one of several candidates does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slot {
    /// The candidates that can.
    pub choices: Vec<Choice>,
}

/// A candidate with what it takes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The candidate.
    pub candidate: usize,
    /// What it costs.
    pub cost: f64,
}

/// How a demand is served.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// Which alternative.
    pub alternative: usize,
    /// The candidate of each slot.
    pub candidates: Vec<usize>,
    /// What that costs.
    pub cost: f64,
}

impl Demand {
    /// Whether it stands when these candidates are kept.
    pub fn stands(&self, kept: &[bool]) -> bool {
        self.when.is_empty() || self.when.iter().any(|candidate| is(kept, *candidate))
    }

    /// What the cheapest way with these candidates costs; infinite when there is none.
    pub fn cost(&self, kept: &[bool]) -> f64 {
        let way = |way: &Alternative| {
            let cost: f64 =
                way.slots.iter().map(|slot| slot.cheapest(kept).map_or(f64::INFINITY, |one| one.cost)).sum();
            if cost <= way.most { cost } else { f64::INFINITY }
        };
        self.alternatives.iter().map(way).fold(f64::INFINITY, f64::min)
    }

    /// The cheapest way with these candidates; `None` when there is none.
    pub fn served(&self, kept: &[bool]) -> Option<Served> {
        let ways = self.alternatives.iter().enumerate();
        let served = ways.filter_map(|(alternative, way)| {
            let chosen: Option<Vec<Choice>> = way.slots.iter().map(|slot| slot.cheapest(kept)).collect();
            let chosen = chosen?;
            let cost: f64 = chosen.iter().map(|choice| choice.cost).sum();
            let candidates = chosen.iter().map(|choice| choice.candidate).collect();
            (cost <= way.most).then_some(Served { alternative, candidates, cost })
        });
        served.min_by(|one, two| one.cost.total_cmp(&two.cost))
    }
}

impl Slot {
    fn cheapest(&self, kept: &[bool]) -> Option<Choice> {
        let there = self.choices.iter().filter(|choice| is(kept, choice.candidate));
        there.copied().min_by(|one, two| one.cost.total_cmp(&two.cost))
    }
}

impl Problem {
    /// What a set of candidates costs: keeping them and serving all that stands; infinite when it serves not all.
    pub fn cost(&self, kept: &[bool]) -> f64 {
        let too_many =
            |conflict: &Vec<usize>| conflict.iter().filter(|candidate| is(kept, **candidate)).count() > 1;
        if self.conflicts.iter().any(too_many) {
            return f64::INFINITY;
        }
        let keeping: f64 =
            self.keeping.iter().zip(kept).filter(|(_, is_kept)| **is_kept).map(|(cost, _)| cost).sum();
        let standing = self.demands.iter().filter(|demand| demand.stands(kept));
        keeping + standing.map(|demand| demand.cost(kept)).sum::<f64>()
    }

    /// The demands that no set of candidates can serve, even if all were kept.
    pub fn hopeless(&self) -> Vec<usize> {
        let all = vec![true; self.keeping.len()];
        let always = self.demands.iter().enumerate().filter(|(_, demand)| demand.when.is_empty());
        always.filter(|(_, demand)| demand.served(&all).is_none()).map(|(place, _)| place).collect()
    }
}

pub(super) fn is(kept: &[bool], candidate: usize) -> bool {
    kept.get(candidate).copied().unwrap_or(false)
}
