//! What a statement needs of each table: a view of the resolved statement.

mod collect;
mod predicates;

use crate::catalog::Catalog;
use crate::dialect::Dialect;
use crate::error::SqlError;
use crate::names;
use crate::parse::{self, NESTING_MAX, PARSED_BYTES_MAX, on_large_stack};
use crate::resolve::resolve as resolve_names;
use crate::resolved::{
    BodyKind, DerivedColumn, DistinctRows, ExprNode, FromPart, GroupKey, JoinKind, OrderKey, QueryBody,
    RelationKind, ResolvedAssignment, ResolvedDelete, ResolvedExpr, ResolvedInsert, ResolvedJoin,
    ResolvedMerge, ResolvedQuery, ResolvedSelect, ResolvedStatement, ResolvedText, ResolvedUpdate,
    SelectItem, StatementBody,
};
use crate::statement::{Amount, Kind, Statement};
use crate::template::template;
use collect::Collector;
use predicates::{Filters, literal};

/// What a statement needs of the known tables. Several statements in one text count as one that needs what all need. When no
/// dialect knows the text, or it is too long to be parsed, the names in it are taken.
pub fn resolve(sql: &str, catalog: &Catalog, dialect: Dialect) -> Result<Statement, SqlError> {
    let folded;
    // Long lists of values become short.
    let text = if sql.len() > PARSED_BYTES_MAX {
        folded = template(sql, dialect);
        folded.as_str()
    } else {
        sql
    };
    let by_names = || names::resolve(text, catalog, dialect);
    if text.len() > PARSED_BYTES_MAX || names::nesting(text, dialect) > NESTING_MAX {
        return by_names();
    }
    let parsed = on_large_stack(text.len(), || {
        let parsers = dialect.parsers();
        let statements = parsers.into_iter().find_map(|parser| parse::statements(parser, text).ok())?;
        needs(&resolve_names(statements, catalog), catalog)
    });
    match parsed {
        Some(statement) if !statement.needs.is_empty() => Ok(statement),
        Some(statement) if !statement.other_tables.is_empty() => {
            Err(SqlError::OtherTables(statement.other_tables))
        }
        Some(_) | None => by_names(),
    }
}

/// What the statements of a text need of each table; none where only the names in it can be taken.
fn needs(text: &ResolvedText, catalog: &Catalog) -> Option<Statement> {
    let mut collector = Collector::new(text, catalog);
    let mut kinds = Vec::new();
    for statement in &text.statements {
        if matches!(statement.body, StatementBody::Opaque) {
            return None;
        }
        kinds.extend(collector.statement(statement));
    }
    Some(collector.finish(text, &kinds))
}

