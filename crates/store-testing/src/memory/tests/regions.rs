//! Splitting, merging and moving regions, and their load.

use super::*;

impl Lab {
    /// `start-end@server` of each region.
    async fn borders(&self) -> String {
        let regions = self.store.regions(&self.table).await.unwrap();
        let one = |region: &tablesmith_store::RegionInfo| {
            format!("{}-{}@{}", to_text(&region.start), to_text(&region.end), region.server)
        };
        regions.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    async fn names(&self) -> Vec<String> {
        self.store.regions(&self.table).await.unwrap().iter().map(|region| region.encoded_name()).collect()
    }
}

#[tokio::test]
async fn regions_go_to_the_servers_in_turn() {
    let lab = Lab::with_splits([family("f", 1)], &["b", "c", "d"]).await;
    assert_eq!(lab.borders().await, "-b@server-1 b-c@server-2 c-d@server-3 d-@server-1");
}

#[tokio::test]
async fn a_split_cuts_at_its_key_or_at_the_middle_row() {
    let lab = Lab::new([family("f", 1)]).await;
    for row in ["a", "b", "c", "d"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    lab.store.split_table(&lab.table, Some("k".into())).await.unwrap();
    assert_eq!(lab.borders().await, "-k@server-1 k-@server-1");
    lab.store.split_region(&lab.names().await[0], None).await.unwrap();
    assert_eq!(lab.borders().await, "-c@server-1 c-k@server-1 k-@server-1");
    assert_eq!(lab.keys(Scan::all()).await, "a b c d");
}

#[tokio::test]
async fn a_split_flushes_first() {
    let lab = Lab::new([family("f", 1)]).await;
    lab.versions("a", "f:q", &[1, 2]).await;
    lab.versions("z", "f:q", &[1, 2]).await;
    lab.store.split_table(&lab.table, Some("k".into())).await.unwrap();
    assert_eq!(lab.raw().await, "a[f:q@2=v2] z[f:q@2=v2]");
    assert_eq!(lab.files().await, 2);
}

#[tokio::test]
async fn a_region_is_not_split_at_its_start_outside_of_it_or_when_it_is_too_small() {
    let lab = Lab::with_splits([family("f", 1)], &["k"]).await;
    lab.put("a", "f:q", 1, "v").await;
    let names = lab.names().await;
    assert_eq!(refused(lab.store.split_table(&lab.table, Some("k".into())).await), "IOException");
    assert_eq!(refused(lab.store.split_region(&names[0], Some("z".into())).await), "DoNotRetryIOException");
    assert_eq!(refused(lab.store.split_table(&lab.table, None).await), "DoNotRetryIOException");
    assert_eq!(refused(lab.store.split_region("nowhere", None).await), "UnknownRegionException");
}

#[tokio::test]
async fn a_merge_takes_neighbours_and_keeps_their_rows() {
    let lab = Lab::with_splits([family("f", 1)], &["b", "c"]).await;
    for row in ["a", "b", "c"] {
        lab.put(row, "f:q", 1, "v").await;
    }
    let names = lab.names().await;
    let merge = async |names: &[&String], force| {
        let names: Vec<String> = names.iter().map(|name| (*name).clone()).collect();
        lab.store.merge_regions(&names, force).await
    };
    assert_eq!(refused(merge(&[&names[0]], false).await), "IllegalArgumentException");
    assert_eq!(refused(merge(&[&names[0], &names[0]], true).await), "MergeRegionException");
    assert_eq!(refused(merge(&[&names[0], &names[2]], false).await), "MergeRegionException");
    merge(&[&names[1], &names[0]], false).await.unwrap();
    assert_eq!(lab.borders().await, "-c@server-1 c-@server-3");
    assert_eq!(lab.keys(Scan::all().reversed()).await, "c b a");
    assert!(!names.contains(&lab.names().await[0]), "the merged region has a name of its own");
}

#[tokio::test]
async fn a_region_moves_to_the_server_named_or_to_the_next() {
    let lab = Lab::new([family("f", 1)]).await;
    let name = lab.names().await.remove(0);
    lab.store.move_region(&name, None).await.unwrap();
    assert_eq!(lab.borders().await, "-@server-2");
    lab.store.move_region(&name, Some("server-1")).await.unwrap();
    assert_eq!(lab.borders().await, "-@server-1");
    assert_eq!(refused(lab.store.move_region(&name, Some("server-9")).await), "DoNotRetryIOException");
}

#[tokio::test]
async fn the_load_counts_rows_and_bytes() {
    let lab = Lab::with_splits([family("f", 1)], &["k"]).await;
    lab.put("a", "f:q", 1, "v").await;
    lab.put("b", "f:q", 1, "v").await;
    lab.flush().await;
    lab.put("c", "f:q", 1, "v").await;
    lab.get(Get::new("a")).await;
    lab.get(Get::new("absent")).await;
    lab.keys(Scan::all()).await;
    let load = lab.store.regions(&lab.table).await.unwrap()[0].load;
    let cell_bytes = Cell::put("a", "f", "q", 1, "v").size_bytes();
    assert_eq!((load.reads, load.writes), (4, 3));
    assert_eq!((load.read_bytes, load.written_bytes), (Some(4 * cell_bytes), Some(3 * cell_bytes)));
    assert_eq!(
        (load.stored_bytes, load.memstore_bytes, load.store_files),
        (Some(2 * cell_bytes), cell_bytes, 1)
    );
    let status = lab.store.status().await.unwrap();
    let servers: Vec<_> = status.servers.iter().map(|server| (server.regions, server.load.writes)).collect();
    assert_eq!(servers, [(1, 3), (1, 0), (0, 0)]);
}
