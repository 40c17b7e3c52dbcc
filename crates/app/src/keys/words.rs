//! Keys, reads and shares in few words.

use tablesmith_design::keys::reads::ReadCost;
use tablesmith_model::key::Key;
use tablesmith_report::number::grouped;

/// The parts of a key.
pub fn key_text(key: &Key) -> String {
    let parts: Vec<String> = key.parts.iter().map(ToString::to_string).collect();
    parts.join(", ")
}

/// What a read takes, in few words.
pub fn read_words(cost: &ReadCost) -> String {
    let calls = grouped(cost.calls);
    match (cost.possible, cost.calls) {
        (false, _) => "whole table".to_owned(),
        (true, 1) => "1 call".to_owned(),
        (true, _) => format!("{calls} calls"),
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}
