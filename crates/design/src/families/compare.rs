//! Runs methods on one problem and sets their answers side by side.

use std::time::{Duration, Instant};

use super::{ColumnSet, Cost, Evaluator, Method, Problem};

/// Costs that differ by less than this share are one: sums in another order differ in their last digits.
const SAME: f64 = 1e-9;

/// What methods found for one problem.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The answers, in the order in which the methods were given.
    pub answers: Vec<Answer>,
    /// Methods that have no answer here, and why.
    pub without: Vec<(&'static str, String)>,
    /// Nothing can cost less than this, as far as any method knows.
    pub bound: Option<f64>,
}

/// What one method found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The method.
    pub method: &'static str,
    /// Its grouping, families sorted by their first column.
    pub families: Vec<ColumnSet>,
    /// What that costs.
    pub cost: f64,
    /// Whether it has as many families as the problem's limit allows. The present schema need not.
    pub within_limit: bool,
    /// Whether it is known that nothing costs less, by this method's proof or another's.
    pub proven_optimal: bool,
    /// How long the method took.
    pub took: Duration,
    /// How many groupings it asked the cost of.
    pub evaluations: u64,
    /// Whether its time ran out.
    pub out_of_time: bool,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The best cost after so many evaluations.
    pub convergence: Vec<(u64, f64)>,
}

/// How methods run.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long each method may take.
    pub time: Duration,
    /// What everything random is made from.
    pub seed: u64,
}

/// Runs each method; `begins` hears which one is next.
pub fn compare(
    problem: &Problem,
    cost: &dyn Cost,
    methods: &[Box<dyn Method>],
    terms: Terms,
    begins: &mut dyn FnMut(&'static str),
) -> Comparison {
    let mut comparison = Comparison::default();
    for method in methods {
        begins(method.name());
        let begun = Instant::now();
        let evaluator = Evaluator::new(problem, cost, Some(begun + terms.time));
        let outcome = method.run(&evaluator, terms.seed);
        let took = begun.elapsed();
        comparison.bound = larger(comparison.bound, outcome.bound);
        let Some(mut families) = outcome.families else {
            comparison.without.push((method.name(), outcome.notes.join("; ")));
            continue;
        };
        families.sort_by_key(|family| family.iter().next());
        comparison.answers.push(Answer {
            method: method.name(),
            cost: cost.of(problem, &families),
            within_limit: problem.allows(&families),
            families,
            proven_optimal: false,
            took,
            evaluations: evaluator.evaluations(),
            out_of_time: outcome.out_of_time,
            notes: outcome.notes,
            convergence: outcome.convergence,
        });
    }
    if let Some(bound) = comparison.bound {
        for answer in &mut comparison.answers {
            answer.proven_optimal = answer.within_limit && answer.cost <= bound + SAME * bound.abs();
        }
    }
    comparison
}

impl Comparison {
    /// The answer within the limit that costs least; of equal ones the one with fewer families, then the first. Baselines count too: where
    /// nothing is gained, one family is the best design.
    pub fn best(&self) -> Option<&Answer> {
        let allowed = self.answers.iter().filter(|answer| answer.within_limit);
        allowed.reduce(|best, answer| if is_better(answer, best) { answer } else { best })
    }

    /// By how much an answer may be dearer than the optimum: 0.02 is 2 %.
    pub fn gap(&self, answer: &Answer) -> Option<f64> {
        if answer.proven_optimal {
            return Some(0.0);
        }
        self.bound.filter(|bound| *bound > 0.0).map(|bound| answer.cost / bound - 1.0)
    }
}

fn is_better(answer: &Answer, than: &Answer) -> bool {
    let same = (answer.cost - than.cost).abs() <= SAME * than.cost.abs();
    if same { answer.families.len() < than.families.len() } else { answer.cost < than.cost }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (known, None) | (None, known) => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::cost::disk::Disk;
    use crate::families::{Access, Ask, Column, Outcome};

    /// A method that gives what it was told to give.
    struct Says(&'static str, Option<Vec<&'static [usize]>>, Option<f64>);

    impl Method for Says {
        fn name(&self) -> &'static str {
            self.0
        }

        fn origin(&self) -> &'static str {
            "a test"
        }

        fn run(&self, _: &Evaluator<'_>, _: u64) -> Outcome {
            let family = |columns: &&[usize]| columns.iter().copied().collect();
            let families = self.1.as_ref().map(|families| families.iter().map(family).collect());
            Outcome { families, bound: self.2, notes: vec!["so it is".to_owned()], ..Outcome::default() }
        }
    }

    fn problem() -> Problem {
        let column = |name: &str| Column { name: name.to_owned(), bytes: 100.0, filled: 1.0 };
        let columns = ColumnSet::from_iter([0]);
        let ask = Ask { name: "q".into(), access: Access::Scan, columns, rows: 1e6, rate: 1.0 };
        Problem {
            rows: 1_000_000,
            columns: ["a", "b"].map(column).into(),
            asks: vec![ask],
            ..Problem::default()
        }
    }

    fn run(methods: Vec<Says>) -> Comparison {
        let methods: Vec<Box<dyn Method>> = methods.into_iter().map(|method| Box::new(method) as _).collect();
        let terms = Terms { time: Duration::from_secs(1), seed: 1 };
        compare(&problem(), &Disk::default(), &methods, terms, &mut |_| ())
    }

    #[test]
    fn the_cheapest_is_the_best_and_shows_what_it_leaves_open() {
        let apart = Disk::default().of(&problem(), &problem().each_alone());
        let comparison = run(vec![
            Says("together", Some(vec![&[0, 1]]), None),
            Says("apart", Some(vec![&[1], &[0]]), Some(apart)),
            Says("silent", None, None),
        ]);
        let best = comparison.best().unwrap();
        assert_eq!((best.method, best.proven_optimal, comparison.gap(best)), ("apart", true, Some(0.0)));
        assert_eq!(best.families, problem().each_alone(), "families are in the order of their columns");
        let together = &comparison.answers[0];
        assert!(!together.proven_optimal && comparison.gap(together).unwrap() > 0.9);
        assert_eq!(comparison.without, [("silent", "so it is".to_owned())]);
    }

    #[test]
    fn what_has_too_many_families_is_not_the_best() {
        let mut problem = problem();
        problem.limit = crate::families::FamilyLimit::AtMost(1);
        let says = |name, families| Box::new(Says(name, Some(families), None)) as Box<dyn Method>;
        let methods = vec![says("apart", vec![&[0], &[1]]), says("together", vec![&[0, 1]])];
        let terms = Terms { time: Duration::from_secs(1), seed: 1 };
        let comparison = compare(&problem, &Disk::default(), &methods, terms, &mut |_| ());
        assert!(comparison.answers[0].cost < comparison.answers[1].cost);
        assert_eq!(comparison.best().unwrap().method, "together");
    }

    #[test]
    fn of_equal_costs_fewer_families_win() {
        let mut two = problem();
        two.asks.clear();
        let methods: Vec<Box<dyn Method>> = vec![
            Box::new(Says("apart", Some(vec![&[0], &[1]]), None)),
            Box::new(Says("together", Some(vec![&[0, 1]]), None)),
        ];
        let terms = Terms { time: Duration::from_secs(1), seed: 1 };
        let comparison = compare(&two, &Disk::default(), &methods, terms, &mut |_| ());
        assert_eq!(comparison.best().unwrap().method, "together");
        assert_eq!(comparison.gap(comparison.best().unwrap()), None, "nobody gave a bound");
    }
}
