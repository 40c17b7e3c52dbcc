//! Queries: what they show, filter, group, sort and limit.

use sqlparser::ast::{
    Cte, Distinct, Expr, Fetch, GroupByExpr, LimitClause, OrderByExpr, OrderByKind, OrderBySort, Query,
    Select, SetExpr, SetOperator, SetQuantifier, TopQuantity, Value, With,
};

use super::analysis::Analysis;
use super::condition::Filters;
use super::expression::Walked;
use super::flat;
use super::from::rename;
use super::output::Output;
use super::scope::{Relation, Scope, Source, last_part};
use crate::statement::{Amount, Kind};

/// The clauses after a query's body.
#[derive(Default)]
struct Tail<'q> {
    order: &'q [OrderByExpr],
    limit: Option<Amount>,
    offset: Option<Amount>,
}

impl Analysis<'_> {
    /// A query that is the whole statement: everything it shows is read. `None` when it has parts that are not walked.
    pub fn top_query(&mut self, query: &Query) -> Option<Kind> {
        if !query.pipe_operators.is_empty() {
            return None;
        }
        let changes = match &*query.body {
            SetExpr::Insert(_) => Kind::Insert,
            SetExpr::Update(_) | SetExpr::Merge(_) => Kind::Update,
            SetExpr::Delete(_) => Kind::Delete,
            _ => Kind::Select,
        };
        self.limit = limits(query.limit_clause.as_ref(), query.fetch.as_ref()).0;
        self.flat_tables = flat::tables(query);
        let outputs = self.query(query, None);
        self.read_outputs(&outputs);
        Some(changes)
    }

    /// Walks a query: everything but what it shows is read at once.
    pub fn query(&mut self, query: &Query, around: Option<&Scope<'_>>) -> Vec<Output> {
        let named = self.named_queries.len();
        if let Some(with) = &query.with {
            self.with(with, around);
        }
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(order)) => order.as_slice(),
            Some(OrderByKind::All(_)) | None => &[],
        };
        let (limit, offset) = limits(query.limit_clause.as_ref(), query.fetch.as_ref());
        let outputs = self.body(&query.body, around, &Tail { order, limit, offset });
        self.named_queries.truncate(named);
        outputs
    }

    fn with(&mut self, with: &With, around: Option<&Scope<'_>>) {
        for named in &with.cte_tables {
            let outputs = match (with.recursive, &*named.query.body) {
                (true, SetExpr::SetOperation { left, right, .. }) => {
                    self.recursive(named, left, right, around)
                }
                _ => self.query(&named.query, around),
            };
            let name = named.alias.name.value.to_lowercase();
            self.named_queries.push((name, rename(outputs, &named.alias).into()));
        }
    }

    /// A query that may name itself on its right side; all that it shows is read, for each round needs it.
    fn recursive(
        &mut self,
        named: &Cte,
        left: &SetExpr,
        right: &SetExpr,
        around: Option<&Scope<'_>>,
    ) -> Vec<Output> {
        let before = self.named_queries.len();
        if let Some(with) = &named.query.with {
            self.with(with, around);
        }
        let first = self.body(left, around, &Tail::default());
        self.read_outputs(&first);
        let mut seen = rename(first.clone(), &named.alias);
        // What it is in later rounds is not known: conditions on it are not conditions on the first round's column.
        seen.iter_mut().for_each(|output| output.is = None);
        self.named_queries.push((named.alias.name.value.to_lowercase(), seen.into()));
        let further = self.body(right, around, &Tail::default());
        self.read_outputs(&further);
        self.named_queries.truncate(before);
        combine(first, further)
    }

    fn body(&mut self, body: &SetExpr, around: Option<&Scope<'_>>, tail: &Tail<'_>) -> Vec<Output> {
        match body {
            SetExpr::Select(select) => self.select(select, around, tail),
            SetExpr::Query(query) => self.query(query, around),
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let left = self.body(left, around, &Tail::default());
                let right = self.body(right, around, &Tail::default());
                let keeps_all = *op == SetOperator::Union
                    && matches!(set_quantifier, SetQuantifier::All | SetQuantifier::AllByName);
                if !keeps_all {
                    self.read_outputs(&left);
                    self.read_outputs(&right);
                }
                combine(left, right)
            }
            SetExpr::Values(values) => {
                let scope = Scope::inside(around);
                for expression in values.rows.iter().flat_map(|row| row.content.iter()) {
                    self.walk_and_read(&scope, expression);
                }
                let count = values.rows.first().map_or(0, |row| row.content.len());
                vec![Output::default(); count]
            }
            SetExpr::Table(table) => {
                let name = table.table_name.clone().unwrap_or_default();
                match self.catalog.table_id(&name) {
                    Some(id) => Source::new(&name, Relation::Table(self.add_need(id))).outputs(self),
                    None => vec![Output::rest()],
                }
            }
            SetExpr::Insert(change)
            | SetExpr::Update(change)
            | SetExpr::Delete(change)
            | SetExpr::Merge(change) => self.nested_change(change),
        }
    }

    fn select(&mut self, select: &Select, around: Option<&Scope<'_>>, tail: &Tail<'_>) -> Vec<Output> {
        let mut scope = Scope::inside(around);
        self.from(&mut scope, &select.from);
        for view in &select.lateral_views {
            self.walk_and_read(&scope, &view.lateral_view);
            let name = last_part(&view.lateral_view_name).map(|name| name.value.as_str()).unwrap_or_default();
            scope.sources.push(Source::new(name, Relation::Unknown));
        }
        let conditions = select.selection.iter().chain(&select.prewhere);
        conditions.for_each(|condition| self.condition(&scope, condition, &Filters::All));
        let (outputs, shown) = self.projection(&scope, &select.projection, select.exclude.as_ref());
        scope.outputs = outputs;
        let is_grouped = self.group_by(&scope, &select.group_by);
        let having = self.walk_and_read(&scope, &select.having);
        let qualify = self.walk_and_read(&scope, &select.qualify);
        self.walk_and_read(&scope, &select.connect_by);
        self.walk_and_read(&scope, &select.named_window);
        self.walk_and_read(&scope, &select.cluster_by);
        self.walk_and_read(&scope, &select.distribute_by);
        self.walk_and_read(&scope, &select.sort_by);
        let is_distinct = self.distinct(&scope, select.distinct.as_ref());
        let ordered = self.order_by(&scope, tail.order);

        let aggregates = is_grouped || shown.aggregates || having.aggregates || ordered.aggregates;
        let windows = shown.windows || qualify.windows || ordered.windows;
        let top = select.top.as_ref().map(|top| match &top.quantity {
            Some(TopQuantity::Constant(rows)) => Amount::Rows(*rows),
            Some(TopQuantity::Expr(expression)) => amount(expression),
            None => Amount::Unknown,
        });
        let (limit, offset) = (tail.limit.or(top), tail.offset);
        if let ([Source { relation: Relation::Table(need), .. }], false) =
            (scope.sources.as_slice(), aggregates || windows || is_distinct)
        {
            self.limit(*need, limit, offset);
        }
        let mut outputs = std::mem::take(&mut scope.outputs);
        if windows || limit.is_some() || offset.is_some() || (aggregates && !is_grouped) {
            // A condition on what is left is not a condition on the table's rows.
            outputs.iter_mut().for_each(|output| output.is = None);
        }
        outputs
    }

    /// Notes the grouping; whether there is one.
    fn group_by(&mut self, scope: &Scope<'_>, group_by: &GroupByExpr) -> bool {
        let GroupByExpr::Expressions(expressions, _) = group_by else {
            self.read_outputs(&scope.outputs);
            return true;
        };
        let mut waiting: Vec<&Expr> = expressions.iter().rev().collect();
        while let Some(expression) = waiting.pop() {
            match expression {
                Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets) => {
                    waiting.extend(sets.iter().flatten().rev());
                }
                Expr::Tuple(parts) => waiting.extend(parts.iter().rev()),
                expression => {
                    let output = position(scope, expression).or_else(|| self.plain_column(scope, expression));
                    match output {
                        Some(output) => {
                            self.read(&output.uses);
                            output.is.into_iter().for_each(|column| self.group(column));
                        }
                        None => drop(self.walk_and_read(scope, expression)),
                    }
                }
            }
        }
        !expressions.is_empty()
    }

    fn distinct(&mut self, scope: &Scope<'_>, distinct: Option<&Distinct>) -> bool {
        match distinct {
            Some(Distinct::Distinct) => self.read_outputs(&scope.outputs),
            Some(Distinct::On(expressions)) => drop(self.walk_and_read(scope, expressions)),
            Some(Distinct::All) | None => return false,
        }
        true
    }

    /// Notes the order: of one table, as far as the leading columns are its own. All columns in it are read.
    pub fn order_by(&mut self, scope: &Scope<'_>, order: &[OrderByExpr]) -> Walked {
        let mut total = Walked::default();
        let mut sorted = None;
        let mut is_leading = true;
        for item in order {
            let named = named_output(scope, &item.expr).or_else(|| self.plain_column(scope, &item.expr));
            if let Some(output) = &named {
                self.read(&output.uses);
            } else {
                let walked = self.walk_and_read(scope, &item.expr);
                total.aggregates |= walked.aggregates;
                total.windows |= walked.windows;
            }
            let column = named.and_then(|output| output.is);
            is_leading &= column.is_some_and(|column| *sorted.get_or_insert(column.need) == column.need);
            if let (Some(column), true) = (column, is_leading) {
                self.order(column, matches!(item.options.sort, Some(OrderBySort::Desc)));
            }
        }
        total
    }
}

