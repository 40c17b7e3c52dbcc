//! From the resolved statement to the one that is executed: what is not executed is refused, constants get the types of what
//! they are compared with or written to.

mod changes;
mod predicates;
mod values;

use sqlparser::ast;
use tablesmith_model::nearest::nearest;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{self, Workload};

use super::error::{Problem, StatementError};
use super::parameters::{Parameter, Parameters};
use super::prepared::Placeholders;
use super::{Aggregate, Column, Expr, Function, Grouping, Order, OutputColumn, Query, Source, Statement};
use crate::catalog::{Catalog, TableColumns};
use crate::resolved::{
    BodyKind, CallArgument, ColumnRef, Constant, DistinctRows, ExprNode, Found, FromPart, GroupKey, OrderKey,
    RelationKind, ResolvedCall, ResolvedExpr, ResolvedName, ResolvedQuery, ResolvedSelect, ResolvedStatement,
    SelectItem, StatementBody,
};
use predicates::Over;
use values::{Expected, is_number};

type Lowered<T> = Result<T, StatementError>;

/// The work on one statement.
pub(super) struct Lowering<'s> {
    workload: &'s Workload,
    catalog: &'s Catalog,
    /// The table of each mention.
    tables: &'s [usize],
    placeholders: &'s Placeholders,
    /// The values of parameters; where there are none yet, any will do.
    values: Option<&'s Parameters>,
    /// The tables of the statement, and which mention each is.
    sources: Vec<Source>,
    mentions: Vec<usize>,
    /// The parameters met so far.
    parameters: Vec<Parameter>,
}

impl<'s> Lowering<'s> {
    pub fn new(
        workload: &'s Workload,
        catalog: &'s Catalog,
        tables: &'s [usize],
        placeholders: &'s Placeholders,
        values: Option<&'s Parameters>,
    ) -> Self {
        let (sources, mentions, parameters) = (Vec::new(), Vec::new(), Vec::new());
        Self { workload, catalog, tables, placeholders, values, sources, mentions, parameters }
    }

    /// The statement, and its parameters in the order of their first use.
    pub fn statement(mut self, statement: &ResolvedStatement) -> Lowered<(Statement, Vec<Parameter>)> {
        executed(&statement.refused)?;
        let lowered = match &statement.body {
            StatementBody::Query(query) => Statement::Select(self.query(query)?),
            StatementBody::Insert(insert) => Statement::Insert(self.insert(insert)?),
            StatementBody::Update(update) => Statement::Update(self.update(update)?),
            StatementBody::Delete(delete) => Statement::Delete(self.delete(delete)?),
            _ => return Err(StatementError::new(Problem::Statements(0), None)),
        };
        Ok((lowered, self.parameters))
    }

    fn query(&mut self, query: &ResolvedQuery) -> Lowered<Query> {
        executed(&query.refused)?;
        match &query.body.kind {
            BodyKind::Select(select) => self.select(select, query),
            BodyKind::Query(inner) => self.query(inner),
            _ => Err(StatementError::new(Problem::Statements(0), None)),
        }
    }

    fn select(&mut self, select: &ResolvedSelect, query: &ResolvedQuery) -> Lowered<Query> {
        executed(&select.refused)?;
        let on = self.from(&select.from)?;
        let mut filter = Vec::new();
        for predicate in on.into_iter().chain(&select.filter) {
            self.predicate(predicate, &mut Over::Rows)?.conjuncts(&mut filter);
        }
        let (mut aggregates, mut outputs, mut named) = (Vec::new(), Vec::new(), Vec::new());
        for item in &select.items {
            self.item(item, &mut aggregates, &mut outputs, &mut named)?;
        }
        let keys = select.group_by.as_deref().unwrap_or_default();
        let by = self.group_by(keys, &outputs, &named)?;
        let mut having = Vec::new();
        if let Some(predicate) = &select.having {
            let mut over = Over::Groups { aggregates: &mut aggregates, outputs: &outputs };
            self.predicate(predicate, &mut over)?.conjuncts(&mut having);
        }
        let is_grouped = !by.is_empty() || !aggregates.is_empty() || select.having.is_some();
        let mut grouping = is_grouped.then_some(Grouping { by, aggregates, having });
        let order = self.order_by(&select.order, &outputs, &named, grouping.as_mut())?;
        let limit = query.limit.as_ref().map(|limit| self.amount(limit)).transpose()?.flatten();
        let offset = query.offset.as_ref().map(|offset| self.amount(offset)).transpose()?.flatten();
        let lowered = Query {
            sources: std::mem::take(&mut self.sources),
            filter,
            grouping,
            outputs,
            distinct: matches!(select.distinct, DistinctRows::Yes),
            order,
            limit,
            offset: offset.unwrap_or(0),
        };
        check_groups(&lowered, select)?;
        Ok(lowered)
    }

