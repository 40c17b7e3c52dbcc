//! Random tables, and random designs for them.

use fastrand::Rng;
use tablesmith_model::design::{self, Cells, Design, Family, Rows};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::{CellEncoding, Date, Decimal, KeyEncoding, Moment, Value, ValueType};
use tablesmith_model::workload::{Column, Table, Workload};

/// The columns of the table `t`; `id` identifies a row.
pub const COLUMNS: [(&str, ValueType); 9] = [
    ("id", ValueType::Int),
    ("a", ValueType::Int),
    ("s", ValueType::String),
    ("at", ValueType::Timestamp),
    ("day", ValueType::Date),
    ("price", ValueType::Decimal),
    ("share", ValueType::Float),
    ("open", ValueType::Bool),
    ("raw", ValueType::Bytes),
];

/// Keys of random designs, all of which tell rows apart.
const KEYS: [&[&str]; 21] = [
    &["id"],
    &["a", "id"],
    &["desc(a)", "id"],
    &["s", "a", "id"],
    &["day", "s", "id"],
    &["md5_mod(id, 7)", "id"],
    &["mod(id, 3)", "id"],
    &["random(3)", "id"],
    &["md5_line_mod(5)", "id"],
    &["id", "md5_mod(id, 4)"],
    &["random(4)", "a", "id"],
    &["md5(id)"],
    &["md5(s, 2)", "day", "id"],
    &["reverse(s)", "id"],
    &["pad(id, 6)"],
    &["bucket(at, \"1d\")", "at", "id"],
    &["bucket(at, \"1h\")", "desc(at)", "id"],
    &["const(\"x\")", "open", "id"],
    &["row_number()"],
    &["a", "md5_mod(id, 5)", "desc(day)", "id"],
    &["md5_mod(a, 3)", "bucket(day, \"7d\")", "price", "share", "raw", "id"],
];

pub fn workload() -> Workload {
    let columns = COLUMNS.iter().map(|(name, value_type)| Column::new(*name, *value_type)).collect();
    let table = Table { name: "t".into(), key: vec!["id".into()], columns, ..Table::default() };
    Workload { tables: vec![table], ..Workload::default() }
}

/// A value of a column from few, so that conditions meet some rows; null now and then.
pub fn value(random: &mut Rng, value_type: ValueType) -> Value {
    let number = random.usize(..6) as i64;
    match value_type {
        ValueType::Int => Value::Int(number - 2),
        ValueType::String => {
            Value::String((*random.choice(&["", "a", "b", "b\0", "ba", "é"]).unwrap()).to_owned())
        }
        ValueType::Timestamp => {
            Value::Timestamp(Moment::from_micros((number - 3) * 5_400_000_000 + number % 2).unwrap())
        }
        ValueType::Date => Value::Date(Date::from_days(number as i32 * 4 - 9).unwrap()),
        ValueType::Decimal => Value::Decimal(
            Decimal::parse(random.choice(&["-1.5", "0", "0.25", "10", "10.0"]).unwrap()).unwrap(),
        ),
        ValueType::Float => Value::Float(*random.choice(&[-0.0, 0.0, 1.5, -2.25, f64::INFINITY]).unwrap()),
        ValueType::Bool => Value::Bool(random.bool()),
        ValueType::Bytes => {
            Value::Bytes(random.choice(&[&b""[..], b"\0", b"\xff", b"x\0"]).unwrap().to_vec())
        }
    }
}

/// Rows with different ids. Columns are null in no row, in some, or in most.
pub fn rows(random: &mut Rng, count: usize) -> Vec<Vec<Value>> {
    let sparse: Vec<usize> = COLUMNS.iter().map(|_| *random.choice(&[0, 0, 1, 8]).unwrap()).collect();
    let row = |id: usize, random: &mut Rng| {
        let column = |(at, (name, value_type)): (usize, &(&str, ValueType))| {
            if *name == "id" {
                return Value::Int(id as i64 * 3);
            }
            let value = value(random, *value_type);
            if random.usize(..9) < sparse[at] { Value::Null } else { value }
        };
        COLUMNS.iter().enumerate().map(column).collect()
    };
    (0..count).map(|id| row(id, random)).collect()
}

/// A design with a random key, and columns in random families, some of them twice.
pub fn design(random: &mut Rng) -> Design {
    let parts = *random.choice(&KEYS).unwrap();
    design_with_key(random, parts)
}

pub fn design_with_key(random: &mut Rng, parts: &[&str]) -> Design {
    let encoding = *random.choice(&KeyEncoding::ALL).unwrap();
    let key = Key::parse(parts, encoding).unwrap();
    let names = ["f", "g", "h", "i"];
    let families = 1 + random.usize(..names.len());
    let mut cells: Vec<Cells> = Vec::new();
    for (column, value_type) in COLUMNS {
        let in_key = key.parts.iter().any(|part| part.gives_back() == Some(column));
        if in_key && random.bool() {
            continue;
        }
        let first = random.usize(..families);
        let copies = (0..families).filter(|_| random.usize(..4) == 0);
        let mut places: Vec<usize> = std::iter::once(first).chain(copies).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let fitting: Vec<CellEncoding> =
                CellEncoding::ALL.into_iter().filter(|encoding| encoding.takes(value_type)).collect();
            let encoding = if random.bool() { None } else { Some(*random.choice(&fitting).unwrap()) };
            let family = names[place].to_owned();
            cells.push(Cells { family, columns: vec![column.to_owned()], encoding, ..Cells::default() });
        }
    }
    let splits = if random.usize(..3) == 0 { vec![vec![2], vec![0x80, 0, 1]] } else { Vec::new() };
    let rows = Rows { from: "t".into(), join: Vec::new(), key, cells };
    let families = names[..families].iter().map(|name| Family::new(*name)).collect();
    let table = design::Table { name: "laid".into(), splits, families, rows: vec![rows] };
    Design { tables: vec![table], ..Design::default() }
}

/// Whether the key of a design is known when `id` is.
pub fn is_keyed_by_id(design: &Design) -> bool {
    let parts = &design.tables[0].rows[0].key.parts;
    parts.iter().all(|part| {
        !matches!(part, Part::RowNumber | Part::Random(_)) && part.fields().iter().all(|field| field == "id")
    })
}
