//! Predicates and the expressions that they compare.

use sqlparser::ast::{self, BinaryOperator};
use tablesmith_model::value::{Value, ValueType};

use super::super::error::{Problem, StatementError};
use super::super::{Aggregate, Comparison, Expr, OutputColumn, Pattern, Predicate};
use super::values::{Expected, is_number};
use super::{Lowered, Lowering, computed, place_among};
use crate::resolved::{Constant, ExprNode, ResolvedExpr};

/// What predicates are about: rows, or groups whose aggregates are collected; output columns may be called by their names.
pub(in crate::executable) enum Over<'a> {
    Rows,
    Groups { aggregates: &'a mut Vec<Aggregate>, outputs: &'a [OutputColumn] },
}

impl Lowering<'_> {
    pub fn predicate(&mut self, predicate: &ResolvedExpr, over: &mut Over<'_>) -> Lowered<Predicate> {
        Ok(match &predicate.node {
            ExprNode::Not(inner) => Predicate::Not(Box::new(self.predicate(inner, over)?)),
            ExprNode::And(all) => {
                Predicate::And(all.iter().map(|part| self.predicate(part, over)).collect::<Lowered<_>>()?)
            }
            ExprNode::Or(some) => {
                let some = some.iter().map(|part| self.predicate(part, over)).collect::<Lowered<Vec<_>>>()?;
                some.into_iter().reduce(one_of).unwrap_or(Predicate::Known(Some(false)))
            }
            ExprNode::Binary { left, operator, right } => {
                let comparison = comparison(operator).ok_or_else(|| {
                    let construct = format!("the operator {operator} here");
                    let instead = "conditions compare with =, <>, <, <=, > and >=";
                    StatementError::unsupported(construct, instead, predicate.position)
                })?;
                let (one, two) = self.pair(left, right, over)?;
                Predicate::Compare(one, comparison, two)
            }
            ExprNode::InList { expr, list } => {
                let list = list.iter().map(|two| Ok(self.pair(expr, two, over)?.1));
                let list = list.collect::<Lowered<Vec<_>>>()?;
                Predicate::In(self.operand(expr, over)?, list)
            }
            ExprNode::Between { expr, low, high } => {
                let (one, low) = self.pair(expr, low, over)?;
                let (two, high) = self.pair(expr, high, over)?;
                Predicate::And(vec![
                    Predicate::Compare(one, Comparison::Ge, low),
                    Predicate::Compare(two, Comparison::Le, high),
                ])
            }
            ExprNode::Like { expr, pattern, escape, any: false } => {
                self.like(expr, pattern, escape.as_deref(), over)?
            }
            ExprNode::IsNull(inner) => Predicate::IsNull(self.operand(inner, over)?),
            ExprNode::Constant(Constant::Literal(ast::Value::Boolean(truth))) => {
                Predicate::Known(Some(*truth))
            }
            ExprNode::Constant(Constant::Literal(ast::Value::Null)) => Predicate::Known(None),
            // A column of truths that stands alone.
            _ => match self.known(predicate, over)? {
                Some((expr, Expected { value_type: ValueType::Bool, .. })) => {
                    Predicate::Compare(expr, Comparison::Eq, Expr::Value(Value::Bool(true)))
                }
                _ => return Err(computed(predicate)),
            },
        })
    }

    fn like(
        &mut self,
        one: &ResolvedExpr,
        text: &ResolvedExpr,
        escape: Option<&ResolvedExpr>,
        over: &mut Over<'_>,
    ) -> Lowered<Predicate> {
        let expr = match self.known(one, over)? {
            Some((expr, Expected { value_type: ValueType::String, .. })) => expr,
            Some((_, Expected { value_type, .. })) => {
                let construct = format!("LIKE of a column of type {value_type}");
                let instead = "LIKE takes columns of type string";
                return Err(StatementError::unsupported(construct, instead, one.position));
            }
            None => self.value(one, None)?,
        };
        let expected = Expected::of_type(ValueType::String, "the pattern");
        let escape = match escape.map(|escape| self.constant(escape, Some(&expected))).transpose()?.flatten()
        {
            Some(Value::String(escape)) => escape.chars().next(),
            _ => None,
        };
        match self.constant(text, Some(&expected))? {
            Some(Value::String(pattern)) => match Pattern::parse(&pattern, escape) {
                Some(pattern) => Ok(Predicate::Like(expr, pattern)),
                None => {
                    let problem = Problem::NotSql("nothing follows the escape character".to_owned());
                    Err(StatementError::new(problem, text.position))
                }
            },
            Some(_) => Ok(Predicate::Known(None)),
            None => Err(computed(text)),
        }
    }

    /// Two expressions that are compared: a constant is read as a value of what it is compared with.
    fn pair(&mut self, one: &ResolvedExpr, two: &ResolvedExpr, over: &mut Over<'_>) -> Lowered<(Expr, Expr)> {
        match (self.known(one, over)?, self.known(two, over)?) {
            (Some((left, left_type)), Some((right, right_type))) => {
                let (one, other) = (left_type.value_type, right_type.value_type);
                if one != other && !(is_number(one) && is_number(other)) {
                    return Err(StatementError::new(Problem::Types { one, two: other }, two.position));
                }
                Ok((left, right))
            }
            (Some((left, expected)), None) => Ok((left, self.value(two, Some(&expected))?)),
            (None, Some((right, expected))) => Ok((self.value(one, Some(&expected))?, right)),
            (None, None) => Ok((self.value(one, None)?, self.value(two, None)?)),
        }
    }

    /// A column, an aggregate or a value.
    fn operand(&mut self, expr: &ResolvedExpr, over: &mut Over<'_>) -> Lowered<Expr> {
        match self.known(expr, over)? {
            Some((expr, _)) => Ok(expr),
            None => self.value(expr, None),
        }
    }

    /// A column or an aggregate with its type; none when it is something else.
    fn known(&mut self, expr: &ResolvedExpr, over: &mut Over<'_>) -> Lowered<Option<(Expr, Expected)>> {
        match &expr.node {
            // A column hides an output column of its name, as in SQLite.
            ExprNode::Name(name) => match (self.column(name, expr), over, name.parts.as_slice()) {
                (Err(error), Over::Groups { aggregates, outputs }, [name]) => {
                    named_output(name, outputs, aggregates).map(Some).ok_or(error)
                }
                (column, ..) => column.map(|column| {
                    let expected = self.expected(&column, 0);
                    Some((Expr::Column(column), expected))
                }),
            },
            ExprNode::Call(call) => match over {
                Over::Groups { aggregates, .. } => {
                    let aggregate = self.aggregate(call, expr)?;
                    let expected = Expected::of_type(aggregate.value_type(), aggregate.to_string());
                    Ok(Some((Expr::Aggregate(place_among(aggregates, aggregate)), expected)))
                }
                Over::Rows => {
                    let construct = format!("the function {} here", call.name);
                    let instead = "compare columns with values";
                    Err(StatementError::unsupported(construct, instead, expr.position))
                }
            },
            _ => Ok(None),
        }
    }

    pub fn value(&mut self, expr: &ResolvedExpr, expected: Option<&Expected>) -> Lowered<Expr> {
        self.constant(expr, expected)?.map(Expr::Value).ok_or_else(|| computed(expr))
    }
}

