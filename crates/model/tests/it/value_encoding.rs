//! Encodings keep the order of values, decode back, and never begin one another.

use tablesmith_model::value::{CellEncoding, KeyEncoding, Value, ValueType};

use crate::random::{self, seeded};
use crate::values::{neighbour, some_value, value};

const PAIRS: usize = 15_000;

fn encoded(encoding: KeyEncoding, value_type: ValueType, value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    encoding.encode(value_type, value, &mut bytes).unwrap();
    bytes
}

#[test]
fn bytes_sort_as_values_do_and_none_begins_another() {
    let mut random = seeded("order");
    for value_type in ValueType::ALL {
        for encoding in KeyEncoding::ALL {
            for _ in 0..PAIRS {
                let one = value(&mut random, value_type);
                let two = if random.bool() {
                    value(&mut random, value_type)
                } else {
                    neighbour(&mut random, value_type, &one)
                };
                let (a, b) = (encoded(encoding, value_type, &one), encoded(encoding, value_type, &two));
                assert_eq!(
                    a.cmp(&b),
                    one.cmp(&two),
                    "{value_type} {encoding}: {one:?} {a:x?}, {two:?} {b:x?}"
                );
                assert!(one == two || !b.starts_with(&a), "{value_type} {encoding}: {one:?} begins {two:?}");
            }
        }
    }
}

#[test]
fn values_come_back_and_leave_what_follows() {
    let mut random = seeded("round trip");
    for value_type in ValueType::ALL {
        for encoding in KeyEncoding::ALL {
            for _ in 0..PAIRS {
                let value = value(&mut random, value_type);
                let mut bytes = encoded(encoding, value_type, &value);
                let tail = random::bytes(&mut random, 4);
                bytes.extend(&tail);
                let (decoded, rest) = encoding.decode(value_type, &bytes).unwrap();
                assert_eq!((&decoded, rest), (&value, &tail[..]), "{value_type} {encoding} {bytes:x?}");
            }
        }
    }
}

#[test]
fn widths_are_as_said() {
    let mut random = seeded("widths");
    for value_type in ValueType::ALL {
        for encoding in KeyEncoding::ALL {
            let Some(width) = encoding.fixed_width(value_type) else { continue };
            for _ in 0..1_000 {
                let value = some_value(&mut random, value_type);
                let extra = usize::from(encoding == KeyEncoding::Binary && value == Value::Int(i64::MIN));
                assert_eq!(encoded(encoding, value_type, &value).len(), width + extra, "{encoding} {value}");
            }
        }
    }
}

#[test]
fn cells_come_back() {
    let mut random = seeded("cells");
    for value_type in ValueType::ALL {
        for encoding in CellEncoding::ALL {
            for _ in 0..2_000 {
                let value = value(&mut random, value_type);
                match encoding.encode(&value) {
                    Ok(Some(bytes)) => {
                        assert_eq!(encoding.decode(value_type, &bytes).unwrap(), value, "{encoding}")
                    }
                    Ok(None) => assert_eq!(value, Value::Null),
                    Err(error) => {
                        let too_wide = encoding == CellEncoding::I32 && value_type == ValueType::Int;
                        assert!(!encoding.takes(value_type) || too_wide, "{error}");
                    }
                }
            }
        }
    }
}
