//! `WHERE`, `ON` and `HAVING`: what rows or groups meet.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value as Literal};
use tablesmith_model::value::{Value, ValueType};

use super::super::error::{Problem, StatementError};
use super::super::{Comparison, Pattern, Scalar, Truth};
use super::literals::Expected;
use super::scalars::{Over, computed};
use super::scope::Scope;
use super::{Reading, place};

impl Scope<'_> {
    /// The conditions of an expression that all must hold, put into a list.
    pub fn conditions(
        &self,
        expression: Option<&Expr>,
        over: &mut Over<'_>,
        into: &mut Vec<Truth>,
    ) -> Reading<()> {
        if let Some(expression) = expression {
            self.truth(expression, over)?.conjuncts(into);
        }
        Ok(())
    }

    fn truth(&self, expression: &Expr, over: &mut Over<'_>) -> Reading<Truth> {
        let negated = |truth: Truth, is_negated: bool| {
            if is_negated { Truth::Not(Box::new(truth)) } else { truth }
        };
        Ok(match expression {
            Expr::Nested(inner) => self.truth(inner, over)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => negated(self.truth(expr, over)?, true),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                Truth::And(vec![self.truth(left, over)?, self.truth(right, over)?])
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                one_of(self.truth(left, over)?, self.truth(right, over)?)
            }
            Expr::BinaryOp { left, op, right } => {
                let comparison = comparison(op).ok_or_else(|| {
                    let construct = format!("the operator {op} here");
                    let instead = "conditions compare with =, <>, <, <=, > and >=";
                    StatementError::unsupported(construct, instead, place::of(expression))
                })?;
                let (one, two) = self.pair(left, right, over)?;
                Truth::Compare(one, comparison, two)
            }
            Expr::InList { expr, list, negated: not } => negated(self.in_list(expr, list, over)?, *not),
            Expr::Between { expr, negated: not, low, high } => {
                let (one, low) = self.pair(expr, low, over)?;
                let (two, high) = self.pair(expr, high, over)?;
                let both =
                    vec![Truth::Compare(one, Comparison::Ge, low), Truth::Compare(two, Comparison::Le, high)];
                negated(Truth::And(both), *not)
            }
            Expr::Like { negated: not, any: false, expr, pattern, escape_char } => {
                negated(self.like(expr, pattern, escape_char.as_deref(), over)?, *not)
            }
            Expr::IsNull(inner) => Truth::IsNull(self.scalar(inner, over)?),
            Expr::IsNotNull(inner) => negated(Truth::IsNull(self.scalar(inner, over)?), true),
            Expr::Value(value) => match &value.value {
                Literal::Boolean(truth) => Truth::Known(Some(*truth)),
                Literal::Null => Truth::Known(None),
                _ => return Err(computed(expression)),
            },
            other => self.boolean_column(other, over)?,
        })
    }

    /// A column of truths that stands alone.
    fn boolean_column(&self, expression: &Expr, over: &mut Over<'_>) -> Reading<Truth> {
        match self.known(expression, over)? {
            Some((scalar, Expected { value_type: ValueType::Bool, .. })) => {
                Ok(Truth::Compare(scalar, Comparison::Eq, Scalar::Value(Value::Bool(true))))
            }
            _ => Err(computed(expression)),
        }
    }

    /// A column, an aggregate or a value.
    fn scalar(&self, expression: &Expr, over: &mut Over<'_>) -> Reading<Scalar> {
        match self.known(expression, over)? {
            Some((scalar, _)) => Ok(scalar),
            None => self.constant(expression, None),
        }
    }

    fn in_list(&self, one: &Expr, list: &[Expr], over: &mut Over<'_>) -> Reading<Truth> {
        let mut scalars = Vec::with_capacity(list.len());
        for two in list {
            scalars.push(self.pair(one, two, over)?.1);
        }
        Ok(Truth::In(self.scalar(one, over)?, scalars))
    }

    fn like(&self, one: &Expr, text: &Expr, escape: Option<&Expr>, over: &mut Over<'_>) -> Reading<Truth> {
        let scalar = match self.known(one, over)? {
            Some((scalar, Expected { value_type: ValueType::String, .. })) => scalar,
            Some((_, Expected { value_type, .. })) => {
                let construct = format!("LIKE of a column of type {value_type}");
                let instead = "LIKE takes columns of type string";
                return Err(StatementError::unsupported(construct, instead, place::of(one)));
            }
            None => self.constant(one, None)?,
        };
        let expected = Expected::of_type(ValueType::String, "the pattern");
        let escape = match escape.map(|escape| self.literal(escape, Some(&expected))).transpose()?.flatten() {
            Some(Value::String(escape)) => escape.chars().next(),
            _ => None,
        };
        match self.literal(text, Some(&expected))? {
            Some(Value::String(pattern)) => match Pattern::parse(&pattern, escape) {
                Some(pattern) => Ok(Truth::Like(scalar, pattern)),
                None => {
                    let problem = Problem::NotSql("nothing follows the escape character".to_owned());
                    Err(StatementError::new(problem, place::of(text)))
                }
            },
            Some(_) => Ok(Truth::Known(None)),
            None => Err(computed(text)),
        }
    }
}

/// Either of two; equalities of one column with values become a list, which a key can look for.
fn one_of(left: Truth, right: Truth) -> Truth {
    match (as_list(&left), as_list(&right)) {
        (Some((one, values)), Some((two, more))) if one == two => {
            Truth::In(one.clone(), values.into_iter().chain(more).cloned().collect())
        }
        _ => Truth::Or(vec![left, right]),
    }
}

/// A column and the values of which it must have one.
fn as_list(truth: &Truth) -> Option<(&Scalar, Vec<&Scalar>)> {
    let is_value = |scalar: &&Scalar| matches!(scalar, Scalar::Value(_));
    match truth {
        Truth::Compare(one @ Scalar::Column(_), Comparison::Eq, two @ Scalar::Value(_)) => {
            Some((one, vec![two]))
        }
        Truth::Compare(two @ Scalar::Value(_), Comparison::Eq, one @ Scalar::Column(_)) => {
            Some((one, vec![two]))
        }
        Truth::In(one @ Scalar::Column(_), list) if list.iter().all(|two| is_value(&two)) => {
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
