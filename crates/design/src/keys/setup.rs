//! What is to be judged: the id, the cluster, and what is asked of the table.

use tablesmith_model::key::BucketWidth;
use tablesmith_model::value::{KeyEncoding, ValueType};

use super::reads::ReadWeights;
use super::splits::{SplitMethod, Weight};
use super::strategy::StrategyName;

/// The region counts of the paper's experiments (section IV-A).
pub const PAPER_REGIONS: [usize; 10] = [1, 2, 4, 8, 16, 32, 55, 110, 165, 220];

/// About how many prefixes there are when nothing else is said (the paper's modulus, section IV-A).
pub const DEFAULT_PREFIXES: u64 = 1_000_000;

/// The most servers, and the most regions, that can be judged.
pub const MOST_SERVERS: usize = 10_000;
/// The most regions that can be judged.
pub const MOST_REGIONS: usize = 50_000;

/// A column that keys can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub value_type: ValueType,
    /// Digits or bytes that `pad` gives it in text keys; without it the encoding's own width.
    pub pad: Option<usize>,
}

impl IdColumn {
    /// A column without padding.
    pub fn new(name: impl Into<String>, value_type: ValueType) -> Self {
        Self { name: name.into(), value_type, pad: None }
    }
}

/// Whose rows are read together: by default the id without its time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Entity {
    /// The columns of the id but the time; nothing when that is the whole id.
    #[default]
    IdWithoutTime,
    /// These columns of the id.
    Columns(Vec<String>),
}

/// What is to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The columns that together identify a row.
    pub id: Vec<IdColumn>,
    /// The column that says when, in the id or beside it.
    pub time: Option<IdColumn>,
    /// Whose rows are read together.
    pub entity: Entity,
    /// How keys are written.
    pub encoding: KeyEncoding,
    /// Region servers.
    pub servers: usize,
    /// Regions; three for each server when not said.
    pub regions: Option<usize>,
    /// Other region counts to look at.
    pub compare_regions: Vec<usize>,
    /// How many prefixes there are; about a million when not said.
    pub prefixes: Option<u64>,
    /// How split points are made.
    pub splits: SplitMethod,
    /// What quantiles weigh.
    pub weight: Weight,
    /// How wide the buckets of time are; by the column's type when not said.
    pub bucket_width: Option<BucketWidth>,
    /// The strategies to compare; all when empty.
    pub strategies: Vec<StrategyName>,
    /// How often which read happens.
    pub reads: ReadWeights,
    /// What `random` and the samples are drawn from.
    pub seed: u64,
    /// Threads that count; the result does not depend on it.
    pub workers: usize,
    /// Rows of the sample for each region of the greatest count; see [`super::judge::Accuracy`].
    pub sample_rows_per_region: usize,
}

/// Why nothing can be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No columns identify a row.
    #[error("the id has no columns: name at least one column that identifies a row")]
    EmptyId,
    /// A column is named twice.
    #[error("the id names the column {0:?} twice: name it once")]
    Twice(String),
    /// There are no servers.
    #[error("a table cannot be spread over 0 servers: give at least 1")]
    NoServers,
    /// There are no regions.
    #[error("a table cannot have 0 regions: give at least 1")]
    NoRegions,
    /// Too many servers or regions.
    #[error("{what} {count} are more than can be judged: give at most {most}")]
    TooMany {
        /// Servers or regions.
        what: &'static str,
        /// How many.
        count: usize,
        /// The most.
        most: usize,
    },
    /// No prefixes.
    #[error("0 prefixes leave no key: give at least as many as there are regions")]
    NoPrefixes,
    /// A column of the entity is not in the id.
    #[error("the column {0:?} of the entity is not in the id: name columns of the id")]
    EntityOutsideId(String),
}

impl Setup {
    /// A setup with nothing but an id and a number of servers; everything else as it is by default.
    pub fn new(id: Vec<IdColumn>, servers: usize) -> Self {
        Self {
            id,
            time: None,
            entity: Entity::default(),
            encoding: KeyEncoding::Binary,
            servers,
            regions: None,
            compare_regions: Vec::new(),
            prefixes: None,
            splits: SplitMethod::Prefix,
            weight: Weight::Writes,
            bucket_width: None,
            strategies: Vec::new(),
            reads: ReadWeights::default(),
            seed: 0,
            workers: 2,
            sample_rows_per_region: 500,
        }
    }

    /// The columns whose values a row brings, in this order: the id, then the time when it is not in the id.
    pub fn columns(&self) -> Vec<&IdColumn> {
        let beside = self.time.iter().filter(|time| !self.id.iter().any(|column| column.name == time.name));
        self.id.iter().chain(beside).collect()
    }

    /// How many regions the table gets.
    pub fn chosen_regions(&self) -> usize {
        self.regions.unwrap_or(self.servers.saturating_mul(tablesmith_plan::REGIONS_PER_SERVER))
    }