impl Collector<'_> {
    /// Its kind, when it reads or writes rows.
    fn statement(&mut self, statement: &ResolvedStatement) -> Option<Kind> {
        Some(match &statement.body {
            StatementBody::Query(query) => self.top_query(query),
            StatementBody::Insert(insert) => {
                self.insert(insert);
                self.read_items(&insert.returning);
                Kind::Insert
            }
            StatementBody::Update(update) => {
                self.update(update);
                self.read_items(&update.returning);
                Kind::Update
            }
            StatementBody::Delete(delete) => {
                self.delete(delete);
                self.read_items(&delete.returning);
                Kind::Delete
            }
            StatementBody::Merge(merge) => {
                self.merge(merge);
                Kind::Update
            }
            StatementBody::Cursors(queries) => {
                for query in queries {
                    self.top_query(query);
                }
                Kind::Select
            }
            StatementBody::NoRows | StatementBody::Opaque => return None,
        })
    }

    /// A query that is the whole statement: all its columns are read.
    fn top_query(&mut self, query: &ResolvedQuery) -> Kind {
        let top = match &query.body.kind {
            BodyKind::Select(select) => select.top,
            _ => None,
        };
        self.limit = limit(query).or(top);
        self.flat_tables = flat_tables(query);
        self.query(query);
        self.read_columns(&query.body.columns);
        match &query.body.kind {
            BodyKind::Change(change) => match &change.body {
                StatementBody::Insert(_) => Kind::Insert,
                StatementBody::Delete(_) => Kind::Delete,
                _ => Kind::Update,
            },
            _ => Kind::Select,
        }
    }

    /// Everything but the columns of the result is read.
    fn query(&mut self, query: &ResolvedQuery) {
        query.with.iter().for_each(|query| self.query(query));
        let offset = query.offset.as_ref().map(ResolvedExpr::amount);
        self.body(&query.body, limit(query), offset);
    }

    fn body(&mut self, body: &QueryBody, limit: Option<Amount>, offset: Option<Amount>) {
        match &body.kind {
            BodyKind::Select(select) => self.select(select, limit, offset),
            BodyKind::Query(query) => self.query(query),
            BodyKind::SetOperation { left, right, keeps_all } => {
                self.body(left, None, None);
                self.body(right, None, None);
                if !keeps_all {
                    self.read_columns(&left.columns);
                    self.read_columns(&right.columns);
                }
            }
            BodyKind::Values(rows) => rows.iter().flatten().for_each(|value| self.read_all(value)),
            BodyKind::Table => {}
            BodyKind::Change(change) => match &change.body {
                StatementBody::Insert(insert) => self.insert(insert),
                StatementBody::Update(update) => self.update(update),
                StatementBody::Delete(delete) => self.delete(delete),
                StatementBody::Merge(merge) => self.merge(merge),
                _ => {}
            },
        }
    }

    fn select(&mut self, select: &ResolvedSelect, limit: Option<Amount>, offset: Option<Amount>) {
        self.from(&select.from);
        select.filter.iter().for_each(|predicate| self.predicate(predicate, &Filters::All));
        self.items(&select.items);
        self.group_by(select);
        select.having.iter().chain(&select.further).for_each(|part| self.read_all(part));
        match &select.distinct {
            DistinctRows::No => {}
            DistinctRows::Yes => self.read_columns(&select.outputs),
            DistinctRows::On(expressions) => expressions.iter().for_each(|part| self.read_all(part)),
        }
        self.order_by(&select.order, &select.outputs);
        if let Some(table) = select.limited {
            self.limit_rows(table, limit.or(select.top), offset);
        }
    }

    fn from(&mut self, from: &[FromPart]) {
        for part in from {
            match part {
                FromPart::Relation(relation) => match &relation.kind {
                    RelationKind::Table { .. } => {}
                    RelationKind::Query(query) => self.query(query),
                    RelationKind::Nested { from, reads } => {
                        self.from(from);
                        self.read(reads);
                    }
                    RelationKind::Function(arguments) => {
                        arguments.iter().for_each(|part| self.read_all(part))
                    }
                },
                FromPart::Join(join) => self.join_with(join),
            }
        }
    }

    fn join_with(&mut self, join: &ResolvedJoin) {
        let filters = match join.kind {
            JoinKind::Inner | JoinKind::Semi | JoinKind::Apply => Filters::All,
            JoinKind::Left | JoinKind::LeftAnti | JoinKind::AsOf => Filters::Only(&join.right),
            JoinKind::Right | JoinKind::RightAnti => Filters::Only(&join.left),
            JoinKind::Full => Filters::Only(&[]),
        };
        join.matched.iter().for_each(|condition| self.read_all(condition));
        join.on.iter().for_each(|condition| self.predicate(condition, &filters));
        for (left, right) in &join.using {
            self.read(&left.uses);
            self.read(&right.uses);
            if let (Some(left), Some(right)) = (left.same_as, right.same_as) {
                self.join(left, right);
            }
        }
    }

    /// What a select list does besides handing on columns, which are read only when somebody wants them.
    fn items(&mut self, items: &[SelectItem]) {
        for item in items {
            item.expr.iter().for_each(|expr| self.visit(expr));
            item.replaced.iter().for_each(|expr| self.read_all(expr));
        }
    }

    fn read_items(&mut self, items: &[SelectItem]) {
        items.iter().for_each(|item| self.read_columns(&item.columns));
    }

    fn read_columns(&mut self, columns: &[DerivedColumn]) {
        columns.iter().for_each(|column| self.read(&column.uses));
    }

    fn group_by(&mut self, select: &ResolvedSelect) {
        let Some(keys) = &select.group_by else { return self.read_columns(&select.outputs) };
        for GroupKey { expr, output, is_number, .. } in keys {
            let output = output.filter(|_| *is_number).and_then(|at| select.outputs.get(at));
            match output.or_else(|| expr.derived()) {
                Some(column) => {
                    self.read(&column.uses);
                    column.same_as.into_iter().for_each(|column| self.group(column));
                }
                None => self.read_all(expr),
            }
        }
    }

    /// The order of one table, as far as the leading columns are its own. All columns in it are read.
    fn order_by(&mut self, order: &[OrderKey], outputs: &[DerivedColumn]) {
        let mut sorted = None;
        let mut is_leading = true;
        for key in order {
            let output = key.output.and_then(|at| outputs.get(at));
            let column = match output.or_else(|| key.expr.derived()) {
                Some(column) => {
                    self.read(&column.uses);
                    column.same_as
                }
                None => {
                    self.read_all(&key.expr);
                    None
                }
            };
            is_leading &= column.is_some_and(|column| *sorted.get_or_insert(column.table) == column.table);
            if let (Some(column), true) = (column, is_leading) {
                self.order(column, key.descending);
            }
        }
    }

    /// An expression whose columns are read.
    fn read_all(&mut self, expr: &ResolvedExpr) {
        self.visit(expr);
        self.read(&expr.uses());
    }

    /// The queries and aggregates of an expression.
    fn visit(&mut self, expr: &ResolvedExpr) {
        expr.walk(&mut |part| match &part.node {
            ExprNode::Query(query) | ExprNode::InQuery { query, .. } => {
                self.query(query);
                self.read_columns(&query.body.columns);
            }
            ExprNode::Exists(query) => self.query(query),
            ExprNode::Call(call) => {
                let name = call.name.rsplit('.').next().unwrap_or_default().to_lowercase();
                call.of.into_iter().for_each(|of| self.aggregate(&name, of));
            }
            _ => {}
        });
    }

    fn insert(&mut self, insert: &ResolvedInsert) {
        if let Some(source) = &insert.source {
            self.query(source);
            self.read_columns(&source.body.columns);
        }
        if let RelationKind::Table { table: Some(table), .. } = insert.target.kind {
            if insert.columns.is_empty() && insert.assignments.is_empty() {
                self.write_all(table);
            }
            self.added_rows(table, insert);
            self.set_row(&insert.assignments);
            insert.columns.iter().for_each(|column| self.write_name(column));
        }
        self.assign(&insert.assignments);
        insert.conflict.iter().for_each(|part| self.read_all(part));
        self.assign(&insert.conflict_assignments);
        self.items(&insert.returning);
    }

    /// The rows after `VALUES`, where each has a value for every column.
    fn added_rows(&mut self, table: usize, insert: &ResolvedInsert) {
        let Some(BodyKind::Values(rows)) = insert.source.as_ref().map(|source| &source.body.kind) else {
            return;
        };
        let columns = match insert.columns.as_slice() {
            [] => Some(self.columns(table).collect()),
            names => names.iter().map(ResolvedExpr::column).collect::<Option<Vec<_>>>(),
        };
        let Some(columns) = columns else { return };
        for row in rows.iter().filter(|row| row.len() == columns.len()) {
            self.write_row(table, columns.iter().copied().zip(row.iter().map(literal)));
        }
    }

    /// What `SET` gives the columns of one row.
    fn set_row(&mut self, assignments: &[ResolvedAssignment]) {
        let single = assignments.iter().filter(|assignment| !assignment.is_tuple);
        let set = single.filter_map(|assignment| {
            Some((assignment.targets.first()?.column()?, literal(&assignment.value)))
        });
        let set: Vec<_> = set.collect();
        if let Some((first, _)) = set.first() {
            self.write_row(first.table, set);
        }
    }

    fn assign(&mut self, assignments: &[ResolvedAssignment]) {
        for assignment in assignments {
            assignment.targets.iter().for_each(|target| self.write_name(target));
            self.read_all(&assignment.value);
        }
    }

    fn write_name(&mut self, name: &ResolvedExpr) {
        name.column().into_iter().for_each(|column| self.write(column));
    }

    fn update(&mut self, update: &ResolvedUpdate) {
        self.from(&update.from);
        self.assign(&update.assignments);
        self.set_row(&update.assignments);
        update.filter.iter().for_each(|predicate| self.predicate(predicate, &Filters::All));
        self.order_by(&update.order, &[]);
        self.limit_only_table(update.limited, update.limit.as_ref());
        self.items(&update.returning);
    }

    fn delete(&mut self, delete: &ResolvedDelete) {
        self.from(&delete.from);
        delete.targets.iter().for_each(|table| self.write_all(*table));
        delete.filter.iter().for_each(|predicate| self.predicate(predicate, &Filters::All));
        self.order_by(&delete.order, &[]);
        self.limit_only_table(delete.limited, delete.limit.as_ref());
        self.items(&delete.returning);
    }

    fn limit_only_table(&mut self, table: Option<usize>, limit: Option<&ResolvedExpr>) {
        if let (Some(table), Some(limit)) = (table, limit) {
            self.limit_rows(table, Some(limit.amount()), None);
        }
    }

    fn merge(&mut self, merge: &ResolvedMerge) {
        self.from(&merge.from);
        self.predicate(&merge.on, &Filters::All);
        for clause in &merge.clauses {
            clause.reads.iter().for_each(|part| self.read_all(part));
            clause.columns.iter().for_each(|column| self.write_name(column));
            merge.target.filter(|_| clause.writes_all).into_iter().for_each(|table| self.write_all(table));
            self.assign(&clause.assignments);
        }
    }
}

