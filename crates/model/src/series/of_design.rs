//! The layout that a table of a design describes, so that an edited `design.toml` is what is carried out.

use super::{CellShape, Dimension, KeyOrder, SeriesLayout, SeriesLayoutError, Span, time};
use crate::design::{self, Cells, Qualifier, Rows};
use crate::key::{Key, Part};
use crate::value::{CellEncoding, KeyEncoding};
use crate::workload::{Sequence, Table};

impl SeriesLayout {
    /// The layout of a table of a design that holds the readings of a table.
    pub fn of_design(laid: &design::Table, table: &Table) -> Result<Self, SeriesLayoutError> {
        let refused = |why: String| SeriesLayoutError::NotASeries { table: laid.name.clone(), why };
        let sequence =
            table.time.as_ref().ok_or_else(|| SeriesLayoutError::NoSequence { table: table.name.clone() })?;
        let rows = only_rows(laid, table).map_err(refused)?;
        let cells = only_cells(rows, table).map_err(refused)?;
        let (order, span) = shape_of_key(&rows.key, sequence).ok_or_else(|| refused(other_key(&rows.key)))?;
        let layout = Self {
            table: table.name.clone(),
            entity: sequence.entity.clone(),
            time: sequence.column.clone(),
            kind: sequence.kind,
            metrics: cells.columns.clone(),
            dimension: dimension(cells, &sequence.column).map_err(refused)?,
            span,
            order,
            cells: if cells.together { CellShape::Together } else { CellShape::EachMetric },
        };
        layout.check(table)?;
        if layout.key(layout.time_type(table)?) != rows.key {
            return Err(refused(other_key(&rows.key)));
        }
        layout.check_versions(laid, &cells.family).map_err(refused)?;
        Ok(layout)
    }

    /// Fewer versions than a row can have times would drop readings without a word, unless readings keep a distance: a file
    /// that says how many versions a row has says which. One version is no such number, but what a family has when nothing
    /// is said.
    fn check_versions(&self, laid: &design::Table, family: &str) -> Result<(), String> {
        let Some(family) = laid.families.iter().find(|known| known.name == family) else {
            return Err(format!("it has no family {family:?}: add [[table.family]] with that name"));
        };
        let versions = family.descriptor().map_err(|error| error.to_string())?.versions;
        let needed = self.versions();
        let keeps_distance = versions > 1 && self.step(versions.into()).is_some();
        if u64::from(versions) >= needed || keeps_distance {
            return Ok(());
        }
        Err(format!(
            "VERSIONS = {versions} of the family {:?} drops readings where a row has more: a row of {} can have {needed}, so \
             set VERSIONS = {needed}, which costs nothing",
            family.name,
            self.span.name(self.kind)
        ))
    }
}

/// The rows of a table that holds nothing else.
fn only_rows<'d>(laid: &'d design::Table, table: &Table) -> Result<&'d Rows, String> {
    match laid.rows.as_slice() {
        [rows] if rows.from == table.name && rows.join.is_empty() => Ok(rows),
        [rows] if rows.from == table.name => Err("its rows are joined: readings are not".to_owned()),
        _ => Err(format!("give it one [[table.rows]], from = {:?}", table.name)),
    }
}

/// The cells of rows that have one kind of them.
fn only_cells<'d>(rows: &'d Rows, table: &Table) -> Result<&'d Cells, String> {
    let [cells] = rows.cells.as_slice() else {
        return Err("give its rows one entry of `cells`, for all metrics".to_owned());
    };
    if cells.value.is_some() {
        return Err("`value` says that the qualifier is data: name the metrics in `columns`".to_owned());
    }
    if rows.key.encoding != KeyEncoding::Binary {
        return Err("its keys are text: use key_encoding = \"binary\"".to_owned());
    }
    for column in cells.columns.iter().filter_map(|name| table.column(name)) {
        let usual = CellEncoding::default_for(column.value_type);
        if cells.encoding.is_some_and(|encoding| encoding != usual) {
            return Err(format!("{:?} is stored as {usual}: leave `encoding` away", column.name));
        }
    }
    Ok(cells)
}

