//! CSV files: what is measured, what is left out, and what is refused.

use std::fmt::Write;

use tablesmith_model::value::ValueType;
use tablesmith_observe::profile::{
    CandidateKey, Certainty, Count, ProfileError, columns_only, find_keys, profile,
};

use super::support::{column, found, measure, types};

#[test]
fn columns_are_measured() {
    let mut text = "id,name,when,amount,flag,note\n".to_owned();
    for row in 0..200 {
        let name = if row % 4 == 0 { "often".to_owned() } else { format!("name {row}") };
        let note = if row % 2 == 0 { "" } else { "\"a, \"\"quoted\"\"\nnote\"" };
        writeln!(text, "{row},{name},2024-01-{:02},{}.50,true,{note}", row / 20 + 1, row * 7 % 50).unwrap();
    }
    let profile = found("t.csv", &text);
    assert_eq!((profile.rows, profile.bad_lines), (200, 0));
    assert_eq!(
        types(&profile),
        [
            ValueType::Int,
            ValueType::String,
            ValueType::Date,
            ValueType::Decimal,
            ValueType::Bool,
            ValueType::String
        ]
    );
    let id = column(&profile, "id");
    assert_eq!((id.distinct, id.monotone), (Count { count: 200, exact: true }, true));
    assert_eq!(profile.keys, [CandidateKey { columns: vec!["id".into()], certainty: Certainty::Certain }]);
    let name = column(&profile, "name");
    assert_eq!(name.heavy.len(), 1, "{:?}", name.heavy);
    assert_eq!((name.heavy[0].value.as_str(), name.heavy[0].share), ("often", 0.25));
    assert!(column(&profile, "when").monotone && column(&profile, "when").unique.is_none());
    let note = column(&profile, "note");
    assert_eq!((note.nulls, note.mean_bytes), (100, Some("a, \"quoted\"\nnote".len() as f64)));
    assert!(column(&profile, "flag").heavy.is_empty(), "a constant is no hot spot among others");
}

#[test]
fn several_columns_together_can_be_the_key() {
    // Every combination once but for some that are left out; counts come before and after, and are alike by chance only.
    let mut text = "views,day,shop,item,size,clicks\n".to_owned();
    for number in 0..60_000_u32 {
        let (day, shop, item, size) = (number / 2_400, number / 120 % 20, number / 4 % 30, number % 4);
        let chance = number.wrapping_mul(2_654_435_761) >> 7;
        if chance % 5 > 0 {
            text.push_str(&format!(
                "{},2024-01-{:02},shop {shop},item {item},{},{}\n",
                chance % 50,
                day + 1,
                ["S", "M", "L", "XL"][size as usize],
                chance / 50 % 40
            ));
        }
    }
    let profile = found("t.csv", &text);
    let key = CandidateKey {
        columns: ["day", "shop", "item", "size"].map(str::to_owned).into(),
        certainty: Certainty::Certain,
    };
    // Without a word on what is asked, views come first in the file and take the place of a column if they can.
    assert_eq!(profile.keys[0].certainty, Certainty::Certain);
    assert_eq!(preferring(&text, &["day", "shop", "item", "size"]).first(), Some(&key));
    let last = text.lines().last().unwrap().to_owned();
    let (_, of_key) = last.split_once(',').unwrap();
    let (of_key, _) = of_key.rsplit_once(',').unwrap();
    // The same key once more, far from the first time: views and clicks differ.
    let again = text.replacen('\n', &format!("\n49,{of_key},39\n"), 1);
    let keys = preferring(&again, &["day", "shop", "item", "size"]);
    assert!(!keys.contains(&key), "{keys:?}");
    assert!(keys.iter().all(|key| key.certainty == Certainty::Certain), "{keys:?}");
    let twice = format!("{text}{last}\n");
    assert_eq!(preferring(&twice, &["day", "shop", "item", "size"]), [], "two rows are the same");
}

