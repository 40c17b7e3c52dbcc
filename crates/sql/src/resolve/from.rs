//! `FROM`: tables, queries in parentheses, functions, and how they are joined.

use sqlparser::ast::{
    Join, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};

use super::Resolver;
use super::clauses;
use super::scope::{Columns, Relation, Scope, last_part};
use crate::executable::SourcePosition;
use crate::resolved::{DerivedColumn, FromPart, FromRelation, JoinKind, RelationKind, ResolvedJoin};

/// Joins whose conditions are resolved when all relations of the `FROM` are known: where each is among the parts, and which
/// relations are on its left and right.
type Waiting<'q> = Vec<(usize, &'q Join, usize, usize)>;

impl Resolver<'_> {
    /// Everything of a `FROM` clause, which is added to the scope.
    pub fn from<'q>(
        &mut self,
        scope: &mut Scope<'_>,
        from: impl IntoIterator<Item = &'q TableWithJoins>,
    ) -> Vec<FromPart> {
        let (mut parts, mut waiting) = (Vec::new(), Vec::new());
        for table in from {
            self.table_with_joins(scope, table, &mut parts, &mut waiting);
        }
        for (at, join, before, after) in waiting {
            if let Some(FromPart::Join(resolved)) = parts.get_mut(at) {
                self.constraint(scope, join, before, after, resolved);
            }
        }
        parts
    }

    fn table_with_joins<'q>(
        &mut self,
        scope: &mut Scope<'_>,
        table: &'q TableWithJoins,
        parts: &mut Vec<FromPart>,
        waiting: &mut Waiting<'q>,
    ) {
        parts.push(FromPart::Relation(self.factor(scope, &table.relation).into()));
        for join in &table.joins {
            let before = scope.relations.len();
            parts.push(FromPart::Relation(self.factor(scope, &join.relation).into()));
            let (left, right) = scope.relations.split_at_checked(before).unwrap_or_default();
            let tables = |relations: &[Relation]| relations.iter().flat_map(Relation::tables).collect();
            waiting.push((parts.len(), join, before, scope.relations.len()));
            parts.push(FromPart::Join(Box::new(ResolvedJoin {
                kind: kind(&join.join_operator),
                left: tables(left),
                right: tables(right),
                on: None,
                using: Vec::new(),
                matched: None,
                refused: clauses::of_join(join),
            })));
        }
    }

    fn constraint(
        &mut self,
        scope: &Scope<'_>,
        join: &Join,
        before: usize,
        after: usize,
        resolved: &mut ResolvedJoin,
    ) {
        let constraint = match &join.join_operator {
            JoinOperator::AsOf { match_condition, constraint } => {
                resolved.matched = Some(self.operand(scope, match_condition));
                constraint
            }
            JoinOperator::CrossApply
            | JoinOperator::OuterApply
            | JoinOperator::ArrayJoin
            | JoinOperator::LeftArrayJoin
            | JoinOperator::InnerArrayJoin => return,
            JoinOperator::Join(on)
            | JoinOperator::Inner(on)
            | JoinOperator::CrossJoin(on)
            | JoinOperator::StraightJoin(on)
            | JoinOperator::Left(on)
            | JoinOperator::LeftOuter(on)
            | JoinOperator::Right(on)
            | JoinOperator::RightOuter(on)
            | JoinOperator::FullOuter(on)
            | JoinOperator::Semi(on)
            | JoinOperator::LeftSemi(on)
            | JoinOperator::RightSemi(on)
            | JoinOperator::Anti(on)
            | JoinOperator::LeftAnti(on)
            | JoinOperator::RightAnti(on) => on,
        };
        let (left, right) = scope.relations.split_at_checked(before).unwrap_or_default();
        let right = right.get(..after.saturating_sub(before)).unwrap_or_default();
        let names: Vec<String> = match constraint {
            JoinConstraint::On(condition) => {
                resolved.on = Some(self.predicate(scope, condition));
                return;
            }
            JoinConstraint::Using(names) => {
                names.iter().filter_map(last_part).map(|name| name.value.to_lowercase()).collect()
            }
            JoinConstraint::Natural => {
                let columns = right.iter().flat_map(|relation| relation.all_columns(self));
                columns.filter_map(|column| column.name).collect()
            }
            JoinConstraint::None => return,
        };
        let find = |relations: &[Relation], name: &str| {
            relations.iter().find_map(|relation| relation.column(self, name))
        };
        resolved.using = names.iter().filter_map(|name| find(left, name).zip(find(right, name))).collect();
    }

    /// One table, query or function, which is added to the scope.
    pub fn factor(&mut self, scope: &mut Scope<'_>, factor: &TableFactor) -> FromRelation {
        let refused = clauses::of_table(factor).or_else(|| clauses::of_relation(factor));
        let before = scope.relations.len();
        let (kind, columns, own, alias) = match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let (kind, columns) = self.named_relation(name);
                // Two tables of one name in two schemas are told apart by their names here.
                let own = last_part(name).map(|name| name.value.as_str()).filter(|own| {
                    let own = own.to_lowercase();
                    scope.relations.iter().all(|relation| relation.name != own)
                });
                let table = match columns {
                    Columns::Table(table) => self.table(table).map(|table| table.name()),
                    Columns::Derived(_) | Columns::Unknown => None,
                };
                let last = last_part(name).map(|name| name.value.clone());
                let own = own.or(table).map(str::to_owned).or(last);
                (kind, columns, own, alias.as_ref())
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let query = self.query(subquery, Some(scope));
                let columns = Columns::Derived(query.body.columns.as_slice().into());
                (RelationKind::Query(Box::new(query)), columns, None, alias.as_ref())
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let from = self.from(scope, [&**table_with_joins]);
                let kind = RelationKind::Nested { from, reads: Vec::new() };
                if alias.is_none() {
                    let position = SourcePosition::of(factor);
                    return FromRelation { kind, alias: String::new(), position, refused };
                }
                let inner = scope.relations.split_off(before);
                let columns: Vec<_> = inner.iter().flat_map(|relation| relation.all_columns(self)).collect();
                (kind, Columns::Derived(columns.into()), None, alias.as_ref())
            }
            TableFactor::Pivot { table, alias, .. }
            | TableFactor::Unpivot { table, alias, .. }
            | TableFactor::MatchRecognize { table, alias, .. } => {
                let from = vec![FromPart::Relation(self.factor(scope, table).into())];
                let inner = scope.relations.split_off(before);
                let columns = inner.iter().flat_map(|relation| relation.all_columns(self));
                let reads = columns.flat_map(|column| column.uses).collect();
                (RelationKind::Nested { from, reads }, Columns::Unknown, None, alias.as_ref())
            }
            function => {
                let (own, alias) = names_of(function);
                // Its arguments may be columns of the relations before.
                let arguments = self.parts_of(scope, function, false);
                let own = own.and_then(last_part).map(|name| name.value.clone());
                (RelationKind::Function(arguments), Columns::Unknown, own, alias)
            }
        };
        let alias_name = alias.map(|alias| alias.name.value.clone()).or(own).unwrap_or_default();
        let mut relation = Relation::new(&alias_name, columns);
        if let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) {
            relation.columns = Columns::Derived(renamed(relation.all_columns(self), alias).into());
        }
        scope.relations.push(relation);
        FromRelation { kind, alias: alias_name, position: SourcePosition::of(factor), refused }
    }

    /// A query named by `WITH`, a known table, or an unknown one.
    pub fn named_relation(&mut self, name: &ObjectName) -> (RelationKind, Columns) {
        let parts: Vec<&str> =
            name.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.as_str()).collect();
        let (full, position) = (parts.join("."), SourcePosition::of(name));
        if let [single] = parts.as_slice() {
            let folded = single.to_lowercase();
            if let Some((_, columns)) = self.named_queries.iter().rev().find(|(name, _)| *name == folded) {
                let columns = Columns::Derived(columns.clone());
                return (RelationKind::Table { name: full, position, table: None }, columns);
            }
        }
        let table = self.mention(&full);
        let columns = table.map_or(Columns::Unknown, Columns::Table);
        if table.is_none() {
            self.other_table(full.clone());
        }
        (RelationKind::Table { name: full, position, table }, columns)
    }

    /// Notes that a table is named.
    pub fn mention(&mut self, name: &str) -> Option<usize> {
        let id = self.catalog.table_id(name)?;
        self.text.tables.push(id);
        Some(self.text.tables.len() - 1)
    }
}

