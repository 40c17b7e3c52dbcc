//! Where a cluster can be reached.

use std::fmt;
use std::str::FromStr;

/// The two ways to find a cluster, each as `HOST:PORT` or several of them with commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// The masters, which answer a client's first questions without ZooKeeper.
    pub masters: String,
    /// The ZooKeeper that the cluster uses.
    pub zookeeper: String,
}

impl Addresses {
    /// What `--store` takes to find the cluster through its masters.
    pub fn by_masters(&self) -> String {
        format!("hbase://{}", self.masters)
    }

    /// What `--store` takes to find the cluster through ZooKeeper.
    pub fn by_zookeeper(&self) -> String {
        format!("hbase+zk://{}", self.zookeeper)
    }
}

/// The form of the variable `TABLESMITH_HBASE`: `hbase://HOST:PORT;zk=HOST:PORT`.
impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hbase://{};zk={}", self.masters, self.zookeeper)
    }
}

impl FromStr for Addresses {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.strip_prefix("hbase://").ok_or("it does not begin with hbase://")?;
        let (masters, zookeeper) = text.split_once(";zk=").ok_or("it has no ;zk= part")?;
        if !are_addresses(masters) || !are_addresses(zookeeper) {
            return Err("an address is HOST:PORT");
        }
        Ok(Self { masters: masters.to_owned(), zookeeper: zookeeper.to_owned() })
    }
}

fn are_addresses(list: &str) -> bool {
    list.split(',').all(|address| {
        address.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let addresses =
            Addresses { masters: "127.0.0.1:1,127.0.0.1:2".into(), zookeeper: "localhost:3".into() };
        assert_eq!(addresses.to_string().parse(), Ok(addresses.clone()));
        assert_eq!(addresses.by_masters(), "hbase://127.0.0.1:1,127.0.0.1:2");
        assert_eq!(addresses.by_zookeeper(), "hbase+zk://localhost:3");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["", "hbase://a:1", "a:1;zk=b:2", "hbase://a;zk=b:2", "hbase://a:1;zk=b:x", "hbase://:1;zk=b:2"]
        {
            assert!(text.parse::<Addresses>().is_err(), "{text}");
        }
    }
}