fn preferring(text: &str, columns: &[&str]) -> Vec<CandidateKey> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    let profile = columns_only(&path, &mut |_| {}).unwrap();
    let columns: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
    find_keys(&path, &profile, &columns).unwrap()
}

#[test]
fn two_columns_together_can_be_the_key() {
    let mut text = "follower,followed,weight\n".to_owned();
    for follower in 0..40 {
        for followed in 0..30 {
            writeln!(text, "u{follower},u{followed},{}", follower * followed % 3).unwrap();
        }
    }
    let profile = found("t.csv", &text);
    let expected =
        CandidateKey { columns: vec!["follower".into(), "followed".into()], certainty: Certainty::Certain };
    assert_eq!(profile.keys, [expected]);
    text.push_str("u0,u0,1\n");
    assert_eq!(
        found("t.csv", &text).keys[0].columns,
        ["follower", "followed", "weight"],
        "two are not enough"
    );
    text.push_str("u0,u0,1\n");
    assert_eq!(found("t.csv", &text).keys, [], "two rows are the same");
}

#[test]
fn delimiters_and_marks_are_seen_through() {
    for text in ["a;b\n1,5;x\n2,5;y\n", "a\tb\n1,5\tx\n2,5\ty\n", "\u{feff}a|b\r\n1,5|x\r\n\r\n2,5|y\r\n"] {
        let profile = found("t.csv", text);
        let names: Vec<&str> = profile.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((names, profile.rows), (vec!["a", "b"], 2), "{text:?}");
    }
}

#[test]
fn ragged_rows_are_left_out_and_told() {
    let profile = found("t.csv", "a,b\n1,2\n3\n4,5,6\n\n\"7\n8\",9\n10\n");
    assert_eq!((profile.rows, profile.bad_lines), (2, 3));
    let told: Vec<_> = profile.first_bad_lines.iter().map(|bad| (bad.line, bad.text.as_str())).collect();
    assert_eq!(told, [(3, "3"), (4, "4,5,6"), (8, "10")]);
    assert_eq!(profile.first_bad_lines[1].message, "this line has 3 fields where the header has 2");
}

#[test]
fn a_quote_that_is_never_closed_costs_a_line_not_the_file() {
    let mut text = "a,b\n1,2\n\"3,4\n".to_owned();
    let row = format!("5,{}\n", "x".repeat(1_000));
    (0..20_000).for_each(|_| text.push_str(&row));
    let profile = found("t.csv", &text);
    assert_eq!((profile.rows, profile.bad_lines), (20_001, 1), "{:?}", profile.first_bad_lines);
    assert_eq!(profile.first_bad_lines[0].line, 3);
}

#[test]
fn a_file_of_another_shape_is_refused_with_its_place() {
    for (text, place, said) in [
        (&b"a,b\n1\n2\n3\n"[..], (2, 2), "this line has 1 field where the header has 2"),
        (b"a,b,a\n1,2,3\n", (1, 5), "two columns have the name `a`"),
        (b"1,2,3\n4,5,6\n", (1, 1), "`1` is a number: the first line seems to be data"),
        (b"a,,c\n1,2,3\n", (1, 3), "column 2 has no name"),
        (b"\n\na,\xff\n1,2\n", (3, 3), "not UTF-8"),
        (b"\xff\xfea\0,\0b\0", (1, 1), "UTF-16"),
        (b"\x7fELF\0\0\0", (1, 1), "binary"),
    ] {
        let error = measure("t.csv", text).unwrap_err();
        let ProfileError::Shape { misfit, .. } = &error else { panic!("{error}") };
        assert_eq!((misfit.line, misfit.column), place, "{misfit:?}");
        assert!(misfit.message.contains(said), "{misfit:?}");
    }
}

