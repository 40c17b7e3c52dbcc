//! A call to a store, as an interceptor sees it.

use std::fmt;

use bytes::Bytes;
use tablesmith_model::TableName;

use crate::{
    Action, Aggregate, Append, AtomicBatch, CheckAndMutate, Delete, Get, Increment, Mutation, Put,
    RowMutations, Scan, Select,
};

/// What is asked of a store.
#[derive(Clone, Copy, Debug)]
pub enum Op<'a> {
    /// Reads a row.
    Get(&'a TableName, &'a Get),
    /// Asks whether a row has anything.
    Exists(&'a TableName, &'a Get),
    /// Writes values.
    Put(&'a TableName, &'a Put),
    /// Writes markers.
    Delete(&'a TableName, &'a Delete),
    /// Appends to values.
    Append(&'a TableName, &'a Append),
    /// Adds to counters.
    Increment(&'a TableName, &'a Increment),
    /// Does many things.
    Batch(&'a TableName, &'a [Action]),
    /// Writes if a condition holds.
    CheckAndMutate(&'a TableName, &'a CheckAndMutate),
    /// Writes several things to one row.
    MutateRow(&'a TableName, &'a RowMutations),
    /// Writes to several rows of several tables.
    AtomicBatch(&'a AtomicBatch),
    /// Begins a scan.
    Scan(&'a TableName, &'a Scan),
    /// Fetches the next portion of a scan.
    NextRows {
        /// The table.
        table: &'a TableName,
        /// The scan that was begun.
        scan: &'a Scan,
        /// The last row of the portions before this one.
        last_row: Option<&'a Bytes>,
    },
    /// Aggregates in the regions.
    Aggregate(&'a TableName, &'a Aggregate),
    /// Looks for rows in the regions.
    Select(&'a TableName, &'a Select),
    /// Anything about tables, regions and namespaces; with the table where the call names one.
    Admin(OpKind, Option<&'a TableName>),
}

impl<'a> Op<'a> {
    /// What sort of call it is.
    pub fn kind(&self) -> OpKind {
        match self {
            Self::Get(..) => OpKind::Get,
            Self::Exists(..) => OpKind::Exists,
            Self::Put(..) => OpKind::Put,
            Self::Delete(..) => OpKind::Delete,
            Self::Append(..) => OpKind::Append,
            Self::Increment(..) => OpKind::Increment,
            Self::Batch(..) => OpKind::Batch,
            Self::CheckAndMutate(..) => OpKind::CheckAndMutate,
            Self::MutateRow(..) => OpKind::MutateRow,
            Self::AtomicBatch(_) => OpKind::AtomicBatch,
            Self::Scan(..) => OpKind::Scan,
            Self::NextRows { .. } => OpKind::NextRows,
            Self::Aggregate(..) => OpKind::Aggregate,
            Self::Select(..) => OpKind::Select,
            Self::Admin(kind, _) => *kind,
        }
    }

    /// The table it is about, if the call names one; the first that an atomic batch writes to.
    pub fn table(&self) -> Option<&'a TableName> {
        match *self {
            Self::Get(table, _)
            | Self::Exists(table, _)
            | Self::Put(table, _)
            | Self::Delete(table, _)
            | Self::Append(table, _)
            | Self::Increment(table, _)
            | Self::Batch(table, _)
            | Self::CheckAndMutate(table, _)
            | Self::MutateRow(table, _)
            | Self::Scan(table, _)
            | Self::NextRows { table, .. }
            | Self::Aggregate(table, _)
            | Self::Select(table, _) => Some(table),
            Self::AtomicBatch(batch) => batch.writes.first().map(|(table, _)| table),
            Self::Admin(_, table) => table,
        }
    }

    /// Whether it is about a table.
    pub fn is_about(&self, table: &TableName) -> bool {
        match *self {
            Self::AtomicBatch(batch) => batch.writes.iter().any(|(written, _)| written == table),
            _ => self.table() == Some(table),
        }
    }

    /// The row of each request in it: one for calls about a row, one for each element of a batch, none for the rest.
    pub fn rows(&self) -> Vec<&'a Bytes> {
        match *self {
            Self::Get(_, get) | Self::Exists(_, get) => vec![&get.row],
            Self::Put(_, put) => vec![&put.row],
            Self::Delete(_, delete) => vec![&delete.row],
            Self::Append(_, append) => vec![&append.row],
            Self::Increment(_, increment) => vec![&increment.row],
            Self::Batch(_, actions) => actions.iter().map(Action::row).collect(),
            Self::CheckAndMutate(_, check) => vec![&check.then.row],
            Self::MutateRow(_, mutations) => vec![&mutations.row],
            Self::AtomicBatch(batch) => {
                batch.writes.iter().flat_map(|(_, mutations)| mutations).map(Mutation::row).collect()
            }
            Self::Scan(..)
            | Self::NextRows { .. }
            | Self::Aggregate(..)
            | Self::Select(..)
            | Self::Admin(..) => Vec::new(),
        }
    }
}

macro_rules! op_kinds {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// The sort of a call: one for each method of a store, and one for the portions of a scan.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum OpKind { $(#[doc = concat!("`", $name, "`")] $variant),+ }

        impl OpKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name of the method.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

op_kinds! {
    Get = "get",
    Exists = "exists",
    Put = "put",
    Delete = "delete",
    Append = "append",
    Increment = "increment",
    Batch = "batch",
    CheckAndMutate = "check_and_mutate",
    MutateRow = "mutate_row",
    AtomicBatch = "atomic_batch",
    Scan = "scan",
    NextRows = "next_rows",
    Aggregate = "aggregate",
    Select = "select",
    CreateTable = "create_table",
    AlterTable = "alter_table",
    DescribeTable = "describe_table",
    TableExists = "table_exists",
    ListTables = "list_tables",
    DisableTable = "disable_table",
    EnableTable = "enable_table",
    IsEnabled = "is_enabled",
    DropTable = "drop_table",
    TruncateTable = "truncate_table",
    Flush = "flush",
    Compact = "compact",
    MajorCompact = "major_compact",
    Regions = "regions",
    SplitRegion = "split_region",
    SplitTable = "split_table",
    MergeRegions = "merge_regions",
    MoveRegion = "move_region",
    Status = "status",
    CreateNamespace = "create_namespace",
    DropNamespace = "drop_namespace",
    ListNamespaces = "list_namespaces",
}

impl OpKind {
    /// Whether it changes data of rows.
    pub fn writes(self) -> bool {
        use OpKind::*;
        matches!(self, Put | Delete | Append | Increment | Batch | CheckAndMutate | MutateRow | AtomicBatch)
    }

    /// Whether it reads data of rows. A batch and an increment may do both.
    pub fn reads(self) -> bool {
        use OpKind::*;
        matches!(
            self,
            Get | Exists | Append | Increment | Batch | CheckAndMutate | Scan | NextRows | Aggregate | Select
        )
    }

    /// Whether regions may have other borders or servers after it.
    pub fn moves_regions(self) -> bool {
        use OpKind::*;
        matches!(
            self,
            CreateTable
                | AlterTable
                | DisableTable
                | EnableTable
                | DropTable
                | TruncateTable
                | SplitRegion
                | SplitTable
                | MergeRegions
                | MoveRegion
        )
    }
}

impl fmt::Display for OpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
