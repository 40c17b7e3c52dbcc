//! Lists of filters: all must pass, or one.

use tablesmith_store::Scan;
use tablesmith_store::filter::{CompareOp, Filter};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, all_of, binary, family, one_of, scan_all, value_is, value_is_not};
use super::table::Table;

fn by(filter: Filter) -> Scan {
    Scan::all().with(filter)
}

fn prefix(row: &'static str) -> Filter {
    Filter::Prefix(row.into())
}

fn qualifier(name: &'static str) -> Filter {
    Filter::Qualifier(CompareOp::Equal, binary(name))
}

async fn rows<'a>(lab: &Lab<'a>) -> Checked<Table<'a>> {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r1", "f:a", 1, "1"), ("r2", "f:a", 1, "0"), ("r3", "f:a", 1, "1")]).await?;
    table.put(&[("r3", "f:b", 1, "2"), ("r4", "f:b", 1, "1"), ("r4", "f:b", 2, "2")]).await?;
    Ok(table)
}

pub(super) async fn all_must_pass(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    table.scan(by(all_of([value_is("1"), qualifier("a")])), "r1: f:a@1=1 | r3: f:a@1=1").await?;
    table.scan(by(all_of([qualifier("b"), value_is("1")])), "r4: f:b@1=1").await?;
    table.scan(by(all_of([prefix("r3"), value_is_not("1")])), "r3: f:b@1=2").await?;
    table.scan(by(all_of([prefix("r3"), prefix("r4")])), "nothing").await
}

pub(super) async fn one_must_pass(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    let filter = one_of([value_is("0"), qualifier("b")]);
    table.scan(by(filter), "r2: f:a@1=0 | r3: f:b@1=2 | r4: f:b@2=2").await?;
    table.keys(by(one_of([prefix("r1"), prefix("r4")])), "r1 r4").await?;
    let all_versions = scan_all().with(one_of([value_is("1"), value_is("2")]));
    table.scan(all_versions, "r1: f:a@1=1 | r3: f:a@1=1 f:b@1=2 | r4: f:b@2=2 f:b@1=1").await
}

pub(super) async fn of_lists_are_lists(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    let filter = one_of([all_of([prefix("r1"), value_is("1")]), all_of([prefix("r3"), value_is("2")])]);
    table.scan(by(filter), "r1: f:a@1=1 | r3: f:b@1=2").await?;
    let filter = all_of([one_of([prefix("r1"), prefix("r3")]), one_of([value_is("1"), value_is("9")])]);
    table.scan(by(filter), "r1: f:a@1=1 | r3: f:a@1=1").await
}

pub(super) async fn of_nothing_pass_everything(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    table.keys(by(all_of([])), "r1 r2 r3 r4").await?;
    table.keys(by(one_of([])), "r1 r2 r3 r4").await
}

/// A page counts the rows that the other filters leave.
pub(super) async fn with_pages_count_what_is_left(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    table.keys(by(all_of([Filter::Page(1), value_is("0")])), "r2").await?;
    table.keys(by(all_of([value_is("1"), Filter::Page(2)])), "r1 r3").await?;
    table.keys(by(all_of([prefix("r"), Filter::Page(3)])), "r1 r2 r3").await?;
    let later = Filter::Row(CompareOp::Greater, binary("r1"));
    table.keys(by(all_of([Filter::Page(2), later])), "r2 r3").await
}

pub(super) async fn change_cells_in_turn(lab: &Lab<'_>) -> Checked {
    let table = rows(lab).await?;
    let keys = || Filter::KeyOnly { length_as_value: false };
    let expected = "r1: f:a@1= | r2: f:a@1= | r3: f:a@1= | r4: f:b@2=";
    table.scan(by(all_of([Filter::FirstKeyOnly, keys()])), expected).await?;
    table.scan(by(all_of([keys(), value_is("0")])), "r2: f:a@1=").await
}
