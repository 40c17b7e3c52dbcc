//! What rules look at: a design, and the workload that it is for, where that is known.

use tablesmith_model::design::{Cells, Design, Family, Rows, Setting, Table};
use tablesmith_model::key::Part;
use tablesmith_model::workload::{self, Asks, Workload};
use tablesmith_sql::{Catalog, Dialect, Kind, Need, Operator, Predicate, resolve};

/// What rules look at.
pub struct Subject<'s> {
    /// The design.
    pub design: &'s Design,
    /// The workload.
    pub workload: Option<&'s Workload>,
    /// What the workload's statements need of its tables.
    asked: Vec<Asked>,
    /// What the regions of living tables had to do.
    pub regions: Vec<LiveRegion>,
}

/// A region of a living table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRegion {
    /// The table.
    pub table: String,
    /// Where it begins.
    pub start: Vec<u8>,
    /// Reads and writes up to now.
    pub requests: u64,
}

/// What a query needs of a table.
pub struct Asked {
    /// The query.
    pub query: String,
    /// How often it comes.
    pub rate: f64,
    /// What it does.
    pub kind: Kind,
    /// What it needs.
    pub need: Need,
}

/// Rows of the workload as they lie in a table of the design.
#[derive(Clone, Copy)]
pub struct Laid<'s> {
    /// The table of the design.
    pub table: &'s Table,
    /// The rows.
    pub rows: &'s Rows,
    /// The table of the workload, where that is known.
    pub source: Option<&'s workload::Table>,
}

impl<'s> Subject<'s> {
    /// A design, for a workload. Statements that are not understood are left out.
    pub fn new(design: &'s Design, workload: Option<&'s Workload>) -> Self {
        Self { design, workload, asked: workload.map(asked).unwrap_or_default(), regions: Vec::new() }
    }

    /// The same with what the regions of living tables had to do.
    pub fn with_regions(self, regions: Vec<LiveRegion>) -> Self {
        Self { regions, ..self }
    }

    /// All rows of all tables.
    pub fn laid(&self) -> impl Iterator<Item = Laid<'s>> + use<'s> {
        let workload = self.workload;
        self.design.tables.iter().flat_map(move |table| {
            table.rows.iter().map(move |rows| Laid {
                table,
                rows,
                source: workload.and_then(|workload| workload.table(&rows.from)),
            })
        })
    }

    /// All families of all tables.
    pub fn families(&self) -> impl Iterator<Item = (&'s Table, &'s Family)> + use<'s> {
        self.design.tables.iter().flat_map(|table| table.families.iter().map(move |family| (table, family)))
    }

    /// What queries need of a table of the workload.
    pub fn asked_of(&self, table: &str) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(move |asked| asked.need.table == table)
    }
}

fn asked(workload: &Workload) -> Vec<Asked> {
    let catalog = Catalog::of_workload(workload);
    let mut all = Vec::new();
    for query in &workload.queries {
        let Asks::Sql(sql) = &query.asks else { continue };
        let Ok(statement) = resolve(sql, &catalog, Dialect::Generic) else { continue };
        let kind = statement.kind;
        all.extend(statement.needs.into_iter().map(|need| Asked {
            query: query.name.clone(),
            rate: query.rate,
            kind,
            need,
        }));
    }
    all
}

impl Asked {
    /// Whether a column is compared with one value or a few.
    pub fn is_given(&self, column: &str) -> bool {
        self.predicates(column).any(|predicate| matches!(predicate.operator, Operator::Eq | Operator::In(_)))
    }

    /// Whether a range of a column is asked for, or its order.
    pub fn wants_order_of(&self, column: &str) -> bool {
        let is_range = |predicate: &Predicate| {
            matches!(
                predicate.operator,
                Operator::Lt
                    | Operator::Le
                    | Operator::Gt
                    | Operator::Ge
                    | Operator::Between
                    | Operator::Like
            )
        };
        self.predicates(column).any(is_range) || self.need.order.iter().any(|order| order.column == column)
    }

    fn predicates<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a Predicate> {
        self.need.predicates.iter().filter(move |predicate| predicate.column == column)
    }
}

impl<'s> Laid<'s> {
    /// The parts of the key that say which row it is, without prefixes and constants.
    pub fn own_parts(&self) -> impl Iterator<Item = &'s Part> + use<'s> {
        let is_own = |part: &&Part| part.prefixes().is_none() && !matches!(part, Part::Const(_));
        self.rows.key.parts.iter().filter(is_own)
    }

    /// The fields that tell apart what is inside a row: versions, offsets, what is packed.
    pub fn inside(&self) -> impl Iterator<Item = &'s str> + use<'s> {
        self.rows.cells.iter().flat_map(inside)
    }

    /// Whether a row holds only a stretch of this field.
    pub fn is_bucketed(&self, field: &str) -> bool {
        let mut parts = self.rows.key.parts.iter();
        parts.any(|part| part.fields().iter().any(|of| of == field))
    }

    /// The name that a column of a table has in these rows; none when they have no rows of that table.
    pub fn field_of(&self, table: &str, column: &str) -> Option<String> {
        if self.rows.from == table {
            return Some(column.to_owned());
        }
        let of_key = self.rows.key.parts.iter().flat_map(Part::fields).map(String::as_str);
        let mut fields = of_key.chain(self.rows.cells.iter().flat_map(Cells::fields));
        let is_joined = fields.any(|field| field.rsplit_once('.').is_some_and(|(name, _)| name == table));
        (is_joined && !self.rows.join.is_empty()).then(|| format!("{table}.{column}"))
    }

    /// The place of its key in messages.
    pub fn key_place(&self) -> String {
        format!("{}.key", self.table.name)
    }
}

/// The fields that tell apart the cells of an entry inside one row.
pub fn inside(cells: &Cells) -> impl Iterator<Item = &str> {
    let named = [cells.version.as_deref(), cells.pack_by.as_deref()];
    let qualifier = cells.qualifier.iter().flat_map(|qualifier| qualifier.fields());
    named.into_iter().flatten().chain(qualifier)
}

/// A setting of a family that is a number.
pub fn number(family: &Family, setting: &str) -> Option<i64> {
    family.settings.iter().find(|(name, _)| name == setting).and_then(|(_, value)| match value {
        Setting::Integer(number) => Some(*number),
        Setting::Text(text) => text.parse().ok(),
        Setting::Boolean(_) => None,
    })
}

/// The place of a family in messages.
pub fn family_place(table: &Table, family: &Family) -> String {
    format!("{}.family.{}", table.name, family.name)
}