fn dimension(cells: &Cells, time: &str) -> Result<Dimension, String> {
    let fields = [
        (Dimension::Version, "version", cells.version.as_deref()),
        (Dimension::Qualifier, "qualifier", cells.qualifier.as_ref().and_then(first_field)),
        (Dimension::Packed, "pack_by", cells.pack_by.as_deref()),
    ];
    let mut said = fields.into_iter().filter_map(|(dimension, key, field)| Some((dimension, key, field?)));
    let Some((dimension, key, field)) = said.next() else { return Ok(Dimension::Row) };
    if let Some((_, other, _)) = said.next() {
        return Err(format!("its cells have `{key}` and `{other}`: the time has one place"));
    }
    if field != time || matches!(&cells.qualifier, Some(Qualifier::Field(_) | Qualifier::Parts(_))) {
        return Err(format!(
            "`{key}` is not made of the time: use {time:?}, or offset({time}) as a qualifier"
        ));
    }
    Ok(dimension)
}

fn first_field(qualifier: &Qualifier) -> Option<&str> {
    qualifier.fields().into_iter().next()
}

/// What a key looks like; whether it is really built so is seen by building it.
fn shape_of_key(key: &Key, sequence: &Sequence) -> Option<(KeyOrder, Span)> {
    let place = key.parts.iter().position(|part| part.fields().contains(&sequence.column));
    let span = match place.and_then(|place| key.parts.get(place)) {
        None => Span::Unbounded,
        Some(Part::Bucket { width, .. }) => Span::Of(time::width_of(*width)?),
        Some(_) => Span::Each,
    };
    let reversed = key.parts.iter().any(|part| matches!(part, Part::Reverse(_)));
    let order = match (key.parts.first()?, place) {
        (Part::Md5Mod { modulus, .. }, Some(1)) => KeyOrder::BucketedTime { buckets: modulus.get() },
        (Part::Md5Mod { modulus, .. }, _) => KeyOrder::SaltedEntityTime { buckets: modulus.get() },
        (Part::Md5 { .. }, _) => KeyOrder::HashedEntityTime,
        (_, Some(0)) => KeyOrder::TimeEntity,
        _ if reversed => KeyOrder::ReversedEntityTime,
        _ => KeyOrder::EntityTime,
    };
    Some((order, span))
}

