//! Followed people under running numbers: `A → f:1 = B, f:2 = C`, with or without a counter beside them.
//!
//! The guides' first designs (figures 4 to 7 of the one, 4.1 to 4.4 of the other). Without a counter the whole row is read to
//! know the next number; with one, the counter is. Whoever follows two people at the same moment from two places loses one
//! of them: reading and writing are two calls.

use std::collections::BTreeSet;

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{Delete, DeleteTarget, Filter, Get, Put, Row, Scan, Store};

use super::design::{Answer, FAMILY, FollowsDesign, FollowsError, Question, make, table, text, write_all};
use super::world::World;

/// The counter's qualifier.
const COUNT: &str = "count";

/// Followed people under running numbers.
pub(super) struct Numbered {
    pub has_counter: bool,
}

impl Numbered {
    fn table(&self) -> Result<TableName, FollowsError> {
        table(if self.has_counter { "counted" } else { "numbered" })
    }

    /// Numbers have one length, so that they sort.
    fn number(number: usize) -> String {
        format!("{number:08}")
    }

    /// The next number of a row: from its counter, or from all that it has.
    async fn next(&self, store: &dyn Store, user: &str) -> Result<usize, FollowsError> {
        let get = Get::new(user.to_owned());
        let get = if self.has_counter { get.column(FAMILY, COUNT) } else { get.family(FAMILY) };
        let row = store.get(&self.table()?, get).await?.value;
        let last = if self.has_counter {
            row.value(FAMILY.as_bytes(), COUNT.as_bytes()).map(text)
        } else {
            row.cells.last().map(|cell| text(&cell.qualifier))
        };
        Ok(last.and_then(|last| last.parse::<usize>().ok()).map_or(1, |last| last + 1))
    }

    fn people(row: &Row) -> BTreeSet<String> {
        row.cells
            .iter()
            .filter(|cell| cell.qualifier != COUNT.as_bytes())
            .map(|cell| text(&cell.value))
            .collect()
    }
}

#[async_trait]
impl FollowsDesign for Numbered {
    fn name(&self) -> String {
        if self.has_counter { "numbered, counter" } else { "numbered" }.to_owned()
    }

    fn origin(&self) -> String {
        if self.has_counter { "figures 6 and 4.3" } else { "figures 4 and 4.1" }.to_owned()
    }

    fn looks(&self) -> String {
        let counter = if self.has_counter { ", f:count" } else { "" };
        format!("A → f:1 = B, f:2 = C{counter}")
    }

    fn tables(&self) -> Result<Vec<TableName>, FollowsError> {
        Ok(vec![self.table()?])
    }

    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError> {
        let name = self.table()?;
        make(store, &name, &[FAMILY]).await?;
        let put = |user: &String| {
            let mut put = Put::new(user.clone());
            let mut count = 0;
            for followed in world.followed_by(user) {
                count += 1;
                put = put.add(FAMILY, Self::number(count), followed.to_owned());
            }
            let counted = if self.has_counter { put.add(FAMILY, COUNT, count.to_string()) } else { put };
            (count > 0).then_some(counted)
        };
        Ok(write_all(store, &name, Box::new(world.users.iter().filter_map(put))).await?)
    }

    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError> {
        let name = self.table()?;
        match question {
            Question::Whom(user) => {
                let row = store.get(&name, Get::new(user.clone()).family(FAMILY)).await?.value;
                Ok(Answer::People(Self::people(&row)))
            }
            Question::Does(user, other) => {
                let row = store.get(&name, Get::new(user.clone()).family(FAMILY)).await?.value;
                Ok(Answer::Truth(Self::people(&row).contains(other)))
            }
            Question::Who(user) => {
                let is_user = Filter::Value(CompareOp::Equal, Comparator::Binary(user.clone().into()));
                let rows = store.scan_all(&name, Scan::all().family(FAMILY).filter(is_user)).await?.value;
                Ok(Answer::People(rows.iter().map(|row| text(&row.row)).collect()))
            }
            Question::Follow(user, other) => {
                let number = self.next(store, user).await?;
                let put = Put::new(user.clone()).add(FAMILY, Self::number(number), other.clone());
                let put = if self.has_counter { put.add(FAMILY, COUNT, number.to_string()) } else { put };
                store.put(&name, put).await?;
                Ok(Answer::Done)
            }
            Question::Unfollow(user, other) => {
                let row = store.get(&name, Get::new(user.clone()).family(FAMILY)).await?.value;
                let cell = row.cells.iter().find(|cell| cell.value == other.as_bytes());
                if let Some(cell) = cell {
                    let target = DeleteTarget::Column(cell.family.clone(), cell.qualifier.clone(), None);
                    store.delete(&name, Delete::row(user.clone()).target(target)).await?;
                }
                Ok(Answer::Done)
            }
            Question::Newest(_) | Question::Write(_) => {
                Err(FollowsError::Other("this design has no messages".to_owned()))
            }
        }
    }
}
