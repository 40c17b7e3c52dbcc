//! What `workload.toml` says of readings, and what is assumed where it is silent.

use tablesmith_model::value::{Date, Moment, ValueType};
use tablesmith_model::workload::{Column, ROWS_ASSUMED, SequenceKind, Table};

use super::{Facts, key_bytes, metrics};

const ENTITIES_ASSUMED: f64 = 1_000.0;
/// A reading a minute.
const INTERVAL_ASSUMED_MS: f64 = 60_000.0;
/// Running numbers follow each other one by one.
const STEP_ASSUMED: f64 = 1.0;
const MS_OF_DAY: i64 = 86_400_000;

impl Facts {
    /// What a workload says of a table with a `[table.time]`; `None` for one without.
    pub fn declared(table: &Table) -> Option<Self> {
        let time = table.time.as_ref()?;
        let mut assumed = Vec::new();
        let readings = table.rows.map_or_else(
            || {
                let rows = ROWS_ASSUMED as f64;
                assumed.push(format!("{}: the number of rows is not known; {rows} are assumed", table.name));
                rows
            },
            |rows| rows as f64,
        );
        let entities = entities(table, &time.entity, readings, &mut assumed);
        let time_column = table.column(&time.column);
        let per_entity = (readings / entities).max(1.0);
        let (first, last, interval) = match time_column.and_then(extremes) {
            Some((first, last)) if last > first => {
                (first, last, (last - first) as f64 / (per_entity - 1.0).max(1.0))
            }
            _ => {
                let (interval, words) = match time.kind {
                    SequenceKind::Time => (INTERVAL_ASSUMED_MS, "a reading a minute"),
                    SequenceKind::Sequence => (STEP_ASSUMED, "numbers one after the other"),
                };
                assumed.push(format!(
                    "{}: the first and last {} are not known; {words} is assumed",
                    table.name, time.column
                ));
                (0, (per_entity * interval) as i64, interval)
            }
        };
        let entity_columns = time.entity.iter().filter_map(|name| table.column(name));
        Some(Self {
            entities,
            readings,
            interval: interval.max(1.0),
            first,
            last,
            kind: time.kind,
            is_daily: time_column.is_some_and(|column| column.value_type == ValueType::Date),
            entity_bytes: entity_columns.map(key_bytes).sum(),
            metrics: metrics(table, &[]),
            fixed: Vec::new(),
            retention: table.retention,
            assumed,
        })
    }
}

fn entities(table: &Table, entity: &[String], readings: f64, assumed: &mut Vec<String>) -> f64 {
    let distinct = |name: &String| table.column(name).and_then(|column| column.distinct);
    let known: Option<Vec<u64>> = entity.iter().map(distinct).collect();
    let count = known.map_or_else(
        || {
            assumed.push(format!(
                "{}: how many different {} there are is not known; {ENTITIES_ASSUMED} are assumed",
                table.name,
                entity.join(", ")
            ));
            ENTITIES_ASSUMED
        },
        |counts| counts.into_iter().map(|count| count as f64).product(),
    );
    count.clamp(1.0, readings.max(1.0))
}

/// The least and the greatest moment of a column, where they are known.
fn extremes(column: &Column) -> Option<(i64, i64)> {
    Some((place(column, column.min.as_deref()?)?, place(column, column.max.as_deref()?)?))
}

/// A moment of a column as a number: milliseconds since 1970, or the number itself.
pub(in crate::time) fn place(column: &Column, text: &str) -> Option<i64> {
    match column.value_type {
        ValueType::Timestamp => Moment::parse(text.trim()).map(Moment::millis),
        ValueType::Date => {
            let day = Date::parse(text.trim()).map(|date| i64::from(date.days()) * MS_OF_DAY);
            day.or_else(|| Moment::parse(text.trim()).map(Moment::millis))
        }
        ValueType::Int => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::workload::Workload;

    fn facts(more: &str) -> Facts {
        let text = format!(
            "version = 1\n[[table]]\nname = \"reading\"\n{more}\n[table.time]\ncolumn = \"at\"\nentity = [\"station\"]\n"
        );
        let workload = Workload::parse(&text).unwrap();
        Facts::declared(&workload.tables[0]).unwrap()
    }

    #[test]
    fn what_is_declared_is_taken() {
        let facts = facts(
            "rows = 40_000\n[table.columns]\nstation = { type = \"string\", distinct = 4, bytes = 6 }\n\
             at = { type = \"timestamp\", min = \"2024-01-01T00:00:00Z\", max = \"2024-01-07T22:39:00Z\" }\n\
             bikes = { type = \"int\" }\nnote = { type = \"string\", bytes = 30, nulls = 0.75 }",
        );
        assert_eq!((facts.entities, facts.readings, facts.interval), (4.0, 40_000.0, 60_000.0));
        assert_eq!(facts.assumed, Vec::<String>::new());
        assert_eq!((facts.entity_bytes, facts.metrics.len()), (7.0, 2));
        assert_eq!((facts.metrics[0].bytes, facts.metrics[1].filled), (8.0, 0.25));
        assert!((facts.readings_within(3_600_000.0) - 60.0).abs() < 0.1);
        assert!((facts.share_at_instant() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_is_assumed_is_said() {
        let facts = facts("[table.columns]\nstation = { type = \"int\" }\nat = { type = \"timestamp\" }");
        assert_eq!(facts.assumed.len(), 3, "{:?}", facts.assumed);
        assert_eq!((facts.readings_per_entity(), facts.interval), (1_000.0, 60_000.0));
    }
}
