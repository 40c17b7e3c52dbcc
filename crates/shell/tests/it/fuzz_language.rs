//! Whatever is typed, the language reads it or says where it is wrong, and comes to an end.

use fastrand::Rng;
use tablesmith_shell::language::{self, Lines, Step};

use crate::random::seeded;

const INPUTS: usize = 250_000;

/// Pieces from which commands, and nearly commands, are made.
const PIECES: &[&str] = &[
    "put",
    "get ",
    "scan",
    " create ",
    "'t'",
    "\"r\\x00\"",
    "'f:q'",
    ",",
    " , ",
    "=>",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "NAME",
    "VERSIONS",
    "nil",
    "true",
    "1",
    "-5",
    "1_000",
    "0x1f",
    "1.5e3",
    "FILTER",
    "'",
    "\"",
    "\\",
    "\n",
    ";",
    "#",
    " ",
    ":",
    "::",
    ".",
    "a.b.C.new",
    "=",
    "\\x",
    "\\u{",
    "#{",
    "é",
    "‘",
    "\r\n",
    "TTL:",
    ":sym",
    "08",
    "9e999",
    "\t",
];

const COMMANDS: &[&str] = &[
    "create 't', {NAME=>'f', VERSIONS=>3}, SPLITS => ['a', \"\\x80\"]\n",
    "scan 't', {FILTER => \"PrefixFilter('a') AND ValueFilter(=,'binary:\\x00')\", LIMIT => 1_0}\n",
    "t1 = create('t1',\n  'f',\n  {NUMREGIONS: 15, SPLITALGO: 'HexStringSplit'})\n",
    "put 't', 'r', 'f:q', \"\\u00e9\\101\\cA\", 1.5e3, {ATTRIBUTES=>{'a'=>nil}} ; list # done\n",
    "scan 't', {FILTER => org.apache.hadoop.hbase.filter.ColumnPaginationFilter.new(1, 0)}\n",
];

fn input(random: &mut Rng) -> Vec<u8> {
    match random.usize(..3) {
        0 => (0..random.usize(..40)).map(|_| random.u8(..)).collect(),
        1 => (0..random.usize(..20)).flat_map(|_| random.choice(PIECES).unwrap().bytes()).collect(),
        _ => mutated(random),
    }
}

/// A command with some bytes or pieces changed, removed or added.
fn mutated(random: &mut Rng) -> Vec<u8> {
    let mut text = random.choice(COMMANDS).unwrap().as_bytes().to_vec();
    for _ in 0..=random.usize(..4) {
        let at = random.usize(..text.len() + 1);
        match random.usize(..4) {
            0 if at < text.len() => text[at] = random.u8(..),
            1 if at < text.len() => drop(text.remove(at)),
            2 => text.truncate(at),
            _ => drop(text.splice(at..at, random.choice(PIECES).unwrap().bytes())),
        }
    }
    text
}

#[test]
fn every_input_is_read_to_its_end() {
    let mut random = seeded("every_input_is_read_to_its_end");
    let (mut commands, mut faults) = (0_u64, 0_u64);
    for _ in 0..INPUTS {
        let script = input(&mut random);
        let (mut at, mut lines) = (0, Lines::new(&script));
        loop {
            match language::step(&script, at, |word| word == "put" || word == "list") {
                Step::End => break,
                Step::Command(command, next) => {
                    assert!(next > at && next <= script.len(), "{script:?}");
                    assert!(command.span.start >= at && command.span.end <= next, "{script:?}");
                    for argument in &command.arguments {
                        argument.inspect();
                    }
                    (at, commands) = (next, commands + 1);
                }
                Step::Fault(fault, resume) => {
                    assert!(fault.at <= script.len() && resume > at, "{script:?} {fault:?}");
                    fault.in_script(&mut lines).to_string();
                    (at, faults) = (resume, faults + 1);
                }
            }
        }
    }
    // A fuzzer whose inputs were all right, or all wrong, would test nothing.
    assert!(
        commands > INPUTS as u64 / 10 && faults > INPUTS as u64 / 10,
        "{commands} commands, {faults} faults"
    );
}
