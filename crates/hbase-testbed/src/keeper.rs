//! A cluster that outlives the command which started it: a process in the background keeps it, a file says where.
//!
//! The keeper listens on loopback. It greets with a word of its own, so that another program which got its port later is not
//! taken for it, then reads one command: `servers` or `stop`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::address::Addresses;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::members::Members;

const GREETING: &str = "tablesmith-hbase";
const ANSWER_LIMIT: Duration = Duration::from_secs(40);

/// The right to keep a cluster that a file tells of; one process at a time has it.
#[derive(Debug)]
pub struct Keeper {
    state: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Keeper {
    /// Takes the right, before a cluster is started in vain.
    pub fn claim(state: &Path) -> Result<Self, Error> {
        let path = state.with_extension("lock");
        let lock = File::create(&path).map_err(Error::file(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { state: state.to_owned(), _lock: lock }),
            Err(_) => Err(Error::Kept { path }),
        }
    }

    /// Keeps a cluster until somebody asks to stop it.
    pub fn keep(self, cluster: impl Cluster) -> Result<(), Error> {
        let failed = |error| Error::file(&self.state)(error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        self.tell(&format!("{port}\n{}\n", cluster.addresses())).map_err(failed)?;
        let who_stopped_it = serve(&listener, &cluster);
        drop(cluster);
        let removed = fs::remove_file(&self.state).map_err(failed);
        // Closing the connection is the answer.
        drop(who_stopped_it);
        removed
    }

    /// Writes the file under another name first, so that nobody reads half of it.
    fn tell(&self, text: &str) -> io::Result<()> {
        let unfinished = self.state.with_extension("unfinished");
        fs::write(&unfinished, text)?;
        fs::rename(&unfinished, &self.state)
    }
}

/// Answers visitors until one says stop, and gives that one's connection.
fn serve(listener: &TcpListener, cluster: &impl Cluster) -> Option<TcpStream> {
    for stream in listener.incoming() {
        // A visitor who goes away in the middle is no reason to stop.
        let Ok((command, mut visitor)) = stream.and_then(greet) else { continue };
        let answer = match command.as_str() {
            "servers" => cluster.members().unwrap_or_default().to_string(),
            "stop" => return Some(visitor),
            other => format!("no such command: {other}"),
        };
        let _ = writeln!(visitor, "{answer}");
    }
    None
}

fn greet(mut visitor: TcpStream) -> io::Result<(String, TcpStream)> {
    visitor.set_read_timeout(Some(Duration::from_secs(5)))?;
    writeln!(visitor, "{GREETING}")?;
    let command = read_line(&mut BufReader::new(&visitor))?;
    Ok((command, visitor))
}

/// A cluster that a keeper holds.
#[derive(Clone, Debug)]
pub struct Kept {
    keeper: SocketAddr,
    addresses: Addresses,
    state: PathBuf,
}

impl Kept {
    /// The cluster that the file tells of, if its keeper is still there. A file that a killed keeper left is removed.
    pub fn find(state: &Path) -> Option<Self> {
        let text = fs::read_to_string(state).ok()?;
        let kept = Self::read(&text, state);
        let alive = kept.filter(|kept| kept.visit().is_ok());
        if alive.is_none() {
            // If it cannot be removed it is found out to be stale again the next time.
            let _ = fs::remove_file(state);
        }
        alive
    }

    fn read(text: &str, state: &Path) -> Option<Self> {
        let (port, addresses) = text.trim_end().split_once('\n')?;
        let keeper = SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?));
        Some(Self { keeper, addresses: addresses.parse().ok()?, state: state.to_owned() })
    }

    /// Where the cluster can be reached.
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// Who is online now.
    pub fn members(&self) -> Result<Members, Error> {
        self.ask("servers").map(|answer| Members::read(&answer)).map_err(Error::file(&self.state))
    }

    /// Stops the cluster, and waits until it has stopped.
    pub fn stop(self) -> Result<(), Error> {
        let failed = |error| Error::file(&self.state)(error);
        let mut keeper = self.visit().map_err(failed)?;
        writeln!(keeper.get_mut(), "stop").map_err(failed)?;
        // The keeper closes the connection when it is done.
        io::copy(&mut keeper, &mut io::sink()).map(|_| ()).map_err(failed)
    }

    fn ask(&self, command: &str) -> io::Result<String> {
        let mut keeper = self.visit()?;
        writeln!(keeper.get_mut(), "{command}")?;
        read_line(&mut keeper)
    }

    fn visit(&self) -> io::Result<BufReader<TcpStream>> {
        let stream = TcpStream::connect(self.keeper)?;
        stream.set_read_timeout(Some(ANSWER_LIMIT))?;
        let mut keeper = BufReader::new(stream);
        if read_line(&mut keeper)? != GREETING {
            return Err(io::Error::other("somebody else listens on the keeper's port"));
        }
        Ok(keeper)
    }
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use std::thread::{sleep, spawn};

    use super::*;
    use crate::scratch::Scratch;

    struct Fake(Addresses);

    impl Cluster for Fake {
        fn addresses(&self) -> &Addresses {
            &self.0
        }

        fn files(&self) -> &Path {
            Path::new("")
        }

        fn members(&self) -> Result<Members, Error> {
            Ok(Members::read("localhost,1,10 localhost,2,20"))
        }
    }

    #[test]
    fn a_kept_cluster_is_found_asked_and_stopped() {
        let scratch = Scratch::new().unwrap();
        let state = scratch.path().join("state");
        assert!(Kept::find(&state).is_none());
        let cluster = Fake("hbase://127.0.0.1:1;zk=127.0.0.1:2".parse().unwrap());
        let addresses = cluster.0.clone();
        let keeper = spawn({
            let state = state.clone();
            move || Keeper::claim(&state).unwrap().keep(cluster)
        });
        while !state.exists() {
            sleep(Duration::from_millis(5));
        }
        assert!(Keeper::claim(&state).is_err(), "only one keeps a cluster here");
        let kept = Kept::find(&state).unwrap();
        assert_eq!(kept.addresses(), &addresses);
        assert_eq!(kept.members().unwrap().to_string(), "localhost,1,10 localhost,2,20");
        kept.stop().unwrap();
        keeper.join().unwrap().unwrap();
        assert!(!state.exists());
    }

    #[test]
    fn what_a_dead_keeper_left_is_not_taken_for_a_cluster() {
        let scratch = Scratch::new().unwrap();
        let state = scratch.path().join("state");
        // Somebody else has got the port, and greets in another way.
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = other.local_addr().unwrap().port();
        fs::write(&state, format!("{port}\nhbase://127.0.0.1:1;zk=127.0.0.1:2\n")).unwrap();
        let greeter = spawn(move || writeln!(other.accept().unwrap().0, "220 ready"));
        assert!(Kept::find(&state).is_none());
        assert!(!state.exists());
        greeter.join().unwrap().unwrap();
    }
}
