//! `check`: rules over a design with its workload, or over the tables of a store.

use std::path::Path;

use serde::Serialize;
use tablesmith_access::{Living, Steps, Writer};
use tablesmith_design::check::{Finding, LiveRegion, RULES, Rule, Severity, Subject, check};
use tablesmith_model::design::{Design, Family, Setting, Table};
use tablesmith_model::{FamilyDescriptor, TableName};
use tablesmith_store::{Store, StoreError};

use crate::{AppError, Context, design_file, open};

/// What rules found.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResult {
    /// The findings.
    pub findings: Vec<FindingResult>,
}

/// A finding of a rule.
#[derive(Clone, Debug, Serialize)]
pub struct FindingResult {
    /// The rule.
    pub rule: &'static str,
    /// How grave it is.
    #[serde(serialize_with = "severity")]
    pub severity: Severity,
    /// Where.
    pub at: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do, in a sentence.
    pub fix: String,
}

/// The rules that there are.
#[derive(Clone, Debug, Serialize)]
pub struct RulesResult {
    /// All of them.
    pub rules: Vec<RuleResult>,
}

/// A rule.
#[derive(Clone, Debug, Serialize)]
pub struct RuleResult {
    /// Its id.
    pub rule: &'static str,
    /// How grave its findings are.
    #[serde(serialize_with = "severity")]
    pub severity: Severity,
    /// What it finds.
    pub what: &'static str,
    /// Why that is bad.
    pub why: &'static str,
    /// What it finds something in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleResult>,
}

/// A workload and a design that a rule finds something in.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleResult {
    /// The workload.
    pub workload: String,
    /// The design.
    pub design: String,
}

fn severity<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

/// All rules.
pub fn rules() -> RulesResult {
    RulesResult { rules: RULES.iter().map(|rule| RuleResult { example: None, ..explain(rule) }).collect() }
}

/// A rule with its example.
pub fn explain(rule: &Rule) -> RuleResult {
    let Rule { id, severity, what, why, example, .. } = rule;
    let example = ExampleResult { workload: example.workload_toml(), design: example.design_toml() };
    RuleResult { rule: id, severity: *severity, what, why, example: Some(example) }
}

/// What is found in the design of a file, beside the workload that it names.
pub fn design(path: &Path) -> Result<CheckResult, AppError> {
    let (design, workload) = design_file::read_both(path)?;
    // What cannot be created or read at all is no finding of a rule.
    Writer::new(&workload, &design).map_err(AppError::in_file(path))?;
    Steps::of(&design, &Living::default(), &[]).map_err(AppError::in_file(path))?;
    Ok(CheckResult::of(check(&Subject::new(&design, Some(&workload)))))
}

/// What is found in the tables of the store, or in one of them.
pub async fn existing(context: &Context, only: Option<&TableName>) -> Result<CheckResult, AppError> {
    let store = open::store(context).await?;
    let names = match only {
        Some(name) => vec![name.clone()],
        None => store.list_tables().await?,
    };
    let mut design = Design::default();
    let mut regions = Vec::new();
    for name in names {
        let (table, own) = look(&*store, &name).await?;
        design.tables.push(table);
        regions.extend(own);
    }
    Ok(CheckResult::of(check(&Subject::new(&design, None).with_regions(regions))))
}

impl CheckResult {
    fn of(findings: Vec<Finding>) -> Self {
        let finding =
            |Finding { rule, severity, at, message, fix }| FindingResult { rule, severity, at, message, fix };
        Self { findings: findings.into_iter().map(finding).collect() }
    }
}

/// An existing table as the design that would create it, and what its regions had to do.
async fn look(store: &dyn Store, name: &TableName) -> Result<(Table, Vec<LiveRegion>), AppError> {
    let described = store.describe_table(name).await.map_err(|error| match error {
        StoreError::TableNotFound(name) => AppError::NoTableToCheck(name),
        other => AppError::Store(other),
    })?;
    let regions = store.regions(name).await?;
    let table = Table {
        name: name.to_string(),
        splits: regions.iter().skip(1).map(|region| region.start.to_vec()).collect(),
        families: described.families.iter().map(family).collect(),
        rows: Vec::new(),
    };
    let regions = regions.iter().map(|region| LiveRegion {
        table: name.to_string(),
        start: region.start.to_vec(),
        requests: region.load.reads.saturating_add(region.load.writes),
    });
    Ok((table, regions.collect()))
}

fn family(described: &FamilyDescriptor) -> Family {
    let setting = |(name, value): (&str, String)| {
        let value = value.parse().map_or(Setting::Text(value), Setting::Integer);
        (name.to_owned(), value)
    };
    Family {
        name: String::from_utf8_lossy(&described.name).into_owned(),
        settings: described.settings().into_iter().map(setting).collect(),
    }
}
