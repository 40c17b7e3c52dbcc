//! Rust files that no `mod` reaches: the compiler never sees them, so nobody notices when they rot.

use std::collections::BTreeSet;

use super::{Finding, Sources};

/// Follows `mod` lines from the files that cargo starts with, and reports the rest.
pub fn check(sources: &Sources) -> Vec<Finding> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<String> = sources
        .rust()
        .map(|(path, _)| path)
        .filter(|path| is_root(path, sources))
        .map(str::to_owned)
        .collect();
    while let Some(path) = open.pop() {
        if let Some(text) = sources.get(&path) {
            open.extend(modules(text).flat_map(|module| places(&path, module, sources)));
            reached.insert(path);
        }
    }
    sources
        .rust()
        .filter(|(path, _)| !reached.contains(*path))
        .map(|(path, _)| Finding::in_file(path, "no `mod` reaches this file: declare it or remove it"))
        .collect()
}

/// The files that cargo finds by itself.
fn is_root(path: &str, sources: &Sources) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let Some(package) = (1..parts.len()).rev().find(|&depth| {
        parts
            .get(..depth)
            .is_some_and(|parts| sources.get(&format!("{}/Cargo.toml", parts.join("/"))).is_some())
    }) else {
        return false;
    };
    match parts.get(package..).unwrap_or_default() {
        ["build.rs"] | ["src", "lib.rs" | "main.rs"] => true,
        ["src", "bin", rest @ ..] | ["tests" | "benches" | "examples", rest @ ..] => {
            matches!(rest, [_] | [_, "main.rs"])
        }
        _ => false,
    }
}

/// The names in lines like `pub(crate) mod name;`.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim().strip_suffix(';')?;
        let (before, name) = line.rsplit_once("mod ")?;
        let visible = before.is_empty() || before.starts_with("pub") && before.ends_with(' ');
        visible.then(|| name.trim())
    })
}

/// Where the file of a module can be.
fn places<'a>(parent: &str, module: &str, sources: &'a Sources) -> impl Iterator<Item = String> + use<'a> {
    let (directory, file) = parent.rsplit_once('/').unwrap_or(("", parent));
    let base = match file {
        "mod.rs" => directory.to_owned(),
        _ if is_root(parent, sources) => directory.to_owned(),
        _ => format!("{directory}/{}", file.trim_end_matches(".rs")),
    };
    [format!("{base}/{module}.rs"), format!("{base}/{module}/mod.rs")]
        .into_iter()
        .filter(|path| sources.get(path).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_unreached_is_dead() {
        let sources = Sources::of([
            ("crates/a/Cargo.toml", ""),
            ("crates/a/src/lib.rs", "//! A.\npub mod x;\n#[cfg(test)]\npub(crate) mod y;\n// mod dead;\n"),
            ("crates/a/src/x.rs", "mod inner;\n"),
            ("crates/a/src/x/inner.rs", ""),
            ("crates/a/src/y/mod.rs", "mod z;\n"),
            ("crates/a/src/y/z.rs", ""),
            ("crates/a/src/dead.rs", "mod child;\n"),
            ("crates/a/src/dead/child.rs", ""),
            ("crates/a/tests/it/main.rs", "mod case;\n"),
            ("crates/a/tests/it/case.rs", ""),
            ("crates/a/tests/it/lost.rs", ""),
            ("crates/a/build.rs", ""),
        ]);
        let dead: Vec<_> = check(&sources).into_iter().map(|finding| finding.path).collect();
        assert_eq!(dead, ["crates/a/src/dead.rs", "crates/a/src/dead/child.rs", "crates/a/tests/it/lost.rs"]);
    }
}
