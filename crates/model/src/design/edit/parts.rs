//! Replaces the key and the splits of a table, the plan of a query, and reasons.

use toml_edit::Item;

use super::super::{QueryPlan, Reason, items};
use super::{DesignFile, EditError, find};
use crate::key::Key;
use crate::value::KeyEncoding;

impl DesignFile {
    /// Gives the rows of a workload's table another key.
    pub fn set_key(&mut self, table: &str, key: &Key) -> Result<(), EditError> {
        self.change(|document, design| {
            let (table_index, rows_index) = find::plain_rows_of(design, table)?;
            let item = find::table_mut(document.as_table_mut(), "table", table_index)?;
            let rows = find::table_mut(item, "rows", rows_index)?;
            let old = design.tables.get(table_index).and_then(|table| table.rows.get(rows_index));
            if old.is_none_or(|old| old.key.parts != key.parts) {
                find::replace_value(rows, "key", items::key_parts(key));
            }
            let encoding = old.map(|old| old.key.encoding).unwrap_or(KeyEncoding::default());
            if encoding != key.encoding {
                find::replace_value(rows, "key_encoding", key.encoding.name());
            }
            Ok(())
        })
    }

    /// Gives the table that holds a workload's table other splits.
    pub fn set_splits(&mut self, table: &str, splits: &[Vec<u8>]) -> Result<(), EditError> {
        self.change(|document, design| {
            let (table_index, _) = find::rows_of(design, table)?;
            if design.tables.get(table_index).is_some_and(|table| table.splits == splits) {
                return Ok(());
            }
            let item = find::table_mut(document.as_table_mut(), "table", table_index)?;
            if splits.is_empty() {
                item.remove("splits");
            } else {
                find::replace_value(item, "splits", items::splits(splits));
            }
            Ok(())
        })
    }

    /// Puts a plan in the place of the one for the same query, or after all others.
    pub fn set_query(&mut self, query: &QueryPlan) -> Result<(), EditError> {
        self.change(|document, design| {
            let queries = find::tables_mut(document.as_table_mut(), "query")?;
            match design.queries.iter().position(|old| old.name == query.name) {
                Some(index) if design.queries.get(index) == Some(query) => {}
                Some(index) => {
                    let mut item = items::query(query);
                    if let Some(old) = queries.get_mut(index) {
                        item.set_position(old.position());
                        *item.decor_mut() = old.decor().clone();
                        *old = item;
                    }
                }
                None => queries.push(items::query(query)),
            }
            Ok(())
        })
    }

    /// Puts these reasons in the place of all those about `prefix` or something below it (`prefix.more`).
    pub fn set_reasons(&mut self, prefix: &str, reasons: &[Reason]) -> Result<(), EditError> {
        if let Some(foreign) = reasons.iter().find(|reason| !is_below(&reason.at, prefix)) {
            return Err(EditError::ForeignReason { at: foreign.at.clone(), prefix: prefix.to_owned() });
        }
        self.change(|document, design| {
            let old = design.reasons.iter().filter(|reason| is_below(&reason.at, prefix));
            if old.eq(reasons) {
                return Ok(());
            }
            let root = document.as_table_mut();
            let all = find::tables_mut(root, "reason")?;
            all.retain(|reason| {
                !reason.get("at").and_then(Item::as_str).is_some_and(|at| is_below(at, prefix))
            });
            for reason in reasons {
                all.push(items::reason(reason));
            }
            if all.is_empty() {
                root.remove("reason");
            }
            Ok(())
        })
    }
}

/// Whether a place is `prefix` or below it.
fn is_below(at: &str, prefix: &str) -> bool {
    at.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
