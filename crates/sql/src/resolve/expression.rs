//! Predicates and expressions.

use std::fmt::{self, Write};
use std::ops::ControlFlow;

use sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    Query, UnaryOperator, Value as Literal, ValueWithSpan, Visit, Visitor,
};

use super::Resolver;
use super::clauses;
use super::scope::{Relation, Scope, last_part, parts};
use crate::executable::SourcePosition;
use crate::resolved::{
    AggregateOf, CallArgument, ColumnRef, Constant, ExprNode, Found, ResolvedCall, ResolvedExpr, ResolvedName,
};

/// How much is noted for messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Of predicates and their operands.
    Predicate,
    /// Of the expression.
    Operand,
    /// Nothing: it is inside of an expression that is refused as a whole.
    Inner,
}

/// The aggregate functions of databases, with spaces between them.
const AGGREGATES: &str = "any_value approx_count_distinct array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count \
    covar_pop covar_samp every first group_concat json_agg json_object_agg jsonb_agg jsonb_object_agg \
    last listagg max median min mode percentile_cont percentile_disc std stddev stddev_pop stddev_samp \
    string_agg sum var_pop var_samp variance";

impl Resolver<'_> {
    /// A condition of `WHERE`, `ON` or `HAVING`.
    pub fn predicate(&mut self, scope: &Scope<'_>, expression: &Expr) -> ResolvedExpr {
        self.expr(scope, expression, Detail::Predicate)
    }

    /// An expression that is compared, sorted or grouped by, or that is an output column.
    pub fn operand(&mut self, scope: &Scope<'_>, expression: &Expr) -> ResolvedExpr {
        self.expr(scope, expression, Detail::Operand)
    }

    pub fn operands<'e>(
        &mut self,
        scope: &Scope<'_>,
        expressions: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<ResolvedExpr> {
        expressions.into_iter().map(|expression| self.operand(scope, expression)).collect()
    }

    fn expr(&mut self, scope: &Scope<'_>, expression: &Expr, detail: Detail) -> ResolvedExpr {
        let (below, predicate) = match detail {
            Detail::Predicate => (Detail::Operand, Detail::Predicate),
            Detail::Operand | Detail::Inner => (Detail::Inner, Detail::Inner),
        };
        let mut boxed = |expression: &Expr| Box::new(self.expr(scope, expression, below));
        let (node, negated) = match expression {
            Expr::Nested(inner) => {
                let mut inner = self.expr(scope, inner, detail);
                if detail == Detail::Operand && !inner.construct.is_empty() {
                    (inner.position, inner.construct) = described(expression);
                }
                return inner;
            }
            Expr::Identifier(name) => return self.name(scope, &[name]),
            Expr::CompoundIdentifier(names) => return self.name(scope, &names.iter().collect::<Vec<_>>()),
            Expr::CompoundFieldAccess { root, access_chain } => {
                (self.field(scope, root, access_chain, expression), false)
            }
            Expr::Value(value) => return constant(value),
            Expr::TypedString(typed) => {
                let (type_name, value) =
                    (typed.data_type.to_string().to_lowercase(), typed.value.value.clone());
                (ExprNode::Constant(Constant::Typed { type_name, value }), false)
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                (ExprNode::Not(Box::new(self.expr(scope, expr, predicate))), false)
            }
            Expr::UnaryOp { op, expr } => (self.signed(scope, op, expr, below), false),
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                let all = self.chain(scope, expression, op, predicate);
                (if *op == BinaryOperator::And { ExprNode::And(all) } else { ExprNode::Or(all) }, false)
            }
            Expr::BinaryOp { left, op, right } => {
                (ExprNode::Binary { left: boxed(left), operator: op.clone(), right: boxed(right) }, false)
            }
            Expr::InList { expr, list, negated } => {
                let expr = boxed(expr);
                let list = list.iter().map(|item| self.expr(scope, item, below)).collect();
                (ExprNode::InList { expr, list }, *negated)
            }
            Expr::InSubquery { expr, subquery, negated } => {
                // The query comes first: what it names is noted before what it is compared with.
                let query = Box::new(self.query(subquery, Some(scope)));
                let expr = Box::new(self.expr(scope, expr, below));
                (ExprNode::InQuery { expr, query }, *negated)
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                (ExprNode::AnyOf { expr: boxed(left), array: boxed(right) }, false)
            }
            Expr::Between { expr, negated, low, high } => {
                (ExprNode::Between { expr: boxed(expr), low: boxed(low), high: boxed(high) }, *negated)
            }
            Expr::Like { negated, any, expr, pattern, escape_char } => {
                let (expr, pattern) = (boxed(expr), boxed(pattern));
                let escape = escape_char.as_deref().map(&mut boxed);
                (ExprNode::Like { expr, pattern, escape, any: *any }, *negated)
            }
            Expr::IsNull(inner) => (ExprNode::IsNull(boxed(inner)), false),
            Expr::IsNotNull(inner) => (ExprNode::IsNull(boxed(inner)), true),
            Expr::IsTrue(inner) => (ExprNode::IsTrue(boxed(inner)), false),
            Expr::Tuple(all) => {
                (ExprNode::Tuple(all.iter().map(|part| self.expr(scope, part, below)).collect()), false)
            }
            Expr::Array(array) => (
                ExprNode::Array(array.elem.iter().map(|part| self.expr(scope, part, below)).collect()),
                false,
            ),
            Expr::Cast { expr, .. } => (ExprNode::Cast(boxed(expr)), false),
            Expr::Function(function) => (self.call(scope, function, expression), false),
            Expr::Subquery(query) => (ExprNode::Query(Box::new(self.query(query, Some(scope)))), false),
            Expr::Exists { subquery, negated } => {
                (ExprNode::Exists(Box::new(self.query(subquery, Some(scope)))), *negated)
            }
            Expr::MatchAgainst { columns, .. } => {
                let names = columns.iter().map(|column| self.name(scope, &parts(column)));
                (ExprNode::Compound(names.collect()), false)
            }
            other => (ExprNode::Compound(self.parts_of(scope, other, true)), false),
        };
        let is_described = match &node {
            ExprNode::And(_) | ExprNode::Or(_) | ExprNode::Not(_) => detail == Detail::Operand,
            ExprNode::Constant(_) => true,
            _ => detail != Detail::Inner,
        };
        let (position, construct) = if is_described { described(expression) } else { (None, String::new()) };
        match negated {
            false => ResolvedExpr { node, position, construct },
            true => {
                let inner = ResolvedExpr { node, position, construct: construct.clone() };
                ResolvedExpr { node: ExprNode::Not(Box::new(inner)), position, construct }
            }
        }
    }

    /// The parts of a chain of `AND` or `OR`, however it is put in parentheses.
    fn chain(
        &mut self,
        scope: &Scope<'_>,
        whole: &Expr,
        operator: &BinaryOperator,
        detail: Detail,
    ) -> Vec<ResolvedExpr> {
        let mut waiting = vec![whole];
        let mut all = Vec::new();
        while let Some(part) = waiting.pop() {
            let mut bare = part;
            while let Expr::Nested(inner) = bare {
                bare = inner;
            }
            match bare {
                Expr::BinaryOp { left, op, right } if op == operator => waiting.extend([&**right, &**left]),
                _ => all.push(self.expr(scope, part, detail)),
            }
        }
        all
    }

    fn signed(&mut self, scope: &Scope<'_>, op: &UnaryOperator, expr: &Expr, detail: Detail) -> ExprNode {
        match (op, expr) {
            (
                UnaryOperator::Minus | UnaryOperator::Plus,
                Expr::Value(ValueWithSpan { value: Literal::Number(digits, _), .. }),
            ) => ExprNode::Constant(Constant::Signed {
                is_negative: *op == UnaryOperator::Minus,
                digits: digits.clone(),
            }),
            (UnaryOperator::Minus, expr) => ExprNode::Negative(Box::new(self.expr(scope, expr, detail))),
            (_, expr) => ExprNode::Compound(vec![self.expr(scope, expr, detail)]),
        }
    }

    /// The expressions and queries that a part of the tree is directly made of. `is_whole` when the part is itself an
    /// expression.
    pub fn parts_of(&mut self, scope: &Scope<'_>, part: &impl Visit, is_whole: bool) -> Vec<ResolvedExpr> {
        let mut parts =
            Parts { resolver: self, scope, level: usize::from(is_whole), depth: 0, found: Vec::new() };
        // The visitor never breaks off.
        let _: ControlFlow<()> = part.visit(&mut parts);
        parts.found
    }

    /// The name of a column.
    pub fn name(&mut self, scope: &Scope<'_>, names: &[&Ident]) -> ResolvedExpr {
        let found = scope.find(self, names).or_else(|| match names {
            [name] => scope.relation(&name.value).map(|relation| Found::Row(self.row(relation))),
            _ => None,
        });
        let is_quoted = matches!(names, [name] if name.quote_style == Some('"'));
        let parts: Vec<String> = names.iter().map(|name| name.value.clone()).collect();
        let is_variable = matches!(names, [name] if name.value.starts_with('@'));
        if found.is_none() && !is_quoted && !is_variable {
            self.unknown_column(parts.join("."));
        }
        let candidates = scope.candidates(self, names);
        let found = found.unwrap_or(Found::Nothing);
        let span = names.first().zip(names.last()).map(|(first, last)| {
            let mut span = first.span;
            span.end = last.span.end;
            span
        });
        ResolvedExpr {
            node: ExprNode::Name(ResolvedName { parts, is_quoted, found, candidates }),
            position: span.and_then(SourcePosition::of_span),
            construct: String::new(),
        }
    }

    fn row(&self, relation: &Relation) -> Vec<ColumnRef> {
        relation.all_columns(self).into_iter().flat_map(|column| column.uses).collect()
    }

    /// `table.column[1].field`: the names before the first subscript.
    fn field(&mut self, scope: &Scope<'_>, root: &Expr, chain: &[AccessExpr], whole: &Expr) -> ExprNode {
        let Expr::Identifier(first) = root else {
            return ExprNode::Compound(self.parts_of(scope, whole, true));
        };
        let further = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(name)) => Some(name),
            _ => None,
        });
        let names: Vec<&Ident> = std::iter::once(first).chain(further).collect();
        ExprNode::Compound(vec![self.name(scope, &names)])
    }

    fn call(&mut self, scope: &Scope<'_>, function: &Function, whole: &Expr) -> ExprNode {
        let last = last_part(&function.name).map(|name| name.value.to_lowercase()).unwrap_or_default();
        // MySQL's VALUES(column) is the row being inserted, not the table's.
        let is_new_row = last == "values";
        let parts = if is_new_row { Vec::new() } else { self.parts_of(scope, whole, true) };
        let (arguments, distinct): (&[FunctionArg], _) = match &function.args {
            FunctionArguments::List(list) => (&list.args, list.duplicate_treatment),
            FunctionArguments::None | FunctionArguments::Subquery(_) => (&[], None),
        };
        let mut wildcard = Vec::new();
        if last != "count" && !is_new_row {
            arguments.iter().for_each(|argument| self.wildcard(scope, argument, &mut wildcard));
        }
        let has_parameters = !matches!(function.parameters, FunctionArguments::None);
        let argument = match (&function.args, arguments) {
            (FunctionArguments::List(_), [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]) => {
                CallArgument::Rows
            }
            (_, [FunctionArg::Unnamed(FunctionArgExpr::Expr(_))]) if !has_parameters => CallArgument::Part(0),
            _ => CallArgument::Other,
        };
        let is_window = function.over.is_some();
        let is_aggregate = !is_window && AGGREGATES.split(' ').any(|name| name == last);
        let first = arguments.first().map(expression_of);
        let takes_rows = !matches!(first, Some(FunctionArgExpr::Expr(_)));
        let of = if is_aggregate { aggregate_of(scope, parts.first().filter(|_| !takes_rows)) } else { None };
        ExprNode::Call(Box::new(ResolvedCall {
            name: function.name.to_string(),
            is_aggregate,
            of,
            is_window,
            is_distinct: distinct == Some(sqlparser::ast::DuplicateTreatment::Distinct),
            argument,
            parts,
            wildcard,
            refused: clauses::of_function(function, whole),
        }))
    }

    /// `f(t.*)` reads the whole row.
    fn wildcard(&self, scope: &Scope<'_>, argument: &FunctionArg, into: &mut Vec<ColumnRef>) {
        match expression_of(argument) {
            FunctionArgExpr::QualifiedWildcard(name) => {
                let relation = last_part(name).and_then(|name| scope.relation(&name.value));
                relation.into_iter().for_each(|relation| into.extend(self.row(relation)));
            }
            FunctionArgExpr::Wildcard | FunctionArgExpr::WildcardWithOptions(_) => {
                scope.relations.iter().for_each(|relation| into.extend(self.row(relation)));
            }
            FunctionArgExpr::Expr(_) => {}
        }
    }
}

