//! Questions from statements in SQL.

use tablesmith_model::value;
use tablesmith_model::workload::{self, Workload};
use tablesmith_sql::{
    Amount, Catalog, Dialect, Folder, Kind, Need, Operator, Predicate, Statement, Understood, Value, resolve,
};

use super::{From, OpenAmount, OpenCondition, OpenLimit, Operand, Question, Shape, Slot, markers};
use crate::error::QuestionError;

impl Question {
    /// The question of a statement; its literals and parameters are the places for values.
    pub fn of_sql(
        name: &str,
        sql: &str,
        workload: &Workload,
        dialect: Dialect,
    ) -> Result<Self, QuestionError> {
        let catalog = Catalog::of_workload(workload);
        let mut folder = Folder::new(dialect);
        let places = markers::places(&mut folder, sql);
        let has_order = orders(folder.template());
        let literals = places.iter().map(|place| sql.get(place.clone()).unwrap_or_default().to_owned());
        let text =
            Text { name, marked: &markers::marked(sql, &places), literals: literals.collect(), has_order };
        text.question(workload, &catalog, dialect)
    }
}

/// Whether a template sorts its answer.
pub(super) fn orders(template: &[u8]) -> bool {
    const ORDER: &[u8] = b" ORDER BY ";
    template.windows(ORDER.len()).any(|window| window == ORDER)
}

/// A statement with its literals marked.
pub(super) struct Text<'t> {
    pub name: &'t str,
    pub marked: &'t str,
    pub literals: Vec<String>,
    pub has_order: bool,
}

impl Text<'_> {
    /// Resolves it.
    pub fn question(
        self,
        workload: &Workload,
        catalog: &Catalog,
        dialect: Dialect,
    ) -> Result<Question, QuestionError> {
        let wrong = |source| QuestionError::Sql { query: self.name.to_owned(), source };
        let statement = resolve(self.marked, catalog, dialect).map_err(wrong)?;
        let need = self.only_need(&statement)?;
        let no_table = || QuestionError::NoTable { query: self.name.to_owned(), table: need.table.clone() };
        let table = workload.table(&need.table).ok_or_else(no_table)?;
        let slot = |literal: &String| Slot { column: None, row: 0, literal: Some(literal.clone()) };
        let mut drawing = Drawing {
            name: self.name,
            table,
            slots: self.literals.iter().map(slot).collect(),
            not_understood: Vec::new(),
        };
        let shape = drawing.shape(&statement, need, self.has_order)?;
        let (slots, not_understood) = (drawing.slots, drawing.not_understood.into());
        let (name, table) = (self.name.into(), table.name.as_str().into());
        Ok(Question { name, table, slots, shape, not_understood })
    }

    /// What the statement needs of its only table.
    fn only_need<'s>(&self, statement: &'s Statement) -> Result<&'s Need, QuestionError> {
        let query = || self.name.to_owned();
        if let Some(column) = statement.unknown_columns.first() {
            let table = statement.tables().join(", ");
            return Err(QuestionError::NoColumn { query: query(), column: column.clone(), table });
        }
        match (statement.needs.as_slice(), statement.other_tables.as_slice()) {
            ([need], []) => Ok(need),
            (needs, others) => {
                let names =
                    needs.iter().map(|need| need.table.as_str()).chain(others.iter().map(String::as_str));
                let tables = names.collect::<Vec<_>>().join(", ");
                Err(QuestionError::SeveralTables { query: query(), tables })
            }
        }
    }
}

/// Makes the shape of a resolved statement.
struct Drawing<'d> {
    name: &'d str,
    table: &'d workload::Table,
    slots: Vec<Slot>,
    not_understood: Vec<String>,
}

