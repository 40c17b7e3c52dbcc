//! Who can read what the program writes, and where it writes when nobody said where.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::support::Home;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn run(home: &Home, arguments: &[&str]) {
    let run = home.run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
}

#[test]
fn nobody_else_can_look_into_the_data_directory() {
    let home = Home::new();
    run(&home, &["shell", "-c", "create 't', 'f'"]);
    let own = home.path("data/tablesmith");
    for directory in [own.clone(), own.join("store")] {
        assert_eq!(mode(&directory), 0o700, "{}", directory.display());
    }
    // As earlier versions left it.
    set_mode(&own, 0o755);
    set_mode(&own.join("store"), 0o775);
    run(&home, &["shell", "-c", "put 't', 'r', 'f:q', 'v'"]);
    assert_eq!((mode(&own), mode(&own.join("store"))), (0o700, 0o700));
}

#[test]
fn a_directory_that_somebody_chose_keeps_its_mode() {
    let home = Home::new();
    for name in ["chosen", "behind-a-link"] {
        fs::create_dir(home.path(name)).unwrap();
        set_mode(&home.path(name), 0o755);
    }
    run(&home, &["--store", "embedded:chosen", "shell", "-c", "create 't', 'f'"]);
    assert_eq!(mode(&home.path("chosen")), 0o755);
    fs::create_dir(home.path("data")).unwrap();
    symlink(home.path("behind-a-link"), home.path("data/tablesmith")).unwrap();
    run(&home, &["shell", "-c", "create 't', 'f'"]);
    assert_eq!(mode(&home.path("behind-a-link")), 0o755);
    assert_eq!(mode(&home.path("behind-a-link/store")), 0o700);
}

/// A home with a workload.
fn with_workload() -> Home {
    let home = Home::new();
    home.file("t.csv", "id,name\n1,a\n2,b\n");
    run(&home, &["init", "--data", "t.csv"]);
    let workload = fs::read_to_string(home.path("workload.toml")).unwrap();
    let query = "[[query]]\nname = \"one\"\nsql = \"SELECT name FROM t WHERE id = ?\"\nrate = 1\n";
    home.file("workload.toml", format!("{workload}\n{query}"));
    home
}

#[test]
fn a_file_that_is_written_over_keeps_its_mode() {
    let home = with_workload();
    let design = home.file("design.toml", "");
    for kept in [0o600, 0o640] {
        home.file("design.toml", "# another design\nversion = 1\nworkload = \"workload.toml\"\n");
        set_mode(&design, kept);
        run(&home, &["design", "workload.toml", "-o", "design.toml"]);
        assert!(fs::read_to_string(&design).unwrap().contains("[[table]]"));
        assert_eq!(mode(&design), kept);
        // The old content is no more public than the file was.
        assert_eq!(mode(&home.path("design.toml.old")), kept);
        fs::remove_file(home.path("design.toml.old")).unwrap();
    }
}

#[test]
fn a_link_is_followed_and_not_replaced() {
    let home = with_workload();
    fs::create_dir(home.path("elsewhere")).unwrap();
    let target = home.file("elsewhere/real.toml", "");
    set_mode(&target, 0o600);
    symlink("elsewhere/real.toml", home.path("link.toml")).unwrap();
    run(&home, &["design", "workload.toml", "-o", "link.toml"]);
    assert!(home.path("link.toml").symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("[[table]]"));
    assert_eq!(mode(&target), 0o600);
    symlink("b.toml", home.path("a.toml")).unwrap();
    symlink("a.toml", home.path("b.toml")).unwrap();
    let refused = home.run(["design", "workload.toml", "-o", "a.toml"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("a.toml") && refused.stderr.contains("links"), "{}", refused.stderr);
}

#[test]
fn the_demo_does_not_share_its_pages_with_other_users() {
    let home = Home::new();
    // Where all users' temporary files are, somebody else has these names already.
    for name in ["tablesmith-demo.html", "tablesmith-demo-designs.html"] {
        fs::create_dir(home.path(name)).unwrap();
    }
    let page = |part: &str, name: &str, cache: &Path| {
        let command = &["demo", "--format", "json", "--part", part];
        let output = home.command(command).env("XDG_CACHE_HOME", cache).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let story: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let page = PathBuf::from(story[name]["page"].as_str().unwrap());
        assert!(fs::read_to_string(&page).unwrap().contains("<html"), "{part}");
        page.parent().unwrap().to_owned()
    };
    let own = page("families", "ads", &home.path("cache"));
    assert_eq!((own.as_path(), mode(&own)), (home.path("cache/tablesmith/demo").as_path(), 0o700));
    // Without a place of one's own: a new directory among the temporary files.
    let new = page("designs", "whole", &home.file("no-directory", ""));
    assert_eq!((new.parent(), mode(&new)), (home.path("x").parent(), 0o700));
}
