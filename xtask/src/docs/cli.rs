//! docs/cli.md: the help of every command.

use crate::failure::Failure;

const HEAD: &str = "\
<!-- Written by `cargo xtask docs` from the program itself: change its help, not this page. -->

# The command line
";

/// The page, from what the program answers to `--help`.
pub fn page(ask: impl Fn(&[&str]) -> Result<String, Failure>) -> Result<String, Failure> {
    let overview = ask(&["--help"])?;
    let mut page = format!("{HEAD}{}", section("tablesmith", &overview));
    for command in commands(&overview) {
        page.push_str(&section(&format!("tablesmith {command}"), &ask(&[command, "--help"])?));
    }
    Ok(page)
}

/// The commands that an overview lists; `help` only says again what the others say.
fn commands(overview: &str) -> impl Iterator<Item = &str> {
    overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty() && *word != "help")
}

fn section(title: &str, help: &str) -> String {
    let help: Vec<&str> = help.trim().lines().map(str::trim_end).collect();
    format!("\n## `{title}`\n\n```text\n{}\n```\n", help.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERVIEW: &str = "Does things.\n\nCommands:\n  one   the first\n          and more of it\n  two   the second\n  help  Print this\n\nOptions:\n  -h\n";

    #[test]
    fn every_command_has_a_section() {
        let page = page(|arguments| {
            Ok(match arguments {
                ["--help"] => OVERVIEW.to_owned(),
                [command, "--help"] => format!("help of {command}  \n"),
                _ => panic!("{arguments:?}"),
            })
        });
        let page = page.unwrap();
        assert!(page.contains("## `tablesmith one`\n\n```text\nhelp of one\n```\n"), "{page}");
        assert_eq!(page.matches("\n## ").count(), 3, "{page}");
    }

    #[test]
    fn a_failure_of_the_program_is_one_of_the_page() {
        assert!(page(|_| Err(Failure::Usage("no"))).is_err());
    }
}
