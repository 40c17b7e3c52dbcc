//! Which methods run, and how they are set.

use std::str::FromStr;

use clap::Args;
use tablesmith_design::families::cost::paper::{Paper, Weights};
use tablesmith_design::families::{evolve, evolve_plus, registry};

use tablesmith_app::AppError;

/// What runs when no method is named: what there is, what is found, and whether it is the best.
const USUAL: [&str; 4] = ["one", "current", registry::DEFAULT, "exact"];

/// A method by name, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodChoice(String);

impl FromStr for MethodChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = registry::names();
        if name == "all" || names.contains(&name) {
            return Ok(Self(name.to_owned()));
        }
        Err(format!("there is no such method; there are {}, and `all`", names.join(", ")))
    }
}

impl MethodChoice {
    /// The names of the methods that were chosen, each once, in the order of the registry.
    pub fn names(chosen: &[Self]) -> Vec<&'static str> {
        let is_chosen = |name: &&'static str| match chosen {
            [] => USUAL.contains(name),
            _ => chosen.iter().any(|choice| choice.0 == "all" || choice.0 == **name),
        };
        registry::names().into_iter().filter(is_chosen).collect()
    }
}

/// What can be set of the evolution and its cost. Everything has a default that works.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of evolve and of the cost `paper`")]
pub struct EvolutionArguments {
    /// The weights of equation (1): consume, skew, duplicate, scatter, load balance; their sum is 1
    #[arg(long, value_name = "W1,W2,W3,W4,W5", value_delimiter = ',', num_args = 5)]
    weights: Option<Vec<f64>>,
    /// m of the equations: the most families in the evolution. Without it the limit on families
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    m: Option<u32>,
    /// α of equation (7): how much a lower cost counts for survival
    #[arg(long, value_name = "ALPHA", value_parser = positive)]
    alpha: Option<f64>,
    /// Individuals in the population
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    population: Option<u32>,
    /// Generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    generations: Option<u32>,
    /// How often mutation, crossover, split-up, merge and cross-fertilisation act, each from 0 to 1
    #[arg(long, value_name = "R1,R2,R3,R4,R5", value_delimiter = ',', num_args = 5, value_parser = share)]
    rates: Option<Vec<f64>>,
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number > 0.0)
        .ok_or("expected a number above 0".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or("expected a number from 0 to 1".to_owned())
}

impl EvolutionArguments {
    /// The paper's cost as it was set.
    pub fn paper(&self) -> Result<Paper, AppError> {
        let mut paper = Paper { most: self.m.map(|most| most as usize), ..Paper::default() };
        if let Some(Ok(weights)) = self.weights.as_deref().map(<[f64; 5]>::try_from) {
            paper.weights = Weights::new(weights).map_err(|wrong| AppError::Weights(wrong.to_string()))?;
        }
        Ok(paper)
    }

    /// Whether the user set anything of the evolution itself.
    pub fn is_set(&self) -> bool {
        self.m.is_some()
            || self.alpha.is_some()
            || self.population.is_some()
            || self.generations.is_some()
            || self.rates.is_some()
    }

    /// The methods as they were set.
    pub fn settings(&self) -> registry::Settings {
        let usual = evolve::Parameters::default();
        let families_max = self.m.map(|most| most as usize);
        let rates = match self.rates.as_deref() {
            Some(&[mutation, crossover, split_up, merge, cross_fertilisation]) => {
                evolve::Rates { mutation, crossover, split_up, merge, cross_fertilisation }
            }
            _ => usual.rates,
        };
        let evolve = evolve::Parameters {
            families_max,
            alpha: self.alpha.unwrap_or(usual.alpha),
            population: self.population.map_or(usual.population, |number| number as usize),
            generations: self.generations.map_or(usual.generations, |number| number as usize),
            rates,
        };
        let evolve_plus = evolve_plus::Parameters { families_max, ..evolve_plus::Parameters::default() };
        registry::Settings { evolve, evolve_plus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_choice_there_is_an_answer_and_a_proof() {
        assert_eq!(MethodChoice::names(&[]), USUAL);
    }

    #[test]
    fn all_is_all_and_names_are_checked() {
        let chosen = |names: &[&str]| -> Result<Vec<MethodChoice>, String> {
            names.iter().map(|name| name.parse()).collect()
        };
        assert_eq!(MethodChoice::names(&chosen(&["all"]).unwrap()), registry::names());
        assert_eq!(MethodChoice::names(&chosen(&["exact", "one", "one"]).unwrap()), ["one", "exact"]);
        assert!(chosen(&["magic"]).unwrap_err().contains("hillclimb"));
    }
}
