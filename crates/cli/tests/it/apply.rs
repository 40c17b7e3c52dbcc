//! A store gets the tables of a design.

use crate::support::Home;

const DESIGN: &str = r#"version = 1
workload = "workload.toml"
[[table]]
name = "bikes:stations"
splits = ['\x10', '\x20']
[[table.family]]
name = "m"
settings = { VERSIONS = 5 }
[[table.rows]]
from = "reading"
key = ["station"]
cells = [{ family = "m", columns = ["bikes"] }]
"#;

#[test]
fn what_is_said_first_is_done_and_done_once() {
    let home = Home::new();
    home.file("design.toml", DESIGN);
    let run = home.run(["apply", "design.toml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.text().contains("would make the table bikes:stations (m) with 3 regions"), "{}", run.text());
    let run = home.run(["shell", "-c", "exists 'bikes:stations'"]);
    assert!(run.text().contains("does not exist"), "{}", run.text());

    let run = home.run(["apply", "design.toml", "--yes"]);
    assert!(run.code == 0 && run.text().contains("done: make the table"), "{}{}", run.text(), run.stderr);
    let put = "put 'bikes:stations', 'a', 'm:bikes', '7'; alter 'bikes:stations', 'extra'; put 'bikes:stations', 'a', 'extra:x', '1'";
    assert_eq!(home.run(["shell", "-c", put]).code, 0);
    let run = home.run(["--format", "json", "apply", "design.toml", "--yes"]);
    assert_eq!(run.json()[0]["steps"], serde_json::json!([]), "{}", run.text());
    assert!(run.json()[0]["stays"][0].as_str().unwrap().contains("--lose bikes:stations:extra"));
}

#[test]
fn data_goes_only_where_the_family_is_named() {
    let home = Home::new();
    let path = home.file("design.toml", DESIGN);
    assert_eq!(home.run(["apply", "design.toml", "--yes"]).code, 0);
    assert_eq!(
        home.run([
            "shell",
            "-c",
            "alter 'bikes:stations', 'extra'; put 'bikes:stations', 'a', 'extra:x', '1'"
        ])
        .code,
        0
    );
    std::fs::write(&path, DESIGN.replace("VERSIONS = 5", "VERSIONS = 2, BLOCKSIZE = 8192")).unwrap();
    let run = home.run(["apply", "design.toml", "--yes"]);
    assert!(run.text().contains("BLOCKSIZE of m goes from 65536 to 8192"), "{}", run.text());
    let described =
        || home.run(["--format", "json", "shell", "-c", "describe 'bikes:stations'"]).json().remove(0);
    let families = described()["families"].as_array().unwrap().clone();
    assert_eq!((families.len(), &families[1]["VERSIONS"]), (2, &5.into()), "{families:?}");

    let run = home.run([
        "apply",
        "design.toml",
        "--yes",
        "--lose",
        "bikes:stations:extra",
        "--lose",
        "bikes:stations:m",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let families = described()["families"].as_array().unwrap().clone();
    assert_eq!((families.len(), &families[0]["VERSIONS"]), (1, &2.into()), "{families:?}");
    let run = home.run(["apply", "design.toml", "--lose", "bikes:stations:m"]);
    assert!(run.code == 2 && run.stderr.contains("nothing of bikes:stations:m"), "{}", run.stderr);
}
