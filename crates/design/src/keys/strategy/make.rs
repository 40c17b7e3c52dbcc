//! The key of each strategy over an id, or why there is none.

use tablesmith_model::duration_text;
use tablesmith_model::key::{BucketWidth, Key, Modulus, Part};
use tablesmith_model::value::{KeyEncoding, ValueType};

use super::StrategyName;
use crate::keys::setup::{IdColumn, Setup};

/// The key of a strategy, or a sentence that says why it does not go with the id.
pub(super) fn key(name: StrategyName, setup: &Setup) -> Result<Key, String> {
    let first = setup.id.first().ok_or("the id has no columns")?;
    let modulus = Modulus::new(setup.chosen_prefixes()).ok_or("there are no prefixes")?;
    let names: Vec<String> = setup.id.iter().map(|column| column.name.clone()).collect();
    let behind = |prefix: Part| std::iter::once(prefix).chain(id(setup)).collect::<Vec<_>>();
    let parts = match name {
        StrategyName::Plain => id(setup).collect(),
        StrategyName::Random => behind(Part::Random(modulus)),
        StrategyName::Mod => behind(Part::Mod { field: numeric(setup)?, modulus }),
        StrategyName::Md5Mod => behind(Part::Md5Mod { fields: names, modulus }),
        StrategyName::Md5ModPart => behind(Part::Md5Mod { fields: part_of(setup)?, modulus }),
        StrategyName::Md5LineMod => behind(Part::Md5LineMod(modulus)),
        StrategyName::Reverse => {
            let rest = id(setup).skip(1);
            std::iter::once(Part::Reverse(first.name.clone())).chain(rest).collect()
        }
        StrategyName::Hash => behind(Part::Md5 { field: first.name.clone(), bytes: None }),
        StrategyName::Bucket => behind(bucket(setup)?),
        StrategyName::Desc => falling(setup)?,
    };
    let key = Key { parts, encoding: setup.encoding };
    let columns = setup.columns();
    let type_of =
        |name: &str| columns.iter().find(|column| column.name == name).map(|column| column.value_type);
    key.codec(type_of).map_err(|error| error.to_string())?;
    Ok(key)
}

/// The id, column by column: padded in text keys where a width is given.
fn id(setup: &Setup) -> impl Iterator<Item = Part> + '_ {
    setup.id.iter().map(|column| plain(column, setup.encoding))
}

fn plain(column: &IdColumn, encoding: KeyEncoding) -> Part {
    match (encoding, column.pad) {
        (KeyEncoding::Text, Some(width)) => Part::Pad { field: column.name.clone(), width },
        _ => Part::Field(column.name.clone()),
    }
}

/// The column whose remainder is taken: the id, or the first column of its entity.
fn numeric(setup: &Setup) -> Result<String, String> {
    let entity = setup.entity_columns();
    let wanted = |column: &&IdColumn| entity.first().is_none_or(|name| *name == column.name);
    let column = setup.id.iter().find(wanted).ok_or("the id has no columns")?;
    match column.value_type {
        ValueType::Int | ValueType::Decimal | ValueType::String => Ok(column.name.clone()),
        other => Err(format!(
            "mod needs a whole number, and {:?} is of type {other}: take md5_mod, which takes any type",
            column.name
        )),
    }
}

/// The columns of the entity, when they are only a part of the id.
fn part_of(setup: &Setup) -> Result<Vec<String>, String> {
    match setup.entity_columns() {
        entity if entity.is_empty() || entity.len() == setup.id.len() => {
            Err("the id is one thing: there is no part of it to make a prefix from".to_owned())
        }
        entity => Ok(entity),
    }
}

fn time(setup: &Setup) -> Result<&IdColumn, String> {
    setup.time.as_ref().ok_or_else(|| "it needs a column that says when: name one with --time".to_owned())
}

