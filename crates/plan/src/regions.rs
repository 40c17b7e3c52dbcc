//! How many regions a table has.

/// Regions for each server when nothing else is said: the best of the paper's counts (Zdravevski et al., fig. 2: 165
/// regions on 55 servers of four cores each, three that serve regions and one for the system).
pub const REGIONS_PER_SERVER: usize = 3;
/// A region of HBase is split when it has grown to this.
const REGION_BYTES: f64 = 10.0 * 1_073_741_824.0;
/// A table that is smaller is not worth spreading.
const SPREAD_BYTES: f64 = 256.0 * 1_048_576.0;

/// Regions of a table of so many bytes, on so many servers.
pub fn regions(bytes: f64, servers: f64) -> f64 {
    let by_size = (bytes / REGION_BYTES).ceil().max(1.0);
    if servers > 1.0 && bytes >= SPREAD_BYTES {
        by_size.max((servers * REGIONS_PER_SERVER as f64).floor())
    } else {
        by_size
    }
}
