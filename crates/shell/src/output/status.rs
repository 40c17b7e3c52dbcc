//! The servers and their load.

use serde_json::{Value, json};
use tablesmith_model::bytes_text::printable;
use tablesmith_store::{RegionLoad, ServerLoad};

use super::region_table;
use super::{StatusDetail, StatusReport};

/// The report as HBase's shell prints it, as far as a store knows what it says.
pub fn text(report: &StatusReport) -> String {
    let servers = &report.status.servers;
    let regions: u64 = servers.iter().map(|server| server.regions).sum();
    if report.detail == StatusDetail::Summary {
        let average = if servers.is_empty() { 0.0 } else { regions as f64 / servers.len() as f64 };
        let count = servers.len();
        return format!(
            "1 active master, 0 backup masters, {count} servers, 0 dead, {average:.4} average load\n"
        );
    }
    let mut text = format!("store:  {}\n{} live servers\n", printable(&report.status.store), servers.len());
    for server in servers {
        text.push_str(&server_text(server));
        for region in report.regions.iter().filter(|region| region.server == server.server) {
            text.push_str(&format!("        {:?}\n            {}\n", region.name(), load_text(&region.load)));
        }
    }
    let requests: u64 = servers.iter().map(|server| requests(&server.load)).sum();
    text.push_str(&format!("0 dead servers\nAggregate load: {requests}, regions: {regions}\n"));
    text
}

/// The report as JSON.
pub fn json(report: &StatusReport) -> Value {
    let servers: Vec<Value> = report
        .status
        .servers
        .iter()
        .map(|server| {
            json!({
                "server": server.server,
                "regions": server.regions,
                "reads": server.load.reads,
                "writes": server.load.writes,
                "stored_bytes": server.load.stored_bytes,
                "memstore_bytes": server.load.memstore_bytes,
                "store_files": server.load.store_files,
            })
        })
        .collect();
    let mut object = json!({ "store": report.status.store, "servers": servers });
    if report.detail == StatusDetail::Detailed
        && let Some(object) = object.as_object_mut()
    {
        let regions: Vec<Value> = report.regions.iter().map(region_table::json).collect();
        object.insert("regions".to_owned(), regions.into());
    }
    object
}

fn server_text(server: &ServerLoad) -> String {
    let (name, regions) = (printable(&server.server), server.regions);
    format!("    {name}\n        regions={regions}, {}\n", load_text(&server.load))
}

fn load_text(load: &RegionLoad) -> String {
    let stored = load.stored_bytes.map_or_else(String::new, |bytes| format!(", storedBytes={bytes}"));
    format!(
        "requests={}, reads={}, writes={}, memstoreBytes={}, storeFiles={}{stored}",
        requests(load),
        load.reads,
        load.writes,
        load.memstore_bytes,
        load.store_files
    )
}

fn requests(load: &RegionLoad) -> u64 {
    load.reads.saturating_add(load.writes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::ClusterStatus;

    fn report(detail: StatusDetail) -> StatusReport {
        let load = RegionLoad { reads: 3, writes: 4, ..RegionLoad::default() };
        let servers = ["a", "b"].map(|name| ServerLoad { server: name.to_owned(), regions: 2, load });
        let status = ClusterStatus { store: "test".to_owned(), servers: servers.to_vec() };
        StatusReport { status, regions: Vec::new(), detail }
    }

    #[test]
    fn a_summary_is_one_line() {
        assert_eq!(
            text(&report(StatusDetail::Summary)),
            "1 active master, 0 backup masters, 2 servers, 0 dead, 2.0000 average load\n"
        );
        assert!(text(&report(StatusDetail::Simple)).ends_with("Aggregate load: 14, regions: 4\n"));
        assert_eq!(json(&report(StatusDetail::Simple))["servers"][1]["writes"], 4);
    }
}
