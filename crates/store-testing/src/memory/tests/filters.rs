//! Filters, where they meet versions, markers and regions.

use tablesmith_store::filter::{ColumnCondition, Comparator, CompareOp, Filter};

use super::*;

fn binary(value: &'static str) -> Comparator {
    Comparator::Binary(value.into())
}

fn value_is(value: &'static str) -> Filter {
    Filter::Value(CompareOp::Equal, binary(value))
}

fn row_is_not(row: &'static str) -> Filter {
    Filter::Row(CompareOp::NotEqual, binary(row))
}

fn with(mut get: Get, filter: Filter) -> Get {
    get.read.filter = Some(filter);
    get
}

#[tokio::test]
async fn a_filter_sees_past_the_versions_of_the_read_but_not_past_those_of_the_family() {
    let lab = Lab::new([family("f", 2)]).await;
    lab.versions("r", "f:q", &[1, 2, 3]).await;
    assert_eq!(lab.get(with(Get::new("r"), value_is("v2"))).await, "f:q@2=v2");
    assert_eq!(lab.get(with(Get::new("r").versions(9), value_is("v1"))).await, "");
}

#[tokio::test]
async fn versions_of_the_read_are_counted_after_the_filter() {
    let lab = Lab::new([family("f", 5)]).await;
    lab.versions("r", "f:q", &[1, 2, 3, 4]).await;
    let filter = || Filter::Value(CompareOp::NotEqual, binary("v4"));
    assert_eq!(lab.get(with(Get::new("r"), filter())).await, "f:q@3=v3");
    assert_eq!(
        lab.get(with(Get::new("r").column("f", "q").versions(2), filter())).await,
        "f:q@3=v3 f:q@2=v2"
    );
}

#[tokio::test]
async fn limit_and_offset_are_counted_after_the_filter() {
    let lab = Lab::new([family("f", 1)]).await;
    for (column, value) in [("f:a", "x"), ("f:b", "y"), ("f:c", "x"), ("f:d", "x")] {
        lab.put("r", column, 1, value).await;
    }
    let mut get = with(Get::new("r"), value_is("x"));
    get.read.max_results_per_family = Some(1);
    get.read.row_offset_per_family = 1;
    assert_eq!(lab.get(get).await, "f:c@1=x");
}

/// HBase never jumps out of the column without a name, so that a filter sees its older versions again.
#[tokio::test]
async fn the_column_without_a_name_is_offered_version_by_version() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:", &[2, 3]).await;
    lab.versions("r", "f:a", &[1]).await;
    lab.versions("r", "f:b", &[1]).await;
    let two_columns = || Filter::ColumnPagination { limit: 2, offset: 0 };
    assert_eq!(lab.get(with(Get::new("r"), two_columns())).await, "f:@3=v3");
    let named = Get::new("r").column("f", "").column("f", "a").column("f", "b");
    assert_eq!(lab.get(with(named, two_columns())).await, "f:@3=v3 f:a@1=v1");
}

#[tokio::test]
async fn a_hint_jumps_over_family_markers_unseen() {
    let lab = Lab::new([family("f", 3)]).await;
    lab.versions("r", "f:", &[9]).await;
    lab.versions("r", "f:a", &[1]).await;
    lab.delete("r", whole_family("f", 5)).await;
    assert_eq!(lab.get(Get::new("r")).await, "f:@9=v9");
    assert_eq!(lab.get(with(Get::new("r"), Filter::ColumnPrefix("a".into()))).await, "f:a@1=v1");
}

#[tokio::test]
async fn a_hint_jumps_over_versions_uncounted_and_over_column_markers_unseen() {
    let lab = Lab::new([family("f", 2)]).await;
    lab.versions("r", "f:q", &[2, 6, 7, 8]).await;
    lab.delete("r", column("f:q", 5)).await;
    let at = |can_hint| Filter::Timestamps { timestamps: vec![2], can_hint };
    assert_eq!(lab.get(with(Get::new("r").versions(9), at(false))).await, "");
    assert_eq!(lab.get(with(Get::new("r").versions(9), at(true))).await, "f:q@2=v2");
}

