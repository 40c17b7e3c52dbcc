//! A store with the tables of a design, and what is read back from every place of it.

use tablesmith_access::{Layout, Wanted, Writer, records};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

pub async fn make(store: &dyn Store, design: &Design) {
    for table in &design.tables {
        store.create_table(table.descriptor().unwrap(), Vec::new()).await.unwrap();
    }
}

/// The fields that come back from a layout.
pub fn stored(layout: &Layout) -> Vec<String> {
    layout.record().fields().into_iter().filter(|field| layout.stores(field)).collect()
}

/// All that is wanted of a layout, in the order in which it comes.
pub async fn read(store: &dyn Store, layout: &Layout, wanted: &Wanted) -> Vec<Vec<Value>> {
    let name: TableName = layout.table().parse().unwrap();
    let read = layout.read(wanted).unwrap_or_else(|error| panic!("{error}: {wanted:?}"));
    let mut stream = records(store, layout, &name, &read).await.unwrap();
    let mut rows = Vec::new();
    while let Some(values) = stream.next().await.unwrap_or_else(|error| panic!("{error}: {}", read.words())) {
        rows.push(values);
    }
    rows
}

/// All records of a layout, sorted: the fields that it stores.
pub async fn all(store: &dyn Store, layout: &Layout) -> Vec<Vec<Value>> {
    let mut rows = read(store, layout, &Wanted { fields: stored(layout), ..Wanted::default() }).await;
    rows.sort();
    rows
}

/// What a layout should have, sorted.
pub fn expected(model: &super::model::Model, layout: &Layout) -> Vec<Vec<Value>> {
    let fields = layout.record().fields();
    let places: Vec<usize> =
        stored(layout).iter().map(|field| fields.iter().position(|name| name == field).unwrap()).collect();
    let records = model.records(layout.record());
    let mut rows: Vec<Vec<Value>> =
        records.iter().map(|record| places.iter().map(|at| record[*at].clone()).collect()).collect();
    rows.sort();
    rows
}

/// Every place has what the model says.
pub async fn assert_true(store: &dyn Store, writer: &Writer, model: &super::model::Model, context: &str) {
    for (layout, is_master) in writer.layouts() {
        let (there, expected) = (all(store, layout).await, expected(model, layout));
        assert_eq!(
            there,
            expected,
            "{} {:?} (master: {is_master}): {context}",
            layout.table(),
            layout.record()
        );
    }
}
