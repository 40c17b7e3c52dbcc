//! Parquet, row by row. The file says the types of its columns; a nested value becomes its text.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Cell;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use tablesmith_model::value::{Date, Moment, ValueType};

use super::super::ProfileError;
use super::batch::Field;
use super::{BadLines, Batch, Kind, Source};

/// A Parquet file.
pub struct Parquet {
    path: PathBuf,
    rows: RowIter<'static>,
    names: Vec<String>,
    types: Vec<Declared>,
    read: u64,
    rows_total: u64,
    bytes_total: u64,
    bad_lines: BadLines,
}

/// What the file says of a column.
#[derive(Clone, Copy)]
struct Declared {
    value_type: ValueType,
    /// Times in units that the record reader hands on as plain numbers.
    is_nanos: bool,
}

impl Parquet {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ProfileError> {
        let file = File::open(path).map_err(|error| ProfileError::Read { path: path.to_owned(), error })?;
        let bytes_total = file.metadata().map(|metadata| metadata.len()).unwrap_or_default();
        let reader = SerializedFileReader::new(file).map_err(|error| refused(path, &error))?;
        let metadata = reader.metadata().file_metadata();
        let fields = metadata.schema().get_fields();
        let names = fields.iter().map(|field| field.name().to_owned()).collect();
        let types = fields.iter().map(|field| declared(field)).collect();
        let rows_total = u64::try_from(metadata.num_rows()).unwrap_or_default();
        let rows = reader.into_iter();
        let bad_lines = BadLines::default();
        Ok(Self { path: path.to_owned(), rows, names, types, read: 0, rows_total, bytes_total, bad_lines })
    }
}

impl Parquet {
    /// Reads the fields of the next row; whether there was one. The reader panics on some damaged files and rare types:
    /// that is a file that cannot be read.
    fn next_row(&mut self, batch: &mut Batch, fields: &mut Vec<Field>) -> Result<bool, ProfileError> {
        fields.clear();
        let read = catch_unwind(AssertUnwindSafe(|| {
            let Some(row) = self.rows.next().transpose()? else { return Ok(false) };
            let cells = row.get_column_iter().zip(&self.types);
            fields.extend(cells.map(|((_, cell), declared)| field(batch, cell, declared.is_nanos)));
            Ok(true)
        }));
        match read {
            Ok(read) => read.map_err(|error| refused(&self.path, &error)),
            Err(_) => {
                let message = "it is damaged, or has a type that is not known here".to_owned();
                Err(ProfileError::Parquet { path: self.path.clone(), message })
            }
        }
    }
}

impl Source for Parquet {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn declared(&self, column: usize) -> Option<ValueType> {
        self.types.get(column).map(|declared| declared.value_type)
    }

    fn next(&mut self) -> Result<Option<Batch>, ProfileError> {
        let mut batch = Batch::of_rows(self.names.len());
        let mut fields = Vec::new();
        while !batch.is_full() {
            if !self.next_row(&mut batch, &mut fields)? {
                break;
            }
            batch.push(fields.iter().copied());
            self.read += 1;
            batch.begins_at(self.read);
        }
        batch.close();
        Ok((batch.rows() > 0).then_some(batch))
    }

    /// The reader does not say where it is: bytes are counted as if all rows had the same size.
    fn position(&self) -> (u64, u64) {
        let share = u128::from(self.bytes_total) * u128::from(self.read) / u128::from(self.rows_total.max(1));
        (u64::try_from(share).unwrap_or(self.bytes_total).min(self.bytes_total), self.bytes_total)
    }

    fn bad_lines(&self) -> &BadLines {
        &self.bad_lines
    }
}

fn refused(path: &Path, error: &ParquetError) -> ProfileError {
    ProfileError::Parquet { path: path.to_owned(), message: error.to_string() }
}

/// The type of a column: first what it means, then how it is stored.
fn declared(field: &Type) -> Declared {
    let info = field.get_basic_info();
    let is_nanos = matches!(
        info.logical_type_ref(),
        Some(LogicalType::Timestamp(timestamp)) if timestamp.unit == TimeUnit::NANOS
    );
    let value_type = match (info.logical_type_ref(), info.converted_type()) {
        _ if !field.is_primitive() => ValueType::String,
        (Some(LogicalType::Timestamp(_)), _)
        | (_, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS) => ValueType::Timestamp,
        (_, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => ValueType::String,
        (Some(LogicalType::Time(_)), _) | (_, ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS) => {
            ValueType::String
        }
        (_, ConvertedType::DECIMAL) => ValueType::Decimal,
        (_, ConvertedType::DATE) => ValueType::Date,
        // Half of them do not fit 64 bits with a sign.
        (_, ConvertedType::UINT_64) => ValueType::Decimal,
        (Some(LogicalType::Float16), _) => ValueType::Float,
        _ => stored(field.get_physical_type()),
    };
    Declared { value_type, is_nanos }
}

fn stored(physical: PhysicalType) -> ValueType {
    match physical {
        PhysicalType::BOOLEAN => ValueType::Bool,
        PhysicalType::INT32 | PhysicalType::INT64 => ValueType::Int,
        PhysicalType::INT96 => ValueType::Timestamp,
        PhysicalType::FLOAT | PhysicalType::DOUBLE => ValueType::Float,
        PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY => ValueType::Bytes,
    }
}

/// A value as the text that other formats would have for it; a time outside the calendar is its number.
fn field(batch: &mut Batch, cell: &Cell, is_nanos: bool) -> Field {
    let text = match cell {
        Cell::Null => return Field::NULL,
        Cell::Str(text) => return batch.field(Kind::Plain, text.as_bytes()),
        Cell::Bytes(bytes) => return batch.field(Kind::Plain, bytes.data()),
        Cell::Float(number) => number.to_string(),
        Cell::Double(number) => number.to_string(),
        Cell::Date(days) => Date::from_days(*days).map_or_else(|| days.to_string(), |date| date.to_string()),
        Cell::TimestampMillis(millis) => time(Moment::from_millis(*millis), *millis),
        Cell::TimestampMicros(micros) => time(Moment::from_micros(*micros), *micros),
        Cell::Long(nanos) if is_nanos => time(Moment::from_micros(nanos.div_euclid(1_000)), *nanos),
        other => other.to_string(),
    };
    batch.field(Kind::Plain, text.as_bytes())
}

fn time(moment: Option<Moment>, number: i64) -> String {
    moment.map_or_else(|| number.to_string(), |moment| moment.to_string())
}
