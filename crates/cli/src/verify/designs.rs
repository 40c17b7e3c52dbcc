//! The designs that are measured, from their files.

use std::path::{Path, PathBuf};

use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_verify::evidence::Expectation;
use tablesmith_verify::trial::Laid;

use crate::design_file;
use crate::failure::Failure;

/// A design with its name.
#[derive(Clone, Debug)]
pub struct NamedDesign {
    /// Its name: that of its file without `.toml`.
    pub name: String,
    /// The design.
    pub design: Design,
}

/// Reads designs for a workload; each needs a name of its own.
pub fn read(paths: &[PathBuf], workload: &Workload) -> Result<Vec<NamedDesign>, Failure> {
    let mut designs: Vec<NamedDesign> = Vec::with_capacity(paths.len());
    for path in paths {
        let design = read_one(path, workload)?;
        if designs.iter().any(|other| other.name == design.name) {
            return Err(Failure::BadFile(format!(
                "two designs are called `{}`: a design is called as its file, so give the files different names",
                design.name
            )));
        }
        designs.push(design);
    }
    Ok(designs)
}

fn read_one(path: &Path, workload: &Workload) -> Result<NamedDesign, Failure> {
    let design = design_file::read_for(path, workload)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(NamedDesign { name, design })
}

impl NamedDesign {
    /// How the rows of some tables of the workload lie in it.
    pub fn laid(&self, workload: &Workload, tables: &[String]) -> Result<Vec<Laid>, Failure> {
        let laid = |table: &String| {
            Laid::of(workload, &self.design, &self.name, table)
                .map_err(|error| Failure::BadFile(format!("design `{}`: {error}", self.name)))
        };
        tables.iter().map(laid).collect()
    }
}

/// What is expected must be about designs that are measured.
pub fn check_expectation(expected: Option<&Expectation>, designs: &[NamedDesign]) -> Result<(), Failure> {
    let names: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    let asked = expected.into_iter().flat_map(|expected| [&expected.faster, &expected.slower]);
    match asked.into_iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(Failure::BadFile(format!(
            "--expect names `{name}`, which is not among the designs {}",
            names.join(", ")
        ))),
        None => Ok(()),
    }
}
