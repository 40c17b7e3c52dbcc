//! Queries: select lists, filters, grouping, order and limits.

use sqlparser::ast::{
    Cte, Distinct, ExcludeSelectItem, Expr, Fetch, GroupByExpr, LimitClause, OrderByExpr, OrderByKind,
    OrderBySort, Query, Select, SelectItem as Item, SelectItemQualifiedWildcardKind, SetExpr, SetOperator,
    SetQuantifier, TopQuantity, Value as Literal, WildcardAdditionalOptions, With,
};

use super::Resolver;
use super::clauses;
use super::expression::{amount, described};
use super::from::renamed;
use super::scope::{Columns, Relation, Scope, last_part};
use crate::executable::{Problem, SourcePosition, StatementError};
use crate::resolved::{
    BodyKind, DerivedColumn, DistinctRows, GroupKey, OrderKey, QueryBody, ResolvedExpr, ResolvedQuery,
    ResolvedSelect, SelectItem, StatementBody,
};
use crate::statement::Amount;

/// The clauses after a query's body.
#[derive(Default)]
struct Tail<'q> {
    order: &'q [OrderByExpr],
    is_limited: bool,
}

impl Resolver<'_> {
    /// A query that is the whole statement.
    pub fn top_query(&mut self, query: &Query) -> StatementBody {
        match query.pipe_operators.as_slice() {
            [] => StatementBody::Query(self.query(query, None)),
            _ => StatementBody::Opaque,
        }
    }

    pub fn query(&mut self, query: &Query, around: Option<&Scope<'_>>) -> ResolvedQuery {
        let named = self.named_queries.len();
        let with = query.with.as_ref().map(|with| self.with(with, around)).unwrap_or_default();
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(order)) => order.as_slice(),
            Some(OrderByKind::All(_)) | None => &[],
        };
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (None, None),
        };
        let fetch = query.fetch.as_ref().map(fetched);
        let is_limited = limit.is_some() || offset.is_some() || fetch.is_some();
        let mut body = self.body(&query.body, around, &Tail { order, is_limited });
        if let BodyKind::Select(select) = &mut body.kind
            && select.from.is_empty()
        {
            select.refused.get_or_insert_with(|| {
                let instead = "name a table of the workload";
                StatementError::unsupported("SELECT without FROM", instead, SourcePosition::of(query))
            });
        }
        self.named_queries.truncate(named);
        let refused = clauses::of_query(query).or_else(|| clauses::of_body(query));
        ResolvedQuery { with, body, limit: limit.map(amount), offset: offset.map(amount), fetch, refused }
    }

    fn with(&mut self, with: &With, around: Option<&Scope<'_>>) -> Vec<ResolvedQuery> {
        let mut queries = Vec::new();
        for named in &with.cte_tables {
            let query = match (with.recursive, &*named.query.body) {
                (true, SetExpr::SetOperation { left, right, .. }) => {
                    self.recursive(named, left, right, around)
                }
                _ => self.query(&named.query, around),
            };
            let columns = renamed(query.body.columns.clone(), &named.alias);
            self.named_queries.push((named.alias.name.value.to_lowercase(), columns.into()));
            queries.push(query);
        }
        queries
    }

    /// A query that may name itself on its right side; each round needs all its columns.
    fn recursive(
        &mut self,
        named: &Cte,
        left: &SetExpr,
        right: &SetExpr,
        around: Option<&Scope<'_>>,
    ) -> ResolvedQuery {
        let before = self.named_queries.len();
        let with = named.query.with.as_ref().map(|with| self.with(with, around)).unwrap_or_default();
        let left = self.body(left, around, &Tail::default());
        let mut seen = renamed(left.columns.clone(), &named.alias);
        // What it is in later rounds is not known: predicates on it are not predicates on the first round's column.
        seen.iter_mut().for_each(|column| column.same_as = None);
        self.named_queries.push((named.alias.name.value.to_lowercase(), seen.into()));
        let right = self.body(right, around, &Tail::default());
        self.named_queries.truncate(before);
        let columns = combined(&left.columns, &right.columns);
        let kind = BodyKind::SetOperation { left: left.into(), right: right.into(), keeps_all: false };
        ResolvedQuery { with, ..ResolvedQuery::of(QueryBody { kind, columns }) }
    }

    fn body(&mut self, body: &SetExpr, around: Option<&Scope<'_>>, tail: &Tail<'_>) -> QueryBody {
        match body {
            SetExpr::Select(select) => self.select(select, around, tail),
            SetExpr::Query(query) => {
                let query = self.query(query, around);
                let columns = query.body.columns.clone();
                QueryBody { kind: BodyKind::Query(query.into()), columns }
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let left = self.body(left, around, &Tail::default());
                let right = self.body(right, around, &Tail::default());
                let keeps_all = *op == SetOperator::Union
                    && matches!(set_quantifier, SetQuantifier::All | SetQuantifier::AllByName);
                let columns = combined(&left.columns, &right.columns);
                let kind = BodyKind::SetOperation { left: left.into(), right: right.into(), keeps_all };
                QueryBody { kind, columns }
            }
            SetExpr::Values(values) => {
                let scope = Scope::inside(around);
                let rows: Vec<Vec<ResolvedExpr>> =
                    values.rows.iter().map(|row| self.operands(&scope, &row.content)).collect();
                let columns = vec![DerivedColumn::default(); rows.first().map_or(0, Vec::len)];
                QueryBody { kind: BodyKind::Values(rows), columns }
            }
            SetExpr::Table(table) => {
                let name = table.table_name.clone().unwrap_or_default();
                let columns = self.mention(&name).map_or(Columns::Unknown, Columns::Table);
                let columns = Relation::new(&name, columns).all_columns(self);
                QueryBody { kind: BodyKind::Table, columns }
            }
            SetExpr::Insert(change)
            | SetExpr::Update(change)
            | SetExpr::Delete(change)
            | SetExpr::Merge(change) => {
                let change = self.statement(change);
                let returning = match &change.body {
                    StatementBody::Insert(insert) => insert.returning.as_slice(),
                    StatementBody::Update(update) => &update.returning,
                    StatementBody::Delete(delete) => &delete.returning,
                    _ => &[],
                };
                let columns = returning.iter().flat_map(|item| item.columns.iter().cloned()).collect();
                QueryBody { kind: BodyKind::Change(change.into()), columns }
            }
        }
    }

    fn select(&mut self, select: &Select, around: Option<&Scope<'_>>, tail: &Tail<'_>) -> QueryBody {
        let mut scope = Scope::inside(around);
        let from = self.from(&mut scope, &select.from);
        let mut further = Vec::new();
        for view in &select.lateral_views {
            further.push(self.operand(&scope, &view.lateral_view));
            let name = last_part(&view.lateral_view_name).map(|name| name.value.as_str()).unwrap_or_default();
            scope.relations.push(Relation::new(name, Columns::Unknown));
        }
        let filter = select.selection.iter().chain(&select.prewhere);
        let filter: Vec<_> = filter.map(|condition| self.predicate(&scope, condition)).collect();
        let items = self.items(&scope, &select.projection);
        scope.outputs = items.iter().flat_map(|item| item.columns.iter().cloned()).collect();
        if let Some(exclude) = &select.exclude {
            remove(&mut scope.outputs, exclude);
        }
        let group_by = match &select.group_by {
            GroupByExpr::All(_) => None,
            GroupByExpr::Expressions(expressions, _) => Some(self.group_keys(&scope, expressions)),
        };
        let having = select.having.as_ref().map(|having| self.predicate(&scope, having));
        let qualify = select.qualify.as_ref().map(|qualify| self.operand(&scope, qualify));
        let is_qualified = qualify.as_ref().is_some_and(ResolvedExpr::is_windowed);
        further.extend(qualify);
        further.extend(self.parts_of(&scope, &select.connect_by, false));
        further.extend(self.parts_of(&scope, &select.named_window, false));
        let distinct = match &select.distinct {
            Some(Distinct::Distinct) => DistinctRows::Yes,
            Some(Distinct::On(expressions)) => DistinctRows::On(self.operands(&scope, expressions)),
            Some(Distinct::All) | None => DistinctRows::No,
        };
        let order = self.order_keys(&scope, tail.order);

        let is_grouped = group_by.as_ref().is_none_or(|keys| !keys.is_empty());
        let sorted = order.iter().filter(|key| key.output.is_none()).map(|key| &key.expr);
        let shown = || items.iter().filter_map(|item| item.expr.as_ref()).chain(sorted.clone());
        let aggregates = is_grouped || shown().chain(&having).any(ResolvedExpr::aggregates);
        let windows = is_qualified || shown().any(ResolvedExpr::is_windowed);
        let limited = match scope.relations.as_slice() {
            [only] if !aggregates && !windows && matches!(distinct, DistinctRows::No) => only.table(),
            _ => None,
        };
        let top = select.top.as_ref().map(|top| match &top.quantity {
            Some(TopQuantity::Constant(rows)) => Amount::Rows(*rows),
            Some(TopQuantity::Expr(expression)) => amount(expression).amount(),
            None => Amount::Unknown,
        });
        let mut columns = scope.outputs.clone();
        if windows || tail.is_limited || top.is_some() || (aggregates && !is_grouped) {
            // A predicate on what is left is not a predicate on the table's rows.
            columns.iter_mut().for_each(|column| column.same_as = None);
        }
        let position = SourcePosition::of(select);
        let kind = BodyKind::Select(Box::new(ResolvedSelect {
            from,
            filter,
            items,
            group_by,
            having,
            further,
            distinct,
            order,
            top,
            outputs: scope.outputs,
            limited,
            position,
            refused: clauses::of_select(select),
        }));
        QueryBody { kind, columns }
    }

    /// A select list, or `RETURNING`.
    pub fn items(&mut self, scope: &Scope<'_>, items: &[Item]) -> Vec<SelectItem> {
        items.iter().map(|item| self.item(scope, item)).collect()
    }

    fn item(&mut self, scope: &Scope<'_>, item: &Item) -> SelectItem {
        match item {
            Item::UnnamedExpr(expr) => {
                let (name, is_named) = own_name(expr);
                self.expression_item(scope, expr, name, is_named, label(expr))
            }
            Item::ExprWithAlias { expr, alias } => {
                let label = Some(alias.value.to_lowercase());
                self.expression_item(scope, expr, alias.value.clone(), true, label)
            }
            Item::ExprWithAliases { expr, aliases } => {
                let mut resolved = self.expression_item(scope, expr, String::new(), false, None);
                let names = aliases.iter().map(|alias| Some(alias.value.to_lowercase()));
                let column = resolved.columns.pop().unwrap_or_default();
                let column = |name| DerivedColumn { name, same_as: None, ..column.clone() };
                resolved.columns = names.map(column).collect();
                SelectItem { refused: Some(refused_item(item)), ..resolved }
            }
            Item::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                let resolved = self.expression_item(scope, expr, String::new(), false, None);
                SelectItem { refused: Some(refused_item(item)), ..resolved }
            }
            Item::Wildcard(options) => {
                let all = scope.relations.iter().flat_map(|relation| relation.all_columns(self)).collect();
                self.wildcard_item(scope, all, options, clauses::of_wildcard(options, item))
            }
            Item::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                let alias = last_part(name).map(|name| name.value.clone()).unwrap_or_default();
                let relation = scope.relation(&alias);
                let all = relation.map(|relation| relation.all_columns(self)).unwrap_or_default();
                let missing = || {
                    let problem = Problem::NoTable { name: alias.clone(), nearest: None };
                    relation.is_none().then(|| StatementError::new(problem, SourcePosition::of(item)))
                };
                let refused = clauses::of_wildcard(options, item).or_else(missing);
                self.wildcard_item(scope, all, options, refused)
            }
        }
    }

    fn expression_item(
        &mut self,
        scope: &Scope<'_>,
        expression: &Expr,
        name: String,
        is_named: bool,
        label: Option<String>,
    ) -> SelectItem {
        let expr = self.operand(scope, expression);
        let mut column = DerivedColumn { name: label, same_as: expr.column(), ..DerivedColumn::default() };
        column.add_uses(expr.uses());
        let columns = vec![column];
        SelectItem { expr: Some(expr), name, is_named, columns, replaced: Vec::new(), refused: None }
    }

    fn wildcard_item(
        &mut self,
        scope: &Scope<'_>,
        mut columns: Vec<DerivedColumn>,
        options: &WildcardAdditionalOptions,
        refused: Option<StatementError>,
    ) -> SelectItem {
        if let Some(except) = &options.opt_except {
            let names = std::iter::once(&except.first_element).chain(&except.additional_elements);
            let names: Vec<String> = names.map(|name| name.value.to_lowercase()).collect();
            columns.retain(|column| !column.name.as_ref().is_some_and(|name| names.contains(name)));
        }
        if let Some(exclude) = &options.opt_exclude {
            remove(&mut columns, exclude);
        }
        let replaced = options.opt_replace.iter().flat_map(|replace| &replace.items);
        let replaced = replaced.map(|item| self.operand(scope, &item.expr)).collect();
        SelectItem { expr: None, name: String::new(), is_named: false, columns, replaced, refused }
    }

    fn group_keys(&mut self, scope: &Scope<'_>, expressions: &[Expr]) -> Vec<GroupKey> {
        let mut keys = Vec::new();
        for whole in expressions {
            let mut waiting: Vec<&Expr> = vec![whole];
            while let Some(expression) = waiting.pop() {
                match expression {
                    Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets) => {
                        waiting.extend(sets.iter().flatten().rev());
                    }
                    Expr::Tuple(parts) => waiting.extend(parts.iter().rev()),
                    expression => {
                        let number = position(scope, expression);
                        let refused = (!std::ptr::eq(expression, whole)).then(|| {
                            let (position, construct) = described(whole);
                            StatementError::computed(construct, position)
                        });
                        keys.push(GroupKey {
                            expr: self.operand(scope, expression),
                            output: number.or_else(|| named(scope, expression)),
                            is_number: number.is_some(),
                            refused,
                        });
                    }
                }
            }
        }
        keys
    }

    pub fn order_keys(&mut self, scope: &Scope<'_>, order: &[OrderByExpr]) -> Vec<OrderKey> {
        let key = |item: &OrderByExpr| OrderKey {
            expr: self.operand(scope, &item.expr),
            output: named(scope, &item.expr).or_else(|| position(scope, &item.expr)),
            descending: matches!(item.options.sort, Some(OrderBySort::Desc)),
            nulls_first: item.options.nulls_first,
            refused: clauses::of_order(item),
        };
        order.iter().map(key).collect()
    }
}

