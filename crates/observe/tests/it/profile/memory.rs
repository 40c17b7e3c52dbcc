//! Memory does not grow with the file.

use std::fmt::Write;
use std::io::{BufWriter, Write as _};

use tablesmith_observe::profile::{Certainty, profile};

/// Bytes of this process that are in memory, where the system says it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}

/// Every value is different, which is the hardest case. Other tests run meanwhile and need a little, too.
#[test]
fn a_million_rows_are_measured_in_little_memory() {
    const MOST_GROWTH: u64 = 120 << 20;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.csv");
    let mut file = BufWriter::new(std::fs::File::create(&path).unwrap());
    let mut line = "id,hash,mixed,text\n".to_owned();
    let mut state = 1u64;
    for row in 0..1_000_000u64 {
        file.write_all(line.as_bytes()).unwrap();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        line.clear();
        writeln!(line, "{row},{state},{:x},a longer text that differs in every row: {state}", state >> 7)
            .unwrap();
    }
    file.write_all(line.as_bytes()).unwrap();
    file.flush().unwrap();
    let before = resident_bytes();
    let mut most = before;
    let profile = profile(&path, &mut |_| most = most.max(resident_bytes())).unwrap();
    assert_eq!(profile.rows, 1_000_000);
    let certainties: Vec<_> = profile.columns.iter().map(|column| column.unique).collect();
    assert_eq!(certainties[0], Some(Certainty::Certain), "it rises from row to row");
    assert!(certainties[1..].iter().all(|unique| *unique == Some(Certainty::Probable)), "{certainties:?}");
    if let (Some(before), Some(most)) = (before, most) {
        let growth = most - before.min(most);
        assert!(
            growth < MOST_GROWTH,
            "{} MiB for a file of {} MiB",
            growth >> 20,
            path.metadata().unwrap().len() >> 20
        );
    }
}
