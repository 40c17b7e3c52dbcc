//! The little of a `Cargo.toml` that the rules need: which packages it depends on.

/// One package that a manifest depends on.
pub struct Dependency {
    /// The index of its line.
    pub index: usize,
    /// The package.
    pub name: String,
    /// Whether only tests and examples depend on it.
    pub is_dev: bool,
}

/// The packages in the dependency sections of a manifest. Also the real name where a dependency is renamed
/// (`package = "…"`).
pub fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let (mut inside, mut is_dev) = (false, false);
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = is_dependency_section(section);
            is_dev = section.contains("dev-dependencies");
            if let Some((_, name)) = section.rsplit_once("dependencies.") {
                found.push(Dependency { index, name: unquote(name), is_dev });
                inside = true;
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let key = line.split(['.', '=']).next().unwrap_or_default();
            found.push(Dependency { index, name: unquote(key), is_dev });
            if let Some((_, real)) = line.split_once("package = \"") {
                let name = unquote(real.split('"').next().unwrap_or_default());
                found.push(Dependency { index, name, is_dev });
            }
        }
    }
    found
}

/// `dependencies`, `dev-dependencies`, `target.'cfg(unix)'.dependencies`, but not `workspace.dependencies`.
fn is_dependency_section(section: &str) -> bool {
    section.ends_with("dependencies") && !section.starts_with("workspace")
}

fn unquote(text: &str) -> String {
    text.trim().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_depend_is_seen() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\nc = { path = \"../c\" }\n# d = \"1\"\n\
            [target.'cfg(unix)'.dependencies]\n\"e\" = \"1\"\n[dev-dependencies.f]\nversion = \"1\"\n\
            [build-dependencies]\ng = { package = \"h\", version = \"1\" }\n[lints]\nworkspace = true\n";
        let found = dependencies(manifest);
        let names: Vec<_> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["b", "c", "e", "f", "version", "g", "h"]);
        let dev: Vec<_> =
            found.iter().filter(|found| found.is_dev).map(|found| found.name.as_str()).collect();
        assert_eq!(dev, ["f", "version"]);
    }

    #[test]
    fn the_workspace_table_is_no_dependency() {
        assert!(dependencies("[workspace.dependencies]\nb = \"1\"\n").is_empty());
    }
}
