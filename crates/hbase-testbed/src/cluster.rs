//! What every kind of cluster can tell.

use std::path::Path;

use crate::address::Addresses;
use crate::error::Error;
use crate::members::Members;

/// A running cluster, of whatever kind; it stops when dropped.
pub trait Cluster {
    /// Where it can be reached.
    fn addresses(&self) -> &Addresses;

    /// The directory with everything that is its own; gone when it has stopped.
    fn files(&self) -> &Path;

    /// Who is online now.
    fn members(&self) -> Result<Members, Error>;
}
