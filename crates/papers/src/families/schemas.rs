//! The schemas that are measured: the five of the paper, ours, and others to test predictions on.

use std::time::Duration;

use tablesmith_design::families::compare::{Terms, compare};
use tablesmith_design::families::cost::paper::Paper;
use tablesmith_design::families::evolve::{Evolve, Individual, Parameters, Rules};
use tablesmith_design::families::validated::Validated;
use tablesmith_design::families::{ColumnSet, Cost, Evaluator, FamilyLimit, Method, Problem, registry};

use super::dear;

/// Families of the schema with a high cost, as many as the paper's larger schema has.
const DEAR_FAMILIES: usize = 5;
/// The fewest and the most families of a random schema.
const RANDOM_FAMILIES: std::ops::RangeInclusive<usize> = 1..=8;
/// In a random schema with copies, one of so many columns has a copy.
const COPIED_EVERY: usize = 6;
/// Rivals that group under the store's cost, to have schemas that are good in different ways.
const RIVALS: [&str; 6] = ["hillclimb", "autopart", "hyrise", "trojan", "navathe", "o2p"];

/// A schema with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The name that results print.
    pub name: String,
    /// How it was found, in words.
    pub origin: String,
    /// The families.
    pub families: Vec<ColumnSet>,
}

/// One table as the methods see it.
pub struct Problems {
    /// As the paper poses it: all columns are grouped.
    pub paper: Problem,
    /// The same with the queries of the validation part.
    pub paper_validation: Problem,
    /// As the store has it: columns of the key are in the row key.
    pub store: Problem,
}

/// How schemas are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// What everything random is made from.
    pub seed: u64,
    /// How long each method may take.
    pub time: Duration,
    /// Schemas in all; those of the paper and ours come first, then rivals, then random ones.
    pub schemas: usize,
}

/// The schemas. `begins` hears which one is looked for.
pub fn schemas(
    problems: &Problems,
    cost: &dyn Cost,
    search: &Search,
    begins: &mut dyn FnMut(&str),
) -> Vec<Schema> {
    let mut found = references(problems, search.seed);
    for (name, families) in [("s03", 3), ("s05", 5)] {
        begins(name);
        found.extend(evolved(problems, name, families, search));
    }
    for (name, families) in [("ours03", 3), ("ours05", 5)] {
        begins(name);
        let problem = Problem { limit: FamilyLimit::AtMost(families), ..problems.store.clone() };
        found.extend(by_method(&problem, cost, "evolve+", name.to_owned(), search));
    }
    for rival in RIVALS {
        for cap in [FamilyLimit::AtMost(4), FamilyLimit::AtMost(8)] {
            if found.len() >= search.schemas {
                return found;
            }
            begins(rival);
            let problem = Problem { limit: cap, ..problems.store.clone() };
            let name = format!("{rival}{:02}", cap.most(problem.columns.len()));
            found.extend(by_method(&problem, cost, rival, name, search));
        }
    }
    let missing = search.schemas.saturating_sub(found.len());
    found.extend(random(&problems.paper, missing, search.seed));
    found
}

fn references(problems: &Problems, seed: u64) -> Vec<Schema> {
    let problem = &problems.paper;
    let schema = |name: &str, origin: &str, families| Schema {
        name: name.to_owned(),
        origin: origin.to_owned(),
        families,
    };
    let mut found = vec![
        schema("ref01", "all columns in one family", problem.one_family()),
        schema(
            "ref02",
            "a schema of five families with a high cost by equation (1)",
            dear::grouping(problem, &Paper::default(), DEAR_FAMILIES, seed),
        ),
    ];
    found.extend(
        problem.current.clone().map(|families| schema("ref03", "columns divided by their meaning", families)),
    );
    found
}

/// The plain evolutionary algorithm with so many families; the validation part chooses among its parameter sets.
fn evolved(problems: &Problems, name: &str, families: usize, search: &Search) -> Option<Schema> {
    let limit = FamilyLimit::Exactly(families);
    let problem = Problem { limit, ..problems.paper.clone() };
    let set = |(words, parameters): (&str, Parameters)| {
        (words.to_owned(), Box::new(Evolve { parameters }) as Box<dyn Method>)
    };
    let method = Validated {
        sets: Parameters::default().sets().map(set).into(),
        validation: Problem { limit, ..problems.paper_validation.clone() },
    };
    let cost = Paper::default();
    let evaluator = Evaluator::new(&problem, &cost, Some(std::time::Instant::now() + search.time));
    let families = method.run(&evaluator, search.seed).families?;
    let origin = format!("the plain evolutionary algorithm, {} families, equation (1)", families.len());
    Some(Schema { name: name.to_owned(), origin, families })
}

fn by_method(
    problem: &Problem,
    cost: &dyn Cost,
    method: &str,
    name: String,
    search: &Search,
) -> Option<Schema> {
    let methods: Vec<_> = registry::by_name(method, &registry::Settings::default()).into_iter().collect();
    let terms = Terms { time: search.time, seed: search.seed };
    let comparison = compare(problem, cost, &methods, terms, &mut |_| ());
    let answer = comparison.answers.into_iter().next()?;
    let origin =
        format!("{method}, at most {} families, cost {}", problem.limit.most(usize::MAX), cost.name());
    Some(Schema { name, origin, families: answer.families })
}

/// Random groupings, every second one with copies of some columns.
fn random(problem: &Problem, count: usize, seed: u64) -> Vec<Schema> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut made = |index: usize| {
        let families = random.usize(RANDOM_FAMILIES);
        let rules = Rules {
            columns: problem.columns.len(),
            fewest: families,
            most: families,
            may_duplicate: index % 2 == 1,
        };
        let mut individual = Individual::random(&rules, &mut random);
        if rules.may_duplicate {
            for column in (0..rules.columns).step_by(COPIED_EVERY) {
                let family = random.usize(0..individual.chromosomes.len());
                individual.chromosomes.get_mut(family).into_iter().for_each(|genes| genes.push(column));
            }
            individual.repair(&rules, &mut random);
        }
        let name = format!("random{:02}", index + 1);
        Schema { name, origin: "made at random".to_owned(), families: individual.families() }
    };
    (0..count).map(&mut made).collect()
}
