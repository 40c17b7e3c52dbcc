//! The questions of a log: each shape of statement is resolved once.

use std::collections::HashMap;
use std::sync::Arc;

use tablesmith_model::workload::{Asks, Workload};
use tablesmith_sql::{Catalog, Dialect, Folder, template};

use super::{Question, markers, sql};
use crate::call::Call;
use crate::error::{BindError, QuestionError};

/// The questions of statements that come one after the other. A statement whose template is that of a query of the
/// workload has the query's name, any other has its template as its name.
#[derive(Clone, Debug)]
pub struct Questions {
    workload: Arc<Workload>,
    catalog: Catalog,
    dialect: Dialect,
    folder: Folder,
    /// The names of queries by their templates.
    names: HashMap<String, Arc<str>>,
    /// What was resolved, by the text with its literals marked.
    resolved: HashMap<String, Result<Arc<Question>, QuestionError>>,
}

/// Why a statement of a log is no call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError {
    /// It is no question that can be carried out.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// Its values do not go with it.
    #[error(transparent)]
    Bind(#[from] BindError),
}

impl Questions {
    /// No question yet.
    pub fn new(workload: Arc<Workload>, dialect: Dialect) -> Self {
        let name = |query: &tablesmith_model::workload::Query| match &query.asks {
            Asks::Sql(sql) => Some((template(sql, dialect), query.name.as_str().into())),
            Asks::Columns(_) => None,
        };
        Self {
            catalog: Catalog::of_workload(&workload),
            names: workload.queries.iter().filter_map(name).collect(),
            folder: Folder::new(dialect),
            resolved: HashMap::new(),
            workload,
            dialect,
        }
    }

    /// The question of a statement, and the call that its literals make.
    pub fn ask(&mut self, statement: &str) -> Result<(Arc<Question>, Call), AskError> {
        let places = markers::places(&mut self.folder, statement);
        let literal = |place: &std::ops::Range<usize>| statement.get(place.clone()).unwrap_or_default();
        let literals: Vec<&str> = places.iter().map(literal).collect();
        let marked = markers::marked(statement, &places);
        let question = match self.resolved.get(&marked) {
            Some(known) => known.clone()?,
            None => {
                let question = self.resolve(&marked, &literals);
                self.resolved.insert(marked, question.clone());
                question?
            }
        };
        let call = question.bind(&literals)?;
        Ok((question, call))
    }

    fn resolve(&self, marked: &str, literals: &[&str]) -> Result<Arc<Question>, QuestionError> {
        let template = String::from_utf8_lossy(self.folder.template()).into_owned();
        let has_order = sql::orders(self.folder.template());
        let name = self.names.get(&template).cloned().unwrap_or_else(|| template.into());
        let literals = literals.iter().map(|literal| (*literal).to_owned()).collect();
        let text = sql::Text { name: &name, marked, literals, has_order };
        text.question(&self.workload, &self.catalog, self.dialect).map(Arc::new)
    }
}
