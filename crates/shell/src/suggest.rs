//! "Did you mean": the known word that is nearest to one that is not known.

/// The word among `known` that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    // Words of too different a length need no closer look.
    let near = known.into_iter().filter(|candidate| candidate.len().abs_diff(word.len()) <= allowed);
    let distances = near.map(|candidate| (distance(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, candidate)| candidate)
}

/// ": did you mean 'x'?", or nothing.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |nearest| format!(": did you mean '{nearest}'?"))
}

/// How many letters are to be added, removed, changed or swapped with their neighbour, whatever their case.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, &letter) in a.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in b.iter().enumerate() {
            let at = |cells: &[usize], column: usize| cells.get(column).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&last, column) + usize::from(letter != other);
            let mut best = changed.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped =
                row > 0 && column > 0 && a.get(row - 1) == Some(&other) && b.get(column - 1) == Some(&letter);
            if swapped {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(0)
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
        assert_eq!(nearest("scna", ["list", "scan", "get"]), Some("scan"));
        assert_eq!(nearest("frobnicate", ["list", "scan", "get"]), None);
        assert_eq!(hint("lst", ["list"]), ": did you mean 'list'?");
        assert_eq!(hint("xxxxxx", ["list"]), "");
    }
}