    /// Takes the tables of `FROM`; the conditions of its joins.
    fn from<'q>(&mut self, from: &'q [FromPart]) -> Lowered<Vec<&'q ResolvedExpr>> {
        let mut conditions = Vec::new();
        for part in from {
            match part {
                FromPart::Join(join) => {
                    executed(&join.refused)?;
                    conditions.extend(&join.on);
                }
                FromPart::Relation(relation) => {
                    executed(&relation.refused)?;
                    let (table, mention) = self.known_table(&relation.kind)?;
                    let alias = relation.alias.clone();
                    if self.sources.iter().any(|source| source.alias.eq_ignore_ascii_case(&alias)) {
                        return Err(StatementError::new(Problem::SameAlias(alias), relation.position));
                    }
                    self.sources.push(Source { table: table.name.clone(), alias });
                    self.mentions.push(mention);
                }
            }
        }
        Ok(conditions)
    }

    fn known_table(&self, kind: &RelationKind) -> Lowered<(&'s workload::Table, usize)> {
        let RelationKind::Table { name, position, table } = kind else {
            return Err(StatementError::new(Problem::Statements(0), None));
        };
        let known =
            table.and_then(|mention| Some((self.workload.table(self.table(mention)?.name())?, mention)));
        known.ok_or_else(|| {
            let names = self.workload.tables.iter().map(|table| table.name.as_str());
            let nearest = nearest(name, names).map(str::to_owned);
            StatementError::new(Problem::NoTable { name: name.clone(), nearest }, *position)
        })
    }

    fn table(&self, mention: usize) -> Option<&'s TableColumns> {
        self.tables.get(mention).and_then(|id| self.catalog.tables().get(*id))
    }

    /// The column of a name.
    fn column(&self, name: &ResolvedName, expr: &ResolvedExpr) -> Lowered<Column> {
        let found = match &name.found {
            Found::Column(column) if name.candidates == 1 => column.same_as,
            _ => None,
        };
        let column = found.and_then(|column| self.column_of(column));
        column.ok_or_else(|| StatementError::new(self.unresolved(name), expr.position))
    }

    fn column_of(&self, column: ColumnRef) -> Option<Column> {
        let name = self.table(column.table)?.columns().get(column.column)?;
        let source = self.mentions.iter().position(|mention| *mention == column.table)?;
        let value_type = self.workload.table(&self.sources.get(source)?.table)?.column(name)?.value_type;
        Some(Column { source, name: name.clone(), value_type })
    }

    /// Why a name is not the column of exactly one source.
    fn unresolved(&self, name: &ResolvedName) -> Problem {
        let (last, table) = match name.parts.as_slice() {
            [.., table, last] => (last, Some(table)),
            [last] => (last, None),
            [] => return Problem::NotSql("a name is empty".to_owned()),
        };
        let is_searched =
            |source: &&Source| table.is_none_or(|table| source.alias.eq_ignore_ascii_case(table));
        let searched: Vec<&Source> = self.sources.iter().filter(is_searched).collect();
        if let (Some(table), []) = (table, searched.as_slice()) {
            let aliases = self.sources.iter().map(|source| source.alias.as_str());
            let nearest = nearest(table, aliases).map(str::to_owned);
            return Problem::NoTable { name: table.clone(), nearest };
        }
        let tables = searched.iter().map(|source| source.alias.as_str()).collect::<Vec<_>>().join(", ");
        if name.candidates > 1 {
            return Problem::Ambiguous { name: last.clone(), tables };
        }
        let columns = searched.iter().filter_map(|source| self.workload.table(&source.table));
        let columns = columns.flat_map(|table| table.columns.iter().map(|column| column.name.as_str()));
        let nearest = nearest(last, columns).map(str::to_owned);
        Problem::NoColumn { name: last.clone(), tables, nearest }
    }

    /// The output columns of an item, and whether their names can be used by other clauses.
    fn item(
        &mut self,
        item: &SelectItem,
        aggregates: &mut Vec<Aggregate>,
        outputs: &mut Vec<OutputColumn>,
        named: &mut Vec<bool>,
    ) -> Lowered<()> {
        executed(&item.refused)?;
        if let Some(expr) = &item.expr {
            outputs.push(OutputColumn { name: item.name.clone(), expr: self.output(expr, aggregates)? });
            named.push(item.is_named);
            return Ok(());
        }
        for column in item.columns.iter().filter_map(|column| self.column_of(column.same_as?)) {
            outputs.push(OutputColumn { name: column.name.clone(), expr: Expr::Column(column) });
            named.push(true);
        }
        Ok(())
    }

    /// A column, an aggregate or a value.
    fn output(&mut self, expr: &ResolvedExpr, aggregates: &mut Vec<Aggregate>) -> Lowered<Expr> {
        match &expr.node {
            ExprNode::Name(name) => self.column(name, expr).map(Expr::Column),
            ExprNode::Call(call) => {
                let aggregate = self.aggregate(call, expr)?;
                Ok(Expr::Aggregate(place_among(aggregates, aggregate)))
            }
            _ => self.value(expr, None),
        }
    }

    fn group_by(
        &mut self,
        keys: &[GroupKey],
        outputs: &[OutputColumn],
        named: &[bool],
    ) -> Lowered<Vec<Column>> {
        let mut by: Vec<Column> = Vec::new();
        for key in keys {
            executed(&key.refused)?;
            let column = match (output_of(key.output, &key.expr, outputs, named)?, &key.expr.node) {
                (Some(Expr::Column(column)), _) => column.clone(),
                (None, ExprNode::Name(name)) => self.column(name, &key.expr)?,
                _ => return Err(computed(&key.expr)),
            };
            if !by.contains(&column) {
                by.push(column);
            }
        }
        Ok(by)
    }

    fn order_by(
        &mut self,
        keys: &[OrderKey],
        outputs: &[OutputColumn],
        named: &[bool],
        mut grouping: Option<&mut Grouping>,
    ) -> Lowered<Vec<Order>> {
        let mut order: Vec<Order> = Vec::new();
        for key in keys {
            executed(&key.refused)?;
            let by = match (output_of(key.output, &key.expr, outputs, named)?, &key.expr.node) {
                (Some(output), _) => output.clone(),
                (None, ExprNode::Name(name)) => Expr::Column(self.column(name, &key.expr)?),
                (None, ExprNode::Call(_)) => match &mut grouping {
                    Some(grouping) => self.output(&key.expr, &mut grouping.aggregates)?,
                    None => return Err(computed(&key.expr)),
                },
                _ => return Err(computed(&key.expr)),
            };
            // What is sorted by a second time, or is always the same, changes nothing.
            if !order.iter().any(|have| have.by == by) && !matches!(by, Expr::Value(_)) {
                let nulls_first = key.nulls_first.unwrap_or(!key.descending);
                order.push(Order { by, descending: key.descending, nulls_first });
            }
        }
        Ok(order)
    }

    /// A number of rows; none where all are wanted (`LIMIT ALL`, `LIMIT -1`).
    fn amount(&mut self, expr: &ResolvedExpr) -> Lowered<Option<u64>> {
        let expected = Expected::of_type(ValueType::Int, "the number of rows");
        match self.constant(expr, Some(&expected))? {
            Some(Value::Int(rows)) => Ok(u64::try_from(rows).ok()),
            Some(other) => Err(StatementError::new(Problem::NoAmount(other.to_string()), expr.position)),
            None => Err(computed(expr)),
        }
    }

    fn aggregate(&mut self, call: &ResolvedCall, whole: &ResolvedExpr) -> Lowered<Aggregate> {
        let Some(function) = Function::from_name(&call.name) else {
            let instead = format!("the functions are {}", Function::names());
            let construct = format!("the function {}", call.name);
            return Err(StatementError::unsupported(construct, &instead, whole.position));
        };
        executed(&call.refused)?;
        let counts = function == Function::Count && !call.is_distinct;
        let wrong = || {
            let construct = format!("{} of anything but one column", function.name());
            StatementError::unsupported(construct, "write the name of a column", whole.position)
        };
        let of = match call.argument {
            CallArgument::Rows if counts => None,
            CallArgument::Part(at) => {
                let argument = call.parts.get(at).ok_or_else(wrong)?;
                match &argument.node {
                    ExprNode::Name(name) => Some(self.column(name, argument)?),
                    // A literal is in every row: counting it counts rows.
                    _ if counts && self.constant(argument, None)?.is_some_and(|value| !value.is_null()) => {
                        None
                    }
                    _ => return Err(wrong()),
                }
            }
            CallArgument::Rows | CallArgument::Other => return Err(wrong()),
        };
        if let Some(Column { name, value_type, .. }) =
            of.as_ref().filter(|column| function.adds() && !is_number(column.value_type))
        {
            let (function, column, value_type) = (function.name(), name.clone(), *value_type);
            let problem = Problem::NoNumbers { function, column, value_type };
            return Err(StatementError::new(problem, whole.position));
        }
        // The least of all values is the least of all different ones.
        let distinct = call.is_distinct && !matches!(function, Function::Min | Function::Max);
        Ok(Aggregate { function, of, distinct })
    }
}

