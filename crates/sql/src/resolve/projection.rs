//! What a query shows: columns, expressions, wildcards.

use sqlparser::ast::{
    ExcludeSelectItem, Expr, SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use super::analysis::Analysis;
use super::expression::Walked;
use super::output::Output;
use super::scope::{Scope, last_part};

impl Analysis<'_> {
    /// What a query or a `RETURNING` clause shows.
    pub fn projection(
        &mut self,
        scope: &Scope<'_>,
        items: &[SelectItem],
        exclude: Option<&ExcludeSelectItem>,
    ) -> (Vec<Output>, Walked) {
        let mut outputs = Vec::new();
        let mut walked = Walked::default();
        for item in items {
            match item {
                SelectItem::UnnamedExpr(expression) => {
                    outputs.push(self.shown(scope, expression, own_name(expression), &mut walked));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    outputs.push(self.shown(scope, expr, Some(alias.value.to_lowercase()), &mut walked));
                }
                SelectItem::ExprWithAliases { expr, aliases } => {
                    let names = aliases.iter().map(|alias| Some(alias.value.to_lowercase()));
                    let shown = self.shown(scope, expr, None, &mut walked);
                    outputs.extend(names.map(|name| Output { name, is: None, ..shown.clone() }));
                }
                SelectItem::Wildcard(options) => {
                    let all = scope.sources.iter().flat_map(|source| source.outputs(self)).collect();
                    outputs.extend(self.without(scope, all, options));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let source = last_part(name).and_then(|name| scope.source(&name.value.to_lowercase()));
                    let all = source.map(|source| source.outputs(self)).unwrap_or_default();
                    outputs.extend(self.without(scope, all, options));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expression), _) => {
                    outputs.push(self.shown(scope, expression, None, &mut walked));
                }
            }
        }
        if let Some(exclude) = exclude {
            remove(&mut outputs, exclude);
        }
        (outputs, walked)
    }

    fn shown(
        &mut self,
        scope: &Scope<'_>,
        expression: &Expr,
        name: Option<String>,
        total: &mut Walked,
    ) -> Output {
        let walked = self.walk(scope, expression);
        total.aggregates |= walked.aggregates;
        total.windows |= walked.windows;
        let is = self.table_column(scope, expression);
        Output { name, uses: walked.uses, is, is_rest: false }
    }

    /// A wildcard's columns without those that it leaves out.
    fn without(
        &mut self,
        scope: &Scope<'_>,
        mut all: Vec<Output>,
        options: &WildcardAdditionalOptions,
    ) -> Vec<Output> {
        if let Some(except) = &options.opt_except {
            let names = std::iter::once(&except.first_element).chain(&except.additional_elements);
            let names: Vec<String> = names.map(|name| name.value.to_lowercase()).collect();
            all.retain(|output| !output.name.as_ref().is_some_and(|name| names.contains(name)));
        }
        if let Some(exclude) = &options.opt_exclude {
            remove(&mut all, exclude);
        }
        if let Some(replace) = &options.opt_replace {
            replace.items.iter().for_each(|item| {
                self.walk_and_read(scope, &item.expr);
            });
        }
        all
    }
}

/// The name of an output without an alias: the column's or the function's.
fn own_name(expression: &Expr) -> Option<String> {
    let name = match expression {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(names) => names.last(),
        Expr::Function(function) => last_part(&function.name),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => return own_name(inner),
        _ => None,
    };
    name.map(|name| name.value.to_lowercase())
}

fn remove(outputs: &mut Vec<Output>, exclude: &ExcludeSelectItem) {
    let excluded = match exclude {
        ExcludeSelectItem::Single(name) => std::slice::from_ref(name),
        ExcludeSelectItem::Multiple(names) => names.as_slice(),
    };
    let names: Vec<String> =
        excluded.iter().filter_map(last_part).map(|name| name.value.to_lowercase()).collect();
    outputs.retain(|output| !output.name.as_ref().is_some_and(|name| names.contains(name)));
}
