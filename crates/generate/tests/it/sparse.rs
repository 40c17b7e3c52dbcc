//! The sparse rows.

use std::path::Path;

use tablesmith_generate::GenerateError;
use tablesmith_generate::sparse::{Sparse, generate};
use tablesmith_model::workload::Workload;
use tempfile::TempDir;

const SMALL: Sparse = Sparse { scale: 0.000_5, files: 1, width: 6 };

fn made(sparse: Sparse, seed: u64) -> TempDir {
    let directory = TempDir::with_prefix("tablesmith-sparse-").unwrap();
    generate(sparse, seed, directory.path(), &mut |_| {}).unwrap();
    directory
}

fn lines(directory: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join(name)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn several_files_hold_the_rows_of_one() {
    let (one, four) = (made(SMALL, 1), made(Sparse { files: 4, ..SMALL }, 1));
    let whole = lines(one.path(), "sparse.csv");
    let parts: Vec<String> =
        (1..=4).flat_map(|file| lines(four.path(), &format!("sparse-{file:02}.csv"))).collect();
    assert_eq!(whole.len(), 2_000);
    assert_eq!(whole, parts);
    let ids: Vec<u64> = whole.iter().map(|line| line.split_once(',').unwrap().0.parse().unwrap()).collect();
    assert!(ids.iter().copied().eq(1..=2_000), "ids count from 1");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let of = |seed| lines(made(SMALL, seed).path(), "sparse.csv");
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn the_workload_describes_the_data() {
    for (files, data) in [(1, Some("sparse.csv")), (3, None)] {
        let directory = made(Sparse { files, ..SMALL }, 1);
        let text = std::fs::read_to_string(directory.path().join("workload.toml")).unwrap();
        let workload = Workload::parse(&text).unwrap();
        let table = workload.table("sparse").unwrap();
        assert_eq!((table.rows, table.data.as_deref()), (Some(2_000), data));
        assert_eq!(table.key, ["id"]);
    }
}

#[test]
fn nonsense_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for files in [0, 81] {
        let refused = generate(Sparse { files, ..SMALL }, 1, directory.path(), &mut |_| {});
        assert!(matches!(refused, Err(GenerateError::Files(_))), "{files}");
    }
    let refused = generate(Sparse { scale: f64::NAN, ..SMALL }, 1, directory.path(), &mut |_| {});
    assert!(matches!(refused, Err(GenerateError::Scale(_))));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
