//! The resolved statement: what SQL says, with every name resolved against the catalog.
//!
//! It has nodes for all that SQL can say, also for what is not executed yet: such parts carry in `refused` why not. Two
//! views are computed from it: what a statement needs of each table ([`crate::needs`]), and the statement that is executed
//! ([`crate::executable`]).

use sqlparser::ast::{self, BinaryOperator};
use sqlparser::tokenizer::Location;

use crate::executable::{SourcePosition, StatementError};
use crate::statement::Amount;

/// The statements of a text.
#[derive(Debug, Default)]
pub(crate) struct ResolvedText {
    pub statements: Vec<ResolvedStatement>,
    /// One entry for each place where a known table is named: its id in the catalog.
    pub tables: Vec<usize>,
    /// Tables that the catalog does not have.
    pub other_tables: Vec<String>,
    /// Columns that no table in scope has.
    pub unknown_columns: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct ResolvedStatement {
    pub body: StatementBody,
    /// Why statements of this kind are not executed.
    pub refused: Option<StatementError>,
    pub is_explain: bool,
}

#[derive(Debug)]
pub(crate) enum StatementBody {
    Query(ResolvedQuery),
    Insert(Box<ResolvedInsert>),
    Update(ResolvedUpdate),
    Delete(ResolvedDelete),
    Merge(ResolvedMerge),
    /// `DECLARE … CURSOR FOR`: the queries.
    Cursors(Vec<ResolvedQuery>),
    /// Neither reads nor writes rows.
    NoRows,
    /// Has parts whose names are not resolved.
    Opaque,
}

/// A column of one mention of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ColumnRef {
    /// Which entry of [`ResolvedText::tables`].
    pub table: usize,
    /// Which column of the table.
    pub column: usize,
}

/// A column that a relation has, and its lineage.
#[derive(Debug, Clone, Default)]
pub(crate) struct DerivedColumn {
    /// Its name in lower case.
    pub name: Option<String>,
    /// The table columns that it is computed from, none twice.
    pub uses: Vec<ColumnRef>,
    /// The table column that it is, where a predicate on it is a predicate on that column.
    pub same_as: Option<ColumnRef>,
    /// Stands for all columns of a relation that is not known.
    pub is_rest: bool,
}

#[derive(Debug)]
pub(crate) struct ResolvedQuery {
    /// The queries of `WITH`.
    pub with: Vec<ResolvedQuery>,
    pub body: QueryBody,
    pub limit: Option<ResolvedExpr>,
    pub offset: Option<ResolvedExpr>,
    pub fetch: Option<Amount>,
    pub refused: Option<StatementError>,
}

/// What is between `WITH` and `ORDER BY`.
#[derive(Debug)]
pub(crate) struct QueryBody {
    pub kind: BodyKind,
    /// The columns of the result.
    pub columns: Vec<DerivedColumn>,
}

#[derive(Debug)]
pub(crate) enum BodyKind {
    Select(Box<ResolvedSelect>),
    Query(Box<ResolvedQuery>),
    SetOperation {
        left: Box<QueryBody>,
        right: Box<QueryBody>,
        /// `UNION ALL`: rows are not compared with each other.
        keeps_all: bool,
    },
    Values(Vec<Vec<ResolvedExpr>>),
    /// `TABLE name`, `COPY name TO`.
    Table,
    /// A statement that writes, and returns rows.
    Change(Box<ResolvedStatement>),
}

#[derive(Debug)]
pub(crate) struct ResolvedSelect {
    pub from: Vec<FromPart>,
    /// `WHERE` and `PREWHERE`.
    pub filter: Vec<ResolvedExpr>,
    pub items: Vec<SelectItem>,
    /// `GROUP BY`; none for `GROUP BY ALL`.
    pub group_by: Option<Vec<GroupKey>>,
    pub having: Option<ResolvedExpr>,
    /// Expressions of clauses that are not executed: `QUALIFY`, `CONNECT BY`, `WINDOW`, `LATERAL VIEW`.
    pub further: Vec<ResolvedExpr>,
    pub distinct: DistinctRows,
    pub order: Vec<OrderKey>,
    pub top: Option<Amount>,
    /// The output columns of all items.
    pub outputs: Vec<DerivedColumn>,
    /// The table whose rows a `LIMIT` counts: the only one, its rows neither grouped nor compared with each other.
    pub limited: Option<usize>,
    pub position: Option<SourcePosition>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) enum DistinctRows {
    No,
    Yes,
    On(Vec<ResolvedExpr>),
}

