//! A design as `design.toml` says it, asked in SQL through the logical layer: ours, and any other.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tablesmith_access::answer::{Database, QueryPlan};
use tablesmith_model::design::{Design, Table};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{Moment, Value};
use tablesmith_model::workload::Workload;
use tablesmith_model::{NameError, TableName};
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_store::Store;

use super::design::{Answer, FollowsDesign, FollowsError, Question, remove};
use super::world::{Message, World};

/// Rows that are written at a time while loading.
const PORTION: usize = 500;
/// Edges are as old as this when nobody says since when they are there.
const SINCE_MS: i64 = 1_700_000_000_000;

/// A design for the workload of people, edges and messages.
pub struct DesignedFollows {
    name: String,
    origin: String,
    design: Design,
    database: Database,
    /// The plan of the question that comes next: statements are prepared before, not while, they are asked.
    prepared: Mutex<Option<(Question, QueryPlan)>>,
}

impl DesignedFollows {
    /// The tables get names of their own, so that designs can stand side by side.
    pub fn new(name: &str, origin: &str, workload: &Workload, design: &Design) -> Result<Self, FollowsError> {
        let mut design = design.clone();
        let own: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let renamed = |table: &str| format!("tablesmith_follows_{own}_{table}");
        design.tables.iter_mut().for_each(|table| table.name = renamed(&table.name));
        for step in design.queries.iter_mut().flat_map(|query| &mut query.plan) {
            step.table = renamed(&step.table);
        }
        let database = Database::new(Arc::new(workload.clone()), &design).map_err(other)?;
        let (name, origin) = (name.to_owned(), origin.to_owned());
        Ok(Self { name, origin, design, database, prepared: Mutex::default() })
    }

    fn plan(&self, question: &Question) -> Result<Option<QueryPlan>, FollowsError> {
        let Some((sql, values)) = statement(question) else { return Ok(None) };
        let workload = self.database.workload();
        let prepared = PreparedStatement::new(sql, workload, Dialect::default()).map_err(other)?;
        match prepared.bind(&Parameters::in_order(values)).map_err(other)? {
            Statement::Select(query) => self.database.plan_query(None, &query).map(Some).map_err(other),
            _ => Ok(None),
        }
    }

    async fn rows(&self, store: &dyn Store, question: &Question) -> Result<Vec<Vec<Value>>, FollowsError> {
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        let plan = match prepared {
            Some((of, plan)) if of == *question => Some(plan),
            _ => self.plan(question)?,
        };
        let Some(plan) = plan else { return Ok(Vec::new()) };
        let mut answer = self.database.answer(store, &plan).map_err(other)?;
        answer.all().await.map_err(other)
    }

    async fn insert(
        &self,
        store: &dyn Store,
        table: &str,
        rows: Vec<Vec<Value>>,
    ) -> Result<(), FollowsError> {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let portion = rows.by_ref().take(PORTION).collect();
            self.database.writer().map_err(other)?.insert(store, table, portion).await.map_err(other)?;
            // An embedded store never waits: whoever wants to stop this gets a turn here.
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}

/// What a question is in SQL.
fn statement(question: &Question) -> Option<(&'static str, Vec<Value>)> {
    let text = |text: &String| Value::String(text.clone());
    match question {
        Question::Whom(user) => Some(("SELECT followed FROM follow WHERE follower = ?", vec![text(user)])),
        Question::Who(user) => Some(("SELECT follower FROM follow WHERE followed = ?", vec![text(user)])),
        Question::Does(user, other) => {
            let sql = "SELECT since FROM follow WHERE follower = ? AND followed = ?";
            Some((sql, vec![text(user), text(other)]))
        }
        Question::Newest(user) => {
            let sql = "SELECT twit.at, twit.author, twit.text FROM follow JOIN twit ON twit.author = follow.followed \
                       WHERE follow.follower = ? ORDER BY twit.at DESC LIMIT 20";
            Some((sql, vec![text(user)]))
        }
        Question::Follow(..) | Question::Unfollow(..) | Question::Write(_) => None,
    }
}

fn other(error: impl std::error::Error) -> FollowsError {
    FollowsError::Other(error.to_string())
}

fn moment(millis: i64) -> Value {
    Moment::from_millis(millis).map_or(Value::Null, Value::Timestamp)
}

fn twit(message: &Message) -> Vec<Value> {
    vec![Value::String(message.author.clone()), moment(message.at_ms), Value::String(message.text.clone())]
}

fn edge(one: &str, other: &str) -> Vec<Value> {
    vec![Value::String(one.to_owned()), Value::String(other.to_owned()), moment(SINCE_MS)]
}

fn people(rows: &[Vec<Value>]) -> BTreeSet<String> {
    rows.iter().filter_map(|row| row.first()).map(ToString::to_string).collect()
}

fn message(row: &[Value]) -> Option<Message> {
    match row {
        [Value::Timestamp(at), author, text] => {
            Some(Message { at_ms: at.millis(), author: author.to_string(), text: text.to_string() })
        }
        _ => None,
    }
}

#[async_trait]
impl FollowsDesign for DesignedFollows {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn origin(&self) -> String {
        self.origin.clone()
    }