fn bucket(setup: &Setup) -> Result<Part, String> {
    let time = time(setup)?;
    let by_default = match time.value_type {
        ValueType::Timestamp => duration_text::parse("1h").map(BucketWidth::Time),
        ValueType::Date => duration_text::parse("1d").map(BucketWidth::Time),
        ValueType::Int => Some(BucketWidth::Count(1_000)),
        _ => None,
    };
    let told = || format!("{:?} is of type {}, which has no buckets", time.name, time.value_type);
    let width = setup.bucket_width.or(by_default).ok_or_else(told)?;
    Ok(Part::Bucket { field: time.name.clone(), width })
}

/// The id with its time falling; a time that is not in the id goes before it.
fn falling(setup: &Setup) -> Result<Vec<Part>, String> {
    let time = time(setup)?;
    let falling = Part::Desc(time.name.clone());
    if !setup.id.iter().any(|column| column.name == time.name) {
        return Ok(std::iter::once(falling).chain(id(setup)).collect());
    }
    let turned = |column: &IdColumn| match column.name == time.name {
        true => falling.clone(),
        false => plain(column, setup.encoding),
    };
    Ok(setup.id.iter().map(turned).collect())
}

#[cfg(test)]
mod tests {
    use super::super::strategies;
    use super::*;

    fn texts(setup: &Setup) -> Vec<(&'static str, Vec<String>)> {
        let (found, _) = strategies(setup);
        found
            .iter()
            .map(|one| (one.name.name(), one.key.parts.iter().map(ToString::to_string).collect()))
            .collect()
    }

    #[test]
    fn a_number_gets_every_key_but_those_of_time_and_parts() {
        let mut setup = Setup::new(vec![IdColumn::new("id", ValueType::Int)], 4);
        setup.prefixes = Some(1_000);
        let keys = texts(&setup);
        let of = |name: &str| keys.iter().find(|(own, _)| *own == name).unwrap().1.join(" ");
        assert_eq!(of("plain"), "id");
        assert_eq!(of("mod"), "mod(id, 1000) id");
        assert_eq!(of("md5_mod"), "md5_mod(id, 1000) id");
        assert_eq!(of("reverse"), "reverse(id)");
        assert_eq!(of("hash"), "md5(id) id");
        assert_eq!(keys.len(), 7);
        let (_, left_out) = strategies(&setup);
        assert!(left_out.iter().any(|one| one.name == StrategyName::Desc && one.reason.contains("--time")));
    }

    #[test]
    fn a_part_of_the_id_and_its_time_make_keys_of_their_own() {
        let id = vec![IdColumn::new("user", ValueType::String), IdColumn::new("at", ValueType::Timestamp)];
        let mut setup = Setup::new(id, 4);
        setup.time = Some(IdColumn::new("at", ValueType::Timestamp));
        setup.prefixes = Some(12);
        setup.encoding = KeyEncoding::Text;
        setup.id[0].pad = Some(8);
        let keys = texts(&setup);
        let of = |name: &str| keys.iter().find(|(own, _)| *own == name).unwrap().1.join(" ");
        assert_eq!(of("md5_mod"), "md5_mod(user, at, 12) pad(user, 8) at");
        assert_eq!(of("md5_mod_part"), "md5_mod(user, 12) pad(user, 8) at");
        assert_eq!(of("bucket"), "bucket(at, \"1h\") pad(user, 8) at");
        assert_eq!(of("desc"), "pad(user, 8) desc(at)");
        assert_eq!(of("reverse"), "reverse(user) at");
        assert_eq!(keys.len(), 10);
    }

    #[test]
    fn mod_of_what_is_no_number_is_left_out_with_the_reason() {
        let setup = Setup::new(vec![IdColumn::new("at", ValueType::Date)], 4);
        let (_, left_out) = strategies(&setup);
        let reason = &left_out.iter().find(|one| one.name == StrategyName::Mod).unwrap().reason;
        assert!(reason.contains("type date") && reason.contains("md5_mod"), "{reason}");
    }
}