impl Drawing<'_> {
    fn shape(&mut self, statement: &Statement, need: &Need, has_order: bool) -> Result<Shape, QuestionError> {
        if statement.understood == Understood::ByNames {
            self.not_understood.push("the whole statement: only the names in it were taken".to_owned());
        }
        let conditions: Vec<OpenCondition> =
            need.predicates.iter().filter_map(|predicate| self.condition(predicate)).collect();
        let is_sure = self.not_understood.is_empty();
        match statement.kind {
            Kind::Select => {
                let limit = self.limit(need).filter(|_| is_sure && !has_order);
                Ok(Shape::Read { columns: need.reads.clone().into(), conditions, limit })
            }
            _ if !is_sure => Err(self.computed(&self.not_understood.join("; "))),
            Kind::Insert => {
                let rows = need.written.iter().enumerate();
                let rows: Vec<_> = rows.map(|(row, set)| self.written(row, set)).collect::<Result<_, _>>()?;
                if rows.is_empty() { Err(self.computed("the rows")) } else { Ok(Shape::Insert(rows)) }
            }
            Kind::Update => match need.written.as_slice() {
                [set] if set.len() == need.writes.len() => {
                    Ok(Shape::Update { set: self.written(0, set)?, conditions })
                }
                _ => Err(self.computed("the columns that are set")),
            },
            Kind::Delete => Ok(Shape::Delete(conditions)),
        }
    }

    fn computed(&self, what: &str) -> QuestionError {
        QuestionError::Computed { query: self.name.to_owned(), what: what.to_owned() }
    }

    /// A condition, when it compares a column with values in a way that is carried out.
    fn condition(&mut self, predicate: &Predicate) -> Option<OpenCondition> {
        let Predicate { column, operator, value, more } = predicate;
        let values: Vec<&Value> = match operator {
            Operator::IsNull => Vec::new(),
            _ => std::iter::once(value).chain(more).collect(),
        };
        let wanted = match operator {
            Operator::Eq | Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge => Some(1),
            Operator::In(count) if *count > 0 => Some(*count),
            Operator::Between => Some(2),
            Operator::IsNull => Some(0),
            Operator::In(_) | Operator::Like | Operator::Other => None,
        };
        let is_list = matches!(operator, Operator::In(_));
        let operands: Option<Vec<Operand>> = (wanted == Some(values.len()))
            .then(|| {
                let places = values.iter().enumerate();
                places.map(|(at, value)| self.operand(column, if is_list { at } else { 0 }, value)).collect()
            })
            .flatten();
        if operands.is_none() {
            self.not_understood.push(words(predicate));
        }
        Some(OpenCondition { column: column.clone(), operator: *operator, operands: operands? })
    }

    /// A literal of the text as the place of a value.
    fn operand(&mut self, column: &str, row: usize, value: &Value) -> Option<Operand> {
        let value_type = self.table.column(column)?.value_type;
        let from = match (markers::of_value(value), value) {
            (Some(number), _) => {
                let slot = self.slots.get_mut(number)?;
                slot.column.get_or_insert_with(|| column.to_owned());
                slot.row = row;
                From::Slot(number)
            }
            (None, Value::Literal(text)) if text.eq_ignore_ascii_case("null") => {
                From::Constant(value::Value::Null)
            }
            (None, Value::Literal(text)) => From::Constant(value::Value::parse(value_type, text).ok()?),
            (None, _) => return None,
        };
        Some(Operand { value_type, from })
    }

    fn written(
        &mut self,
        row: usize,
        set: &[(String, Value)],
    ) -> Result<Vec<(String, Operand)>, QuestionError> {
        let written = |(column, value): &(String, Value)| {
            let operand = self.operand(column, row, value).ok_or_else(|| self.computed(column))?;
            Ok((column.clone(), operand))
        };
        set.iter().map(written).collect()
    }

    /// How many rows are wanted, when that is said.
    fn limit(&self, need: &Need) -> Option<OpenLimit> {
        let amount = |amount: Amount| match markers::of_amount(amount) {
            Some(number) => Some(OpenAmount::Slot(number)),
            None => amount.rows().map(OpenAmount::Rows),
        };
        if !need.order.is_empty() {
            return None;
        }
        let amounts = std::iter::once(need.limit?).chain(need.offset);
        amounts.map(amount).collect::<Option<Vec<_>>>().map(OpenLimit)
    }
}

/// A condition that is not understood, as it is told.
fn words(predicate: &Predicate) -> String {
    let column = &predicate.column;
    match predicate.operator {
        Operator::Like => format!("{column} LIKE …"),
        Operator::In(_) => format!("{column} IN (…)"),
        Operator::Other => format!("a condition on {column} that is no comparison with values"),
        _ => format!("{column} compared with something computed"),
    }
}
