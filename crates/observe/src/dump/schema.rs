//! What a dump declares, put together: tables with columns, keys and references.

use std::cell::Cell;
use std::fmt;

use tablesmith_model::workload::{Column, Reference, Table};
use tablesmith_sql::{Declared, DeclaredColumn, QualifiedName};

/// The schema that names without one are in.
const DEFAULT_SCHEMA: &str = "public";

/// The tables so far, and what can only be said when all are known.
#[derive(Debug, Default)]
pub(super) struct Schema {
    tables: Vec<DumpTable>,
    /// The database that names without one belong to: dumps of several say `USE` or `\connect`.
    database: Option<String>,
    unique: Vec<(Place, Vec<String>)>,
    references: Vec<Pointing>,
    notes: Vec<String>,
}

/// What tells a table of a dump from others: the database and the schema it stands in, and its name there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    database: Option<String>,
    name: QualifiedName,
}

impl Place {
    /// Whether another is in the same schema.
    fn is_beside(&self, other: &Self) -> bool {
        self.database == other.database && self.name.schema == other.name.schema
    }

    /// The whole name, where more than the table's own is known.
    fn called(&self) -> Option<String> {
        (self.database.is_some() || self.name.schema.is_some()).then(|| self.to_string())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.database {
            Some(database) => write!(f, "{database}.{}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// A table as the dump declares it.
#[derive(Debug)]
pub(super) struct DumpTable {
    place: Place,
    /// As the workload will have it: without what the database computes.
    pub table: Table,
    /// All columns of the dump, in their order.
    pub columns: Vec<DeclaredColumn>,
    /// What each is called in the workload, where names have no case.
    pub names: Vec<String>,
    /// The table whose rows its rows are.
    part_of: Option<Place>,
    /// Whether rows of it were written, so that its name is known outside.
    pub has_rows: Cell<bool>,
}

/// Columns that point to another table, whose key may come later.
#[derive(Debug)]
struct Pointing {
    table: Place,
    columns: Vec<String>,
    other: Place,
    targets: Vec<String>,
}

impl Schema {
    /// Names without a database belong to this one from now on.
    pub fn enter(&mut self, database: &str) {
        self.database = Some(database.to_owned());
    }

    /// Adds what a statement declares. A table that is declared again is another one.
    pub fn add(&mut self, declared: Declared) {
        match declared {
            Declared::Table { table, columns, inherits } => self.add_table(table, columns, &inherits),
            Declared::Column { table, column } => {
                let at = self.index(&self.database, &table);
                if let Some(table) = at.and_then(|at| self.tables.get_mut(at)) {
                    table.columns.push(column);
                    self.notes.extend(table.keep_columns());
                }
            }
            Declared::Part { table, of } => {
                // A part of a table that the dump does not have is a table of its own.
                let Some(whole) = self.table(&of) else { return };
                let (columns, names) = (whole.columns.clone(), whole.names.clone());
                let of = self.place(of);
                if let Some(part) = self.table_mut(&table) {
                    if part.columns.is_empty() {
                        (part.columns, part.names) = (columns, names);
                    }
                    part.part_of = Some(of);
                }
            }
            Declared::Key { table, columns, is_primary: true } => {
                if let Some(table) = self.table_mut(&table) {
                    table.table.key = table.named(&columns);
                }
            }
            Declared::Key { table, columns, is_primary: false } => {
                self.unique.push((self.place(table), columns));
            }
            Declared::Reference { table, columns, other, targets } => {
                let (table, other) = (self.place(table), self.place(other));
                self.references.push(Pointing { table, columns, other, targets });
            }
        }
    }

    fn add_table(&mut self, name: QualifiedName, own: Vec<DeclaredColumn>, inherits: &[QualifiedName]) {
        let place = self.place(name);
        self.tables.retain(|other| other.place != place);
        let mut columns: Vec<DeclaredColumn> = Vec::new();
        for parent in inherits {
            columns.extend(self.table(parent).into_iter().flat_map(|parent| parent.columns.clone()));
        }
        columns.extend(own);
        if place.name.schema.as_deref() == Some(DEFAULT_SCHEMA) {
            self.give_way(&place);
        }
        let taken = |name: &str| self.tables.iter().any(|other| other.table.name.eq_ignore_ascii_case(name));
        let is_beside = |other: &DumpTable| {
            other.place.is_beside(&place) && other.place.name.name.eq_ignore_ascii_case(&place.name.name)
        };
        let name = free_name(&place, self.tables.iter().any(is_beside), taken);
        for parent in inherits {
            self.notes.push(format!(
                "{name:?} inherits from {parent}: its rows are its own here, a query of {parent} does not see them"
            ));
        }
        let table = Table { name, called: place.called(), ..Table::default() };
        let mut declared =
            DumpTable { place, table, columns, names: Vec::new(), part_of: None, has_rows: Cell::new(false) };
        self.notes.extend(declared.keep_columns());
        self.tables.push(declared);
    }

    /// Lets tables of other schemas have longer names than one that people call without its schema. Once there are rows, names
    /// stay.
    fn give_way(&mut self, place: &Place) {
        let is_other = |other: &DumpTable| {
            other.table.name == place.name.name && other.place.name.schema.is_some() && !other.has_rows.get()
        };
        let Some(at) = self.tables.iter().position(is_other) else { return };
        let taken = |name: &str| {
            let mut others =
                self.tables.iter().map(|other| other.table.name.as_str()).chain([place.name.name.as_str()]);
            others.any(|other| other.eq_ignore_ascii_case(name))
        };
        let name = self.tables.get(at).map(|other| free_name(&other.place, false, taken)).unwrap_or_default();
        self.tables.get_mut(at).into_iter().for_each(|other| other.table.name.clone_from(&name));
    }

    fn place(&self, name: QualifiedName) -> Place {
        Place { database: self.database.clone(), name }
    }

    /// The table of this name, however it is spelled: unquoted names have no case.
    pub fn table(&self, name: &QualifiedName) -> Option<&DumpTable> {
        self.index(&self.database, name).and_then(|at| self.tables.get(at))
    }

    /// The table that rows of another are rows of: its own, or the one that it is a part of.
    pub fn whole<'s>(&'s self, part: &'s DumpTable) -> &'s DumpTable {
        let mut whole = part;
        // As often as there are tables: a part of itself is nobody's.
        for _ in 0..self.tables.len() {
            let of = whole.part_of.as_ref().and_then(|of| self.at(of)).and_then(|at| self.tables.get(at));
            match of {
                Some(of) => whole = of,
                None => break,
            }
        }
        whole
    }

    fn table_mut(&mut self, name: &QualifiedName) -> Option<&mut DumpTable> {
        let at = self.index(&self.database, name)?;
        self.tables.get_mut(at)
    }

    fn at(&self, place: &Place) -> Option<usize> {
        self.index(&place.database, &place.name)
    }

    /// The table at a place; where nothing says which schema is meant, the one of that name.
    fn index(&self, database: &Option<String>, name: &QualifiedName) -> Option<usize> {
        let is_near = |other: &DumpTable| {
            let schema = &other.place.name.schema;
            other.place.database == *database
                && (name.schema.is_none() || schema.is_none() || *schema == name.schema)
        };
        let is_same = |other: &DumpTable| other.place.database == *database && other.place.name == *name;
        let is_named = |other: &DumpTable| is_near(other) && other.place.name.name == name.name;
        let is_spelled =
            |other: &DumpTable| is_near(other) && other.place.name.name.eq_ignore_ascii_case(&name.name);
        let tables = || self.tables.iter();
        tables()
            .position(is_same)
            .or_else(|| tables().position(is_named))
            .or_else(|| tables().position(is_spelled))
    }

    /// The tables, with references to keys that are known by now, and what a reader should know. Where there is no primary
    /// key, unique columns that always have a value identify a row.
    pub fn finish(mut self) -> (Vec<Table>, Vec<String>) {
        for (place, columns) in std::mem::take(&mut self.unique) {
            let Some(table) = self.at(&place).and_then(|at| self.tables.get_mut(at)) else { continue };
            let has_value = |name: &String| {
                table.columns.iter().any(|column| column.name == *name && !column.is_nullable)
            };
            if table.table.key.is_empty() && columns.iter().all(has_value) {
                table.table.key = table.named(&columns);
            }
        }
        for Pointing { table, columns, other, targets } in std::mem::take(&mut self.references) {
            let Some(other) = self.at(&other).and_then(|at| self.tables.get(at)) else { continue };
            let targets = if targets.is_empty() { other.table.key.clone() } else { other.named(&targets) };
            let other = self.whole(other).table.name.clone();
            if let Some(table) = self.at(&table).and_then(|at| self.tables.get_mut(at)) {
                let pairs = table.named(&columns).into_iter().zip(targets);
                let reference = |(column, target)| Reference { column, table: other.clone(), target };
                table.table.references.extend(pairs.map(reference));
            }
        }
        for table in &mut self.tables {
            let columns = &table.table.columns;
            let is_kept = |name: &String| columns.iter().any(|column| column.name == *name);
            if !table.table.key.iter().all(is_kept) {
                table.table.key.clear();
            }
            table.table.references.retain(|reference| is_kept(&reference.column));
        }
        for table in self.tables.iter().filter(|table| table.table.name != table.place.name.name) {
            let (place, name) = (table.place.to_string(), &table.table.name);
            self.notes.push(format!("{place} is the table {name:?} here: there is another of its name"));
        }
        for table in &self.tables {
            let computed = table.columns.iter().filter(|column| column.is_computed);
            let computed: Vec<&str> = computed.map(|column| column.name.as_str()).collect();
            if !computed.is_empty() {
                let (name, computed) = (&table.table.name, computed.join(", "));
                let why = "the database computes it from other columns";
                self.notes.push(format!("{name:?} is without {computed}: {why}"));
            }
        }
        let (parts, whole): (Vec<DumpTable>, Vec<DumpTable>) =
            self.tables.into_iter().partition(|table| table.part_of.is_some());
        if !parts.is_empty() {
            let names: Vec<&str> = parts.iter().map(|part| part.table.name.as_str()).collect();
            self.notes.push(format!("rows of partitions are rows of their tables: {}", names.join(", ")));
        }
        let (whole, empty): (Vec<DumpTable>, Vec<DumpTable>) =
            whole.into_iter().partition(|table| !table.table.columns.is_empty());
        self.notes
            .extend(empty.iter().map(|table| format!("{:?} has no columns: left out", table.table.name)));
        (whole.into_iter().map(|table| table.table).collect(), self.notes)
    }
}

impl DumpTable {
    /// Names the columns, and keeps those that are not computed; what to tell of names that differ only in case.
    fn keep_columns(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        for column in self.columns.iter().skip(self.names.len()) {
            let taken = |name: &str| self.names.iter().any(|other| other.eq_ignore_ascii_case(name));
            let numbered = (2_u32..).map(|number| format!("{}_{number}", column.name));
            let mut free = std::iter::once(column.name.clone()).chain(numbered).filter(|name| !taken(name));
            let name = free.next().unwrap_or_default();
            if name != column.name {
                let (table, old) = (&self.table.name, &column.name);
                notes.push(format!("the column {old:?} of {table:?} is {name:?} here: names have no case"));
            }
            self.names.push(name);
        }
        let kept = self.columns.iter().zip(&self.names).filter(|(column, _)| !column.is_computed);
        self.table.columns =
            kept.map(|(column, name)| Column::new(name.clone(), column.value_type)).collect();
        notes
    }

    /// What columns are called in the workload.
    fn named(&self, columns: &[String]) -> Vec<String> {
        let named = |name: &String| {
            let at = self.columns.iter().position(|column| column.name == *name);
            at.and_then(|at| self.names.get(at)).unwrap_or(name).clone()
        };
        columns.iter().map(named).collect()
    }
}

/// A name that no other table has: its own, else with its schema and database before it, else with a number behind it. Where
/// one in the same schema differs only in case, the schema says nothing.
fn free_name(place: &Place, is_beside: bool, taken: impl Fn(&str) -> bool) -> String {
    let own = &place.name.name;
    let before =
        [place.name.schema.as_ref(), place.database.as_ref()].into_iter().flatten().filter(|_| !is_beside);
    let mut longer = own.clone();
    let named = before.map(|before| {
        longer = format!("{}_{longer}", before.replace('.', "_"));
        longer.clone()
    });
    let candidates: Vec<String> = std::iter::once(own.clone()).chain(named).collect();
    let numbered = (2_u32..).map(|number| format!("{own}_{number}"));
    candidates.into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
