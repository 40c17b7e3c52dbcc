//! JSON Schemas of the files that people edit, for editors that complete and check.
//!
//! They are derived from the types that the readers fill: a key's name, type and description stand beside the field. What a
//! file writes otherwise than a value keeps it (a map by name for a list, a text for a length of time) says so there.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// The schema of a file whose values are of type `T`.
pub(crate) fn of_file<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.with_transform(AsInToml).into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// What TOML has no word for, or no need: a null (what may be absent is absent), the width of a number, lines in a
/// description.
#[derive(Clone, Debug)]
struct AsInToml;

impl Transform for AsInToml {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(words) = schema.as_object_mut() else { return };
        words.shift_remove("format");
        if let Some(Value::String(description)) = words.get_mut("description") {
            *description = description.replace('\n', " ");
        }
        if let Some(Value::Array(types)) = words.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                words.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(names)) = words.get_mut("enum") {
            names.retain(|name| !name.is_null());
        }
        // All keys of a section are listed beside each other.
        if let Some(open) = words.shift_remove("unevaluatedProperties") {
            words.insert("additionalProperties".to_owned(), open);
        }
    }
}

/// A single value of a column, however it is written.
pub(crate) struct Scalar;

impl JsonSchema for Scalar {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

/// The schema of an enumeration whose values have names in files: one of `ALL` by its `name`.
macro_rules! names_in_files {
    ($($named:ty),+) => {$(
        impl schemars::JsonSchema for $named {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($named).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "enum": Self::ALL.map(Self::name) })
            }
        }
    )+};
}
pub(crate) use names_in_files;

#[cfg(test)]
mod tests;
