//! `SELECT`.

use sqlparser::ast::{self, Distinct, Expr, GroupByExpr, Select, SetExpr};

use super::super::error::{Problem, StatementError};
use super::super::{Column, Grouping, Item, Query, Scalar, Shown, Truth};
use super::scalars::{Over, computed};
use super::scope::Scope;
use super::{Reading, clauses, place};

impl Scope<'_> {
    /// A query that is understood whole.
    pub fn query(&self, query: &ast::Query) -> Reading<Query> {
        clauses::of_query(query)?;
        let select = match &*query.body {
            SetExpr::Select(select) => select,
            SetExpr::Query(inner) if query.order_by.is_none() && query.limit_clause.is_none() => {
                return self.query(inner);
            }
            other => {
                let construct = match other {
                    SetExpr::SetOperation { op, .. } => op.to_string(),
                    SetExpr::Values(_) => "VALUES alone".to_owned(),
                    _ => "this kind of query".to_owned(),
                };
                return Err(StatementError::unsupported(construct, "write one SELECT", place::of(query)));
            }
        };
        clauses::of_select(select)?;
        let (sources, on) = self.from(&select.from)?;
        if sources.is_empty() {
            let instead = "name a table of the workload";
            return Err(StatementError::unsupported("SELECT without FROM", instead, place::of(query)));
        }
        let scope = self.with_sources(sources);
        let mut read = scope.select(select, &on)?;
        scope.tail(query, &mut read)?;
        check_groups(&read, select)?;
        Ok(read)
    }

    fn select(&self, select: &Select, on: &[&Expr]) -> Reading<Query> {
        let mut filter = Vec::new();
        for condition in on.iter().copied().chain(&select.selection) {
            self.conditions(Some(condition), &mut Over::Rows, &mut filter)?;
        }
        let mut aggregates = Vec::new();
        let items = self.items(&select.projection, &mut aggregates)?;
        let by = match &select.group_by {
            GroupByExpr::Expressions(expressions, _) => self.grouped_by(expressions, &items)?,
            GroupByExpr::All(_) => Vec::new(),
        };
        let mut having = Vec::new();
        let mut over = Over::Groups { aggregates: &mut aggregates, items: &items };
        self.conditions(select.having.as_ref(), &mut over, &mut having)?;
        let is_grouped = !by.is_empty() || !aggregates.is_empty() || select.having.is_some();
        Ok(Query {
            sources: self.sources.clone(),
            filter,
            grouping: is_grouped.then_some(Grouping { by, aggregates, having }),
            items,
            distinct: matches!(select.distinct, Some(Distinct::Distinct)),
            ..Query::default()
        })
    }

    /// The columns that rows are grouped by: columns, aliases or numbers of items.
    fn grouped_by(&self, expressions: &[Expr], items: &[Item]) -> Reading<Vec<Column>> {
        let mut by: Vec<Column> = Vec::new();
        for expression in expressions {
            let column = match self.item_of(expression, items)? {
                Some(Shown::Column(column)) => column,
                Some(_) => return Err(computed(expression)),
                None => self.plain_column(expression)?.ok_or_else(|| computed(expression))?,
            };
            if !by.contains(&column) {
                by.push(column);
            }
        }
        Ok(by)
    }

    /// The item that an expression of `GROUP BY` or `ORDER BY` names by its number or its alias.
    pub fn item_of(&self, expression: &Expr, items: &[Item]) -> Reading<Option<Shown>> {
        match expression {
            Expr::Identifier(name) => {
                let named = items.iter().find(|item| item.name.eq_ignore_ascii_case(&name.value));
                Ok(named.map(|item| item.shown.clone()))
            }
            Expr::Value(value) => match &value.value {
                ast::Value::Number(digits, _) => {
                    let number: Option<usize> = digits.parse().ok();
                    let item = number.and_then(|number| items.get(number.checked_sub(1)?));
                    let wrong = || {
                        let problem = Problem::NotSql(format!("there is no item number {digits}"));
                        StatementError::new(problem, place::of(expression))
                    };
                    item.map(|item| Some(item.shown.clone())).ok_or_else(wrong)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// Beside aggregates, only what is the same in a whole group can be shown, compared or sorted by.
fn check_groups(query: &Query, select: &Select) -> Reading<()> {
    let at = place::of(select);
    let not_shown = query.distinct
        && query.order.iter().any(|order| !query.items.iter().any(|item| item.shown == order.by));
    if not_shown {
        let construct = "ORDER BY something that SELECT DISTINCT does not show";
        return Err(StatementError::unsupported(construct, "show it, too", at));
    }
    let Some(grouping) = &query.grouping else { return Ok(()) };
    let check = |column: &Column| {
        if grouping.by.contains(column) {
            return Ok(());
        }
        Err(StatementError::new(Problem::NotGrouped(column.name.clone()), at))
    };
    let shown = query.items.iter().map(|item| &item.shown).chain(query.order.iter().map(|order| &order.by));
    for shown in shown {
        if let Shown::Column(column) = shown {
            check(column)?;
        }
    }
    let mut columns = Vec::new();
    grouping.having.iter().for_each(|truth: &Truth| truth.columns(&mut |column| columns.push(column)));
    columns.into_iter().try_for_each(check)
}

/// What an item or an order shows, as something that can be compared.
impl From<Shown> for Scalar {
    fn from(shown: Shown) -> Self {
        match shown {
            Shown::Column(column) => Self::Column(column),
            Shown::Aggregate(at) => Self::Aggregate(at),
            Shown::Value(value) => Self::Value(value),
        }
    }
}