fn kind(operator: &JoinOperator) -> JoinKind {
    use JoinOperator as Operator;
    match operator {
        Operator::Join(_) | Operator::Inner(_) | Operator::CrossJoin(_) | Operator::StraightJoin(_) => {
            JoinKind::Inner
        }
        Operator::Left(_) | Operator::LeftOuter(_) => JoinKind::Left,
        Operator::Right(_) | Operator::RightOuter(_) => JoinKind::Right,
        Operator::FullOuter(_) => JoinKind::Full,
        Operator::Semi(_) | Operator::LeftSemi(_) | Operator::RightSemi(_) => JoinKind::Semi,
        Operator::Anti(_) | Operator::LeftAnti(_) => JoinKind::LeftAnti,
        Operator::RightAnti(_) => JoinKind::RightAnti,
        Operator::AsOf { .. } => JoinKind::AsOf,
        Operator::CrossApply
        | Operator::OuterApply
        | Operator::ArrayJoin
        | Operator::LeftArrayJoin
        | Operator::InnerArrayJoin => JoinKind::Apply,
    }
}

/// The name and the alias of a function's rows.
fn names_of(factor: &TableFactor) -> (Option<&ObjectName>, Option<&TableAlias>) {
    match factor {
        TableFactor::Table { name, alias, .. } | TableFactor::Function { name, alias, .. } => {
            (Some(name), alias.as_ref())
        }
        TableFactor::TableFunction { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::JsonTable { alias, .. }
        | TableFactor::OpenJsonTable { alias, .. }
        | TableFactor::XmlTable { alias, .. }
        | TableFactor::SemanticView { alias, .. } => (None, alias.as_ref()),
        _ => (None, None),
    }
}

/// Gives columns the names listed after an alias: `AS t(a, b)`.
pub(super) fn renamed(mut columns: Vec<DerivedColumn>, alias: &TableAlias) -> Vec<DerivedColumn> {
    for (at, column) in alias.columns.iter().enumerate() {
        let name = Some(column.name.value.to_lowercase());
        match columns.get_mut(at) {
            Some(column) if !column.is_rest => column.name = name,
            _ => columns.insert(at, DerivedColumn { name, ..DerivedColumn::default() }),
        }
    }
    columns
}
