//! Questions from the columns that a query touches.

use std::sync::Arc;

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{self, Access, Asks, Query, Touched, Workload};
use tablesmith_sql::Dialect;

use super::{From, OpenRow, Operand, Question, Shape, Slot};
use crate::error::QuestionError;

impl Question {
    /// The question of a query of the workload: of its statement, or of the columns that it touches.
    pub fn of_query(query: &Query, workload: &Workload, dialect: Dialect) -> Result<Self, QuestionError> {
        match &query.asks {
            Asks::Sql(sql) => Self::of_sql(&query.name, sql, workload, dialect),
            Asks::Columns(touched) => Self::of_columns(&query.name, touched, query.rows, workload),
        }
    }

    /// The question of a query that is known by the columns that it touches. Found by key, its values are those of the
    /// table's key, row by row; for a scan they are the place where `rows` rows begin (the number of a row when the table
    /// has no key), and there are none when all rows are read. What is written follows, as columns of the same rows; a
    /// table without a key gets new rows.
    pub fn of_columns(
        name: &str,
        touched: &Touched,
        rows: Option<u64>,
        workload: &Workload,
    ) -> Result<Self, QuestionError> {
        let no_table = || QuestionError::NoTable { query: name.to_owned(), table: touched.table.clone() };
        let table = workload.table(&touched.table).ok_or_else(no_table)?;
        let mut drawing = Drawing { name, table, slots: Vec::new() };
        let shape = drawing.shape(touched, rows)?;
        Ok(Self {
            name: name.into(),
            table: table.name.as_str().into(),
            slots: drawing.slots,
            shape,
            not_understood: Arc::default(),
        })
    }
}

struct Drawing<'d> {
    name: &'d str,
    table: &'d workload::Table,
    slots: Vec<Slot>,
}

impl Drawing<'_> {
    fn shape(&mut self, touched: &Touched, rows: Option<u64>) -> Result<Shape, QuestionError> {
        let table = self.table;
        let count = usize::try_from(rows.unwrap_or(1)).unwrap_or(usize::MAX).max(1);
        if table.key.is_empty() && !touched.writes.is_empty() {
            let rows = (0..count).map(|row| self.operands(row, &touched.writes));
            return Ok(Shape::Insert(rows.collect::<Result<_, _>>()?));
        }
        let columns: Arc<[String]> = self.in_table_order(&touched.reads)?.into();
        // With its key a row of the answer is the same one on every design.
        let with_key: Vec<String> = touched.reads.iter().chain(&table.key).cloned().collect();
        let with_key: Arc<[String]> = self.in_table_order(&with_key)?.into();
        match touched.access_in(table) {
            Access::Scan if touched.writes.is_empty() => match rows {
                None => Ok(Shape::Read { columns, conditions: Vec::new(), limit: None }),
                Some(rows) => Ok(Shape::ReadOn { columns: with_key, place: self.place()?, rows }),
            },
            _ => {
                let rows = (0..count).map(|row| {
                    let key = self.operands(row, &table.key)?;
                    Ok(OpenRow { key, set: self.operands(row, &touched.writes)? })
                });
                let rows = rows.collect::<Result<_, _>>()?;
                Ok(Shape::ByKey { columns: if columns.is_empty() { columns } else { with_key }, rows })
            }
        }
    }

    /// The place of a row in the order of the table's key.
    fn place(&mut self) -> Result<Vec<Operand>, QuestionError> {
        if self.table.key.is_empty() {
            self.slots.push(Slot { column: None, row: 0, literal: None });
            return Ok(vec![Operand { value_type: ValueType::Int, from: From::Slot(0) }]);
        }
        let key = self.operands(0, &self.table.key)?;
        Ok(key.into_iter().map(|(_, operand)| operand).collect())
    }

    /// Places for the values of some columns of a row.
    fn operands(&mut self, row: usize, columns: &[String]) -> Result<Vec<(String, Operand)>, QuestionError> {
        let operand = |column: &String| {
            let value_type = self.column(column)?.value_type;
            self.slots.push(Slot { column: Some(column.clone()), row, literal: None });
            Ok((column.clone(), Operand { value_type, from: From::Slot(self.slots.len() - 1) }))
        };
        columns.iter().map(operand).collect()
    }

    fn in_table_order(&self, columns: &[String]) -> Result<Vec<String>, QuestionError> {
        columns.iter().try_for_each(|column| self.column(column).map(|_| ()))?;
        let all = self.table.columns.iter().map(|column| &column.name);
        Ok(all.filter(|column| columns.contains(column)).cloned().collect())
    }

    fn column(&self, name: &str) -> Result<&workload::Column, QuestionError> {
        self.table.column(name).ok_or_else(|| QuestionError::NoColumn {
            query: self.name.to_owned(),
            column: name.to_owned(),
            table: self.table.name.clone(),
        })
    }
}
