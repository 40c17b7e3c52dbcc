//! Reading and writing rows.

use std::time::Instant;

use tablesmith_model::TableName;
use tablesmith_store::wrap::Volume;
use tablesmith_store::{
    Answer, CheckAndMutate, CheckOutcome, Get, Mutation, Row, RowMutations, Scan, Scanner, StoreError,
};

use crate::HbaseStore;
use crate::answer;
use crate::error::About;
use crate::request::{reads, writes};
use crate::scanner::ClusterScanner;

impl HbaseStore {
    pub(crate) async fn get_row(&self, table: &TableName, get: &Get) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        reads::check_get(get)?;
        let found = self.table(table)?.get(reads::get(get)).await;
        let found = found.map_err(|error| About::Table(table).failed(error))?;
        let row = answer::row_at(get.row.clone(), found);
        let looked_at = answer::looked_at(&get.read, Volume::of_row(&row));
        Ok(answer::of_region(row, looked_at, begun))
    }

    pub(crate) async fn has_row(&self, table: &TableName, get: &Get) -> Result<Answer<bool>, StoreError> {
        let begun = Instant::now();
        reads::check_get(get)?;
        let found = self.table(table)?.exists(reads::get(get)).await;
        let found = found.map_err(|error| About::Table(table).failed(error))?;
        Ok(answer::of_region(found, None, begun))
    }

    pub(crate) async fn mutate(
        &self,
        table: &TableName,
        mutation: Mutation,
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        writes::check_mutation(table, &mutation)?;
        let travelled = Volume::of_mutation(&mutation);
        let client = self.table(table)?;
        let key = mutation.row().clone();
        let nothing = |()| hbase::Row::default();
        let written = match writes::mutation(mutation) {
            hbase::Mutation::Put(put) => client.put(put).await.map(nothing),
            hbase::Mutation::Delete(delete) => client.delete(delete).await.map(nothing),
            hbase::Mutation::Increment(increment) => client.increment(increment).await,
            hbase::Mutation::Append(append) => client.append(append).await,
        };
        let row = answer::row_at(key, written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, Some(travelled), begun))
    }

    pub(crate) async fn mutate_atomically(
        &self,
        table: &TableName,
        mutations: RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        writes::check_row_mutations(table, &mutations)?;
        let travelled = Volume::of_row_mutations(&mutations);
        let key = mutations.row.clone();
        let written = self.table(table)?.mutate_row(writes::row_mutations(mutations)).await;
        let row = answer::row_at(key, written.map_err(|error| About::Table(table).failed(error))?);
        Ok(answer::of_region(row, Some(travelled), begun))
    }

    pub(crate) async fn check_then_mutate(
        &self,
        table: &TableName,
        check: CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        let begun = Instant::now();
        writes::check_condition(table, &check)?;
        let sent = Volume::of_row_mutations(&check.then);
        let outcome = self.table(table)?.check_and_mutate(writes::check_and_mutate(check)).await;
        let outcome = answer::checked(outcome.map_err(|error| About::Table(table).failed(error))?);
        let travelled = outcome.success.then_some(sent);
        Ok(answer::of_region(outcome, travelled, begun))
    }

    pub(crate) fn begin_scan(&self, table: &TableName, scan: &Scan) -> Result<Box<dyn Scanner>, StoreError> {
        reads::check_scan(scan)?;
        let rows = self.table(table)?.scan(reads::scan(scan));
        Ok(Box::new(ClusterScanner::new(rows, table.clone(), scan.read.filter.is_some())))
    }
}
