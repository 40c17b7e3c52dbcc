//! Java on this machine, and everything that HBase's classes need of it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cache::{fingerprint, is_made, made_once};
use crate::error::Error;

const POM: &str = include_str!("../java/pom.xml");
/// The testbed's own Java programs by file name.
const SOURCES: &[(&str, &str)] = &[
    ("Client.java", include_str!("../java/src/testbed/Client.java")),
    ("Launcher.java", include_str!("../java/src/testbed/Launcher.java")),
    ("Meter.java", include_str!("../java/src/testbed/Meter.java")),
    ("Rows.java", include_str!("../java/src/testbed/Rows.java")),
    ("Watcher.java", include_str!("../java/src/testbed/Watcher.java")),
    ("Work.java", include_str!("../java/src/testbed/Work.java")),
];
const LEAST_MAJOR_VERSION: u32 = 17;
/// Parts of Java that Hadoop and HBase reach into.
const OPENED: &[&str] =
    &["java.io", "java.lang", "java.lang.reflect", "java.net", "java.nio", "java.util", "sun.nio.ch"];

/// A Java that can run HBase: the program is there, the jars are fetched, our classes are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Java {
    jars: PathBuf,
    classes: PathBuf,
}

impl Java {
    /// Makes sure of everything. The first time this fetches about 140 MB of jars with Maven; later it takes a moment.
    pub(crate) fn prepare() -> Result<Self, Error> {
        check_version()?;
        let jars = match given_jars() {
            Some(given) => given,
            None => made_once(&jars_name(), fetch_jars)?,
        };
        let texts: Vec<&str> = SOURCES.iter().flat_map(|(name, text)| [*name, *text]).collect();
        let classes =
            made_once(&format!("classes-{}", fingerprint(&texts)), |directory| compile(&jars, directory))?;
        Ok(Self { jars, classes })
    }

    /// A JVM with a heap of at most `heap_mb` and configuration files from `configuration`; main class and arguments
    /// are still to be added.
    pub(crate) fn command(&self, configuration: &Path, heap_mb: u32) -> Command {
        let mut command = Command::new("java");
        command.arg(format!("-Xmx{heap_mb}m")).args([
            "-XX:+UseSerialGC",
            "-Djava.net.preferIPv4Stack=true",
            // ZooKeeper's would take port 8080 on all interfaces.
            "-Dzookeeper.admin.enableServer=false",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        ]);
        command.args(OPENED.iter().map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")));
        let jars = self.jars.join("*");
        command.arg("-cp").arg(class_path(&[configuration, &self.classes, &jars]));
        // Hadoop complains about any of these that it does not expect.
        command.env_remove("HADOOP_HOME").env_remove("HADOOP_CONF_DIR").env_remove("HBASE_CONF_DIR");
        command
    }
}

/// Jars that somebody fetched by other means.
fn given_jars() -> Option<PathBuf> {
    env::var_os("TABLESMITH_HBASE_JARS").map(PathBuf::from)
}

fn jars_name() -> String {
    format!("jars-{}", fingerprint(&[POM]))
}

/// Whether the jars are there without Maven's help.
pub(crate) fn has_jars() -> bool {
    given_jars().is_some() || is_made(&jars_name())
}

fn class_path(parts: &[&Path]) -> OsString {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let mut path = OsString::new();
    for part in parts {
        if !path.is_empty() {
            path.push(separator);
        }
        path.push(part);
    }
    path
}

/// Whether `java` is there and new enough.
pub(crate) fn check_version() -> Result<(), Error> {
    let output = output_of("java", Command::new("java").arg("-version"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    match major_version(&text) {
        Some(major) if major >= LEAST_MAJOR_VERSION => Ok(()),
        _ => Err(Error::OldJava { found: text.trim_end().to_owned() }),
    }
}

/// The major version in what `java -version` prints: 17 of `"17.0.15"`, 8 of `"1.8.0_392"`.
fn major_version(text: &str) -> Option<u32> {
    // There can be other lines before, about options that Java picked up.
    let version = text.split("version \"").nth(1)?.split('"').next()?;
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok());
    match numbers.next()? {
        1 => numbers.next(),
        major => Some(major),
    }
}

fn fetch_jars(directory: &Path) -> Result<(), Error> {
    eprintln!("Fetching the jars of HBase with Maven (about 140 MB, once) …");
    let pom = directory.join("pom.xml");
    std::fs::write(&pom, POM).map_err(Error::file(&pom))?;
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", "--file"]).arg(&pom);
    maven.args(["dependency:copy-dependencies", "-DincludeScope=runtime"]);
    maven.arg(format!("-DoutputDirectory={}", directory.display()));
    succeed("mvn", "fetching the jars of HBase with Maven", &mut maven)
}

fn compile(jars: &Path, directory: &Path) -> Result<(), Error> {
    let mut javac = Command::new("javac");
    javac.args(["--release", "17", "-proc:none", "-cp"]).arg(class_path(&[&jars.join("*")]));
    javac.arg("-d").arg(directory);
    for (name, text) in SOURCES {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(Error::file(&path))?;
        javac.arg(path);
    }
    succeed("javac", "compiling the testbed's Java programs", &mut javac)
}

fn succeed(program: &'static str, what: &str, command: &mut Command) -> Result<(), Error> {
    let output = output_of(program, command)?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let status = output.status.to_string();
    Err(Error::Program {
        what: what.to_owned(),
        status,
        output: last_lines(&String::from_utf8_lossy(&said), 30),
    })
}

/// Runs a program to its end; an error only when it cannot be started.
pub(crate) fn output_of(program: &'static str, command: &mut Command) -> Result<Output, Error> {
    command.output().map_err(|error| Error::not_started(program, &error))
}

/// The last `count` lines of a text.
pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_java_old_and_new() {
        assert_eq!(major_version("openjdk version \"17.0.15\" 2025-04-15\n"), Some(17));
        assert_eq!(major_version("java version \"1.8.0_392\"\n"), Some(8));
        assert_eq!(major_version("openjdk version \"25-ea\" 2025-09-16\n"), Some(25));
        assert_eq!(major_version("NOTE: picked up \"-Dx=1\"\nopenjdk version \"21\"\n"), Some(21));
        assert_eq!(major_version("no such thing"), None);
    }

    #[test]
    fn a_missing_program_says_what_to_install() {
        let error = output_of("mvn", &mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("apt-get install openjdk-17-jdk-headless maven"), "{error}");
    }

    #[test]
    fn the_last_lines_are_the_last() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
    }
}
