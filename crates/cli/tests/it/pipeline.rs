//! From data to a verdict: what `design` writes, `verify` measures, on the embedded store and on a real cluster.

use serde_json::Value;

use crate::support::Home;

/// Data sets that are generated, and how much of each.
const GENERATED: [(&str, &str); 4] =
    [("ads", "0.0002"), ("bixi", "0.0002"), ("cosmology", "0.0002"), ("follows", "0.0002")];
const EXAMPLES: [&str; 2] = ["follow-graph", "twits"];

/// A home with a directory of a data set: its workload and its data.
fn data_set(name: &str) -> Home {
    let home = Home::new();
    match GENERATED.iter().find(|(generated, _)| *generated == name) {
        Some((_, scale)) => {
            let run = home.run(["generate", name, "--scale", scale, "-o", name]);
            assert_eq!(run.code, 0, "{run:?}");
        }
        None => {
            let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
            std::fs::create_dir(home.path(name)).unwrap();
            for file in std::fs::read_dir(&files).unwrap() {
                let file = file.unwrap();
                std::fs::copy(file.path(), home.path(name).join(file.file_name())).unwrap();
            }
        }
    }
    home
}

/// Designs a data set, and measures the design beside one with a table for each table of the workload.
fn verified(name: &str, store: &[&str]) -> Value {
    let home = data_set(name);
    let workload = format!("{name}/workload.toml");
    let [found, plain] =
        ["found", "plain"].map(|design| format!("{name}/{design}_{name}.toml").replace('-', "_"));
    std::fs::create_dir_all(home.path(&found).parent().unwrap()).unwrap();
    let design = home.run(["design", &workload, "-o", &found]);
    assert_eq!(design.code, 0, "{name}: {design:?}");
    let families = home.run(["families", &workload, "--method", "one", "-o", &plain]);
    assert_eq!(families.code, 0, "{name}: {families:?}");
    let counts = ["--queries", "60", "--warm-up", "6", "--format", "json"];
    let run = home.run(["verify", &workload, &found, &plain].iter().chain(&counts).chain(store));
    assert_eq!(run.code, 0, "{name}: {run:?}");
    run.json().remove(0)
}

fn check(name: &str, evidence: &Value) {
    assert_eq!(evidence["answers_equal"], true, "{name}: {evidence}");
    let designs = evidence["designs"].as_array().unwrap();
    assert_eq!(designs.len(), 2, "{name}");
    for design in designs {
        assert!(design["queries"].as_u64().unwrap() >= 57, "{name}: {design}");
        assert!(design["loaded"]["rows"].as_u64().unwrap() > 0, "{name}: {design}");
    }
    let left_out =
        evidence["notes"].as_array().unwrap().iter().find(|note| note.as_str().unwrap().contains("left out"));
    assert_eq!(left_out, None, "{name}");
}

#[test]
fn what_design_writes_is_measured_on_the_embedded_store() {
    for name in GENERATED.map(|(name, _)| name).into_iter().chain(EXAMPLES) {
        check(name, &verified(name, &[]));
    }
}

/// One after the other: they share verify's namespace.
#[test]
fn what_design_writes_is_measured_on_a_real_cluster() {
    let cluster = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
    let store = cluster.by_masters();
    for name in GENERATED.map(|(name, _)| name).into_iter().chain(EXAMPLES) {
        check(name, &verified(name, &["--store", &store]));
    }
}