/// The column or the aggregate of an output column's name.
fn named_output(name: &str, outputs: &[OutputColumn], aggregates: &[Aggregate]) -> Option<(Expr, Expected)> {
    let output = outputs.iter().find(|output| output.name.eq_ignore_ascii_case(name))?;
    let value_type = match &output.expr {
        Expr::Column(column) => column.value_type,
        Expr::Aggregate(at) => aggregates.get(*at)?.value_type(),
        Expr::Value(_) => return None,
    };
    Some((output.expr.clone(), Expected::of_type(value_type, output.name.clone())))
}

/// Either of two; equalities of one column with values become a list, which a key can look for.
fn one_of(left: Predicate, right: Predicate) -> Predicate {
    match (as_list(&left), as_list(&right)) {
        (Some((one, values)), Some((two, more))) if one == two => {
            Predicate::In(one.clone(), values.into_iter().chain(more).cloned().collect())
        }
        _ => match left {
            Predicate::Or(mut some) => {
                some.push(right);
                Predicate::Or(some)
            }
            left => Predicate::Or(vec![left, right]),
        },
    }
}

/// A column and the values of which it must have one.
fn as_list(predicate: &Predicate) -> Option<(&Expr, Vec<&Expr>)> {
    match predicate {
        Predicate::Compare(one @ Expr::Column(_), Comparison::Eq, two @ Expr::Value(_))
        | Predicate::Compare(two @ Expr::Value(_), Comparison::Eq, one @ Expr::Column(_)) => {
            Some((one, vec![two]))
        }
        Predicate::In(one @ Expr::Column(_), list)
            if list.iter().all(|two| matches!(two, Expr::Value(_))) =>
        {
            Some((one, list.iter().collect()))
        }
        _ => None,
    }
}

fn comparison(operator: &BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        BinaryOperator::Eq => Comparison::Eq,
        BinaryOperator::NotEq => Comparison::Ne,
        BinaryOperator::Lt => Comparison::Lt,
        BinaryOperator::LtEq => Comparison::Le,
        BinaryOperator::Gt => Comparison::Gt,
        BinaryOperator::GtEq => Comparison::Ge,
        _ => return None,
    })
}
