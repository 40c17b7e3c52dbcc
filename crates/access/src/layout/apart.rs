//! Whether entries that share a table can be told apart: a decider.

use tablesmith_model::key::{Key, Part};

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
    } else if by_constant(&one.key, &two.key) {
        Apart::Constant
    } else {
        Apart::Not
    }
}

/// Whether a constant tells keys apart: what comes before it takes the same bytes of both, and neither begins the other.
fn by_constant(one: &Key, two: &Key) -> bool {
    let mut pairs = one.parts.iter().zip(&two.parts);
    let differing = pairs.find(|(one, two)| one.to_string() != two.to_string());
    match differing {
        Some((Part::Const(one), Part::Const(two))) => !one.starts_with(two) && !two.starts_with(one),
        _ => false,
    }
}
