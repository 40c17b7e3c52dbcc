//! Random designs, and their tables filled with the rows of a world.

use tablesmith_access::answer::Designed;
use tablesmith_access::{Layout, apply, load};
use tablesmith_model::design::{Cells, Design, Family, Record, Rows, Table};
use tablesmith_model::key::Key;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::{KeyEncoding, Value};
use tablesmith_store::Store;

use super::world::World;
use crate::random::Random;

/// A design: a master of every table, and copies of some. Names have the seed, so that cases share a store.
pub fn random(random: &mut Random, world: &World, seed: u64) -> Design {
    let mut tables = Vec::new();
    for table in &world.workload.tables {
        let keys: Vec<Vec<String>> = match table.key.as_slice() {
            [key] => [
                key.clone(),
                format!("desc({key})"),
                format!("md5_mod({key}, 3)|{key}"),
                format!("md5({key})"),
            ]
            .iter()
            .map(|parts| parts.split('|').map(str::to_owned).collect())
            .collect(),
            key => vec![
                key.to_vec(),
                key.iter().rev().cloned().collect(),
                [vec![format!("md5_mod({}, 2)", key.join(", "))], key.to_vec()].concat(),
            ],
        };
        let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        let key = random.pick(&keys).clone();
        tables.push(laid(random, &format!("{}_{seed}", table.name), &table.name, &[], &key, &columns));
        if random.one_in(2) {
            let first = table.columns[random.below(table.columns.len())].name.clone();
            let first = if random.one_in(2) { format!("desc({first})") } else { first };
            let key = [vec![first], table.key.clone()].concat();
            let copied: Vec<String> = columns.iter().filter(|_| !random.one_in(4)).cloned().collect();
            tables.push(laid(
                random,
                &format!("{}_copy_{seed}", table.name),
                &table.name,
                &[],
                &key,
                &copied,
            ));
        }
    }
    Design { tables, ..Design::default() }
}

/// A table with one kind of rows.
fn laid(
    random: &mut Random,
    name: &str,
    from: &str,
    join: &[&str],
    key: &[String],
    columns: &[String],
) -> Table {
    let encoding = *random.pick(&KeyEncoding::ALL);
    let key = Key::parse(key, encoding).unwrap();
    let is_in_key = |column: &String| key.parts.iter().any(|part| part.gives_back() == Some(column));
    let (mut f, mut g) = (Vec::new(), Vec::new());
    for column in columns.iter().filter(|column| !is_in_key(column)) {
        if random.one_in(3) { g.push(column.clone()) } else { f.push(column.clone()) }
    }
    if f.is_empty() && g.is_empty() {
        f.extend(columns.first().cloned());
    }
    let cells =
        |family: &str, columns: Vec<String>| Cells { family: family.into(), columns, ..Cells::default() };
    let cells = [("f", f), ("g", g)].into_iter().filter(|(_, columns)| !columns.is_empty());
    let cells: Vec<Cells> = cells.map(|(family, columns)| cells(family, columns)).collect();
    let families = cells.iter().map(|cells| Family::new(cells.family.clone())).collect();
    let splits = if random.one_in(3) { vec![vec![1], vec![0x80, 0, 1]] } else { Vec::new() };
    let join = join.iter().map(|reference| (*reference).to_owned()).collect();
    let rows = Rows { from: from.into(), join, key, cells };
    Table { name: name.into(), splits, families, rows: vec![rows] }
}

/// Makes the tables and loads what each holds.
pub async fn fill(store: &dyn Store, world: &World, designed: &Designed) {
    for layout in designed.layouts() {
        let name = layout.table().parse().unwrap();
        let mut layout = layout.clone();
        if !store.table_exists(&name).await.unwrap() {
            apply(store, &layout, &name).await.unwrap();
        }
        let rows = records(world, &layout);
        let source = rows.iter().enumerate();
        let source = source.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values: values.clone() }));
        if !rows.is_empty() {
            let loaded = load(store, &mut layout, &name, source, &mut |_| {}).await.unwrap();
            assert_eq!(loaded.rows, rows.len() as u64, "{:?}", loaded.rejected);
        }
    }
}

/// The records that a layout holds: the rows of its table, joined as it says.
fn records(world: &World, layout: &Layout) -> Vec<Vec<Value>> {
    let record: &Record = layout.record();
    let of = |table: &str| world.workload.tables.iter().position(|known| known.name == table).unwrap();
    let mut joined: Vec<Vec<usize>> =
        (0..world.rows[of(&record.tables[0])].len()).map(|at| vec![at]).collect();
    let value = |way: &[usize], table: &str, column: &str| {
        let at = record.tables.iter().position(|known| known == table).unwrap();
        let known = &world.workload.tables[of(table)];
        world.rows[of(table)][way[at]][known.column_index(column).unwrap()].clone()
    };
    for join in &record.joins {
        let others = world.rows[of(&join.other.table)].len();
        let mut longer = Vec::new();
        for way in &joined {
            let have = value(way, &join.have.table, &join.have.column);
            for other in 0..others {
                let next: Vec<usize> = way.iter().copied().chain([other]).collect();
                if !have.is_null() && value(&next, &join.other.table, &join.other.column) == have {
                    longer.push(next);
                }
            }
        }
        joined = longer;
    }
    let field = |way: &Vec<usize>, name: &str| {
        let column = record.column(name).unwrap();
        value(way, &column.table, &column.column)
    };
    let columns = &layout.source().columns;
    joined.iter().map(|way| columns.iter().map(|column| field(way, &column.name)).collect()).collect()
}
