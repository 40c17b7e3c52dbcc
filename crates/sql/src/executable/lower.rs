//! From the resolved statement to the one that is executed: what is not executed is refused, constants get the types of what
//! they are compared with or written to.

use tablesmith_model::nearest::nearest;
use tablesmith_model::value::{Decimal, Value, ValueType};
use tablesmith_model::workload::{self, Workload};

use sqlparser::ast::{self, BinaryOperator};

use super::error::{Problem, StatementError};
use super::parameters::{Parameter, Parameters};
use super::prepared::Placeholders;
use super::values::{Expected, is_number};
use super::{
    Aggregate, Assigned, Assignment, Column, Comparison, Delete, Expr, Function, Grouping, Insert, Order,
    OutputColumn, Pattern, Predicate, Query, Source, Statement, Update, convert,
};
use crate::catalog::{Catalog, TableColumns};
use crate::resolved::{
    BodyKind, CallArgument, ColumnRef, Constant, DistinctRows, ExprNode, Found, FromPart, GroupKey, OrderKey,
    RelationKind, ResolvedAssignment, ResolvedCall, ResolvedDelete, ResolvedExpr, ResolvedInsert,
    ResolvedName, ResolvedQuery, ResolvedSelect, ResolvedStatement, ResolvedUpdate, SelectItem,
    StatementBody,
};

pub(super) type Lowered<T> = Result<T, StatementError>;

/// The work on one statement.
pub(super) struct Lowering<'s> {
    workload: &'s Workload,
    catalog: &'s Catalog,
    /// The table of each mention.
    tables: &'s [usize],
    pub placeholders: &'s Placeholders,
    /// The values of parameters; where there are none yet, any will do.
    pub values: Option<&'s Parameters>,
    /// The tables of the statement, and which mention each is.
    pub sources: Vec<Source>,
    mentions: Vec<usize>,
    /// The parameters met so far.
    pub parameters: Vec<Parameter>,
}