    fn looks(&self) -> String {
        let key = |table: &Table| {
            let rows = table.rows.iter().map(|rows| {
                let parts: Vec<String> = rows.key.parts.iter().map(ToString::to_string).collect();
                parts.join(" ")
            });
            rows.collect::<Vec<_>>().join(" | ")
        };
        self.design.tables.iter().map(key).collect::<Vec<_>>().join("; ")
    }

    fn tables(&self) -> Result<Vec<TableName>, FollowsError> {
        let named = |table: &Table| table.name.parse().map_err(|error: NameError| other(error));
        self.design.tables.iter().map(named).collect()
    }

    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError> {
        for table in &self.design.tables {
            let descriptor = table.descriptor().map_err(other)?;
            remove(store, &descriptor.name).await?;
            let splits = table.splits.iter().map(|split| split.clone().into()).collect();
            store.create_table(descriptor, splits).await?;
        }
        let user = |id: &String| vec![Value::String(id.clone()), Value::String(world.name(id).to_owned())];
        self.insert(store, "user", world.users.iter().map(user).collect()).await?;
        self.insert(store, "follow", world.edges().map(|(one, other)| edge(one, other)).collect()).await?;
        self.insert(store, "twit", world.messages().map(twit).collect()).await
    }

    fn prepare(&self, question: &Question) -> Result<(), FollowsError> {
        let plan = self.plan(question)?;
        *self.prepared.lock().unwrap_or_else(PoisonError::into_inner) =
            plan.map(|plan| (question.clone(), plan));
        Ok(())
    }

    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError> {
        match question {
            Question::Whom(_) | Question::Who(_) => {
                Ok(Answer::People(people(&self.rows(store, question).await?)))
            }
            Question::Does(..) => Ok(Answer::Truth(!self.rows(store, question).await?.is_empty())),
            Question::Newest(_) => {
                let rows = self.rows(store, question).await?;
                Ok(Answer::Messages(rows.iter().filter_map(|row| message(row)).collect()))
            }
            Question::Follow(one, to) => {
                self.database
                    .writer()
                    .map_err(other)?
                    .insert(store, "follow", vec![edge(one, to)])
                    .await
                    .map_err(other)?;
                Ok(Answer::Done)
            }
            Question::Unfollow(one, to) => {
                let is = |column: &str, id: &String| {
                    Condition::new(column, Test::equals(Value::String(id.clone())))
                };
                let conditions = [is("follower", one), is("followed", to)];
                self.database
                    .writer()
                    .map_err(other)?
                    .delete(store, "follow", &conditions)
                    .await
                    .map_err(other)?;
                Ok(Answer::Done)
            }
            Question::Write(message) => {
                self.database
                    .writer()
                    .map_err(other)?
                    .insert(store, "twit", vec![twit(message)])
                    .await
                    .map_err(other)?;
                Ok(Answer::Done)
            }
        }
    }
}
