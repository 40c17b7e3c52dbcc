//! What a query shows.

use sqlparser::ast::{
    Expr, SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions as Options,
};

use super::super::error::{Problem, StatementError};
use super::super::{Aggregate, Item, Shown};
use super::scalars::{computed, place_among};
use super::scope::Scope;
use super::{Reading, place};

impl Scope<'_> {
    /// The columns of the answer; aggregates in them are added to the list.
    pub fn items(&self, projection: &[SelectItem], aggregates: &mut Vec<Aggregate>) -> Reading<Vec<Item>> {
        let mut items = Vec::new();
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expression) => {
                    let shown = self.shown(expression, aggregates)?;
                    items.push(Item { name: own_name(expression), shown });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    items.push(Item { name: alias.value.clone(), shown: self.shown(expr, aggregates)? });
                }
                SelectItem::Wildcard(options) => {
                    plain(options, item)?;
                    (0..self.sources.len()).for_each(|source| self.all_of(source, &mut items));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    plain(options, item)?;
                    let last = name.0.last().and_then(|part| part.as_ident());
                    let alias = last.map(|ident| ident.value.as_str()).unwrap_or_default();
                    let found =
                        self.sources.iter().position(|source| source.alias.eq_ignore_ascii_case(alias));
                    let source = found.ok_or_else(|| {
                        let problem = Problem::NoTable { name: alias.to_owned(), nearest: None };
                        StatementError::new(problem, place::of(item))
                    })?;
                    self.all_of(source, &mut items);
                }
                SelectItem::QualifiedWildcard(..) | SelectItem::ExprWithAliases { .. } => {
                    let instead = "show columns, aggregates and *";
                    return Err(StatementError::unsupported("this item of SELECT", instead, place::of(item)));
                }
            }
        }
        Ok(items)
    }

    fn all_of(&self, source: usize, items: &mut Vec<Item>) {
        let item =
            |column: super::super::Column| Item { name: column.name.clone(), shown: Shown::Column(column) };
        items.extend(self.columns(source).into_iter().map(item));
    }

    /// A column, an aggregate or a value.
    pub fn shown(&self, expression: &Expr, aggregates: &mut Vec<Aggregate>) -> Reading<Shown> {
        if let Some(column) = self.plain_column(expression)? {
            return Ok(Shown::Column(column));
        }
        if let Expr::Function(function) = expression {
            let aggregate = self.aggregate(function, expression)?;
            return Ok(Shown::Aggregate(place_among(aggregates, aggregate)));
        }
        self.literal(expression, None)?.map(Shown::Value).ok_or_else(|| computed(expression))
    }
}

/// The name of a column without an alias: the column's own, else the text.
fn own_name(expression: &Expr) -> String {
    match expression {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.clone()).unwrap_or_default(),
        Expr::Nested(inner) => own_name(inner),
        other => other.to_string(),
    }
}

/// A `*` with nothing behind it.
fn plain(options: &Options, item: &SelectItem) -> Reading<()> {
    let has_more = options.opt_exclude.is_some()
        || options.opt_except.is_some()
        || options.opt_ilike.is_some()
        || options.opt_replace.is_some()
        || options.opt_rename.is_some();
    if !has_more {
        return Ok(());
    }
    let instead = "name the columns";
    Err(StatementError::unsupported("* with EXCEPT, REPLACE or the like", instead, place::of(item)))
}
