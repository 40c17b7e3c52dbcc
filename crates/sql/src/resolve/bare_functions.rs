//! Names that a dialect takes for functions without parentheses, such as `user`: where a table has a column of that name,
//! the column is meant.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, FunctionArguments, ObjectNamePart, Statement, visit_expressions_mut};

use crate::catalog::Catalog;

/// Makes columns of such functions.
pub(crate) fn as_columns(statement: &mut Statement, catalog: &Catalog) {
    let _ = visit_expressions_mut(statement, |expression| {
        if let Expr::Function(function) = expression
            && matches!(function.args, FunctionArguments::None)
            && let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice()
            && catalog.tables().iter().any(|table| table.column(&name.value).is_some())
        {
            *expression = Expr::Identifier(name.clone());
        }
        ControlFlow::<()>::Continue(())
    });
}
