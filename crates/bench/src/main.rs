//! Benchmarks by name. Each measures its rivals in turn, in one run on one machine, and prints ratios: absolute
//! figures of a shared machine say little.

mod aggregate;
mod engine;
mod fan_out;
mod hbase;
mod keys;
mod load;
mod measure;
mod plans;
mod processor_time;
mod settings;
mod verify;

use std::process::ExitCode;

/// The allocator of the program, for both sides alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A benchmark: its name, what it compares, and the function that runs it.
type Benchmark = (&'static str, &'static str, fn() -> Result<(), String>);

const BENCHMARKS: &[Benchmark] = &[
    ("engine", "the embedded store beside raw fjall on the same bytes", engine::compare),
    ("hbase", "our HBase client beside the Java client on one cluster", hbase::compare),
    ("hbase-stall", "both clients while a region server is killed", hbase::stall),
    ("fan-out", "a scan in the order of ids over 16 prefixes beside one over plain keys", fan_out::embedded),
    ("fan-out-hbase", "the same on a real HBase of three region servers", fan_out::cluster),
    ("load", "a file loaded beside batched puts of the same cells", load::embedded),
    ("load-hbase", "what loading takes of a processor while a real HBase works", load::cluster),
    (
        "settings",
        "settings of families on a real HBase, each beside the value that it replaces",
        settings::compare,
    ),
    ("verify", "what verify measures beside bare calls to the store", verify::compare),
    ("plans", "what plans were estimated to take beside what they took, on random workloads", plans::compare),
    ("keys", "judging row keys beside the hashing that it needs", keys::compare),
    (
        "aggregate",
        "sums made inside eight regions beside one region, and beside one scanner",
        aggregate::embedded,
    ),
    (
        "aggregate-hbase",
        "sums of all regions beside one scanner, ours or Java's, on a real HBase",
        aggregate::cluster,
    ),
    ("aggregate-memory", "resident memory of summing up 40 million readings", aggregate::memory),
    ("open", "opening a store after loads of 1 to 1,000 MB and with 1 to 200 tables", engine::opening),
    ("engine-memory", "resident memory of a scan over 10 million cells", engine::memory),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let known = |name: &String| BENCHMARKS.iter().any(|(benchmark, ..)| benchmark == name);
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        let names: Vec<_> = BENCHMARKS.iter().map(|(name, what, _)| format!("  {name}: {what}")).collect();
        eprintln!("there is no benchmark {unknown:?}; there are\n{}", names.join("\n"));
        return ExitCode::from(2);
    }
    for (name, what, run) in BENCHMARKS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            println!("{name}: {what}");
            if let Err(error) = run() {
                eprintln!("{name} failed: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
