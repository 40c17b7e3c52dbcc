//! Every rule finds its example, and nothing in a good design.

use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;

use super::*;

fn findings(workload: &str, design: &str) -> Vec<Finding> {
    let workload = Workload::parse(workload).unwrap_or_else(|error| panic!("{error:?}\n{workload}"));
    let design = Design::parse_for(design, &workload).unwrap_or_else(|error| panic!("{error:?}\n{design}"));
    check(&Subject::new(&design, Some(&workload)))
}

fn example_findings(rule: &Rule) -> Vec<Finding> {
    let workload = Workload::parse(&rule.example.workload_toml()).unwrap();
    let design = Design::parse_for(&rule.example.design_toml(), &workload).unwrap();
    let starts = std::iter::once(Vec::new()).chain(design.tables[0].splits.clone());
    let regions = starts.zip(rule.example.requests).map(|(start, requests)| LiveRegion {
        table: design.tables[0].name.clone(),
        start,
        requests: *requests,
    });
    check(&Subject::new(&design, Some(&workload)).with_regions(regions.collect()))
}

#[test]
fn every_rule_finds_its_example() {
    for rule in RULES {
        let found = example_findings(rule);
        let own = found.iter().find(|finding| finding.rule == rule.id);
        let own = own.unwrap_or_else(|| panic!("{} does not find its example: {found:?}", rule.id));
        assert!(!own.at.is_empty() && !own.message.is_empty() && !own.fix.is_empty());
        assert_eq!(own.severity, rule.severity);
    }
}

#[test]
fn ids_are_unique_and_lead_to_their_rules() {
    for rule in RULES {
        assert_eq!(super::rule(rule.id).map(|found| found.what), Some(rule.what), "{}", rule.id);
    }
}

#[test]
fn nothing_is_found_in_a_good_design() {
    let workload = r#"version = 1
[cluster]
region_servers = 4
[[table]]
name = "reading"
key = ["station", "at"]
rows = 40_000_000
retention = "72h"
[table.columns]
station = { type = "int", distinct = 404 }
at = { type = "timestamp" }
bikes = { type = "int", bytes = 2 }
[table.time]
column = "at"
entity = ["station"]
kind = "time"
[[query]]
name = "a day of a station"
sql = "SELECT at, bikes FROM reading WHERE station = ? AND at >= ? AND at < ?"
rate = 10
"#;
    let design = r#"version = 1
workload = "workload.toml"
[[table]]
name = "reading"
splits = ['\x04', '\x08', '\x0C']
[[table.family]]
name = "m"
settings = { VERSIONS = 1440, TTL = 259200 }
[[table.rows]]
from = "reading"
key = ["md5_mod(station, 16)", "station", 'bucket(at, "1d")']
cells = [{ family = "m", columns = ["bikes"], encoding = "i64", version = "at" }]
"#;
    let found = findings(workload, design);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_gravest_comes_first() {
    let rule = super::rule("not-stored").unwrap();
    let design = rule.example.design_toml().replace("key = [\"id\"]", "key = [\"random(4)\", \"id\"]");
    let severities: Vec<Severity> =
        findings(&rule.example.workload_toml(), &design).iter().map(|finding| finding.severity).collect();
    assert!(severities.len() > 1 && severities.is_sorted(), "{severities:?}");
}

#[test]
fn a_design_alone_is_checked_as_far_as_it_says() {
    let design = Design::parse(&super::rule("many-families").unwrap().example.design_toml()).unwrap();
    let found = check(&Subject::new(&design, None));
    assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["many-families"]);
}

#[test]
fn rows_of_a_sequence_are_ended_by_numbers() {
    let rule = super::rule("unbounded-row").unwrap();
    let fix = |workload: &str| {
        let found = findings(workload, &rule.example.design_toml());
        found.iter().find(|finding| finding.rule == rule.id).map(|finding| finding.fix.clone()).unwrap()
    };
    assert!(fix(&rule.example.workload_toml()).contains("bucket(at, \"1d\")"));
    let of_numbers = rule.example.workload_toml().replace("timestamp", "int")
        + "[table.time]\ncolumn = \"at\"\nentity = [\"station\"]\nkind = \"sequence\"\n";
    assert!(fix(&of_numbers).contains("bucket(at, \"1000\")"));
}

const EVENTS: &str = "version = 1\n[[table]]\nname = \"event\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"string\" }\n\
                      what = { type = \"string\" }\n";

fn rules_of_events(settings: &str, key: &str) -> Vec<&'static str> {
    let design = format!(
        "version = 1\n[[table]]\nname = \"event\"\n[[table.family]]\nname = \"f\"\nsettings = {{ {settings} }}\n[[table.rows]]\n\
         from = \"event\"\nkey = [\"{key}\"]\ncells = [{{ family = \"f\", columns = [\"id\", \"what\"] }}]\n"
    );
    findings(EVENTS, &design).into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn rows_that_nobody_lets_go_have_no_ttl() {
    assert_eq!(rules_of_events("TTL = 60", "id"), ["ttl-too-short"]);
    assert!(rules_of_events("TTL = 2147483647", "id").is_empty());
}

#[test]
fn a_whole_digest_keeps_rows_apart_and_one_cut_short_does_not() {
    assert!(rules_of_events("VERSIONS = 1", "md5(id)").is_empty());
    assert_eq!(rules_of_events("VERSIONS = 1", "md5(id, 4)"), ["key-loses-rows"]);
}