#[tokio::test]
async fn a_filter_done_ends_its_region_and_the_scan_only_if_the_portion_is_empty() {
    let lab = Lab::with_splits([family("f", 1)], &["c", "e"]).await;
    for row in ["a", "b", "c", "d", "e"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    let until = |row| Filter::While(Box::new(row_is_not(row)));
    assert_eq!(lab.keys(Scan::all().filter(until("b"))).await, "a c d e");
    assert_eq!(lab.keys(Scan::all().filter(until("c"))).await, "a b");
    assert_eq!(lab.keys(Scan::all().filter(until("a"))).await, "");
    // With portions of one row the end of the filter comes in a portion of its own.
    let one_by_one = |row| Scan { caching: Some(1), ..Scan::all().filter(until(row)) };
    assert_eq!(lab.keys(one_by_one("b")).await, "a");
    assert_eq!(lab.keys(one_by_one("d")).await, "a b c");
}

/// The filter is asked once more before it forgets the row: one that is full ends the region.
#[tokio::test]
async fn a_filter_that_is_full_at_the_end_of_a_row_ends_the_region() {
    let lab = Lab::with_splits([family("f", 1)], &["c"]).await;
    for row in ["a", "b", "c", "d"] {
        lab.put(row, "f:p", 1, "v").await;
        lab.put(row, "f:q", 1, "v").await;
    }
    assert_eq!(lab.scan(Scan::all().filter(Filter::ColumnCountGet(1))).await, "a[f:p@1=v] c[f:p@1=v]");
    assert_eq!(lab.keys(Scan::all().filter(Filter::ColumnCountGet(2))).await, "a b c d");
}

#[tokio::test]
async fn a_page_is_one_of_each_region() {
    let lab = Lab::with_splits([family("f", 1)], &["c"]).await;
    for row in ["a", "b", "c", "d"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    assert_eq!(lab.keys(Scan::all().filter(Filter::Page(1))).await, "a c");
    assert_eq!(lab.keys(Scan { caching: Some(1), ..Scan::all().filter(Filter::Page(1)) }).await, "a c");
    assert_eq!(lab.keys(Scan::all().filter(Filter::Page(1)).reversed()).await, "d b");
}

#[tokio::test]
async fn a_row_of_which_nothing_is_visible_is_no_row_of_a_page() {
    let lab = Lab::new([family("f", 1)]).await;
    for row in ["a", "b", "c"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    lab.delete("a", column("f:q", 1)).await;
    assert_eq!(lab.keys(Scan::all().filter(Filter::Page(1))).await, "b");
}

#[tokio::test]
async fn a_row_that_lies_only_in_files_of_another_time_is_not_shown_to_the_filter() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.put("b", "f:q", 1, "v").await;
    lab.flush().await;
    lab.put("a", "f:q", 10, "v").await;
    lab.put("c", "f:q", 10, "v").await;
    let mut scan = Scan::all().filter(Filter::While(Box::new(row_is_not("b"))));
    assert_eq!(lab.keys(scan.clone()).await, "a");
    scan.read.time_range = during(5, 20);
    assert_eq!(lab.keys(scan).await, "a c");
}

fn condition(family: &'static str, value: &'static str) -> Filter {
    Filter::SingleColumnValue(ColumnCondition {
        family: family.into(),
        qualifier: "q".into(),
        op: CompareOp::Equal,
        comparator: binary(value),
        filter_if_missing: true,
        latest_version_only: true,
    })
}

#[tokio::test]
async fn families_that_the_filter_does_not_need_join_the_rows_that_pass() {
    let lab = Lab::new([family("f", 1), family("g", 1)]).await;
    for (row, value) in [("a", "x"), ("b", "y"), ("c", "x")] {
        lab.put(row, "g:q", 1, value).await;
        lab.put(row, "f:p", 1, "p").await;
    }
    lab.put("d", "f:p", 1, "p").await;
    let scan = Scan::all().filter(condition("g", "x"));
    assert_eq!(lab.scan(scan.clone()).await, "a[f:p@1=p g:q@1=x] c[f:p@1=p g:q@1=x]");
    let backwards = lab.store.scan_all(&lab.table, scan.reversed()).await;
    assert_eq!(refused(backwards), "DoNotRetryIOException");
}

#[tokio::test]
async fn a_filter_that_decides_on_rows_does_not_go_with_a_batch() {
    let lab = Lab::new([family("f", 1)]).await;
    let scan = Scan { batch: Some(1), ..Scan::all().filter(Filter::Page(1)) };
    assert_eq!(refused(lab.store.scan_all(&lab.table, scan).await), "IncompatibleFilterException");
}

#[tokio::test]
async fn row_ranges_are_reached_by_jumping_over_regions_too() {
    let lab = Lab::with_splits([family("f", 1)], &["d"]).await;
    for row in ["a", "b", "c", "d", "e", "f"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    let range = |start: &'static str, stop: &'static str| tablesmith_store::filter::RowRange {
        start: start.into(),
        start_inclusive: true,
        stop: stop.into(),
        stop_inclusive: false,
    };
    let filter = Filter::MultiRowRange(vec![range("b", "c"), range("e", "f")]);
    assert_eq!(lab.keys(Scan::all().filter(filter)).await, "b e");
}
