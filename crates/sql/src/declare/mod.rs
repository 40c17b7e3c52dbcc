//! What `CREATE TABLE` and `ALTER TABLE` declare: columns with their types, keys, references.
//!
//! Dumps say it in pieces: PostgreSQL's declares a table first and its keys pages later. So a statement gives a list of
//! [`Declared`], and whoever reads the dump puts them together.

mod loose;
mod parsed;
mod types;

use tablesmith_model::value::ValueType;

use crate::dialect::Dialect;
use crate::names;
use crate::parse::on_large_stack;
use crate::qualified_name::QualifiedName;
pub use types::Notation;

/// Longer declarations are nobody's table.
const DECLARATION_BYTES_MAX: usize = 1 << 18;

/// Deeper parentheses are nobody's table, and parsers try them in more than one way at every level.
const NESTING_MAX: usize = 40;

/// A column as it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredColumn {
    /// Its name.
    pub name: String,
    /// Our type of it.
    pub value_type: ValueType,
    /// How a dump writes its values.
    pub notation: Notation,
    /// Whether a row may have none.
    pub is_nullable: bool,
    /// Whether the database computes it from others.
    pub is_computed: bool,
}

/// One thing that a statement declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// A table with its columns, in their order.
    Table {
        /// The table.
        table: QualifiedName,
        /// Its own columns.
        columns: Vec<DeclaredColumn>,
        /// Tables whose columns come before its own.
        inherits: Vec<QualifiedName>,
    },
    /// A further column of a table.
    Column {
        /// The table.
        table: QualifiedName,
        /// The column.
        column: DeclaredColumn,
    },
    /// A table whose rows are rows of another.
    Part {
        /// The part.
        table: QualifiedName,
        /// The whole.
        of: QualifiedName,
    },
    /// What identifies a row.
    Key {
        /// The table.
        table: QualifiedName,
        /// Its columns.
        columns: Vec<String>,
        /// Whether it is the primary key, rather than unique.
        is_primary: bool,
    },
    /// Columns that point to another table.
    Reference {
        /// The table.
        table: QualifiedName,
        /// Its columns.
        columns: Vec<String>,
        /// The table that they point to.
        other: QualifiedName,
        /// Its columns; empty: its primary key.
        targets: Vec<String>,
    },
}

/// What a statement declares; nothing when it declares no table. `Err` has the parser's words when it begins like a
/// declaration and cannot be read.
pub fn declared(sql: &str, dialect: Dialect) -> Result<Vec<Declared>, String> {
    if sql.len() > DECLARATION_BYTES_MAX {
        return Err(format!("a declaration of {} bytes is too long", sql.len()));
    }
    if names::nesting(sql, dialect) > NESTING_MAX {
        return Err(format!("more than {NESTING_MAX} parentheses inside each other"));
    }
    on_large_stack(sql.len(), || parse_and_read(sql, dialect))
}

/// The tree is dropped here, on the same large stack.
fn parse_and_read(sql: &str, dialect: Dialect) -> Result<Vec<Declared>, String> {
    if let Some(part) = loose::attached(sql, dialect) {
        return Ok(vec![part]);
    }
    parsed::read(sql, dialect).or_else(|why| loose::table(sql, dialect).ok_or(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sql: &str, dialect: Dialect) -> Vec<Declared> {
        declared(sql, dialect).unwrap()
    }

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_table_of_postgres_and_its_keys_pages_later() {
        let table = "CREATE TABLE public.follow (follower character varying(20) NOT NULL, followed text, \
                     since timestamp with time zone DEFAULT now(), weight numeric(10,2), ok boolean, tags text[])";
        let found = read(table, Dialect::Postgres);
        let [Declared::Table { table, columns, .. }] = found.as_slice() else { panic!("{found:?}") };
        let types: Vec<ValueType> = columns.iter().map(|column| column.value_type).collect();
        assert_eq!(table.to_string(), "public.follow");
        assert_eq!((columns[0].is_nullable, columns[1].is_nullable), (false, true));
        assert_eq!(
            types,
            [
                ValueType::String,
                ValueType::String,
                ValueType::Timestamp,
                ValueType::Decimal,
                ValueType::Bool,
                ValueType::String
            ]
        );
        let key =
            "ALTER TABLE ONLY public.follow ADD CONSTRAINT follow_pkey PRIMARY KEY (follower, followed)";
        let columns = strings(&["follower", "followed"]);
        assert_eq!(
            read(key, Dialect::Postgres),
            [Declared::Key {
                table: QualifiedName { schema: Some("public".into()), name: "follow".into() },
                columns,
                is_primary: true
            }]
        );
        let reference = "ALTER TABLE ONLY public.follow ADD CONSTRAINT f FOREIGN KEY (follower) REFERENCES \
                         public.users(id) ON DELETE CASCADE";
        let found = read(reference, Dialect::Postgres);
        let [Declared::Reference { other, targets, .. }] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((other.name.as_str(), targets), ("users", &strings(&["id"])));
    }

    #[test]
    fn a_table_of_mysql_has_its_keys_inside() {
        let sql = "CREATE TABLE `orders` (`id` bigint(20) unsigned NOT NULL AUTO_INCREMENT, `user_id` int(11) NOT NULL, \
                   `made` datetime DEFAULT NULL, PRIMARY KEY (`id`), KEY `k` (`user_id`), CONSTRAINT `c` FOREIGN KEY \
                   (`user_id`) REFERENCES `users` (`id`)) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4";
        let found = read(sql, Dialect::MySql);
        let [Declared::Table { columns, .. }, Declared::Key { columns: key, .. }, Declared::Reference { .. }] =
            found.as_slice()
        else {
            panic!("{found:?}")
        };
        assert_eq!(key, &strings(&["id"]));
        let types: Vec<ValueType> = columns.iter().map(|column| column.value_type).collect();
        assert_eq!(types, [ValueType::Decimal, ValueType::Int, ValueType::Timestamp]);
    }

    #[test]
    fn options_of_columns_declare_too() {
        let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, other INT REFERENCES o)";
        let found = read(sql, Dialect::Generic);
        assert!(matches!(found.get(1), Some(Declared::Key { is_primary: true, .. })), "{found:?}");
        assert!(matches!(found.get(2), Some(Declared::Key { is_primary: false, .. })), "{found:?}");
        let Some(Declared::Reference { targets, other, .. }) = found.get(3) else { panic!("{found:?}") };
        assert_eq!((other.name.as_str(), targets.len()), ("o", 0));
    }

    #[test]
    fn other_statements_declare_nothing_and_bad_ones_say_why() {
        assert_eq!(read("SET search_path = ''", Dialect::Postgres), []);
        assert!(declared("CREATE TABLE t (", Dialect::Generic).unwrap_err().contains("Expected"));
        let deep = format!("CREATE TABLE t (a int CHECK {}1{})", "(".repeat(5_000), ")".repeat(5_000));
        assert!(declared(&deep, Dialect::Generic).unwrap_err().contains("inside each other"));
    }
}