    /// All region counts that are looked at, the smallest first.
    pub fn region_counts(&self) -> Vec<usize> {
        let mut counts = self.compare_regions.clone();
        counts.push(self.chosen_regions());
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// How many prefixes there are: as asked, else the greatest number up to a million that all region counts divide,
    /// or at least the chosen one (section III-B: a multiple of the regions, and much greater).
    pub fn chosen_prefixes(&self) -> u64 {
        if let Some(prefixes) = self.prefixes {
            return prefixes;
        }
        let chosen = as_u64(self.chosen_regions()).max(1);
        let all = self
            .region_counts()
            .into_iter()
            .try_fold(chosen, |all, count| common_multiple(all, as_u64(count)));
        let unit = all.filter(|all| *all <= DEFAULT_PREFIXES / 2).unwrap_or(chosen);
        (DEFAULT_PREFIXES / unit).max(1).saturating_mul(unit)
    }

    /// The columns of the entity: those whose rows are read together; none when every row is its own.
    pub fn entity_columns(&self) -> Vec<String> {
        match &self.entity {
            Entity::Columns(columns) => columns.clone(),
            Entity::IdWithoutTime => {
                let is_time = |name: &str| self.time.as_ref().is_some_and(|time| time.name == name);
                let names = self.id.iter().map(|column| column.name.clone());
                let entity: Vec<String> = names.filter(|name| !is_time(name)).collect();
                // Without a time the first column of several is the one that rows belong to.
                match entity.len() == self.id.len() {
                    true if entity.len() > 1 => entity.into_iter().take(1).collect(),
                    true => Vec::new(),
                    false => entity,
                }
            }
        }
    }

    /// Refuses what cannot be judged.
    pub fn check(&self) -> Result<(), SetupError> {
        if self.id.is_empty() {
            return Err(SetupError::EmptyId);
        }
        for (index, column) in self.id.iter().enumerate() {
            if self.id.iter().skip(index + 1).any(|other| other.name == column.name) {
                return Err(SetupError::Twice(column.name.clone()));
            }
        }
        let too_many = |what, count, most| SetupError::TooMany { what, count, most };
        match (self.servers, self.region_counts().into_iter().min(), self.region_counts().into_iter().max()) {
            (0, ..) => return Err(SetupError::NoServers),
            (servers, ..) if servers > MOST_SERVERS => {
                return Err(too_many("servers:", servers, MOST_SERVERS));
            }
            (_, Some(0), _) => return Err(SetupError::NoRegions),
            (.., Some(most)) if most > MOST_REGIONS => return Err(too_many("regions:", most, MOST_REGIONS)),
            _ => {}
        }
        if self.prefixes == Some(0) {
            return Err(SetupError::NoPrefixes);
        }
        let outside = |name: &String| !self.id.iter().any(|column| column.name == *name);
        match self.entity_columns().into_iter().find(outside) {
            Some(name) => Err(SetupError::EntityOutsideId(name)),
            None => Ok(()),
        }
    }
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn common_multiple(one: u64, two: u64) -> Option<u64> {
    let (mut a, mut b) = (one, two);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one.checked_div(a)?.checked_mul(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Setup {
        Setup::new(vec![IdColumn::new("id", ValueType::Int)], 55)
    }

    #[test]
    fn prefixes_are_many_and_a_multiple_of_every_region_count() {
        let mut setup = setup();
        assert_eq!(setup.chosen_regions(), 165);
        setup.compare_regions = PAPER_REGIONS.to_vec();
        let prefixes = setup.chosen_prefixes();
        assert!((990_000..=1_000_000).contains(&prefixes), "{prefixes}");
        assert!(PAPER_REGIONS.iter().all(|count| prefixes.is_multiple_of(*count as u64)), "{prefixes}");
        // Counts without a small common multiple: at least the chosen one divides.
        setup.compare_regions = vec![9_973, 9_967];
        assert!(setup.chosen_prefixes().is_multiple_of(165) && setup.chosen_prefixes() > 165 * 1_000);
    }

    #[test]
    fn what_cannot_be_judged_is_said() {
        let told = |change: fn(&mut Setup)| {
            let mut setup = setup();
            change(&mut setup);
            setup.check().unwrap_err().to_string()
        };
        assert!(told(|setup| setup.id.clear()).contains("name at least one column"));
        assert!(told(|setup| setup.servers = 0).contains("0 servers"));
        assert!(told(|setup| setup.regions = Some(0)).contains("0 regions"));
        assert!(told(|setup| setup.regions = Some(1_000_000)).contains("at most 50000"));
        assert!(told(|setup| setup.prefixes = Some(0)).contains("0 prefixes"));
        assert!(told(|setup| setup.id.push(setup.id[0].clone())).contains("twice"));
        assert!(told(|setup| setup.entity = Entity::Columns(vec!["x".into()])).contains("\"x\""));
        assert_eq!(setup().check(), Ok(()));
    }

    #[test]
    fn the_entity_is_the_id_without_its_time() {
        let mut setup = setup();
        assert!(setup.entity_columns().is_empty());
        setup.id.push(IdColumn::new("at", ValueType::Timestamp));
        assert_eq!(setup.entity_columns(), ["id"]);
        setup.time = Some(IdColumn::new("at", ValueType::Timestamp));
        assert_eq!(setup.entity_columns(), ["id"]);
        assert_eq!(setup.columns().len(), 2);
        setup.time = Some(IdColumn::new("beside", ValueType::Timestamp));
        assert_eq!(setup.columns().last().unwrap().name, "beside");
    }
}
