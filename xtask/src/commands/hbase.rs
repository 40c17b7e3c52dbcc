//! `cargo xtask hbase up|down|status`: a real HBase to play with, in the background.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use hbase_testbed::keeper::{Keeper, Kept};
use hbase_testbed::{Addresses, Cluster, Distributed, OneJvm, Settings};

use crate::failure::Failure;
use crate::repo::Repo;
use crate::steps::{Line, Steps};
use crate::tools::{JAVA, MAVEN, ensure};

const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What cluster is wanted: the words after `up`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// A process for each server, on HDFS; else all servers in one JVM, on local files.
    is_distributed: bool,
    /// Properties of `hbase-site.xml`.
    properties: Vec<(String, String)>,
}

impl Wanted {
    const DISTRIBUTED: &str = "--distributed";

    /// Reads `--distributed` and `name=value`.
    pub fn of(words: &[&str]) -> Option<Self> {
        let mut wanted = Self::default();
        for word in words {
            match word.split_once('=') {
                None if *word == Self::DISTRIBUTED => wanted.is_distributed = true,
                Some((name, value)) => wanted.properties.push((name.to_owned(), value.to_owned())),
                None => return None,
            }
        }
        Some(wanted)
    }

    fn words(&self) -> Vec<String> {
        let properties = self.properties.iter().map(|(name, value)| format!("{name}={value}"));
        self.is_distributed.then(|| Self::DISTRIBUTED.to_owned()).into_iter().chain(properties).collect()
    }
}

/// Starts a cluster unless one is up, and says where it is.
pub fn up(repo: &Repo, wanted: &Wanted) -> Result<(), Failure> {
    let files = Files::of(repo);
    if let Some(kept) = Kept::find(&files.state) {
        println!("A cluster is up already.");
        print_addresses(kept.addresses());
        return Ok(());
    }
    ensure(&[&JAVA, &MAVEN])?;
    make_empty(&files.logs)?;
    println!("Starting a cluster; its logs are in {}", files.logs.display());
    let keeper = start_keeper(&files, wanted)?;
    let kept = wait_for(keeper, &files)?;
    print_addresses(kept.addresses());
    println!("Stop it with: cargo xtask hbase down");
    Ok(())
}

/// Stops the cluster.
pub fn down(repo: &Repo) -> Result<(), Failure> {
    match Kept::find(&Files::of(repo).state) {
        Some(kept) => {
            kept.stop().map_err(|error| Failure::hbase(&error))?;
            println!("The cluster is down.");
        }
        None => println!("No cluster is up."),
    }
    Ok(())
}

/// Says whether a cluster is up, where, and who is in it.
pub fn status(repo: &Repo) -> Result<(), Failure> {
    let Some(kept) = Kept::find(&Files::of(repo).state) else {
        println!("No cluster is up. Start one with: cargo xtask hbase up");
        return Ok(());
    };
    let members = kept.members().map_err(|error| Failure::hbase(&error))?;
    match members.master {
        Some(master) => println!("master         {master}"),
        None => println!("master         none is active"),
    }
    for server in members.region_servers {
        println!("region server  {server}");
    }
    print_addresses(kept.addresses());
    Ok(())
}

/// Runs a command with a cluster beside it that all its tests share; its servers' logs stay for a look at what failed.
pub fn beside(repo: &Repo, steps: &mut Steps, name: &str, line: Line) -> Result<(), Failure> {
    if std::env::var_os(hbase_testbed::VARIABLE).is_some() {
        return steps.command(name, &line);
    }
    let logs = repo.target_directory().join("hbase").join("test-logs");
    make_empty(&logs)?;
    let settings = Settings { logs: Some(logs), ..Settings::default() };
    let mut cluster = None;
    steps.work("hbase", "cargo xtask hbase up", || {
        cluster = Some(OneJvm::start(&settings).map_err(|error| error.to_string())?);
        Ok(())
    })?;
    // Shown without the variable: repeated alone, the tests start a cluster of their own.
    let repeat = line.to_string();
    let line = match &cluster {
        Some(cluster) => line.with(hbase_testbed::VARIABLE, cluster.addresses()),
        None => line,
    };
    steps.work(name, &repeat, || line.run())
}

/// Makes a directory, or takes everything out of it: logs of earlier clusters only confuse.
fn make_empty(directory: &Path) -> Result<(), Failure> {
    let failure = |error| Failure::file(directory, error);
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failure)?;
    }
    fs::create_dir_all(directory).map_err(failure)
}

/// What the process in the background does: holds the cluster until it is told to stop.
pub fn keep(repo: &Repo, wanted: Wanted) -> Result<(), Failure> {
    let files = Files::of(repo);
    let Wanted { is_distributed, properties } = wanted;
    let settings = Settings { logs: Some(files.logs), properties, ..Settings::default() };
    let kept = Keeper::claim(&files.state).and_then(|keeper| match is_distributed {
        false => OneJvm::start(&settings).and_then(|cluster| keeper.keep(cluster)),
        true => Distributed::start(&settings).and_then(|cluster| keeper.keep(cluster)),
    });
    kept.map_err(|error| Failure::hbase(&error))
}

/// Where the keeper and its visitors find each other.
struct Files {
    state: PathBuf,
    keeper_log: PathBuf,
    logs: PathBuf,
}

impl Files {
    fn of(repo: &Repo) -> Self {
        let directory = repo.target_directory().join("hbase");
        let [state, keeper_log, logs] = ["state", "keeper.log", "logs"].map(|name| directory.join(name));
        Self { state, keeper_log, logs }
    }
}

/// This program again, apart from the terminal, so that Ctrl-C there does not reach it.
fn start_keeper(files: &Files, wanted: &Wanted) -> Result<Child, Failure> {
    let log = File::create(&files.keeper_log).map_err(|error| Failure::file(&files.keeper_log, error))?;
    let program = std::env::current_exe().map_err(|error| Failure::file(&files.keeper_log, error))?;
    let mut command = Command::new(&program);
    command
        .args(["hbase", "keep"])
        .args(wanted.words())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| Failure::file(&program, error))
}

/// Waits until the cluster is up, or the keeper has given up.
fn wait_for(mut keeper: Child, files: &Files) -> Result<Kept, Failure> {
    loop {
        if let Some(kept) = Kept::find(&files.state) {
            return Ok(kept);
        }
        if !matches!(keeper.try_wait(), Ok(None)) {
            let why = fs::read_to_string(&files.keeper_log).unwrap_or_default();
            return Err(Failure::Hbase(why.trim_start_matches("xtask: ").trim_end().to_owned()));
        }
        sleep(LOOK_EVERY);
    }
}

fn print_addresses(addresses: &Addresses) {
    println!("--store {}", addresses.by_masters());
    println!("--store {}", addresses.by_zookeeper());
    println!("Tests use it with: export {}='{addresses}'", hbase_testbed::VARIABLE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_reaches_the_keeper() {
        let wanted = Wanted::of(&["--distributed", "hbase.quota.enabled=true"]).unwrap();
        let words = wanted.words();
        assert_eq!(Wanted::of(&words.iter().map(String::as_str).collect::<Vec<_>>()), Some(wanted));
        assert_eq!(Wanted::of(&["--everything"]), None);
    }
}
