//! Keys sort as tuples of their parts do, differ where tuples do, and give back what they can.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use fastrand::Rng;
use tablesmith_model::key::{Decoded, Key, KeyCodec, KeyEncodeError, KeyInput, Part};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};

use crate::parts::part;
use crate::random::{self, seeded};
use crate::values::{neighbour, value};

/// A row with everything that a key can ask for.
#[derive(Clone)]
struct Row {
    values: BTreeMap<String, Value>,
    random: u64,
}

impl KeyInput for Row {
    fn value(&self, field: &str) -> Option<&Value> {
        self.values.get(field)
    }

    fn line(&self) -> Option<&[u8]> {
        Some(b"the,whole,line")
    }

    fn row_number(&self) -> Option<u64> {
        Some(self.random)
    }

    fn random_below(&mut self, bound: u64) -> Option<u64> {
        Some(self.random % bound)
    }
}

/// Fields with their types.
fn fields(random: &mut Rng) -> Vec<(String, ValueType)> {
    (0..=random.usize(..3))
        .map(|index| (format!("f{index}"), *random.choice(&ValueType::ALL).unwrap()))
        .collect()
}

fn codec(key: &Key, fields: &[(String, ValueType)]) -> KeyCodec {
    key.codec(|name| fields.iter().find(|(field, _)| field == name).map(|(_, value_type)| *value_type))
        .unwrap()
}

fn row(random: &mut Rng, fields: &[(String, ValueType)]) -> Row {
    let values = fields.iter().map(|(name, value_type)| (name.clone(), value(random, *value_type))).collect();
    Row { values, random: random.u64(..) }
}

#[test]
fn keys_of_fields_sort_as_tuples_do_and_come_back() {
    let mut random = seeded("tuples");
    for _ in 0..30_000 {
        let fields = fields(&mut random);
        let turned: Vec<bool> = fields.iter().map(|_| random.usize(..3) == 0).collect();
        let part = |(name, _): &(String, _), turned: &bool| match turned {
            true => Part::Desc(name.clone()),
            false => Part::Field(name.clone()),
        };
        let parts = fields.iter().zip(&turned).map(|(field, turned)| part(field, turned)).collect();
        let codec = codec(&Key { parts, encoding: *random.choice(&KeyEncoding::ALL).unwrap() }, &fields);
        let mut one = row(&mut random, &fields);
        let mut two = row(&mut random, &fields);
        for (name, value_type) in &fields {
            if random.bool() {
                let near = neighbour(&mut random, *value_type, &one.values[name]);
                two.values.insert(name.clone(), near);
            }
        }
        let (a, b) = (codec.encode(&mut one).unwrap(), codec.encode(&mut two).unwrap());
        let order = fields.iter().zip(&turned).map(|((name, _), turned)| {
            let order = one.values[name].cmp(&two.values[name]);
            if *turned { order.reverse() } else { order }
        });
        let order = order.fold(Ordering::Equal, Ordering::then);
        assert_eq!(a.cmp(&b), order, "{codec:?}\n{:?} {a:x?}\n{:?} {b:x?}", one.values, two.values);
        let back: BTreeMap<String, Value> = codec.decode_fields(&a).unwrap().into_iter().collect();
        assert_eq!(back, one.values, "{codec:?} {a:x?}");
    }
}

#[test]
fn every_part_gives_back_what_it_says() {
    let mut random = seeded("parts");
    let mut encoded = 0;
    for _ in 0..30_000 {
        let fields = fields(&mut random);
        let parts = fields.iter().map(|(name, value_type)| part(&mut random, name, *value_type)).collect();
        let key = Key { parts, encoding: *random.choice(&KeyEncoding::ALL).unwrap() };
        let codec = codec(&key, &fields);
        let mut row = row(&mut random, &fields);
        let bytes = match codec.encode(&mut row) {
            Ok(bytes) => bytes,
            // Only padding refuses values of the right type.
            Err(KeyEncodeError::DoesNotFit { part, .. }) if part.starts_with("pad(") => continue,
            Err(error) => panic!("{key:?}: {error}"),
        };
        encoded += 1;
        let decoded = codec.decode(&bytes).unwrap_or_else(|error| panic!("{key:?} {bytes:x?}: {error}"));
        assert_eq!(decoded.len(), key.parts.len());
        for (part, decoded) in key.parts.iter().zip(decoded) {
            match (part, decoded) {
                (part, Decoded::Field { name, value }) => {
                    assert_eq!((part.gives_back(), &value), (Some(name.as_str()), &row.values[&name]));
                }
                (Part::Bucket { field, width }, Decoded::Bucket { start, .. }) => {
                    assert_eq!(start, width.start(&row.values[field]));
                    assert!(start <= row.values[field]);
                }
                (part, Decoded::Prefix(number)) => assert!(number < part.prefixes().unwrap().get(), "{part}"),
                (Part::Md5 { bytes, .. }, Decoded::Digest(digest)) => {
                    assert_eq!(digest.len(), bytes.unwrap_or(16))
                }
                (Part::RowNumber, Decoded::RowNumber(number)) => assert_eq!(number, row.random),
                (Part::Const(_), Decoded::Const) => {}
                (part, decoded) => panic!("{part} gave {decoded:?}"),
            }
        }
    }
    assert!(encoded > 20_000, "only {encoded} keys were made");
}