/// Refuses a part that is not executed.
fn executed(refused: &Option<StatementError>) -> Lowered<()> {
    refused.clone().map_or(Ok(()), Err)
}

/// An expression that is not executed.
fn computed(expr: &ResolvedExpr) -> StatementError {
    let construct = match &expr.node {
        ExprNode::Name(name) => format!("the expression {}", name.parts.join(".")),
        ExprNode::Constant(Constant::Literal(value)) => format!("the expression {value}"),
        ExprNode::Constant(Constant::Parameter { text, .. }) => format!("the expression {text}"),
        _ => expr.construct.clone(),
    };
    StatementError::computed(construct, expr.position)
}

/// The output column that an expression of `GROUP BY` or `ORDER BY` names or counts.
fn output_of<'o>(
    output: Option<usize>,
    expr: &ResolvedExpr,
    outputs: &'o [OutputColumn],
    named: &[bool],
) -> Lowered<Option<&'o Expr>> {
    let number = match &expr.node {
        ExprNode::Constant(Constant::Literal(ast::Value::Number(digits, _))) => Some(digits),
        _ => None,
    };
    let output = output.filter(|at| number.is_some() || named.get(*at) == Some(&true));
    let found = output.and_then(|at| outputs.get(at)).map(|output| &output.expr);
    match (found, number) {
        (None, Some(digits)) => {
            let problem = Problem::NotSql(format!("there is no item number {digits}"));
            Err(StatementError::new(problem, expr.position))
        }
        (found, _) => Ok(found),
    }
}

