//! Declarations as the parser reads them.

use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, CreateTable, DataType, Expr, ForeignKeyConstraint, Ident,
    IndexColumn, ObjectName, Statement, TableConstraint,
};
use sqlparser::dialect as parser;
use sqlparser::parser::Parser;
use tablesmith_model::value::ValueType;

use super::types::{Notation, type_of};
use super::{Declared, DeclaredColumn};
use crate::dialect::Dialect;
use crate::qualified_name::QualifiedName;

/// What a statement declares; the words of the likeliest parser when none reads it.
pub(super) fn read(sql: &str, dialect: Dialect) -> Result<Vec<Declared>, String> {
    let mut first_error = None;
    // Only SQLite has columns without a type.
    let sqlite: &dyn parser::Dialect = &parser::SQLiteDialect {};
    for parser in dialect.parsers().into_iter().chain([sqlite]) {
        match Parser::parse_sql(parser, sql) {
            Ok(statements) => {
                return Ok(statements
                    .iter()
                    .flat_map(|statement| of_statement(statement, dialect))
                    .collect());
            }
            Err(error) => {
                first_error.get_or_insert_with(|| error.to_string());
            }
        }
    }
    Err(first_error.unwrap_or_default())
}

fn of_statement(statement: &Statement, dialect: Dialect) -> Vec<Declared> {
    match statement {
        Statement::CreateTable(table) => of_table(table, dialect),
        Statement::AlterTable(alter) => {
            let table = name(&alter.name);
            alter.operations.iter().flat_map(|operation| of_change(&table, operation, dialect)).collect()
        }
        _ => Vec::new(),
    }
}

fn of_table(created: &CreateTable, dialect: Dialect) -> Vec<Declared> {
    let table = name(&created.name);
    let mut found = vec![Declared::Table {
        table: table.clone(),
        columns: created.columns.iter().map(|column| of_column(column, dialect)).collect(),
        inherits: created.inherits.iter().flatten().map(name).collect(),
    }];
    if let Some(parent) = &created.partition_of {
        found.push(Declared::Part { table: table.clone(), of: name(parent) });
    }
    found.extend(created.columns.iter().flat_map(|column| of_options(&table, column)));
    found.extend(created.constraints.iter().filter_map(|constraint| of_constraint(&table, constraint)));
    found
}

fn of_change(table: &QualifiedName, operation: &AlterTableOperation, dialect: Dialect) -> Vec<Declared> {
    match operation {
        AlterTableOperation::AddConstraint { constraint, .. } => {
            of_constraint(table, constraint).into_iter().collect()
        }
        AlterTableOperation::AddColumn { column_def, .. } => {
            let column = of_column(column_def, dialect);
            let mut found = vec![Declared::Column { table: table.clone(), column }];
            found.extend(of_options(table, column_def));
            found
        }
        _ => Vec::new(),
    }
}

fn of_column(column: &ColumnDef, dialect: Dialect) -> DeclaredColumn {
    let (value_type, notation) = match &column.data_type {
        DataType::Unspecified => (ValueType::String, Notation::Plain),
        data_type => type_of(&data_type.to_string(), dialect),
    };
    let has = |test: fn(&ColumnOption) -> bool| column.options.iter().any(|option| test(&option.option));
    DeclaredColumn {
        name: column.name.value.clone(),
        value_type,
        notation,
        is_nullable: !has(|option| matches!(option, ColumnOption::NotNull | ColumnOption::PrimaryKey(_))),
        is_computed: has(|option| matches!(option, ColumnOption::Generated { generation_expr: Some(_), .. })),
    }
}

/// What stands behind a column: `PRIMARY KEY`, `REFERENCES other (id)`.
fn of_options(table: &QualifiedName, column: &ColumnDef) -> Vec<Declared> {
    let own = || vec![column.name.value.clone()];
    let key = |is_primary| Declared::Key { table: table.clone(), columns: own(), is_primary };
    let declared = column.options.iter().filter_map(|option| match &option.option {
        ColumnOption::PrimaryKey(_) => Some(key(true)),
        ColumnOption::Unique(_) => Some(key(false)),
        ColumnOption::ForeignKey(foreign) => Some(reference(table, own(), foreign)),
        _ => None,
    });
    declared.collect()
}

fn of_constraint(table: &QualifiedName, constraint: &TableConstraint) -> Option<Declared> {
    let key = |columns: &[IndexColumn], is_primary| {
        let columns = columns.iter().map(column_of).collect::<Option<Vec<_>>>()?;
        Some(Declared::Key { table: table.clone(), columns, is_primary })
    };
    match constraint {
        TableConstraint::PrimaryKey(primary) => key(&primary.columns, true),
        TableConstraint::Unique(unique) => key(&unique.columns, false),
        TableConstraint::ForeignKey(foreign) => Some(reference(table, words(&foreign.columns), foreign)),
        _ => None,
    }
}

fn reference(table: &QualifiedName, columns: Vec<String>, foreign: &ForeignKeyConstraint) -> Declared {
    let (other, targets) = (name(&foreign.foreign_table), words(&foreign.referred_columns));
    Declared::Reference { table: table.clone(), columns, other, targets }
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

fn name(name: &ObjectName) -> QualifiedName {
    let parts = name.0.iter().filter_map(|part| part.as_ident());
    QualifiedName::of_parts(parts.map(|part| part.value.clone()).collect())
}
