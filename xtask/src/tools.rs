//! Makes sure that the tools which the tests need are there.

use crate::failure::Failure;
use crate::steps::Line;

/// Something the tests call.
pub struct Tool {
    /// Its name for people.
    pub name: &'static str,
    /// Whether it is there.
    probe: fn() -> bool,
    /// What rustup calls it, if it is part of Rust.
    component: Option<&'static str>,
    /// The package that has it in Debian and its relatives.
    package: &'static str,
}

/// The formatter.
pub const RUSTFMT: Tool = Tool {
    name: "rustfmt",
    probe: || Line::cargo(&["fmt", "--version"]).succeeds(),
    component: Some("rustfmt"),
    package: "rustfmt",
};
/// The linter.
pub const CLIPPY: Tool = Tool {
    name: "clippy",
    probe: || Line::cargo(&["clippy", "--version"]).succeeds(),
    component: Some("clippy"),
    package: "rust-clippy",
};
/// What runs HBase.
pub const JAVA: Tool = Tool {
    name: "Java 17 or later (java and javac)",
    probe: || hbase_testbed::requirements::java().is_ok(),
    component: None,
    package: "openjdk-17-jdk-headless",
};
/// What fetches HBase.
pub const MAVEN: Tool = Tool {
    name: "Maven (mvn)",
    probe: || hbase_testbed::requirements::maven().is_ok(),
    component: None,
    package: "maven",
};
/// What opens the pages that the program writes.
pub const CHROMIUM: Tool = Tool {
    name: "Chromium (chromium)",
    probe: || Line::new(&["chromium", "--version"]).succeeds(),
    component: None,
    package: "chromium",
};

/// What can be used here to install something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Installers {
    rustup: bool,
    apt_get: bool,
    root: bool,
}

impl Installers {
    fn look() -> Self {
        Self {
            rustup: Line::new(&["rustup", "--version"]).succeeds(),
            apt_get: Line::new(&["apt-get", "--version"]).succeeds(),
            root: Line::new(&["test", "-w", "/usr/bin"]).succeeds(),
        }
    }
}

/// What to do about a missing tool.
#[derive(Debug, PartialEq, Eq)]
enum Remedy {
    /// Run this.
    Install(Vec<&'static str>),
    /// It is not ours to run: tell this.
    Tell(String),
}

/// Decides how a missing tool gets here: by rustup where it manages the toolchain, else from the system's packages.
fn remedy(tool: &Tool, installers: Installers) -> Remedy {
    match (tool.component, installers) {
        (Some(component), Installers { rustup: true, .. }) => {
            Remedy::Install(vec!["rustup", "component", "add", component])
        }
        (_, Installers { apt_get: true, root: true, .. }) => {
            Remedy::Install(vec!["apt-get", "install", "--yes", tool.package])
        }
        (Some(component), Installers { apt_get: false, .. }) => {
            Remedy::Tell(format!("rustup component add {component}"))
        }
        _ => Remedy::Tell(format!("sudo apt-get install {}", tool.package)),
    }
}

/// Makes sure of all of them: what is missing is installed where that is allowed, else the failure says how.
pub fn ensure(tools: &[&Tool]) -> Result<(), Failure> {
    for tool in tools {
        if (tool.probe)() {
            continue;
        }
        match remedy(tool, Installers::look()) {
            Remedy::Install(words) => {
                let line = Line::new(&words);
                // Where the list of packages is too old, packages that it names are no longer there.
                let renews = || Line::new(&["apt-get", "update"]).run().is_ok();
                match install(tool, &line) {
                    Err(_) if words.first() == Some(&"apt-get") && renews() => install(tool, &line)?,
                    installed => installed?,
                }
            }
            Remedy::Tell(install) => return Err(Failure::MissingTool { name: tool.name, install }),
        }
    }
    Ok(())
}

fn install(tool: &Tool, line: &Line) -> Result<(), Failure> {
    println!("── {} is missing, installing it: {line}", tool.name);
    match line.run() {
        Ok(()) if (tool.probe)() => Ok(()),
        _ => Err(Failure::MissingTool { name: tool.name, install: line.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Installers = Installers { rustup: false, apt_get: false, root: false };

    #[test]
    fn rustup_comes_before_the_system() {
        let all = Installers { rustup: true, apt_get: true, root: true };
        assert_eq!(remedy(&CLIPPY, all), Remedy::Install(vec!["rustup", "component", "add", "clippy"]));
    }

    #[test]
    fn the_system_is_changed_only_by_root() {
        let root = Installers { apt_get: true, root: true, ..NOTHING };
        assert_eq!(
            remedy(&CLIPPY, root),
            Remedy::Install(vec!["apt-get", "install", "--yes", "rust-clippy"])
        );
        let user = Installers { root: false, ..root };
        assert_eq!(remedy(&CLIPPY, user), Remedy::Tell("sudo apt-get install rust-clippy".into()));
    }

    #[test]
    fn without_any_installer_the_command_is_told() {
        assert_eq!(remedy(&RUSTFMT, NOTHING), Remedy::Tell("rustup component add rustfmt".into()));
    }

    #[test]
    fn what_is_no_part_of_rust_comes_from_the_system() {
        let root = Installers { rustup: true, apt_get: true, root: true };
        assert_eq!(remedy(&MAVEN, root), Remedy::Install(vec!["apt-get", "install", "--yes", "maven"]));
        let told = Remedy::Tell("sudo apt-get install openjdk-17-jdk-headless".into());
        assert_eq!(remedy(&JAVA, Installers { root: false, ..root }), told);
        assert_eq!(remedy(&JAVA, NOTHING), told);
        assert_eq!(remedy(&CHROMIUM, NOTHING), Remedy::Tell("sudo apt-get install chromium".into()));
    }

    #[test]
    fn a_tool_that_cannot_be_installed_is_a_failure() {
        let tool = Tool { name: "nothing", probe: || false, component: None, package: "nothing" };
        let failure = install(&tool, &Line::cargo(&["--version"])).unwrap_err();
        assert_eq!(failure.to_string(), "nothing is missing. Install it with: cargo --version");
    }
}
