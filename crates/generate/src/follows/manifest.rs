//! The workload of the data: people, edges, messages, and what is asked of them.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Cluster, Column, Join, Query, Reference, Table, Workload};

use super::Size;

/// The workload.
pub fn workload(size: Size) -> Workload {
    Workload {
        cluster: Cluster { region_servers: Some(3) },
        tables: vec![user(size), follow(size), twit(size)],
        queries: queries(),
        ..Workload::default()
    }
}

/// So many messages are seen by somebody who follows their author.
pub fn seen(pairs: u64) -> Join {
    Join { one: ColumnOf::new("follow", "followed"), other: ColumnOf::new("twit", "author"), rows: pairs }
}

fn table(name: &str, rows: usize, key: &[&str], columns: Vec<Column>) -> Table {
    Table {
        name: name.to_owned(),
        data: Some(format!("{name}.csv")),
        rows: Some(rows as u64),
        key: key.iter().map(|column| (*column).to_owned()).collect(),
        columns,
        ..Table::default()
    }
}

fn id(name: &str, users: usize) -> Column {
    Column { distinct: Some(users as u64), bytes: Some(8.0), ..Column::new(name, ValueType::String) }
}

fn to_user(column: &str) -> Reference {
    Reference { column: column.to_owned(), table: "user".to_owned(), target: "id".to_owned() }
}

fn user(size: Size) -> Table {
    let name = Column::new("name", ValueType::String).with_bytes(12.0);
    table("user", size.users, &["id"], vec![id("id", size.users), name])
}

fn follow(size: Size) -> Table {
    let since = Column::new("since", ValueType::Timestamp);
    let columns = vec![id("follower", size.users), id("followed", size.users), since];
    Table {
        references: vec![to_user("follower"), to_user("followed")],
        ..table("follow", size.follows, &["follower", "followed"], columns)
    }
}

fn twit(size: Size) -> Table {
    let at = Column {
        distinct: Some(size.twits as u64),
        monotone: true,
        ..Column::new("at", ValueType::Timestamp)
    };
    let text = Column::new("text", ValueType::String).with_bytes(26.0);
    Table {
        references: vec![to_user("author")],
        ..table("twit", size.twits, &["author", "at"], vec![id("author", size.users), at, text])
    }
}

/// What both guides ask: the access patterns of the follow graph, and the stream of those whom somebody follows.
fn queries() -> Vec<Query> {
    let query = Query::sql;
    vec![
        query("whom does a user follow", "SELECT followed, since FROM follow WHERE follower = ?", 100.0),
        query(
            "does a user follow another",
            "SELECT since FROM follow WHERE follower = ? AND followed = ?",
            200.0,
        ),
        query("who follows a user", "SELECT follower, since FROM follow WHERE followed = ?", 40.0),
        query("follow", "INSERT INTO follow (follower, followed, since) VALUES (?, ?, ?)", 5.0),
        query("unfollow", "DELETE FROM follow WHERE follower = ? AND followed = ?", 1.0),
        query(
            "newest twits of the people a user follows",
            "SELECT twit.author, twit.at, twit.text FROM follow JOIN twit ON twit.author = follow.followed WHERE \
             follow.follower = ? ORDER BY twit.at DESC LIMIT 20",
            300.0,
        ),
        query(
            "newest twits of a user",
            "SELECT at, text FROM twit WHERE author = ? ORDER BY at DESC LIMIT 20",
            50.0,
        ),
        query("twit", "INSERT INTO twit (author, at, text) VALUES (?, ?, ?)", 2.0),
        query("profile of a user", "SELECT name FROM user WHERE id = ?", 100.0),
    ]
}
