//! Sets of characters.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::flags::Flags;

/// The set of these ranges, ends included.
pub(super) fn set(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(first, last)| ClassUnicodeRange::new(first, last)))
}

/// The set of code points of a range. Halves of surrogate pairs are in no text, so they are left out.
pub(super) fn code_points(first: u32, last: u32) -> ClassUnicode {
    const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);
    let (below, above) = (last.min(SURROGATES.0 - 1), first.max(SURROGATES.1 + 1));
    let parts = [(first, below), (above, last)].into_iter().filter(|(first, last)| first <= last);
    let parts = parts.filter_map(|(first, last)| Some((char::from_u32(first)?, char::from_u32(last)?)));
    set(&parts.collect::<Vec<_>>())
}

/// All characters.
pub(super) fn all() -> ClassUnicode {
    set(&[('\0', char::MAX)])
}

/// All characters but these.
pub(super) fn negate(mut class: ClassUnicode) -> ClassUnicode {
    class.negate();
    class
}

/// One character, in any case if the flags say so.
pub(super) fn one(code_point: u32, flags: Flags) -> ClassUnicode {
    in_any_case(code_points(code_point, code_point), flags)
}

/// The set with the letters of the other case added, if the flags say so: those of ASCII, or all.
pub(super) fn in_any_case(mut class: ClassUnicode, flags: Flags) -> ClassUnicode {
    if !flags.ignore_case {
        return class;
    }
    if flags.unicode_case {
        // It fails only without Unicode's tables; the set is then as it was.
        let _ = class.try_case_fold_simple();
        return class;
    }
    let letters = |first: char, last: char, class: &ClassUnicode| {
        let mut letters = set(&[(first, last)]);
        letters.intersect(class);
        letters
    };
    let (lower, upper) = (letters('a', 'z', &class), letters('A', 'Z', &class));
    for (letters, change) in
        [(lower, char::to_ascii_uppercase as fn(&char) -> char), (upper, char::to_ascii_lowercase)]
    {
        for range in letters.ranges() {
            class.push(ClassUnicodeRange::new(change(&range.start()), change(&range.end())));
        }
    }
    class
}

/// `\d`: ASCII digits.
pub(super) fn digit() -> ClassUnicode {
    set(&[('0', '9')])
}

/// `\w`: ASCII letters, digits and the underscore.
pub(super) fn word() -> ClassUnicode {
    set(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])
}

/// `\s`: ASCII white space.
pub(super) fn space() -> ClassUnicode {
    set(&[('\t', '\r'), (' ', ' ')])
}

/// `\h`: white space on a line.
pub(super) fn horizontal_space() -> ClassUnicode {
    set(&[
        ('\t', '\t'),
        (' ', ' '),
        ('\u{A0}', '\u{A0}'),
        ('\u{1680}', '\u{1680}'),
        ('\u{180E}', '\u{180E}'),
        ('\u{2000}', '\u{200A}'),
        ('\u{202F}', '\u{202F}'),
        ('\u{205F}', '\u{205F}'),
        ('\u{3000}', '\u{3000}'),
    ])
}

/// `\v`: what moves to another line.
pub(super) fn vertical_space() -> ClassUnicode {
    set(&[('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')])
}

/// What ends a line.
pub(super) fn line_end(unix: bool) -> ClassUnicode {
    if unix {
        set(&[('\n', '\n')])
    } else {
        set(&[('\n', '\n'), ('\r', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')])
    }
}

/// Whether a set has a character.
pub(super) fn contains(class: &ClassUnicode, character: char) -> bool {
    let ranges = class.ranges();
    let behind = ranges.partition_point(|range| range.end() < character);
    ranges.get(behind).is_some_and(|range| range.start() <= character)
}
