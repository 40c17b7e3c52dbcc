//! What to try after the demo.

/// A command, and why one would type it.
pub struct Hint {
    /// The command.
    pub command: String,
    /// What it does.
    pub why: &'static str,
}

/// Decides by whether the tables are still there, and in which store (`None`: the user's own).
pub fn hints(kept: bool, store: Option<&str>) -> Vec<Hint> {
    let at = store.map(|store| format!(" --store {store}")).unwrap_or_default();
    let mut hints = Vec::new();
    if !kept {
        let keep = format!("tablesmith demo --keep{at}");
        hints.push(Hint { command: keep, why: "the same once more, and the tables stay; then:" });
    }
    let scan = format!("tablesmith shell{at} -c \"scan 'demo_follows', {{LIMIT => 3}}\"");
    hints.push(Hint { command: scan, why: "the first rows, in the language of HBase's shell" });
    hints
        .push(Hint { command: format!("tablesmith shell{at}"), why: "a prompt; 'help' shows what it knows" });
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_gone_are_made_first() {
        let commands =
            |kept, store| hints(kept, store).into_iter().map(|hint| hint.command).collect::<Vec<_>>();
        assert_eq!(commands(false, None)[0], "tablesmith demo --keep");
        assert_eq!(
            commands(true, Some("embedded:x")),
            [
                "tablesmith shell --store embedded:x -c \"scan 'demo_follows', {LIMIT => 3}\"",
                "tablesmith shell --store embedded:x"
            ]
        );
    }
}
