//! Many actions at once: by server, all servers at the same time, and only what failed again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::attempts::Attempts;
use crate::cluster::Cluster;
use crate::region::Location;
use crate::region::cache::Seek;
use crate::request::{self, ActionReply};
use crate::retry_report::Purpose;
use crate::rpc::{CallError, Service, Step, StepReply, Target};
use crate::table::{checked, is_ambiguous};
use crate::{Action, Error, HostPort, Row, TableName};

/// An action under way.
struct Entry {
    place: usize,
    step: Arc<Step>,
    location: Arc<Location>,
}

pub(crate) async fn run(
    cluster: &Arc<Cluster>,
    table: &TableName,
    actions: Vec<Action>,
) -> Vec<Result<ActionReply, Error>> {
    let mut results: Vec<Option<Result<ActionReply, Error>>> = actions.iter().map(|_| None).collect();
    let mut waiting: Vec<(usize, Arc<Step>)> = Vec::with_capacity(actions.len());
    for (place, action) in actions.iter().enumerate() {
        match request::step(action) {
            Ok(step) => waiting.push((place, Arc::new(step))),
            Err(error) => set(&mut results, place, Err(error)),
        }
    }
    let purpose = Purpose::of_table("batch", table);
    let mut attempts = Attempts::new(cluster, purpose, cluster.config.operation_timeout);
    while !waiting.is_empty() {
        let by_server = locate(cluster, table, &actions, waiting, &mut attempts, &mut results).await;
        waiting = Vec::new();
        let mut pause = Duration::ZERO;
        for (entry, outcome) in ask_servers(cluster, by_server, &attempts).await {
            match outcome {
                Ok(reply) => {
                    let Some(action) = actions.get(entry.place) else { continue };
                    set(&mut results, entry.place, Ok(answer(action, reply)));
                }
                Err(failure) if is_ambiguous(&entry.step, &failure) => {
                    set(&mut results, entry.place, Err(Error::Ambiguous(Box::new(failure))));
                }
                Err(failure) => {
                    let remedy = attempts.remedy(&failure);
                    match attempts.prepare(&failure, Some(&entry.location), &remedy) {
                        Ok(wait) => {
                            pause = pause.max(wait);
                            waiting.push((entry.place, entry.step));
                        }
                        Err(error) => set(&mut results, entry.place, Err(error)),
                    }
                }
            }
        }
        attempts.end_round();
        waiting.sort_unstable_by_key(|(place, _)| *place);
        if !waiting.is_empty() {
            // Even a sleep of no time at all ends with the timer's next millisecond.
            tokio::time::sleep(pause).await;
        }
    }
    let lost = || Err(Error::Protocol("an action of a batch was not answered".to_owned()));
    results.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

fn set(results: &mut [Option<Result<ActionReply, Error>>], place: usize, result: Result<ActionReply, Error>) {
    if let Some(slot) = results.get_mut(place) {
        *slot = Some(result);
    }
}

/// Finds the server of each action; what has none gets its error.
async fn locate(
    cluster: &Cluster,
    table: &TableName,
    actions: &[Action],
    waiting: Vec<(usize, Arc<Step>)>,
    attempts: &mut Attempts<'_>,
    results: &mut [Option<Result<ActionReply, Error>>],
) -> HashMap<HostPort, Vec<Entry>> {
    let mut by_server: HashMap<HostPort, Vec<Entry>> = HashMap::new();
    for (place, step) in waiting {
        let Some(action) = actions.get(place) else { continue };
        match cluster.locate(table, Seek::Row(action.row()), attempts).await {
            Ok(location) => {
                // Looked up by reference first: an address is copied once for a server, not for each action.
                if let Some(entries) = by_server.get_mut(&location.address) {
                    entries.push(Entry { place, step, location });
                } else {
                    let address = location.address.clone();
                    by_server.insert(address, vec![Entry { place, step, location }]);
                }
            }
            Err(error) => set(results, place, Err(error)),
        }
    }
    by_server
}

/// Asks all servers at the same time.
async fn ask_servers(
    cluster: &Arc<Cluster>,
    by_server: HashMap<HostPort, Vec<Entry>>,
    attempts: &Attempts<'_>,
) -> Vec<(Entry, Result<StepReply, CallError>)> {
    let deadline = attempts.attempt_deadline();
    let mut all = Vec::new();
    let mut asking = JoinSet::new();
    for (address, entries) in by_server {
        let cluster = cluster.clone();
        asking.spawn(async move {
            let outcomes = match cluster.pool.connection(&address, Service::Client).await {
                Ok(connection) => {
                    let target = |entry: &Entry| Target {
                        region_name: entry.location.region.name.clone(),
                        step: entry.step.clone(),
                    };
                    connection.ask(entries.iter().map(target).collect(), deadline).await
                }
                Err(error) => vec![Err(error); entries.len()],
            };
            entries.into_iter().zip(outcomes).collect::<Vec<_>>()
        });
    }
    while let Some(answered) = asking.join_next().await {
        // A task ends badly only when the runtime shuts down; its actions are then reported as not answered.
        all.extend(answered.unwrap_or_default());
    }
    all
}

fn answer(action: &Action, reply: StepReply) -> ActionReply {
    match action {
        Action::CheckAndMutate(_) => ActionReply::Checked(checked(reply)),
        _ => ActionReply::Row(Row { cells: reply.cells }),
    }
}
