//! Regions that are split, merged and moved while a fan-out reads: nothing is lost, doubled or out of order.

use fastrand::Rng;
use tablesmith_access::{Begin, FanOut, FanOutScan, Order};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;
use tablesmith_model::value::KeyEncoding;
use tablesmith_store::{Scanner, Store};

use super::table::{Events, Id, random_bounds, random_key, random_rows, scan};
use crate::random::seed;
use crate::stores::memory;

/// Changes regions at random. What a store refuses (a region too small, a move to the same place) is no change.
async fn rearrange(store: &dyn Store, name: &TableName, random: &mut Rng, key: &[u8]) -> bool {
    let regions = store.regions(name).await.unwrap();
    let at = random.usize(..regions.len());
    match random.usize(..4) {
        0 if regions.len() > 1 => {
            let first = at.min(regions.len() - 2);
            let pair = [regions[first].encoded_name(), regions[first + 1].encoded_name()];
            store.merge_regions(&pair, false).await.is_ok()
        }
        1 => store.move_region(&regions[at].encoded_name(), None).await.is_ok(),
        _ => store.split_table(name, Some(key.to_vec().into())).await.is_ok(),
    }
}

/// Reads a table while its regions change between portions.
async fn read_through(store: &dyn Store, random: &mut Rng, case: u64) -> usize {
    let key = random_key(random);
    let encoding = *random.choice(&KeyEncoding::ALL).unwrap();
    let rows = random_rows(random, 250);
    let events = Events::new(store, &format!("events{case}"), &key, encoding, Vec::new(), rows).await;
    let order = if random.bool() { Order::Rising } else { Order::Falling };
    let bounds = random_bounds(random);
    let regions = store.regions(&events.name).await.unwrap();
    let request = FanOutScan { regions, ..scan(&events.strands(&[]), order, Begin::First, bounds) };
    let mut fan_out = FanOut::new(store, &events.name, request).unwrap();
    let (mut ids, mut changes) = (Vec::new(), 0);
    loop {
        let rows = fan_out.next_rows().await.unwrap();
        let Some(last) = rows.last() else { break };
        if random.usize(..3) == 0 {
            let mut key = last.row.to_vec();
            key.push(random.usize(..256) as u8);
            changes += usize::from(rearrange(store, &events.name, random, &key).await);
        }
        ids.extend(rows.iter().map(|row| events.id(&row.row)));
    }
    let mut expected: Vec<Id> = events.rows.iter().map(|(id, _)| id.clone()).collect();
    if order == Order::Falling {
        expected.reverse();
    }
    assert_eq!(ids, expected, "seed {}, case {case}, {key:?} {encoding:?}, {bounds:?}", seed());
    changes
}

#[tokio::test]
async fn rows_stay_in_order_while_regions_change() {
    let mut random = Rng::with_seed(seed() ^ 21);
    let mut changes = 0;
    for case in 0..25 {
        changes += read_through(&memory(), &mut random, case).await;
    }
    assert!(changes > 100, "only {changes} changes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_stay_in_order_while_regions_of_the_embedded_store_change() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    let mut random = Rng::with_seed(seed() ^ 22);
    let mut changes = 0;
    for case in 0..8 {
        changes += read_through(&engine, &mut random, case).await;
    }
    assert!(changes > 20, "only {changes} changes");
}
