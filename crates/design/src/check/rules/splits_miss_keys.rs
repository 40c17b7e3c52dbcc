//! Split points where no key can be.

use tablesmith_model::bytes_text;
use tablesmith_model::design::Table;
use tablesmith_model::key::Key;

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};
use crate::keys::splits::prefix::Leading;

pub const RULE: Rule = Rule {
    id: "splits-miss-keys",
    severity: Severity::Warning,
    what: "Split points behind the last prefix that a key can begin with.",
    why: "The regions behind them stay empty, and the others take all rows. It comes from split points that were made for another \
          alphabet: hexadecimal digits over binary prefixes, bytes over digits.",
    example: Example {
        workload: "[[table]]\nname = \"user\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\nname = { type = \"string\" }\n",
        design: "[[table]]\nname = \"user\"\nsplits = ['\\x04', '4', '8', 'c']\n[[table.family]]\nname = \"f\"\n[[table.rows]]\n\
                 from = \"user\"\nkey = [\"md5_mod(id, 16)\", \"id\"]\ncells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    subject.laid().filter_map(|laid| of(laid.table, &laid.rows.key)).collect()
}

fn of(table: &Table, key: &Key) -> Option<Found> {
    let leading = Leading::of(key)?;
    let last = leading.bytes(leading.count() - 1, key.encoding);
    let begins_behind =
        |split: &&Vec<u8>| split.get(..last.len().min(split.len())) > last.get(..split.len().min(last.len()));
    let behind = table.splits.iter().filter(begins_behind).count();
    let first = table.splits.iter().find(begins_behind)?;
    Some(Found {
        at: format!("{}.splits", table.name),
        message: format!(
            "{behind} of {} split points lie behind the last prefix {}, the first of them at {}: so many regions stay empty",
            table.splits.len(),
            bytes_text::to_text(&last),
            bytes_text::to_text(first)
        ),
        fix: "make them anew: tablesmith keys … --splits prefix".to_owned(),
    })
}
