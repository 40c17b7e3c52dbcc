//! Why something cannot be simulated.

/// What is wrong with the question.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulateError {
    /// There are no servers.
    #[error("a cluster needs at least one server: say how many there are")]
    NoServers,
    /// There are no regions, or they do not begin at the first cell, or not in rising order.
    #[error("the regions must begin at cell 0 and then at rising cells, at least one region in all")]
    Regions,
    /// A region is on a server that does not exist.
    #[error("region {region} is on server {server}, but there are only {servers} (counted from 0)")]
    UnknownServer {
        /// The region.
        region: usize,
        /// Its server.
        server: usize,
        /// How many there are.
        servers: usize,
    },
    /// A capacity that nothing gets through.
    #[error("a capacity of {0} requests a second lets nothing through: give a positive number")]
    Capacity(f64),
    /// A server without a core for its regions.
    #[error("a server needs at least two cores, one for regions and one for the system: there are {0}")]
    Cores(u32),
    /// A time that is no time.
    #[error("{what} is {seconds} seconds: give a number that is not negative")]
    Time {
        /// Which one.
        what: &'static str,
        /// Its value.
        seconds: f64,
    },
    /// A batch has rows in a cell that the table does not have.
    #[error("a batch has rows in cell {cell}, but the table has only {cells} (counted from 0)")]
    UnknownCell {
        /// The cell.
        cell: u32,
        /// How many there are.
        cells: usize,
    },
    /// A stream without clients, batches without rows, or a modulus of 0.
    #[error("the stream is empty by construction: clients, rows of a batch and modulus must be at least 1")]
    EmptyStream,
}
