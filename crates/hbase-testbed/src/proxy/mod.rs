//! Proxies between a client and the servers of a cluster that cut, delay, truncate and stall connections.
//!
//! A client learns the addresses of HBase's servers from the cluster itself, so it is led through proxies by a function
//! from addresses to addresses: [`ProxySet::translate`] makes a proxy for each server that is asked for.
//!
//! ```
//! use std::time::Duration;
//! use hbase_testbed::proxy::{Condition, Direction, ProxySet, Reaction, Rule};
//!
//! let proxies = ProxySet::new(42, vec![
//!     // One reply in a thousand is cut short, and so is its connection.
//!     Rule::new(
//!         Condition::All(vec![Condition::Direction(Direction::ToClient), Condition::Chance(0.001)]),
//!         Reaction::Truncate,
//!     ),
//!     Rule::new(Condition::Chance(0.01), Reaction::Delay(Duration::from_millis(20))),
//! ]);
//! let instead = proxies.translate("localhost", 16020)?;
//! proxies.set_rules(Vec::new());
//! assert_eq!(proxies.counts().connections, 0);
//! # Ok::<(), std::io::Error>(())
//! ```

mod counts;
mod frames;
mod pump;
mod rules;
mod set;

pub use counts::Counts;
pub use rules::{Condition, Direction, Frame, Reaction, Rule};
pub use set::ProxySet;
