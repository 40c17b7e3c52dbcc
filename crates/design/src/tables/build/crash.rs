//! What can be seen when a client dies half-way through a statement that writes.

use tablesmith_sql::Kind;

use super::kept::Kept;
use crate::tables::ask::Ask;
use crate::tables::predict::{Ground, keeping};

/// What can be seen, in sentences; `None` for what only reads.
pub fn after(ground: &Ground<'_>, ask: &Ask, kept: &[Kept]) -> Option<String> {
    let table = ask.written()?.table.clone();
    let touched: Vec<&Kept> =
        kept.iter().filter(|kept| keeping(ground, ask, &kept.candidate).is_some()).collect();
    let (masters, copies): (Vec<&Kept>, Vec<&Kept>) =
        touched.into_iter().partition(|kept| kept.base_of.contains(&table));
    let master = masters.first().map(|kept| kept.table.name.as_str()).unwrap_or("the master");
    if copies.is_empty() {
        return Some(format!(
            "each row of {master} is written whole or not at all; nothing else has to follow"
        ));
    }
    let names: Vec<&str> = copies.iter().map(|kept| kept.table.name.as_str()).collect();
    let names = names.join(", ");
    Some(match ask.kind {
        Kind::Delete => format!(
            "copies go first: rows can be gone from {names} and still be in {master}, never the other way round; the same \
             statement again, or `tablesmith repair`, mends it"
        ),
        Kind::Update => format!(
            "old copies go, then {master} is written, then new copies: rows can be missing from {names}, and none of them shows \
             what {master} does not say; `tablesmith repair` adds them"
        ),
        Kind::Insert | Kind::Select => format!(
            "{master} is written first: rows can be in it and not yet in {names}; `tablesmith repair` adds them"
        ),
    })
}
