//! The designs that are measured, from their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_verify::evidence::Expectation;
use tablesmith_verify::trial::TrialDesign;

use crate::{AppError, design_file};

/// A design with its name.
#[derive(Clone, Debug)]
pub struct NamedDesign {
    /// Its name: that of its file without `.toml`.
    pub name: String,
    /// The design.
    pub design: Design,
}

/// Reads designs for a workload; each needs a name of its own.
pub fn read(paths: &[PathBuf], workload: &Workload) -> Result<Vec<NamedDesign>, AppError> {
    let mut designs: Vec<NamedDesign> = Vec::with_capacity(paths.len());
    for path in paths {
        let design = read_one(path, workload)?;
        if designs.iter().any(|other| other.name == design.name) {
            return Err(AppError::SameDesignName(design.name));
        }
        designs.push(design);
    }
    Ok(designs)
}

fn read_one(path: &Path, workload: &Workload) -> Result<NamedDesign, AppError> {
    let design = design_file::read_for(path, workload)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(NamedDesign { name, design })
}

impl NamedDesign {
    /// The design with tables of its own, planned with these unit costs.
    pub fn trial(&self, workload: &Arc<Workload>, prices: &Prices) -> Result<TrialDesign, AppError> {
        let design = TrialDesign::new(&self.name, Arc::clone(workload), &self.design)?;
        Ok(design.with_prices(prices.clone())?)
    }
}

/// What is expected must be about designs that are measured.
pub fn check_expectation(expected: Option<&Expectation>, designs: &[NamedDesign]) -> Result<(), AppError> {
    let names: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    let asked = expected.into_iter().flat_map(|expected| [&expected.faster, &expected.slower]);
    match asked.into_iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(AppError::UnknownDesign {
            name: name.clone(),
            designs: names.into_iter().map(str::to_owned).collect(),
        }),
        None => Ok(()),
    }
}