/// A key of random parts over fields, and two rows that often agree in some of them.
fn key_and_rows(random: &mut Rng) -> (Key, Vec<(String, ValueType)>, Row, Row) {
    let fields = fields(random);
    let mut parts: Vec<Part> =
        fields.iter().map(|(name, value_type)| part(random, name, *value_type)).collect();
    for (name, value_type) in &fields {
        if random.usize(..3) == 0 {
            parts.push(part(random, name, *value_type));
        }
    }
    let key = Key { parts, encoding: *random.choice(&KeyEncoding::ALL).unwrap() };
    let (one, mut two) = (row(random, &fields), row(random, &fields));
    for (name, value_type) in &fields {
        if random.bool() {
            two.values.insert(name.clone(), neighbour(random, *value_type, &one.values[name]));
        }
    }
    if random.bool() {
        two.random = one.random;
    }
    (key, fields, one, two)
}

/// What a part sorts by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortsBy {
    Same,
    Value(Value),
    Falling(std::cmp::Reverse<Value>),
    Number(u64),
    Bytes(Option<Vec<u8>>),
}

fn sorts_by(part: &Part, decoded: Decoded) -> SortsBy {
    match (part, decoded) {
        (Part::Desc(_), Decoded::Field { value, .. }) => SortsBy::Falling(std::cmp::Reverse(value)),
        (Part::Reverse(_), Decoded::Field { value, .. }) => SortsBy::Bytes(match value {
            Value::Null => None,
            Value::Bytes(bytes) => Some(bytes.into_iter().rev().collect()),
            value => Some(value.to_string().chars().rev().collect::<String>().into_bytes()),
        }),
        (_, Decoded::Field { value, .. } | Decoded::Bucket { start: value, .. }) => SortsBy::Value(value),
        (_, Decoded::Prefix(number) | Decoded::RowNumber(number)) => SortsBy::Number(number),
        (_, Decoded::Digest(digest)) => SortsBy::Bytes(Some(digest)),
        (_, Decoded::Const) => SortsBy::Same,
    }
}

#[test]
fn keys_of_any_parts_sort_as_tuples_of_what_the_parts_sort_by() {
    let mut random = seeded("order of parts");
    let mut compared = 0;
    for _ in 0..30_000 {
        let (key, fields, mut one, mut two) = key_and_rows(&mut random);
        let codec = codec(&key, &fields);
        let (Ok(a), Ok(b)) = (codec.encode(&mut one), codec.encode(&mut two)) else { continue };
        let tuple = |bytes: &[u8]| -> Vec<SortsBy> {
            key.parts
                .iter()
                .zip(codec.decode(bytes).unwrap())
                .map(|(part, decoded)| sorts_by(part, decoded))
                .collect()
        };
        assert_eq!(a.cmp(&b), tuple(&a).cmp(&tuple(&b)), "{key:?}\n{a:x?}\n{b:x?}");
        compared += 1;
    }
    assert!(compared > 15_000, "only {compared} pairs were compared");
}

#[test]
fn different_rows_get_different_keys_unless_the_key_says_that_it_loses_something() {
    let mut random = seeded("different keys");
    let (mut kept, mut lost) = (0, 0);
    for _ in 0..30_000 {
        let (key, fields, mut one, mut two) = key_and_rows(&mut random);
        let codec = codec(&key, &fields);
        let (Ok(a), Ok(b)) = (codec.encode(&mut one), codec.encode(&mut two)) else { continue };
        let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        let numbered = key.parts.contains(&Part::RowNumber);
        match key.loses(&names) {
            None if numbered => assert!(a != b || one.random == two.random, "{key:?}"),
            None => {
                assert!(a != b || one.values == two.values, "{key:?} {:?} {:?}", one.values, two.values);
                kept += 1;
            }
            Some(told) => {
                assert!(names.iter().any(|name| told.contains(&format!("{name:?}"))), "{told}");
                lost += usize::from(a == b && one.values != two.values);
            }
        }
    }
    assert!(kept > 1_000 && lost > 10, "{kept} keys kept everything, {lost} pairs were lost");
}

