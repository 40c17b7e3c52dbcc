//! What is read first: the verdict, whether it can be trusted, and what was measured on what.

use tablesmith_model::evidence::Evidence;

use super::html::{facts, paragraph};
use crate::escape::{escape, typeset};
use crate::number::{grouped, significant};
use crate::view::View;

/// The head of the page.
pub fn head(view: &View<'_>, title: &str) -> String {
    let evidence = view.evidence;
    format!(
        "<header>\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n{}{}{}\n{}</header>\n",
        escape(title),
        typeset(&verdict(evidence)),
        stopped(evidence),
        answers(view),
        facts(measured(view)),
        notes(evidence),
    )
}

fn verdict(evidence: &Evidence) -> String {
    let nothing = evidence.designs.iter().all(|design| design.reads.queries == 0 && design.writes.is_none());
    match (evidence.verdict.as_str(), nothing) {
        ("", true) => "Nothing was measured".to_owned(),
        ("", false) => "Measured, without a verdict".to_owned(),
        (verdict, _) => verdict.to_owned(),
    }
}

fn stopped(evidence: &Evidence) -> String {
    evidence.stopped.as_ref().map_or(String::new(), |why| {
        format!(
            "<div class=\"alert\" role=\"note\"><strong>Measuring stopped early:</strong> {} What was measured until then is on \
             this page.</div>\n",
            typeset(&sentence(why))
        )
    })
}

/// With a full stop, so that a sentence can follow.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) || text.is_empty() { text.to_owned() } else { format!("{text}.") }
}

fn answers(view: &View<'_>) -> String {
    if view.measured().count() < 2 {
        return String::new();
    }
    if view.evidence.answers_equal {
        "<p class=\"check good\">✓ Every query had the same answer on all designs.</p>".to_owned()
    } else {
        "<p class=\"check bad\">✗ The answers of the designs are not known to be the same: do not trust the comparison.</p>"
            .to_owned()
    }
}

fn measured(view: &View<'_>) -> Vec<(&'static str, String)> {
    let evidence = view.evidence;
    let range = |counts: Vec<u64>| match (counts.iter().min(), counts.iter().max()) {
        (Some(least), Some(most)) if least == most => grouped(*most),
        (Some(least), Some(most)) => format!("{} to {}", grouped(*least), grouped(*most)),
        _ => "none".to_owned(),
    };
    if view.is_without_designs() {
        return vec![("Store", evidence.store.clone()), ("Seed", evidence.seed.to_string())];
    }
    let reads = range(evidence.designs.iter().map(|design| design.reads.queries).collect());
    let writes: Vec<u64> = evidence
        .designs
        .iter()
        .filter_map(|design| design.writes.as_ref())
        .map(|writes| writes.queries)
        .collect();
    let pace = match evidence.rate {
        Some(rate) => format!("{} calls a second", significant(rate, 3)),
        None => "as fast as it goes".to_owned(),
    };
    let mut facts = vec![
        ("Store", evidence.store.clone()),
        ("Designs", grouped(evidence.designs.len() as u64)),
        ("Reads of each", reads),
    ];
    if !writes.is_empty() {
        facts.push(("Writes of each", range(writes)));
    }
    facts.extend([
        ("Warm-up of each", grouped(evidence.warm_up)),
        ("Clients", grouped(evidence.clients.into())),
        ("Pace", pace),
        ("Seed", evidence.seed.to_string()),
    ]);
    facts
}

fn notes(evidence: &Evidence) -> String {
    if evidence.notes.is_empty() {
        return String::new();
    }
    if let [note] = evidence.notes.as_slice() {
        return format!("<aside class=\"notes\" aria-label=\"Notes\">{}</aside>\n", paragraph(note));
    }
    let notes: String = evidence.notes.iter().map(|note| format!("<li>{}</li>", typeset(note))).collect();
    format!("<aside class=\"notes\" aria-label=\"Notes\"><ul>{notes}</ul></aside>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_to_stop_becomes_a_sentence() {
        assert_eq!(sentence("the store died at call 12 "), "the store died at call 12.");
        assert_eq!(sentence("Why?"), "Why?");
    }

    #[test]
    fn without_calls_the_verdict_says_so() {
        assert_eq!(verdict(&Evidence::default()), "Nothing was measured");
    }
}
