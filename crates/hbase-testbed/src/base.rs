//! What the processes of one cluster share: a Java, a directory, a place for logs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::java::Java;
use crate::ports;
use crate::process::Process;
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::site::Site;

/// The ground that a cluster stands on. Dropped after its processes, it takes their files away.
#[derive(Debug)]
pub(crate) struct Base {
    java: Java,
    scratch: Scratch,
    logs: PathBuf,
    pub(crate) settings: Settings,
}

/// For processes with little to do: compiling their code well costs more than it gains, and a cluster of many is up
/// sooner without.
pub(crate) const COMPILE_LITTLE: &str = "-XX:TieredStopAtLevel=1";

/// A program to run in a JVM of its own.
pub(crate) struct Program<'a> {
    /// Its name in the cluster, and of its log.
    pub(crate) name: &'a str,
    /// The directory of its configuration files.
    pub(crate) configuration: &'a Path,
    pub(crate) heap_mb: u32,
    /// Options of the JVM.
    pub(crate) options: &'a [String],
    /// The main class and its arguments.
    pub(crate) words: &'a [&'a str],
}

impl Base {
    pub(crate) fn new(settings: &Settings) -> Result<Self, Error> {
        let java = Java::prepare()?;
        let scratch = Scratch::new()?;
        let logs = settings.logs.clone().unwrap_or_else(|| scratch.path().join("logs"));
        fs::create_dir_all(&logs).map_err(Error::file(&logs))?;
        Ok(Self { java, scratch, logs, settings: settings.clone() })
    }

    pub(crate) fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Where the servers keep their data.
    pub(crate) fn data(&self, name: &str) -> PathBuf {
        self.scratch.path().join("data").join(name)
    }

    /// Writes the configuration files of one role.
    pub(crate) fn configure(&self, role: &str, site: Site) -> Result<PathBuf, Error> {
        let directory = self.scratch.path().join("conf").join(role);
        fs::create_dir_all(&directory).map_err(Error::file(&directory))?;
        self.settings.write(site, &directory)?;
        Ok(directory)
    }

    /// A port on loopback that nobody uses.
    pub(crate) fn free_port(&self) -> Result<u16, Error> {
        ports::free().map_err(Error::file(self.scratch.path()))
    }

    /// Starts a program under watch.
    pub(crate) fn start(&self, program: &Program<'_>) -> Result<Process, Error> {
        let words = [&["testbed.Launcher"], program.words].concat();
        self.start_unwatched(&Program { words: &words, ..*program })
    }

    /// Starts a program that itself ends with its standard input.
    pub(crate) fn start_unwatched(&self, program: &Program<'_>) -> Result<Process, Error> {
        let mut command = self.java.command(program.configuration, program.heap_mb);
        // Web servers unpack their pages there and leave them.
        command.arg(format!("-Djava.io.tmpdir={}", self.scratch.path().display()));
        command.args(program.options).args(program.words);
        Process::start(program.name, &mut command, &self.logs)
    }

    /// The option for the one JVM of the cluster that removes its files when this process is killed.
    pub(crate) fn clean_up_option(&self) -> String {
        format!("-Dtestbed.scratch={}", self.scratch.path().display())
    }

    /// Leaves the files and logs for somebody to look at.
    pub(crate) fn keep_files(&mut self) {
        self.scratch.keep();
    }
}
