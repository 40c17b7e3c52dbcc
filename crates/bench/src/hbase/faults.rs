//! How long writers stand still when a region server dies: both clients under the same fault.

use std::time::Duration;

use hbase_testbed::java_client::{JavaClient, Work};
use hbase_testbed::{Cluster, Distributed, Settings};

use super::ours::Ours;

const TABLE: &str = "bench_stall";
const ROUNDS: usize = 3;
const ROWS: u64 = 60_000;

/// Both write at the same time, 64 at a time each, while a server is killed.
pub fn stall() -> Result<(), String> {
    let text = |error: hbase_testbed::Error| error.to_string();
    let cluster = Distributed::start(&Settings { log_level: "WARN".to_owned(), ..Settings::default() })
        .map_err(text)?;
    let java = JavaClient::start(cluster.addresses(), &[]).map_err(text)?;
    let ours = Ours::connect(&cluster.addresses().by_masters())?;
    ours.run(&Work::Create { table: TABLE.to_owned(), regions: 9 })?;
    for round in 0..ROUNDS {
        let stall = |first| Work::Stall {
            table: TABLE.to_owned(),
            first,
            count: ROWS,
            in_flight: 64,
            value_bytes: 20,
        };
        let first = round as u64 * 2 * ROWS;
        let (our_work, java_work) = (stall(first), stall(first + ROWS));
        let (our_gap, java_gap) = std::thread::scope(|scope| {
            let running = java.begin(&java_work);
            let ours = scope.spawn(|| ours.run(&our_work));
            running.wait_for_progress(ROWS / 10)?;
            cluster.kill_region_server(round % 3)?;
            let java = running.finish()?;
            Ok((ours.join().map_err(|_| ()).ok(), java.longest_gap))
        })
        .map_err(text)?;
        let our_gap = our_gap.ok_or("our writer panicked")??.longest_gap;
        println!(
            "  round {round}: longest stall ours {:.1} s, Java's {:.1} s, ratio {:.2} (wanted: 1.10 or less)",
            our_gap.as_secs_f64(),
            java_gap.as_secs_f64(),
            our_gap.as_secs_f64() / java_gap.as_secs_f64()
        );
        cluster.start_region_server(round % 3).map_err(text)?;
        cluster.wait_for_region_servers(3, Duration::from_secs(90)).map_err(text)?;
    }
    Ok(())
}
