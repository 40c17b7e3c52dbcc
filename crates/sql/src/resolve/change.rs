//! Statements that write: `INSERT`, `UPDATE`, `DELETE`, `MERGE`, `COPY`.

use sqlparser::ast::{
    Assignment, AssignmentTarget, ConflictTarget, CopySource, Delete, Expr, FromTable, Ident, Insert, Merge,
    MergeAction, MergeInsertKind, MergeUpdateKind, ObjectName, OnConflictAction, OnInsert, Query, SelectItem,
    SetExpr, Statement, TableObject, Update, UpdateTableFromKind,
};

use super::analysis::Analysis;
use super::condition::{Filters, literal};
use super::output::{Column, Output};
use super::query::amount;
use super::scope::{Found, Relation, Scope, Source, last_part, parts};
use crate::statement::{Kind, Value};

/// What PostgreSQL and SQLite call the row being inserted, where an insert may update instead.
const NEW_ROW: &str = "excluded";

impl Analysis<'_> {
    /// A change inside a query: what it returns.
    pub fn nested_change(&mut self, statement: &Statement) -> Vec<Output> {
        let returning = match statement {
            Statement::Insert(insert) => self.insert_returning(insert),
            Statement::Update(update) => self.update_returning(update),
            Statement::Delete(delete) => self.delete_returning(delete),
            Statement::Merge(merge) => {
                self.merge(merge);
                None
            }
            _ => None,
        };
        returning.unwrap_or_default()
    }

    pub fn insert(&mut self, insert: &Insert) -> Option<Kind> {
        let outputs = self.insert_returning(insert)?;
        self.read_outputs(&outputs);
        Some(Kind::Insert)
    }

    pub fn update(&mut self, update: &Update) -> Option<Kind> {
        let outputs = self.update_returning(update)?;
        self.read_outputs(&outputs);
        Some(Kind::Update)
    }

    pub fn delete(&mut self, delete: &Delete) -> Option<Kind> {
        let outputs = self.delete_returning(delete)?;
        self.read_outputs(&outputs);
        Some(Kind::Delete)
    }

    /// What an insert returns; `None` when its target is no table by name.
    fn insert_returning(&mut self, insert: &Insert) -> Option<Vec<Output>> {
        let TableObject::TableName(name) = &insert.table else { return None };
        if !insert.multi_table_into_clauses.is_empty() || !insert.multi_table_when_clauses.is_empty() {
            return None;
        }
        let relation = self.named_relation(name);
        let own = last_part(name).map(|name| name.value.as_str()).unwrap_or_default();
        let alias = insert.table_alias.as_ref().map_or(own, |alias| alias.alias.value.as_str());
        let mut scope = Scope::default();
        scope.sources.push(Source::new(alias, relation.clone()));
        if let Some(source) = &insert.source {
            let outputs = self.query(source, None);
            self.read_outputs(&outputs);
        }
        if let Relation::Table(need) = relation {
            let names = insert.columns.iter().filter_map(last_part).chain(&insert.after_columns);
            let names: Vec<&Ident> = names.collect();
            if names.is_empty() && insert.assignments.is_empty() {
                self.write_all(need);
            }
            self.added_rows(&scope, need, &names, insert.source.as_deref());
            self.set_row(&scope, &insert.assignments);
            names.into_iter().for_each(|name| self.write_name(&scope, std::slice::from_ref(name)));
        }
        self.assign(&scope, &insert.assignments);
        let row_alias = insert.insert_alias.as_ref().and_then(|alias| last_part(&alias.row_alias));
        self.on_insert(&mut scope, insert.on.as_ref(), row_alias);
        Some(self.returned(&scope, insert.returning.as_deref()))
    }

    /// Notes the rows after `VALUES`, where each has a value for every column.
    fn added_rows(&mut self, scope: &Scope<'_>, need: usize, names: &[&Ident], source: Option<&Query>) {
        let Some(SetExpr::Values(values)) = source.map(|source| &*source.body) else { return };
        let columns: Option<Vec<Column>> = match names {
            [] => Some(self.columns(need).collect()),
            names => {
                names.iter().map(|name| self.written_column(scope, std::slice::from_ref(*name))).collect()
            }
        };
        let Some(columns) = columns else { return };
        for row in values.rows.iter().filter(|row| row.content.len() == columns.len()) {
            self.write_row(need, columns.iter().copied().zip(row.content.iter().map(literal)));
        }
    }

    /// Notes what `SET` gives the columns of one row.
    fn set_row(&mut self, scope: &Scope<'_>, assignments: &[Assignment]) {
        let set = assignments.iter().filter_map(|assignment| match &assignment.target {
            AssignmentTarget::ColumnName(name) => {
                Some((self.written_column(scope, &parts(name))?, literal(&assignment.value)))
            }
            AssignmentTarget::Tuple(_) => None,
        });
        let set: Vec<(Column, Value)> = set.collect();
        if let Some((first, _)) = set.first() {
            self.write_row(first.need, set);
        }
    }

    fn written_column(&self, scope: &Scope<'_>, name: &[Ident]) -> Option<Column> {
        match scope.find(self, name) {
            Some(Found::Output(Output { is, .. })) => is,
            Some(Found::Foreign) | None => None,
        }
    }

    /// `ON CONFLICT` and `ON DUPLICATE KEY`: the key is looked up, and columns may be changed instead.
    fn on_insert(&mut self, scope: &mut Scope<'_>, on: Option<&OnInsert>, row_alias: Option<&Ident>) {
        let Some(on) = on else { return };
        let names = std::iter::once(NEW_ROW).chain(row_alias.map(|alias| alias.value.as_str()));
        scope.sources.extend(names.map(|name| Source::new(name, Relation::Unknown)));
        match on {
            OnInsert::DuplicateKeyUpdate(assignments) => self.assign(scope, assignments),
            OnInsert::OnConflict(conflict) => {
                if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
                    for column in columns {
                        self.walk_and_read(scope, &Expr::Identifier(column.clone()));
                    }
                }
                if let OnConflictAction::DoUpdate(update) = &conflict.action {
                    self.assign(scope, &update.assignments);
                    update.selection.iter().for_each(|condition| {
                        self.walk_and_read(scope, condition);
                    });
                }
            }
            _ => {}
        }
    }

    fn update_returning(&mut self, update: &Update) -> Option<Vec<Output>> {
        let mut scope = Scope::default();
        self.table_with_joins(&mut scope, &update.table);
        match &update.from {
            Some(UpdateTableFromKind::BeforeSet(from) | UpdateTableFromKind::AfterSet(from)) => {
                self.from(&mut scope, from);
            }
            None => {}
        }
        self.assign(&scope, &update.assignments);
        self.set_row(&scope, &update.assignments);
        update.selection.iter().for_each(|condition| self.condition(&scope, condition, &Filters::All));
        self.order_by(&scope, &update.order_by);
        self.limit_only_table(&scope, update.limit.as_ref());
        Some(self.returned(&scope, update.returning.as_deref()))
    }

    fn delete_returning(&mut self, delete: &Delete) -> Option<Vec<Output>> {
        let mut scope = Scope::default();
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let mut targets: Vec<usize> = Vec::new();
        for table in from {
            let first = scope.sources.len();
            self.table_with_joins(&mut scope, table);
            targets.extend(scope.sources.get(first).and_then(table_of));
        }
        delete.using.iter().for_each(|using| self.from(&mut scope, using));
        if !delete.tables.is_empty() {
            let named = delete.tables.iter().filter_map(last_part);
            targets = named
                .filter_map(|name| scope.source(&name.value.to_lowercase()))
                .filter_map(table_of)
                .collect();
        }
        targets.into_iter().for_each(|need| self.write_all(need));
        delete.selection.iter().for_each(|condition| self.condition(&scope, condition, &Filters::All));
        self.order_by(&scope, &delete.order_by);
        self.limit_only_table(&scope, delete.limit.as_ref());
        Some(self.returned(&scope, delete.returning.as_deref()))
    }

    pub fn merge(&mut self, merge: &Merge) -> Option<Kind> {
        let mut scope = Scope::default();
        self.factor(&mut scope, &merge.table);
        let target = scope.sources.first().and_then(table_of);
        self.factor(&mut scope, &merge.source);
        self.condition(&scope, &merge.on, &Filters::All);
        for clause in &merge.clauses {
            self.walk_and_read(&scope, &clause.predicate);
            match &clause.action {
                MergeAction::Insert(insert) => {
                    let names = insert.columns.iter().filter_map(last_part);
                    names.for_each(|name| self.write_name(&scope, std::slice::from_ref(name)));
                    if insert.columns.is_empty() {
                        target.into_iter().for_each(|need| self.write_all(need));
                    }
                    if let MergeInsertKind::Values(values) = &insert.kind {
                        self.walk_and_read(&scope, values);
                    }
                }
                MergeAction::Update(update) => match &update.kind {
                    MergeUpdateKind::Set(assignments) => self.assign(&scope, assignments),
                    MergeUpdateKind::Wildcard => target.into_iter().for_each(|need| self.write_all(need)),
                },
                MergeAction::Delete { .. } => target.into_iter().for_each(|need| self.write_all(need)),
                MergeAction::DoNothing { .. } => {}
            }
        }
        Some(Kind::Update)
    }

    /// `COPY`: to a file it reads, from a file it inserts.
    pub fn copy(&mut self, source: &CopySource, to: bool) -> Option<Kind> {
        match source {
            CopySource::Query(query) => return self.top_query(query),
            CopySource::Table { table_name, columns } => {
                let Relation::Table(need) = self.named_relation(table_name) else {
                    return Some(if to { Kind::Select } else { Kind::Insert });
                };
                let mut scope = Scope::default();
                scope.sources.push(Source::new("", Relation::Table(need)));
                match (to, columns.as_slice()) {
                    (true, []) => self.read_outputs(&Source::new("", Relation::Table(need)).outputs(self)),
                    (true, names) => names.iter().for_each(|name| {
                        self.walk_and_read(&scope, &Expr::Identifier(name.clone()));
                    }),
                    (false, []) => self.write_all(need),
                    (false, names) => {
                        names.iter().for_each(|name| self.write_name(&scope, std::slice::from_ref(name)));
                    }
                }
            }
        }
        Some(if to { Kind::Select } else { Kind::Insert })
    }

    /// `SET column = expression, …`
    fn assign(&mut self, scope: &Scope<'_>, assignments: &[Assignment]) {
        for assignment in assignments {
            let targets: &[ObjectName] = match &assignment.target {
                AssignmentTarget::ColumnName(name) => std::slice::from_ref(name),
                AssignmentTarget::Tuple(names) => names,
            };
            targets.iter().for_each(|name| self.write_name(scope, &parts(name)));
            self.walk_and_read(scope, &assignment.value);
        }
    }

    fn write_name(&mut self, scope: &Scope<'_>, name: &[Ident]) {
        match scope.find(self, name) {
            Some(Found::Output(Output { is: Some(column), .. })) => self.write(column),
            Some(Found::Output(_) | Found::Foreign) => {}
            None => {
                let parts: Vec<&str> = name.iter().map(|part| part.value.as_str()).collect();
                self.unknown_column(parts.join("."));
            }
        }
    }

    fn limit_only_table(&mut self, scope: &Scope<'_>, limit: Option<&Expr>) {
        if let ([source], Some(limit)) = (scope.sources.as_slice(), limit) {
            let need = table_of(source);
            need.into_iter().for_each(|need| self.limit(need, Some(amount(limit)), None));
        }
    }

    fn returned(&mut self, scope: &Scope<'_>, returning: Option<&[SelectItem]>) -> Vec<Output> {
        returning.map(|items| self.projection(scope, items, None).0).unwrap_or_default()
    }
}

fn table_of(source: &Source) -> Option<usize> {
    match source.relation {
        Relation::Table(need) => Some(need),
        Relation::Query(_) | Relation::Unknown => None,
    }
}
