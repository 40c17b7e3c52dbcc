//! Row keys of readings: of one reading, of stretches of time, and back.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::key::{Decoded, Key, KeyCodec, KeyEncodeError, KeyInput, Modulus, Part};
use tablesmith_model::plan::KeyRange;
use tablesmith_model::row::{prefix_end, successor};
use tablesmith_model::series::{SeriesLayout, Span, time};
use tablesmith_model::value::{KeyEncoding, Value, ValueType};
use tablesmith_model::workload::Table;

use super::SeriesError;
use super::window::Window;

/// What makes row keys of readings and reads them.
#[derive(Clone, Debug)]
pub(crate) struct RowKeys {
    codec: KeyCodec,
    /// The key's part of the time alone.
    time_codec: Option<KeyCodec>,
    entity: Vec<String>,
    time: String,
    pub time_type: ValueType,
    time_first: bool,
    buckets: Option<Modulus>,
}

/// What a row key says: whose readings are in the row, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowId {
    pub entity: Vec<Value>,
    /// The time of the row's first reading could be this; the least number where rows hold everything.
    pub start: i64,
}

/// An entity and a time as what a key is made of; either may be unknown.
struct Known<'k> {
    keys: &'k RowKeys,
    entity: Option<&'k [Value]>,
    time: Option<Value>,
}

impl KeyInput for Known<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        if field == self.keys.time {
            return self.time.as_ref();
        }
        let place = self.keys.entity.iter().position(|name| name == field)?;
        self.entity?.get(place)
    }
}

impl RowKeys {
    pub fn new(layout: &SeriesLayout, table: &Table) -> Result<Self, SeriesError> {
        let type_of = |name: &str| table.column(name).map(|column| column.value_type);
        let time_type = type_of(&layout.time).unwrap_or(ValueType::Timestamp);
        let key = layout.key(time_type);
        let of_time = |part: &&Part| part.fields().contains(&layout.time);
        let time_part: Vec<Part> = key.parts.iter().filter(of_time).cloned().collect();
        let time_codec = match time_part.is_empty() {
            true => None,
            false => Some(Key { parts: time_part, encoding: key.encoding }.codec(type_of)?),
        };
        Ok(Self {
            codec: key.codec(type_of)?,
            time_codec,
            entity: layout.entity.clone(),
            time: layout.time.clone(),
            time_type,
            time_first: layout.order.is_time_first(),
            buckets: layout.order.buckets().and_then(Modulus::new),
        })
    }

    pub fn is_time_first(&self) -> bool {
        self.time_first
    }

    /// The row of a reading.
    pub fn key(&self, entity: &[Value], at: i64) -> Result<Bytes, SeriesError> {
        let time = Some(self.time_value(at)?);
        Ok(self.codec.encode(&mut Known { keys: self, entity: Some(entity), time })?.into())
    }

    /// What a row's key says.
    pub fn read(&self, key: &[u8], span: Span) -> Result<RowId, SeriesError> {
        let foreign = |reason: String| SeriesError::Foreign { row: to_text(key), reason };
        let parts = self.codec.decode(key).map_err(|error| foreign(error.to_string()))?;
        let mut id = RowId { entity: vec![Value::Null; self.entity.len()], start: i64::MIN };
        for part in parts {
            match part {
                Decoded::Field { name, value } if name != self.time => {
                    let place = self.entity.iter().position(|known| *known == name);
                    if let Some(slot) = place.and_then(|place| id.entity.get_mut(place)) {
                        *slot = value;
                    }
                }
                Decoded::Field { value, .. } | Decoded::Bucket { start: value, .. }
                    if span != Span::Unbounded =>
                {
                    let number = time::number_of(&value);
                    id.start = number.map_err(|_| foreign(format!("{value} is no time of a reading")))?;
                }
                _ => {}
            }
        }
        Ok(id)
    }

