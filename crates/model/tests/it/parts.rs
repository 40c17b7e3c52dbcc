//! Random key parts.

use fastrand::Rng;
use tablesmith_model::key::{BucketWidth, Modulus, Part};
use tablesmith_model::value::ValueType;

use crate::random;

/// A part over a field of this type; any part that takes the type.
pub fn part(random: &mut Rng, field: &str, value_type: ValueType) -> Part {
    let field = field.to_owned();
    match random.usize(..12) {
        0 => Part::Field(field),
        1 => Part::Desc(field),
        2 => Part::Reverse(field),
        3 if matches!(value_type, ValueType::Int | ValueType::String | ValueType::Bytes) => {
            Part::Pad { field, width: 1 + random.usize(..30) }
        }
        4 => Part::Md5 { field, bytes: random.bool().then(|| 1 + random.usize(..16)) },
        5 => Part::Md5Mod { fields: vec![field; 1 + random.usize(..3)], modulus: modulus(random) },
        6 if matches!(value_type, ValueType::Int) => Part::Mod { field, modulus: modulus(random) },
        7 => Part::Random(modulus(random)),
        8 => Part::Md5LineMod(modulus(random)),
        9 if matches!(value_type, ValueType::Int | ValueType::Timestamp | ValueType::Date) => {
            let width = match value_type {
                ValueType::Int => (1 + random.usize(..1_000)).to_string(),
                ValueType::Date => format!("{}d", 1 + random.usize(..9)),
                _ => format!(
                    "{}{}",
                    1 + random.usize(..90),
                    random.choice(&["ms", "s", "m", "h", "d", "w"]).unwrap()
                ),
            };
            Part::Bucket { field, width: BucketWidth::parse(&width).unwrap() }
        }
        10 => Part::Const([&b"c"[..], &random::bytes(random, 4)].concat()),
        11 => Part::RowNumber,
        _ => Part::Field(field),
    }
}

fn modulus(random: &mut Rng) -> Modulus {
    let any = [1, 2, 10, 64, 256, 257, 1_000_000, u64::MAX];
    Modulus::new(*random.choice(&any).unwrap()).unwrap()
}
