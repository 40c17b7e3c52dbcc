//! Random designs, and their tables filled with the rows of a world.

use fastrand::Rng;
use tablesmith_access::answer::Database;
use tablesmith_access::{Living, Steps};
use tablesmith_model::design::{Cells, Design, Family, Qualifier, Rows, Table};
use tablesmith_model::key::Key;
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload;
use tablesmith_sql::executable::Insert;
use tablesmith_store::Store;

use super::world::World;

/// Copies that are joined along references: the table they begin with, what they follow, and their key.
const JOINED: [(&str, &[&str], &[&str]); 7] = [
    ("likes", &["likes.what"], &["who", "what"]),
    ("likes", &["likes.who"], &["what", "desc(who)"]),
    ("likes", &["likes.who", "likes.what"], &["md5_mod(what, 3)", "what", "who"]),
    ("thing", &["likes.what"], &["likes.who", "desc(no)"]),
    ("thing", &["thing.owner"], &["owner", "no"]),
    ("thing", &["likes.who"], &["likes.what", "no", "likes.who"]),
    ("person", &["thing.owner"], &["id", "desc(thing.no)"]),
];

/// Parents and children that can lie side by side in one table, and the column that says whose child it is.
const BESIDE: [(&str, &str, &str); 3] =
    [("person", "thing", "owner"), ("person", "likes", "who"), ("thing", "likes", "what")];

/// A design: a master of every table, and copies of some. The names of its tables begin as said.
pub fn random(random: &mut Rng, world: &World, names: &str) -> Design {
    let mut making = Making { random, names, tables: Vec::new() };
    let beside = BESIDE.iter().find(|_| making.random.usize(..6) == 0);
    if let Some((parent, child, reference)) = beside {
        let [parent, child] = [parent, child].map(|name| world.workload.table(name).unwrap());
        making.beside(parent, child, reference);
    }
    for table in &world.workload.tables {
        if !beside.is_some_and(|(parent, child, _)| [parent, child].contains(&&table.name.as_str())) {
            making.master(table);
        }
        if making.random.bool() {
            making.copy(table);
        }
    }
    for (from, join, key) in JOINED {
        if making.random.usize(..4) == 0 {
            making.joined(&world.workload, from, join, key);
        }
    }
    Design { tables: making.tables, ..Design::default() }
}

struct Making<'m> {
    random: &'m mut Rng,
    names: &'m str,
    tables: Vec<Table>,
}

