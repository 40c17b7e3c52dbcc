//! The flags of a pattern, which it may switch inside: `(?i)`, `(?-s:…)`.

/// What is switched on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// `i`: letters fit in any case, ASCII letters only.
    pub(super) ignore_case: bool,
    /// `u`: with `i`, all letters do.
    pub(super) unicode_case: bool,
    /// `s`: the dot fits line ends.
    pub(super) dot_all: bool,
    /// `m`: `^` and `$` fit at every line.
    pub(super) multiline: bool,
    /// `x`: blanks and comments in the pattern do not count.
    pub(super) comments: bool,
    /// `d`: only `\n` ends a line.
    pub(super) unix_lines: bool,
}

impl Flags {
    /// The flags that HBase sets.
    pub(super) fn of_filter(ignore_case: bool) -> Self {
        Self { ignore_case, dot_all: true, ..Self::default() }
    }

    /// Switches the flag of a letter; `false` if there is no such flag.
    pub(super) fn switch(&mut self, letter: char, on: bool) -> bool {
        let flag = match letter {
            'i' => &mut self.ignore_case,
            'u' => &mut self.unicode_case,
            's' => &mut self.dot_all,
            'm' => &mut self.multiline,
            'x' => &mut self.comments,
            'd' => &mut self.unix_lines,
            _ => return false,
        };
        *flag = on;
        true
    }
}
