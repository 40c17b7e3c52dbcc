//! A change to one table leaves all others, and all comments outside of it, as they are.

use fastrand::Rng;
use tablesmith_model::design::{DesignFile, FamilyColumns, Reason};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::KeyEncoding;

use crate::random::{self, seeded};

/// One table with comments and odd spacing, in pieces: what families own, and what they do not.
fn table(random: &mut Rng, name: &str) -> String {
    let mut space = |most: usize| " ".repeat(1 + random.usize(..most));
    let mut text = format!("\n# About {name}.\n[[table]]{}# {name} begins\n", space(3));
    text += &format!("name{}={}'{name}'{}# its name\n", space(4), space(4), space(2));
    for family in ["a", "b"] {
        text +=
            &format!("{}[[table.family]]{}# {family} of {name}\nname = \"{family}\"\n", space(4), space(2));
    }
    text += &format!(
        "[[table.rows]]{}# rows of {name}\nfrom = \"{name}\"\nkey = [ 'id' ]{}# key of {name}\n",
        space(2),
        space(5)
    );
    text += "cells = [ { family = 'a', columns = ['x', 'y'] }, {family='b', columns=['z'], encoding = 'text'} ]\n";
    text
}

fn families(random: &mut Rng) -> Vec<FamilyColumns> {
    let count = 1 + random.usize(..3);
    let mut families: Vec<FamilyColumns> = (0..count)
        .map(|index| FamilyColumns { name: ["a", "c", "d"][index].to_owned(), columns: Vec::new() })
        .collect();
    for column in ["x", "y", "z", "new"] {
        for _ in 0..1 + random.usize(..2) {
            let family = random.usize(..count);
            if !families[family].columns.iter().any(|known| known == column) {
                families[family].columns.push(column.to_owned());
            }
        }
    }
    families.retain(|family| !family.columns.is_empty());
    families
}

#[test]
fn other_tables_stay_byte_for_byte() {
    let mut random = seeded("edits");
    for _ in 0..100 {
        let names = ["one", "two", "three"];
        let tables: Vec<String> = names.iter().map(|name| table(&mut random, name)).collect();
        let head = "# head\nversion = 1 # the first\n".to_owned();
        let tail = "\n[[reason]] # kept\nat = 'two.key'\ntext = \"because\" # of that\n# the end\n";
        let mut file = DesignFile::parse(&[head.clone(), tables.concat(), tail.to_owned()].concat()).unwrap();
        let changed = random.usize(..3);
        let wanted = families(&mut random);
        file.set_families(names[changed], &wanted, &[]).unwrap();
        if random.bool() {
            let key = Key {
                parts: vec![Part::Desc("id".into())],
                encoding: *random.choice(&KeyEncoding::ALL).unwrap(),
            };
            file.set_key(names[changed], &key).unwrap();
        }
        let text = file.to_string();
        assert!(text.starts_with(&head) && text.ends_with(tail), "{text}");
        let others = tables.iter().enumerate().filter(|(index, _)| *index != changed);
        for (_, table) in others {
            assert!(text.contains(table), "{table}\nis not in\n{text}");
        }
        for comment in ["# About", "begins", "# its name", "# rows of", "# key of"] {
            assert!(text.matches(comment).count() == names.len(), "{comment} was lost:\n{text}");
        }
        check_families(&file, names[changed], &wanted);
        file.set_families(names[changed], &wanted, &[]).unwrap();
        assert_eq!(file.to_string(), text, "the same families again change nothing");
    }
}

/// Every wanted column is in every wanted family, and in no other.
fn check_families(file: &DesignFile, table: &str, wanted: &[FamilyColumns]) {
    let design = file.design().unwrap();
    let table = design.table(table).unwrap();
    let names: Vec<&str> = table.families.iter().map(|family| family.name.as_str()).collect();
    assert_eq!(names, wanted.iter().map(|family| family.name.as_str()).collect::<Vec<_>>());
    for family in wanted {
        let entries = table.rows[0].cells.iter().filter(|cells| cells.family == family.name);
        let mut columns: Vec<&String> = entries.flat_map(|cells| &cells.columns).collect();
        let mut expected: Vec<&String> = family.columns.iter().collect();
        columns.sort();
        expected.sort();
        assert_eq!(columns, expected, "{file}");
    }
}

#[test]
fn reasons_are_replaced_below_their_prefix_only() {
    let mut random = seeded("reasons");
    let places = ["t.family", "t.family.a", "t.familyx", "t.key", "u.family"];
    for _ in 0..100 {
        let mut file = DesignFile::new("workload.toml");
        let mut expected: Vec<Reason> = Vec::new();
        for step in 0..6 {
            let prefix = *random.choice(&places).unwrap();
            let below = |at: &str| at == prefix || at.starts_with(&format!("{prefix}."));
            let allowed: Vec<&str> = places.into_iter().filter(|at| below(at)).collect();
            let reasons = random::many(&mut random, 3, |random| {
                Reason::new(*random.choice(&allowed).unwrap(), format!("step {step}"))
            });
            file.set_reasons(prefix, &reasons).unwrap();
            let old: Vec<Reason> = expected.iter().filter(|reason| below(&reason.at)).cloned().collect();
            if old != reasons {
                expected.retain(|reason| !below(&reason.at));
                expected.extend(reasons);
            }
            assert_eq!(file.design().unwrap().reasons, expected, "{file}");
        }
    }
}
