//! Regions: where a table is cut, and that its data stays whole when it is cut anew.

use std::time::Duration;

use bytes::Bytes;
use tablesmith_model::TableDescriptor;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::{RegionInfo, Scan};

use super::check::{Broken, Checked, done, holds, refused, same};
use super::lab::Lab;
use super::requests::{column, family, scan_all};
use super::scans::with_rows;
use super::table::{Table, as_expected};

/// How often a check looks again for regions that a server has yet to open.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The borders of regions: `a..c`.
fn borders(regions: &[RegionInfo]) -> String {
    let borders: Vec<_> = regions
        .iter()
        .map(|region| format!("{}..{}", to_text(&region.start), to_text(&region.end)))
        .collect();
    borders.join(" ")
}

/// Wants a table to be cut so, now or soon.
async fn cut_at(table: &Table<'_>, expected: &str) -> Checked<Vec<RegionInfo>> {
    for _ in 1..LOOKS {
        let regions = table.regions().await?;
        if borders(&regions) == expected {
            return Ok(regions);
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    let regions = table.regions().await?;
    as_expected("regions".to_owned(), &borders(&regions), expected)?;
    Ok(regions)
}

fn nth(regions: &[RegionInfo], place: usize) -> Checked<&RegionInfo> {
    regions.get(place).ok_or_else(|| Broken(format!("there is no region {place}")))
}

pub(super) async fn are_cut_at_the_split_keys(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "c", "d", "e", "z"], ["c", "e"]).await?;
    let regions = cut_at(&table, "..c c..e e..").await?;
    for region in &regions {
        same("table of a region", &region.table, &table.name)?;
        holds("a region has a server", !region.server.is_empty())?;
        holds("a region has a name with its table", region.name().starts_with(&format!("{},", table.name)))?;
    }
    let plain = lab.table([family("f")]).await?;
    cut_at(&plain, "..").await.map(|_| ())
}

pub(super) async fn take_split_keys_in_any_order_but_once(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["m", "c", "t"]).await?;
    cut_at(&table, "..c c..m m..t t..").await?;
    let descriptor = TableDescriptor::new(lab.name()?, [family("f")]);
    let twice = vec![Bytes::from("c"), Bytes::from("c")];
    let answer = lab.store.create_table(descriptor, twice).await;
    refused("a split key twice", answer, "IllegalArgumentException")
}

/// Values, versions and markers in memory and in files on both sides of a border.
async fn with_history<'a>(lab: &Lab<'a>, splits: &[&'static str]) -> Checked<Table<'a>> {
    let table = lab.table_split([family("f").with_versions(3)], splits.iter().copied()).await?;
    table.put(&[("a", "f:q", 1000, "a1"), ("m", "f:q", 1000, "m1"), ("z", "f:q", 1000, "z1")]).await?;
    table.flush().await?;
    table.put(&[("m", "f:q", 2000, "m2"), ("z", "f:r", 2000, "z2"), ("c", "f:q", 1000, "c1")]).await?;
    table.delete("z", column("f:q", 1000)).await?;
    Ok(table)
}

const HISTORY: &str = "a: f:q@1000=a1 | c: f:q@1000=c1 | m: f:q@2000=m2 f:q@1000=m1 | z: f:r@2000=z2";

pub(super) async fn keep_their_data_when_a_table_is_split(lab: &Lab<'_>) -> Checked {
    let table = with_history(lab, &[]).await?;
    done("split", lab.store.split_table(&table.name, Some("m".into())).await)?;
    cut_at(&table, "..m m..").await?;
    table.scan(scan_all(), HISTORY).await?;
    table.keys(Scan::all().reversed(), "z m c a").await?;
    table.put(&[("m", "f:q", 3000, "m3"), ("zz", "f:q", 1, "last")]).await?;
    table.flush().await?;
    table.major_compact().await?;
    table
        .raw(
            "a: f:q@1000=a1 | c: f:q@1000=c1 | m: f:q@3000=m3 f:q@2000=m2 f:q@1000=m1 | z: f:r@2000=z2 | \
             zz: f:q@1=last",
        )
        .await
}

pub(super) async fn keep_their_data_when_one_is_split(lab: &Lab<'_>) -> Checked {
    let table = with_history(lab, &["m"]).await?;
    let regions = cut_at(&table, "..m m..").await?;
    let first = nth(&regions, 0)?.encoded_name();
    done("split_region", lab.store.split_region(&first, Some("b".into())).await)?;
    cut_at(&table, "..b b..m m..").await?;
    table.scan(scan_all(), HISTORY).await
}

pub(super) async fn cannot_be_split_outside_themselves(lab: &Lab<'_>) -> Checked {
    let table = with_rows(lab, ["a", "z"], ["m"]).await?;
    let regions = cut_at(&table, "..m m..").await?;
    let first = nth(&regions, 0)?.encoded_name();
    for key in ["z", "m"] {
        let answer = lab.store.split_region(&first, Some(key.into())).await;
        holds(format!("a split at {key} is refused"), answer.is_err())?;
    }
    cut_at(&table, "..m m..").await.map(|_| ())
}

pub(super) async fn keep_their_data_when_they_are_merged(lab: &Lab<'_>) -> Checked {
    let table = with_history(lab, &["b", "m"]).await?;
    let regions = cut_at(&table, "..b b..m m..").await?;
    let pair = [nth(&regions, 0)?.encoded_name(), nth(&regions, 1)?.encoded_name()];
    done("merge_regions", lab.store.merge_regions(&pair, false).await)?;
    cut_at(&table, "..m m..").await?;
    table.scan(scan_all(), HISTORY).await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw(HISTORY).await
}

pub(super) async fn are_merged_when_they_are_neighbours(lab: &Lab<'_>) -> Checked {
    let table = with_history(lab, &["b", "m"]).await?;
    let regions = cut_at(&table, "..b b..m m..").await?;
    let apart = [nth(&regions, 0)?.encoded_name(), nth(&regions, 2)?.encoded_name()];
    let answer = lab.store.merge_regions(&apart, false).await;
    refused("merge of regions that are apart", answer, "MergeRegionException")?;
    let one = [nth(&regions, 0)?.encoded_name()];
    holds("a region alone is not merged", lab.store.merge_regions(&one, false).await.is_err())?;
    table.scan(scan_all(), HISTORY).await
}

pub(super) async fn keep_their_data_when_they_move(lab: &Lab<'_>) -> Checked {
    let table = with_history(lab, &["m"]).await?;
    let status = done("status", lab.store.status().await)?;
    let regions = cut_at(&table, "..m m..").await?;
    let first = nth(&regions, 0)?;
    let Some(other) = status.servers.iter().find(|server| server.server != first.server) else {
        // With one server there is nowhere to go, and the data stays where it is.
        return table.scan(scan_all(), HISTORY).await;
    };
    done("move_region", lab.store.move_region(&first.encoded_name(), Some(&other.server)).await)?;
    let mut server = String::new();
    for _ in 0..LOOKS {
        server = nth(&table.regions().await?, 0)?.server.clone();
        if server == other.server {
            break;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    same("server after the move", &server, &other.server)?;
    table.scan(scan_all(), HISTORY).await
}

pub(super) async fn that_are_unknown_are_refused(lab: &Lab<'_>) -> Checked {
    let unknown = "0123456789abcdef0123456789abcdef";
    let exception = "UnknownRegionException";
    refused("move_region", lab.store.move_region(unknown, None).await, exception)?;
    let pair = [unknown.to_owned(), unknown.replace('0', "1")];
    refused("merge_regions", lab.store.merge_regions(&pair, false).await, exception)
}
