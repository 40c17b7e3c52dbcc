//! The words that templates spell in capitals, and those that change how the text after them is folded.

/// What a keyword means for folding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// Nothing besides its spelling.
    Plain,
    /// Begins another clause, and with it ends a list after `BY`.
    Clause,
    /// A value can only be followed by an operator: `END`.
    Ends,
    /// A function when a parenthesis follows, else a name.
    Function,
    /// `NULL`, `TRUE`, `FALSE`, `DEFAULT`: a literal, except after `IS` and `NOT`.
    Literal,
    /// `IS`, `NOT`: the literal word after it is part of the condition.
    Is,
    /// `IN`, `ARRAY`: a list of values follows.
    In,
    /// `VALUES`: a list of rows follows.
    Values,
    /// `BY`: numbers in the list after it are positions, not literals.
    By,
    /// `LIMIT`, `FETCH`, `TOP`: the number after it is how many rows are wanted.
    Limit,
    /// `DATE`, `TIME`, `TIMESTAMP`: part of the literal when a text follows, else a name.
    Typed,
}

use Keyword::{By, Clause, Ends, Function, In, Is, Limit, Literal, Plain, Typed, Values};

const WORDS: &[(&str, Keyword)] = &[
    ("ALL", Plain),
    ("AND", Plain),
    ("ANY", Plain),
    ("ARRAY", In),
    ("AS", Plain),
    ("ASC", Plain),
    ("AVG", Function),
    ("BETWEEN", Plain),
    ("BY", By),
    ("CASE", Plain),
    ("CAST", Function),
    ("COALESCE", Function),
    ("CONFLICT", Plain),
    ("COUNT", Function),
    ("CROSS", Plain),
    ("CURRENT", Plain),
    ("DATE", Typed),
    ("DEFAULT", Literal),
    ("DELETE", Clause),
    ("DESC", Plain),
    ("DISTINCT", Plain),
    ("DO", Plain),
    ("DUPLICATE", Plain),
    ("ELSE", Plain),
    ("END", Ends),
    ("ESCAPE", Plain),
    ("EXCEPT", Clause),
    ("EXISTS", Plain),
    ("EXPLAIN", Plain),
    ("FALSE", Literal),
    ("FETCH", Clause),
    ("FIRST", Limit),
    ("FOLLOWING", Plain),
    ("FOR", Clause),
    ("FROM", Clause),
    ("FULL", Plain),
    ("GROUP", Clause),
    ("HAVING", Clause),
    ("ILIKE", Plain),
    ("IN", In),
    ("INNER", Plain),
    ("INSERT", Clause),
    ("INTERSECT", Clause),
    ("INTERVAL", Plain),
    ("INTO", Plain),
    ("IS", Is),
    ("JOIN", Plain),
    ("KEY", Plain),
    ("LATERAL", Plain),
    ("LEFT", Plain),
    ("LIKE", Plain),
    ("LIMIT", Limit),
    ("LOWER", Function),
    ("MAX", Function),
    ("MIN", Function),
    ("NATURAL", Plain),
    ("NEXT", Limit),
    ("NOT", Is),
    ("NOW", Function),
    ("NULL", Literal),
    ("NULLS", Plain),
    ("OFFSET", Clause),
    ("ON", Plain),
    ("ONLY", Plain),
    ("OR", Plain),
    ("ORDER", Clause),
    ("OUTER", Plain),
    ("OVER", Plain),
    ("PARTITION", Plain),
    ("PRECEDING", Plain),
    ("RANGE", Clause),
    ("RECURSIVE", Plain),
    ("REPLACE", Plain),
    ("RETURNING", Clause),
    ("RIGHT", Plain),
    ("ROUND", Function),
    ("ROW", Plain),
    ("ROWS", Clause),
    ("SELECT", Clause),
    ("SET", Plain),
    ("SOME", Plain),
    ("SUBSTRING", Function),
    ("SUM", Function),
    ("THEN", Plain),
    ("TIME", Typed),
    ("TIMESTAMP", Typed),
    ("TOP", Limit),
    ("TRUE", Literal),
    ("UNBOUNDED", Plain),
    ("UNION", Clause),
    ("UPDATE", Clause),
    ("UPPER", Function),
    ("USING", Plain),
    ("VALUE", Plain),
    ("VALUES", Values),
    ("WHEN", Plain),
    ("WHERE", Clause),
    ("WINDOW", Clause),
    ("WITH", Plain),
];

/// The longest keyword has so many letters.
const LONGEST: usize = 9;
const SLOTS: usize = 512;
/// No word is stored in a slot that holds this.
const FREE: u8 = u8::MAX;

/// Upper-case letters of a word side by side in one number: two words are equal when their numbers are.
const fn pack(word: &[u8]) -> u128 {
    let mut packed = 0;
    let mut rest = word;
    while let [first, others @ ..] = rest {
        // Clearing this bit makes capitals of letters, and letters of letters only.
        packed = packed << 8 | (*first & 0xDF) as u128;
        rest = others;
    }
    packed
}

/// The slot where the search for a word begins: multiplied by a large odd number, the high bits are well mixed.
const fn slot(packed: u128) -> usize {
    let mixed = (packed as u64 ^ (packed >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 55) as usize % SLOTS
}

#[expect(clippy::indexing_slicing, reason = "worked out by the compiler: a wrong index does not compile")]
const TABLE: ([u8; SLOTS], [u128; WORDS.len()]) = {
    let mut slots = [FREE; SLOTS];
    let mut packed = [0; WORDS.len()];
    let mut at = 0;
    while at < WORDS.len() {
        packed[at] = pack(WORDS[at].0.as_bytes());
        let mut place = slot(packed[at]);
        while slots[place] != FREE {
            place = (place + 1) % SLOTS;
        }
        slots[place] = at as u8;
        at += 1;
    }
    (slots, packed)
};

static SLOT_WORDS: [u8; SLOTS] = TABLE.0;
static PACKED: [u128; WORDS.len()] = TABLE.1;

/// The keyword that a word is, in any case.
#[inline]
pub(crate) fn keyword(word: &[u8]) -> Option<Keyword> {
    if word.len() > LONGEST {
        return None;
    }
    let packed = pack(word);
    let mut place = slot(packed);
    loop {
        let at = *SLOT_WORDS.get(place)?;
        if *PACKED.get(usize::from(at))? == packed {
            return WORDS.get(usize::from(at)).map(|(_, keyword)| *keyword);
        }
        place = (place + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_any_case_and_nothing_else_is() {
        for (word, meaning) in WORDS {
            assert_eq!(keyword(word.as_bytes()), Some(*meaning), "{word}");
            assert_eq!(keyword(word.to_lowercase().as_bytes()), Some(*meaning), "{word}");
            assert_eq!(keyword(format!("{word}_").as_bytes()), None, "{word}");
            assert_eq!(keyword(format!("{word}1").as_bytes()), None, "{word}");
        }
        assert_eq!(keyword(b""), None);
        assert_eq!(keyword(&[0; 16]), None);
        assert_eq!(keyword(b"impressions"), None);
    }
}