fn limit(query: &ResolvedQuery) -> Option<Amount> {
    query.limit.as_ref().map(ResolvedExpr::amount).or(query.fetch)
}

/// How many tables a query puts together by inner joins; none where it does anything else with them.
fn flat_tables(query: &ResolvedQuery) -> Option<usize> {
    let BodyKind::Select(select) = &query.body.kind else { return None };
    let is_flat = query.with.is_empty()
        && select.from.iter().all(|part| match part {
            FromPart::Relation(relation) => matches!(relation.kind, RelationKind::Table { .. }),
            FromPart::Join(join) => join.kind == JoinKind::Inner,
        });
    let relations = select.from.iter().filter(|part| matches!(part, FromPart::Relation(_))).count();
    is_flat.then_some(relations)
}

#[cfg(test)]
mod tests {
    use crate::{Amount, Catalog, Dialect, resolve};

    #[track_caller]
    fn check(sql: &str, is_flat: bool, limit: Option<u64>) {
        let mut catalog = Catalog::new();
        catalog.add("a", ["x", "y"]).add("b", ["x", "z"]);
        let statement = resolve(sql, &catalog, Dialect::default()).unwrap();
        assert_eq!((statement.is_flat, statement.limit), (is_flat, limit.map(Amount::Rows)), "{sql}");
    }

    #[test]
    fn inner_joins_of_tables_are_flat_and_their_limit_is_known() {
        check("SELECT y FROM a WHERE x = 1", true, None);
        check("SELECT y, z FROM a JOIN b ON a.x = b.x ORDER BY z LIMIT 20", true, Some(20));
        check("SELECT y, z FROM a, b WHERE a.x = b.x", true, None);
        check("SELECT y FROM a JOIN a AS other ON a.x = other.y", true, None);
        check("UPDATE a SET y = 1 WHERE x = 2", true, None);
    }

    #[test]
    fn everything_else_is_not_flat() {
        check("SELECT y, z FROM a LEFT JOIN b ON a.x = b.x", false, None);
        check("SELECT y FROM a WHERE x IN (SELECT x FROM b) LIMIT 3", false, Some(3));
        check("SELECT y FROM (SELECT y FROM a) AS inner_a", false, None);
        check("SELECT x FROM a UNION SELECT x FROM b", false, None);
    }
}
