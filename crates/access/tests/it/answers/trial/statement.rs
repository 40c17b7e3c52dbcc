//! Random statements, and what is needed to compare their answers.

use fastrand::Rng;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Table;
use tablesmith_sql::executable::Parameters;

use super::world::{World, key, value};

/// A statement for both.
pub struct Written {
    pub sql: String,
    pub without_limit: String,
    pub parameters: Vec<Value>,
    /// The places of items that the answer is sorted by.
    pub order: Vec<usize>,
}

impl Written {
    /// The values of its parameters.
    pub fn bound(&self) -> Parameters {
        Parameters::in_order(self.parameters.clone())
    }
}

/// A column that can be named.
#[derive(Clone)]
pub struct Named {
    text: String,
    value_type: ValueType,
}

/// Tables that are joined, and how.
const JOINS: [(&[(&str, &str)], &str); 10] = [
    (&[("person", "p")], ""),
    (&[("thing", "t")], ""),
    (&[("likes", "l")], ""),
    (&[("thing", "t"), ("person", "p")], "t.owner = p.id"),
    (&[("likes", "l"), ("person", "p")], "p.id = l.who"),
    (&[("likes", "l"), ("thing", "t")], "l.what = t.no"),
    (&[("person", "p"), ("likes", "l"), ("thing", "t")], "l.who = p.id AND l.what = t.no"),
    (&[("thing", "t"), ("likes", "l")], "t.owner = l.who"),
    (&[("thing", "t"), ("thing", "u")], "t.owner = u.owner"),
    (&[("likes", "l"), ("thing", "t"), ("person", "p")], "l.what = t.no AND t.owner = p.id AND l.who = p.id"),
];

pub struct Writer<'w> {
    pub random: &'w mut Rng,
    pub parameters: Vec<Value>,
    columns: Vec<Named>,
}

/// A random query.
pub fn select(random: &mut Rng, world: &World) -> Written {
    let (tables, on) = *random.choice(&JOINS).unwrap();
    let named: Vec<(&Table, &str)> =
        tables.iter().map(|(name, alias)| (world.workload.table(name).unwrap(), *alias)).collect();
    let from = from(random, tables, on);
    let mut writer = Writer::of(random, &named);
    let is_grouped = writer.random.usize(..3) == 0;
    let mut conditions = from.1;
    for _ in 0..writer.random.usize(..4) {
        conditions.push(writer.condition(2));
    }
    if let Some(joined) = on.split(' ').next().filter(|word| !word.is_empty() && writer.random.bool()) {
        conditions.push(writer.pinned(joined));
    }
    let filter =
        if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    let (items, tail, order) = if is_grouped { writer.grouped() } else { writer.plain() };
    let without_limit = format!("SELECT {items} FROM {}{filter}{tail}", from.0);
    let mut sql = without_limit.clone();
    if writer.random.usize(..3) == 0 {
        sql += &format!(" LIMIT {}", writer.random.usize(..8));
        if writer.random.bool() {
            sql += &format!(" OFFSET {}", writer.random.usize(..5));
        }
    }
    Written { sql, without_limit, parameters: writer.parameters, order }
}

/// `FROM`, with joins written in either way, and the conditions that are left for `WHERE`.
fn from(random: &mut Rng, tables: &[(&str, &str)], on: &str) -> (String, Vec<String>) {
    let named: Vec<String> = tables.iter().map(|(name, alias)| format!("{name} {alias}")).collect();
    if on.is_empty() {
        return (named.join(", "), Vec::new());
    }
    if tables.len() == 2 && random.bool() {
        return (format!("{} ON {on}", named.join(" JOIN ")), Vec::new());
    }
    (named.join(", "), vec![on.to_owned()])
}

impl<'w> Writer<'w> {
    /// Writes statements on these tables, each with its alias.
    pub fn of(random: &'w mut Rng, tables: &[(&Table, &str)]) -> Self {
        let mut columns = Vec::new();
        for (table, alias) in tables {
            columns.extend(table.columns.iter().map(|column| Named {
                text: if alias.is_empty() { column.name.clone() } else { format!("{alias}.{}", column.name) },
                value_type: column.value_type,
            }));
        }
        Self { random, parameters: Vec::new(), columns }
    }

    /// A statement that is no query.
    pub fn written(self, sql: String) -> Written {
        Written { without_limit: sql.clone(), sql, parameters: self.parameters, order: Vec::new() }
    }

    fn column(&mut self) -> Named {
        self.random.choice(&self.columns).unwrap().clone()
    }

    fn number_column(&mut self) -> Option<Named> {
        let is_number = |named: &&Named| {
            matches!(named.value_type, ValueType::Int | ValueType::Float | ValueType::Decimal)
        };
        let numbers: Vec<Named> = self.columns.iter().filter(is_number).cloned().collect();
        (!numbers.is_empty()).then(|| self.random.choice(&numbers).unwrap().clone())
    }