#[test]
fn what_is_no_file_is_refused() {
    assert!(matches!(measure("t.csv", ""), Err(ProfileError::Empty(_))));
    assert!(matches!(measure("t.csv", "\n\n"), Err(ProfileError::Empty(_))));
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(profile(directory.path(), &mut |_| {}), Err(ProfileError::Directory(_))));
    let missing = directory.path().join("missing.csv");
    assert!(matches!(profile(&missing, &mut |_| {}), Err(ProfileError::Read { .. })));
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    for text in ["a,b", "a,b\n", "\u{feff}a,b\r\n"] {
        let profile = found("t.csv", text);
        assert_eq!((profile.rows, profile.columns.len(), profile.keys.len()), (0, 2, 0), "{text:?}");
        assert_eq!(column(&profile, "b").mean_bytes, None);
        assert_eq!(profile.to_table("t", "t.csv").columns.len(), 2);
    }
}

#[test]
fn one_column_is_a_table_too() {
    let profile = found("t.csv", "only\n3\n1\n2\n");
    assert_eq!((profile.rows, types(&profile)), (3, vec![ValueType::Int]));
    assert_eq!(profile.keys[0].columns, ["only"]);
    assert!(!column(&profile, "only").monotone);
}

#[test]
fn a_thousand_columns_are_no_trouble() {
    let header: Vec<String> = (0..1_000).map(|number| format!("c{number}")).collect();
    let mut text = header.join(",") + "\n";
    for row in 0..500 {
        let fields: Vec<String> = (0..1_000).map(|column| (row * column % 97).to_string()).collect();
        writeln!(text, "{}", fields.join(",")).unwrap();
    }
    let profile = found("t.csv", &text);
    assert_eq!((profile.rows, profile.columns.len()), (500, 1_000));
    assert_eq!(column(&profile, "c0").distinct.count, 1);
    assert_eq!(column(&profile, "c999").distinct.count, 97);
}

#[test]
fn a_stray_byte_does_not_make_text_binary() {
    let mut text = b"name,blob\n".to_vec();
    for row in 0..500 {
        let stray: &[u8] = if row == 7 { b"M\xfcller" } else { "Müller".as_bytes() };
        text.extend([stray, b",\xfe\xff\x80\n"].concat());
    }
    let profile = found("t.csv", &text);
    assert_eq!(types(&profile), [ValueType::String, ValueType::Bytes]);
    assert_eq!((column(&profile, "name").not_utf8, column(&profile, "blob").not_utf8), (1, 500));
}

#[test]
fn many_rows_are_estimated_and_say_so() {
    let mut text = "random,serial\n".to_owned();
    let mut state = 1u64;
    for row in 0..60_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writeln!(text, "{},{row}", state >> 20).unwrap();
    }
    let mut heard = Vec::new();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.csv");
    std::fs::write(&path, &text).unwrap();
    let profile = profile(&path, &mut |progress| heard.push(progress)).unwrap();
    let random = column(&profile, "random").distinct;
    assert!(!random.exact && random.count.abs_diff(60_000) < 1_800, "{random:?}");
    assert_eq!(profile.keys[0].certainty, Certainty::Certain);
    assert!(heard.windows(2).all(|pair| pair[0].bytes < pair[1].bytes), "progress goes on");
    assert_eq!(
        heard.last().map(|last| (last.bytes, last.total)),
        Some((text.len() as u64, text.len() as u64))
    );
}

#[test]
fn a_quote_that_is_never_closed_costs_one_line() {
    let profile = found("t.csv", "id,name\n1,\"open\n2,b\n3,c\n");
    assert_eq!((profile.rows, profile.bad_lines), (2, 1));
    assert_eq!(profile.first_bad_lines[0].line, 2);
    assert!(profile.first_bad_lines[0].message.contains("never closed"));
    for fine in ["id,name\n1,\"two\nlines\"", "id,name\n1,5\" wide", "id,name\n1,\"\"", "id,name\n1,x"] {
        assert_eq!(found("t.csv", fine).bad_lines, 0, "{fine:?}");
    }
}

#[test]
fn a_compressed_file_is_to_be_unpacked() {
    let refused = measure("t.csv", b"\x1F\x8B\x08\x00\x00").unwrap_err().to_string();
    assert!(refused.contains("compressed") && refused.contains("unpack"), "{refused}");
}
