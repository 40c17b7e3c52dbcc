//! `FROM`: tables, and what joins them.

use sqlparser::ast::{Expr, Join, JoinConstraint, JoinOperator, TableFactor, TableWithJoins};

use super::super::Source;
use super::super::error::{Problem, StatementError};
use super::scope::Scope;
use super::{Reading, clauses, place};

impl Scope<'_> {
    /// The tables of `FROM`, and the conditions of its joins.
    pub fn from<'q>(&self, from: &'q [TableWithJoins]) -> Reading<(Vec<Source>, Vec<&'q Expr>)> {
        let (mut sources, mut conditions) = (Vec::new(), Vec::new());
        for TableWithJoins { relation, joins } in from {
            self.relation(relation, &mut sources)?;
            for join in joins {
                self.relation(&join.relation, &mut sources)?;
                conditions.extend(on(join)?);
            }
        }
        Ok((sources, conditions))
    }

    fn relation(&self, relation: &TableFactor, sources: &mut Vec<Source>) -> Reading<()> {
        clauses::of_table(relation)?;
        let TableFactor::Table { name, alias, .. } = relation else {
            let construct = match relation {
                TableFactor::Derived { .. } => "a query in FROM",
                TableFactor::NestedJoin { .. } => "a join in parentheses",
                _ => "what stands in FROM",
            };
            let instead = "name tables of the workload there";
            return Err(StatementError::unsupported(construct, instead, place::of(relation)));
        };
        let table = self.table(name)?;
        let is_taken = |alias: &String| sources.iter().any(|source| source.alias.eq_ignore_ascii_case(alias));
        let last = name.0.last().and_then(|part| part.as_ident()).map(|part| part.value.clone());
        // Two tables of one name in two schemas are told apart by their names here.
        let own = || last.filter(|last| !is_taken(last)).unwrap_or_else(|| table.name.clone());
        let alias = alias.as_ref().map_or_else(own, |alias| alias.name.value.clone());
        if sources.iter().any(|source: &Source| source.alias.eq_ignore_ascii_case(&alias)) {
            return Err(StatementError::new(Problem::SameAlias(alias), place::of(relation)));
        }
        sources.push(Source { table: table.name.clone(), alias });
        Ok(())
    }
}

/// The condition of a join.
fn on(join: &Join) -> Reading<Option<&Expr>> {
    let constraint = match &join.join_operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::CrossJoin(constraint) => constraint,
        other => {
            let construct = match other {
                JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => "LEFT JOIN",
                JoinOperator::Right(_) | JoinOperator::RightOuter(_) => "RIGHT JOIN",
                JoinOperator::FullOuter(_) => "FULL JOIN",
                _ => "this kind of join",
            };
            let instead = "only INNER JOIN and comma joins are carried out";
            return Err(StatementError::unsupported(construct, instead, place::of(join)));
        }
    };
    let unsupported = |construct: &str| {
        let instead = "write the equalities behind ON";
        Err(StatementError::unsupported(construct, instead, place::of(join)))
    };
    match constraint {
        JoinConstraint::On(condition) => Ok(Some(condition)),
        JoinConstraint::None => Ok(None),
        JoinConstraint::Using(_) => unsupported("JOIN … USING"),
        JoinConstraint::Natural => unsupported("NATURAL JOIN"),
    }
}
