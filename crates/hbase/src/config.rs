//! All settings of the client, in one place.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::{Error, HostPort, RetryObserver};

/// Where the client asks for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bootstrap {
    /// Masters or region servers; no ZooKeeper is needed (HBase 2.5 and later).
    Servers(Vec<HostPort>),
    /// ZooKeeper servers, and the node under which HBase keeps its things.
    ZooKeeper {
        /// The servers of the quorum.
        quorum: Vec<HostPort>,
        /// `/hbase`, as a rule.
        root: String,
    },
}

/// How the client says who it is.
///
/// Kerberos (SASL, authentication byte 81) and delegation tokens (82) are negotiated between the preamble and the
/// connection header, in `wire/handshake.rs`; TLS wraps the socket before the preamble, in `rpc/connection.rs`. Each
/// would be a variant here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// A user's name that the server takes as it is.
    Simple {
        /// The name.
        user: String,
    },
}

/// Turns the address that the cluster names into the one to connect to, e.g. behind NAT or through a proxy.
pub type Translate = Arc<dyn Fn(&HostPort) -> HostPort + Send + Sync>;

/// Settings with sensible defaults.
#[derive(Clone)]
pub struct Config {
    /// Where to ask first.
    pub bootstrap: Bootstrap,
    /// Who we are.
    pub authentication: Authentication,
    /// A whole operation with all its retries ends within this time: reads and writes, the next rows of a scan, and questions
    /// to the master. (20 minutes in HBase's Java client; here 2.)
    pub operation_timeout: Duration,
    /// One attempt waits so long for its reply.
    pub rpc_timeout: Duration,
    /// Connecting to a server takes at most so long.
    pub connect_timeout: Duration,
    /// An administrative operation (creating a table, a compaction that is waited for) ends within this time. It is given
    /// up earlier when no server has answered for [`Config::operation_timeout`].
    pub admin_timeout: Duration,
    /// The pause before the first retry; later ones double, with jitter, up to `retry_pause_max`.
    pub retry_pause: Duration,
    /// The longest pause between retries.
    pub retry_pause_max: Duration,
    /// The longest pause when a server says that it is overloaded.
    pub retry_pause_max_overloaded: Duration,
    /// A scanner's portion has at most about so many bytes. A scan holds up to three portions in memory: one at the
    /// reader's hand, one waiting, one arriving.
    pub scan_portion_bytes: u64,
    /// An answer with more bytes than this is refused, and the connection closed. 256 MiB: as much as HBase's servers take
    /// in one request (`hbase.ipc.max.request.size`).
    pub frame_bytes_max: usize,
    /// An answer with more entries than this (names, schemas, regions, their attributes) is refused: an entry takes far more
    /// memory than it has bytes.
    pub answer_entries_max: usize,
    /// A scan fails at a row that takes more memory than this, unless it reads the row in batches of cells
    /// ([`Scan::batch`](crate::Scan::batch)).
    pub row_bytes_max: usize,
    /// So many single gets and writes that wait for the same server are sent as one call at most.
    pub batch_actions_max: usize,
    /// A multi call has about so many bytes at most.
    pub batch_bytes_max: usize,
    /// Connections to one server and service, used in turn. One is enough: calls do not wait for each other's replies.
    pub connections_per_server: usize,
    /// Changes the addresses that the cluster names, if set.
    pub translate: Option<Translate>,
    /// Is told of every retry, if set.
    pub retry_observer: Option<RetryObserver>,
}

/// Changes a setting.
type SetNumber = fn(&mut Config, u32);

/// The settings that can follow the address of a cluster, in milliseconds, bytes or entries.
const IN_ADDRESS: &[(&str, SetNumber)] = &[
    ("operation_timeout_ms", |config, ms| config.operation_timeout = Duration::from_millis(ms.into())),
    ("admin_timeout_ms", |config, ms| config.admin_timeout = Duration::from_millis(ms.into())),
    ("rpc_timeout_ms", |config, ms| config.rpc_timeout = Duration::from_millis(ms.into())),
    ("frame_bytes_max", |config, bytes| config.frame_bytes_max = bytes as usize),
    ("answer_entries_max", |config, entries| config.answer_entries_max = entries as usize),
    ("row_bytes_max", |config, bytes| config.row_bytes_max = bytes as usize),
];

impl Config {
    /// The defaults, for a cluster that answers there.
    pub fn new(bootstrap: Bootstrap) -> Self {
        Self {
            bootstrap,
            authentication: Authentication::Simple { user: user_name() },
            operation_timeout: Duration::from_secs(120),
            rpc_timeout: Duration::from_secs(10),
            connect_timeout: Duration::from_secs(3),
            admin_timeout: Duration::from_secs(600),
            retry_pause: Duration::from_millis(20),
            retry_pause_max: Duration::from_millis(500),
            retry_pause_max_overloaded: Duration::from_secs(5),
            scan_portion_bytes: 2 << 20,
            frame_bytes_max: 256 << 20,
            answer_entries_max: 1 << 20,
            row_bytes_max: 256 << 20,
            batch_actions_max: 1000,
            batch_bytes_max: 2 << 20,
            connections_per_server: 1,
            translate: None,
            retry_observer: None,
        }
    }

