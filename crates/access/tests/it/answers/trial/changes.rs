//! Random statements that change rows.

use fastrand::Rng;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Table;

use super::statement::{Writer, Written};
use super::world::{World, value};

/// A random change of one table.
pub fn change(random: &mut Rng, world: &World) -> Written {
    let table = random.choice(&world.workload.tables).unwrap().clone();
    let mut writer = Writer::of(random, &[(&table, "")]);
    match writer.random.usize(..5) {
        0 => insert(writer, &table),
        1 => {
            let sql = format!("DELETE FROM {}{}", table.name, filter(&mut writer, world, &table));
            writer.written(sql)
        }
        _ => update(writer, world, &table),
    }
}

/// New rows: their keys lie beyond those of a world.
fn insert(mut writer: Writer<'_>, table: &Table) -> Written {
    let mut rows = Vec::new();
    for _ in 0..1 + writer.random.usize(..2) {
        let new = 1_000 + writer.random.usize(..1_000_000);
        let mut values = Vec::new();
        for column in &table.columns {
            let is_key = table.key.contains(&column.name);
            let refers = table.references.iter().any(|reference| reference.column == column.name);
            let own = match column.value_type {
                ValueType::String if is_key => Value::String(format!("n{new}")),
                ValueType::Int if is_key && (!refers || column.name == "what") => Value::Int(new as i64),
                ValueType::Int if is_key => Value::Int(writer.random.usize(..8) as i64 * 5 - 10),
                _ if writer.random.usize(..5) == 0 => Value::Null,
                value_type => value(writer.random, value_type),
            };
            writer.parameters.push(own);
            values.push("?");
        }
        rows.push(format!("({})", values.join(", ")));
    }
    let sql = format!("INSERT INTO {} VALUES {}", table.name, rows.join(", "));
    writer.written(sql)
}

fn update(mut writer: Writer<'_>, world: &World, table: &Table) -> Written {
    let free: Vec<_> = table.columns.iter().filter(|column| !table.key.contains(&column.name)).collect();
    let mut set = Vec::new();
    for column in &free {
        if !writer.random.bool() {
            continue;
        }
        let is_number = matches!(column.value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
        let refers = table.references.iter().any(|reference| reference.column == column.name);
        set.push(if is_number && !refers && writer.random.bool() {
            let sign = *writer.random.choice(&["+", "-"]).unwrap();
            format!("{0} = {0} {sign} {1}", column.name, writer.random.usize(..4))
        } else {
            let own = match (refers, column.value_type) {
                (true, ValueType::Int) => Value::Int(writer.random.usize(..8) as i64 * 5 - 10),
                _ if writer.random.usize(..5) == 0 => Value::Null,
                (_, value_type) => value(writer.random, value_type),
            };
            writer.parameters.push(own);
            format!("{} = ?", column.name)
        });
    }
    if set.is_empty() {
        set.push(format!("{} = NULL", free[0].name));
    }
    let sql = format!("UPDATE {} SET {}{}", table.name, set.join(", "), filter(&mut writer, world, table));
    writer.written(sql)
}

/// Which rows: by key, by any conditions, or all.
fn filter(writer: &mut Writer<'_>, world: &World, table: &Table) -> String {
    let at = world.workload.tables.iter().position(|known| known.name == table.name).unwrap();
    let rows = &world.rows[at];
    if !rows.is_empty() && writer.random.bool() {
        let row = writer.random.choice(rows).unwrap().clone();
        let mut parts = Vec::new();
        for key in &table.key {
            writer.parameters.push(row[table.column_index(key).unwrap()].clone());
            parts.push(format!("{key} = ?"));
        }
        return format!(" WHERE {}", parts.join(" AND "));
    }
    let conditions: Vec<String> = (0..1 + writer.random.usize(..2)).map(|_| writer.condition(1)).collect();
    format!(" WHERE {}", conditions.join(" AND "))
}
