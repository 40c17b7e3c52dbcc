//! Which crate may depend on which: dependencies point one way.
//!
//! ```text
//! model ← store ← { engine, store-hbase, shell } ← { cli, bench }
//! store ← store-testing, for tests alone
//! model ← sql ← plan ← { observe, design, access } ← cli
//! { store ← access, design } ← verify ← app ← papers ← cli
//! model ← report ← app
//! hbase-types ← { hbase, model }, hbase ← store-hbase
//! ```

use super::manifest::{Dependency, dependencies};
use super::{Finding, Sources};

/// What the tests of stores share: only tests depend on it.
const TESTING: &str = "tablesmith-store-testing";

/// Every crate of the workspace by directory, with its package's name and what it may use of the others.
const LAYERS: &[(&str, &str, &[&str])] = &[
    ("crates/hbase-types", "hbase-types", &[]),
    ("crates/model", "tablesmith-model", &["hbase-types"]),
    ("crates/sql", "tablesmith-sql", &["tablesmith-model"]),
    ("crates/files", "tablesmith-files", &[]),
    ("crates/generate", "tablesmith-generate", &["tablesmith-model", "tablesmith-files"]),
    ("crates/plan", "tablesmith-plan", &["tablesmith-model", "tablesmith-sql"]),
    (
        "crates/observe",
        "tablesmith-observe",
        &["tablesmith-model", "tablesmith-sql", "tablesmith-plan", "tablesmith-generate"],
    ),
    ("crates/design", "tablesmith-design", &["tablesmith-model", "tablesmith-sql", "tablesmith-plan"]),
    ("crates/store", "tablesmith-store", &["hbase-types", "tablesmith-model"]),
    ("crates/store-testing", TESTING, &["tablesmith-model", "tablesmith-store"]),
    ("crates/engine", "tablesmith-engine", &["tablesmith-model", "tablesmith-store", TESTING]),
    ("crates/shell", "tablesmith-shell", &["tablesmith-model", "tablesmith-store", TESTING]),
    ("crates/hbase-testbed", "hbase-testbed", &[]),
    ("crates/hbase", "hbase", &["hbase-types", "hbase-testbed"]),
    (
        "crates/access",
        "tablesmith-access",
        &[
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-plan",
            "tablesmith-store",
            TESTING,
            "tablesmith-engine",
        ],
    ),
    // With the layer above it: its tests lay readings out, and answer statements, on a real cluster.
    (
        "crates/store-hbase",
        "tablesmith-store-hbase",
        &[
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-store",
            TESTING,
            "tablesmith-engine",
            "tablesmith-access",
            "hbase",
            "hbase-testbed",
        ],
    ),
    (
        "crates/verify",
        "tablesmith-verify",
        &[
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-store",
            TESTING,
            "tablesmith-access",
            "tablesmith-design",
            "tablesmith-engine",
        ],
    ),
    ("crates/report", "tablesmith-report", &["tablesmith-model"]),
    (
        "crates/app",
        "tablesmith-app",
        &[
            "tablesmith-files",
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-observe",
            "tablesmith-design",
            "tablesmith-generate",
            "tablesmith-store",
            "tablesmith-engine",
            "tablesmith-store-hbase",
            "tablesmith-access",
            "tablesmith-verify",
            "tablesmith-report",
        ],
    ),
    (
        "crates/papers",
        "tablesmith-papers",
        &[
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-design",
            "tablesmith-generate",
            "tablesmith-store",
            TESTING,
            "tablesmith-engine",
            "tablesmith-store-hbase",
            "tablesmith-access",
            "tablesmith-verify",
            "tablesmith-report",
            "tablesmith-app",
        ],
    ),
    (
        "crates/bench",
        "tablesmith-bench",
        &[
            "tablesmith-model",
            "tablesmith-store",
            "tablesmith-engine",
            "tablesmith-sql",
            "tablesmith-observe",
            "tablesmith-access",
            "tablesmith-design",
            "tablesmith-store-hbase",
            "tablesmith-verify",
            "hbase",
            "hbase-testbed",
        ],
    ),
    (
        "crates/cli",
        "tablesmith",
        &[
            "tablesmith-model",
            "tablesmith-sql",
            "tablesmith-observe",
            "tablesmith-design",
            "tablesmith-generate",
            "tablesmith-store",
            "tablesmith-engine",
            "tablesmith-store-hbase",
            "tablesmith-shell",
            "tablesmith-access",
            "tablesmith-verify",
            "tablesmith-report",
            "tablesmith-app",
            "tablesmith-papers",
            "hbase-testbed",
        ],
    ),
    ("xtask", "xtask", &["hbase-testbed"]),
];

/// Finds dependencies that point the wrong way, and crates that nobody has placed yet.
pub fn check(sources: &Sources) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, manifest) in sources.all() {
        let Some(directory) = path.strip_suffix("/Cargo.toml") else { continue };
        let Some((_, package, allowed)) = LAYERS.iter().find(|(place, ..)| *place == directory) else {
            findings.push(Finding::in_file(
                path,
                "a crate without a place: add it to xtask/src/tidy/layering.rs",
            ));
            continue;
        };
        for Dependency { index, name, is_dev } in dependencies(manifest) {
            let is_ours = LAYERS.iter().any(|(_, package, _)| *package == name);
            if is_ours && !allowed.contains(&name.as_str()) {
                findings.push(Finding::in_line(path, index, format!("{package} must not depend on {name}")));
            } else if name == TESTING && !is_dev {
                let message = format!("{package} may use {name} only as a dev-dependency");
                findings.push(Finding::in_line(path, index, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_way_is_found() {
        let sources = Sources::of([
            (
                "crates/store/Cargo.toml",
                "[dev-dependencies]\ntablesmith-engine.workspace = true\nregex = \"1\"\n",
            ),
            ("crates/cli/Cargo.toml", "[dependencies]\ntablesmith-engine.workspace = true\n"),
        ]);
        assert_eq!(
            check(&sources),
            [Finding::in_line(
                "crates/store/Cargo.toml",
                1,
                "tablesmith-store must not depend on tablesmith-engine"
            )]
        );
    }

    #[test]
    fn what_tests_share_is_for_tests() {
        let manifest = |section| format!("[{section}]\ntablesmith-store-testing.workspace = true\n");
        let findings = |section| check(&Sources::of([("crates/engine/Cargo.toml", &*manifest(section))]));
        assert_eq!(findings("dev-dependencies"), []);
        let message = "tablesmith-engine may use tablesmith-store-testing only as a dev-dependency";
        assert_eq!(findings("dependencies"), [Finding::in_line("crates/engine/Cargo.toml", 1, message)]);
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        let findings = check(&Sources::of([("crates/new/Cargo.toml", "[package]\n")]));
        assert!(findings.iter().any(|finding| finding.message.contains("without a place")), "{findings:?}");
    }

    #[test]
    fn the_layers_are_in_order() {
        for (index, (_, package, allowed)) in LAYERS.iter().enumerate() {
            for name in *allowed {
                let before = LAYERS[..index].iter().any(|(_, lower, _)| lower == name);
                assert!(before || name == package, "{package} may use {name}, which stands above it");
            }
        }
    }
}
