//! What the program says of itself.

use crate::support::Home;

#[test]
fn every_help_has_an_example_and_the_options_of_all() {
    let home = Home::new();
    for (arguments, example) in [
        (vec!["--help"], "tablesmith demo"),
        (vec!["shell", "--help"], "tablesmith shell -c"),
        (vec!["demo", "--help"], "tablesmith demo --seed 7"),
        (vec!["init", "--help"], "tablesmith init --data"),
        (vec!["families", "--help"], "tablesmith families workload.toml"),
        (vec!["keys", "--help"], "tablesmith keys workload.toml"),
        (vec!["time", "--help"], "tablesmith time workload.toml"),
        (vec!["generate", "--help"], "tablesmith generate ads"),
        (vec!["report", "--help"], "tablesmith report evidence.json"),
        (vec!["schema", "--help"], "tablesmith schema workload"),
        (vec!["completions", "--help"], "tablesmith completions bash"),
    ] {
        let run = home.run(&arguments);
        assert_eq!(run.code, 0, "{arguments:?}");
        let help = run.text();
        for word in [example, "Examples:", "--store", "--servers", "--format", "--seed"] {
            assert!(help.contains(word), "{arguments:?} lacks {word}:\n{help}");
        }
        assert!(!help.contains('\u{1b}'), "colours in a pipe");
    }
}

#[test]
fn completions_are_scripts_that_know_the_commands() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = home.run(["completions", shell]);
        assert_eq!(run.code, 0, "{shell}");
        assert!(run.text().contains("demo") && run.text().contains("--store"), "{shell}");
    }
    assert_eq!(home.run(["completions", "dos"]).code, 2);
}

#[test]
fn the_version_is_the_package_s() {
    assert_eq!(
        Home::new().run(["--version"]).text().trim(),
        concat!("tablesmith ", env!("CARGO_PKG_VERSION"))
    );
}