/// `FROM` in the order of the text: what is read, and after it how it is joined with what comes before.
#[derive(Debug)]
pub(crate) enum FromPart {
    Relation(Box<FromRelation>),
    Join(Box<ResolvedJoin>),
}

#[derive(Debug)]
pub(crate) struct FromRelation {
    pub kind: RelationKind,
    /// The name that columns are qualified with, as it is written.
    pub alias: String,
    pub position: Option<SourcePosition>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) enum RelationKind {
    /// A table by its name; no table where the catalog has none, or a query of `WITH` is meant.
    Table {
        name: String,
        position: Option<SourcePosition>,
        table: Option<usize>,
    },
    Query(Box<ResolvedQuery>),
    /// A join in parentheses, or a table that is pivoted; then all its columns are read.
    Nested {
        from: Vec<FromPart>,
        reads: Vec<ColumnRef>,
    },
    /// The rows of a function, by its arguments.
    Function(Vec<ResolvedExpr>),
}

#[derive(Debug)]
pub(crate) struct ResolvedJoin {
    pub kind: JoinKind,
    /// The tables on either side.
    pub left: Vec<usize>,
    pub right: Vec<usize>,
    pub on: Option<ResolvedExpr>,
    /// The columns that `USING` and `NATURAL` equate.
    pub using: Vec<(DerivedColumn, DerivedColumn)>,
    /// `MATCH_CONDITION` of `ASOF JOIN`.
    pub matched: Option<ResolvedExpr>,
    pub refused: Option<StatementError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    Semi,
    LeftAnti,
    RightAnti,
    AsOf,
    /// `APPLY` and `ARRAY JOIN`: without a condition.
    Apply,
}

