//! As much of JSON Schema as our schemas use, to hold files against them.

use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item};

/// The file as JSON, which is what schemas describe.
pub(super) fn from_toml(text: &str) -> Value {
    of_item(text.parse::<DocumentMut>().unwrap().as_item())
}

fn of_item(item: &Item) -> Value {
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().map(|table| of_item(&Item::Table(table.clone()))).collect();
    }
    if let Some(table) = item.as_table_like() {
        return table.iter().map(|(key, item)| (key.to_owned(), of_item(item))).collect::<Map<_, _>>().into();
    }
    match item.as_value().unwrap() {
        toml_edit::Value::String(text) => json!(text.value()),
        toml_edit::Value::Integer(number) => json!(number.value()),
        toml_edit::Value::Float(number) => json!(number.value()),
        toml_edit::Value::Boolean(truth) => json!(truth.value()),
        toml_edit::Value::Datetime(time) => json!(time.value().to_string()),
        toml_edit::Value::Array(array) => {
            array.iter().map(|value| of_item(&Item::Value(value.clone()))).collect()
        }
        toml_edit::Value::InlineTable(_) => unreachable!("a table"),
    }
}

/// Where a value does not go with a schema, and why. A word of JSON Schema that is not known here is a fault too.
pub(super) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, value, "", &mut faults);
    faults
}

fn check(schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let mut fault = |is_right: bool, why: String| {
        if !is_right {
            faults.push(format!("{at}: {why}"));
        }
    };
    let number = value.as_f64();
    let length = value.as_str().map(|text| text.chars().count() as u64);
    let count = value.as_array().map(|array| array.len() as u64);
    for (word, says) in schema.as_object().unwrap() {
        match word.as_str() {
            "$schema"
            | "title"
            | "description"
            | "default"
            | "items"
            | "properties"
            | "additionalProperties" => {}
            "type" => fault(is_of_type(says, value), format!("{value} is not of type {says}")),
            "const" => fault(says == value, format!("{value} is not {says}")),
            "enum" => fault(says.as_array().unwrap().contains(value), format!("{value} is none of {says}")),
            "minimum" => fault(number >= says.as_f64(), format!("{value} is below {says}")),
            "maximum" => fault(number <= says.as_f64(), format!("{value} is above {says}")),
            "minLength" => fault(length >= says.as_u64(), format!("{value} is shorter than {says}")),
            "minItems" => fault(count >= says.as_u64(), format!("{value} has fewer than {says}")),
            "maxItems" => fault(count <= says.as_u64(), format!("{value} has more than {says}")),
            "minProperties" => fault(
                value.as_object().map(|object| object.len() as u64) >= says.as_u64(),
                format!("has fewer keys than {says}"),
            ),
            "uniqueItems" => {
                let items = value.as_array().unwrap();
                let twice = items.iter().enumerate().any(|(index, item)| items[..index].contains(item));
                fault(!twice, format!("{value} has an element twice"));
            }
            "pattern" => fault(
                matches(says.as_str().unwrap(), value.as_str().unwrap()),
                format!("{value} is not as {says}"),
            ),
            "required" => {
                for key in says.as_array().unwrap() {
                    fault(value.get(key.as_str().unwrap()).is_some(), format!("{key} is missing"));
                }
            }
            "oneOf" => {
                let fits = says.as_array().unwrap().iter().filter(|one| self::faults(one, value).is_empty());
                fault(fits.count() == 1, format!("not one of {says}"));
            }
            other => fault(false, format!("the word {other} is not known here")),
        }
    }
    for (index, element) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(items) = schema.get("items") {
            check(items, element, &format!("{at}/{index}"), faults);
        }
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{key}");
        let of_key = schema.get("properties").and_then(|properties| properties.get(key));
        match of_key.or_else(|| schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => faults.push(format!("{at}: unknown key")),
            Some(schema) if schema.is_object() => check(schema, value, &at, faults),
            _ => {}
        }
    }
}

fn is_of_type(types: &Value, value: &Value) -> bool {
    if let Some(types) = types.as_array() {
        return types.iter().any(|one| is_of_type(one, value));
    }
    match types.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("type {other}"),
    }
}

/// The two patterns that our schemas have.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        r"\." => text.contains('.'),
        r"^\s*[0-9]+\s*(ms|s|m|h|d|w)\s*$" => crate::duration_text::parse(text).is_some(),
        other => panic!("the pattern {other} is not known here"),
    }
}
