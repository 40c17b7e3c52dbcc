//! An individual: several chromosomes, each a list of columns.

use crate::families::{ColumnSet, Evaluator};

/// What makes an individual valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Columns of the table, at least one.
    pub columns: usize,
    /// The fewest families.
    pub fewest: usize,
    /// The most families.
    pub most: usize,
    /// Whether a column may be in several families.
    pub may_duplicate: bool,
}

impl Rules {
    /// The rules of a problem and its cost, with at most so many families where that is said.
    pub fn of(evaluator: &Evaluator<'_>, families_max: Option<usize>) -> Self {
        let problem = evaluator.problem();
        let columns = problem.columns.len();
        let fewest = problem.limit.fewest(columns).max(1);
        let most = problem.limit.most(columns).min(families_max.unwrap_or(usize::MAX)).max(fewest);
        Self { columns, fewest, most, may_duplicate: evaluator.model().allows_duplicates() }
    }
}

/// A grouping as the evolution sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Individual {
    /// Families as lists of columns. The order of columns matters to operators that take a part of the list.
    pub chromosomes: Vec<Vec<usize>>,
}

impl Individual {
    /// Each column in a random family.
    pub fn random(rules: &Rules, random: &mut fastrand::Rng) -> Self {
        let families = random.usize(rules.fewest..=rules.most);
        let mut individual = Self { chromosomes: vec![Vec::new(); families] };
        for column in 0..rules.columns {
            individual.put_anywhere(column, random);
        }
        individual.repair(rules, random);
        individual
    }

    /// The individual of a grouping, its columns in order.
    pub fn of(families: &[ColumnSet]) -> Self {
        Self { chromosomes: families.iter().map(|family| family.iter().collect()).collect() }
    }

    /// The families as sets.
    pub fn families(&self) -> Vec<ColumnSet> {
        self.chromosomes.iter().map(|genes| genes.iter().copied().collect()).collect()
    }

    /// How many families have a column.
    pub fn copies(&self, column: usize) -> usize {
        self.chromosomes.iter().filter(|genes| genes.contains(&column)).count()
    }

    /// The paper's validity: each column is in a family, and no family has a column twice; and, here, no family is empty or
    /// the same as another, there are as many as allowed, and no column has a copy where copies are not allowed.
    pub fn is_valid(&self, rules: &Rules) -> bool {
        let has_no_column_twice =
            |genes: &Vec<usize>| genes.iter().copied().collect::<ColumnSet>().len() == genes.len();
        (rules.fewest..=rules.most).contains(&self.chromosomes.len())
            && self.chromosomes.iter().all(|genes| !genes.is_empty() && has_no_column_twice(genes))
            && !self.has_equal_families()
            && self.chromosomes.iter().flatten().all(|column| *column < rules.columns)
            && (0..rules.columns).all(|column| match self.copies(column) {
                0 => false,
                1 => true,
                _ => rules.may_duplicate,
            })
    }

    /// Makes a valid individual of any: genes that are there twice go, missing columns come, empty families and those that
    /// are there twice go, and families are put together or cut until there are as many as allowed.
    pub fn repair(&mut self, rules: &Rules, random: &mut fastrand::Rng) {
        for genes in &mut self.chromosomes {
            remove_repeated(genes);
        }
        if !rules.may_duplicate {
            self.keep_one_copy(rules, random);
        }
        self.chromosomes.retain(|genes| !genes.is_empty());
        self.add_missing(rules, random);
        while self.chromosomes.len() > rules.most {
            let last = self.chromosomes.swap_remove(random.usize(0..self.chromosomes.len()));
            let into = random.usize(0..self.chromosomes.len());
            if let Some(genes) = self.chromosomes.get_mut(into) {
                genes.extend(last);
                remove_repeated(genes);
            }
        }
        self.drop_equal_families();
        while self.chromosomes.len() < rules.fewest && self.cut_the_longest() {}
        if self.has_equal_families() || self.chromosomes.len() < rules.fewest {
            self.deal_out(rules, random);
        }
    }

    fn has_equal_families(&self) -> bool {
        let mut families = self.families();
        families.sort_unstable();
        families.windows(2).any(|pair| pair.first() == pair.last())
    }

    fn drop_equal_families(&mut self) {
        if self.has_equal_families() {
            let mut seen = Vec::new();
            self.chromosomes.retain(|genes| {
                let family: ColumnSet = genes.iter().copied().collect();
                let is_new = !seen.contains(&family);
                seen.push(family);
                is_new
            });
        }
    }

    /// The way out of a dead end: columns shuffled and dealt out to the fewest families.
    fn deal_out(&mut self, rules: &Rules, random: &mut fastrand::Rng) {
        let mut columns: Vec<usize> = (0..rules.columns).collect();
        random.shuffle(&mut columns);
        self.chromosomes = vec![Vec::new(); rules.fewest.clamp(1, rules.columns.max(1))];
        let families = self.chromosomes.len();
        for (turn, column) in columns.into_iter().enumerate() {
            if let Some(genes) = self.chromosomes.get_mut(turn % families) {
                genes.push(column);
            }
        }
    }

    /// Puts a column at the end of a random family.
    pub fn put_anywhere(&mut self, column: usize, random: &mut fastrand::Rng) {
        if self.chromosomes.is_empty() {
            self.chromosomes.push(Vec::new());
        }
        let place = random.usize(0..self.chromosomes.len());
        if let Some(genes) = self.chromosomes.get_mut(place) {
            genes.push(column);
        }
    }

    fn add_missing(&mut self, rules: &Rules, random: &mut fastrand::Rng) {
        let mut present = ColumnSet::new();
        self.chromosomes.iter().flatten().for_each(|column| {
            present.insert(*column);
        });
        for column in (0..rules.columns).filter(|column| !present.contains(*column)) {
            self.put_anywhere(column, random);
        }
    }

    /// Which copy of a column stays is drawn, so that no family is favoured for its place.
    fn keep_one_copy(&mut self, rules: &Rules, random: &mut fastrand::Rng) {
        let mut order: Vec<usize> = (0..self.chromosomes.len()).collect();
        random.shuffle(&mut order);
        let mut seen = ColumnSet::new();
        for place in order {
            if let Some(genes) = self.chromosomes.get_mut(place) {
                genes.retain(|column| *column < rules.columns && seen.insert(*column));
            }
        }
    }

    /// Cuts the longest family in two halves; false when none can be cut.
    fn cut_the_longest(&mut self) -> bool {
        let longest = self.chromosomes.iter_mut().max_by_key(|genes| genes.len());
        match longest {
            Some(genes) if genes.len() > 1 => {
                let half = genes.split_off(genes.len() / 2);
                self.chromosomes.push(half);
                true
            }
            _ => false,
        }
    }
}

/// Keeps the first of equal genes.
pub fn remove_repeated(genes: &mut Vec<usize>) {
    let mut seen = ColumnSet::new();
    genes.retain(|column| seen.insert(*column));
}
