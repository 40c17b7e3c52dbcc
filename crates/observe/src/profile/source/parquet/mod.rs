//! Parquet, row by row. The file says the types of its columns; a nested value becomes its text.
//!
//! What a file unpacks to is limited ([`ParquetLimit`]): [`pages`] reads the header of each page before the page and keeps
//! all open pages within one budget, the parquet crate makes rows of them.

mod decompress;
mod delta;
mod limits;
mod page_header;
mod pages;
mod quiet;
mod row_group;
mod row_values;
mod schema_check;
mod thrift;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::record::reader::{ReaderIter, TreeBuilder};
use parquet::record::{Field as Cell, Row};
use parquet::schema::types::Type;
use tablesmith_model::value::{Date, Moment, ValueType};

use super::super::ProfileError;
use super::batch::Field;
use super::{BadLines, Batch, Kind, Source};
use limits::Budget;
pub use limits::ParquetLimit;
use row_group::{RowGroup, batch_rows};

use crate::size_text::size_text;

/// A longer row is left out, as in other formats.
const ROW_BYTES: usize = 1 << 24;

/// A Parquet file.
pub struct Parquet {
    path: PathBuf,
    file: Arc<File>,
    metadata: ParquetMetaData,
    budget: Arc<Budget>,
    /// The rows of the row group that is being read, and which one is next.
    rows: Option<ReaderIter>,
    next_group: usize,
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
        schema_check::check(&file).map_err(|error| {
            let message = format!("its footer cannot be read: {error}");
            ProfileError::Parquet { path: path.to_owned(), message }
        })?;
        let metadata = quiet::catch(|| ParquetMetaDataReader::new().parse_and_finish(&file));
        let metadata = metadata.ok_or_else(|| damaged(path))?.map_err(|error| refused(path, error))?;
        let fields = metadata.file_metadata().schema().get_fields();
        let names = fields.iter().map(|field| field.name().to_owned()).collect();
        let types = fields.iter().map(|field| declared(field)).collect();
        let rows_total = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or_default();
        Ok(Self {
            path: path.to_owned(),
            file: Arc::new(file),
            metadata,
            budget: Budget::of_file(bytes_total),
            rows: None,
            next_group: 0,
            names,
            types,
            read: 0,
            rows_total,
            bytes_total,
            bad_lines: BadLines::default(),
        })
    }

    /// The next row. The reader panics on some damaged files and rare types: that is a file that cannot be read.
    fn next_row(&mut self) -> Result<Option<Row>, ProfileError> {
        match quiet::catch(|| self.row()) {
            Some(row) => row.map_err(|error| refused(&self.path, error)),
            None => Err(damaged(&self.path)),
        }
    }

    fn row(&mut self) -> Result<Option<Row>, ParquetError> {
        loop {
            if let Some(row) = self.rows.as_mut().and_then(Iterator::next) {
                return row.map(Some);
            }
            // The pages of one row group are closed before those of the next are opened.
            self.rows = None;
            let Some(metadata) = self.metadata.row_groups().get(self.next_group) else { return Ok(None) };
            self.next_group += 1;
            let batch_rows = batch_rows(metadata);
            let (file, budget) = (Arc::clone(&self.file), Arc::clone(&self.budget));
            let group = RowGroup { file, metadata, budget, batch_rows };
            let schema = self.metadata.file_metadata().schema_descr_ptr();
            self.rows = Some(TreeBuilder::new().with_batch_size(batch_rows).as_iter(schema, &group)?);
        }
    }

    /// Adds the fields of a row to a batch. A row that is too long is not added; its first bytes are given back.
    fn add(&self, row: &Row, batch: &mut Batch, fields: &mut Vec<Field>) -> Result<(), Vec<u8>> {
        let start = batch.bytes();
        fields.clear();
        for ((_, cell), declared) in row.get_column_iter().zip(&self.types) {
            fields.push(field(batch, cell, declared.is_nanos));
            if batch.bytes() - start > ROW_BYTES {
                return Err(batch.split_off(start));
            }
        }
        batch.push(fields.iter().copied());
        Ok(())
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
            let Some(row) = self.next_row()? else { break };
            self.read += 1;
            match self.add(&row, &mut batch, &mut fields) {
                Ok(()) => batch.begins_at(self.read),
                Err(text) => {
                    let message = format!("this row is longer than {}", size_text(ROW_BYTES as u64));
                    self.bad_lines.add(self.read, message, &text);
                }
            }
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

/// What the reader says of a file: that a limit is reached, or that it cannot be read.
fn refused(path: &Path, error: ParquetError) -> ProfileError {
    let path = path.to_owned();
    let error = match error {
        ParquetError::External(error) => match error.downcast::<ParquetLimit>() {
            Ok(limit) => return ProfileError::ParquetLimit { path, limit: *limit },
            Err(other) => ParquetError::External(other),
        },
        other => other,
    };
    ProfileError::Parquet { path, message: pages::message(error) }
}

fn damaged(path: &Path) -> ProfileError {
    let message = "it is damaged, or has a type that is not known here".to_owned();
    ProfileError::Parquet { path: path.to_owned(), message }
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