fn refused_item(item: &Item) -> StatementError {
    let instead = "show columns, aggregates and *";
    StatementError::unsupported("this item of SELECT", instead, SourcePosition::of(item))
}

/// The columns of two queries whose rows are put together.
fn combined(left: &[DerivedColumn], right: &[DerivedColumn]) -> Vec<DerivedColumn> {
    let mut right = right.iter().cloned();
    let mut both: Vec<DerivedColumn> = left
        .iter()
        .map(|column| {
            let mut column = DerivedColumn { same_as: None, ..column.clone() };
            column.add_uses(right.next().into_iter().flat_map(|other| other.uses));
            column
        })
        .collect();
    both.extend(right);
    both
}

/// The output column that a number in `ORDER BY` or `GROUP BY` stands for.
fn position(scope: &Scope<'_>, expression: &Expr) -> Option<usize> {
    let Expr::Value(value) = expression else { return None };
    let Literal::Number(number, _) = &value.value else { return None };
    let at = number.parse::<usize>().ok()?.checked_sub(1)?;
    (at < scope.outputs.len()).then_some(at)
}

/// The output column of a name.
fn named(scope: &Scope<'_>, expression: &Expr) -> Option<usize> {
    let Expr::Identifier(name) = expression else { return None };
    let name = name.value.to_lowercase();
    scope.outputs.iter().position(|output| output.name.as_ref() == Some(&name))
}

