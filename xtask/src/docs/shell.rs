//! docs/shell.md: the help of every command of the shell, group by group.

use crate::failure::Failure;

const HEAD: &str = "\
<!-- Written by `cargo xtask docs` from the program itself: change its help, not this page. -->

# The shell's commands

`tablesmith shell` reads HBase's own shell language. At its prompt `help` shows the list, and `help 'COMMAND'` what is
said here.
";

/// The page, from what the shell answers to commands.
pub fn page(ask: impl Fn(&str) -> Result<String, Failure>) -> Result<String, Failure> {
    let overview = without_times(&ask("help")?);
    let mut page = format!("{HEAD}{}", block(&overview));
    for group in groups(&overview) {
        let help = without_times(&ask(&format!("help '{group}'"))?);
        page.push_str(&format!("\n## {group}\n{}", block(&help)));
    }
    Ok(page)
}

/// The groups that an overview lists, each with its commands: `ddl: create, alter`.
fn groups(overview: &str) -> impl Iterator<Item = &str> {
    overview.lines().filter_map(|line| {
        let (group, commands) = line.split_once(": ")?;
        let is_name = |word: &str| word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        (is_name(group) && commands.split(", ").all(is_name)).then_some(group)
    })
}

/// How long it took is no part of an answer.
fn without_times(answer: &str) -> String {
    let lines: Vec<&str> =
        answer.lines().filter(|line| !line.starts_with("Took ")).map(str::trim_end).collect();
    lines.join("\n")
}

fn block(text: &str) -> String {
    format!("\n```text\n{}\n```\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERVIEW: &str = "help 'COMMAND' says more.\n\nddl: create, drop_all\n\ndml: put\n\nOptions stand in braces:\n  {}\nTook 0.0001 seconds\n";

    #[test]
    fn every_group_has_a_section() {
        let page = page(|command| {
            Ok(match command {
                "help" => OVERVIEW.to_owned(),
                command => format!("answer to {command}\nTook 0.1 seconds\n"),
            })
        });
        let page = page.unwrap();
        assert!(page.contains("## ddl\n\n```text\nanswer to help 'ddl'\n```\n"), "{page}");
        assert_eq!(page.matches("\n## ").count(), 2, "{page}");
        assert!(!page.contains("Took"), "{page}");
    }
}
