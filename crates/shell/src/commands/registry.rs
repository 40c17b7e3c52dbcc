//! All commands.

use super::{
    ShellCommand, alter, append, bulk, count, counter, create, delete, describe, exit, get, help, list,
    maintenance, namespace, put, regions, scan, state, status, truncate,
};

static ALL: &[&dyn ShellCommand] = &[
    &help::HelpCommand,
    &status::StatusCommand,
    &status::VersionCommand,
    &exit::ExitCommand,
    &create::CreateCommand,
    &alter::AlterCommand,
    &describe::DescribeCommand,
    &list::ListCommand,
    &state::ExistsCommand,
    &state::EnableCommand,
    &state::DisableCommand,
    &state::IsEnabledCommand,
    &state::IsDisabledCommand,
    &state::DropCommand,
    &bulk::ENABLE_ALL,
    &bulk::DISABLE_ALL,
    &bulk::DROP_ALL,
    &exit::GetTableCommand,
    &regions::ListRegionsCommand,
    &regions::LocateRegionCommand,
    &namespace::CreateNamespaceCommand,
    &namespace::DropNamespaceCommand,
    &namespace::ListNamespaceCommand,
    &namespace::ListNamespaceTablesCommand,
    &namespace::DescribeNamespaceCommand,
    &put::PutCommand,
    &get::GetCommand,
    &scan::ScanCommand,
    &count::CountCommand,
    &delete::DeleteCommand,
    &delete::DeleteAllCommand,
    &append::AppendCommand,
    &counter::IncrCommand,
    &counter::GetCounterCommand,
    &regions::GetSplitsCommand,
    &truncate::TruncateCommand,
    &truncate::TruncatePreserveCommand,
    &maintenance::FLUSH,
    &maintenance::COMPACT,
    &maintenance::MAJOR_COMPACT,
    &regions::SplitCommand,
    &regions::MergeRegionCommand,
    &regions::MoveCommand,
];

/// All commands, in the order that help shows them.
pub fn all() -> &'static [&'static dyn ShellCommand] {
    ALL
}

/// The command of a name or another name for it.
pub fn find(name: &str) -> Option<&'static dyn ShellCommand> {
    ALL.iter().copied().find(|command| {
        let usage = command.usage();
        usage.name == name || usage.aliases.contains(&name)
    })
}

/// All names, also the other ones.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter()
        .map(|command| command.usage())
        .flat_map(|usage| std::iter::once(usage.name).chain(usage.aliases.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{self, Step};
    use crate::vocabulary;

    #[test]
    fn every_name_is_used_once() {
        let mut names: Vec<_> = names().collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// What help shows must be right: examples parse, have the right number of arguments, and their options are known.
    #[test]
    fn examples_are_commands() {
        for usage in ALL.iter().map(|command| command.usage()) {
            for example in usage.examples {
                let Step::Command(command, _) = language::step(example.as_bytes(), 0, |_| false) else {
                    panic!("{example}");
                };
                let shown = find(&command.name).unwrap_or_else(|| panic!("{example}")).usage();
                let count = command.arguments.len() + usize::from(command.receiver.is_some());
                let (least, most) = shown.arguments;
                assert!(count >= least && most.is_none_or(|most| count <= most), "{example}");
                for argument in command.arguments {
                    vocabulary::resolve(argument, shown.options).unwrap();
                }
            }
        }
    }

    #[test]
    fn options_are_known_constants() {
        for usage in ALL.iter().map(|command| command.usage()) {
            assert!(usage.options.is_sorted(), "{}", usage.name);
            for option in usage.options {
                assert!(
                    vocabulary::constants().any(|constant| constant == *option),
                    "{} {option}",
                    usage.name
                );
            }
        }
    }
}