fn other_key(key: &Key) -> String {
    let parts: Vec<String> = key.parts.iter().map(ToString::to_string).collect();
    format!(
        "its key is [{}]: use the entity and the time (or a bucket of it), the entity's last field reversed, with md5(field, 4) \
         before it or with md5_mod(entity, n) before it, or the time before the entity",
        parts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, Setting};
    use crate::series::testing;
    use crate::workload::Workload;

    const ORDERS: [KeyOrder; 6] = [
        KeyOrder::EntityTime,
        KeyOrder::TimeEntity,
        KeyOrder::ReversedEntityTime,
        KeyOrder::HashedEntityTime,
        KeyOrder::SaltedEntityTime { buckets: 16 },
        KeyOrder::BucketedTime { buckets: 300 },
    ];

    /// Every layout of a table that makes sense.
    fn all_layouts(table: &Table) -> Vec<SeriesLayout> {
        let mut layouts = Vec::new();
        for dimension in Dimension::ALL {
            for span in [Span::Each, Span::Of(60_000), Span::Of(86_400_000), Span::Unbounded] {
                for order in ORDERS {
                    for cells in CellShape::ALL {
                        let base = SeriesLayout::tall(table).unwrap();
                        layouts.push(SeriesLayout { dimension, span, order, cells, ..base });
                    }
                }
            }
        }
        layouts.retain(|layout| layout.check(table).is_ok());
        layouts
    }

    #[test]
    fn every_layout_comes_back_from_the_file_it_was_written_to() {
        let table = testing::table();
        let workload = Workload { tables: vec![table.clone()], ..Workload::default() };
        let layouts = all_layouts(&table);
        assert_eq!(layouts.len(), 12 + 3 * (2 * 12 + 8));
        for layout in layouts {
            let design = Design { tables: vec![layout.to_design(&table)], ..Design::default() };
            let read = Design::parse_for(&design.to_toml(), &workload).unwrap();
            assert_eq!(
                SeriesLayout::of_design(&read.tables[0], &table),
                Ok(layout.clone()),
                "{}",
                layout.name()
            );
        }
    }

    #[test]
    fn names_are_different() {
        let names: Vec<String> = all_layouts(&testing::table()).iter().map(SeriesLayout::name).collect();
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert!(names.contains(&"versions/1d/entity-time/each".to_owned()), "{names:?}");
    }

    fn refused(change: impl Fn(&mut design::Table)) -> String {
        let table = testing::table();
        let base = SeriesLayout::tall(&table).unwrap();
        let layout = SeriesLayout { dimension: Dimension::Version, span: Span::Of(86_400_000), ..base };
        let mut laid = layout.to_design(&table);
        change(&mut laid);
        SeriesLayout::of_design(&laid, &table).unwrap_err().to_string()
    }

    #[test]
    fn what_would_lose_readings_is_refused() {
        let told = refused(|laid| laid.families[0].settings.clear());
        assert!(told.contains("VERSIONS = 1 ") && told.contains("VERSIONS = 86400000"), "{told}");
    }

    #[test]
    fn fewer_versions_than_times_mean_readings_that_keep_a_distance() {
        let table = testing::table();
        let base = SeriesLayout::tall(&table).unwrap();
        let of = |span| SeriesLayout { dimension: Dimension::Version, span, ..base.clone() };
        let day = of(Span::Of(86_400_000));
        let mut laid = day.to_design(&table);
        laid.families[0].settings[0].1 = Setting::Integer(1_440);
        assert_eq!(SeriesLayout::of_design(&laid, &table), Ok(day.clone()));
        assert_eq!(
            (day.step(1_440), day.step(86_400_000), day.step(u64::MAX)),
            (Some(60_000), Some(1), Some(1))
        );
        assert_eq!(day.step(1_000), Some(86_400));
        assert_eq!(
            day.step(7).map(|step| 86_400_000_u64.div_ceil(step)),
            Some(7),
            "no more times than versions"
        );
        let mut laid = of(Span::Unbounded).to_design(&table);
        laid.families[0].settings[0].1 = Setting::Integer(1_440);
        assert!(SeriesLayout::of_design(&laid, &table).is_err(), "a row without an end can have any number");
    }

    #[test]
    fn what_is_not_carried_out_says_what_is() {
        for (told, expected) in [
            (refused(|laid| laid.rows.clear()), "one [[table.rows]]"),
            (refused(|laid| laid.rows[0].cells.clear()), "one entry of `cells`"),
            (refused(|laid| laid.rows[0].cells[0].pack_by = Some("at".into())), "`version` and `pack_by`"),
            (refused(|laid| laid.rows[0].cells[0].version = Some("bikes".into())), "not made of the time"),
            (
                refused(|laid| {
                    laid.rows[0].key.parts.push(Part::Random(crate::key::Modulus::new(3).unwrap()))
                }),
                "its key is",
            ),
            (refused(|laid| laid.rows[0].key.encoding = KeyEncoding::Text), "binary"),
            (
                refused(|laid| laid.rows[0].cells[0].encoding = Some(CellEncoding::Text)),
                "leave `encoding` away",
            ),
            (refused(|laid| laid.families.clear()), "no family"),
        ] {
            assert!(told.contains(expected), "{told}");
        }
    }
}
