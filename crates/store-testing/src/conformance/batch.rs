//! Batches: many things in one call, each with its own result.

use tablesmith_model::TimeRange;
use tablesmith_store::{
    Action, ActionAnswer, Append, CheckAndMutate, Condition, Delete, Get, Increment, Mutation, Put,
    RowMutations, Scan, StoreError,
};

use super::check::{Checked, done};
use super::lab::Lab;
use super::requests::{column, family};
use super::table::as_expected;
use crate::sequence::text;

fn put(row: &'static str, family: &'static str, value: &'static str) -> Action {
    Action::Mutate(Mutation::Put(Put::new(row).add_at(family, "q", 5, value)))
}

/// The answer of an action in a few words.
fn short(answer: &Result<ActionAnswer, StoreError>) -> String {
    match answer {
        Ok(ActionAnswer::Row(row)) => text::cells(&row.cells),
        Ok(ActionAnswer::Checked(outcome)) => format!("checked {}", outcome.success),
        Err(error) => error.exception().to_owned(),
    }
}

async fn does(table: &super::table::Table<'_>, actions: Vec<Action>, expected: &str) -> Checked {
    let what = actions.iter().map(text::action).collect::<Vec<_>>().join("; ");
    let answers = done(&what, table.store.batch(&table.name, actions).await)?.value;
    as_expected(what, &answers.iter().map(short).collect::<Vec<_>>().join(" | "), expected)
}

pub(super) async fn answer_each_action_in_its_place(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["m"]).await?;
    table.put(&[("a", "f:q", 1, "a1"), ("z", "f:q", 1, "z1")]).await?;
    let get = |row: &'static str| Action::Get(Get::new(row));
    does(
        &table,
        vec![get("z"), get("missing"), get("a"), get("z")],
        "f:q@1=z1 | nothing | f:q@1=a1 | f:q@1=z1",
    )
    .await?;
    does(
        &table,
        vec![put("b", "f", "b"), put("y", "f", "y"), put("c", "f", "c")],
        "nothing | nothing | nothing",
    )
    .await?;
    table.scan(Scan::range("b", ""), "b: f:q@5=b | c: f:q@5=c | y: f:q@5=y | z: f:q@1=z1").await
}

pub(super) async fn fail_each_action_alone(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    let actions = vec![
        put("a", "f", "1"),
        put("b", "nope", "2"),
        Action::Get(Get::new("a").family("nope")),
        put("c", "f", "3"),
    ];
    let refusal = "NoSuchColumnFamilyException";
    does(&table, actions, &format!("nothing | {refusal} | {refusal} | nothing")).await?;
    table.scan(Scan::all(), "a: f:q@5=1 | c: f:q@5=3").await
}

pub(super) async fn take_every_kind_of_action(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f").with_versions(3)]).await?;
    table.put(&[("a", "f:q", 1, "a"), ("b", "f:q", 1, "b"), ("e", "f:q", 1, "e")]).await?;
    let row_mutations = RowMutations {
        row: "d".into(),
        mutations: vec![
            Mutation::Put(Put::new("d").add_at("f", "x", 1, "x")),
            Mutation::Put(Put::new("d").add_at("f", "y", 1, "y")),
        ],
    };
    let check = |row: &'static str| {
        Action::CheckAndMutate(CheckAndMutate {
            condition: Condition::Absent {
                family: "f".into(),
                qualifier: "q".into(),
                time_range: TimeRange::ALL,
            },
            then: RowMutations {
                row: row.into(),
                mutations: vec![Mutation::Put(Put::new(row).add_at("f", "set", 1, "s"))],
            },
        })
    };
    let actions = vec![
        Action::Mutate(Mutation::Delete(Delete::row("a").target(column("f:q", 1)))),
        Action::Mutate(Mutation::Append(Append::new("b", "f", "q", "+"))),
        Action::Mutate(Mutation::Increment(Increment::new("c", "f", "q", 2))),
        Action::RowMutations(row_mutations),
        check("e"),
        check("g"),
    ];
    let count = r"f:q@now=\x00\x00\x00\x00\x00\x00\x00\x02";
    let expected = format!("nothing | f:q@now=b+ | {count} | nothing | checked false | checked true");
    does(&table, actions, &expected).await?;
    let expected = format!("b: f:q@now=b+ | c: {count} | d: f:x@1=x f:y@1=y | e: f:q@1=e | g: f:set@1=s");
    table.scan(Scan::all(), &expected).await
}

pub(super) async fn of_nothing_answer_nothing(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    does(&table, Vec::new(), "").await
}

pub(super) async fn of_many_rows_reach_every_region(lab: &Lab<'_>) -> Checked {
    let table = lab.table_split([family("f")], ["k1", "k3", "k5"]).await?;
    let keys = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"];
    let actions: Vec<_> = keys.iter().map(|key| put(key, "f", "v")).collect();
    let answers = done("batch", table.store.batch(&table.name, actions).await)?.value;
    for (key, answer) in keys.iter().zip(answers) {
        done(format!("put {key}"), answer)?;
    }
    table.keys(Scan::all(), &keys.join(" ")).await
}
