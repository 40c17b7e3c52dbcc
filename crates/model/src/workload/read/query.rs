//! Reads `[[query]]` sections.

use crate::document::{Entry, Section};
use crate::nearest::one_of;

use super::super::{Access, Asks, DEFAULT_RATE, Query, Table, Touched, Wishes};
use super::names::{self, Names};
use super::{magnitude, text};

/// What the columns of a query are said with; not beside a statement.
const OF_COLUMNS: [&str; 4] = ["table", "reads", "writes", "access"];

/// A query, or `None` when too little of it could be read.
pub fn read(section: &Section<'_>, tables: &[Table], names: &mut Names) -> Option<Query> {
    let name = section.required("name", "a name for the query").and_then(|entry| {
        let name = text(&entry)?;
        names.give(&name, &entry);
        Some(name)
    });
    let asks = asks(section, tables);
    let rows = section.entry("rows").and_then(|entry| entry.unsigned());
    let rate = section.entry("rate").map_or(Some(DEFAULT_RATE), |entry| magnitude(&entry));
    let flag = |key| section.entry(key).and_then(|entry| entry.boolean()).unwrap_or_default();
    let wishes = Wishes {
        max_ms: section.entry("max_ms").and_then(|entry| magnitude(&entry)),
        one_call: flag("one_call"),
        atomic: flag("atomic"),
        fresh: flag("fresh"),
    };
    section.finish();
    Some(Query { name: name?, asks: asks?, rows, rate: rate?, wishes })
}

fn asks(section: &Section<'_>, tables: &[Table]) -> Option<Asks> {
    let sql = section.entry("sql");
    let of_columns = OF_COLUMNS.map(|key| section.entry(key));
    let Some(sql) = sql else {
        let [table, reads, writes, access] = of_columns;
        let Some(table) = table else {
            section.note("this query asks nothing", "`sql`, or `table` with `reads` or `writes`");
            return None;
        };
        return touched(section, &table, [reads, writes], access, tables).map(Asks::Columns);
    };
    for entry in of_columns.into_iter().flatten() {
        entry.note(
            format!("`{}` stands beside `sql`", entry.key()),
            "one of the two: the statement names its columns",
        );
    }
    text(&sql).map(Asks::Sql)
}

fn touched(
    section: &Section<'_>,
    table: &Entry<'_>,
    columns: [Option<Entry<'_>>; 2],
    access: Option<Entry<'_>>,
    tables: &[Table],
) -> Option<Touched> {
    let name = text(table)?;
    if columns.iter().flatten().next().is_none() {
        section.note("this query touches no columns", "`reads` or `writes` with columns of the table");
    }
    let access = access.and_then(|entry| self::access(&entry));
    // The columns of a table that does not exist are not looked at any further.
    let known = names::table(table, &name, tables)?;
    let [reads, writes] =
        columns.map(|columns| columns.map(|columns| names::columns(&columns, known)).unwrap_or_default());
    Some(Touched { table: name, reads, writes, access })
}

fn access(entry: &Entry<'_>) -> Option<Access> {
    let name = entry.string()?;
    let access = Access::from_name(name);
    if access.is_none() {
        entry.note(format!("`{name}` is no way to find rows"), one_of(name, Access::ALL.map(Access::name)));
    }
    access
}
