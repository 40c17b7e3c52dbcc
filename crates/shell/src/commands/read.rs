//! What the reading commands have in common: columns, times, filters, and how text shows what is found.

use bytes::Bytes;
use tablesmith_model::TimeRange;
use tablesmith_model::cell::LATEST_TIMESTAMP;
use tablesmith_store::filter::language;
use tablesmith_store::{Columns, Filter, ReadOptions, RowBound, Scan};

use crate::arguments::{Column, Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{CellView, Converter};

/// The options of `scan`, which `count` knows as well.
pub const SCAN_OPTIONS: &[&str] = &[
    "ALLOW_PARTIAL_RESULTS",
    "ALL_METRICS",
    "ATTRIBUTES",
    "AUTHORIZATIONS",
    "BATCH",
    "CACHE",
    "CACHE_BLOCKS",
    "COLUMN",
    "COLUMNS",
    "CONSISTENCY",
    "FILTER",
    "FORMATTER",
    "FORMATTER_CLASS",
    "INCLUDE_STARTROW",
    "INCLUDE_STOPROW",
    "ISOLATION_LEVEL",
    "LIMIT",
    "MAXLENGTH",
    "MAX_RESULTS_PER_COLUMN_FAMILY",
    "MAX_RESULT_SIZE",
    "METRICS",
    "RAW",
    "READ_TYPE",
    "REGION_REPLICA_ID",
    "REVERSED",
    "ROWPREFIXFILTER",
    "ROW_OFFSET_PER_COLUMN_FAMILY",
    "STARTROW",
    "STOPROW",
    "TIMERANGE",
    "TIMESTAMP",
    "VERSIONS",
];

/// Takes the columns out of the options; `nil` and nothing mean all.
pub fn take_columns(options: &mut Options, view: &mut CellView) -> Result<Columns, ShellError> {
    let (columns, column) = (options.take("COLUMNS"), options.take("COLUMN"));
    match columns.or(column) {
        None => Ok(Columns::all()),
        Some(Value::Array(columns)) => read_columns(columns, view),
        Some(column @ Value::Text(_)) => read_columns(vec![column], view),
        Some(other) => {
            let message = format!("COLUMNS must be a text or an array of texts, not {}", other.inspect());
            Err(ShellError::Argument(message))
        }
    }
}

/// Reads columns as they are written; their converters go into the view.
pub fn read_columns(written: Vec<Value>, view: &mut CellView) -> Result<Columns, ShellError> {
    let mut columns = Columns::all();
    for value in written {
        let (column, converter) = Column::with_converter(&convert::bytes(&value, "a column")?)?;
        match column.qualifier {
            Some(qualifier) => {
                if let Some(converter) = converter {
                    view.columns.insert((column.family.clone(), qualifier.clone()), converter);
                }
                columns.add_column(column.family, qualifier);
            }
            None => columns.add_family(column.family),
        }
    }
    Ok(columns)
}

/// Takes out how cells are shown.
pub fn take_view(options: &mut Options) -> Result<CellView, ShellError> {
    let (method, class) = (options.text("FORMATTER")?, options.text("FORMATTER_CLASS")?);
    let converter = Converter::from_options(method.as_deref(), class.as_deref())?;
    let max_length = options.long("MAXLENGTH")?.and_then(|length| usize::try_from(length).ok());
    Ok(CellView { converter, max_length, ..CellView::default() })
}

/// Takes a time range or a single timestamp out; of both the range counts.
pub fn take_time_range(options: &mut Options) -> Result<TimeRange, ShellError> {
    let timestamp = options.long("TIMESTAMP")?;
    let at = match timestamp {
        None => TimeRange::ALL,
        Some(LATEST_TIMESTAMP) => {
            return Err(ShellError::illegal("TIMESTAMP is not one that a cell can have"));
        }
        Some(timestamp) => TimeRange::at(timestamp)?,
    };
    let Some(range) = options.take("TIMERANGE") else { return Ok(at) };
    match range {
        Value::Array(bounds) if bounds.len() == 2 => {
            let mut bounds = bounds.iter().map(|bound| convert::long(bound, "TIMERANGE"));
            let mut next = || bounds.next().unwrap_or(Ok(0));
            Ok(TimeRange::new(next()?, next()?)?)
        }
        other => Err(ShellError::illegal(format!(
            "TIMERANGE wants [from, until] in milliseconds, not {}",
            other.inspect()
        ))),
    }
}

/// Takes the filter out: the text of HBase's filter language, or a filter's class with its arguments.
pub fn take_filter(options: &mut Options) -> Result<Option<Filter>, ShellError> {
    // A class says what the language cannot, so there our additions to the language are welcome.
    let filter = match options.take("FILTER") {
        None => return Ok(None),
        Some(Value::Text(text)) => language::parse_hbase(&text),
        Some(Value::New { class, arguments }) => language::parse(&filter_text(&class, &arguments)?),
        Some(other) => {
            return Err(ShellError::Type(format!(
                "FILTER should be a text of the filter language, not {}",
                other.inspect()
            )));
        }
    };
    filter
        .map(Some)
        .map_err(|error| ShellError::Client { exception: error.exception(), message: error.to_string() })
}

/// `org.apache.hadoop.hbase.filter.ColumnPaginationFilter.new(1, 0)` says the same as `ColumnPaginationFilter(1, 0)`.
fn filter_text(class: &str, arguments: &[Value]) -> Result<Vec<u8>, ShellError> {
    let name = class.rsplit(['.', ':']).next().unwrap_or(class);
    let mut text = format!("{name}(").into_bytes();
    for (at, argument) in arguments.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        match argument {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
                text.extend_from_slice(argument.inspect().as_bytes())
            }
            Value::Text(bytes) => {
                text.push(b'\'');
                for &byte in bytes {
                    text.extend(std::iter::repeat_n(byte, if byte == b'\'' { 2 } else { 1 }));
                }
                text.push(b'\'');
            }
            other => {
                let message = format!("{} is not known here: write the filter as a text", other.inspect());
                return Err(ShellError::unsupported(message));
            }
        }
    }
    text.push(b')');
    Ok(text)
}

