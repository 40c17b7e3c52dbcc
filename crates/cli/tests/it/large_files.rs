//! Files that are far too large for what they are read as: refused with a clear message, and little memory.

use std::fs::File;
use std::path::Path;

use crate::support::{Home, Run};

/// Runs that read a file as a whole, and the limit that each has.
fn runs(home: &Home, path: &str) -> Vec<(Run, &'static str)> {
    vec![
        (home.run(["shell", path]), "256 MiB, the limit for scripts"),
        (home.run(["design", path]), "64 MiB, the limit for workloads"),
        (home.run(["families", path]), "64 MiB, the limit for workloads"),
        (home.run(["check", path]), "64 MiB, the limit for designs"),
        (home.run(["ddl", path]), "64 MiB, the limit for designs"),
        (home.run(["apply", path]), "64 MiB, the limit for designs"),
        (home.run(["report", path]), "64 MiB, the limit for evidence"),
    ]
}

fn check(path: &str, home: &Home) {
    for (run, limit) in runs(home, path) {
        assert_eq!(run.code, 2, "{run:?}");
        let said = format!("{path} is longer than {limit}");
        assert!(run.stderr.contains(&said), "{said}: {}", run.stderr);
    }
}

#[test]
fn a_file_of_many_gigabytes_is_not_read_as_a_script_or_a_design() {
    let home = Home::new();
    let path = home.path("large");
    // It has no blocks on the disk.
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    check(path.to_str().unwrap(), &home);
    // Nor is it written over as if it were an old design.
    let workload =
        home.file("w.toml", "[[table]]\nname = \"t\"\nrows = 1\nkey = [\"a\"]\n[table.columns]\na = {}\n");
    let run = home.run([Path::new("design"), &workload, Path::new("-o"), &path]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("no design"), "{}", run.stderr);
    assert_eq!(path.metadata().unwrap().len(), 1 << 40);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_not_read_without_end() {
    let home = Home::new();
    check("/dev/zero", &home);
    let output = home.command(["shell"]).stdin(File::open("/dev/zero").unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("(standard input) is longer than 256 MiB"), "{said}");
}

#[test]
fn a_statement_too_long_for_a_log_is_told() {
    let home = Home::new();
    home.file("user.csv", "id,name\n1,a\n2,b\n");
    let short = "SELECT name FROM user WHERE id = 1;\n";
    let long = format!("SELECT name FROM user WHERE id IN ({}0);\n", "1234567,".repeat(17 << 17));
    home.file("past.sql", format!("{short}{long}{short}"));
    let init = ["init", "--data", "user.csv", "--log", "past.sql", "--force"];
    let run = home.run(init);
    assert_eq!(run.code, 0, "{run:?}");
    for said in ["1 are too long", "line 2: the statement has 17.0 MiB, more than the limit of 16 MiB"] {
        assert!(run.text().contains(said), "{said}: {}", run.text());
    }
    let run = home.run(init.into_iter().chain(["--format", "json"]));
    let log = &run.json()[0]["log"];
    assert_eq!((&log["statements"], &log["templates"]), (&2.into(), &1.into()), "{log}");
    assert_eq!(
        (&log["too_long"]["count"], &log["too_long"]["first"][0]["line"]),
        (&1.into(), &2.into()),
        "{log}"
    );
}
