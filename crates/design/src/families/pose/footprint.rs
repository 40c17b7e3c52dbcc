//! What a query asks of each table that it touches.

use tablesmith_model::workload::{Access as Way, Asks, Query, ROWS_ASSUMED, Table, Touched, Workload};
use tablesmith_plan::{Reach, reach};
use tablesmith_sql::{Catalog, Dialect, Kind, Need, SqlError, resolve};

use crate::families::{Access, ColumnSet};

/// What one query asks of one table.
pub struct Footprint {
    pub name: String,
    pub access: Access,
    pub columns: ColumnSet,
    pub rows: f64,
    pub rate: f64,
}

/// The footprints of a query, each with its table.
pub fn of_query(
    workload: &Workload,
    catalog: &Catalog,
    query: &Query,
) -> Result<Vec<(String, Footprint)>, SqlError> {
    match &query.asks {
        Asks::Columns(touched) => Ok(of_columns(workload, query, touched)),
        Asks::Sql(sql) => {
            let statement = resolve(sql, catalog, Dialect::default())?;
            Ok(statement
                .needs
                .iter()
                .flat_map(|need| of_need(workload, query, statement.kind, need))
                .collect())
        }
    }
}

fn of_columns(workload: &Workload, query: &Query, touched: &Touched) -> Vec<(String, Footprint)> {
    let Some(table) = workload.table(&touched.table) else { return Vec::new() };
    let access = match touched.access_in(table) {
        Way::Get => Access::Get,
        Way::Scan => Access::Scan,
    };
    let whole_table = table.rows.unwrap_or(ROWS_ASSUMED);
    let rows = query.rows.unwrap_or(if access == Access::Get { 1 } else { whole_table }) as f64;
    let print = Print { query, table, rows };
    let written = print
        .of(Access::Write, &touched.writes)
        .map(|print| Footprint { rows: query.rows.unwrap_or(1) as f64, ..print });
    print
        .of(access, &touched.reads)
        .into_iter()
        .chain(written)
        .map(|print| (table.name.clone(), print))
        .collect()
}

fn of_need(workload: &Workload, query: &Query, kind: Kind, need: &Need) -> Vec<(String, Footprint)> {
    let Some(table) = workload.table(&need.table) else { return Vec::new() };
    let Reach { whole_keys, rows: estimated } =
        reach(table, kind, need, table.rows.unwrap_or(ROWS_ASSUMED) as f64);
    let access = if whole_keys { Access::Get } else { Access::Scan };
    let print = Print { query, table, rows: query.rows.map_or(estimated, |rows| rows as f64) };
    let written = print.of(Access::Write, &need.writes);
    // A statement that needs no column still looks at rows: it counts them.
    let counts = need.reads.is_empty() && need.writes.is_empty();
    let read =
        if counts { Some(print.made(access, ColumnSet::new())) } else { print.of(access, &need.reads) };
    read.into_iter().chain(written).map(|print| (table.name.clone(), print)).collect()
}

/// What the footprints of a query on one table share.
struct Print<'a> {
    query: &'a Query,
    table: &'a Table,
    rows: f64,
}

impl Print<'_> {
    /// A footprint on these columns; none without columns.
    fn of(&self, access: Access, names: &[String]) -> Option<Footprint> {
        let columns: ColumnSet = names.iter().filter_map(|name| self.table.column_index(name)).collect();
        (!columns.is_empty()).then(|| self.made(access, columns))
    }

    fn made(&self, access: Access, columns: ColumnSet) -> Footprint {
        Footprint { name: self.query.name.clone(), access, columns, rows: self.rows, rate: self.query.rate }
    }
}
