//! Which store is meant: `embedded:DIR`, `hbase://…` or `hbase+zk://…`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tablesmith_store_hbase::HbaseStore;

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAddress {
    /// In a directory of this machine.
    Embedded(PathBuf),
    /// A cluster, by the address as it was given.
    HBase(String),
}

impl FromStr for StoreAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(directory) = text.strip_prefix("embedded:") {
            return match directory {
                "" => Err("embedded: needs a directory, as in embedded:./tables".to_owned()),
                directory => Ok(Self::Embedded(directory.into())),
            };
        }
        let cluster = [("hbase://", false), ("hbase+zk://", true)]
            .into_iter()
            .find_map(|(scheme, znode)| Some((text.strip_prefix(scheme)?, znode)));
        match cluster {
            Some((servers, znode)) => {
                let (servers, _) = servers.split_once('?').unwrap_or((servers, ""));
                check_servers(servers, znode)?;
                HbaseStore::check_address(text).map_err(|error| error.to_string())?;
                Ok(Self::HBase(text.to_owned()))
            }
            None => Err(format!(
                "a store is embedded:DIR, hbase://HOST:PORT or hbase+zk://HOST:PORT; a directory is embedded:{text}"
            )),
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded(directory) => write!(f, "embedded:{}", directory.display()),
            Self::HBase(address) => f.write_str(address),
        }
    }
}

/// `HOST:PORT`, several with commas between them; for ZooKeeper a znode may follow.
fn check_servers(text: &str, znode: bool) -> Result<(), String> {
    let servers = if znode { text.split('/').next().unwrap_or(text) } else { text };
    for server in servers.split(',') {
        let port = server.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        if !port.is_some_and(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0)) {
            return Err(format!("{server:?} is not HOST:PORT"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        assert_eq!("embedded:a b".parse(), Ok(StoreAddress::Embedded("a b".into())));
        for cluster in [
            "hbase://a:16000",
            "hbase://a:16000,b:16000",
            "hbase+zk://a:2181,b:2181/hbase",
            "hbase://a:16000?operation_timeout_ms=30000&row_bytes_max=1073741824",
        ] {
            assert_eq!(cluster.parse(), Ok(StoreAddress::HBase(cluster.to_owned())));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, hint) in [
            ("embedded:", "needs a directory"),
            ("./tables", "embedded:./tables"),
            ("hbase://", "HOST:PORT"),
            ("hbase://a", "HOST:PORT"),
            ("hbase://a:0", "HOST:PORT"),
            ("hbase://a:1,:2", "HOST:PORT"),
            ("hbase://a:1/znode", "HOST:PORT"),
            ("hbase://a:1?colour=7", "row_bytes_max"),
            ("hbase://a:1?row_bytes_max=much", "NAME=NUMBER"),
            ("http://a:1", "a store is"),
        ] {
            let error = text.parse::<StoreAddress>().unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
