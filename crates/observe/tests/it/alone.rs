//! Tests in a process of their own: what they print to the terminal and how much memory they take is theirs alone.

use std::ffi::OsStr;
use std::process::Command;

const ALONE: &str = "TABLESMITH_TEST_ALONE";

/// Runs a test alone, with a variable by which it knows, and gives what it printed to both outputs.
pub fn run_alone(test: &str, variable: &str, value: impl AsRef<OsStr>) -> (String, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads", "1"])
        .env(variable, value)
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && out.contains("1 passed"), "{out}\n{err}");
    (out, err)
}

/// Runs the body of a test alone: other tests measure the memory of the process that they share.
pub fn alone(test: &str, body: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        return body();
    }
    println!("{}", run_alone(test, ALONE, test).0);
}

/// Prints the most memory that this process had, where the system says it.
pub fn print_peak() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    println!("peak {}", line.trim());
}

/// The most memory that a process had, in bytes, by what it printed; 0 where the system does not say it.
pub fn peak_of(out: &str) -> u64 {
    let line = out.lines().find_map(|line| line.strip_prefix("peak ")).unwrap();
    line.strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}