/// What an aggregate is taken of; without an argument, of rows.
fn aggregate_of(scope: &Scope<'_>, argument: Option<&ResolvedExpr>) -> Option<AggregateOf> {
    let rows = || scope.relations.iter().find_map(Relation::table).map(AggregateOf::Rows);
    let Some(argument) = argument else { return rows() };
    if let Some(column) = argument.column() {
        return Some(AggregateOf::Column(column));
    }
    match first_name(argument) {
        Some(ResolvedName { found: Found::Column(column), .. }) => {
            column.uses.first().map(|column| AggregateOf::Expression(column.table))
        }
        Some(ResolvedName { found: Found::Foreign, .. }) => None,
        _ => rows(),
    }
}

fn first_name(expression: &ResolvedExpr) -> Option<&ResolvedName> {
    match &expression.node {
        ExprNode::Name(name) => Some(name),
        _ => expression.children().into_iter().find_map(first_name),
    }
}

struct Parts<'w, 'c> {
    resolver: &'w mut Resolver<'c>,
    scope: &'w Scope<'w>,
    /// How deep the parts are.
    level: usize,
    depth: usize,
    found: Vec<ResolvedExpr>,
}

impl Visitor for Parts<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if self.depth == self.level {
            let node = ExprNode::Query(Box::new(self.resolver.query(query, Some(self.scope))));
            self.found.push(ResolvedExpr { node, position: None, construct: String::new() });
        }
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if self.depth == self.level {
            let part = self.resolver.expr(self.scope, expression, Detail::Inner);
            self.found.push(part);
        }
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }
}

