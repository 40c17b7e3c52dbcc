//! A design as commands of the shell.

use crate::support::Home;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "bikes:stations"
splits = ['\x10', "it's", '\xFF']
[[table.family]]
name = "m"
settings = { VERSIONS = 1440, TTL = 259200, BLOOMFILTER = "ROWCOL", DATA_BLOCK_ENCODING = "FAST_DIFF", IN_MEMORY = true }
[[table.family]]
name = "f"
[[table.rows]]
from = "reading"
key = ["station"]
cells = [{ family = "m", columns = ["bikes"] }]
"#;

#[test]
fn the_shell_makes_the_table_that_the_design_says() {
    let home = Home::new();
    let design = home.file("design.toml", DESIGN);
    let run = home.run(["ddl", design.to_str().unwrap(), "-o", "create.rb"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = home.run(["--format", "json", "shell", "create.rb"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let run = home.run([
        "--format",
        "json",
        "shell",
        "-c",
        "describe 'bikes:stations'; get_splits 'bikes:stations'",
    ]);
    let [described, splits] = run.json().try_into().unwrap();
    let family = &described["families"][0]["NAME"];
    let families = described["families"].as_array().unwrap();
    let m = families.iter().find(|family| family["NAME"] == "m").unwrap_or_else(|| panic!("{family}"));
    assert_eq!((&m["VERSIONS"], &m["TTL"]), (&1440.into(), &259200.into()));
    assert_eq!((&m["BLOOMFILTER"], &m["DATA_BLOCK_ENCODING"]), (&"ROWCOL".into(), &"FAST_DIFF".into()));
    assert_eq!((&m["IN_MEMORY"], families.len()), (&true.into(), 2));
    assert!(splits.to_string().contains(r#""\\x10","it's","\\xFF""#), "{splits}");
}

#[test]
fn a_design_with_columns_that_its_workload_lacks_is_refused() {
    let home = Home::new();
    let design = home.file("design.toml", DESIGN);
    home.file(
        "workload.toml",
        "version = 1\n[[table]]\nname = \"reading\"\nkey = [\"station\"]\n[table.columns]\nstation = { type = \"int\" }\n",
    );
    let run = home.run(["ddl", design.to_str().unwrap()]);
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(run.stderr.contains("bikes") && run.stderr.contains("design.toml"), "{}", run.stderr);
}

#[test]
fn a_design_that_is_no_table_is_refused_with_the_place() {
    let home = Home::new();
    let design = home.file("design.toml", DESIGN.replace("VERSIONS = 1440", "VERSIONS = 0"));
    let run = home.run(["ddl", design.to_str().unwrap()]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("VERSIONS") && run.stderr.contains("design.toml"), "{}", run.stderr);
}
