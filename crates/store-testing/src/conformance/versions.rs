//! Versions: how many of a column are read, and until when the rest is there.

use tablesmith_store::{Get, Put, Scan};

use super::check::Checked;
use super::lab::Lab;
use super::requests::{Read, family, family_with, get_all, scan_all, value_is, version};

pub(super) async fn sort_by_timestamp_not_arrival(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 3000, "c"), ("r", "f:q", 1000, "a"), ("r", "f:q", 2000, "b")]).await?;
    table.get(Get::new("r"), "f:q@3000=c").await?;
    table.get(get_all("r"), "f:q@3000=c f:q@2000=b f:q@1000=a").await?;
    table.get(Get::new("r").during(1000, 1001), "f:q@1000=a").await?;
    table.put(&[("r", "f:q", 500, "z")]).await?;
    table.scan(scan_all(), "r: f:q@3000=c f:q@2000=b f:q@1000=a").await
}

pub(super) async fn are_limited_by_read_and_family(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    for (timestamp, value) in [(1000, "v1"), (2000, "v2"), (3000, "v3"), (4000, "v4")] {
        table.put(&[("r", "f:q", timestamp, value)]).await?;
    }
    table.get(Get::new("r").versions(2), "f:q@4000=v4 f:q@3000=v3").await?;
    table.get(get_all("r"), "f:q@4000=v4 f:q@3000=v3 f:q@2000=v2").await?;
    table.scan(Scan::all(), "r: f:q@4000=v4").await?;
    table.scan(Scan::all().versions(2), "r: f:q@4000=v4 f:q@3000=v3").await
}

pub(super) async fn are_counted_for_each_column(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2), family("g")]).await?;
    let columns = ["f:", "f:a", "f:ab", "g:a"];
    for column in columns {
        table.put(&[("r", column, 1, "1"), ("r", column, 2, "2"), ("r", column, 3, "3")]).await?;
    }
    table.get(get_all("r"), "f:@3=3 f:@2=2 f:a@3=3 f:a@2=2 f:ab@3=3 f:ab@2=2 g:a@3=3").await
}

pub(super) async fn of_one_timestamp_the_last_write_wins(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("r", "f:q", 1000, "a"), ("r", "f:q", 1000, "b")]).await?;
    table.get(get_all("r"), "f:q@1000=b").await?;
    table.raw("r: f:q@1000=b").await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 1000, "c"), ("r", "f:q", 500, "old")]).await?;
    table.get(get_all("r"), "f:q@1000=c f:q@500=old").await?;
    table.scan(scan_all().with(value_is("b")), "nothing").await?;
    table.flush().await?;
    table.major_compact().await?;
    table.raw("r: f:q@1000=c f:q@500=old").await
}

pub(super) async fn of_one_put_the_last_cell_wins(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.write(Put::new("r").add_at("f", "q", 5, "a").add_at("f", "q", 5, "b")).await?;
    table.get(get_all("r"), "f:q@5=b").await?;
    table.raw("r: f:q@5=b").await
}

pub(super) async fn past_the_limit_show_in_a_time_range_until_a_flush(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    for (timestamp, value) in [(1000, "v1"), (2000, "v2"), (3000, "v3"), (4000, "v4")] {
        table.put(&[("r", "f:q", timestamp, value)]).await?;
    }
    table.get(get_all("r").during(0, 3000), "f:q@2000=v2 f:q@1000=v1").await?;
    table.scan(Scan::all().during(0, 1001), "r: f:q@1000=v1").await?;
    table.raw("r: f:q@4000=v4 f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await?;
    table.flush().await?;
    table.get(get_all("r").during(0, 3000), "nothing").await?;
    table.get(get_all("r").during(1000, 4000), "f:q@3000=v3").await?;
    table.raw("r: f:q@4000=v4 f:q@3000=v3").await
}

pub(super) async fn come_back_when_newer_ones_are_deleted(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    for (timestamp, value) in [(1000, "v1"), (2000, "v2"), (3000, "v3"), (4000, "v4")] {
        table.put(&[("r", "f:q", timestamp, value)]).await?;
    }
    table.delete("r", version("f:q", 4000)).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2000=v2").await?;
    table.delete("r", version("f:q", 3000)).await?;
    table.get(get_all("r"), "f:q@2000=v2 f:q@1000=v1").await?;
    table.flush().await?;
    table.get(get_all("r"), "f:q@2000=v2 f:q@1000=v1").await?;
    table.raw("r: f:q@4000!Delete f:q@3000!Delete f:q@2000=v2 f:q@1000=v1").await
}

pub(super) async fn do_not_come_back_after_a_flush(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.flush().await?;
    table.delete("r", version("f:q", 3000)).await?;
    table.get(get_all("r"), "f:q@2000=v2").await?;
    table.delete("r", version("f:q", 2000)).await?;
    table.get(get_all("r"), "nothing").await?;
    table.put(&[("r", "f:q", 1500, "new")]).await?;
    table.get(get_all("r"), "f:q@1500=new").await
}

pub(super) async fn are_counted_over_files_and_memory(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table.put(&[("r", "f:q", 1000, "v1")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 2000, "v2")]).await?;
    table.flush().await?;
    table.put(&[("r", "f:q", 3000, "v3")]).await?;
    table.get(get_all("r"), "f:q@3000=v3 f:q@2000=v2").await?;
    table.get(Get::new("r").during(0, 1500), "f:q@1000=v1").await?;
    table.flush().await?;
    table.raw("r: f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await?;
    table.major_compact().await?;
    table.raw("r: f:q@3000=v3 f:q@2000=v2").await
}

/// The family's limit comes first, then the filter, then the read's limit.
pub(super) async fn are_limited_by_family_then_filter_then_read(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(2)]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.scan(Scan::all().with(value_is("v2")), "r: f:q@2000=v2").await?;
    table.scan(Scan::all().with(value_is("v1")), "nothing").await?;
    table.get(get_all("r").with(value_is("v1")), "nothing").await?;
    table.get(Get::new("r").with(value_is("v2")), "f:q@2000=v2").await
}

pub(super) async fn of_a_raw_scan_are_limited_by_the_read_alone(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family_with("f", "VERSIONS=1")?]).await?;
    table.put(&[("r", "f:q", 1000, "v1"), ("r", "f:q", 2000, "v2"), ("r", "f:q", 3000, "v3")]).await?;
    table.scan(Scan::all().raw(), "r: f:q@3000=v3").await?;
    table.scan(Scan::all().raw().versions(2), "r: f:q@3000=v3 f:q@2000=v2").await?;
    table.raw("r: f:q@3000=v3 f:q@2000=v2 f:q@1000=v1").await
}
