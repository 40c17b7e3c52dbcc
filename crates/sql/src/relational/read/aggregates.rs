//! Aggregates of columns.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function as Call, FunctionArg, FunctionArgExpr, FunctionArguments,
};
use tablesmith_model::value::ValueType;

use super::super::error::{Problem, StatementError};
use super::super::{Aggregate, Column, Function};
use super::scope::Scope;
use super::{Reading, clauses, place};

impl Scope<'_> {
    /// The aggregate of a call.
    pub fn aggregate(&self, call: &Call, whole: &Expr) -> Reading<Aggregate> {
        let name = call.name.to_string();
        let Some(function) = Function::from_name(&name) else {
            let instead = format!("the functions are {}", Function::names());
            let construct = format!("the function {name}");
            return Err(StatementError::unsupported(construct, &instead, place::of(whole)));
        };
        clauses::of_function(call, whole)?;
        let wrong = || {
            let construct = format!("{} of anything but one column", function.name());
            StatementError::unsupported(construct, "write the name of a column", place::of(whole))
        };
        let FunctionArguments::List(list) = &call.args else { return Err(wrong()) };
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let of = match list.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] if function == Function::Count && !distinct => {
                None
            }
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => {
                match self.plain_column(argument)? {
                    Some(column) => Some(column),
                    // A literal is in every row: counting it counts rows.
                    None if function == Function::Count
                        && !distinct
                        && self.literal(argument, None)?.is_some_and(|value| !value.is_null()) =>
                    {
                        None
                    }
                    None => return Err(wrong()),
                }
            }
            _ => return Err(wrong()),
        };
        let adds_other = |column: &&Column| {
            let is_number =
                matches!(column.value_type, ValueType::Int | ValueType::Float | ValueType::Decimal);
            function.adds() && !is_number
        };
        if let Some(Column { name, value_type, .. }) = of.as_ref().filter(adds_other) {
            let (function, column, value_type) = (function.name(), name.clone(), *value_type);
            let problem = Problem::NoNumbers { function, column, value_type };
            return Err(StatementError::new(problem, place::of(whole)));
        }
        // The least of all values is the least of all different ones.
        let distinct = distinct && !matches!(function, Function::Min | Function::Max);
        Ok(Aggregate { function, of, distinct })
    }

    /// The column, when the expression is nothing else.
    pub fn plain_column(&self, expression: &Expr) -> Reading<Option<Column>> {
        match expression {
            Expr::Nested(inner) => self.plain_column(inner),
            Expr::Identifier(name) => self.column(std::slice::from_ref(name)).map(Some),
            Expr::CompoundIdentifier(names) => self.column(names).map(Some),
            _ => Ok(None),
        }
    }
}
