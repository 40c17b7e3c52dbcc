//! Why a cluster did not come up or did not do what it was told.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong, as a sentence that says what to do.
#[derive(thiserror::Error)]
pub enum Error {
    /// Java or Maven is not here.
    #[error(
        "{program} is missing: HBase needs Java 17 or later (java and javac) and Maven (mvn). On Debian and its relatives: sudo apt-get install openjdk-17-jdk-headless maven"
    )]
    MissingProgram {
        /// The program that could not be started.
        program: &'static str,
    },
    /// Java is here, but too old.
    #[error(
        "java is too old ({found}): HBase here needs 17 or later. On Debian and its relatives: sudo apt-get install openjdk-17-jdk-headless"
    )]
    OldJava {
        /// What `java -version` says.
        found: String,
    },
    /// A helper program failed.
    #[error("{what} failed ({status}):\n{output}")]
    Program {
        /// What it was to do.
        what: String,
        /// How it ended.
        status: String,
        /// The end of what it said.
        output: String,
    },
    /// A file or directory cannot be used.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is nowhere to keep the jars.
    #[error("no cache directory: set HOME, XDG_CACHE_HOME or TABLESMITH_HBASE_JARS")]
    NoCache,
    /// A process of the cluster ended or did not get ready.
    #[error("{name} {what}. The end of its log, {}:\n{tail}", log.display())]
    Server {
        /// The process.
        name: String,
        /// What it did instead.
        what: String,
        /// Its log; kept.
        log: PathBuf,
        /// The last lines of it.
        tail: String,
    },
    /// Another process keeps a cluster there already.
    #[error("{} is in use: another process starts or keeps a cluster there", path.display())]
    Kept {
        /// The lock that it holds.
        path: PathBuf,
    },
    /// The address in the environment is of no use.
    #[error(
        "TABLESMITH_HBASE={value}: {why}. It has the form hbase://HOST:PORT;zk=HOST:PORT; without it a cluster is started"
    )]
    Address {
        /// The value of the variable.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// The cluster does not have the servers that were waited for.
    #[error("waited {waited_s} s for {wanted} region servers; online are (the first is the master): {found}")]
    Members {
        /// How many there should be.
        wanted: usize,
        /// Who is there.
        found: String,
        /// How long it was waited.
        waited_s: u64,
    },
    /// There is no such server in this cluster.
    #[error("no {role} {index}: the cluster has {count}, counted from 0")]
    NoSuchServer {
        /// What kind of server.
        role: &'static str,
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

impl Error {
    /// The error of a program that could not be started.
    pub(crate) fn not_started(program: &'static str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound {
            return Self::MissingProgram { program };
        }
        Self::Program {
            what: format!("starting {program}"),
            status: error.to_string(),
            output: String::new(),
        }
    }

    /// An error about a file, for `map_err`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

/// As displayed: tests unwrap these, and should show a person the sentence.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
