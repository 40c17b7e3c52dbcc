//! What `CREATE TABLE` and `ALTER TABLE` declare: columns with their types, keys, references.
//!
//! Dumps say it in pieces: PostgreSQL's declares a table first and its keys pages later. So a statement gives a list of
//! [`Declared`], and whoever reads the dump puts them together.

use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, CreateTable, DataType, Expr, ForeignKeyConstraint, Ident,
    IndexColumn, ObjectName, Statement, TableConstraint,
};
use sqlparser::dialect as parser;
use sqlparser::parser::Parser;
use tablesmith_model::value::ValueType;

use crate::dialect::Dialect;
use crate::names;
use crate::resolve::stack_bytes;

/// Longer declarations are nobody's table.
const DECLARATION_BYTES_MAX: usize = 1 << 18;

/// Deeper parentheses are nobody's table, and parsers try them in more than one way at every level.
const NESTING_MAX: usize = 40;

/// One thing that a statement declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// A table with its columns, in their order.
    Table {
        /// The table.
        table: String,
        /// Names and types.
        columns: Vec<(String, ValueType)>,
    },
    /// A further column of a table.
    Column {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        value_type: ValueType,
    },
    /// What identifies a row.
    Key {
        /// The table.
        table: String,
        /// Its columns.
        columns: Vec<String>,
        /// Whether it is the primary key, rather than unique.
        is_primary: bool,
    },
    /// Columns that point to another table.
    Reference {
        /// The table.
        table: String,
        /// Its columns.
        columns: Vec<String>,
        /// The table that they point to.
        other: String,
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
    let bytes = stack_bytes(sql);
    stacker::maybe_grow(bytes, bytes, || parse_and_read(sql, dialect))
}

/// The tree is dropped here, on the same large stack.
fn parse_and_read(sql: &str, dialect: Dialect) -> Result<Vec<Declared>, String> {
    let mut first_error = None;
    // Only SQLite has columns without a type.
    let sqlite: &dyn parser::Dialect = &parser::SQLiteDialect {};
    for parser in dialect.parsers().into_iter().chain([sqlite]) {
        match Parser::parse_sql(parser, sql) {
            Ok(statements) => return Ok(statements.iter().flat_map(of_statement).collect()),
            Err(error) => {
                first_error.get_or_insert_with(|| error.to_string());
            }
        }
    }
    Err(first_error.unwrap_or_default())
}

fn of_statement(statement: &Statement) -> Vec<Declared> {
    match statement {
        Statement::CreateTable(table) => of_table(table),
        Statement::AlterTable(alter) => {
            let table = name(&alter.name);
            alter.operations.iter().flat_map(|operation| of_change(&table, operation)).collect()
        }
        _ => Vec::new(),
    }
}

fn of_table(created: &CreateTable) -> Vec<Declared> {
    let table = name(&created.name);
    let columns = created.columns.iter().map(|column| (column.name.value.clone(), type_of(column)));
    let mut found = vec![Declared::Table { table: table.clone(), columns: columns.collect() }];
    found.extend(created.columns.iter().flat_map(|column| of_options(&table, column)));
    found.extend(created.constraints.iter().filter_map(|constraint| of_constraint(&table, constraint)));
    found
}

fn of_change(table: &str, operation: &AlterTableOperation) -> Vec<Declared> {
    match operation {
        AlterTableOperation::AddConstraint { constraint, .. } => {
            of_constraint(table, constraint).into_iter().collect()
        }
        AlterTableOperation::AddColumn { column_def, .. } => {
            let (column, value_type) = (column_def.name.value.clone(), type_of(column_def));
            let mut found = vec![Declared::Column { table: table.to_owned(), column, value_type }];
            found.extend(of_options(table, column_def));
            found
        }
        _ => Vec::new(),
    }
}

/// What stands behind a column: `PRIMARY KEY`, `REFERENCES other (id)`.
fn of_options(table: &str, column: &ColumnDef) -> Vec<Declared> {
    let own = || vec![column.name.value.clone()];
    let key = |is_primary| Declared::Key { table: table.to_owned(), columns: own(), is_primary };
    let declared = column.options.iter().filter_map(|option| match &option.option {
        ColumnOption::PrimaryKey(_) => Some(key(true)),
        ColumnOption::Unique(_) => Some(key(false)),
        ColumnOption::ForeignKey(foreign) => Some(reference(table, own(), foreign)),
        _ => None,
    });
    declared.collect()
}

