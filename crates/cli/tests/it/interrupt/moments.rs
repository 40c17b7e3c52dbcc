//! Signals at many moments of every command.

use std::time::Duration;

use super::{Running, follows, left_behind};
use crate::support::Home;

/// Commands, and the longest that their moments are looked for.
const COMMANDS: [(&[&str], u64); 18] = [
    (&["load", "design.toml", "--again", "--store", follows::STORE], 1_000),
    (&["repair", "design.toml", "--yes", "--store", follows::STORE], 1_000),
    (&["apply", "design.toml", "--yes", "--store", follows::STORE], 300),
    (&["query", "design.toml", "SELECT COUNT(*) FROM follow", "--store", follows::STORE], 400),
    (
        &[
            "query",
            "design.toml",
            "SELECT a.followed FROM follow a, follow b, follow c WHERE a.followed = b.follower AND b.followed = c.follower ORDER BY a.followed",
            "--store",
            follows::STORE,
        ],
        1_000,
    ),
    (&["shell", "more.hbsh", "--store", follows::STORE], 1_000),
    (&["verify", "one.toml", "plain.toml", "--store", follows::STORE], 3_000),
    (&["calibrate", "--seconds", "5", "--store", follows::STORE], 5_000),
    (&["time", "readings.toml", "--store", follows::STORE], 5_000),
    (&["demo", "--store", follows::STORE], 6_000),
    (&["demo"], 6_000),
    (&["reproduce", "follows", "--scale", "0.0005", "--store", follows::STORE], 6_000),
    (&["design", "workload.toml", "-o", "new.toml"], 500),
    (&["families", "workload.toml", "-o", "families.toml"], 1_000),
    (&["keys", "workload.toml", "-o", "keys.toml", "--report", "keys.html"], 1_000),
    (&["init", "--data", "follow.csv", "--data", "user.csv", "-o", "init.toml", "--force"], 300),
    (&["generate", "ads", "--scale", "0.01", "-o", "ads", "--force"], 2_000),
    (&["check", "design.toml", "--store", follows::STORE], 300),
];

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

/// Where all commands are at home.
fn home() -> Home {
    let home = follows::loaded();
    follows::write_workload_of_one_table(&home);
    home.file("more.hbsh", "scan 'follow', {LIMIT => 5}; get 'user', 'u001'; count 'follow'\n".repeat(2_000));
    home.file("readings.toml", READINGS);
    let readings = (0..2_000)
        .map(|row| format!("s{},2024-01-{:02}T{:02}:00:00Z,{row}\n", row % 10, row / 200 + 1, row / 10 % 20));
    home.file("readings.csv", "station,at,level\n".to_owned() + &readings.collect::<String>());
    home
}

/// Whenever a signal comes, the command ends with 130 or has done all of its work, and leaves the store and the directories
/// as they should be. `TABLESMITH_SOAK=1` tries many moments of each command.
#[test]
fn a_signal_at_any_moment_leaves_nothing_behind() {
    let seed = number("TABLESMITH_SEED").unwrap_or(1);
    println!("moments of signals: TABLESMITH_SEED={seed}");
    let rounds = if std::env::var_os("TABLESMITH_SOAK").is_some() { 20 } else { 1 };
    let mut random = fastrand::Rng::with_seed(seed);
    let home = home();
    let (mut longest, mut interrupted) = ((Duration::ZERO, ""), 0);
    for round in 0..rounds {
        for (command, moments_ms) in COMMANDS {
            let longest_ms = if rounds > 1 { moments_ms } else { moments_ms.min(700) };
            let after = Duration::from_millis(random.u64(0..=longest_ms));
            let signal = if random.bool() { "INT" } else { "TERM" };
            let at = format!("seed {seed}, round {round}: {signal} after {after:?} to {command:?}");
            let running = Running::start(&home, command);
            std::thread::sleep(after);
            let hears = running.hears_signals();
            let ended = running.end_with(signal);
            let is_fine = ended.code.map_or(!hears, |code| matches!(code, 0 | 1 | 130));
            assert!(is_fine, "{at}: {ended:?}");
            if ended.code == Some(130) {
                assert!(ended.err.contains("interrupted"), "{at}: {ended:?}");
                (longest, interrupted) = (longest.max((ended.took, command[0])), interrupted + 1);
            }
            assert_eq!(left_behind(&home), Vec::<String>::new(), "{at}");
            let unfinished = home.path("ads/.ads.csv.unfinished");
            assert!(!unfinished.exists(), "{at}");
            check_after(&home, command, &at);
        }
    }
    println!(
        "{interrupted} commands were interrupted; the slowest, {}, took {:?} to end",
        longest.1, longest.0
    );
}

/// A load that was interrupted goes on; all else finds the store as it was.
fn check_after(home: &Home, command: &[&str], at: &str) {
    if command[0] == "load" {
        let run = home.run(["load", "design.toml", "--store", follows::STORE]);
        assert_eq!(run.code, 0, "{at}: {run:?}");
    }
    if command.contains(&follows::STORE) {
        follows::check(home);
    }
}

const READINGS: &str = r#"version = 1
[[table]]
name = "reading"
data = "readings.csv"
rows = 2000
key = ["station", "at"]
[table.columns]
station = { type = "string", distinct = 10, bytes = 2 }
at = { type = "timestamp", distinct = 200, bytes = 8 }
level = { type = "int", distinct = 2000, bytes = 4 }
[table.time]
column = "at"
entity = ["station"]
[[query]]
name = "readings of a station"
sql = "SELECT at, level FROM reading WHERE station = ? AND at >= ? AND at < ?"
rate = 10
"#;
