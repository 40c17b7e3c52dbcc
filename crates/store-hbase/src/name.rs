//! Names of tables and regions, to and from the client's.

use tablesmith_model::TableName;
use tablesmith_store::StoreError;

pub(crate) fn to_client(name: &TableName) -> Result<hbase::TableName, StoreError> {
    hbase::TableName::new(name.namespace(), name.table())
        .map_err(|error| StoreError::IllegalArgument(error.to_string()))
}

pub(crate) fn from_client(name: &hbase::TableName) -> Result<TableName, StoreError> {
    // HBase has the same rules for names, so that this fails only when the cluster has another idea of them.
    name.to_string()
        .parse()
        .map_err(|error| StoreError::Io(format!("the cluster names a table {name}: {error}")))
}