    /// Takes over settings as they stand in an address: `NAME=NUMBER`, with `&` between them.
    fn set_all(&mut self, settings: &str) -> Result<(), Error> {
        for setting in settings.split('&') {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let known = IN_ADDRESS.iter().find(|(known, _)| *known == name);
            let value = value.parse().ok().filter(|value| *value > 0);
            let (Some((_, set)), Some(value)) = (known, value) else {
                let names: Vec<&str> = IN_ADDRESS.iter().map(|(name, _)| *name).collect();
                return Err(Error::InvalidArgument(format!(
                    "{setting:?} is not a setting of a cluster's address: NAME=NUMBER, the number between 1 and {}, the \
                     name one of {}",
                    u32::MAX,
                    names.join(", ")
                )));
            };
            set(self, value);
        }
        Ok(())
    }
}

/// What to do about a limit that was reached.
pub(crate) fn how_to_raise(setting: &str, limit: usize) -> String {
    format!(
        "raise {setting}, e.g. with ?{setting}={} at the end of the cluster's address",
        limit.saturating_mul(4)
    )
}

impl FromStr for Config {
    type Err = Error;

    /// Reads `hbase://HOST:PORT[,HOST:PORT]` or `hbase+zk://HOST:PORT[,…][/znode]`. Settings may follow:
    /// `hbase://HOST:PORT?operation_timeout_ms=30000&row_bytes_max=1073741824`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (address, settings) =
            text.split_once('?').map_or((text, None), |(address, settings)| (address, Some(settings)));
        let mut config = Self::new(bootstrap(address)?);
        if let Some(settings) = settings {
            config.set_all(settings)?;
        }
        Ok(config)
    }
}

fn bootstrap(address: &str) -> Result<Bootstrap, Error> {
    let places = |list: &str| list.split(',').map(str::parse).collect::<Result<Vec<HostPort>, Error>>();
    if let Some(list) = address.strip_prefix("hbase://") {
        return Ok(Bootstrap::Servers(places(list.trim_end_matches('/'))?));
    }
    if let Some(rest) = address.strip_prefix("hbase+zk://") {
        let (list, root) = rest.split_once('/').unwrap_or((rest, "hbase"));
        let root = if root.is_empty() { "/hbase".to_owned() } else { format!("/{root}") };
        return Ok(Bootstrap::ZooKeeper { quorum: places(list)?, root });
    }
    Err(Error::InvalidArgument(format!(
        "{address:?} is not the address of a cluster: hbase://HOST:PORT[,HOST:PORT] or \
         hbase+zk://HOST:PORT[,HOST:PORT][/znode]"
    )))
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("bootstrap", &self.bootstrap)
            .field("operation_timeout", &self.operation_timeout)
            .field("rpc_timeout", &self.rpc_timeout)
            .finish_non_exhaustive()
    }
}

fn user_name() -> String {
    ["HADOOP_USER_NAME", "USER", "LOGNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|user| !user.is_empty()))
        .unwrap_or_else(|| "hbase-client".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let servers = "hbase://a:1,b:2".parse::<Config>().unwrap().bootstrap;
        assert_eq!(servers, Bootstrap::Servers(vec![HostPort::new("a", 1), HostPort::new("b", 2)]));
        for (text, node) in [
            ("hbase+zk://z:2181", "/hbase"),
            ("hbase+zk://z:2181/", "/hbase"),
            ("hbase+zk://z:2181/a/b", "/a/b"),
        ] {
            let quorum = vec![HostPort::new("z", 2181)];
            let wanted = Bootstrap::ZooKeeper { quorum, root: node.to_owned() };
            assert_eq!(text.parse::<Config>().unwrap().bootstrap, wanted, "{text}");
        }
    }

    #[test]
    fn settings_follow_the_address() {
        let address = "hbase+zk://z:2181/a?row_bytes_max=7&operation_timeout_ms=1500";
        let config = address.parse::<Config>().unwrap();
        assert_eq!((config.row_bytes_max, config.operation_timeout), (7, Duration::from_millis(1500)));
        let quorum = vec![HostPort::new("z", 2181)];
        assert_eq!(config.bootstrap, Bootstrap::ZooKeeper { quorum, root: "/a".to_owned() });
        for wrong in ["", "row_bytes_max", "row_bytes_max=0", "row_bytes_max=x", "colour=7"] {
            let error = format!("hbase://a:1?{wrong}").parse::<Config>().unwrap_err();
            assert!(error.to_string().contains("row_bytes_max"), "{error}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "hbase://", "hbase://a", "http://a:1", "hbase+zk:///hbase"] {
            assert!(text.parse::<Config>().is_err(), "{text}");
        }
    }
}
