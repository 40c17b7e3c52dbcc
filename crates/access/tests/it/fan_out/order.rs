//! The rows of a fan-out beside plain rows that are sorted by id.

use std::ops::Bound;

use fastrand::Rng;
use tablesmith_access::{Begin, FanOutScan, Order};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{KeyEncoding, Value};
use tablesmith_store::{Put, ReadOptions, Store};

use super::table::{Events, Id, keys, of_kind, random_bounds, random_key, random_rows, scan};
use crate::random::seed;
use crate::stores::memory;

type Holds = Box<dyn Fn(&Id) -> bool>;

/// What of the rows is asked for.
struct Asked {
    conditions: Vec<Condition>,
    /// Whether an id meets them.
    holds: Holds,
    kind: Option<i64>,
    limit: Option<u64>,
    order: Order,
}

impl Asked {
    fn random(random: &mut Rng) -> Self {
        let (low, width) = (random.usize(..300) as i64 - 160, random.usize(..120) as i64);
        let at = Test::Between(Bound::Included(Value::Int(low)), Bound::Excluded(Value::Int(low + width)));
        let user = (*random.choice(&["", "a", "ab", "é", "user1", "nobody"]).unwrap()).to_owned();
        let equals = |user: &str| Condition::new("user", Test::equals(Value::String(user.to_owned())));
        let (conditions, holds): (Vec<Condition>, Holds) = match random.usize(..4) {
            0 => (Vec::new(), Box::new(|_| true)),
            1 => (vec![equals(&user)], Box::new(move |id| id.0 == user)),
            2 => {
                let from = Test::Between(Bound::Excluded(Value::String(user.clone())), Bound::Unbounded);
                (vec![Condition::new("user", from)], Box::new(move |id| id.0 > user))
            }
            _ => (
                vec![equals(&user), Condition::new("at", at)],
                Box::new(move |id| id.0 == user && (low..low + width).contains(&id.1)),
            ),
        };
        let kind = (random.usize(..3) == 0).then(|| random.usize(..4) as i64);
        let limit = (random.usize(..3) == 0).then(|| random.usize(..60) as u64);
        let order = if random.bool() { Order::Rising } else { Order::Falling };
        Self { conditions, holds, kind, limit, order }
    }

    fn read(&self) -> ReadOptions {
        self.kind.map_or_else(ReadOptions::default, of_kind)
    }

    fn expected(&self, events: &Events) -> Vec<Id> {
        let meets =
            |(id, kind): &&(Id, i64)| (self.holds)(id) && self.kind.is_none_or(|wanted| wanted == *kind);
        let mut ids: Vec<Id> = events.rows.iter().filter(meets).map(|(id, _)| id.clone()).collect();
        if self.order == Order::Falling {
            ids.reverse();
        }
        ids
    }
}

/// Asks random questions of one table.
async fn compare(store: &dyn Store, random: &mut Rng, case: u64, questions: usize) {
    let key = random_key(random);
    let encoding = *random.choice(&KeyEncoding::ALL).unwrap();
    let splits =
        if random.bool() { vec![b"\x03".to_vec(), b"07".to_vec(), b"ab\x10".to_vec()] } else { vec![] };
    let count = *random.choice(&[0, 1, 30, 200]).unwrap();
    let rows = random_rows(random, count.max(1));
    let events = Events::new(store, &format!("events{case}"), &key, encoding, splits, rows).await;
    let regions = store.regions(&events.name).await.unwrap();
    for question in 0..questions {
        let asked = Asked::random(random);
        let strands = events.strands(&asked.conditions);
        let bounds = random_bounds(random);
        let told =
            format!("seed {}, case {case}, question {question}, {key:?} {encoding:?}, {bounds:?}", seed());
        let request = |begin: Begin, limit: Option<u64>| FanOutScan {
            limit,
            read: asked.read(),
            regions: regions.clone(),
            ..scan(&strands, asked.order, begin, bounds)
        };
        let all = asked.expected(&events);
        let cut = asked.limit.map_or(all.len(), |limit| all.len().min(limit as usize));
        let found = keys(store, &events.name, request(Begin::First, asked.limit)).await;
        let ids: Vec<Id> = found.iter().map(|key| events.id(key)).collect();
        assert_eq!(ids, all[..cut], "{told}");
        // It goes on at every point, also behind a limit.
        for _ in 0..4.min(found.len()) {
            let at = random.usize(..found.len());
            let rest = keys(store, &events.name, request(Begin::AfterRow(found[at].to_vec()), None)).await;
            let rest: Vec<Id> = rest.iter().map(|key| events.id(key)).collect();
            assert_eq!(rest, all[at + 1..], "after {:?}: {told}", ids[at]);
        }
    }
}

