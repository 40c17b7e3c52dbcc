//! Aggregates.

use std::fmt;

use tablesmith_model::value::ValueType;

use super::Column;

/// An aggregate over the rows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// What is worked out.
    pub function: Function,
    /// Of which column; none for `COUNT(*)`.
    pub of: Option<Column>,
    /// Whether equal values count once.
    pub distinct: bool,
}

/// What an aggregate works out. Nulls are left out by all but `COUNT(*)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// How many.
    Count,
    /// Their sum; null of nothing.
    Sum,
    /// Their mean, a float; null of nothing.
    Avg,
    /// The least; null of nothing.
    Min,
    /// The greatest; null of nothing.
    Max,
}

impl Function {
    const ALL: [Self; 5] = [Self::Count, Self::Sum, Self::Avg, Self::Min, Self::Max];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "COUNT",
            Self::Sum => "SUM",
            Self::Avg => "AVG",
            Self::Min => "MIN",
            Self::Max => "MAX",
        }
    }

    /// The function of a name, whatever its case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name().eq_ignore_ascii_case(name))
    }

    /// Whether it adds values up, which only numbers allow.
    pub fn adds(self) -> bool {
        matches!(self, Self::Sum | Self::Avg)
    }

    /// All names, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl Aggregate {
    /// The type of what comes out.
    pub fn value_type(&self) -> ValueType {
        match (self.function, &self.of) {
            (Function::Count, _) | (_, None) => ValueType::Int,
            (Function::Avg, _) => ValueType::Float,
            (Function::Sum | Function::Min | Function::Max, Some(column)) => column.value_type,
        }
    }
}

impl fmt::Display for Aggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        let of = self.of.as_ref().map_or("*", |column| &column.name);
        write!(f, "{}({distinct}{of})", self.function.name())
    }
}