    /// A value as a parameter, or as a literal where both read it alike.
    fn value(&mut self, value_type: ValueType) -> String {
        let mut value =
            if self.random.usize(..12) == 0 { Value::Null } else { value(self.random, value_type) };
        if value_type == ValueType::Int && self.random.usize(..8) == 0 {
            value = Value::Float(self.random.usize(..9) as f64 / 2.0 - 2.0);
        }
        match &value {
            Value::Int(number) if self.random.bool() => number.to_string(),
            Value::String(text) if self.random.bool() => format!("'{text}'"),
            Value::Float(number) if self.random.bool() => format!("{number:?}"),
            _ => {
                self.parameters.push(value);
                "?".to_owned()
            }
        }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.usize(..5) == 0 {
            let (one, two) = (self.condition(depth - 1), self.condition(depth - 1));
            let word = *self.random.choice(&["OR", "OR", "AND"]).unwrap();
            return format!("({one} {word} {two})");
        }
        if depth > 0 && self.random.usize(..8) == 0 {
            let inner = self.condition(depth - 1);
            return format!("NOT ({inner})");
        }
        let Named { text, value_type } = self.column();
        match self.random.usize(..10) {
            0 => format!("{text} IS NULL"),
            1 => format!("{text} IS NOT NULL"),
            2 | 3 => {
                let values: Vec<String> =
                    (0..1 + self.random.usize(..3)).map(|_| self.value(value_type)).collect();
                let not = if self.random.usize(..4) == 0 { "NOT " } else { "" };
                format!("{text} {not}IN ({})", values.join(", "))
            }
            4 => {
                let (low, high) = (self.value(value_type), self.value(value_type));
                format!("{text} BETWEEN {low} AND {high}")
            }
            5 if value_type == ValueType::String => {
                let pattern =
                    *self.random.choice(&["a%", "%b", "_", "", "%", "a_", "b%a%", "k%", "K1%"]).unwrap();
                format!("{text} LIKE '{pattern}'")
            }
            6 => match self.same_type(value_type) {
                other if other.text != text => {
                    let operator = *self.random.choice(&["=", "<", "<>", ">="]).unwrap();
                    format!("{text} {operator} {}", other.text)
                }
                _ => format!("{text} IS NOT NULL"),
            },
            _ => {
                let operator = *self.random.choice(&["=", "=", "<", "<=", ">", ">=", "<>"]).unwrap();
                let value = self.value(value_type);
                if self.random.usize(..6) == 0 && value != "NULL" {
                    let turned = match operator {
                        "<" => ">",
                        "<=" => ">=",
                        ">" => "<",
                        ">=" => "<=",
                        same => same,
                    };
                    return format!("{value} {turned} {text}");
                }
                format!("{text} {operator} {value}")
            }
        }
    }

    /// A condition that a column has the value of a key, or one of a few.
    fn pinned(&mut self, column: &str) -> String {
        let named = self.columns.iter().find(|named| named.text == column).cloned();
        let value_type = named.map_or(ValueType::Int, |named| named.value_type);
        let mut value = || {
            self.parameters.push(key(value_type, self.random.usize(..8)));
            "?"
        };
        let (first, second) = (value(), value());
        match self.random.usize(..4) == 0 {
            true => format!("{column} IN ({first}, {second})"),
            false => {
                self.parameters.pop();
                format!("{column} = {first}")
            }
        }
    }

    fn same_type(&mut self, value_type: ValueType) -> Named {
        let same: Vec<Named> =
            self.columns.iter().filter(|named| named.value_type == value_type).cloned().collect();
        self.random.choice(&same).unwrap().clone()
    }

    /// Items, what follows `WHERE`, and the places of items that are sorted by.
    fn plain(&mut self) -> (String, String, Vec<usize>) {
        let mut items: Vec<String> = (0..1 + self.random.usize(..4)).map(|_| self.column().text).collect();
        if self.random.usize(..8) == 0 {
            items = self.columns.iter().map(|named| named.text.clone()).collect();
        }
        let distinct = if self.random.usize(..6) == 0 { "DISTINCT " } else { "" };
        let (tail, order) = self.order(&items);
        let is_all = items.len() == self.columns.len()
            && items.iter().zip(&self.columns).all(|(item, named)| *item == named.text);
        let items = if is_all && self.random.bool() { "*".to_owned() } else { items.join(", ") };
        (format!("{distinct}{items}"), tail, order)
    }

    fn order(&mut self, items: &[String]) -> (String, Vec<usize>) {
        if self.random.bool() {
            return (String::new(), Vec::new());
        }
        let (mut words, mut order) = (Vec::new(), Vec::new());
        for _ in 0..1 + self.random.usize(..2) {
            let at = self.random.usize(..items.len());
            if order.contains(&at) {
                continue;
            }
            order.push(at);
            let direction =
                *self.random.choice(&["", "", " DESC", " ASC", " NULLS LAST", " DESC NULLS FIRST"]).unwrap();
            words.push(format!("{}{direction}", items[at]));
        }
        (format!(" ORDER BY {}", words.join(", ")), order)
    }

    fn grouped(&mut self) -> (String, String, Vec<usize>) {
        let mut by: Vec<String> = (0..self.random.usize(..3)).map(|_| self.column().text).collect();
        by.dedup();
        let mut items = by.clone();
        for _ in 0..1 + self.random.usize(..3) {
            let aggregate = self.aggregate();
            items.push(aggregate);
        }
        let mut tail = if by.is_empty() { String::new() } else { format!(" GROUP BY {}", by.join(", ")) };
        let has_alias = !by.is_empty() && self.random.usize(..8) == 0;
        if has_alias || !by.is_empty() && self.random.usize(..4) == 0 {
            let count = if has_alias { "n_alias" } else { "COUNT(*)" };
            tail += &format!(" HAVING {count} > {}", self.random.usize(..3));
        }
        let (order, places) = self.order(&items);
        if has_alias {
            items.push("COUNT(*) AS n_alias".to_owned());
        }
        (items.join(", "), tail + &order, places)
    }

    fn aggregate(&mut self) -> String {
        let of = self.column().text;
        match (self.random.usize(..7), self.number_column()) {
            (0 | 1, _) => "COUNT(*)".to_owned(),
            (2, _) => format!("COUNT({of})"),
            (3, _) => format!("COUNT(DISTINCT {of})"),
            (4, Some(number)) => format!("SUM({})", number.text),
            (5, Some(number)) => format!("AVG({})", number.text),
            _ => format!("{}({of})", self.random.choice(&["MIN", "MAX"]).unwrap()),
        }
    }
}
