//! Runs a [`Program`] over a text, trying one way after the other. Patterns that need this can take a time that is
//! exponential in the length of the text, as they can in Java.

use std::sync::LazyLock;

use regex_syntax::hir::ClassUnicode;

use super::characters::contains;
use super::node::Assertion;
use super::program::{Program, Step};
use super::property::{unicode, union};

/// Whether the program finds something anywhere in the text.
pub(super) fn is_found_in(program: &Program, text: &str) -> bool {
    let mut machine = Machine { program, text, slots: vec![None; program.slots] };
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    for start in starts {
        if machine.run(0, start, None).is_some() {
            return true;
        }
        if program.is_anchored {
            return false;
        }
        machine.slots.fill(None);
    }
    false
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a str,
    slots: Vec<Option<usize>>,
}

/// What to go back to when a way fails.
enum Back {
    /// Another way from a place.
    Way { step: usize, at: usize },
    /// A slot's content from before.
    Slot { slot: usize, content: Option<usize> },
    /// All of them.
    Slots(Vec<Option<usize>>),
}

impl Machine<'_> {
    /// Runs from a step to its [`Step::Found`], which must come at `must_end` if given; tells where it came.
    fn run(&mut self, step: usize, at: usize, must_end: Option<usize>) -> Option<usize> {
        let mut back = Vec::new();
        let (mut step, mut at) = (step, at);
        loop {
            let next = match self.program.steps.get(step)? {
                Step::Found if must_end.is_none_or(|end| end == at) => return Some(at),
                Step::Found => None,
                Step::Split(first, second) => {
                    back.push(Back::Way { step: *second, at });
                    Some((*first, at))
                }
                Step::Save(slot) => {
                    if let Some(place) = self.slots.get_mut(*slot) {
                        back.push(Back::Slot { slot: *slot, content: place.replace(at) });
                    }
                    Some((step + 1, at))
                }
                other => self.step(other, step, at, &mut back),
            };
            (step, at) = match next {
                Some(next) => next,
                None => self.go_back(&mut back)?,
            };
        }
    }

    /// One step that does not end and has one way: where it goes on, `None` if it fails.
    fn step(
        &mut self,
        step: &Step,
        number: usize,
        at: usize,
        back: &mut Vec<Back>,
    ) -> Option<(usize, usize)> {
        match *step {
            Step::Set(ref class) => {
                let character = self.after(at)?;
                contains(class, character).then_some((number + 1, at + character.len_utf8()))
            }
            Step::Assert(assertion) => self.holds(assertion, at).then_some((number + 1, at)),
            Step::Jump(to) => Some((to, at)),
            Step::IfMoved { slot, then, otherwise } => {
                let has_moved = self.slots.get(slot).copied().flatten().is_none_or(|start| at > start);
                Some((if has_moved { then } else { otherwise }, at))
            }
            Step::Backreference { group, ignore_case } => {
                self.same_as_group(group, ignore_case, at).map(|end| (number + 1, end))
            }
            Step::Atomic { end } => {
                back.push(Back::Slots(self.slots.clone()));
                self.run(number + 1, at, None).map(|found| (end, found))
            }
            Step::Ahead { negative, end } => {
                self.look(negative, back, |machine| machine.run(number + 1, at, None)).then_some((end, at))
            }
            Step::Behind { negative, end } => {
                self.look(negative, back, |machine| machine.run_before(number + 1, at)).then_some((end, at))
            }
            Step::Found | Step::Split(..) | Step::Save(_) => None,
        }
    }

    /// Goes back to the last way that was not tried yet.
    fn go_back(&mut self, back: &mut Vec<Back>) -> Option<(usize, usize)> {
        loop {
            match back.pop()? {
                Back::Way { step, at } => return Some((step, at)),
                Back::Slots(slots) => self.slots = slots,
                Back::Slot { slot, content } => {
                    if let Some(place) = self.slots.get_mut(slot) {
                        *place = content;
                    }
                }
            }
        }
    }

    /// Whether something is found, or not found if `negative`. What groups in it found stays known if it is wanted.
    fn look(
        &mut self,
        negative: bool,
        back: &mut Vec<Back>,
        find: impl FnOnce(&mut Self) -> Option<usize>,
    ) -> bool {
        let slots = self.slots.clone();
        let is_found = find(self).is_some();
        if negative {
            self.slots = slots;
        } else {
            back.push(Back::Slots(slots));
        }
        is_found != negative
    }

    /// Runs from places before `at`, the nearest first, such that it ends at `at`.
    fn run_before(&mut self, step: usize, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?;
        let mut places = [at].into_iter().chain(before.char_indices().rev().map(|(place, _)| place));
        places.find_map(|place| self.run(step, place, Some(at)))
    }

    fn same_as_group(&self, group: usize, ignore_case: bool, at: usize) -> Option<usize> {
        let start = self.slots.get(2 * group).copied().flatten()?;
        let end = self.slots.get(2 * group + 1).copied().flatten()?;
        let found = self.text.get(start..end)?;
        let here = self.text.get(at..at.checked_add(found.len())?)?;
        let is_same = if ignore_case { here.eq_ignore_ascii_case(found) } else { here == found };
        is_same.then_some(at + found.len())
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    fn after(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        match assertion {
            Assertion::TextStart => at == 0,
            Assertion::TextEnd => at == self.text.len(),
            Assertion::LastLineEnd { unix } => match self.text.get(at..).unwrap_or_default() {
                "" => true,
                "\n" => unix || self.before(at) != Some('\r'),
                "\r\n" | "\r" | "\u{85}" | "\u{2028}" | "\u{2029}" => !unix,
                _ => false,
            },
            Assertion::LineEnd { unix } => match self.after(at) {
                None => true,
                Some('\n') => unix || self.before(at) != Some('\r'),
                Some(after) => !unix && is_line_end(after),
            },
            Assertion::LineStart { unix } => match (self.before(at), self.after(at)) {
                (_, None) => false,
                (None, _) => true,
                (Some('\r'), Some('\n')) => false,
                (Some('\n'), _) => true,
                (Some(before), _) => !unix && is_line_end(before),
            },
            Assertion::WordBoundary { negated } => {
                let (before, after) = self.text.split_at_checked(at).unwrap_or_default();
                let mut characters = before.chars();
                let left = characters.next_back().is_some_and(|last| is_of_word(characters.as_str(), last));
                let right = after.chars().next().is_some_and(|next| is_of_word(before, next));
                (left != right) != negated
            }
        }
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character with this text before it belongs to a word: letters, digits, the underscore, and marks on a
/// letter or digit.
fn is_of_word(before: &str, character: char) -> bool {
    match is_mark(character) {
        true => before.chars().rev().find(|&character| !is_mark(character)).is_some_and(is_letter_or_digit),
        false => character == '_' || is_letter_or_digit(character),
    }
}

fn is_letter_or_digit(character: char) -> bool {
    static LETTERS_AND_DIGITS: LazyLock<ClassUnicode> =
        LazyLock::new(|| union(["L", "Nd"]).unwrap_or_else(ClassUnicode::empty));
    match character.is_ascii() {
        true => character.is_ascii_alphanumeric(),
        false => contains(&LETTERS_AND_DIGITS, character),
    }
}

fn is_mark(character: char) -> bool {
    static MARKS: LazyLock<ClassUnicode> =
        LazyLock::new(|| unicode("gc=Mn").unwrap_or_else(ClassUnicode::empty));
    !character.is_ascii() && contains(&MARKS, character)
}
