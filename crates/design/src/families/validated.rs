//! A method with several sets of parameters, among which queries decide that it did not learn from.

use super::{ColumnSet, Evaluator, Method, Outcome, Problem};

/// One method with several sets of parameters.
pub struct Validated {
    /// The method with each set, and the set in words. The first is what is used when nothing speaks for another.
    pub sets: Vec<(String, Box<dyn Method>)>,
    /// The same table with the queries of the validation part.
    pub validation: Problem,
}

impl Method for Validated {
    fn name(&self) -> &'static str {
        self.sets.first().map_or("", |(_, method)| method.name())
    }

    fn origin(&self) -> &'static str {
        self.sets.first().map_or("", |(_, method)| method.origin())
    }

    fn run(&self, evaluator: &Evaluator<'_>, seed: u64) -> Outcome {
        let mut best: Option<(f64, &str, Outcome)> = None;
        for (words, method) in &self.sets {
            let outcome = method.run(evaluator, seed);
            let validated =
                outcome.families.as_ref().map_or(f64::INFINITY, |families| self.cost(evaluator, families));
            if best.as_ref().is_none_or(|(least, ..)| validated < *least) {
                best = Some((validated, words, outcome));
            }
        }
        let Some((_, words, mut outcome)) = best else { return Outcome::default() };
        let sets = self.sets.len();
        outcome.notes.push(format!("of {sets} parameter sets the validation part of the log chose {words}"));
        outcome
    }
}

impl Validated {
    fn cost(&self, evaluator: &Evaluator<'_>, families: &[ColumnSet]) -> f64 {
        evaluator.count(1);
        evaluator.model().of(&self.validation, families)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::cost::disk::Disk;
    use crate::families::{Access, Ask, Column};

    /// A method that always says the same.
    struct Says(Vec<ColumnSet>);

    impl Method for Says {
        fn name(&self) -> &'static str {
            "says"
        }

        fn origin(&self) -> &'static str {
            "a test"
        }

        fn run(&self, _: &Evaluator<'_>, _: u64) -> Outcome {
            Outcome { families: Some(self.0.clone()), ..Outcome::default() }
        }
    }

    fn problem(reads: &[usize]) -> Problem {
        let column = |name: &str| Column { name: name.to_owned(), bytes: 100.0, filled: 1.0 };
        let columns = reads.iter().copied().collect();
        let ask = Ask { name: "q".into(), access: Access::Scan, columns, rows: 1e6, rate: 1.0 };
        Problem {
            rows: 1_000_000,
            columns: ["a", "b"].map(column).into(),
            asks: vec![ask],
            ..Problem::default()
        }
    }

    #[test]
    fn the_validation_part_decides_not_the_training_part() {
        let (training, validation) = (problem(&[0, 1]), problem(&[0]));
        let set = |words: &str, families| (words.to_owned(), Box::new(Says(families)) as Box<dyn Method>);
        let sets = vec![set("together", training.one_family()), set("apart", training.each_alone())];
        let method = Validated { sets, validation };
        let disk = Disk::default();
        let evaluator = Evaluator::new(&training, &disk, None);
        let outcome = method.run(&evaluator, 1);
        assert_eq!(outcome.families, Some(training.each_alone()));
        assert_eq!(outcome.notes, ["of 2 parameter sets the validation part of the log chose apart"]);
        assert_eq!((method.name(), evaluator.evaluations()), ("says", 2));
    }
}