fn fetched(fetch: &Fetch) -> Amount {
    match &fetch.quantity {
        Some(_) if fetch.percent => Amount::Unknown,
        Some(rows) => amount(rows).amount(),
        None => Amount::Rows(1),
    }
}

/// What an output column without an alias is called by other clauses: the column's or the function's name.
fn label(expression: &Expr) -> Option<String> {
    let name = match expression {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(names) => names.last(),
        Expr::Function(function) => last_part(&function.name),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => return label(inner),
        _ => None,
    };
    name.map(|name| name.value.to_lowercase())
}

/// The name of an output column without an alias, and whether it is the column's own; else it is the text.
fn own_name(expression: &Expr) -> (String, bool) {
    match expression {
        Expr::Identifier(name) => (name.value.clone(), true),
        Expr::CompoundIdentifier(names) => {
            (names.last().map(|name| name.value.clone()).unwrap_or_default(), true)
        }
        Expr::Nested(inner) => own_name(inner),
        other => (other.to_string(), false),
    }
}

fn remove(columns: &mut Vec<DerivedColumn>, exclude: &ExcludeSelectItem) {
    let excluded = match exclude {
        ExcludeSelectItem::Single(name) => std::slice::from_ref(name),
        ExcludeSelectItem::Multiple(names) => names.as_slice(),
    };
    let names: Vec<String> =
        excluded.iter().filter_map(last_part).map(|name| name.value.to_lowercase()).collect();
    columns.retain(|column| !column.name.as_ref().is_some_and(|name| names.contains(name)));
}
