//! Whatever commands come, in whatever order, a session answers each of them with one line.

use fastrand::Rng;
use serde_json::Value;
use tablesmith_shell::commands::registry;
use tablesmith_shell::{Format, Session};

use crate::random::seeded;
use crate::store::ticking_store;

const COMMANDS: usize = 8_000;

/// Words that make arguments: right ones, wrong ones, and those at the border.
const WORDS: &[&str] = &[
    "'t'",
    "'u'",
    "'ns:t'",
    "'no'",
    "'r1'",
    "'r2'",
    "\"r\\x00\"",
    "'f:a'",
    "'f:b'",
    "'g:c'",
    "'f'",
    "'g'",
    "'x:y'",
    "''",
    "':'",
    "nil",
    "true",
    "false",
    "0",
    "1",
    "2",
    "-1",
    "3.5",
    "1000",
    "9223372036854775807",
    "'ns'",
    "'.*'",
    "9223372036854775808",
    "-9223372036854775808",
    "1e300",
    "'value'",
    "'1'",
    "['f:a', 'g']",
    "['r1', ['r2']]",
    "[]",
    "{}",
    "'simple'",
    "'detailed'",
    "'server-1'",
    "'default'",
    "['START_KEY']",
    "'scan'",
    "'a b'",
    "'\\x80'",
];

const OPTION_VALUES: &[&str] = &[
    "nil",
    "true",
    "false",
    "0",
    "1",
    "3",
    "-1",
    "2.5",
    "'f'",
    "'f:a'",
    "['f', 'g:c:toLong']",
    "[0, 5]",
    "[5, 0]",
    "[1]",
    "'r'",
    "'r1'",
    "\"KeyOnlyFilter()\"",
    "\"PageFilter(1) OR PrefixFilter('r')\"",
    "'Nonsense('",
    "'ROW'",
    "{'a'=>'b'}",
    "{'a'=>nil}",
    "['a', 'k', '\\x80']",
    "'HexStringSplit'",
    "'10 GB'",
    "'delete'",
    "'table_att'",
    "'table_att_unset'",
    "'toString'",
    "'toInt'",
    "'TRUE'",
    "'PREAD'",
    "'1 DAY'",
    "2147483647",
    "''",
    "org.apache.hadoop.hbase.filter.PageFilter.new(1)",
    "'no-such-file'",
];

fn options(random: &mut Rng, known: &[&str]) -> String {
    let known: Vec<&str> = known.iter().copied().chain(["NAME", "VERSIONS", "'UNKNOWN'", "BOGUS"]).collect();
    let pair = |random: &mut Rng| {
        format!("{} => {}", random.choice(&known).unwrap(), random.choice(OPTION_VALUES).unwrap())
    };
    let pairs: Vec<_> = (0..=random.usize(..3)).map(|_| pair(random)).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn command(random: &mut Rng) -> String {
    // Now and then a table is made anew, so that there is something to work on.
    if random.usize(..25) == 0 {
        let table = random.choice(&["t", "u", "ns:t"]).unwrap();
        return format!("create '{table}', {{NAME=>'f', VERSIONS=>3}}, 'g', SPLITS=>['r2']");
    }
    let commands: Vec<_> =
        registry::all().iter().map(|command| command.usage()).filter(|usage| usage.name != "exit").collect();
    let usage = random.choice(&commands).unwrap();
    let (least, most) = usage.arguments;
    let wanted = least + random.usize(..most.map_or(3, |most| most - least) + 1);
    let count = if random.usize(..10) == 0 { random.usize(..8) } else { wanted };
    let arguments: Vec<String> = (0..count)
        .map(|at| match at {
            // The first arguments mostly make sense, or no command would come far.
            0 if random.usize(..4) != 0 => random.choice(&["'t'", "'u'", "'ns:t'"]).unwrap().to_string(),
            1 if random.usize(..3) != 0 => random.choice(&["'r1'", "'r2'", "'r3'"]).unwrap().to_string(),
            2 if random.usize(..3) != 0 => {
                random.choice(&["'f:a'", "'f:b'", "'g:c'", "'f'"]).unwrap().to_string()
            }
            _ if random.usize(..3) == 0 => options(random, usage.options),
            _ => random.choice(WORDS).unwrap().to_string(),
        })
        .collect();
    format!("{} {}", usage.name, arguments.join(", "))
}

#[tokio::test]
async fn every_command_gets_one_line() {
    let mut random = seeded("every_command_gets_one_line");
    let store = ticking_store();
    let mut session = Session::new(store.clone(), Format::Json);
    let mut text_session = Session::new(store, Format::Text);
    text_session.set_width(60);
    for _ in 0..COMMANDS {
        let command = command(&mut random);
        let mut out = Vec::new();
        session.run_script(command.as_bytes(), &mut out).await.unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.lines().count(), 1, "{command}\n{out}");
        let answer: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{command}\n{out}\n{error}"));
        assert!(answer.is_object(), "{command}\n{out}");
        assert!(!session.result().store_failed, "{command}\n{out}");
        if random.usize(..4) == 0 {
            text_session.run_script(command.as_bytes(), &mut Vec::new()).await.unwrap();
        }
    }
    let result = session.result();
    assert_eq!(result.commands, COMMANDS as u64);
    // Commands that all fail, or never do, would test nothing.
    let worked = result.commands - result.failures;
    assert!(worked > COMMANDS as u64 / 5 && result.failures > COMMANDS as u64 / 5, "{result:?}");
    assert!(!result.store_failed);
}
