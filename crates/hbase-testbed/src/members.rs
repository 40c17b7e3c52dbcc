//! The servers of a cluster by HBase's own names.

use std::fmt;
use std::str::FromStr;

/// A server as HBase names it, `host,port,startcode`: started again it has another name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName {
    /// The host that clients connect to.
    pub host: String,
    /// The port that clients connect to.
    pub port: u16,
    /// When it was started, in milliseconds since 1970.
    pub start_code: u64,
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.host, self.port, self.start_code)
    }
}

impl FromStr for ServerName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(',');
        let (Some(host), Some(port), Some(start_code), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("a server's name is host,port,startcode");
        };
        let port = port.parse().map_err(|_| "the port of a server's name is no port")?;
        let start_code = start_code.parse().map_err(|_| "the start code of a server's name is no number")?;
        Ok(Self { host: host.to_owned(), port, start_code })
    }
}

/// Who is online, as the active master sees it. A killed server is among them until its session has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// The active master; none while nobody is.
    pub master: Option<ServerName>,
    /// The region servers.
    pub region_servers: Vec<ServerName>,
}

impl Members {
    /// Reads what `Watcher.java` says: the master and the region servers, `-` when nobody knows.
    pub(crate) fn read(answer: &str) -> Self {
        let mut names = answer.split(' ');
        let master = names.next().and_then(|name| name.parse().ok());
        Self { master, region_servers: names.filter_map(|name| name.parse().ok()).collect() }
    }
}

/// The master and the region servers with spaces between; `-` stands for a missing master.
impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.master {
            Some(master) => write!(f, "{master}")?,
            None => f.write_str("-")?,
        }
        self.region_servers.iter().try_for_each(|server| write!(f, " {server}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        let members = Members::read("localhost,1,10 localhost,2,20 localhost,3,30");
        assert_eq!(Members::read(&members.to_string()), members);
        assert_eq!(members.master.unwrap().to_string(), "localhost,1,10");
        let servers: Vec<_> = members.region_servers.iter().map(ServerName::to_string).collect();
        assert_eq!(servers, ["localhost,2,20", "localhost,3,30"]);
        assert_eq!(Members::read("-").to_string(), "-");
        assert_eq!(Members::read("-"), Members::default());
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "a", "a,1", "a,b,1", "a,1,b", "a,1,2,3", "a,70000,1"] {
            assert!(text.parse::<ServerName>().is_err(), "{text}");
        }
    }
}
