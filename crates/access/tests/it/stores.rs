//! Stores to ask.

use std::sync::Arc;

use tablesmith_access::{Layout, Outcome, Question, apply, carry_out, load, plan};
use tablesmith_model::TableName;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_store::memory::MemoryStore;
use tablesmith_store::{Store, SystemClock};

pub fn memory() -> MemoryStore {
    MemoryStore::new(Arc::new(SystemClock), 2)
}

/// Makes a table and loads rows into it.
pub async fn filled(
    store: &dyn Store,
    mut layout: Layout,
    name: &str,
    rows: &[Vec<Value>],
) -> (TableName, Layout) {
    let name: TableName = name.parse().unwrap();
    apply(store, &layout, &name).await.unwrap();
    let source = rows.iter().enumerate();
    let source = source.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values: values.clone() }));
    let loaded = load(store, &mut layout, &name, source, &mut |_| {}).await.unwrap();
    assert_eq!(loaded.rows, rows.len() as u64, "{:?}", loaded.rejected);
    (name, layout)
}

/// Asks a question with the literals of its own text.
pub async fn ask(store: &dyn Store, name: &TableName, layout: &Layout, question: &Question) -> Outcome {
    let literals: Vec<String> =
        question.slots().iter().map(|slot| slot.literal.clone().unwrap_or_default()).collect();
    let call = question.bind(&literals).unwrap();
    let plan = plan(layout, &call).unwrap();
    carry_out(store, layout, name, &plan).await.unwrap()
}
