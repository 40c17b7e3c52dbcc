//! The particles.

use tablesmith_generate::cosmology::{Census, Cosmology, Kind, SNAPSHOTS, States, generate};
use tablesmith_model::workload::{SequenceKind, Workload};
use tempfile::TempDir;

const SMALL: Cosmology = Cosmology { scale: 0.000_2, stars_only: false };

#[test]
fn states_are_as_many_as_the_census_says_and_in_order() {
    let census = Census::new(SMALL);
    let states: Vec<_> = States::new(census, 1).collect();
    assert_eq!(states.len() as u64, census.states());
    assert!(states.is_sorted_by_key(|state| (state.snapshot, state.kind, state.id)));
    let snapshots: Vec<u32> = SNAPSHOTS.into();
    let mut seen: Vec<u32> = states.iter().map(|state| state.snapshot).collect();
    seen.dedup();
    assert_eq!(seen, snapshots);
    assert!(
        States::new(Census::new(Cosmology { stars_only: true, ..SMALL }), 1).all(|s| s.kind == Kind::Star)
    );
}

#[test]
fn the_same_seed_gives_the_same_states() {
    let of = |seed| States::new(Census::new(SMALL), seed).collect::<Vec<_>>();
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn stars_stay_once_they_are_born() {
    let census = Census::new(SMALL);
    for (earlier, later) in SNAPSHOTS.iter().zip(SNAPSHOTS.iter().skip(1)) {
        let (before, after) = (census.ids(Kind::Star, *earlier), census.ids(Kind::Star, *later));
        assert!(before.start == after.start && before.end <= after.end);
    }
}

#[test]
fn the_files_say_what_the_states_are() {
    let directory = TempDir::with_prefix("tablesmith-cosmology-").unwrap();
    let written = generate(SMALL, 1, directory.path(), &mut |_| {}).unwrap();
    let read = |name| std::fs::read_to_string(directory.path().join(name)).unwrap();
    let data = read("particles.csv");
    assert_eq!(data.lines().count() as u64, written.states + 1);
    assert!(data.starts_with("snapshot,kind,id,px,"));
    let workload = Workload::parse(&read("workload.toml")).unwrap();
    let table = workload.table("particle").unwrap();
    let time = table.time.clone().unwrap();
    assert_eq!((time.column.as_str(), time.kind), ("snapshot", SequenceKind::Sequence));
    assert_eq!((table.rows, time.entity.len()), (Some(written.states), 2));
}