/// What predicates are about: rows, or groups whose aggregates are collected; output columns may be called by their names.
enum Over<'a> {
    Rows,
    Groups { aggregates: &'a mut Vec<Aggregate>, outputs: &'a [OutputColumn] },
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

    fn predicate(&mut self, predicate: &ResolvedExpr, over: &mut Over<'_>) -> Lowered<Predicate> {
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

    fn value(&mut self, expr: &ResolvedExpr, expected: Option<&Expected>) -> Lowered<Expr> {
        self.constant(expr, expected)?.map(Expr::Value).ok_or_else(|| computed(expr))
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

    fn insert(&mut self, insert: &ResolvedInsert) -> Lowered<Insert> {
        executed(&insert.refused)?;
        let (table, mention) = self.known_table(&insert.target.kind)?;
        self.sources.push(Source { table: table.name.clone(), alias: table.name.clone() });
        self.mentions.push(mention);
        let columns: Vec<Column> = match insert.columns.as_slice() {
            [] => {
                let all = (0..table.columns.len()).map(|column| ColumnRef { table: mention, column });
                all.filter_map(|column| self.column_of(column)).collect()
            }
            names => names.iter().map(|name| self.target(name)).collect::<Lowered<_>>()?,
        };
        let is_again = |(at, column): &(usize, &Column)| columns.iter().take(*at).any(|one| one == *column);
        if let Some((_, column)) = columns.iter().enumerate().find(is_again) {
            let construct = format!("INSERT of {} twice", column.name);
            return Err(StatementError::unsupported(construct, "name it once", insert.position));
        }
        let Some(BodyKind::Values(values)) = insert.source.as_ref().map(|source| &source.body.kind) else {
            let instead = "write VALUES (…), (…)";
            return Err(StatementError::unsupported("INSERT … SELECT", instead, insert.position));
        };
        let mut rows = Vec::with_capacity(values.len());
        for (number, values) in values.iter().enumerate() {
            if columns.len() != values.len() {
                let problem = Problem::Values { columns: columns.len(), values: values.len() };
                return Err(StatementError::new(problem, values.first().and_then(|value| value.position)));
            }
            let mut row = vec![Value::Null; table.columns.len()];
            for (column, expr) in columns.iter().zip(values) {
                let value = self.stored(column, number, expr)?;
                let slot = table.column_index(&column.name).and_then(|index| row.get_mut(index));
                slot.into_iter().for_each(|slot| *slot = value.clone());
            }
            rows.push(row);
        }
        Ok(Insert { table: table.name.clone(), rows })
    }

    /// A column that is written.
    fn target(&self, target: &ResolvedExpr) -> Lowered<Column> {
        match &target.node {
            ExprNode::Name(name) => self.column(name, target),
            _ => Err(computed(target)),
        }
    }

    /// A value that a column of a row can hold.
    fn stored(&mut self, column: &Column, row: usize, expr: &ResolvedExpr) -> Lowered<Value> {
        let expected = self.expected(column, row);
        let value = self.constant(expr, Some(&expected))?.ok_or_else(|| computed(expr))?;
        convert(&value, column.value_type).ok_or_else(|| {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoRoom { column, value: value.to_string(), value_type };
            StatementError::new(problem, expr.position)
        })
    }

    fn update(&mut self, update: &ResolvedUpdate) -> Lowered<Update> {
        executed(&update.refused)?;
        self.from(&update.from)?;
        let mut set: Vec<Assignment> = Vec::new();
        for ResolvedAssignment { targets, is_tuple, value } in &update.assignments {
            let ([target], false) = (targets.as_slice(), *is_tuple) else {
                let instead = "set each column alone";
                return Err(StatementError::unsupported("SET (a, b) = …", instead, value.position));
            };
            let column = self.target(target)?;
            let to = self.assigned(&column, value)?;
            if set.iter().any(|have| have.column == column.name) {
                let construct = format!("SET of {} twice", column.name);
                return Err(StatementError::unsupported(construct, "set it once", target.position));
            }
            set.push(Assignment { column: column.name, to });
        }
        let filter = self.filter(update.filter.as_ref())?;
        Ok(Update { table: self.first_table(), set, filter })
    }

    fn assigned(&mut self, column: &Column, value: &ResolvedExpr) -> Lowered<Assigned> {
        match &value.node {
            ExprNode::Binary {
                left,
                operator: op @ (BinaryOperator::Plus | BinaryOperator::Minus),
                right,
            } => self.plus(column, left, *op == BinaryOperator::Minus, right)?.ok_or_else(|| computed(value)),
            ExprNode::Name(name) => {
                let other = self.column(name, value)?;
                if other.value_type != column.value_type {
                    let problem = Problem::Types { one: column.value_type, two: other.value_type };
                    return Err(StatementError::new(problem, value.position));
                }
                Ok(Assigned::Column(other.name))
            }
            _ => self.stored(column, 0, value).map(Assigned::Value),
        }
    }

    /// `n = n + 1`, `n = 1 + n` or `n = n - 1`.
    fn plus(
        &mut self,
        column: &Column,
        left: &ResolvedExpr,
        is_minus: bool,
        right: &ResolvedExpr,
    ) -> Lowered<Option<Assigned>> {
        let (own, amount) = match (&left.node, &right.node) {
            (ExprNode::Name(name), _) => (self.column(name, left)?, right),
            (_, ExprNode::Name(name)) if !is_minus => (self.column(name, right)?, left),
            _ => return Ok(None),
        };
        if own != *column {
            return Ok(None);
        }
        if !is_number(column.value_type) {
            let (column, value_type) = (column.name.clone(), column.value_type);
            let problem = Problem::NoNumbers { function: "+", column, value_type };
            return Err(StatementError::new(problem, left.position));
        }
        let amount = self.stored(column, 0, amount)?;
        let signed = if is_minus { negative(&amount) } else { Some(amount) };
        Ok(signed.map(Assigned::Plus))
    }

    fn delete(&mut self, delete: &ResolvedDelete) -> Lowered<Delete> {
        executed(&delete.refused)?;
        let on = self.from(&delete.from)?;
        if self.sources.len() != 1 || !on.is_empty() {
            let instead = "write DELETE FROM table WHERE …";
            return Err(StatementError::unsupported("DELETE of a join", instead, delete.position));
        }
        let filter = self.filter(delete.filter.as_ref())?;
        Ok(Delete { table: self.first_table(), filter })
    }

    fn filter(&mut self, predicate: Option<&ResolvedExpr>) -> Lowered<Vec<Predicate>> {
        let mut filter = Vec::new();
        if let Some(predicate) = predicate {
            self.predicate(predicate, &mut Over::Rows)?.conjuncts(&mut filter);
        }
        Ok(filter)
    }

    fn first_table(&self) -> String {
        self.sources.first().map(|source| source.table.clone()).unwrap_or_default()
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

fn negative(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::Null),
        Value::Int(number) => number.checked_neg().map(Value::Int),
        Value::Float(number) => Some(Value::Float(-number)),
        Value::Decimal(number) => {
            let digits = number.to_string();
            let flipped = digits.strip_prefix('-').map_or_else(|| format!("-{digits}"), str::to_owned);
            Decimal::parse(&flipped).map(Value::Decimal)
        }
        _ => None,
    }
}
