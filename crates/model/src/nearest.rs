//! "Did you mean": the known word that is nearest to one that is not known, and lists of names for messages.

/// The name among `known` that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    // Words of too different a length need no closer look.
    let near = known.into_iter().filter(|name| name.len().abs_diff(word.len()) <= allowed);
    let distances = near.map(|name| (distance(word, name), name));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

/// How many letters are to be added, removed, changed or swapped with their neighbour, whatever their case.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

/// What to write for `word`: the names there are, when they are few, and the one that was probably meant.
pub fn one_of<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    /// More names than this are no help.
    const LISTED: usize = 24;
    let known: Vec<&str> = known.into_iter().filter(|name| !name.is_empty()).collect();
    let more = known.len().saturating_sub(LISTED);
    let names = known.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let names = match (known.len(), more) {
        (0, _) => return "none: there is nothing to choose from".to_owned(),
        (1, _) => names,
        (_, 0) => format!("one of {names}"),
        _ => format!("one of {names} and {more} more"),
    };
    match nearest(word, known) {
        Some(name) => format!("{names}: did you mean `{name}`?"),
        None => names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, steps) in [
            ("", "", 0),
            ("scna", "scan", 1),
            ("scan", "SCAN", 0),
            ("abc", "", 3),
            ("versions", "version", 1),
            ("ab", "ba", 1),
        ] {
            assert_eq!(distance(a, b), steps, "{a} {b}");
            assert_eq!(distance(b, a), steps, "{b} {a}");
        }
    }

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(nearest("colums", ["name", "columns", "rows"]), Some("columns"));
        assert_eq!(nearest("RATE", ["rate", "rats"]), Some("rate"));
        assert_eq!(nearest("frobnicate", ["name", "columns", "rows"]), None);
    }

    #[test]
    fn long_lists_are_cut_but_still_searched() {
        let names: Vec<String> = (0..100).map(|number| format!("column_{number}")).collect();
        let text = one_of("colunm_77", names.iter().map(String::as_str));
        assert!(text.ends_with("column_23 and 76 more: did you mean `column_77`?"), "{text}");
        assert_eq!(one_of("x", ["a"]), "a: did you mean `a`?");
        assert_eq!(one_of("x", []), "none: there is nothing to choose from");
    }
}
