//! Regions that change under a scan.

use hbase::Scan;

use crate::scans::{fill, numbers};
use crate::support::{connect, create, drop_table};

#[tokio::test(flavor = "multi_thread")]
async fn a_split_a_merge_and_a_move_in_mid_scan_lose_and_repeat_nothing() {
    let client = connect().await;
    let admin = client.admin();
    for reversed in [false, true] {
        // A table of its own for each: HBase does not split what was just merged before it is compacted.
        let table = create(&client, "changes", &["000500"]).await;
        fill(&table, 1000, 1, 100).await;
        let scan = Scan { caching: Some(10), reversed, ..Scan::all() };
        let mut scanner = table.scan(scan);
        let mut read = Vec::new();
        while let Some(row) = scanner.next_row().await.unwrap() {
            read.push(String::from_utf8(row.key().to_vec()).unwrap());
            match read.len() {
                50 => {
                    let split = if reversed { "000900" } else { "000100" };
                    admin.split_table(table.name(), Some(split.into())).await.unwrap();
                }
                200 => {
                    for location in table.regions().await.unwrap() {
                        admin.move_region(&location.region.encoded_name(), None).await.unwrap();
                    }
                }
                300 => {
                    let names: Vec<String> = table
                        .regions()
                        .await
                        .unwrap()
                        .iter()
                        .map(|found| found.region.encoded_name())
                        .collect();
                    admin.merge_regions(&names, true).await.unwrap();
                }
                _ => {}
            }
        }
        let mut wanted = numbers(0..1000);
        if reversed {
            wanted.reverse();
        }
        assert_eq!(read, wanted);
        drop_table(&admin, table.name()).await;
    }
    assert!(client.metrics().scanners_reopened > 0, "nothing happened to the scans");
}
