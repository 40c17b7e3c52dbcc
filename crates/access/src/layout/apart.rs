//! Whether entries that share a table can be told apart: a decider.

use tablesmith_model::key::Part;

use super::Layout;

/// How the records of two entries of one table are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// They are in different families.
    Families,
    /// A constant at the same place of their keys differs.
    Constant,
    /// They are not.
    Not,
}

/// How the records of two entries of one table are told apart.
pub(super) fn apart(one: &Layout, two: &Layout) -> Apart {
    let in_both = |name: &str| two.families.iter().any(|family| family.name == name);
    if !one.families.iter().any(|family| in_both(&family.name)) {
        Apart::Families
    } else if by_constant(one, two) {
        Apart::Constant
    } else {
        Apart::Not
    }
}

/// Whether a constant tells keys apart: what comes before it takes the same bytes of both, and neither begins the other.
fn by_constant(one: &Layout, two: &Layout) -> bool {
    let mut pairs = one.key.parts.iter().zip(&two.key.parts);
    let differing = pairs.find(|(part, other)| shape(one, part) != shape(two, other));
    match differing {
        Some((Part::Const(one), Part::Const(two))) => !one.starts_with(two) && !two.starts_with(one),
        _ => false,
    }
}

/// A part with the types of its fields instead of their names: parts of one shape end at the same byte of a key.
fn shape(layout: &Layout, part: &Part) -> String {
    let text = part.to_string();
    let type_of = |field: &String| layout.type_of(field).map_or("", |value_type| value_type.name());
    let types: Vec<&str> = part.fields().iter().map(type_of).collect();
    let text = match text.split_once('(') {
        _ if types.is_empty() => text,
        None => types.concat(),
        Some((function, arguments)) => {
            let known = |word: &&str| !part.fields().iter().any(|field| field == word.trim());
            let numbers: Vec<&str> = arguments.split(',').filter(known).collect();
            format!("{function}({}; {}", types.join(","), numbers.join(","))
        }
    };
    match part {
        Part::Const(_) => text,
        _ => format!("{} {text}", layout.key.encoding.name()),
    }
}
