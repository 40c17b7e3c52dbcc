//! The checkout: where it is and which files belong to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

/// Directories that hold no sources, for a checkout without git.
const NOT_SOURCES: &[&str] = &[".git", "target"];

/// The checkout.
pub struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The checkout that this program was built from.
    pub fn find() -> Result<Self, Failure> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.parent().unwrap_or(here);
        Ok(Self { root: root.canonicalize().map_err(|error| Failure::file(root, error))? })
    }

    /// A file of the checkout.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The files that belong to the project, relative to the root, sorted. Asks git, so that what is ignored stays
    /// out; an unpacked archive has no git and is walked instead.
    pub fn files(&self) -> Result<Vec<String>, Failure> {
        let mut files = match self.files_by_git() {
            Some(files) => files,
            None => self.files_by_walking()?,
        };
        files.sort();
        Ok(files)
    }

    fn files_by_git(&self) -> Option<Vec<String>> {
        let output = Command::new("git")
            .current_dir(&self.root)
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let names = String::from_utf8_lossy(&output.stdout);
        // A file that was deleted and not yet committed is still listed.
        Some(names.split('\0').filter(|name| self.root.join(name).is_file()).map(str::to_owned).collect())
    }

    fn files_by_walking(&self) -> Result<Vec<String>, Failure> {
        let mut files = Vec::new();
        let mut directories = vec![self.root.clone()];
        while let Some(directory) = directories.pop() {
            let entries = fs::read_dir(&directory).map_err(|error| Failure::file(&directory, error))?;
            for entry in entries {
                let path = entry.map_err(|error| Failure::file(&directory, error))?.path();
                let Ok(relative) = path.strip_prefix(&self.root) else { continue };
                if path.is_file() {
                    files.push(relative.to_string_lossy().replace('\\', "/"));
                } else if !NOT_SOURCES.iter().any(|name| relative == Path::new(name)) {
                    directories.push(path);
                }
            }
        }
        Ok(files)
    }

    /// The text of a file, or `None` for one that is not text.
    pub fn text(&self, relative: &str) -> Result<Option<String>, Failure> {
        let path = self.path(relative);
        let bytes = fs::read(&path).map_err(|error| Failure::file(&path, error))?;
        Ok(String::from_utf8(bytes).ok())
    }

    /// Where cargo puts what it builds.
    pub fn target_directory(&self) -> PathBuf {
        match std::env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => self.root.join(directory),
            None => self.root.join("target"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_and_walking_see_this_file() {
        let repo = Repo::find().unwrap();
        let this = "xtask/src/repo.rs".to_owned();
        assert!(repo.files().unwrap().contains(&this));
        let walked = repo.files_by_walking().unwrap();
        assert!(walked.contains(&this));
        assert!(!walked.iter().any(|file| file.starts_with(".git/") || file.starts_with("target/")));
    }
}
