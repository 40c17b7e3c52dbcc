//! Figures of the published comparison on TPC-H: totals over the eight tables without a limit on families.

use tablesmith_design::families::cost::Disk;
use tablesmith_design::families::registry::{self, Settings};
use tablesmith_design::families::{FamilyLimit, Method};

use crate::tpch;

fn method(name: &str) -> Box<dyn Method> {
    registry::by_name(name, &Settings::default()).expect("it is registered")
}

#[track_caller]
fn assert_total(name: &str, published: f64) {
    let total = tpch::total(&*method(name));
    assert!((total - published).abs() < 0.0005, "{name}: {total:.6}, published {published}");
}

#[test]
fn the_row_layout_is_as_published() {
    assert_total("one", 2086.864);
}

#[test]
fn the_column_layout_is_as_published() {
    assert_total("each", 435.867);
}

#[test]
fn hillclimb_is_as_published() {
    assert_total("hillclimb", 415.151);
}

#[test]
fn autopart_is_as_published() {
    assert_total("autopart", 415.151);
}

#[test]
fn trojan_is_as_published() {
    assert_total("trojan", 415.182);
}

/// The comparison has 427.406, with groups in which nothing is merged. All groupings of a subgraph are priced here.
#[test]
fn hyrise_reaches_the_optimum() {
    assert_total("hyrise", 415.151);
}

/// The comparison has 523.877 and loses a column in the clustering; without that fault, cut along one order, about 416.2.
/// Cut along a ring, as the paper's SHIFT has it, it is better.
#[test]
fn navathe_is_near_the_optimum() {
    assert_total("navathe", 415.157);
}

/// The comparison has 550.644 and loses a column in the clustering; without that fault about 445.5. Here columns find their
/// places anew with every query.
#[test]
fn o2p_is_somewhat_above_the_optimum() {
    assert_total("o2p", 433.553);
}

#[test]
fn both_evolutions_reach_the_optimum() {
    assert_total("evolve+", 415.151);
    let plain = tpch::total(&*method("evolve"));
    assert!((415.150..420.0).contains(&plain), "{plain}");
}

#[test]
fn greedy_merging_down_to_three_families_is_not_optimal() {
    let lineitem = tpch::table("lineitem", FamilyLimit::AtMost(3));
    let (greedy, outcome) = tpch::run(&*method("hillclimb"), &lineitem, &Disk::default(), 1);
    assert!((greedy - 633.166).abs() < 0.0005, "{greedy}");
    assert_eq!(outcome.notes, ["put together further, the cheapest pair first, from 13 to 3 families"]);
    let (better, _) = tpch::run(&*method("evolve+"), &lineitem, &Disk::default(), 1);
    assert!((better - 605.090).abs() < 0.0005, "{better}");
}
