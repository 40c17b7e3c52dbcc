//! The calls of a replay, from statements of a log or from the queries of a workload.
//!
//! Statements bring their values along. Where there are none (a query with parameters, one that is only known by its
//! columns) they are drawn by seed from rows of the data.

mod sample;
mod values;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use tablesmith_access::{AskError, BindError, Call, Question, Questions};
use tablesmith_model::workload::{Query, Touched, Workload};
use tablesmith_sql::Dialect;

use self::sample::Samples;
pub use self::sample::{Sample, Source};
use crate::replay::{Entry, Script};

/// A call with its text.
#[derive(Clone, Debug)]
pub struct TextCall {
    /// The call.
    pub call: Call,
    /// The statement as it was logged, or the query and the values that were drawn.
    pub text: Arc<str>,
}

impl fmt::Display for TextCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Gathers the calls of a script.
pub struct Calls<'a> {
    workload: Arc<Workload>,
    samples: Samples<'a>,
    random: fastrand::Rng,
    dialect: Dialect,
    questions: Questions,
    places: HashMap<Arc<str>, usize>,
    script: Script<TextCall>,
    left_out: BTreeMap<String, u64>,
    drawn: u64,
}

impl<'a> Calls<'a> {
    /// No call yet. The names of queries come from the workload, values that are not known from `source`.
    pub fn new(workload: Arc<Workload>, dialect: Dialect, source: Source<'a>, seed: u64) -> Self {
        Self {
            questions: Questions::new(Arc::clone(&workload), dialect),
            workload,
            samples: Samples::new(source),
            random: fastrand::Rng::with_seed(seed),
            dialect,
            places: HashMap::new(),
            script: Script { queries: Vec::new(), calls: Vec::new() },
            left_out: BTreeMap::new(),
            drawn: 0,
        }
    }

    /// Adds a statement with its values, or with values from the data where it has parameters.
    pub fn statement(&mut self, sql: &str) {
        match self.questions.ask(sql) {
            Ok((question, call)) => self.add(&question, call, sql.into()),
            Err(AskError::Bind(BindError::Unbound { query, .. })) => {
                match Question::of_sql(&query, sql, &self.workload, self.dialect) {
                    Ok(question) => self.draw(&question, sql),
                    Err(error) => self.leave_out(error.to_string()),
                }
            }
            Err(error) => self.leave_out(error.to_string()),
        }
    }

    /// Adds a call that is known by its columns.
    pub fn touched(&mut self, name: &str, touched: &Touched, rows: Option<u64>) {
        match Question::of_columns(name, touched, rows, &self.workload) {
            Ok(question) => self.draw(&question, name),
            Err(error) => self.leave_out(error.to_string()),
        }
    }

    /// Adds so many calls of queries, each as often as its rate says, in an order drawn by seed.
    pub fn queries(&mut self, queries: &[Query], calls: usize) {
        let questions: Vec<(f64, Result<Question, String>)> = queries
            .iter()
            .filter(|query| query.rate > 0.0)
            .map(|query| {
                let question = Question::of_query(query, &self.workload, self.dialect);
                (query.rate, question.map_err(|error| error.to_string()))
            })
            .collect();
        let total: f64 = questions.iter().map(|(rate, _)| rate).sum();
        for _ in 0..calls {
            let mut point = self.random.f64() * total;
            let drawn = questions.iter().find(|(rate, _)| {
                point -= rate;
                point < 0.0
            });
            match drawn.or(questions.last()) {
                Some((_, Ok(question))) => self.draw(question, question.name()),
                Some((_, Err(why))) => self.leave_out(why.clone()),
                None => {}
            }
        }
    }

    /// The script, and what a reader should know about it.
    pub fn finish(self) -> (Script<TextCall>, Vec<String>) {
        let mut notes: Vec<String> = self
            .left_out
            .into_iter()
            .map(|(why, calls)| format!("{calls} calls are left out: {why}"))
            .collect();
        if self.drawn > 0 {
            notes.push(format!(
                "{} of {} calls have values that were drawn from the data",
                self.drawn,
                self.script.calls.len()
            ));
        }
        (self.script, notes)
    }

    fn draw(&mut self, question: &Question, text: &str) {
        let table = self.workload.table(question.table()).cloned().unwrap_or_default();
        match values::drawn(question, &table, &mut self.samples, &mut self.random) {
            Ok((call, told)) => {
                self.drawn += 1;
                self.add(question, call, format!("{text} with {told}").into());
            }
            Err(why) => self.leave_out(format!("query `{}`: {why}", question.name())),
        }
    }

    fn add(&mut self, question: &Question, call: Call, text: Arc<str>) {
        let places = self.places.len();
        let query = *self.places.entry(question.name().into()).or_insert_with(|| {
            self.script.queries.push(question.name().to_owned());
            places
        });
        self.script.calls.push(Entry { query, writes: question.writes(), call: TextCall { call, text } });
    }

    fn leave_out(&mut self, why: String) {
        *self.left_out.entry(why).or_default() += 1;
    }
}