/// The outputs of two queries whose rows are put together.
fn combine(left: Vec<Output>, right: Vec<Output>) -> Vec<Output> {
    let mut right = right.into_iter();
    let mut both: Vec<Output> = left
        .into_iter()
        .map(|mut output| {
            output.uses.extend(right.next().into_iter().flat_map(|other| other.uses));
            Output { is: None, ..output }
        })
        .collect();
    both.extend(right);
    both
}

/// The output that a number in `ORDER BY` or `GROUP BY` stands for.
fn position(scope: &Scope<'_>, expression: &Expr) -> Option<Output> {
    let Expr::Value(value) = expression else { return None };
    let Value::Number(number, _) = &value.value else { return None };
    let position: usize = number.parse().ok()?;
    scope.outputs.get(position.checked_sub(1)?).cloned()
}

/// The output that an item of `ORDER BY` names or counts; its names go before those of the sources.
fn named_output(scope: &Scope<'_>, expression: &Expr) -> Option<Output> {
    match expression {
        Expr::Identifier(name) => {
            let name = name.value.to_lowercase();
            scope.outputs.iter().find(|output| output.name.as_ref() == Some(&name)).cloned()
        }
        expression => position(scope, expression),
    }
}

fn limits(clause: Option<&LimitClause>, fetch: Option<&Fetch>) -> (Option<Amount>, Option<Amount>) {
    let fetched = fetch.map(|fetch| match &fetch.quantity {
        Some(_) if fetch.percent => Amount::Unknown,
        Some(rows) => amount(rows),
        None => Amount::Rows(1),
    });
    match clause {
        Some(LimitClause::LimitOffset { limit, offset, .. }) => {
            (limit.as_ref().map(amount).or(fetched), offset.as_ref().map(|offset| amount(&offset.value)))
        }
        Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(amount(limit)), Some(amount(offset))),
        None => (fetched, None),
    }
}

/// A number of rows.
pub(super) fn amount(expression: &Expr) -> Amount {
    let Expr::Value(value) = expression else { return Amount::Unknown };
    let Value::Number(number, _) = &value.value else { return Amount::Unknown };
    number.parse().map_or(Amount::Unknown, Amount::Rows)
}
