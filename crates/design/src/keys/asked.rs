//! How often which read happens, from the queries of a workload.
//!
//! A query whose predicates name the whole id is a point read, one that names the entity reads that entity's rows, and one
//! that goes along the id (a range of its first column, or its order) is a range. A query that has to look at all rows
//! whatever the key is says nothing about keys, and neither does one that only adds rows.

use tablesmith_model::workload::{Access, Asks, Query, ROWS_ASSUMED, Table, Workload};
use tablesmith_plan::{Reach, reach};
use tablesmith_sql::{Amount, Catalog, Dialect, Kind, Need, Operator, Predicate, resolve};

use super::reads::ReadWeights;

/// How a query uses the key of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    /// So many rows by their ids.
    Point(f64),
    /// The rows of so many entities.
    Entity(f64),
    /// So many rows in the order of ids.
    Range(f64),
    /// Nothing that a key helps with.
    None,
}

/// The weights of the reads that the queries make of a table, by its id and its entity; none when no query reads it by them.
pub fn reads(workload: &Workload, table: &Table, id: &[String], entity: &[String]) -> Option<ReadWeights> {
    let keyed = Table { key: id.to_vec(), ..table.clone() };
    let catalog = Catalog::of_workload(workload);
    let (mut point, mut range, mut of_entity, mut range_rows) = (0.0, 0.0, 0.0, 0.0);
    for query in &workload.queries {
        for used in uses(query, &keyed, &catalog, entity) {
            match used {
                Use::Point(rows) => point += query.rate * rows,
                Use::Entity(entities) => of_entity += query.rate * entities,
                Use::Range(rows) => {
                    range += query.rate;
                    range_rows += query.rate * rows;
                }
                Use::None => {}
            }
        }
    }
    let default = ReadWeights::default();
    let range_rows = if range > 0.0 { (range_rows / range).max(1.0) as u64 } else { default.range_rows };
    (point + range + of_entity > 0.0).then_some(ReadWeights {
        point,
        range,
        entity: of_entity,
        range_rows,
        ..default
    })
}

/// How a query uses the key of a table, once for each place where it names it. What is not understood uses nothing.
fn uses(query: &Query, table: &Table, catalog: &Catalog, entity: &[String]) -> Vec<Use> {
    match &query.asks {
        Asks::Columns(touched) if touched.table != table.name || touched.reads.is_empty() => Vec::new(),
        Asks::Columns(touched) => {
            let rows = query.rows.map(|rows| rows as f64);
            vec![match touched.access_in(table) {
                Access::Get => Use::Point(rows.unwrap_or(1.0)),
                Access::Scan => rows.map_or(Use::None, Use::Range),
            }]
        }
        Asks::Sql(sql) => {
            let Ok(statement) = resolve(sql, catalog, Dialect::default()) else { return Vec::new() };
            let own = statement.needs.iter().filter(|need| need.table == table.name);
            own.map(|need| used(query, statement.kind, need, table, entity)).collect()
        }
    }
}

fn used(query: &Query, kind: Kind, need: &Need, table: &Table, entity: &[String]) -> Use {
    if kind == Kind::Insert {
        return Use::None;
    }
    let Reach { whole_keys, rows } = reach(table, kind, need, table.rows.unwrap_or(ROWS_ASSUMED) as f64);
    let rows = query.rows.map_or(rows, |rows| rows as f64);
    let named = entity.iter().map(|column| values(need, column)).try_fold(1.0, |all, one| Some(all * one?));
    let first = table.key.first();
    let sorts_by_id = need.order.first().is_some_and(|order| Some(&order.column) == first);
    // Rows that come in the order wanted are read up to the limit and no further.
    let rows = match need.limit.and_then(Amount::rows) {
        Some(limit) if sorts_by_id => rows.min(limit as f64),
        _ => rows,
    };
    let in_order = sorts_by_id
        || need.predicates.iter().any(|predicate| Some(&predicate.column) == first && narrows(predicate));
    match named.filter(|_| !entity.is_empty()) {
        _ if whole_keys => Use::Point(rows),
        Some(entities) => Use::Entity(entities),
        None if in_order => Use::Range(rows),
        None => Use::None,
    }
}

/// How many values of a column are asked for; none when it is not compared with values.
fn values(need: &Need, column: &str) -> Option<f64> {
    need.predicates.iter().filter(|predicate| predicate.column == column).find_map(
        |predicate| match predicate.operator {
            Operator::Eq => Some(1.0),
            Operator::In(count) => Some(count.max(1) as f64),
            _ => None,
        },
    )
}

/// Whether a key that begins with the column helps.
fn narrows(predicate: &Predicate) -> bool {
    !matches!(predicate.operator, Operator::Other | Operator::Like | Operator::IsNull)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(queries: &[(&str, f64)]) -> Option<ReadWeights> {
        let mut text = String::from(
            "version = 1\n[[table]]\nname = \"reading\"\nrows = 10000\nkey = [\"person\", \"at\"]\n[table.columns]\n\
             person = { type = \"string\", distinct = 100 }\nat = { type = \"int\" }\nkind = { type = \"int\" }\n",
        );
        for (index, (sql, rate)) in queries.iter().enumerate() {
            text += &format!("[[query]]\nname = \"q{index}\"\nsql = \"{sql}\"\nrate = {rate}\n");
        }
        let workload = Workload::parse(&text).unwrap();
        let [id, entity] = [&["person", "at"][..], &["person"]]
            .map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        reads(&workload, &workload.tables[0], &id, &entity)
    }

    #[test]
    fn predicates_say_what_kind_of_read_a_query_is() {
        let found = of(&[
            ("SELECT kind FROM reading WHERE person = ? AND at = ?", 5.0),
            ("SELECT kind FROM reading WHERE person = 'a' AND at IN (1, 2, 3)", 1.0),
            ("SELECT kind FROM reading WHERE person = ?", 20.0),
            ("SELECT kind FROM reading WHERE person IN ('a', 'b') AND at > 7", 2.0),
            ("SELECT kind FROM reading ORDER BY person LIMIT 50", 3.0),
            ("SELECT kind FROM reading WHERE kind = 3", 100.0),
            ("INSERT INTO reading (person, at, kind) VALUES (?, ?, ?)", 1000.0),
        ])
        .unwrap();
        assert_eq!((found.point, found.entity, found.range), (8.0, 24.0, 3.0));
        assert_eq!(found.range_rows, 50);
    }

    #[test]
    fn without_reads_by_the_key_nothing_is_said() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("SELECT kind FROM reading WHERE kind = 3", 1.0)]), None);
    }
}
