//! `create`: makes a table.

use async_trait::async_trait;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage, schema, splits};

/// See the module.
pub struct CreateCommand;

const USAGE: Usage = Usage {
    name: "create",
    aliases: &[],
    group: Group::Ddl,
    summary: "Makes a table of one or more families, each a name or a hash with NAME and its settings. Attributes of \
              the table and where it is cut into regions come last.",
    examples: &[
        "create 't1', 'f', 'g'",
        "create 'ns:t1', {NAME => 'f', VERSIONS => 3, TTL => 86400}, {NAME => 'g', BLOOMFILTER => 'ROWCOL'}",
        "create 't1', 'f', SPLITS => ['10', '20', '\\x80']",
        "create 't1', 'f', {NUMREGIONS => 16, SPLITALGO => 'HexStringSplit'}",
        "create 't1', 'f', SPLITS_FILE => 'splits.txt', MAX_FILESIZE => '10 GB', METADATA => {'owner' => 'me'}",
    ],
    options: &[
        "BLOCKCACHE",
        "BLOCKSIZE",
        "BLOOMFILTER",
        "COMPRESSION",
        "CONFIGURATION",
        "DATA_BLOCK_ENCODING",
        "DURABILITY",
        "IN_MEMORY",
        "KEEP_DELETED_CELLS",
        "MAX_FILESIZE",
        "MEMSTORE_FLUSHSIZE",
        "METADATA",
        "MIN_VERSIONS",
        "NAME",
        "NUMREGIONS",
        "READONLY",
        "REPLICATION_SCOPE",
        "SPLITALGO",
        "SPLITS",
        "SPLITS_FILE",
        "TTL",
        "VERSIONS",
    ],
    arguments: (1, None),
};

#[async_trait]
impl ShellCommand for CreateCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = convert::name(&arguments.take(), "the table's name")?;
        let mut table = TableDescriptor::new(name.parse()?, []);
        let (mut cuts, mut notes) = (None, Vec::new());
        for argument in arguments.flat_rest() {
            let mut options = match argument {
                Value::Text(_) => {
                    let name = Options::new(vec![(Value::text("NAME"), argument)]);
                    notes.extend(add_family(schema::family(name, &[])?, &mut table));
                    continue;
                }
                Value::Hash(pairs) => Options::new(pairs),
                other => {
                    let message =
                        format!("{} of {} is not of Hash or String type", other.class(), other.inspect());
                    return Err(ShellError::Argument(message));
                }
            };
            if options.contains("NAME") {
                notes.extend(add_family(schema::family(options, &table.families)?, &mut table));
                continue;
            }
            check_method(&mut options)?;
            cuts = splits::take_splits(&mut options, &mut table)?.or(cuts);
            schema::take_table_attributes(&mut options, &mut table)?;
            let ignored = options.rest();
            notes.extend(
                ignored.iter().map(|(key, _)| format!("An argument ignored (unknown or overridden): {key}")),
            );
        }
        context.store.create_table(table, cuts.unwrap_or_default()).await?;
        notes.push(format!("Created table {name}"));
        Ok(Reply { notes, outcome: Outcome::Done })
    }
}

/// Adds a family; of two with the same name the later one counts.
fn add_family(
    (family, mut notes): (FamilyDescriptor, Vec<String>),
    table: &mut TableDescriptor,
) -> Vec<String> {
    if table.family(&family.name).is_some() {
        let name = String::from_utf8_lossy(&family.name);
        notes.push(format!("Family '{name}' already exists, the old one will be replaced"));
    }
    table.put_family(family);
    notes
}

/// `METHOD => 'table_att'` is how older scripts begin the attributes of the table.
fn check_method(options: &mut Options) -> Result<(), ShellError> {
    match options.text("METHOD")?.as_deref() {
        None | Some("table_att") => Ok(()),
        Some(other) => {
            Err(ShellError::Argument(format!("table_att is the only METHOD of create, not '{other}'")))
        }
    }
}
