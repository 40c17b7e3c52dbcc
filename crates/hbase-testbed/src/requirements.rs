//! What must be on the machine before a cluster can start.

use std::process::Command;

use crate::error::Error;
use crate::java::{check_version, has_jars, output_of};

/// Java 17 or later, with its compiler.
pub fn java() -> Result<(), Error> {
    check_version()?;
    output_of("javac", Command::new("javac").arg("-version")).map(|_| ())
}

/// Maven, unless the jars of HBase are here already.
pub fn maven() -> Result<(), Error> {
    if has_jars() {
        return Ok(());
    }
    output_of("mvn", Command::new("mvn").arg("--version")).map(|_| ())
}