#[test]
fn what_is_known_of_a_row_begins_its_key() {
    let mut random = seeded("prefixes");
    for _ in 0..10_000 {
        let fields = fields(&mut random);
        let key = Key {
            encoding: *random.choice(&KeyEncoding::ALL).unwrap(),
            ..Key::of_fields(fields.iter().map(|(name, _)| name))
        };
        let codec = codec(&key, &fields);
        let mut row = row(&mut random, &fields);
        let whole = codec.encode(&mut row).unwrap();
        let known = random.usize(..fields.len() + 1);
        row.values.retain(|name, _| fields[..known].iter().any(|(field, _)| field == name));
        let prefix = codec.encode_prefix(&mut row).unwrap();
        assert_eq!(prefix.parts, known);
        assert!(whole.starts_with(&prefix.bytes), "{whole:x?} {prefix:x?}");
    }
}

#[test]
fn parts_are_read_as_they_print() {
    let mut random = seeded("text of parts");
    for _ in 0..30_000 {
        let name = match random::text(&mut random, 8) {
            name if name.is_empty() => "x".to_owned(),
            name => name,
        };
        let value_type = *random.choice(&ValueType::ALL).unwrap();
        let part = part(&mut random, &name, value_type);
        let text = part.to_string();
        assert_eq!(text.parse::<Part>().as_ref(), Ok(&part), "{text}");
        assert_eq!(text.parse::<Part>().unwrap().to_string(), text);
    }
}

#[test]
fn what_goes_wrong_is_said() {
    let types = |name: &str| match name {
        "id" => Some(ValueType::Int),
        "at" => Some(ValueType::Timestamp),
        "name" => Some(ValueType::String),
        _ => None,
    };
    let key = |parts: &[&str]| Key::parse(parts, KeyEncoding::Binary).unwrap();
    let told = |parts: &[&str]| key(parts).codec(types).unwrap_err().to_string();
    assert_eq!(told(&[]), "a key needs at least one part");
    assert_eq!(told(&["mod(ID, 4)"]), "the key part mod(ID, 4) names the field \"ID\", which does not exist");
    assert!(told(&["pad(at, 4)"]).ends_with("it takes int, string or bytes"));
    assert!(told(&["mod(at, 4)"]).contains("does not go with the type timestamp"));
    let mut row =
        BTreeMap::from([("id".to_owned(), Value::Int(123)), ("name".to_owned(), Value::String("n".into()))]);
    let mut told =
        |parts: &[&str]| key(parts).codec(types).unwrap().encode(&mut row).unwrap_err().to_string();
    assert_eq!(told(&["at"]), "the key part at needs a value of \"at\", which this row does not have");
    assert_eq!(
        told(&["random(4)"]),
        "the key part random(4) needs a random number, which this row does not have"
    );
    assert!(told(&["md5_line_mod(4)"]).contains("the line it was read from"));
    assert!(told(&["row_number()"]).contains("the row's number"));
    assert!(told(&["pad(id, 2)"]).contains("at most 2 digits"));
    assert!(told(&["mod(name, 2)"]).contains("a whole number"));
    row.insert("name".into(), Value::String("n".repeat(40_000)));
    let long = key(&["name"]).codec(types).unwrap().encode(&mut row);
    assert_eq!(long, Err(KeyEncodeError::TooLong { length: 40_001 }));
    row.insert("name".into(), Value::Int(1));
    assert!(matches!(
        key(&["name"]).codec(types).unwrap().encode(&mut row),
        Err(KeyEncodeError::WrongType { .. })
    ));
    let codec = key(&["const(\"a\")", "id"]).codec(types).unwrap();
    for bytes in [&b""[..], b"b\x80\0\0\0\0\0\0\0", b"a\x80", b"a\x80\0\0\0\0\0\0\0!"] {
        assert!(codec.decode(bytes).is_err(), "{bytes:x?}");
    }
}

/// As the paper on row-key prefixes has it in listings 1 and 3: the padded remainder of the id's MD5, then the padded id.
#[test]
fn the_papers_key_is_made_as_the_paper_makes_it() {
    let key = Key::parse(&["md5_mod(id, 1000000)", "pad(id, 10)"], KeyEncoding::Text).unwrap();
    let codec = key.codec(|_| Some(ValueType::Int)).unwrap();
    let mut row = BTreeMap::from([("id".to_owned(), Value::Int(42))]);
    // MD5("42") is a1d0c6e83f027327d8461063f4ac58a6, a number that leaves 995174.
    let bytes = codec.encode(&mut row).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "9951740000000042");
}
