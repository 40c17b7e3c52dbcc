//! Which columns an expression is made of.

use std::ops::ControlFlow;

use sqlparser::ast::{
    AccessExpr, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query, Visit, Visitor,
};

use super::analysis::Analysis;
use super::output::{Column, Output};
use super::scope::{Found, Relation, Scope, last_part, parts};
use crate::statement::Argument;

/// What walking over an expression found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The columns, outside of sub-queries.
    pub uses: Vec<Column>,
    /// Those of them which a condition on the expression is a condition on.
    pub filtered: Vec<Column>,
    /// Whether rows are aggregated.
    pub aggregates: bool,
    /// Whether a value depends on other rows of the answer.
    pub windows: bool,
}

const AGGREGATES: &[&str] = &[
    "any_value",
    "approx_count_distinct",
    "array_agg",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "corr",
    "count",
    "covar_pop",
    "covar_samp",
    "every",
    "first",
    "group_concat",
    "json_agg",
    "json_object_agg",
    "jsonb_agg",
    "jsonb_object_agg",
    "last",
    "listagg",
    "max",
    "median",
    "min",
    "mode",
    "percentile_cont",
    "percentile_disc",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "string_agg",
    "sum",
    "var_pop",
    "var_samp",
    "variance",
];

impl Analysis<'_> {
    /// Walks over an expression. Sub-queries in it are resolved on the way.
    pub fn walk(&mut self, scope: &Scope<'_>, expression: &impl Visit) -> Walked {
        let mut walker = Walker {
            analysis: self,
            scope,
            walked: Walked::default(),
            skipped: 0,
            queries: 0,
            is_exists: false,
        };
        // The walker never breaks off.
        let _: ControlFlow<()> = expression.visit(&mut walker);
        walker.walked
    }

    /// Walks over an expression whose columns are read in any case.
    pub fn walk_and_read(&mut self, scope: &Scope<'_>, expression: &impl Visit) -> Walked {
        let walked = self.walk(scope, expression);
        self.read(&walked.uses);
        walked
    }

    /// The column that an expression is, if it is nothing else.
    pub fn plain_column(&self, scope: &Scope<'_>, expression: &Expr) -> Option<Output> {
        let found = match expression {
            Expr::Nested(inner) => return self.plain_column(scope, inner),
            Expr::Identifier(name) => scope.unqualified(self, &name.value),
            Expr::CompoundIdentifier(names) => scope.find(self, names),
            _ => None,
        };
        match found {
            Some(Found::Output(output)) => Some(output),
            Some(Found::Foreign) | None => None,
        }
    }

    /// The table's column that an expression is, where a condition on it is one on that column.
    pub fn table_column(&self, scope: &Scope<'_>, expression: &Expr) -> Option<Column> {
        self.plain_column(scope, expression).and_then(|output| output.is)
    }
}

struct Walker<'w, 'c> {
    analysis: &'w mut Analysis<'c>,
    scope: &'w Scope<'w>,
    walked: Walked,
    /// How deep inside an expression that is passed over.
    skipped: usize,
    /// How deep inside sub-queries, which resolve themselves.
    queries: usize,
    /// The next sub-query is only asked whether it has rows.
    is_exists: bool,
}

