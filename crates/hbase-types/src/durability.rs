//! How safe a write is when it is acknowledged.

/// How safe a write is when it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Durability {
    /// What the table says, else [`Durability::SyncWal`].
    #[default]
    UseDefault,
    /// Not in the log: lost with the process.
    SkipWal,
    /// In the log soon after.
    AsyncWal,
    /// In the log, handed to the operating system: survives the end of the process.
    SyncWal,
    /// In the log and on the disk: survives a power failure.
    FsyncWal,
}

impl Durability {
    /// HBase's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::UseDefault => "USE_DEFAULT",
            Self::SkipWal => "SKIP_WAL",
            Self::AsyncWal => "ASYNC_WAL",
            Self::SyncWal => "SYNC_WAL",
            Self::FsyncWal => "FSYNC_WAL",
        }
    }

    /// The value of a name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::UseDefault, Self::SkipWal, Self::AsyncWal, Self::SyncWal, Self::FsyncWal]
            .into_iter()
            .find(|durability| durability.name().eq_ignore_ascii_case(name))
    }
}
