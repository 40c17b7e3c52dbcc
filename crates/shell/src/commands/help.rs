//! `help`: all commands, a group of them, or one.

use async_trait::async_trait;

use crate::error::ShellError;
use crate::output::{Outcome, Reply};
use crate::suggest;

use super::{Arguments, Context, Group, ShellCommand, Usage, registry};

/// See the module.
pub struct HelpCommand;

const USAGE: Usage = Usage {
    name: "help",
    aliases: &[],
    group: Group::General,
    summary: "Shows what commands there are, or how one of them is used.",
    examples: &["help", "help 'scan'", "help 'ddl'"],
    options: &[],
    arguments: (0, Some(1)),
};

const FOOTER: &str = "\
Names of tables, rows and columns stand in quotes, commas between arguments. Options stand in braces:
  {NAME => 'f', VERSIONS => 3}
The braces of the last argument can be left out. Bytes are written in double quotes:
  get 't1', \"key\\x03\\x3f\\xcd\"
A command can go over several lines where it is not complete, and several can stand in one with ';' between them.
";

#[async_trait]
impl ShellCommand for HelpCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, _: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let text = match arguments.optional() {
            None => overview(),
            Some(topic) => about(&topic.to_text())?,
        };
        Ok(Outcome::Help(text).into())
    }

    fn takes_bare_words(&self) -> bool {
        true
    }
}

fn overview() -> String {
    let mut text = String::from("help 'COMMAND' or help 'GROUP' says more.\n\n");
    for group in Group::ALL {
        let names: Vec<_> = of_group(group).map(|usage| usage.name).collect();
        text.push_str(&format!("{}: {}\n\n", group.name(), names.join(", ")));
    }
    text + FOOTER
}

fn about(topic: &str) -> Result<String, ShellError> {
    if let Some(command) = registry::find(topic) {
        return Ok(about_command(command.usage()));
    }
    if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == topic) {
        return Ok(of_group(group).map(about_command).collect::<Vec<_>>().join("\n"));
    }
    let topics = registry::names().chain(Group::ALL.map(Group::name));
    Err(ShellError::Argument(format!("there is no help on '{topic}'{}", suggest::hint(topic, topics))))
}

fn of_group(group: Group) -> impl Iterator<Item = &'static Usage> {
    registry::all().iter().map(|command| command.usage()).filter(move |usage| usage.group == group)
}

fn about_command(usage: &Usage) -> String {
    let names: Vec<_> = std::iter::once(&usage.name).chain(usage.aliases).copied().collect();
    let mut text = format!("{}: {}\n", names.join(", "), usage.summary);
    for example in usage.examples {
        text.push_str(&format!("  {example}\n"));
    }
    if !usage.options.is_empty() {
        text.push_str(&format!("Options: {}\n", usage.options.join(", ")));
    }
    text
}