fn of_constraint(table: &str, constraint: &TableConstraint) -> Option<Declared> {
    let key = |columns: &[IndexColumn], is_primary| {
        let columns = columns.iter().map(column_of).collect::<Option<Vec<_>>>()?;
        Some(Declared::Key { table: table.to_owned(), columns, is_primary })
    };
    match constraint {
        TableConstraint::PrimaryKey(primary) => key(&primary.columns, true),
        TableConstraint::Unique(unique) => key(&unique.columns, false),
        TableConstraint::ForeignKey(foreign) => Some(reference(table, words(&foreign.columns), foreign)),
        _ => None,
    }
}

fn reference(table: &str, columns: Vec<String>, foreign: &ForeignKeyConstraint) -> Declared {
    let (other, targets) = (name(&foreign.foreign_table), words(&foreign.referred_columns));
    Declared::Reference { table: table.to_owned(), columns, other, targets }
}

/// The column of an index; none when it is made of an expression.
fn column_of(column: &IndexColumn) -> Option<String> {
    match &column.column.expr {
        Expr::Identifier(name) => Some(name.value.clone()),
        _ => None,
    }
}

fn words(names: &[Ident]) -> Vec<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

/// The table's own name, without the schema before it.
fn name(name: &ObjectName) -> String {
    let last = name.0.last().and_then(|part| part.as_ident());
    last.map(|part| part.value.clone()).unwrap_or_default()
}

/// Our type of a column. What no type of ours goes with is text: nothing is lost then.
fn type_of(column: &ColumnDef) -> ValueType {
    if column.data_type == DataType::Unspecified {
        return ValueType::String;
    }
    let words = column.data_type.to_string().to_ascii_lowercase();
    let first = words.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    match first {
        _ if words.contains('[') => ValueType::String,
        // Its greatest values are beyond 64 bits with a sign.
        "bigint" | "int8" if words.contains("unsigned") => ValueType::Decimal,
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "mediumint" | "int2" | "int4" | "int8"
        | "int16" | "int32" | "int64" | "serial" | "bigserial" | "smallserial" | "serial4" | "serial8"
        | "serial2" | "uint8" | "uint16" | "uint32" | "year" | "oid" => ValueType::Int,
        "float" | "float4" | "float8" | "float32" | "float64" | "double" | "real" => ValueType::Float,
        "numeric" | "decimal" | "dec" | "number" | "money" | "bignumeric" | "bigdecimal" => {
            ValueType::Decimal
        }
        "bool" | "boolean" => ValueType::Bool,
        "date" | "date32" => ValueType::Date,
        "timestamp" | "timestamptz" | "datetime" | "datetime2" | "datetime64" => ValueType::Timestamp,
        "bytea" | "blob" | "tinyblob" | "mediumblob" | "longblob" | "binary" | "varbinary" | "bytes"
        | "image" => ValueType::Bytes,
        _ => ValueType::String,
    }
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
        let [Declared::Table { table, columns }] = found.as_slice() else { panic!("{found:?}") };
        let types: Vec<ValueType> = columns.iter().map(|(_, value_type)| *value_type).collect();
        assert_eq!(table, "follow");
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
            [Declared::Key { table: "follow".into(), columns, is_primary: true }]
        );
        let reference = "ALTER TABLE ONLY public.follow ADD CONSTRAINT f FOREIGN KEY (follower) REFERENCES \
                         public.users(id) ON DELETE CASCADE";
        let found = read(reference, Dialect::Postgres);
        let [Declared::Reference { other, targets, .. }] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((other.as_str(), targets), ("users", &strings(&["id"])));
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
        assert_eq!(columns.first().unwrap(), &("id".to_owned(), ValueType::Decimal));
        assert_eq!(columns.last().unwrap(), &("made".to_owned(), ValueType::Timestamp));
    }

    #[test]
    fn options_of_columns_declare_too() {
        let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, other INT REFERENCES o)";
        let found = read(sql, Dialect::Generic);
        assert!(matches!(found.get(1), Some(Declared::Key { is_primary: true, .. })), "{found:?}");
        assert!(matches!(found.get(2), Some(Declared::Key { is_primary: false, .. })), "{found:?}");
        let Some(Declared::Reference { targets, other, .. }) = found.get(3) else { panic!("{found:?}") };
        assert_eq!((other.as_str(), targets.len()), ("o", 0));
    }

    #[test]
    fn other_statements_declare_nothing_and_bad_ones_say_why() {
        assert_eq!(read("SET search_path = ''", Dialect::Postgres), []);
        assert!(declared("CREATE TABLE t (", Dialect::Generic).unwrap_err().contains("Expected"));
        let deep = format!("CREATE TABLE t (a int CHECK {}1{})", "(".repeat(5_000), ")".repeat(5_000));
        assert!(declared(&deep, Dialect::Generic).unwrap_err().contains("inside each other"));
    }
}
