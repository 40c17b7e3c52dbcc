//! Every layout answers what the plain list answers.

use fastrand::Rng;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::TableName;

use super::trial::Trial;
use super::trial::layouts::{KINDS, all};
use crate::random::seed;
use crate::stores::memory;

fn name(number: usize) -> TableName {
    format!("t{number}").parse().unwrap()
}

#[tokio::test]
async fn every_layout_in_memory_answers_what_a_list_answers() {
    println!("seed {}", seed());
    let mut random = Rng::with_seed(seed());
    for kind in KINDS {
        let store = memory();
        for (number, layout) in all(kind).into_iter().enumerate() {
            Trial::new(&store, &mut random, kind, layout, name(number)).await.run(&mut random, 12).await;
        }
    }
}

#[tokio::test]
async fn layouts_on_the_embedded_store_answer_what_a_list_answers() {
    println!("seed {}", seed());
    let mut random = Rng::with_seed(seed());
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::new(directory.path())).unwrap();
    for (number, kind) in KINDS.into_iter().enumerate() {
        let layouts = all(kind);
        for (place, layout) in layouts.into_iter().enumerate() {
            if place % 7 == number {
                let name = name(number * 1_000 + place);
                Trial::new(&engine, &mut random, kind, layout, name).await.run(&mut random, 10).await;
            }
        }
    }
}
