//! Followed people as qualifiers: `A → f:B = 1, f:C = 1` (figure 8 of the one guide, 4.5 of the other), and the same turned round
//! in a second table, which the guide names as the way to ask who follows somebody.

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::{Delete, DeleteTarget, Get, Put, Scan, Store};

use super::design::{Answer, FAMILY, FollowsDesign, FollowsError, Question, make, table, text, write_all};
use super::world::World;

/// Followed people as qualifiers.
pub(super) struct Wide {
    pub both_ways: bool,
}

impl Wide {
    fn there(&self) -> Result<TableName, FollowsError> {
        table(if self.both_ways { "wide_there" } else { "wide" })
    }

    fn back(&self) -> Result<Option<TableName>, FollowsError> {
        self.both_ways.then(|| table("wide_back")).transpose()
    }

    /// A list as one row.
    async fn list(store: &dyn Store, name: &TableName, user: &str) -> Result<Answer, FollowsError> {
        let row = store.get(name, Get::new(user.to_owned()).family(FAMILY)).await?.value;
        Ok(Answer::People(row.cells.iter().map(|cell| text(&cell.qualifier)).collect()))
    }
}

#[async_trait]
impl FollowsDesign for Wide {
    fn name(&self) -> String {
        if self.both_ways { "wide, both ways" } else { "wide" }.to_owned()
    }

    fn origin(&self) -> String {
        if self.both_ways { "figure 8 and the text below it" } else { "figures 8 and 4.5" }.to_owned()
    }

    fn looks(&self) -> String {
        let back = if self.both_ways { "; B → f:A = 1" } else { "" };
        format!("A → f:B = 1, f:C = 1{back}")
    }

    fn tables(&self) -> Result<Vec<TableName>, FollowsError> {
        Ok([Some(self.there()?), self.back()?].into_iter().flatten().collect())
    }

    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError> {
        let there = self.there()?;
        make(store, &there, &[FAMILY]).await?;
        let edge = |one: &str, other: &str| Put::new(one.to_owned()).add(FAMILY, other.to_owned(), "1");
        write_all(store, &there, Box::new(world.edges().map(|(one, other)| edge(one, other)))).await?;
        if let Some(back) = self.back()? {
            make(store, &back, &[FAMILY]).await?;
            write_all(store, &back, Box::new(world.edges().map(|(one, other)| edge(other, one)))).await?;
        }
        Ok(())
    }

    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError> {
        let (there, back) = (self.there()?, self.back()?);
        match question {
            Question::Whom(user) => Self::list(store, &there, user).await,
            Question::Does(user, other) => {
                let get = Get::new(user.clone()).column(FAMILY, other.clone());
                Ok(Answer::Truth(store.exists(&there, get).await?.value))
            }
            Question::Who(user) => match back {
                Some(back) => Self::list(store, &back, user).await,
                None => {
                    let scan = Scan::all().column(FAMILY, user.clone());
                    let rows = store.scan_all(&there, scan).await?.value;
                    Ok(Answer::People(rows.iter().map(|row| text(&row.row)).collect()))
                }
            },
            Question::Follow(user, other) => {
                store.put(&there, Put::new(user.clone()).add(FAMILY, other.clone(), "1")).await?;
                if let Some(back) = back {
                    store.put(&back, Put::new(other.clone()).add(FAMILY, user.clone(), "1")).await?;
                }
                Ok(Answer::Done)
            }
            Question::Unfollow(user, other) => {
                let target = |other: &str| DeleteTarget::Column(FAMILY.into(), other.to_owned().into(), None);
                store.delete(&there, Delete::row(user.clone()).target(target(other))).await?;
                if let Some(back) = back {
                    store.delete(&back, Delete::row(other.clone()).target(target(user))).await?;
                }
                Ok(Answer::Done)
            }
            Question::Newest(_) | Question::Write(_) => {
                Err(FollowsError::Other("this design has no messages".to_owned()))
            }
        }
    }
}
