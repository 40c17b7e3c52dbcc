//! Whether records come in a wanted order, by the parts of their keys and qualifiers: a decider.

use tablesmith_model::key::Part;

use super::known::Known;
use crate::layout::Layout;

/// How records come in the order that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InOrder {
    /// The first part, of those of key and qualifier, that the order goes by: all before it are fixed in each strand.
    pub lead: usize,
    /// Whether they come in it when read backwards.
    pub falls: bool,
}

/// How the records of a layout come in an order of fields (true: falling); `None` when they do not.
pub(super) fn in_order(layout: &Layout, known: &Known<'_>, order: &[(String, bool)]) -> Option<InOrder> {
    let has_one = |field: &String| known.values.get(field.as_str()).is_some_and(|values| values.len() == 1);
    let mut wanted = order.iter().filter(|(field, _)| !has_one(field)).peekable();
    let mut walk = Walk { lead: None, falls: None, passed: Vec::new() };
    let qualifier = layout.wide.iter().flat_map(|wide| &wide.key.parts);
    for (index, part) in layout.key.parts.iter().chain(qualifier).enumerate() {
        let is_told = |field: &String| walk.passed.contains(field) || has_one(field);
        let Some((field, falling)) = wanted.peek() else { break };
        if !layout.source.key.is_empty() && layout.source.key.iter().all(is_told) {
            // Records are told apart already: what else the order says decides nothing.
            wanted.by_ref().for_each(drop);
            break;
        }
        match part {
            Part::Field(of) | Part::Desc(of) if of == field => {
                walk.take(index, field, *falling != matches!(part, Part::Desc(_)))?;
                wanted.next();
            }
            part => walk.pass(part, known)?,
        }
    }
    let all = layout.key.parts.len() + layout.wide.as_ref().map_or(0, |wide| wide.key.parts.len());
    let is_met = wanted.peek().is_none();
    is_met.then(|| InOrder { lead: walk.lead.unwrap_or(all), falls: walk.falls.unwrap_or(false) })
}

struct Walk {
    lead: Option<usize>,
    falls: Option<bool>,
    passed: Vec<String>,
}

impl Walk {
    /// Takes the next part of the order; all go the same way.
    fn take(&mut self, index: usize, field: &str, falls: bool) -> Option<()> {
        if *self.falls.get_or_insert(falls) != falls {
            return None;
        }
        self.lead.get_or_insert(index);
        self.passed.push(field.to_owned());
        Some(())
    }

    /// Passes a part that the order does not name: before the order begins its values must be known, or all prefixes are
    /// gone through; in between it must have one value.
    fn pass(&self, part: &Part, known: &Known<'_>) -> Option<()> {
        let values = |field: &String| known.values.get(field.as_str()).map(Vec::len);
        let is_passed = match part {
            Part::Const(_) => true,
            part if self.lead.is_none() => {
                part.prefixes().is_some()
                    || !part.fields().is_empty() && part.fields().iter().all(|field| values(field).is_some())
            }
            part => !part.fields().is_empty() && part.fields().iter().all(|field| values(field) == Some(1)),
        };
        is_passed.then_some(())
    }
}