impl Visitor for Walker<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.queries += 1;
        if self.queries == 1 && self.skipped == 0 {
            let outputs = self.analysis.query(query, Some(self.scope));
            if !std::mem::take(&mut self.is_exists) {
                self.analysis.read_outputs(&outputs);
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        if self.skipped > 0 {
            self.skipped += 1;
            return ControlFlow::Continue(());
        }
        match expression {
            Expr::Identifier(name) => self.name(std::slice::from_ref(name)),
            Expr::CompoundIdentifier(names) => self.name(names),
            Expr::CompoundFieldAccess { root, access_chain } => self.field(root, access_chain),
            Expr::MatchAgainst { columns, .. } => columns.iter().for_each(|column| self.name(&parts(column))),
            Expr::Exists { .. } => self.is_exists = true,
            Expr::Function(function) => self.function(function),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        if self.queries == 0 {
            self.skipped = self.skipped.saturating_sub(1);
        }
        ControlFlow::Continue(())
    }
}

impl Walker<'_, '_> {
    fn name(&mut self, names: &[Ident]) {
        match self.scope.find(self.analysis, names) {
            Some(Found::Output(output)) => {
                self.walked.uses.extend(output.uses);
                self.walked.filtered.extend(output.is);
            }
            Some(Found::Foreign) => {}
            None => self.no_column(names),
        }
    }

    /// A name that is no column: a table's alias stands for its whole row, and what is in double quotes is a text in
    /// some dialects.
    fn no_column(&mut self, names: &[Ident]) {
        if let [name] = names {
            if let Some(source) = self.scope.source(&name.value.to_lowercase()) {
                let outputs = source.outputs(self.analysis);
                return self.walked.uses.extend(outputs.into_iter().flat_map(|output| output.uses));
            }
            if name.quote_style == Some('"') || name.value.starts_with('@') {
                return;
            }
        }
        let parts: Vec<&str> = names.iter().map(|name| name.value.as_str()).collect();
        self.analysis.unknown_column(parts.join("."));
    }

    /// `table.column[1].field`: the names before the first subscript.
    fn field(&mut self, root: &Expr, chain: &[AccessExpr]) {
        let Expr::Identifier(first) = root else { return };
        let further = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
            _ => None,
        });
        let names: Vec<Ident> = std::iter::once(first.clone()).chain(further).collect();
        self.name(&names);
        self.skipped = 1;
    }

    fn function(&mut self, function: &Function) {
        let Some(name) = last_part(&function.name).map(|name| name.value.to_lowercase()) else { return };
        if name == "values" {
            // MySQL's VALUES(column) is the row being inserted, not the table's.
            self.skipped = 1;
            return;
        }
        let arguments: &[FunctionArg] = match &function.args {
            FunctionArguments::List(list) => &list.args,
            FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
        };
        if function.over.is_some() {
            self.walked.windows = true;
        } else if AGGREGATES.contains(&name.as_str()) {
            self.walked.aggregates = true;
            self.aggregate(&name, arguments.first());
        }
        if name != "count" {
            arguments.iter().for_each(|argument| self.wildcard(argument));
        }
    }

    /// `f(t.*)` reads the whole row.
    fn wildcard(&mut self, argument: &FunctionArg) {
        let outputs = match expression_of(argument) {
            FunctionArgExpr::QualifiedWildcard(name) => last_part(name)
                .and_then(|name| self.scope.source(&name.value.to_lowercase()))
                .map(|source| source.outputs(self.analysis)),
            FunctionArgExpr::Wildcard | FunctionArgExpr::WildcardWithOptions(_) => {
                Some(self.scope.sources.iter().flat_map(|source| source.outputs(self.analysis)).collect())
            }
            FunctionArgExpr::Expr(_) => None,
        };
        self.walked.uses.extend(outputs.into_iter().flatten().flat_map(|output| output.uses));
    }

    fn aggregate(&mut self, name: &str, argument: Option<&FunctionArg>) {
        let of_rows = |walker: &mut Self| {
            let need = walker.scope.sources.iter().find_map(|source| match source.relation {
                Relation::Table(need) => Some(need),
                Relation::Query(_) | Relation::Unknown => None,
            });
            need.into_iter().for_each(|need| walker.analysis.aggregate(name, need, Argument::Rows));
        };
        let Some(FunctionArgExpr::Expr(expression)) = argument.map(expression_of) else {
            return of_rows(self);
        };
        if let Some(column) = self.analysis.table_column(self.scope, expression) {
            return self.analysis.aggregate_column(name, column);
        }
        // What it is made of is found by the walk itself; here only whose rows they are.
        let mut names = FirstName::default();
        let _: ControlFlow<()> = expression.visit(&mut names);
        match names.0.and_then(|name| self.scope.find(self.analysis, &name)) {
            Some(Found::Output(output)) => {
                let need = output.uses.first().map(|column| column.need);
                need.into_iter().for_each(|need| self.analysis.aggregate(name, need, Argument::Expression));
            }
            Some(Found::Foreign) => {}
            None => of_rows(self),
        }
    }
}

fn expression_of(argument: &FunctionArg) -> &FunctionArgExpr {
    match argument {
        FunctionArg::Named { arg, .. } | FunctionArg::ExprNamed { arg, .. } | FunctionArg::Unnamed(arg) => {
            arg
        }
    }
}

/// Finds the first column name in an expression.
#[derive(Default)]
struct FirstName(Option<Vec<Ident>>);

impl Visitor for FirstName {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        self.0 = match expression {
            Expr::Identifier(name) => Some(vec![name.clone()]),
            Expr::CompoundIdentifier(names) => Some(names.clone()),
            _ => return ControlFlow::Continue(()),
        };
        ControlFlow::Break(())
    }
}
