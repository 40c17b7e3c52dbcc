//! Time ranges: lower bound in, upper bound out, applied before versions are counted.

use tablesmith_store::{Get, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, column, family, get_all, scan_all, version};

pub(super) async fn takes_its_lower_bound_and_leaves_its_upper(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.put(&[("s", "f:q", 9000, "w9")]).await?;
    table.get(get_all("r").during(1000, 3000), "f:q@2000=v2 f:q@1000=v1").await?;
    table.get(get_all("r").during(1001, 2000), "nothing").await?;
    table.get(get_all("r").during(0, 1001), "f:q@1000=v1").await?;
    table.scan(scan_all().during(2000, 3001), "r: f:q@3000=v3 f:q@2000=v2").await?;
    table.scan(Scan::all().during(4000, 9001), "s: f:q@9000=w9").await
}

pub(super) async fn is_applied_before_versions_are_counted(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.get(Get::new("r").during(1000, 3000), "f:q@2000=v2").await?;
    table.scan(Scan::all().during(0, 1500), "r: f:q@1000=v1").await
}

pub(super) async fn that_is_empty_finds_nothing(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1000, "v"), ("r", "f:z", 0, "zero")]).await?;
    table.scan(Scan::all().during(1000, 1000), "nothing").await?;
    table.scan(Scan::all().during(0, 0), "nothing").await?;
    table.scan(Scan::all().during(0, 1), "r: f:z@0=zero").await?;
    table.scan(Scan::all().during(0, i64::MAX), "r: f:q@1000=v f:z@0=zero").await
}

pub(super) async fn lets_newer_markers_hide(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5)]).await?;
    table.put(&[("r", "f:a", 1000, "a1"), ("r", "f:b", 1000, "b1"), ("r", "f:c", 1000, "c1")]).await?;
    table.delete("r", column("f:a", 5000)).await?;
    table.delete("r", version("f:b", 5000)).await?;
    table.get(get_all("r").during(0, 2000), "f:b@1000=b1 f:c@1000=c1").await?;
    table.flush().await?;
    table.scan(scan_all().during(0, 2000), "r: f:b@1000=b1 f:c@1000=c1").await
}

pub(super) async fn of_a_family_takes_the_place_of_the_common_one(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(5), family("g").with_versions(5)]).await?;
    for column in ["f:q", "g:q"] {
        table.put(&[("r", column, 1000, "v1"), ("r", column, 2000, "v2"), ("r", column, 3000, "v3")]).await?;
    }
    let get = get_all("r").during(2000, 4000).family_during("g", 0, 1500);
    table.get(get, "f:q@3000=v3 f:q@2000=v2 g:q@1000=v1").await?;
    let scan = scan_all().family_during("f", 3000, 3001);
    table.scan(scan, "r: f:q@3000=v3 g:q@3000=v3 g:q@2000=v2 g:q@1000=v1").await
}
