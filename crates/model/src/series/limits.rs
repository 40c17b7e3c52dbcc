//! What a layout cannot do, and what it does in corner cases, in sentences.

use super::{Dimension, SeriesLayout, Span};
use crate::workload::Table;

impl SeriesLayout {
    /// The limits of the layout for a table, in sentences.
    pub fn limits(&self, table: &Table) -> Vec<String> {
        let mut limits = vec![self.depth(), self.late_readings(), self.deletes()];
        limits.extend(self.rows_that_cannot_split());
        limits.extend(self.time_to_live(table));
        limits.extend(self.hot_end());
        limits.extend(self.rows_that_fall_together(table));
        limits
    }

    /// How many readings a row takes.
    fn depth(&self) -> String {
        let span = self.span.name(self.kind);
        match (self.dimension, self.span) {
            (Dimension::Row, _) => "A row holds one reading, of any time.".to_owned(),
            (Dimension::Version, Span::Of(_)) => format!(
                "A row of {span} can have {} versions of a cell; with fewer VERSIONS only readings at even distances are \
                 taken. Times before 1970 cannot be versions.",
                self.versions()
            ),
            (Dimension::Version, _) => format!(
                "VERSIONS = {} keeps all versions; times before 1970 cannot be versions.",
                self.versions()
            ),
            (Dimension::Qualifier, _) => {
                "A row takes any number of readings, a column each.".to_owned()
            }
            (Dimension::Packed, _) => {
                "The readings of a row are one value, which HBase takes up to 10 MiB; a write past that is refused."
                    .to_owned()
            }
        }
    }

    fn late_readings(&self) -> String {
        match self.dimension {
            Dimension::Packed => "A late or corrected reading rewrites the whole cell that it belongs to; writers of one row wait \
                                  for each other."
                .to_owned(),
            _ => "Late and corrected readings are written like all others; the last write of one time stays.".to_owned(),
        }
    }

    fn deletes(&self) -> String {
        match self.dimension {
            Dimension::Packed => "A delete rewrites the cell without the reading.".to_owned(),
            _ => "A delete writes a cell that says that nothing is there, which stays until the reading expires; a reading \
                  written later is seen again."
                .to_owned(),
        }
    }

    fn rows_that_cannot_split(&self) -> Option<String> {
        (self.span == Span::Unbounded).then(|| {
            "A row is never split: all readings of an entity stay in one region, however many they become.".to_owned()
        })
    }

    fn time_to_live(&self, table: &Table) -> Option<String> {
        table.retention?;
        Some(match self.dimension {
            Dimension::Version if self.versions_are_times(table) => {
                "TTL counts from the time of the reading: what is older than the retention is not seen, even when it was \
                 just written."
            }
            Dimension::Version => {
                "Versions are not times, so there is no TTL: old readings go when they are expired by hand."
            }
            Dimension::Packed => {
                "TTL counts from the last write to a row: its old readings stay as long as new ones come."
            }
            _ => "TTL counts from the write of a reading, not from its time.",
        }
        .to_owned())
    }

    fn hot_end(&self) -> Option<String> {
        (self.order == super::KeyOrder::TimeEntity).then(|| {
            "All new readings go to the last region: the write load of one server is the limit.".to_owned()
        })
    }

    /// Rows of the table that become one reading.
    fn rows_that_fall_together(&self, table: &Table) -> Option<String> {
        let is_kept = |name: &&String| **name != self.time && !self.entity.contains(name);
        let lost: Vec<String> = table.key.iter().filter(is_kept).map(|name| format!("{name:?}")).collect();
        (!lost.is_empty()).then(|| {
            format!(
                "Rows of one entity and time that differ only in {} are one reading, and the last one stays.",
                lost.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::series::{KeyOrder, testing};

    #[test]
    fn limits_say_what_a_layout_cannot_do() {
        let table = Table { retention: Some(Duration::from_secs(60)), ..testing::table() };
        let base = SeriesLayout::tall(&table).unwrap();
        let versions = SeriesLayout { dimension: Dimension::Version, span: Span::Unbounded, ..base.clone() };
        let told = versions.limits(&table).join(" ");
        for expected in
            ["VERSIONS = 2147483647", "before 1970", "never split", "TTL counts from the time of the reading"]
        {
            assert!(told.contains(expected), "{told}");
        }
        let told = SeriesLayout { order: KeyOrder::TimeEntity, ..base.clone() }.limits(&table).join(" ");
        assert!(told.contains("last region") && told.contains("from the write"), "{told}");
        let wider = Table { key: vec!["station".into(), "at".into(), "note".into()], ..table };
        assert!(base.limits(&wider).join(" ").contains("differ only in \"note\""));
    }
}
