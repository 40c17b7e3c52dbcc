//! Names of tables on the wire, and names of servers.

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use hbase_types::TableName;

use crate::wire::WireError;
use crate::{Error, pb};

/// A table's name as it travels.
pub(crate) fn table_to_pb(name: &TableName) -> pb::TableName {
    let bytes = |text: &str| Bytes::copy_from_slice(text.as_bytes());
    pb::TableName { namespace: bytes(name.namespace()), qualifier: bytes(name.table()) }
}

/// A table's name that came from a server.
pub(crate) fn table_from_pb(name: &pb::TableName) -> Result<TableName, WireError> {
    let refused = |why: &dyn fmt::Display| WireError(format!("it names a table that cannot be one: {why}"));
    let text = |bytes| std::str::from_utf8(bytes).map_err(|error| refused(&error));
    TableName::new(text(&name.namespace)?, text(&name.qualifier)?).map_err(|error| refused(&error))
}

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostPort {
    /// Name or address of the machine.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl HostPort {
    /// A place.
    pub fn new(host: impl Into<String>, port: u16) -> Self {
        Self { host: host.into(), port }
    }
}

impl FromStr for HostPort {
    type Err = Error;

    /// Reads `host:port`; an IPv6 address stands in brackets.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::InvalidArgument(format!("{text:?} is not HOST:PORT"));
        let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Self::new(host, port.parse().map_err(|_| wrong())?))
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            return write!(f, "[{}]:{}", self.host, self.port);
        }
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// A server, told apart from one that listened at the same place before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerName {
    /// Where it listens.
    pub address: HostPort,
    /// When it started, in milliseconds.
    pub start_code: u64,
}

impl ServerName {
    pub(crate) fn from_pb(name: pb::ServerName) -> Result<Self, WireError> {
        let port = name.port.unwrap_or_default();
        let port = u16::try_from(port).ok().filter(|port| *port > 0).ok_or_else(|| {
            WireError(format!("it names a server {} at port {port}, which is none", name.host_name))
        })?;
        Ok(Self {
            address: HostPort::new(name.host_name, port),
            start_code: name.start_code.unwrap_or_default(),
        })
    }

    pub(crate) fn to_pb(&self) -> pb::ServerName {
        pb::ServerName {
            host_name: self.address.host.clone(),
            port: Some(self.address.port.into()),
            start_code: Some(self.start_code),
        }
    }
}

impl fmt::Display for ServerName {
    /// As HBase writes it: `host,port,start`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.address.host, self.address.port, self.start_code)
    }
}

impl FromStr for ServerName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::InvalidArgument(format!("{text:?} is not a server's name: host,port,start"));
        let mut parts = text.split(',');
        let (Some(host), Some(port), Some(start), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        let port = port.parse().map_err(|_| wrong())?;
        Ok(Self { address: HostPort::new(host, port), start_code: start.parse().map_err(|_| wrong())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_travel() {
        for text in ["t", "ns:t", "hbase:meta", "a.b-c_d"] {
            let name: TableName = text.parse().unwrap();
            assert_eq!(table_from_pb(&table_to_pb(&name)).unwrap(), name);
        }
        for qualifier in [&b""[..], b"-t", b"a b", b"\xff"] {
            let name = pb::TableName { namespace: "default".into(), qualifier: qualifier.into() };
            assert!(table_from_pb(&name).is_err(), "{qualifier:?}");
        }
    }

    #[test]
    fn places_read_as_they_print() {
        for text in ["localhost:16000", "[::1]:2181", "10.0.0.1:1"] {
            assert_eq!(text.parse::<HostPort>().unwrap().to_string(), text);
        }
        for text in ["", "host", "host:", ":1", "host:70000"] {
            assert!(text.parse::<HostPort>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_server_at_an_impossible_port_is_refused() {
        let at = |port| pb::ServerName { host_name: "h".to_owned(), port, start_code: None };
        assert_eq!(ServerName::from_pb(at(Some(16_000))).unwrap().address, HostPort::new("h", 16_000));
        for port in [None, Some(0), Some(99_999)] {
            assert!(ServerName::from_pb(at(port)).is_err(), "{port:?}");
        }
    }

    #[test]
    fn server_names_read_as_they_print() {
        assert_eq!("h,16020,17".parse::<ServerName>().unwrap().to_string(), "h,16020,17");
        assert!("h,16020".parse::<ServerName>().is_err());
    }
}
