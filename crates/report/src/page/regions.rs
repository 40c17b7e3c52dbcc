//! Load per region: whether the work is spread over regions and servers.

use std::collections::BTreeMap;

use super::html::{self, Cell, Table, details, figure};
use crate::number::{NONE, bytes, grouped};
use crate::pictures::Pictures;
use crate::view::View;

#[derive(Default)]
struct Server {
    regions: u64,
    reads: Option<u64>,
    writes: Option<u64>,
    bytes: Option<u64>,
}

/// The section, when designs say what regions they have.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let mut table =
        Table::new("Load by server", &["design", "server", "regions", "reads", "writes", "bytes"]);
    for shown in &view.designs {
        for (name, server) in servers(shown.design) {
            let count = |count: Option<u64>| Cell::Number(count.map_or(NONE.to_owned(), grouped));
            table.row(vec![
                Cell::Name(shown.design.name.clone(), Some(shown.class)),
                Cell::Words(name.to_owned()),
                Cell::Number(grouped(server.regions)),
                count(server.reads),
                count(server.writes),
                Cell::Number(server.bytes.map_or(NONE.to_owned(), |count| bytes(count as f64))),
            ]);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    let caption = "A bar for each region in key order, coloured by its server; the dashed line is the mean. Writes include loading.";
    let words = details("Load by server, in figures", &table.html());
    html::section(
        "regions",
        "Load per region",
        &format!("{}{words}", figure(pictures.regions.as_ref(), caption)),
    )
}

fn servers(design: &tablesmith_model::evidence::MeasuredDesign) -> BTreeMap<&str, Server> {
    let mut servers: BTreeMap<&str, Server> = BTreeMap::new();
    let add = |sum: &mut Option<u64>, more: Option<u64>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or(0).saturating_add(more));
        }
    };
    for region in &design.regions {
        let server = servers.entry(&region.server).or_default();
        server.regions += 1;
        add(&mut server.reads, region.reads);
        add(&mut server.writes, region.writes);
        add(&mut server.bytes, region.bytes);
    }
    servers
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::{MeasuredDesign, MeasuredRegion};

    #[test]
    fn what_no_region_knows_stays_unknown() {
        let region = |reads| MeasuredRegion { server: "one".into(), reads, ..MeasuredRegion::default() };
        let design =
            MeasuredDesign { regions: vec![region(Some(2)), region(None)], ..MeasuredDesign::default() };
        let servers = servers(&design);
        let one = servers.get("one").unwrap();
        assert_eq!((one.regions, one.reads, one.writes), (2, Some(2), None));
    }
}