/// An item of a select list or of `RETURNING`.
#[derive(Debug)]
pub(crate) struct SelectItem {
    /// The expression; none for a wildcard.
    pub expr: Option<ResolvedExpr>,
    /// Its alias, else the column's name or the text.
    pub name: String,
    /// Whether `name` is an alias or the name of a column.
    pub is_named: bool,
    /// What it adds to the output columns.
    pub columns: Vec<DerivedColumn>,
    /// Expressions of `REPLACE`.
    pub replaced: Vec<ResolvedExpr>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct GroupKey {
    pub expr: ResolvedExpr,
    /// The output column that it counts, or else names.
    pub output: Option<usize>,
    pub is_number: bool,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct OrderKey {
    pub expr: ResolvedExpr,
    /// The output column that it names or counts.
    pub output: Option<usize>,
    pub descending: bool,
    pub nulls_first: Option<bool>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct ResolvedExpr {
    pub node: ExprNode,
    pub position: Option<SourcePosition>,
    /// What messages call it; empty for names and constants, and inside of expressions that are refused as a whole.
    pub construct: String,
}

#[derive(Debug)]
pub(crate) enum ExprNode {
    Name(ResolvedName),
    Constant(Constant),
    And(Vec<ResolvedExpr>),
    Or(Vec<ResolvedExpr>),
    Not(Box<ResolvedExpr>),
    Binary {
        left: Box<ResolvedExpr>,
        operator: BinaryOperator,
        right: Box<ResolvedExpr>,
    },
    InList {
        expr: Box<ResolvedExpr>,
        list: Vec<ResolvedExpr>,
    },
    InQuery {
        expr: Box<ResolvedExpr>,
        query: Box<ResolvedQuery>,
    },
    /// `= ANY (array)`
    AnyOf {
        expr: Box<ResolvedExpr>,
        array: Box<ResolvedExpr>,
    },
    Between {
        expr: Box<ResolvedExpr>,
        low: Box<ResolvedExpr>,
        high: Box<ResolvedExpr>,
    },
    Like {
        expr: Box<ResolvedExpr>,
        pattern: Box<ResolvedExpr>,
        escape: Option<Box<ResolvedExpr>>,
        any: bool,
    },
    IsNull(Box<ResolvedExpr>),
    IsTrue(Box<ResolvedExpr>),
    Tuple(Vec<ResolvedExpr>),
    Array(Vec<ResolvedExpr>),
    Cast(Box<ResolvedExpr>),
    /// A minus before anything but a number.
    Negative(Box<ResolvedExpr>),
    Call(Box<ResolvedCall>),
    Query(Box<ResolvedQuery>),
    Exists(Box<ResolvedQuery>),
    /// Any other expression: what it is made of.
    Compound(Vec<ResolvedExpr>),
}

/// A column's name and what it stands for.
#[derive(Debug)]
pub(crate) struct ResolvedName {
    pub parts: Vec<String>,
    /// One part in double quotes, which is a text in some dialects.
    pub is_quoted: bool,
    pub found: Found,
    /// How many relations of the innermost `FROM` have the column.
    pub candidates: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Found {
    Column(DerivedColumn),
    /// The alias of a relation, which stands for its row.
    Row(Vec<ColumnRef>),
    /// A column of a relation that is not known.
    Foreign,
    Nothing,
}

#[derive(Debug)]
pub(crate) enum Constant {
    Literal(ast::Value),
    /// `DATE '2020-01-02'`
    Typed {
        type_name: String,
        value: ast::Value,
    },
    /// A number behind a sign.
    Signed {
        is_negative: bool,
        digits: String,
    },
    Parameter {
        text: String,
        at: Location,
    },
}

#[derive(Debug)]
pub(crate) struct ResolvedCall {
    /// The function as it is written.
    pub name: String,
    pub is_aggregate: bool,
    /// What an aggregate is taken of, where that is known.
    pub of: Option<AggregateOf>,
    pub is_window: bool,
    pub is_distinct: bool,
    pub argument: CallArgument,
    /// All expressions in it: arguments, `FILTER`, `OVER`.
    pub parts: Vec<ResolvedExpr>,
    /// The columns of `*` in its arguments.
    pub wildcard: Vec<ColumnRef>,
    pub refused: Option<StatementError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AggregateOf {
    /// The rows of a table.
    Rows(usize),
    Column(ColumnRef),
    /// An expression over a table's columns.
    Expression(usize),
}

/// The arguments of a call, as far as aggregates have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallArgument {
    /// `*` alone.
    Rows,
    /// One expression: which of the parts.
    Part(usize),
    Other,
}

#[derive(Debug)]
pub(crate) struct ResolvedInsert {
    /// The table; its columns are the scope of all that follows.
    pub target: FromRelation,
    pub columns: Vec<ResolvedExpr>,
    pub source: Option<ResolvedQuery>,
    /// `INSERT … SET`.
    pub assignments: Vec<ResolvedAssignment>,
    /// `ON CONFLICT`, `ON DUPLICATE KEY`: expressions that are read, and what is set instead.
    pub conflict: Vec<ResolvedExpr>,
    pub conflict_assignments: Vec<ResolvedAssignment>,
    pub returning: Vec<SelectItem>,
    pub position: Option<SourcePosition>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct ResolvedUpdate {
    pub from: Vec<FromPart>,
    pub assignments: Vec<ResolvedAssignment>,
    pub filter: Option<ResolvedExpr>,
    pub order: Vec<OrderKey>,
    pub limit: Option<ResolvedExpr>,
    /// The table whose rows the limit counts.
    pub limited: Option<usize>,
    pub returning: Vec<SelectItem>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct ResolvedDelete {
    pub from: Vec<FromPart>,
    /// The tables whose rows are deleted.
    pub targets: Vec<usize>,
    pub filter: Option<ResolvedExpr>,
    pub order: Vec<OrderKey>,
    pub limit: Option<ResolvedExpr>,
    /// The table whose rows the limit counts.
    pub limited: Option<usize>,
    pub returning: Vec<SelectItem>,
    pub position: Option<SourcePosition>,
    pub refused: Option<StatementError>,
}

#[derive(Debug)]
pub(crate) struct ResolvedMerge {
    pub from: Vec<FromPart>,
    pub target: Option<usize>,
    pub on: ResolvedExpr,
    pub clauses: Vec<MergeClause>,
}

#[derive(Debug, Default)]
pub(crate) struct MergeClause {
    /// The condition of `WHEN`, and the values of an insert.
    pub reads: Vec<ResolvedExpr>,
    /// The columns of an insert.
    pub columns: Vec<ResolvedExpr>,
    pub writes_all: bool,
    pub assignments: Vec<ResolvedAssignment>,
}

/// `column = value`, or `(column, column) = value`.
#[derive(Debug)]
pub(crate) struct ResolvedAssignment {
    pub targets: Vec<ResolvedExpr>,
    pub is_tuple: bool,
    pub value: ResolvedExpr,
}

impl ResolvedQuery {
    /// A query that is nothing but its body.
    pub fn of(body: QueryBody) -> Self {
        Self { with: Vec::new(), body, limit: None, offset: None, fetch: None, refused: None }
    }
}

impl ResolvedInsert {
    /// Rows for some columns of a table; for all when none is named.
    pub fn new(target: FromRelation, columns: Vec<ResolvedExpr>) -> Self {
        Self {
            target,
            columns,
            source: None,
            assignments: Vec::new(),
            conflict: Vec::new(),
            conflict_assignments: Vec::new(),
            returning: Vec::new(),
            position: None,
            refused: None,
        }
    }
}

impl ResolvedExpr {
    /// The table column that it is, where a predicate on it is a predicate on that column.
    pub fn column(&self) -> Option<ColumnRef> {
        self.derived().and_then(|column| column.same_as)
    }

    /// The column that it names.
    pub fn derived(&self) -> Option<&DerivedColumn> {
        match &self.node {
            ExprNode::Name(ResolvedName { found: Found::Column(column), .. }) => Some(column),
            _ => None,
        }
    }

    /// The expressions that it is directly made of, those of queries in it excepted.
    pub fn children(&self) -> Vec<&ResolvedExpr> {
        match &self.node {
            ExprNode::Name(_) | ExprNode::Constant(_) | ExprNode::Query(_) | ExprNode::Exists(_) => {
                Vec::new()
            }
            ExprNode::And(all)
            | ExprNode::Or(all)
            | ExprNode::Tuple(all)
            | ExprNode::Array(all)
            | ExprNode::Compound(all) => all.iter().collect(),
            ExprNode::Not(inner)
            | ExprNode::IsNull(inner)
            | ExprNode::IsTrue(inner)
            | ExprNode::Cast(inner)
            | ExprNode::Negative(inner)
            | ExprNode::InQuery { expr: inner, .. } => vec![inner],
            ExprNode::Binary { left, right, .. } => vec![left, right],
            ExprNode::InList { expr, list } => std::iter::once(&**expr).chain(list).collect(),
            ExprNode::AnyOf { expr, array, .. } => vec![expr, array],
            ExprNode::Between { expr, low, high } => vec![expr, low, high],
            ExprNode::Like { expr, pattern, escape, .. } => {
                [expr, pattern].into_iter().chain(escape).map(|part| &**part).collect()
            }
            ExprNode::Call(call) => call.parts.iter().collect(),
        }
    }

    /// Calls with this and every expression in it, outside of queries, from left to right.
    pub fn walk<'e>(&'e self, take: &mut impl FnMut(&'e ResolvedExpr)) {
        take(self);
        self.children().into_iter().for_each(|child| child.walk(take));
    }

    /// The columns that it is made of, outside of queries.
    pub fn uses(&self) -> Vec<ColumnRef> {
        let mut uses = Vec::new();
        self.walk(&mut |part| match &part.node {
            ExprNode::Name(name) => match &name.found {
                Found::Column(column) => uses.extend(&column.uses),
                Found::Row(columns) => uses.extend(columns),
                Found::Foreign | Found::Nothing => {}
            },
            ExprNode::Call(call) => uses.extend(&call.wildcard),
            _ => {}
        });
        uses
    }

    /// The number of rows that it says.
    pub fn amount(&self) -> Amount {
        match &self.node {
            ExprNode::Constant(Constant::Literal(ast::Value::Number(number, _))) => {
                number.parse().map_or(Amount::Unknown, Amount::Rows)
            }
            _ => Amount::Unknown,
        }
    }

    fn has_call(&self, is_so: impl Fn(&ResolvedCall) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= matches!(&part.node, ExprNode::Call(call) if is_so(call)));
        found
    }

    /// Whether it aggregates rows.
    pub fn aggregates(&self) -> bool {
        self.has_call(|call| call.is_aggregate)
    }

    /// Whether it depends on other rows of the result.
    pub fn is_windowed(&self) -> bool {
        self.has_call(|call| call.is_window)
    }
}

impl DerivedColumn {
    /// A table's column as it is.
    pub fn of(name: &str, column: ColumnRef) -> Self {
        Self { name: Some(name.to_lowercase()), uses: vec![column], same_as: Some(column), is_rest: false }
    }

    /// Whatever columns an unknown relation has.
    pub fn rest() -> Self {
        Self { is_rest: true, ..Self::default() }
    }

    /// Adds columns that it is computed from.
    pub fn add_uses(&mut self, uses: impl IntoIterator<Item = ColumnRef>) {
        for column in uses {
            if !self.uses.contains(&column) {
                self.uses.push(column);
            }
        }
    }
}
