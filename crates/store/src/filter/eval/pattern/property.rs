//! Sets of characters by name: `\p{Alpha}`, `\p{Lu}`, `\p{IsGreek}`.

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

use super::characters::{all, set};

/// The categories of Unicode that Java knows by these names.
const CATEGORIES: [&str; 39] = [
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "LC", "LD", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn",
    "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z",
    "Zl", "Zp", "Zs",
];

/// The set of a name between the braces of `\p{…}`.
pub(super) fn property(name: &str, ignore_case: bool) -> Result<ClassUnicode, String> {
    let found = if let Some((kind, value)) = name.split_once('=') {
        match kind.to_ascii_lowercase().as_str() {
            "sc" | "script" => unicode(&format!("sc={value}")),
            "gc" | "general_category" => category(value, ignore_case),
            _ => None,
        }
    } else if let Some(name) = name.strip_prefix("Is") {
        binary(name, ignore_case)
            .or_else(|| category(name, ignore_case))
            .or_else(|| unicode(&format!("sc={name}")))
    } else {
        ascii(name, ignore_case).or_else(|| category(name, ignore_case)).or_else(|| java(name))
    };
    found.ok_or_else(|| format!("there is no character property {name}, or it is not supported"))
}

/// POSIX's names, for ASCII alone.
fn ascii(name: &str, ignore_case: bool) -> Option<ClassUnicode> {
    let ranges: &[(char, char)] = match name {
        "Lower" | "Upper" if ignore_case => &[('A', 'Z'), ('a', 'z')],
        "Lower" => &[('a', 'z')],
        "Upper" => &[('A', 'Z')],
        "ASCII" => &[('\0', '\x7F')],
        "Alpha" => &[('A', 'Z'), ('a', 'z')],
        "Digit" => &[('0', '9')],
        "Alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "Punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "Graph" => &[('!', '~')],
        "Print" => &[(' ', '~')],
        "Blank" => &[('\t', '\t'), (' ', ' ')],
        "Cntrl" => &[('\0', '\x1F'), ('\x7F', '\x7F')],
        "XDigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        "Space" => &[('\t', '\r'), (' ', ' ')],
        "L1" => &[('\0', '\u{FF}')],
        "all" => return Some(all()),
        _ => return None,
    };
    Some(set(ranges))
}

fn category(name: &str, ignore_case: bool) -> Option<ClassUnicode> {
    if !CATEGORIES.contains(&name) {
        return None;
    }
    match name {
        "Lu" | "Ll" | "Lt" if ignore_case => category("LC", false),
        "LC" => union(["Lu", "Ll", "Lt"]),
        "LD" => union(["L", "Nd"]),
        // Halves of surrogate pairs are in no text.
        "Cs" => Some(ClassUnicode::empty()),
        _ => unicode(&format!("gc={name}")),
    }
}

/// Properties that a character has or has not, written with `Is` before.
fn binary(name: &str, ignore_case: bool) -> Option<ClassUnicode> {
    match name.to_ascii_uppercase().as_str() {
        "LOWERCASE" | "UPPERCASE" | "TITLECASE" if ignore_case => {
            let mut cased = unicode("Lowercase")?;
            cased.union(&unicode("Uppercase")?);
            cased.union(&unicode("gc=Lt")?);
            Some(cased)
        }
        "LOWERCASE" => unicode("Lowercase"),
        "UPPERCASE" => unicode("Uppercase"),
        "TITLECASE" => unicode("gc=Lt"),
        "ALPHABETIC" => unicode("Alphabetic"),
        "IDEOGRAPHIC" => unicode("Ideographic"),
        "LETTER" => unicode("gc=L"),
        "DIGIT" => unicode("gc=Nd"),
        "PUNCTUATION" => unicode("gc=P"),
        "CONTROL" => unicode("gc=Cc"),
        "WHITE_SPACE" | "WHITESPACE" => unicode("White_Space"),
        "HEX_DIGIT" | "HEXDIGIT" => unicode("Hex_Digit"),
        "ASSIGNED" => unicode("Assigned"),
        _ => None,
    }
}

/// What Java's own class of characters tells.
fn java(name: &str) -> Option<ClassUnicode> {
    match name {
        "javaLowerCase" => unicode("Lowercase"),
        "javaUpperCase" => unicode("Uppercase"),
        "javaAlphabetic" => unicode("Alphabetic"),
        "javaIdeographic" => unicode("Ideographic"),
        "javaTitleCase" => unicode("gc=Lt"),
        "javaDigit" => unicode("gc=Nd"),
        "javaLetter" => unicode("gc=L"),
        "javaLetterOrDigit" => union(["L", "Nd"]),
        "javaSpaceChar" => unicode("gc=Z"),
        _ => None,
    }
}

/// The union of categories.
pub(super) fn union<const N: usize>(categories: [&str; N]) -> Option<ClassUnicode> {
    let mut all = ClassUnicode::empty();
    for name in categories {
        all.union(&unicode(&format!("gc={name}"))?);
    }
    Some(all)
}

/// A set from Unicode's tables.
pub(super) fn unicode(name: &str) -> Option<ClassUnicode> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'=' | b' ' | b'-');
    if !name.bytes().all(is_name) {
        return None;
    }
    match regex_syntax::parse(&format!(r"\p{{{name}}}")).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        _ => None,
    }
}
