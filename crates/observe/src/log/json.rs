//! JSON lines: `{"time": …, "sql": …}`, or `{"table": …, "reads": […], "access": …, "rows": …}`.

use std::fmt;
use std::io::{self, Read};

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use tablesmith_model::workload::{Access, Touched};

use super::input::{FirstLine, Input};
use super::sink::{About, Sink, all_statements, pass_too_long};
use super::time;

/// What a line may say; everything else in it is passed over.
#[derive(Debug, Default)]
struct Line {
    statement: Option<String>,
    time_ms: Option<i64>,
    calls: Option<f64>,
    rows: Option<f64>,
    mean_ms: Option<f64>,
    table: Option<String>,
    reads: Vec<String>,
    writes: Vec<String>,
    access: Option<String>,
}

/// A value of any kind, as far as it matters.
enum Value {
    Text(String),
    Number(f64),
    List(Vec<String>),
    Other,
}

/// Reads the log.
pub(super) fn read<R: Read>(input: &mut Input<'_, R>, sink: &mut impl Sink) -> io::Result<()> {
    loop {
        match input.first_line()? {
            FirstLine::Whole { length, full } => {
                line(input.window().get(..length).unwrap_or_default(), input.line(), sink);
                input.consume(full);
            }
            FirstLine::TooLong => pass_too_long(input, sink, |input| input.skip_line())?,
            FirstLine::Over => return Ok(()),
        }
    }
}

fn line(text: &[u8], line: u64, sink: &mut impl Sink) {
    // One object a line, also where the lines are the elements of an array.
    let object = text.trim_ascii();
    let object = object.strip_prefix(b"[").unwrap_or(object);
    let object = object.strip_suffix(b"]").unwrap_or(object);
    let object = object.strip_suffix(b",").unwrap_or(object).trim_ascii();
    if object.is_empty() {
        return;
    }
    let parsed: Line = match serde_json::from_slice(object) {
        Ok(parsed) => parsed,
        Err(_) => match serde_json::from_str(&String::from_utf8_lossy(object)) {
            Ok(parsed) => parsed,
            Err(error) => return sink.not_understood(line, text, &format!("it is not JSON: {error}")),
        },
    };
    let about = About {
        line,
        time_ms: parsed.time_ms,
        calls: parsed.calls.map_or(1, |calls| calls.round().max(1.0) as u64),
        rows: parsed.rows,
        mean_ms: parsed.mean_ms,
    };
    match (parsed.statement, parsed.table) {
        (Some(statement), _) => all_statements(sink, statement.as_bytes(), None, &about),
        (None, Some(table)) if !(parsed.reads.is_empty() && parsed.writes.is_empty()) => {
            let access = parsed.access.and_then(|name| Access::from_name(&name.to_lowercase()));
            sink.touched(Touched { table, reads: parsed.reads, writes: parsed.writes, access }, &about);
        }
        _ => sink.not_understood(
            line,
            text,
            "it has neither a statement (sql, query or statement) nor a table with reads or writes",
        ),
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Line;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line, A::Error> {
                let mut line = Line::default();
                while let Some(key) = map.next_key::<String>()? {
                    line.set(&key.to_lowercase(), map.next_value()?);
                }
                Ok(line)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Line {
    fn set(&mut self, key: &str, value: Value) {
        match (key, value) {
            ("sql" | "query" | "statement", Value::Text(text)) => self.statement = Some(text),
            ("time" | "timestamp" | "ts" | "@timestamp" | "datetime", Value::Text(text)) => {
                self.time_ms = time::whole(text.as_bytes());
            }
            ("time" | "timestamp" | "ts" | "@timestamp" | "datetime", Value::Number(number)) => {
                self.time_ms = time::number(number);
            }
            ("count" | "calls" | "rate", Value::Number(number)) => self.calls = Some(number),
            ("rows", Value::Number(number)) => self.rows = Some(number),
            ("mean_ms" | "duration_ms" | "ms", Value::Number(number)) => self.mean_ms = Some(number),
            ("table", Value::Text(text)) => self.table = Some(text),
            ("access", Value::Text(text)) => self.access = Some(text),
            ("reads", Value::List(columns)) => self.reads = columns,
            ("writes", Value::List(columns)) => self.writes = columns,
            _ => {}
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("any value")
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Value, E> {
                Ok(Value::Text(text))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                Ok(Value::Number(number as f64))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                Ok(Value::Number(number as f64))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
                Ok(Value::Other)
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut texts = Vec::new();
                while let Some(value) = list.next_element::<Value>()? {
                    if let Value::Text(text) = value {
                        texts.push(text);
                    }
                }
                Ok(Value::List(texts))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}
