//! The little of a `Cargo.toml` that the rules need: which packages it depends on.

/// Names in the dependency sections of a manifest, with the index of their line. Also the real name where a
/// dependency is renamed (`package = "…"`).
pub fn dependencies(manifest: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = is_dependency_section(section);
            if let Some((_, name)) = section.rsplit_once("dependencies.") {
                found.push((index, unquote(name)));
                inside = true;
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let key = line.split(['.', '=']).next().unwrap_or_default();
            found.push((index, unquote(key)));
            if let Some((_, real)) = line.split_once("package = \"") {
                found.push((index, unquote(real.split('"').next().unwrap_or_default())));
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
        let names: Vec<_> = dependencies(manifest).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["b", "c", "e", "f", "version", "g", "h"]);
    }

    #[test]
    fn the_workspace_table_is_no_dependency() {
        assert_eq!(dependencies("[workspace.dependencies]\nb = \"1\"\n"), []);
    }
}