#[tokio::test]
async fn rows_come_in_the_order_of_their_ids() {
    let mut random = Rng::with_seed(seed() ^ 11);
    for case in 0..40 {
        compare(&memory(), &mut random, case, 6).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_store_gives_them_in_order_too() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let mut random = Rng::with_seed(seed() ^ 12);
    for case in 0..8 {
        compare(&engine, &mut random, case, 15).await;
    }
}

#[tokio::test]
async fn a_scan_goes_on_after_every_row() {
    let store = memory();
    let mut random = Rng::with_seed(seed() ^ 13);
    let key = ["md5_mod(user, at, 16)", "user", "at"].map(str::to_owned);
    let events =
        Events::new(&store, "events", &key, KeyEncoding::Binary, Vec::new(), random_rows(&mut random, 60))
            .await;
    let strands = events.strands(&[]);
    for order in [Order::Rising, Order::Falling] {
        let bounds = random_bounds(&mut random);
        let all = keys(&store, &events.name, scan(&strands, order, Begin::First, bounds)).await;
        assert_eq!(all.len(), events.rows.len());
        for at in 0..all.len() {
            let after = Begin::AfterRow(all[at].to_vec());
            let rest = keys(&store, &events.name, scan(&strands, order, after, bounds)).await;
            assert_eq!(rest, all[at + 1..]);
            let strand = strands.iter().find(|strand| strand.contains(&all[at])).unwrap();
            let from_id = Begin::AtId(strand.id(&all[at]));
            let rest = keys(&store, &events.name, scan(&strands, order, from_id, bounds)).await;
            assert_eq!(rest, all[at..]);
        }
    }
}

/// A row that was written twice under a random prefix has two keys: both come, also when a portion ends between them.
#[tokio::test]
async fn rows_with_one_id_come_one_after_the_other() {
    let store = memory();
    let key = ["random(8)", "user", "at"].map(str::to_owned);
    let events = Events::new(&store, "events", &key, KeyEncoding::Text, Vec::new(), Vec::new()).await;
    for (prefix, at) in (0..12).map(|number: i64| (number as u64 % 5, number / 4)) {
        let put = Put::new(events.key(prefix, "a", at)).add("f", "kind", "1");
        store.put(&events.name, put).await.unwrap();
    }
    let strands = events.strands(&[]);
    for order in [Order::Rising, Order::Falling] {
        let request = |begin: Begin| scan(&strands, order, begin, random_bounds(&mut Rng::with_seed(1)));
        let all = keys(&store, &events.name, request(Begin::First)).await;
        assert!(all.len() > 3, "rows with one id lie under several prefixes");
        let ids: Vec<Id> = all.iter().map(|key| events.id(key)).collect();
        assert!(ids.is_sorted() || ids.iter().rev().is_sorted());
        let mut one_by_one = vec![all[0].clone()];
        while let Some(last) = one_by_one.last() {
            let request = FanOutScan { limit: Some(1), ..request(Begin::AfterRow(last.to_vec())) };
            match keys(&store, &events.name, request).await.pop() {
                Some(next) => one_by_one.push(next),
                None => break,
            }
        }
        assert_eq!(one_by_one, all, "{order:?}");
    }
}

#[tokio::test]
async fn a_prefix_behind_a_known_part_is_merged_too() {
    let store = memory();
    let mut random = Rng::with_seed(seed() ^ 14);
    let key = ["user", "mod(at, 5)", "at"].map(str::to_owned);
    let rows = random_rows(&mut random, 150);
    let events = Events::new(&store, "events", &key, KeyEncoding::Binary, Vec::new(), rows).await;
    let users = ["a", "a\0", "user10", "b"].map(|user| Value::String(user.to_owned())).to_vec();
    let condition = [Condition::new("user", Test::In(users.clone()))];
    let strands = events.strands(&condition);
    assert_eq!(strands.len(), 20, "four users, five prefixes each");
    for order in [Order::Rising, Order::Falling] {
        let found =
            keys(&store, &events.name, scan(&strands, order, Begin::First, random_bounds(&mut random))).await;
        let ids: Vec<Id> = found.iter().map(|key| events.id(key)).collect();
        let wanted = |(id, _): &&(Id, i64)| users.contains(&Value::String(id.0.clone()));
        let mut expected: Vec<Id> = events.rows.iter().filter(wanted).map(|(id, _)| id.clone()).collect();
        if order == Order::Falling {
            expected.reverse();
        }
        assert_eq!(ids, expected);
    }
    let error = tablesmith_access::strands(&events.layout, &[]).unwrap_err().to_string();
    assert!(error.contains("has user before a prefix"), "{error}");
}

#[tokio::test]
async fn in_any_order_every_row_comes_once() {
    let store = memory();
    let mut random = Rng::with_seed(seed() ^ 15);
    let key = ["md5_mod(user, at, 40)", "user", "at"].map(str::to_owned);
    let rows = random_rows(&mut random, 200);
    let events = Events::new(&store, "events", &key, KeyEncoding::Text, Vec::new(), rows).await;
    for limit in [None, Some(0), Some(1), Some(50), Some(1_000)] {
        let request = FanOutScan {
            limit,
            ..scan(&events.strands(&[]), Order::Any, Begin::First, random_bounds(&mut random))
        };
        let mut found = keys(&store, &events.name, request).await;
        found.sort();
        found.dedup();
        let wanted = limit.unwrap_or(u64::MAX).min(events.rows.len() as u64);
        assert_eq!(found.len() as u64, wanted);
    }
}
