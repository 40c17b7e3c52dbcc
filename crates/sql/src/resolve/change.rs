//! Statements that write: `INSERT`, `UPDATE`, `DELETE`, `MERGE`, `COPY`.

use sqlparser::ast::{
    Assignment, AssignmentTarget, ConflictTarget, CopySource, Delete, FromTable, Ident, Insert, Merge,
    MergeAction, MergeInsertKind, MergeUpdateKind, ObjectName, OnConflictAction, OnInsert, TableObject,
    Update, UpdateTableFromKind,
};

use super::Resolver;
use super::clauses;
use super::expression::amount;
use super::scope::{Columns, Relation, Scope, last_part, parts};
use crate::executable::{SourcePosition, StatementError};
use crate::resolved::{
    BodyKind, ExprNode, Found, FromPart, FromRelation, MergeClause, QueryBody, ResolvedAssignment,
    ResolvedDelete, ResolvedExpr, ResolvedInsert, ResolvedMerge, ResolvedName, ResolvedQuery, ResolvedUpdate,
    StatementBody,
};

/// What PostgreSQL and SQLite call the row being inserted, where an insert may update instead.
const NEW_ROW: &str = "excluded";

impl Resolver<'_> {
    /// An `INSERT`; without a body when its target is no table by name.
    pub fn insert(&mut self, insert: &Insert) -> (StatementBody, Option<StatementError>) {
        let refused = clauses::of_insert(insert);
        let name = match &insert.table {
            TableObject::TableName(name)
                if insert.multi_table_into_clauses.is_empty()
                    && insert.multi_table_when_clauses.is_empty() =>
            {
                name
            }
            _ => {
                let instead = "name a table of the workload";
                let position = SourcePosition::of(insert);
                let other = || StatementError::unsupported("INSERT INTO a function", instead, position);
                return (StatementBody::Opaque, Some(refused.unwrap_or_else(other)));
            }
        };
        let (kind, columns) = self.named_relation(name);
        let own = last_part(name).map(|name| name.value.as_str()).unwrap_or_default();
        let alias = insert.table_alias.as_ref().map_or(own, |alias| alias.alias.value.as_str()).to_owned();
        let mut scope = Scope::default();
        scope.relations.push(Relation::new(&alias, columns));
        let target = FromRelation { kind, alias, position: SourcePosition::of(name), refused: None };
        let source = insert.source.as_ref().map(|source| self.query(source, None));
        let mut columns: Vec<_> =
            insert.columns.iter().map(|name| self.target(&scope, &parts(name))).collect();
        columns.extend(insert.after_columns.iter().map(|name| self.target(&scope, &[name])));
        let assignments = self.assignments(&scope, &insert.assignments);
        let row_alias = insert.insert_alias.as_ref().and_then(|alias| last_part(&alias.row_alias));
        let (conflict, conflict_assignments) = self.on_insert(&mut scope, insert.on.as_ref(), row_alias);
        let returning = self.items(&scope, insert.returning.as_deref().unwrap_or_default());
        let body = StatementBody::Insert(Box::new(ResolvedInsert {
            source,
            assignments,
            conflict,
            conflict_assignments,
            returning,
            position: SourcePosition::of(insert),
            refused,
            ..ResolvedInsert::new(target, columns)
        }));
        (body, None)
    }

    /// `ON CONFLICT` and `ON DUPLICATE KEY`: the key is looked up, and columns may be changed instead.
    fn on_insert(
        &mut self,
        scope: &mut Scope<'_>,
        on: Option<&OnInsert>,
        row_alias: Option<&Ident>,
    ) -> (Vec<ResolvedExpr>, Vec<ResolvedAssignment>) {
        let Some(on) = on else { return (Vec::new(), Vec::new()) };
        let names = std::iter::once(NEW_ROW).chain(row_alias.map(|alias| alias.value.as_str()));
        scope.relations.extend(names.map(|name| Relation::new(name, Columns::Unknown)));
        match on {
            OnInsert::DuplicateKeyUpdate(assignments) => (Vec::new(), self.assignments(scope, assignments)),
            OnInsert::OnConflict(conflict) => {
                let mut reads = Vec::new();
                if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
                    reads.extend(columns.iter().map(|column| self.name(scope, &[column])));
                }
                let OnConflictAction::DoUpdate(update) = &conflict.action else { return (reads, Vec::new()) };
                let assignments = self.assignments(scope, &update.assignments);
                reads.extend(update.selection.iter().map(|condition| self.operand(scope, condition)));
                (reads, assignments)
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    pub fn update(&mut self, update: &Update) -> ResolvedUpdate {
        let mut scope = Scope::default();
        let further = match &update.from {
            Some(UpdateTableFromKind::BeforeSet(from) | UpdateTableFromKind::AfterSet(from)) => {
                from.as_slice()
            }
            None => &[],
        };
        let from = self.from(&mut scope, std::iter::once(&update.table).chain(further));
        let assignments = self.assignments(&scope, &update.assignments);
        let filter = update.selection.as_ref().map(|condition| self.predicate(&scope, condition));
        ResolvedUpdate {
            from,
            assignments,
            filter,
            order: self.order_keys(&scope, &update.order_by),
            limit: update.limit.as_ref().map(amount),
            limited: only_table(&scope),
            returning: self.items(&scope, update.returning.as_deref().unwrap_or_default()),
            refused: clauses::of_update(update),
        }
    }

    pub fn delete(&mut self, delete: &Delete) -> ResolvedDelete {
        let mut scope = Scope::default();
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        let (mut from, mut targets) = (Vec::new(), Vec::new());
        for table in tables {
            let first = scope.relations.len();
            from.extend(self.from(&mut scope, [table]));
            targets.extend(scope.relations.get(first).and_then(Relation::table));
        }
        from.extend(self.from(&mut scope, delete.using.iter().flatten()));
        if !delete.tables.is_empty() {
            let named = delete.tables.iter().filter_map(last_part);
            targets = named.filter_map(|name| scope.relation(&name.value)?.table()).collect();
        }
        let filter = delete.selection.as_ref().map(|condition| self.predicate(&scope, condition));
        ResolvedDelete {
            from,
            targets,
            filter,
            order: self.order_keys(&scope, &delete.order_by),
            limit: delete.limit.as_ref().map(amount),
            limited: only_table(&scope),
            returning: self.items(&scope, delete.returning.as_deref().unwrap_or_default()),
            position: SourcePosition::of(delete),
            refused: clauses::of_delete(delete),
        }
    }

    pub fn merge(&mut self, merge: &Merge) -> ResolvedMerge {
        let mut scope = Scope::default();
        let mut from = vec![FromPart::Relation(self.factor(&mut scope, &merge.table).into())];
        let target = scope.relations.first().and_then(Relation::table);
        from.push(FromPart::Relation(self.factor(&mut scope, &merge.source).into()));
        let on = self.predicate(&scope, &merge.on);
        let mut clauses = Vec::new();
        for clause in &merge.clauses {
            let mut resolved =
                MergeClause { reads: self.operands(&scope, &clause.predicate), ..MergeClause::default() };
            match &clause.action {
                MergeAction::Insert(insert) => {
                    let names = insert.columns.iter().filter_map(last_part);
                    resolved.columns = names.map(|name| self.target(&scope, &[name])).collect();
                    resolved.writes_all = insert.columns.is_empty();
                    if let MergeInsertKind::Values(values) = &insert.kind {
                        let values = values.rows.iter().flat_map(|row| &row.content);
                        resolved.reads.extend(self.operands(&scope, values));
                    }
                }
                MergeAction::Update(update) => match &update.kind {
                    MergeUpdateKind::Set(assignments) => {
                        resolved.assignments = self.assignments(&scope, assignments);
                    }
                    MergeUpdateKind::Wildcard => resolved.writes_all = true,
                },
                MergeAction::Delete { .. } => resolved.writes_all = true,
                MergeAction::DoNothing { .. } => {}
            }
            clauses.push(resolved);
        }
        ResolvedMerge { from, target, on, clauses }
    }

    /// `COPY`: to a file it reads, from a file it inserts.
    pub fn copy(&mut self, source: &CopySource, is_export: bool) -> StatementBody {
        let (name, columns) = match source {
            CopySource::Query(query) => return self.top_query(query),
            CopySource::Table { table_name, columns } => (table_name, columns),
        };
        let (kind, known) = self.named_relation(name);
        let mut scope = Scope::default();
        scope.relations.push(Relation::new("", known));
        if !is_export {
            let target = FromRelation { kind, alias: String::new(), position: None, refused: None };
            let columns = columns.iter().map(|name| self.target(&scope, &[name])).collect();
            return StatementBody::Insert(Box::new(ResolvedInsert::new(target, columns)));
        }
        let columns = match columns.as_slice() {
            [] => scope.relations.iter().flat_map(|relation| relation.all_columns(self)).collect(),
            names => names.iter().filter_map(|name| self.name(&scope, &[name]).derived().cloned()).collect(),
        };
        StatementBody::Query(ResolvedQuery::of(QueryBody { kind: BodyKind::Table, columns }))
    }

    /// A column that is written.
    fn target(&mut self, scope: &Scope<'_>, names: &[&Ident]) -> ResolvedExpr {
        let target = self.name(scope, names);
        if let ExprNode::Name(ResolvedName { found: Found::Row(_) | Found::Nothing, parts, .. }) =
            &target.node
        {
            self.unknown_column(parts.join("."));
        }
        target
    }

    /// `SET column = expression, …`
    fn assignments(&mut self, scope: &Scope<'_>, assignments: &[Assignment]) -> Vec<ResolvedAssignment> {
        let assignment = |assignment: &Assignment| {
            let (targets, is_tuple): (&[ObjectName], bool) = match &assignment.target {
                AssignmentTarget::ColumnName(name) => (std::slice::from_ref(name), false),
                AssignmentTarget::Tuple(names) => (names, true),
            };
            let targets = targets.iter().map(|name| self.target(scope, &parts(name))).collect();
            ResolvedAssignment { targets, is_tuple, value: self.predicate(scope, &assignment.value) }
        };
        assignments.iter().map(assignment).collect()
    }
}

fn only_table(scope: &Scope<'_>) -> Option<usize> {
    match scope.relations.as_slice() {
        [only] => only.table(),
        _ => None,
    }
}