/// Takes out what is checked but changes nothing in a store without replicas and labels.
pub fn take_without_effect(options: &mut Options) -> Result<(), ShellError> {
    options.one_of("CONSISTENCY", &["STRONG", "TIMELINE"])?;
    options.long("REGION_REPLICA_ID")?;
    if let Some(attributes) = options.take("ATTRIBUTES") {
        convert::hash(attributes, "ATTRIBUTES")?;
    }
    if let Some(authorizations) = options.take("AUTHORIZATIONS") {
        convert::array(authorizations, "AUTHORIZATIONS")?;
    }
    Ok(())
}

/// Takes everything out that makes a scan, and how text shows its rows.
pub fn take_scan(options: &mut Options) -> Result<(Scan, CellView), ShellError> {
    let mut view = take_view(options)?;
    let columns = take_columns(options, &mut view)?;
    take_without_effect(options)?;
    options.one_of("ISOLATION_LEVEL", &["READ_COMMITTED", "READ_UNCOMMITTED"])?;
    options.one_of("READ_TYPE", &["DEFAULT", "STREAM", "PREAD"])?;
    options.flag("ALLOW_PARTIAL_RESULTS")?;
    options.long("MAX_RESULT_SIZE")?;
    let read = ReadOptions {
        columns,
        versions: options.positive("VERSIONS")?.unwrap_or(1),
        time_range: take_time_range(options)?,
        filter: take_filter(options)?,
        max_results_per_family: options.not_negative("MAX_RESULTS_PER_COLUMN_FAMILY")?,
        row_offset_per_family: options.not_negative("ROW_OFFSET_PER_COLUMN_FAMILY")?.unwrap_or(0),
        cache_blocks: options.flag("CACHE_BLOCKS")?.unwrap_or(true),
        ..ReadOptions::default()
    };
    let scan = Scan {
        reversed: options.flag("REVERSED")?.unwrap_or(false),
        limit: options.positive("LIMIT")?.map(u64::from),
        batch: options.positive("BATCH")?,
        caching: options.positive("CACHE")?,
        raw: options.flag("RAW")?.unwrap_or(false),
        read,
        ..take_rows(options)?
    };
    Ok((scan, view))
}

/// Takes the rows of a scan out. A prefix says more than start and stop rows.
fn take_rows(options: &mut Options) -> Result<Scan, ShellError> {
    let mut bytes = |key: &str| -> Result<Bytes, ShellError> {
        options.take(key).map_or_else(|| Ok(Bytes::new()), |value| convert::bytes(&value, key))
    };
    let (start, stop) = (bytes("STARTROW")?, bytes("STOPROW")?);
    let prefix = options.take("ROWPREFIXFILTER");
    let mut rows = match prefix {
        Some(prefix) => Scan::prefix(convert::bytes(&prefix, "ROWPREFIXFILTER")?),
        None => Scan::range(start, stop),
    };
    if let (Some(false), RowBound::Included(start)) = (options.flag("INCLUDE_STARTROW")?, &rows.start) {
        rows.start = RowBound::Excluded(start.clone());
    }
    if let (Some(true), RowBound::Excluded(stop)) = (options.flag("INCLUDE_STOPROW")?, &rows.stop) {
        rows.stop = RowBound::Included(stop.clone());
    }
    Ok(rows)
}
