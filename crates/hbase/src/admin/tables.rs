//! Tables: making, changing and dropping them, and what there is.

use bytes::Bytes;

use super::master::{about_table, ask};
use super::procedure::Nonces;
use super::{Admin, TableSchema};
use crate::retry_report::Purpose;
use crate::{Error, TableName, name, pb};
use pb::table_state::State;

impl Admin {
    /// Makes a table with a region more than there are split keys.
    pub async fn create_table(&self, schema: &TableSchema, splits: &[Bytes]) -> Result<(), Error> {
        let Nonces { group, nonce } = Nonces::new();
        let request = pb::CreateTableRequest {
            table_schema: schema.to_pb(),
            split_keys: sorted_splits(splits)?,
            nonce_group: group,
            nonce,
        };
        self.change_table(&schema.name, "CreateTable", &request).await
    }

    /// Changes a table's families and attributes to what the schema says; what it does not name is taken away.
    /// The table may be enabled: its regions are opened again, one after the other.
    pub async fn modify_table(&self, schema: &TableSchema) -> Result<(), Error> {
        let Nonces { group, nonce } = Nonces::new();
        let request = pb::ModifyTableRequest {
            table_name: name::table_to_pb(&schema.name),
            table_schema: schema.to_pb(),
            nonce_group: group,
            nonce,
        };
        self.change_table(&schema.name, "ModifyTable", &request).await
    }

    /// Takes a table out of service.
    pub async fn disable_table(&self, table: &TableName) -> Result<(), Error> {
        self.change_table(table, "DisableTable", &request_about(table)).await
    }

    /// Takes a table into service again.
    pub async fn enable_table(&self, table: &TableName) -> Result<(), Error> {
        self.change_table(table, "EnableTable", &request_about(table)).await
    }

    /// Drops a table, which must be disabled.
    pub async fn delete_table(&self, table: &TableName) -> Result<(), Error> {
        self.change_table(table, "DeleteTable", &request_about(table)).await
    }

    /// Drops all rows of a table, which must be disabled, and enables it; its regions stay as they are cut, if wanted.
    pub async fn truncate_table(&self, table: &TableName, preserve_splits: bool) -> Result<(), Error> {
        let Nonces { group, nonce } = Nonces::new();
        let request = pb::TruncateTableRequest {
            table_name: name::table_to_pb(table),
            preserve_splits: Some(preserve_splits),
            nonce_group: group,
            nonce,
        };
        self.change_table(table, "truncateTable", &request).await
    }

    /// What a table is like.
    pub async fn describe_table(&self, table: &TableName) -> Result<TableSchema, Error> {
        let request = pb::GetTableDescriptorsRequest {
            table_names: vec![name::table_to_pb(table)],
            include_sys_tables: Some(true),
            ..Default::default()
        };
        let found = self.schemas(request).await.map_err(|error| about_table(error, table))?;
        found.into_iter().next().ok_or_else(|| Error::TableNotFound(table.clone()))
    }

    /// What all tables are like, of all namespaces or of one; HBase's own tables only if their namespace is named.
    pub async fn describe_tables(&self, namespace: Option<&str>) -> Result<Vec<TableSchema>, Error> {
        let request = pb::GetTableDescriptorsRequest {
            include_sys_tables: Some(namespace.is_some()),
            namespace: namespace.map(str::to_owned),
            ..Default::default()
        };
        self.schemas(request).await
    }

    async fn schemas(&self, request: pb::GetTableDescriptorsRequest) -> Result<Vec<TableSchema>, Error> {
        let reply: pb::GetTableDescriptorsResponse =
            ask(&self.cluster, "GetTableDescriptors", &request, &mut self.attempts()).await?;
        let nameless = || Error::Protocol("a table without a name".to_owned());
        reply
            .table_schema
            .into_iter()
            .map(|schema| TableSchema::from_pb(schema).ok_or_else(nameless))
            .collect()
    }

    /// The names of all tables, of all namespaces or of one; HBase's own tables only if their namespace is named.
    pub async fn table_names(&self, namespace: Option<&str>) -> Result<Vec<TableName>, Error> {
        let request = pb::GetTableNamesRequest {
            regex: None,
            include_sys_tables: Some(namespace.is_some()),
            namespace: namespace.map(str::to_owned),
        };
        let reply: pb::GetTableNamesResponse =
            ask(&self.cluster, "GetTableNames", &request, &mut self.attempts()).await?;
        let names = reply.table_names.iter().map(name::table_from_pb).collect::<Result<Vec<_>, _>>();
        let mut names = names.map_err(|error| Error::Protocol(error.to_string()))?;
        names.sort();
        Ok(names)
    }

    /// Whether there is such a table, enabled or not.
    pub async fn table_exists(&self, table: &TableName) -> Result<bool, Error> {
        Ok(table.is_meta() || self.table_state(table).await?.is_some())
    }

    /// Whether a table is in service.
    pub async fn is_table_enabled(&self, table: &TableName) -> Result<bool, Error> {
        if table.is_meta() {
            return Ok(true);
        }
        let state = self.table_state(table).await?.ok_or_else(|| Error::TableNotFound(table.clone()))?;
        Ok(state == State::Enabled)
    }

    async fn table_state(&self, table: &TableName) -> Result<Option<State>, Error> {
        let mut attempts = self.attempts().about(Purpose::of_table("reading the state", table));
        loop {
            let meta = self.cluster.meta_location(attempts.deadline()).await;
            let failure = match self.cluster.table_state(table, &attempts).await {
                Ok(state) => return Ok(state),
                Err(failure) => failure,
            };
            attempts.failed(failure, meta.ok().as_ref()).await?;
        }
    }
}

fn request_about(table: &TableName) -> pb::TableRequest {
    let Nonces { group, nonce } = Nonces::new();
    pb::TableRequest { table_name: name::table_to_pb(table), nonce_group: group, nonce }
}

/// The master takes the keys as they come and would make regions that overlap of keys in disorder.
fn sorted_splits(splits: &[Bytes]) -> Result<Vec<Bytes>, Error> {
    let mut sorted = splits.to_vec();
    sorted.sort();
    let wrong = |why: &str| Err(Error::InvalidArgument(why.to_owned()));
    if sorted.first().is_some_and(Bytes::is_empty) {
        return wrong("a split key must not be empty: the first region begins there");
    }
    if sorted.windows(2).any(|pair| pair.first() == pair.last()) {
        return wrong("two split keys are the same");
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_keys_are_sent_in_order() {
        let keys = |texts: &[&'static str]| texts.iter().copied().map(Bytes::from).collect::<Vec<_>>();
        assert_eq!(sorted_splits(&keys(&["m", "b", "t"])).unwrap(), keys(&["b", "m", "t"]));
        assert!(sorted_splits(&keys(&["m", ""])).is_err());
        assert!(sorted_splits(&keys(&["m", "b", "m"])).is_err());
        assert!(sorted_splits(&[]).unwrap().is_empty());
    }
}