fn expression_of(argument: &FunctionArg) -> &FunctionArgExpr {
    match argument {
        FunctionArg::Named { arg, .. } | FunctionArg::ExprNamed { arg, .. } | FunctionArg::Unnamed(arg) => {
            arg
        }
    }
}

/// A literal or a parameter.
fn constant(value: &ValueWithSpan) -> ResolvedExpr {
    let constant = match &value.value {
        Literal::Placeholder(text) => Constant::Parameter { text: text.clone(), at: value.span.start },
        literal => Constant::Literal(literal.clone()),
    };
    ResolvedExpr {
        node: ExprNode::Constant(constant),
        position: SourcePosition::of_span(value.span),
        construct: String::new(),
    }
}

/// A number of rows: names in it are not looked up.
pub(super) fn amount(expression: &Expr) -> ResolvedExpr {
    match expression {
        Expr::Value(value) => constant(value),
        Expr::UnaryOp { op: op @ (UnaryOperator::Minus | UnaryOperator::Plus), expr } if matches!(&**expr, Expr::Value(value) if matches!(value.value, Literal::Number(..))) =>
        {
            let digits = expr.to_string();
            let constant = Constant::Signed { is_negative: *op == UnaryOperator::Minus, digits };
            let (position, construct) = described(expression);
            ResolvedExpr { node: ExprNode::Constant(constant), position, construct }
        }
        other => {
            let (position, construct) = described(other);
            ResolvedExpr { node: ExprNode::Compound(Vec::new()), position, construct }
        }
    }
}

/// Where an expression is, and what messages call it.
pub(super) fn described(expression: &Expr) -> (Option<SourcePosition>, String) {
    let construct = match expression {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => {
            "a query inside a query".to_owned()
        }
        Expr::Case { .. } => "CASE".to_owned(),
        Expr::Cast { .. } => "CAST".to_owned(),
        Expr::Function(function) => format!("the function {}", function.name),
        other => format!("the expression {}", beginning(other)),
    };
    (SourcePosition::of(expression), construct)
}

/// The beginning of an expression, as much as a message can show.
fn beginning(expression: &Expr) -> String {
    const CHARS: usize = 60;
    struct Shortened {
        text: String,
        chars: usize,
    }
    impl Write for Shortened {
        fn write_str(&mut self, more: &str) -> fmt::Result {
            for char in more.chars() {
                if self.chars == CHARS {
                    self.text.push('…');
                    return Err(fmt::Error);
                }
                self.text.push(char);
                self.chars += 1;
            }
            Ok(())
        }
    }
    let mut shortened = Shortened { text: String::new(), chars: 0 };
    // It fails on purpose where there is more text than is shown.
    let _ = write!(shortened, "{expression}");
    shortened.text
}
