//! Ratios, each with what is wanted.

use std::time::Duration;

use hbase_testbed::java_client::{Measured, Way};

use super::task::Task;

/// The runs of one task.
pub struct Comparison {
    way: Way,
    latency_matters: bool,
    ours: Runs,
    java: Runs,
}

#[derive(Default)]
struct Runs {
    rates: Vec<f64>,
    p50s: Vec<f64>,
    p99s: Vec<f64>,
    cpu_us: Vec<f64>,
}

impl Runs {
    fn add(&mut self, task: &Task, measured: &Measured) {
        self.rates.push(task.rate(measured));
        self.p50s.push(measured.p50.as_secs_f64() * 1e6);
        self.p99s.push(measured.p99.as_secs_f64() * 1e6);
        self.cpu_us.push(measured.cpu.as_secs_f64() * 1e6 / task.rows() as f64);
    }
}

pub fn print_head() {
    println!(
        "  (ours / Java's, medians of alternated runs on one cluster; wanted: speed 1.00 or more, p99 1.10 or less, CPU 0.50 or less)"
    );
}

impl Comparison {
    pub fn new(way: Way, latency_matters: bool) -> Self {
        Self { way, latency_matters, ours: Runs::default(), java: Runs::default() }
    }

    pub fn add_ours(&mut self, task: &Task, measured: &Measured) {
        self.ours.add(task, measured);
    }

    pub fn add_java(&mut self, task: &Task, measured: &Measured) {
        self.java.add(task, measured);
    }

    pub fn print(&self, name: &str) {
        let (ours, java) = (&self.ours, &self.java);
        let speed = Ratio::of(&ours.rates, &java.rates);
        let cpu = Ratio::of(&ours.cpu_us, &java.cpu_us);
        print!(
            "  {name:<32} {:>9.0}/s {:>9.0}/s ({})  speed {}",
            speed.ours,
            speed.java,
            self.way,
            speed.at_least(1.0)
        );
        if self.latency_matters {
            let p50 = Ratio::of(&ours.p50s, &java.p50s);
            let p99 = Ratio::of(&ours.p99s, &java.p99s);
            print!(
                "  p50 {:.0}/{:.0} µs  p99 {:.0}/{:.0} µs {}",
                p50.ours,
                p50.java,
                p99.ours,
                p99.java,
                p99.at_most(1.1)
            );
        }
        println!("  CPU {:.2}/{:.2} µs {}", cpu.ours, cpu.java, cpu.at_most(0.5));
    }
}

struct Ratio {
    ours: f64,
    java: f64,
}

impl Ratio {
    fn of(ours: &[f64], java: &[f64]) -> Self {
        Self { ours: median(ours), java: median(java) }
    }

    fn at_least(&self, wanted: f64) -> String {
        let ratio = self.ours / self.java;
        format!("{ratio:.2}{}", if ratio >= wanted { "" } else { " (falls short)" })
    }

    fn at_most(&self, wanted: f64) -> String {
        let ratio = self.ours / self.java;
        format!("{ratio:.2}{}", if ratio <= wanted { "" } else { " (too much)" })
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// How long lone gets took from the call to the socket.
pub fn print_lone(times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort();
    let at = |part: f64| {
        sorted.get((sorted.len() as f64 * part) as usize).copied().unwrap_or_default().as_secs_f64() * 1e6
    };
    println!(
        "  a lone get, from call to socket: median {:.1} µs, p99 {:.1} µs (wanted: 50 or less)",
        at(0.5),
        at(0.99)
    );
}
