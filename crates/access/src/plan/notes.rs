//! What is dear about a read, in sentences: a decider of words.

use tablesmith_model::key::Part;
use tablesmith_model::plan::{Read, Which};

use crate::layout::Layout;

/// What a reader of the plan should know.
pub(super) fn of(layout: &Layout, read: &Read) -> Vec<String> {
    match &read.which {
        Which::Keys(keys) if !keys.is_empty() => {
            unknown_prefix(layout).map(|part| no_point_read(part, keys.len())).into_iter().collect()
        }
        Which::Strands(strands) if strands.len() > 1 => {
            vec![format!(
                "{} ranges, one for each prefix, are merged into the order of the ids",
                strands.len()
            )]
        }
        Which::Keys(_) | Which::Ranges(_) | Which::Strands(_) => Vec::new(),
    }
}

/// A prefix that a row's values do not tell.
fn unknown_prefix(layout: &Layout) -> Option<&Part> {
    layout
        .key()
        .parts
        .iter()
        .find(|part| matches!(part, Part::Random(modulus) | Part::Md5LineMod(modulus) if modulus.get() > 1))
}

fn no_point_read(part: &Part, keys: usize) -> String {
    format!(
        "no single get finds a row: its prefix {part} does not follow from what identifies it, so every prefix is asked \
         ({keys} gets)"
    )
}
