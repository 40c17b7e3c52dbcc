//! `alter`: changes a table's families and attributes.

use async_trait::async_trait;
use tablesmith_model::TableDescriptor;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};
use crate::suggest;

use super::{Arguments, Context, Group, ShellCommand, Usage, schema};

/// See the module.
pub struct AlterCommand;

const USAGE: Usage = Usage {
    name: "alter",
    aliases: &["alter_async"],
    group: Group::Ddl,
    summary: "Adds, changes and removes families of a table and its attributes. A family that is there keeps the \
              settings that are not named.",
    examples: &[
        "alter 't1', NAME => 'f', VERSIONS => 5",
        "alter 't1', 'g', {NAME => 'h', TTL => 86400}",
        "alter 't1', NAME => 'f', METHOD => 'delete'",
        "alter 't1', 'delete' => 'f'",
        "alter 't1', MAX_FILESIZE => '134217728', READONLY => true",
        "alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'",
        "alter 't1', CONFIGURATION => {'key' => 'value'}, METADATA => {'owner' => 'me'}",
        "alter 't1', METHOD => 'table_conf_unset', NAME => 'key'",
        "alter 't1', {NAME => 'f', VERSIONS => 3}, {METHOD => 'delete', NAME => 'g'}, DURABILITY => 'SKIP_WAL'",
    ],
    options: &[
        "BLOCKCACHE",
        "BLOCKSIZE",
        "BLOOMFILTER",
        "CLASSNAME",
        "COMPRESSION",
        "CONFIGURATION",
        "DATA_BLOCK_ENCODING",
        "DURABILITY",
        "IN_MEMORY",
        "KEEP_DELETED_CELLS",
        "MAX_FILESIZE",
        "MEMSTORE_FLUSHSIZE",
        "METADATA",
        "METHOD",
        "MIN_VERSIONS",
        "NAME",
        "READONLY",
        "REOPEN_REGIONS",
        "REPLICATION_SCOPE",
        "TTL",
        "VERSIONS",
    ],
    arguments: (1, None),
};

const METHODS: &[&str] =
    &["delete", "table_att", "table_att_unset", "table_conf_unset", "table_remove_coprocessor"];

#[async_trait]
impl ShellCommand for AlterCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = convert::name(&arguments.take(), "the table's name")?;
        let mut table = context.store.describe_table(&name.parse()?).await?;
        let changes = arguments.rest();
        if changes.is_empty() {
            return Err(ShellError::Argument(
                "there should be something to change behind the table's name".to_owned(),
            ));
        }
        let mut notes = Vec::new();
        for change in changes {
            notes.extend(apply(change, &mut table)?);
        }
        context.store.alter_table(table).await?;
        notes.extend(
            ["Updating all regions with the new schema...", "All regions updated.", "Done."]
                .map(String::from),
        );
        Ok(Reply { notes, outcome: Outcome::Done })
    }
}

/// Makes one change; returns notes on what it does not know.
fn apply(change: Value, table: &mut TableDescriptor) -> Result<Vec<String>, ShellError> {
    let mut options = match change {
        Value::Text(_) => Options::new(vec![(Value::text("NAME"), change)]),
        Value::Hash(pairs) => Options::new(pairs),
        other => {
            return Err(ShellError::Type(format!(
                "a change is a hash or a family's name, not {}",
                other.inspect()
            )));
        }
    };
    if let Some(family) = options.take("delete") {
        return remove_family(table, Some(family)).map(|()| Vec::new());
    }
    check_reopen_regions(&mut options)?;
    let method = options.text("METHOD")?;
    if method.is_none() && options.contains("NAME") {
        let (family, notes) = schema::family(options, &table.families)?;
        table.put_family(family);
        return Ok(notes);
    }
    let name = options.take("NAME");
    match method.as_deref() {
        None | Some("table_att") => {
            schema::take_table_attributes(&mut options, table)?;
            return Ok(add_coprocessors(options, table));
        }
        Some("delete") => remove_family(table, name)?,
        Some("table_att_unset") => unset(table, name, "attribute")?,
        Some("table_conf_unset") => unset(table, name, "configuration")?,
        Some("table_remove_coprocessor") => remove_coprocessors(table, options.take("CLASSNAME"))?,
        Some(other) => {
            let hint = suggest::hint(other, METHODS.iter().copied());
            return Err(ShellError::Argument(format!("Unknown method: {other}{hint}")));
        }
    }
    Ok(unknown(&options.rest()))
}

fn unknown(rest: &[(String, Value)]) -> Vec<String> {
    rest.iter().map(|(key, _)| format!("Unknown argument ignored: {key}")).collect()
}

/// Regions here always see the new description at once.
fn check_reopen_regions(options: &mut Options) -> Result<(), ShellError> {
    match options.text("REOPEN_REGIONS")? {
        Some(text) if !text.eq_ignore_ascii_case("true") && !text.eq_ignore_ascii_case("false") => {
            Err(ShellError::Argument("REOPEN_REGIONS is 'true' or 'false'".to_owned()))
        }
        _ => Ok(()),
    }
}

/// A family that is not there is as good as removed.
fn remove_family(table: &mut TableDescriptor, name: Option<Value>) -> Result<(), ShellError> {
    let name =
        name.ok_or_else(|| ShellError::Argument("NAME parameter missing for delete method".to_owned()))?;
    let name = convert::bytes(&name, "NAME")?;
    table.families.retain(|family| family.name != name);
    Ok(())
}

fn unset(table: &mut TableDescriptor, name: Option<Value>, what: &str) -> Result<(), ShellError> {
    let names = match name {
        None => return Err(ShellError::Argument("NAME parameter missing: what is to be unset?".to_owned())),
        Some(Value::Array(names)) => names,
        Some(name) => vec![name],
    };
    for name in names {
        let name = name.to_text();
        if table.attributes.remove(&name).is_none() {
            let hint = suggest::hint(&name, table.attributes.keys().map(String::as_str));
            return Err(ShellError::Argument(format!("Could not find {what}: {name}{hint}")));
        }
    }
    Ok(())
}

/// Keeps the coprocessors among the options under numbered names, for the store that can run them. Returns notes on
/// the other options.
fn add_coprocessors(options: Options, table: &mut TableDescriptor) -> Vec<String> {
    let (coprocessors, rest): (Vec<_>, Vec<_>) =
        options.rest().into_iter().partition(|(key, _)| key.to_ascii_lowercase().contains("coprocessor"));
    for (_, value) in coprocessors {
        let number =
            (1_u64..).find(|number| !table.attributes.contains_key(&format!("coprocessor${number}")));
        let number = number.unwrap_or_default();
        table.attributes.insert(format!("coprocessor${number}"), value.to_text().trim().to_owned());
    }
    unknown(&rest)
}

fn remove_coprocessors(table: &mut TableDescriptor, classes: Option<Value>) -> Result<(), ShellError> {
    let classes = match classes {
        None => return Err(ShellError::Argument("CLASSNAME parameter missing".to_owned())),
        Some(Value::Array(classes)) => classes,
        Some(class) => vec![class],
    };
    for class in classes.iter().map(Value::to_text) {
        let is_class = |value: &str| value.split('|').any(|part| part.trim() == class);
        table.attributes.retain(|key, value| !(key.starts_with("coprocessor$") && is_class(value)));
    }
    Ok(())
}
