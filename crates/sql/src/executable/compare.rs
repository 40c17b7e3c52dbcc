//! How values compare and sort in queries: as in SQLite, numbers of all types by their size, texts by their bytes.

use std::cmp::Ordering;

use tablesmith_model::value::{Decimal, Value, ValueType};

/// How two values compare; unknown when one is null. Values of types that cannot be compared are never equal.
pub fn compare(one: &Value, two: &Value) -> Option<Ordering> {
    if one.is_null() || two.is_null() {
        return None;
    }
    Some(in_order(one, two))
}

/// How two values sort, nulls first.
pub fn in_order(one: &Value, two: &Value) -> Ordering {
    match (one, two) {
        (Value::Int(one), Value::Float(two)) => int_float(*one, *two),
        (Value::Float(one), Value::Int(two)) => int_float(*two, *one).reverse(),
        (Value::Int(one), Value::Decimal(two)) => Decimal::from(*one).cmp(two),
        (Value::Decimal(one), Value::Int(two)) => one.cmp(&Decimal::from(*two)),
        (Value::Decimal(one), Value::Float(two)) => decimal_float(one, *two),
        (Value::Float(one), Value::Decimal(two)) => decimal_float(two, *one).reverse(),
        _ => one.cmp(two),
    }
}

/// The same value in another type, when that holds it exactly.
pub fn convert(value: &Value, to: ValueType) -> Option<Value> {
    if value.fits(to) {
        return Some(value.clone());
    }
    let converted = match (value, to) {
        (Value::Int(number), ValueType::Float) => Value::Float(*number as f64),
        (Value::Int(number), ValueType::Decimal) => Value::Decimal(Decimal::from(*number)),
        (Value::Float(number), ValueType::Int) => whole(*number)?,
        (Value::Float(number), ValueType::Decimal) => Value::Decimal(exact(*number)?),
        (Value::Decimal(number), ValueType::Int) => Value::Int(number.to_string().parse().ok()?),
        (Value::Decimal(number), ValueType::Float) => Value::Float(number.to_string().parse().ok()?),
        _ => return None,
    };
    (in_order(&converted, value) == Ordering::Equal).then_some(converted)
}

fn whole(number: f64) -> Option<Value> {
    /// The least power of two that no `i64` reaches.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    (number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number)).then_some(Value::Int(number as i64))
}

/// The decimal of exactly a double's value.
fn exact(number: f64) -> Option<Decimal> {
    /// A double has no more digits than this behind its point.
    const DIGITS: usize = 1_074;
    number.is_finite().then(|| Decimal::parse(&format!("{number:.DIGITS$}"))).flatten()
}

fn int_float(int: i64, float: f64) -> Ordering {
    /// Whole numbers up to here are doubles, too.
    const EXACT: u64 = 1 << 53;
    if int.unsigned_abs() <= EXACT && !float.is_nan() {
        return (int as f64).partial_cmp(&float).unwrap_or(Ordering::Less);
    }
    match exact(float) {
        Some(exact) => Decimal::from(int).cmp(&exact),
        None => beside(float),
    }
}

fn decimal_float(decimal: &Decimal, float: f64) -> Ordering {
    match exact(float) {
        Some(exact) => decimal.cmp(&exact),
        None => beside(float),
    }
}

/// How any number compares with one that is not finite; NaN sorts after all.
fn beside(float: f64) -> Ordering {
    if float == f64::NEG_INFINITY { Ordering::Greater } else { Ordering::Less }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Value {
        Value::Decimal(Decimal::parse(text).unwrap())
    }

    #[test]
    fn numbers_of_all_types_compare_by_size() {
        let rising = [
            Value::Float(f64::NEG_INFINITY),
            Value::Int(i64::MIN),
            decimal("-1.5"),
            Value::Float(-0.5),
            Value::Int(0),
            Value::Float(0.25),
            decimal("0.3"),
            Value::Int(9_007_199_254_740_993),
            Value::Float(9_007_199_254_740_994.0),
            decimal("9007199254740994.5"),
            Value::Float(f64::INFINITY),
        ];
        for (at, one) in rising.iter().enumerate() {
            for (other, two) in rising.iter().enumerate() {
                assert_eq!(compare(one, two), Some(at.cmp(&other)), "{one} and {two}");
            }
        }
        assert_eq!(compare(&Value::Int(2), &Value::Float(2.0)), Some(Ordering::Equal));
        assert_eq!(compare(&Value::Null, &Value::Null), None);
        assert_eq!(in_order(&Value::Null, &Value::Float(f64::NEG_INFINITY)), Ordering::Less);
    }

    #[test]
    fn a_value_changes_its_type_only_when_nothing_is_lost() {
        assert_eq!(convert(&Value::Float(3.0), ValueType::Int), Some(Value::Int(3)));
        assert_eq!(convert(&Value::Float(3.5), ValueType::Int), None);
        assert_eq!(convert(&Value::Float(1e300), ValueType::Int), None);
        assert_eq!(convert(&Value::Int(9_007_199_254_740_993), ValueType::Float), None);
        assert_eq!(convert(&Value::Float(0.5), ValueType::Decimal), Some(decimal("0.5")));
        assert_eq!(convert(&decimal("0.1"), ValueType::Float), None, "a double only comes near it");
        assert_eq!(convert(&decimal("10"), ValueType::Int), Some(Value::Int(10)));
        assert_eq!(convert(&Value::String("1".into()), ValueType::Int), None);
        assert_eq!(convert(&Value::Null, ValueType::Date), Some(Value::Null));
    }
}
