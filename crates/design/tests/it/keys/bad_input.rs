//! What does not make sense is said, and does not stop the rest.

use tablesmith_design::keys::{IdColumn, Judge, Row, Setup, StrategyName};
use tablesmith_model::value::{Value, ValueType};

use super::streams::{ids, judge, of_ids};

#[test]
fn ids_that_are_not_numbers_leave_only_mod_out() {
    let setup = Setup::new(vec![IdColumn::new("id", ValueType::String)], 3);
    let rows = (0..1_000).map(|row| {
        let text = if row == 700 { "x17".to_owned() } else { row.to_string() };
        vec![Value::String(text)]
    });
    let judgement = judge(&setup, rows);
    let left_out = judgement.left_out.iter().find(|one| one.name == StrategyName::Mod).unwrap();
    assert!(left_out.reason.contains("row 701") && left_out.reason.contains("x17"), "{}", left_out.reason);
    assert!(judgement.strategy(StrategyName::Md5Mod).is_some());
}

#[test]
fn rows_without_lines_leave_only_the_prefix_of_lines_out() {
    let mut judge = Judge::new(&of_ids(2)).unwrap();
    (0..100).for_each(|id| judge.take(&Row { values: &[Value::Int(id)], line: None, bytes: 1 }));
    let judgement = judge.finish();
    assert!(
        judgement
            .left_out
            .iter()
            .any(|one| one.name == StrategyName::Md5LineMod && one.reason.contains("no lines"))
    );
    assert!(judgement.strategy(StrategyName::Random).is_some());
}

#[test]
fn no_rows_are_a_warning() {
    let judgement = judge(&of_ids(2), ids(0));
    assert_eq!((judgement.rows, &judgement.best), (0, &None));
    assert!(judgement.warnings[0].contains("no rows"));
}

#[test]
fn one_region_and_odd_region_counts_are_warned_of() {
    let mut setup = of_ids(4);
    setup.regions = Some(1);
    assert!(judge(&setup, ids(10)).warnings.iter().any(|told| told.contains("one region is on one server")));
    setup.regions = Some(10);
    assert!(judge(&setup, ids(10)).warnings.iter().any(|told| told.contains("take 12 regions")));
    setup.regions = Some(12);
    setup.prefixes = Some(8);
    let judgement = judge(&setup, ids(1_000));
    let told = judgement.strategy(StrategyName::Md5Mod).unwrap().warnings.join("\n");
    assert!(told.contains("more than there are prefixes"), "{told}");
}

#[test]
fn ids_that_come_again_are_counted() {
    let judgement = judge(&of_ids(2), ids(1_000).chain(ids(50)));
    assert_eq!((judgement.duplicates.distinct, judgement.duplicates.duplicates), (1_000.0, 50.0));
}
