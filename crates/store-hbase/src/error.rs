//! The errors of a cluster as the store's errors: by the name of HBase's exception, in one table.

use tablesmith_model::TableName;
use tablesmith_store::StoreError;

/// What a request was about: errors name it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About<'a> {
    /// A table.
    Table(&'a TableName),
    /// A namespace.
    Namespace(&'a str),
    /// A region, by the name that was given.
    Region(&'a str),
    /// The cluster as a whole.
    Cluster,
}

impl About<'_> {
    /// Turns an error of the client round.
    pub(crate) fn failed(self, error: hbase::Error) -> StoreError {
        match error {
            hbase::Error::InvalidArgument(why) => StoreError::IllegalArgument(why),
            hbase::Error::TableNotFound(table) => self.table_not_found(&table.to_string()),
            hbase::Error::TableNotEnabled(table) => self.table_not_enabled(&table.to_string()),
            hbase::Error::Server(exception) => self.refused(&exception),
            hbase::Error::Deadline { .. } if is_too_busy(error.exception()) => {
                StoreError::TooBusy(error.to_string())
            }
            other => StoreError::Io(other.to_string()),
        }
    }

    /// What a server's exception means.
    fn refused(self, exception: &hbase::ServerException) -> StoreError {
        let message = || exception.message.clone();
        match exception.simple_name() {
            "NoSuchColumnFamilyException" => self.no_such_family(&exception.message),
            "TableNotFoundException" => self.table_not_found(&exception.message),
            "TableNotEnabledException" => self.table_not_enabled(&exception.message),
            "TableExistsException" => self.named(&exception.message, StoreError::TableExists),
            "TableNotDisabledException" => self.named(&exception.message, StoreError::TableNotDisabled),
            "NamespaceNotFoundException" => StoreError::NamespaceNotFound(self.namespace(&exception.message)),
            "NamespaceExistException" => StoreError::NamespaceExists(self.namespace(&exception.message)),
            "ConstraintException" => StoreError::Constraint(message()),
            "InvalidFamilyOperationException" => StoreError::InvalidFamilyOperation(message()),
            "UnknownRegionException" => match self {
                Self::Region(name) => StoreError::UnknownRegion(name.to_owned()),
                _ => StoreError::UnknownRegion(message()),
            },
            "MergeRegionException" => StoreError::Region(message()),
            "IllegalArgumentException" => StoreError::IllegalArgument(message()),
            "IncompatibleFilterException" => StoreError::IncompatibleFilter(message()),
            "IOException" => StoreError::Refused(message()),
            "DoNotRetryIOException" => StoreError::DoNotRetry(message()),
            "UnsupportedOperationException" => StoreError::Unsupported(message()),
            name if is_too_busy(Some(name)) => StoreError::TooBusy(exception.to_string()),
            // Every exception with which HBase says "not again" is one of these by descent.
            _ if exception.do_not_retry => StoreError::DoNotRetry(exception.to_string()),
            _ => StoreError::Io(exception.to_string()),
        }
    }

    fn table_not_found(self, name: &str) -> StoreError {
        self.named(name, StoreError::TableNotFound)
    }

    fn table_not_enabled(self, name: &str) -> StoreError {
        self.named(name, StoreError::TableNotEnabled)
    }

    /// An error that names a table: the one asked for, else the one that the cluster names.
    fn named(self, name: &str, error: fn(TableName) -> StoreError) -> StoreError {
        match self {
            Self::Table(table) => error(table.clone()),
            _ => name.parse().map_or_else(|_| StoreError::DoNotRetry(name.to_owned()), error),
        }
    }

    fn namespace(self, message: &str) -> String {
        match self {
            Self::Namespace(namespace) => namespace.to_owned(),
            Self::Table(table) => table.namespace().to_owned(),
            Self::Region(_) | Self::Cluster => message.to_owned(),
        }
    }

    fn no_such_family(self, message: &str) -> StoreError {
        match self {
            Self::Table(table) => StoreError::NoSuchColumnFamily {
                table: table.clone(),
                family: family_in(message).to_owned().into(),
            },
            _ => StoreError::DoNotRetry(format!("NoSuchColumnFamilyException: {message}")),
        }
    }
}

/// The family in `Column family X does not exist in …` or `Column families [X] don't exist in …`; the whole message when
/// it says something else.
fn family_in(message: &str) -> &str {
    let between = |before: &str, after: &str| {
        let (_, rest) = message.split_once(before)?;
        rest.split_once(after).map(|(family, _)| family)
    };
    between("olumn family ", " does not exist")
        .or_else(|| between("olumn families [", "] don't exist"))
        .unwrap_or(message)
}

/// Whether waiting helps, and nothing else.
fn is_too_busy(exception: Option<&str>) -> bool {
    const NAMES: [&str; 5] = [
        "RegionTooBusyException",
        "RpcThrottlingException",
        "CallQueueTooBigException",
        "CallDroppedException",
        "ServerTooBusyException",
    ];
    exception.is_some_and(|name| NAMES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exception(class: &str, message: &str) -> hbase::Error {
        hbase::Error::Server(hbase::ServerException {
            class: class.to_owned(),
            message: message.to_owned(),
            do_not_retry: true,
            ..hbase::ServerException::default()
        })
    }

    /// Every name that the store has comes back as itself.
    #[test]
    fn exceptions_keep_their_names() {
        let table = "n:t".parse().unwrap();
        for name in [
            "NoSuchColumnFamilyException",
            "TableNotFoundException",
            "TableExistsException",
            "TableNotEnabledException",
            "TableNotDisabledException",
            "NamespaceNotFoundException",
            "NamespaceExistException",
            "ConstraintException",
            "InvalidFamilyOperationException",
            "UnknownRegionException",
            "MergeRegionException",
            "IllegalArgumentException",
            "IncompatibleFilterException",
            "IOException",
            "DoNotRetryIOException",
            "UnsupportedOperationException",
            "RegionTooBusyException",
        ] {
            let error = exception(&format!("org.apache.hadoop.hbase.{name}"), "said");
            assert_eq!(About::Table(&table).failed(error).exception(), name);
        }
    }

    #[test]
    fn unknown_exceptions_keep_what_they_say() {
        let error = About::Cluster.failed(exception("a.b.AccessDeniedException", "not you"));
        assert_eq!(error.exception(), "DoNotRetryIOException");
        assert_eq!(error.to_string(), "AccessDeniedException: not you");
    }

    #[test]
    fn errors_name_what_was_asked_for() {
        let table: TableName = "n:t".parse().unwrap();
        let message = "Column family no such does not exist in region t,,1.2. in table 't', {}";
        let error = About::Table(&table).failed(exception("NoSuchColumnFamilyException", message));
        assert_eq!(error.to_string(), "column family no such does not exist in table n:t");
        assert_eq!(family_in("Column families [f] don't exist in table t"), "f");
        assert_eq!(family_in("something else"), "something else");
        let error = About::Cluster.failed(exception("TableNotFoundException", "n:u"));
        assert_eq!(error.to_string(), "table n:u does not exist");
    }
}
