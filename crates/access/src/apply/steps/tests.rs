//! What is decided for stores that have nothing, something, or all of it.

use super::*;
use tablesmith_model::design::{Family, Setting, Table};

fn family(name: &str, settings: &[(&str, i64)]) -> Family {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), Setting::Integer(*value)));
    Family { name: name.to_owned(), settings: settings.collect() }
}

fn design(families: Vec<Family>, splits: &[&str]) -> Design {
    let splits = splits.iter().map(|split| split.as_bytes().to_vec()).collect();
    let table = Table { name: "n:t".to_owned(), splits, families, rows: Vec::new() };
    Design { tables: vec![table], ..Design::default() }
}

/// What a store has after the steps of a design.
fn after(living: &Living, steps: &Steps) -> Living {
    let mut living = living.clone();
    for step in &steps.steps {
        match step.clone() {
            Step::CreateNamespace(name) => drop(living.namespaces.insert(name)),
            Step::CreateTable { descriptor, splits } => {
                living.tables.insert(descriptor.name.clone(), LivingTable { descriptor, splits });
            }
            Step::AlterTable { descriptor, .. } => {
                let name = descriptor.name.clone();
                living.tables.get_mut(&name).unwrap().descriptor = descriptor;
            }
            Step::Split { table, at } => {
                let splits = &mut living.tables.get_mut(&table).unwrap().splits;
                splits.push(at);
                splits.sort();
            }
        }
    }
    living
}

fn words(steps: &Steps) -> Vec<String> {
    steps.steps.iter().map(ToString::to_string).collect()
}

#[test]
fn twice_is_the_same_as_once() {
    let design = design(vec![family("f", &[("VERSIONS", 3)])], &["g", "p"]);
    let once = Steps::of(&design, &Living::default(), &[]).unwrap();
    assert_eq!(words(&once), ["make the namespace n", "make the table n:t (f) with 3 regions"]);
    let twice = Steps::of(&design, &after(&Living::default(), &once), &[]).unwrap();
    assert_eq!(twice, Steps::default());
}

#[test]
fn families_settings_and_splits_are_added() {
    let first = design(vec![family("f", &[])], &["g"]);
    let living = after(&Living::default(), &Steps::of(&first, &Living::default(), &[]).unwrap());
    let second =
        design(vec![family("f", &[("VERSIONS", 3), ("BLOCKSIZE", 8192)]), family("g", &[])], &["g", "p"]);
    let steps = Steps::of(&second, &living, &[]).unwrap();
    assert_eq!(
        words(&steps),
        [
            "change the table n:t: VERSIONS of f goes from 1 to 3; BLOCKSIZE of f goes from 65536 to 8192; \
             the family g is added",
            "split the table n:t at 'p'"
        ]
    );
    assert!(steps.stays.is_empty());
    assert_eq!(Steps::of(&second, &after(&living, &steps), &[]).unwrap(), Steps::default());
}

#[test]
fn nothing_is_lost_unless_it_is_named() {
    let first = design(vec![family("f", &[("VERSIONS", 5)]), family("old", &[])], &[]);
    let living = after(&Living::default(), &Steps::of(&first, &Living::default(), &[]).unwrap());
    let second = design(vec![family("f", &[("VERSIONS", 2), ("TTL", 60), ("BLOCKSIZE", 8192)])], &[]);
    let steps = Steps::of(&second, &living, &[]).unwrap();
    let kept = after(&living, &steps).tables.into_values().next().unwrap().descriptor;
    assert_eq!((kept.families.len(), kept.families[0].versions), (2, 5));
    assert_eq!(kept.families[0].block_size_bytes, 8192, "what loses nothing is done");
    assert_eq!(steps.stays.len(), 2, "{:?}", steps.stays);
    assert!(steps.stays.iter().any(|stays| stays.contains("--lose n:t:old")), "{:?}", steps.stays);

    let lose: Vec<FamilyName> = ["n:t:old", "n:t:f"].iter().map(|name| name.parse().unwrap()).collect();
    let steps = Steps::of(&second, &living, &lose).unwrap();
    let lost = after(&living, &steps).tables.into_values().next().unwrap().descriptor;
    assert_eq!((lost.families.len(), lost.families[0].versions, lost.families[0].ttl_s), (1, 2, 60));
    assert!(steps.stays.is_empty());
}

#[test]
fn a_name_that_loses_nothing_is_an_error() {
    let design = design(vec![family("f", &[])], &[]);
    let lose: FamilyName = "n:t:g".parse().unwrap();
    let error = Steps::of(&design, &Living::default(), std::slice::from_ref(&lose)).unwrap_err();
    assert_eq!(error, ApplyError::NothingToLose(lose));
    for bad in ["", "t", ":f", "t:", "a b:f"] {
        assert!(bad.parse::<FamilyName>().is_err(), "{bad}");
    }
}

#[test]
fn what_people_set_by_hand_stays() {
    let first = design(vec![family("f", &[])], &[]);
    let mut living = after(&Living::default(), &Steps::of(&first, &Living::default(), &[]).unwrap());
    let table = living.tables.values_mut().next().unwrap();
    table.descriptor.families[0].in_memory = true;
    table.descriptor.attributes.insert("OWNER".to_owned(), "me".to_owned());
    assert_eq!(Steps::of(&first, &living, &[]).unwrap(), Steps::default());
}
