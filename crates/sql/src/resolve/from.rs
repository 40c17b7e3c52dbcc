//! What a query reads from: tables, queries in parentheses, functions, and how they are joined.

use std::rc::Rc;

use sqlparser::ast::{
    Join, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};

use super::analysis::Analysis;
use super::condition::Filters;
use super::output::Output;
use super::scope::{Found, Relation, Scope, Source, last_part};

impl Analysis<'_> {
    /// Adds everything of a `FROM` clause to the scope.
    pub fn from(&mut self, scope: &mut Scope<'_>, from: &[TableWithJoins]) {
        for table in from {
            self.table_with_joins(scope, table);
        }
    }

    pub fn table_with_joins(&mut self, scope: &mut Scope<'_>, table: &TableWithJoins) {
        self.factor(scope, &table.relation);
        for join in &table.joins {
            self.join_with(scope, join);
        }
    }

    fn join_with(&mut self, scope: &mut Scope<'_>, join: &Join) {
        let before = scope.sources.len();
        self.factor(scope, &join.relation);
        let needs_of = |sources: &[Source]| sources.iter().flat_map(Source::needs).collect();
        let (left, right) = scope.sources.split_at_checked(before).unwrap_or_default();
        use JoinOperator as Operator;
        let (constraint, filters) = match &join.join_operator {
            Operator::Join(on)
            | Operator::Inner(on)
            | Operator::CrossJoin(on)
            | Operator::StraightJoin(on) => (on, Filters::All),
            Operator::Left(on) | Operator::LeftOuter(on) => (on, Filters::Only(needs_of(right))),
            Operator::Right(on) | Operator::RightOuter(on) => (on, Filters::Only(needs_of(left))),
            Operator::FullOuter(on) => (on, Filters::Only(Vec::new())),
            Operator::Semi(on) | Operator::LeftSemi(on) | Operator::RightSemi(on) => (on, Filters::All),
            Operator::Anti(on) | Operator::LeftAnti(on) => (on, Filters::Only(needs_of(right))),
            Operator::RightAnti(on) => (on, Filters::Only(needs_of(left))),
            Operator::AsOf { match_condition, constraint } => {
                self.walk_and_read(scope, match_condition);
                (constraint, Filters::Only(needs_of(right)))
            }
            Operator::CrossApply
            | Operator::OuterApply
            | Operator::ArrayJoin
            | Operator::LeftArrayJoin
            | Operator::InnerArrayJoin => return,
        };
        self.constraint(scope, before, constraint, &filters);
    }

    fn constraint(
        &mut self,
        scope: &Scope<'_>,
        before: usize,
        constraint: &JoinConstraint,
        filters: &Filters,
    ) {
        match constraint {
            JoinConstraint::On(condition) => self.condition(scope, condition, filters),
            JoinConstraint::Using(names) => {
                let names =
                    names.iter().filter_map(|name| last_part(name)).map(|name| name.value.to_lowercase());
                names.for_each(|name| self.join_by_name(scope, before, &name));
            }
            JoinConstraint::Natural => {
                let right = scope.sources.get(before..).unwrap_or_default();
                let names: Vec<String> = right
                    .iter()
                    .flat_map(|source| source.outputs(self))
                    .filter_map(|output| output.name)
                    .collect();
                names.iter().for_each(|name| self.join_by_name(scope, before, name));
            }
            JoinConstraint::None => {}
        }
    }

    /// Joins the column of this name of the sources before with that of the sources after.
    fn join_by_name(&mut self, scope: &Scope<'_>, before: usize, name: &str) {
        let (left, right) = scope.sources.split_at_checked(before).unwrap_or_default();
        let find = |sources: &[Source]| sources.iter().find_map(|source| source.column(self, name));
        if let (Some(Found::Output(left)), Some(Found::Output(right))) = (find(left), find(right)) {
            self.read(&left.uses);
            self.read(&right.uses);
            if let (Some(left), Some(right)) = (left.is, right.is) {
                self.join(left, right);
            }
        }
    }

    /// Adds one table, query or function to the scope.
    pub fn factor(&mut self, scope: &mut Scope<'_>, factor: &TableFactor) {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let relation = self.named_relation(name);
                let own = last_part(name).map(|name| name.value.as_str());
                self.add_source(scope, own, alias.as_ref(), relation);
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let outputs = self.query(subquery, Some(scope));
                self.add_source(scope, None, alias.as_ref(), Relation::Query(outputs.into()));
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let before = scope.sources.len();
                self.table_with_joins(scope, table_with_joins);
                if alias.is_some() {
                    let inner = scope.sources.split_off(before);
                    let outputs: Vec<Output> = inner.iter().flat_map(|source| source.outputs(self)).collect();
                    self.add_source(scope, None, alias.as_ref(), Relation::Query(outputs.into()));
                }
            }
            TableFactor::Pivot { table, alias, .. }
            | TableFactor::Unpivot { table, alias, .. }
            | TableFactor::MatchRecognize { table, alias, .. } => {
                let before = scope.sources.len();
                self.factor(scope, table);
                let inner = scope.sources.split_off(before);
                inner.iter().for_each(|source| self.read_outputs(&source.outputs(self)));
                self.add_source(scope, None, alias.as_ref(), Relation::Unknown);
            }
            function => self.function_rows(scope, function),
        }
    }

    /// A function's rows: its arguments may be columns of the sources before.
    fn function_rows(&mut self, scope: &mut Scope<'_>, factor: &TableFactor) {
        let (own, alias) = match factor {
            TableFactor::Table { name, alias, .. } | TableFactor::Function { name, alias, .. } => {
                (last_part(name), alias.as_ref())
            }
            TableFactor::TableFunction { alias, .. }
            | TableFactor::UNNEST { alias, .. }
            | TableFactor::JsonTable { alias, .. }
            | TableFactor::OpenJsonTable { alias, .. }
            | TableFactor::XmlTable { alias, .. }
            | TableFactor::SemanticView { alias, .. } => (None, alias.as_ref()),
            _ => (None, None),
        };
        self.walk_and_read(scope, factor);
        self.add_source(scope, own.map(|name| name.value.as_str()), alias, Relation::Unknown);
    }

    /// A query named by `WITH`, a known table, or an unknown one.
    pub fn named_relation(&mut self, name: &ObjectName) -> Relation {
        let parts: Vec<&str> =
            name.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.as_str()).collect();
        if let [single] = parts.as_slice() {
            let folded = single.to_lowercase();
            if let Some((_, outputs)) = self.named_queries.iter().rev().find(|(name, _)| *name == folded) {
                return Relation::Query(Rc::clone(outputs));
            }
        }
        let full = parts.join(".");
        match self.catalog.table_id(&full) {
            Some(table) => Relation::Table(self.add_need(table)),
            None => {
                self.other_table(full);
                Relation::Unknown
            }
        }
    }

    fn add_source(
        &mut self,
        scope: &mut Scope<'_>,
        own: Option<&str>,
        alias: Option<&TableAlias>,
        relation: Relation,
    ) {
        let name = alias.map(|alias| alias.name.value.as_str()).or(own).unwrap_or_default();
        let source = Source::new(name, relation);
        let renamed = match alias {
            Some(alias) if !alias.columns.is_empty() => {
                let outputs = rename(source.outputs(self), alias);
                Source::new(name, Relation::Query(outputs.into()))
            }
            _ => source,
        };
        scope.sources.push(renamed);
    }
}

/// Gives outputs the names listed after an alias: `AS t(a, b)`.
pub(super) fn rename(mut outputs: Vec<Output>, alias: &TableAlias) -> Vec<Output> {
    for (at, column) in alias.columns.iter().enumerate() {
        let name = Some(column.name.value.to_lowercase());
        match outputs.get_mut(at) {
            Some(output) if !output.is_rest => output.name = name,
            _ => outputs.insert(at, Output { name, ..Output::default() }),
        }
    }
    outputs
}
