//! One cluster for all tests of a process, or for all processes of a test run.

use std::env;
use std::net::TcpStream;
use std::sync::OnceLock;

use crate::address::Addresses;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::one_jvm::OneJvm;
use crate::settings::Settings;

/// The variable with the address of a cluster that is up already.
pub const VARIABLE: &str = "TABLESMITH_HBASE";

struct Shared {
    addresses: Addresses,
    /// Ours, unless it is somebody else's. A static is never dropped: the JVM stops when this process has ended.
    _started: Option<OneJvm>,
}

static SHARED: OnceLock<Result<Shared, Error>> = OnceLock::new();

/// The cluster that all tests of this process share: the one that `TABLESMITH_HBASE` names, else one in a JVM that is
/// started by the first caller. Tests that share it use tables with names of their own.
pub fn shared() -> Result<&'static Addresses, &'static Error> {
    SHARED.get_or_init(find_or_start).as_ref().map(|shared| &shared.addresses)
}

fn find_or_start() -> Result<Shared, Error> {
    match env::var(VARIABLE) {
        Ok(value) if !value.is_empty() => Ok(Shared { addresses: given(&value)?, _started: None }),
        _ => {
            let cluster = OneJvm::start(&Settings::default())?;
            Ok(Shared { addresses: cluster.addresses().clone(), _started: Some(cluster) })
        }
    }
}

/// The addresses in the variable, if somebody listens there: a cluster that is gone is better found out here than by
/// hundreds of tests that each run into a time limit.
fn given(value: &str) -> Result<Addresses, Error> {
    let error = |why: String| Error::Address { value: value.to_owned(), why };
    let addresses: Addresses = value.parse().map_err(|why: &str| error(why.to_owned()))?;
    let listens = addresses.masters.split(',').any(|master| TcpStream::connect(master).is_ok());
    listens.then_some(addresses).ok_or_else(|| error("nobody listens there".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_cluster_that_is_gone_is_refused() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let value = format!("hbase://{};zk=127.0.0.1:1", listener.local_addr().unwrap());
        assert_eq!(given(&value).unwrap().by_zookeeper(), "hbase+zk://127.0.0.1:1");
        drop(listener);
        assert!(given(&value).unwrap_err().to_string().contains("nobody listens there"));
        assert!(given("elsewhere").unwrap_err().to_string().contains("it does not begin with hbase://"));
    }
}