impl Making<'_> {
    /// A place of all columns: tall by its key in some way, or wide.
    fn master(&mut self, table: &workload::Table) {
        let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        let (key, qualifier): (Vec<String>, Option<String>) =
            match (table.key.as_slice(), self.random.usize(..6)) {
                ([key], 0) => (vec![format!("desc({key})")], None),
                ([key], 1) => (vec![format!("md5_mod({key}, 3)"), key.clone()], None),
                ([key], 2) => (vec![format!("md5({key})")], None),
                ([key], 3) => (vec!["const(\"x\")".into()], Some(key.clone())),
                ([one, two], 0) => (vec![two.clone(), one.clone()], None),
                ([one, two], 1) => {
                    (vec![format!("md5_mod({one}, {two}, 2)"), one.clone(), two.clone()], None)
                }
                ([one, two], 2 | 3) => (vec![one.clone()], Some(format!("desc({two})"))),
                (key, _) => (key.to_vec(), None),
            };
        self.place(&table.name, &[], &key, qualifier, &columns);
    }

    /// Parents and their children in one table: in one row, or in rows beside each other.
    fn beside(&mut self, parent: &workload::Table, child: &workload::Table, reference: &str) {
        let encoding = *self.random.choice(&KeyEncoding::ALL).unwrap();
        let is_one_row = self.random.bool();
        let id = parent.key[0].clone();
        let rest = child.key.iter().filter(|key| *key != reference).cloned();
        let rest: Vec<String> =
            rest.map(|key| if self.random.bool() { format!("desc({key})") } else { key }).collect();
        let columns = |table: &workload::Table, without: &[&str]| {
            let names = table.columns.iter().map(|column| column.name.clone());
            names.filter(|name| !without.contains(&name.as_str())).collect::<Vec<_>>()
        };
        let inside: Vec<&str> = child.key.iter().map(String::as_str).chain([reference]).collect();
        let mut own =
            vec![Cells { family: "f".into(), columns: columns(parent, &[&id]), ..Cells::default() }];
        let (mut key, mut child_key) = (vec![id.clone()], vec![reference.to_owned()]);
        if self.random.usize(..3) == 0 {
            key.insert(0, format!("md5_mod({id}, 2)"));
            child_key.insert(0, format!("md5_mod({reference}, 2)"));
        }
        let cells = if is_one_row {
            wide(Qualifier::parse(&rest.join(", ")).unwrap(), columns(child, &inside))
        } else {
            key.push("const(\"0\")".into());
            child_key.push("const(\"1\")".into());
            child_key.extend(rest);
            if self.random.bool() {
                own[0].family = "g".into();
            }
            Cells { family: "f".into(), columns: columns(child, &inside), ..Cells::default() }
        };
        let mut names: Vec<&str> = vec![&own[0].family, &cells.family];
        names.dedup();
        let families = names.into_iter().map(Family::new).collect();
        let rows =
            [(parent, key, own.clone()), (child, child_key, vec![cells])].map(|(table, key, cells)| Rows {
                from: table.name.clone(),
                join: Vec::new(),
                key: Key::parse(&key, encoding).unwrap(),
                cells,
            });
        let name = format!("{}_{}", self.names, self.tables.len());
        self.tables.push(Table { name, splits: Vec::new(), families, rows: rows.into() });
    }

    /// Another order of some columns, tall or wide.
    fn copy(&mut self, table: &workload::Table) {
        let first = table.columns[self.random.usize(..table.columns.len())].name.clone();
        let copied = table.columns.iter().filter(|_| self.random.usize(..4) != 0);
        let columns: Vec<String> = copied.map(|column| column.name.clone()).collect();
        let rest: Vec<String> = table.key.iter().filter(|key| **key != first).cloned().collect();
        let first = if self.random.bool() { format!("desc({first})") } else { first };
        if !rest.is_empty() && self.random.bool() {
            self.place(&table.name, &[], &[first], Some(rest.join(", ")), &columns);
        } else {
            self.place(&table.name, &[], &[vec![first], rest].concat(), None, &columns);
        }
    }

    fn joined(&mut self, workload: &workload::Workload, from: &str, join: &[&str], key: &[&str]) {
        let key: Vec<String> = key.iter().map(|part| (*part).to_owned()).collect();
        let mut columns = Vec::new();
        let named = |reference: &str| {
            let (table, column) = reference.split_once('.').unwrap();
            let known = workload.table(table).unwrap();
            let target = known.references.iter().find(|known| known.column == column).unwrap();
            [table.to_owned(), target.table.clone()]
        };
        // A table that is followed from brings in its target, one that is not comes in itself.
        let mut tables = vec![from.to_owned()];
        for reference in join {
            let [table, target] = named(reference);
            tables.push(if tables.contains(&table) { target } else { table });
        }
        for table in &tables {
            for column in
                workload.table(table).unwrap().columns.iter().filter(|_| self.random.usize(..4) != 0)
            {
                columns.push(if table == from {
                    column.name.clone()
                } else {
                    format!("{table}.{}", column.name)
                });
            }
        }
        self.place(from, join, &key, None, &columns);
    }

    /// A table with one kind of rows.
    fn place(
        &mut self,
        from: &str,
        join: &[&str],
        key: &[String],
        qualifier: Option<String>,
        columns: &[String],
    ) {
        let encoding = *self.random.choice(&KeyEncoding::ALL).unwrap();
        let key = Key::parse(key, encoding).unwrap();
        let qualifier = qualifier.map(|text| Qualifier::parse(&text).unwrap());
        let inside = qualifier.iter().filter_map(Qualifier::parts).flatten();
        let parts: Vec<_> = key.parts.iter().cloned().chain(inside).collect();
        let is_in_key = |column: &String| parts.iter().any(|part| part.gives_back() == Some(column));
        let left: Vec<String> = columns.iter().filter(|column| !is_in_key(column)).cloned().collect();
        let cells = match qualifier {
            Some(qualifier) => vec![wide(qualifier, left)],
            None => self.tall(left, columns),
        };
        let mut families: Vec<Family> = Vec::new();
        for cells in &cells {
            if !families.iter().any(|family| family.name == cells.family) {
                families.push(Family::new(cells.family.clone()));
            }
        }
        let splits = if self.random.usize(..3) == 0 { vec![vec![1], vec![0x80, 0, 1]] } else { Vec::new() };
        let join = join.iter().map(|reference| (*reference).to_owned()).collect();
        let rows = vec![Rows { from: from.into(), join, key, cells }];
        let name = format!("{}_{}", self.names, self.tables.len());
        self.tables.push(Table { name, splits, families, rows });
    }

    fn tall(&mut self, left: Vec<String>, columns: &[String]) -> Vec<Cells> {
        let (mut f, mut g) = (Vec::new(), Vec::new());
        for column in left {
            if self.random.usize(..3) == 0 { g.push(column) } else { f.push(column) }
        }
        if f.is_empty() && g.is_empty() {
            f.extend(columns.first().cloned());
        }
        let together = f.len() > 1 && self.random.usize(..4) == 0;
        let mut cells = vec![Cells { family: "f".into(), columns: f, together, ..Cells::default() }];
        cells.push(Cells { family: "g".into(), columns: g, ..Cells::default() });
        cells.retain(|cells| !cells.columns.is_empty());
        if cells.is_empty() {
            cells.push(Cells { family: "f".into(), ..Cells::default() });
        }
        cells
    }
}

fn wide(qualifier: Qualifier, mut columns: Vec<String>) -> Cells {
    let cells = Cells { family: "w".into(), qualifier: Some(qualifier), ..Cells::default() };
    match columns.len() {
        1 => Cells { value: columns.pop(), ..cells },
        0 => cells,
        _ => Cells { columns, together: true, ..cells },
    }
}

/// Makes the tables and writes the rows, all copies of each.
pub async fn fill(store: &dyn Store, world: &World, design: &Design, database: &Database) {
    let steps = Steps::of(design, &Living::default(), &[]).unwrap();
    steps.make(store, &mut |_| {}).await.unwrap();
    for (table, rows) in world.workload.tables.iter().zip(&world.rows) {
        let insert = Insert { table: table.name.clone(), rows: rows.clone() };
        assert_eq!(database.insert(store, &insert).await.unwrap().rows, rows.len() as u64);
    }
}
