//! What a statement needs of each table: plain values.

/// A statement as far as tables and columns go.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What the statement does.
    pub kind: Kind,
    /// One entry for each place where a known table is named: a table joined with itself has two.
    pub needs: Vec<Need>,
    /// How the needs were found.
    pub understood: Understood,
    /// Tables that the statement names and the catalog does not have.
    pub other_tables: Vec<String>,
    /// Columns that the statement names and none of its tables has.
    pub unknown_columns: Vec<String>,
    /// How many rows the whole answer has at most, also where it is joined of several tables.
    pub limit: Option<Amount>,
    /// Whether all tables stand in one `FROM`, put together by inner joins alone: no sub-query, union or outer join.
    pub is_flat: bool,
    /// How many statements of the text read or write rows. More than one count as one that needs what all need.
    pub statements: usize,
}

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Reads rows.
    Select,
    /// Adds rows.
    Insert,
    /// Changes rows.
    Update,
    /// Removes rows.
    Delete,
}

/// How the needs of a statement were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Understood {
    /// By parsing and resolving every name.
    Parsed,
    /// The parser did not know the text: the names of tables and columns in it were taken.
    ByNames,
}

/// What a statement needs of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Need {
    /// The table, spelled as in the catalog, as all columns are.
    pub table: String,
    /// Columns that must be read: shown, filtered, joined, sorted or grouped by. In the catalog's order.
    pub reads: Vec<String>,
    /// Columns that are written. A deleted row counts as a write of every column.
    pub writes: Vec<String>,
    /// What is written, where the statement says it: the rows that an `INSERT` adds, or the one row of what an `UPDATE`
    /// sets; columns with their values, in the order of the text.
    pub written: Vec<Vec<(String, Value)>>,
    /// Conditions on single columns which every row must meet, those of joins excepted.
    pub predicates: Vec<Predicate>,
    /// The order of the answer as far as it is made of this table's columns.
    pub order: Vec<Order>,
    /// How many rows are wanted, where the limit holds for this table's rows.
    pub limit: Option<Amount>,
    /// How many rows are passed over first.
    pub offset: Option<Amount>,
    /// Columns that rows are grouped by.
    pub grouping: Vec<String>,
    /// Aggregates over this table's rows.
    pub aggregates: Vec<Aggregate>,
    /// Equalities with columns of other tables, or of the same table in another place.
    pub joins: Vec<Join>,
}

/// A condition on a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    /// The column.
    pub column: String,
    /// How it is compared.
    pub operator: Operator,
    /// What it is compared with; for several values, the first.
    pub value: Value,
    /// The further values of `IN` and `BETWEEN`, in order.
    pub more: Vec<Value>,
}

/// How a column is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `=`
    Eq,
    /// One of so many values; 0 when the number is not known, as with a sub-query or an array parameter.
    In(usize),
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `BETWEEN`
    Between,
    /// `LIKE`
    Like,
    /// `IS NULL`
    IsNull,
    /// Any condition that no key order helps with: `<>`, `OR` across columns, functions of the column.
    Other,
}

/// What a column is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A literal: its text without quotes.
    Literal(String),
    /// A parameter of the statement.
    Parameter,
    /// A column, maybe of another table.
    Column(String, String),
    /// Anything else.
    Expression,
}

/// One column of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub column: String,
    /// Whether large values come first.
    pub descending: bool,
}

/// A number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So many.
    Rows(u64),
    /// A parameter or an expression.
    Unknown,
}

impl Amount {
    /// The number, where the statement says it.
    pub fn rows(self) -> Option<u64> {
        match self {
            Self::Rows(rows) => Some(rows),
            Self::Unknown => None,
        }
    }
}

/// An aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// The function's name in lower case.
    pub function: String,
    /// What it is taken of.
    pub of: Argument,
}

/// What an aggregate is taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The rows themselves: `count(*)`.
    Rows,
    /// A column.
    Column(String),
    /// An expression.
    Expression,
}

/// An equality with a column of another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// The column of this table.
    pub column: String,
    /// The other table.
    pub other_table: String,
    /// The column of the other table.
    pub other_column: String,
}

impl Statement {
    /// The distinct tables, in the order in which the statement names them.
    pub fn tables(&self) -> Vec<&str> {
        let mut tables: Vec<&str> = Vec::new();
        for need in &self.needs {
            if !tables.contains(&need.table.as_str()) {
                tables.push(&need.table);
            }
        }
        tables
    }
}
impl Predicate {
    /// All that the column is compared with.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.value).chain(&self.more)
    }

    /// Whether a literal says what the column is compared with.
    pub fn has_literal(&self) -> bool {
        self.values().any(|value| value.literal().is_some())
    }
}

impl Value {
    /// The text of a literal.
    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Parameter | Self::Column(..) | Self::Expression => None,
        }
    }
}