    /// The rows of an entity in a stretch of time, when they follow each other.
    pub fn of_entity(&self, entity: &[Value], window: Window) -> Result<KeyRange, SeriesError> {
        let (first, last) = (self.key(entity, window.first)?, self.key(entity, window.last)?);
        Ok(KeyRange { start: first.to_vec(), end: Some(successor(&last)) })
    }

    /// All rows of an entity, when they follow each other.
    pub fn of_whole_entity(&self, entity: &[Value]) -> Result<KeyRange, SeriesError> {
        let mut known = Known { keys: self, entity: Some(entity), time: None };
        Ok(KeyRange::prefix(self.codec.encode_prefix(&mut known)?.bytes))
    }

    /// The rows of everybody in a stretch of time, a range for each prefix. Where the entity comes first that is all rows.
    pub fn of_everybody(&self, window: Window) -> Result<Vec<KeyRange>, SeriesError> {
        let prefixes: Vec<Vec<u8>> = match self.buckets {
            None => vec![Vec::new()],
            Some(buckets) => (0..buckets.get()).map(|number| bucket_bytes(buckets, number)).collect(),
        };
        prefixes.into_iter().map(|prefix| self.in_prefix(prefix, window)).collect()
    }

    /// The rows that a stretch of time has among those with the prefix of an entity, when time comes before the entity.
    pub fn beside_entity(&self, entity: &[Value], window: Window) -> Result<KeyRange, SeriesError> {
        let prefix = match self.buckets {
            None => Vec::new(),
            Some(buckets) => {
                let key = self.key(entity, window.first)?;
                key.get(..buckets.width(KeyEncoding::Binary)).unwrap_or_default().to_vec()
            }
        };
        self.in_prefix(prefix, window)
    }

    fn in_prefix(&self, prefix: Vec<u8>, window: Window) -> Result<KeyRange, SeriesError> {
        if !self.time_first {
            return Ok(KeyRange::prefix(prefix));
        }
        let first = [prefix.clone(), self.time_bytes(window.first)?].concat();
        let last = [prefix, self.time_bytes(window.last)?].concat();
        Ok(KeyRange { start: first, end: prefix_end(&last) })
    }

    /// The pattern of an entity's rows at any time, for keys that have the time before the entity, and which of its bytes
    /// must be so (0) or may be anything (1). `None` when a time of the window is not as long as all others.
    pub fn pattern(&self, entity: &[Value], window: Window) -> Result<Option<(Bytes, Bytes)>, SeriesError> {
        let time = self.time_bytes(window.first)?;
        // Only the least number there is takes more bytes than others, and the stretch would begin with it.
        if time.len() != self.time_bytes(window.last)?.len() {
            return Ok(None);
        }
        let key = self.key(entity, window.first)?;
        let from = self.buckets.map_or(0, |buckets| buckets.width(KeyEncoding::Binary));
        let is_time = |index: usize| index >= from && index < from + time.len();
        let mask: Vec<u8> = (0..key.len()).map(|index| u8::from(is_time(index))).collect();
        Ok(Some((key, mask.into())))
    }

    /// The bytes that a key has for a time; none where rows hold everything.
    pub fn time_bytes(&self, at: i64) -> Result<Vec<u8>, SeriesError> {
        let Some(codec) = &self.time_codec else { return Ok(Vec::new()) };
        let time = Some(self.time_value(at)?);
        Ok(codec.encode(&mut Known { keys: self, entity: None, time })?)
    }

    fn time_value(&self, at: i64) -> Result<Value, SeriesError> {
        let no_time = || SeriesError::NoTime { at, column: self.time.clone() };
        time::value_of(self.time_type, at).ok_or_else(no_time)
    }
}

fn bucket_bytes(buckets: Modulus, number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    buckets.encode(KeyEncoding::Binary, number, &mut bytes);
    bytes
}

/// Whether a key cannot be made because no row can have it: nobody has readings there.
pub(crate) fn is_of_no_row(error: &SeriesError) -> bool {
    matches!(error, SeriesError::RowKey(KeyEncodeError::TooLong { .. }))
}
