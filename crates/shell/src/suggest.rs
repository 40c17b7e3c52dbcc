//! "Did you mean", in the shell's words.

use tablesmith_model::nearest::nearest;

/// ": did you mean 'x'?", or nothing.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |nearest| format!(": did you mean '{nearest}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(nearest("scna", ["list", "scan", "get"]), Some("scan"));
        assert_eq!(nearest("frobnicate", ["list", "scan", "get"]), None);
        assert_eq!(hint("lst", ["list"]), ": did you mean 'list'?");
        assert_eq!(hint("xxxxxx", ["list"]), "");
    }
}