/// Beside aggregates, only what is the same in a whole group can be an output column, compared or sorted by.
fn check_groups(query: &Query, select: &ResolvedSelect) -> Lowered<()> {
    let is_output = |order: &Order| query.outputs.iter().any(|output| output.expr == order.by);
    if query.distinct && !query.order.iter().all(is_output) {
        let construct = "ORDER BY something that SELECT DISTINCT does not show";
        return Err(StatementError::unsupported(construct, "show it, too", select.position));
    }
    let Some(grouping) = &query.grouping else { return Ok(()) };
    let outputs = query.outputs.iter().map(|output| &output.expr);
    let exprs = outputs.chain(query.order.iter().map(|order| &order.by));
    let mut columns: Vec<&Column> = Vec::new();
    columns.extend(exprs.filter_map(|expr| match expr {
        Expr::Column(column) => Some(column),
        Expr::Value(_) | Expr::Aggregate(_) => None,
    }));
    grouping.having.iter().for_each(|predicate| predicate.columns(&mut |column| columns.push(column)));
    match columns.into_iter().find(|column| !grouping.by.contains(column)) {
        Some(column) => Err(StatementError::new(Problem::NotGrouped(column.name.clone()), select.position)),
        None => Ok(()),
    }
}

/// The place of an aggregate among those of the query; it is added when it is new.
fn place_among(aggregates: &mut Vec<Aggregate>, aggregate: Aggregate) -> usize {
    aggregates.iter().position(|have| *have == aggregate).unwrap_or_else(|| {
        aggregates.push(aggregate);
        aggregates.len() - 1
    })
}
