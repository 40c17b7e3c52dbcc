//! The questions that a follow graph is asked, each as the operation that a table design makes possible.

use std::collections::BTreeSet;
use std::time::Instant;

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{Filter, Get, Row, Scan, Store, StoreError};

use super::design::{Direction, HASH_BYTES, key, prefix};
use super::story::{Cost, Question};
use tablesmith_generate::follows::{Graph, User};
use tablesmith_report::number::grouped;

/// Asks all of them, about the busiest and the most followed user.
pub async fn ask_all(store: &dyn Store, graph: &Graph) -> Result<Vec<Question>, StoreError> {
    let busy = graph.busiest().and_then(|(user, _)| Some((user, graph.users.get(user)?)));
    let star = graph.most_followed().and_then(|(user, _)| Some((user, graph.users.get(user)?)));
    let (Some(busy), Some(star)) = (busy, star) else { return Ok(Vec::new()) };
    Ok(vec![
        whom_does_follow(store, graph, busy).await?,
        does_follow(store, graph, busy, star).await?,
        who_follows_by_filter(store, graph, star).await?,
        who_follows_by_key(store, graph, star).await?,
    ])
}

/// Whom does X follow? The keys of X's edges share a prefix.
async fn whom_does_follow(
    store: &dyn Store,
    graph: &Graph,
    (number, user): (usize, &User),
) -> Result<Question, StoreError> {
    let (rows, cost) = read(store, Direction::Follows, Scan::prefix(prefix(user))).await?;
    Ok(Question {
        words: format!("Whom does {} follow?", user.id),
        how: "prefix scan",
        shell: prefix_scan_text(Direction::Follows, user),
        answer: users(rows.len()),
        is_true: ids(&rows) == expected(graph, graph.followed_by(number)),
        cost,
    })
}

/// Does X follow Y? Both are the key.
async fn does_follow(
    store: &dyn Store,
    graph: &Graph,
    (from_number, from): (usize, &User),
    (to_number, to): (usize, &User),
) -> Result<Question, StoreError> {
    let begun = Instant::now();
    let found = store.exists(&Direction::Follows.table()?, Get::new(key(from, to))).await?;
    let cost = Cost { calls: 1, rows: u64::from(found.value), stats: found.stats, waited: begun.elapsed() };
    Ok(Question {
        words: format!("Does {} follow {}?", from.id, to.id),
        how: "one get",
        shell: format!("get '{}', \"{}\"", Direction::Follows.table_text(), to_text(&key(from, to))),
        answer: if found.value { "yes" } else { "no" }.to_owned(),
        is_true: found.value == graph.followed_by(from_number).any(|followed| followed == to_number),
        cost,
    })
}

/// Who follows X, in the table that is sorted by follower? Only a look at every cell can tell.
async fn who_follows_by_filter(
    store: &dyn Store,
    graph: &Graph,
    (number, user): (usize, &User),
) -> Result<Question, StoreError> {
    let id = Bytes::from(user.id.clone());
    let scan = Scan::all().filter(Filter::Qualifier(CompareOp::Equal, Comparator::Binary(id)));
    let (rows, cost) = read(store, Direction::Follows, scan).await?;
    // The cells name the followed one; who follows is known by the hash in the key.
    let followers: BTreeSet<Bytes> =
        rows.iter().map(|row| row.row.slice(..HASH_BYTES.min(row.row.len()))).collect();
    let truth = graph.followers_of(number).filter_map(|follower| graph.users.get(follower)).map(prefix);
    Ok(Question {
        words: format!("Who follows {}?", user.id),
        how: "full scan, filter",
        shell: format!(
            "scan '{}', {{FILTER => \"QualifierFilter(=, 'binary:{}')\"}}",
            Direction::Follows.table_text(),
            user.id
        ),
        answer: users(followers.len()),
        is_true: followers == truth.collect(),
        cost,
    })
}

/// Who follows X, in the table that is sorted by the followed? A prefix again.
async fn who_follows_by_key(
    store: &dyn Store,
    graph: &Graph,
    (number, user): (usize, &User),
) -> Result<Question, StoreError> {
    let (rows, cost) = read(store, Direction::Followers, Scan::prefix(prefix(user))).await?;
    Ok(Question {
        words: format!("Who follows {}?", user.id),
        how: "prefix scan, 2nd table",
        shell: prefix_scan_text(Direction::Followers, user),
        answer: users(rows.len()),
        is_true: ids(&rows) == expected(graph, graph.followers_of(number)),
        cost,
    })
}

/// Reads a scan to its end and counts what that takes.
async fn read(store: &dyn Store, direction: Direction, scan: Scan) -> Result<(Vec<Row>, Cost), StoreError> {
    let begun = Instant::now();
    let mut scanner = store.scan(&direction.table()?, scan).await?;
    let mut rows = Vec::new();
    let mut cost = Cost::default();
    loop {
        let portion = scanner.next_rows().await?;
        cost.calls += 1;
        if portion.is_empty() {
            break;
        }
        rows.extend(portion);
    }
    cost.rows = rows.len() as u64;
    cost.stats = scanner.stats();
    cost.waited = begun.elapsed();
    Ok((rows, cost))
}

/// The user ids that rows name in their cells.
fn ids(rows: &[Row]) -> BTreeSet<Bytes> {
    rows.iter().flat_map(|row| &row.cells).map(|cell| cell.qualifier.clone()).collect()
}

fn expected(graph: &Graph, users: impl Iterator<Item = usize>) -> BTreeSet<Bytes> {
    users.filter_map(|user| graph.users.get(user)).map(|user| Bytes::from(user.id.clone())).collect()
}

fn prefix_scan_text(direction: Direction, user: &User) -> String {
    format!("scan '{}', {{ROWPREFIXFILTER => \"{}\"}}", direction.table_text(), to_text(&prefix(user)))
}

fn users(count: usize) -> String {
    format!("{} users", grouped(count as u64))
}
