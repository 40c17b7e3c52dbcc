//! Our HBase client beside HBase's own Java client, on the same cluster in the same run.

mod faults;
mod ours;
mod report;
mod task;

use hbase_testbed::java_client::{JavaClient, Measured, Work};
use hbase_testbed::{Cluster, OneJvm, Settings};

use self::ours::Ours;
use self::report::Comparison;
use self::task::Task;

pub use self::faults::stall;

const ROUNDS: usize = 5;

/// Every task, alternately by both clients; medians.
pub fn compare() -> Result<(), String> {
    let text = |error: hbase_testbed::Error| error.to_string();
    let cluster =
        OneJvm::start(&Settings { log_level: "WARN".to_owned(), ..Settings::default() }).map_err(text)?;
    let java = JavaClient::start(cluster.addresses(), &[]).map_err(text)?;
    let ours = Ours::connect(&cluster.addresses().by_masters())?;
    task::prepare(&ours)?;
    report::print_head();
    for task in task::all() {
        compare_task(&task, &ours, &java)?.print(task.name);
    }
    let lone = ours.lone_gets(2_000)?;
    report::print_lone(&lone);
    Ok(())
}

fn compare_task(task: &Task, ours: &Ours, java: &JavaClient) -> Result<Comparison, String> {
    let mut next_row = task.first_row;
    let mut work_at = |work: &dyn Fn(u64) -> Work| {
        let work = work(next_row);
        next_row += task.rows_written;
        work
    };
    let run_java = |work: &Work| {
        java.run(work).map_err(|error| error.to_string()).and_then(|measured| sound(measured, task))
    };
    // The first round warms both up and finds the way in which Java is fastest.
    let mut best: Option<(f64, usize)> = None;
    for (index, way) in task.ways.iter().enumerate() {
        let rate = task.rate(&run_java(&work_at(&|first| task.work(first, *way)))?);
        if best.is_none_or(|(fastest, _)| rate > fastest) {
            best = Some((rate, index));
        }
    }
    let way = best.and_then(|(_, index)| task.ways.get(index)).copied().ok_or("a task without a way")?;
    ours.run(&work_at(&|first| task.work(first, way)))?;
    let mut comparison = Comparison::new(way, task.latency_matters);
    for round in 0..ROUNDS {
        for our_turn in [round % 2 == 0, round % 2 != 0] {
            let work = work_at(&|first| task.work(first, way));
            if our_turn {
                let measured = sound(ours.run(&work)?, task)?;
                comparison.add_ours(task, &measured);
            } else {
                comparison.add_java(task, &run_java(&work)?);
            }
        }
    }
    Ok(comparison)
}

/// A run that failed in part, or saw too little, says nothing.
fn sound(measured: Measured, task: &Task) -> Result<Measured, String> {
    if measured.failures > 0 || task.count(&measured) != task.expected {
        return Err(format!("{}: {measured:?}, expected {}", task.name, task.expected));
    }
    Ok(measured)
}
