//! Random values of every type, with their edges.

use fastrand::Rng;
use tablesmith_model::value::{Date, Decimal, Moment, Value, ValueType};

use crate::random;

/// A value of a type, sometimes null.
pub fn value(random: &mut Rng, value_type: ValueType) -> Value {
    if random.usize(..12) == 0 { Value::Null } else { some_value(random, value_type) }
}

/// A value of a type that is not null.
pub fn some_value(random: &mut Rng, value_type: ValueType) -> Value {
    match value_type {
        ValueType::String => Value::String(random::text(random, 5)),
        ValueType::Bytes => Value::Bytes(random::bytes(random, 5)),
        ValueType::Int => Value::Int(integer(random)),
        ValueType::Float => Value::Float(float(random)),
        ValueType::Decimal => Value::Decimal(decimal(random)),
        ValueType::Bool => Value::Bool(random.bool()),
        ValueType::Date => {
            let edges = [Date::MIN.days(), Date::MIN.days() + 1, -1, 0, 1, Date::MAX.days()];
            let days = if random.usize(..4) == 0 {
                *random.choice(&edges).unwrap()
            } else {
                random.usize(..3_000_000) as i32 - 700_000
            };
            Value::Date(Date::from_days(days).unwrap_or(Date::MAX))
        }
        ValueType::Timestamp => {
            let edges = [Moment::MIN.micros(), -1_000_000, -1, 0, 1, 999_999, Moment::MAX.micros()];
            let anywhere = random.u64(..) as i64 % Moment::MAX.micros();
            let micros = if random.usize(..4) == 0 { *random.choice(&edges).unwrap() } else { anywhere };
            Value::Timestamp(Moment::from_micros(micros).unwrap_or(Moment::MIN))
        }
    }
}

fn integer(random: &mut Rng) -> i64 {
    let edges = [i64::MIN, i64::MIN + 1, -256, -1, 0, 1, 255, 256, i64::MAX - 1, i64::MAX];
    match random.usize(..3) {
        0 => *random.choice(&edges).unwrap(),
        1 => random.usize(..200) as i64 - 100,
        _ => random.u64(..) as i64,
    }
}

fn float(random: &mut Rng) -> f64 {
    let edges = [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.0,
        -f64::MIN_POSITIVE,
        -5e-324,
        -0.0,
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        0.1,
        0.30000000000000004,
        0.3,
        1.0,
        1.0 + f64::EPSILON,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    match random.usize(..3) {
        0 => *random.choice(&edges).unwrap(),
        1 => (random.usize(..2_000) as f64 - 1_000.0) / 8.0,
        _ => f64::from_bits(random.u64(..)),
    }
}

fn decimal(random: &mut Rng) -> Decimal {
    let digits: String =
        random::many(random, 8, |random| char::from(b'0' + random.usize(..10) as u8)).into_iter().collect();
    let sign = *random.choice(&["", "-"]).unwrap();
    let exponent = match random.usize(..4) {
        0 => *random.choice(&[-400_000_i64, 400_000, -1, 0, 1]).unwrap(),
        _ => random.usize(..9) as i64 - 4,
    };
    Decimal::parse(&format!("{sign}0{digits}e{exponent}")).unwrap()
}

/// Another value near a given one, so that neighbours are compared often.
pub fn neighbour(random: &mut Rng, value_type: ValueType, near: &Value) -> Value {
    let wobble = random.usize(..3) as i64 - 1;
    match near {
        Value::String(text) => Value::String(format!("{text}{}", random::text(random, 2))),
        Value::Bytes(bytes) => Value::Bytes([bytes.clone(), random::bytes(random, 2)].concat()),
        Value::Int(number) => Value::Int(number.saturating_add(wobble)),
        Value::Float(number) => Value::Float(f64::from_bits(number.to_bits().saturating_add_signed(wobble))),
        Value::Decimal(number) => {
            let longer = format!("{number}{}", random.usize(..10));
            Value::Decimal(Decimal::parse(&longer).unwrap_or_else(|| number.clone()))
        }
        Value::Date(date) => Value::Date(Date::from_days(date.days() + wobble as i32).unwrap_or(*date)),
        Value::Timestamp(moment) => {
            Value::Timestamp(Moment::from_micros(moment.micros() + wobble).unwrap_or(*moment))
        }
        _ => value(random, value_type),
    }
}
