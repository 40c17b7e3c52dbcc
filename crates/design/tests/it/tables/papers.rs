//! The worked examples of the two guides to schema design: every question in a single call.

use tablesmith_model::design::PlanAccess;

use super::support::{decided, query};

const FOLLOWS: &str = r#"
[[table]]
name = "user"
rows = 500_000
key = ["id"]
[table.columns]
id = { type = "string", bytes = 9 }
name = { type = "string", bytes = 16 }
[[table]]
name = "follow"
rows = 20_000_000
key = ["follower", "followed"]
[table.columns]
follower = { type = "string", bytes = 9 }
followed = { type = "string", bytes = 9, heavy = [{ value = "TheRealMT", share = 0.001 }] }
since = { type = "timestamp" }
[table.references]
follower = "user.id"
followed = "user.id"
[[query]]
name = "whom does A follow"
sql = "SELECT followed FROM follow WHERE follower = ?"
rate = 500
[[query]]
name = "does A follow B"
sql = "SELECT since FROM follow WHERE follower = ? AND followed = ?"
rate = 800
[[query]]
name = "who follows B"
sql = "SELECT follower FROM follow WHERE followed = ?"
rate = 200
[[query]]
name = "follow"
sql = "INSERT INTO follow (follower, followed, since) VALUES (?, ?, ?)"
rate = 20
[[query]]
name = "unfollow"
sql = "DELETE FROM follow WHERE follower = ? AND followed = ?"
rate = 5
"#;

const TWITS: &str = r#"
[[table]]
name = "twit"
rows = 10_000_000
retention = "72h"
key = ["id"]
[table.columns]
id = { type = "int" }
author = { type = "string", bytes = 9 }
at = { type = "timestamp" }
text = { type = "string", bytes = 90 }
[table.references]
author = "user.id"
[[query]]
name = "newest twits of those whom A follows"
sql = "SELECT t.author, t.at, t.text FROM follow f JOIN twit t ON t.author = f.followed WHERE f.follower = ? ORDER BY t.at DESC LIMIT 20"
rate = 1000
[[query]]
name = "newest twits of A"
sql = "SELECT at, text FROM twit WHERE author = ? ORDER BY at DESC LIMIT 20"
rate = 100
[[query]]
name = "twit"
sql = "INSERT INTO twit (id, author, at, text) VALUES (?, ?, ?, ?)"
rate = 10
"#;

#[test]
fn every_question_of_the_follow_graph_is_a_single_call() {
    let decided = decided(FOLLOWS);
    for name in ["whom does A follow", "does A follow B", "who follows B"] {
        let found = query(&decided, name);
        assert_eq!(found.operations.calls, 1.0, "{name}: {:?}", found.steps);
    }
    for name in ["follow", "unfollow"] {
        let found = query(&decided, name);
        assert!(
            found.steps.iter().all(|step| step.access == PlanAccess::Put),
            "{name} reads nothing: {:?}",
            found.steps
        );
        assert!(found.after_crash.as_ref().unwrap().contains("repair"));
    }
    assert!(decided.tables.iter().all(|table| table.questions.len() == 7));
}

#[test]
fn the_earlier_designs_of_the_paper_are_told_with_what_they_cost() {
    let decided = decided(FOLLOWS);
    // With one list alone (figure 8) the other one is a scan of everything.
    for (table, hurt) in decided
        .without
        .iter()
        .filter(|one| one.table.starts_with("follow"))
        .map(|one| (&one.table, &one.hurts))
    {
        let (name, cost) = hurt.as_ref().unwrap();
        let now = query(&decided, name).cost_ms;
        assert!(cost.unwrap() > 100.0 * now, "without {table}: {cost:?} beside {now}");
    }
    assert!(!query(&decided, "whom does A follow").rivals.is_empty());
}

#[test]
fn the_newest_twits_are_one_scan_of_the_stream_that_stops_at_the_limit() {
    let decided = decided(&format!("{FOLLOWS}{TWITS}"));
    let stream = query(&decided, "newest twits of those whom A follows");
    assert_eq!((stream.steps.len(), stream.operations.calls), (1, 1.0), "{:?}", stream.steps);
    assert!(stream.operations.rows <= 20.0, "{:?}", stream.operations);
    let table = decided.design.table(&stream.steps[0].table).unwrap();
    let key: Vec<String> = table.rows[0].key.parts.iter().map(ToString::to_string).collect();
    assert!(key.iter().any(|part| part == "desc(at)") && table.rows[0].join.len() == 1, "{key:?}");
    let settings = &table.families[0].settings;
    assert!(settings.iter().any(|(name, value)| name == "TTL" && value.text() == "259200"), "{settings:?}");
    // Every twit is written once for each follower.
    let twit = query(&decided, "twit");
    assert!(twit.operations.puts > 40.0, "{:?}", twit.operations);
}

#[test]
fn a_stream_that_is_seldom_read_is_joined_when_it_is_read() {
    let seldom = TWITS.replace("rate = 1000", "rate = 0.001").replace("rate = 10\n", "rate = 10000\n");
    let decided = decided(&format!("{FOLLOWS}{seldom}"));
    let stream = query(&decided, "newest twits of those whom A follows");
    assert!(stream.steps.len() == 2, "{:?}", stream.steps);
}

#[test]
fn a_query_that_wishes_fresh_rows_leaves_copies_to_others() {
    let sessions = r#"
[[table]]
name = "session"
rows = 10_000_000
key = ["token"]
[table.columns]
token = { type = "string" }
user = { type = "string", distinct = 1_000_000 }
[[query]]
name = "check"
sql = "SELECT user FROM session WHERE token = ?"
rate = 10
fresh = true
[[query]]
name = "sessions of user"
sql = "SELECT token FROM session WHERE user = ?"
rate = 2000
[[query]]
name = "login"
sql = "INSERT INTO session (token, user) VALUES (?, ?)"
rate = 200
"#;
    let decided = decided(sessions);
    let (check, sessions) = (query(&decided, "check"), query(&decided, "sessions of user"));
    assert_eq!((check.operations.calls, sessions.operations.calls), (1.0, 1.0));
    assert!(check.steps[0].table != sessions.steps[0].table);
    // The place that is written first is the one that is read fresh.
    assert_eq!(decided.design.tables[0].name, check.steps[0].table);
}

#[test]
fn what_was_not_taken_costs_what_it_would_cost() {
    let decided = decided(FOLLOWS);
    for answered in &decided.queries {
        for rival in &answered.rivals {
            assert!(rival.total_ms >= decided.total_cost * (1.0 - 1e-9), "{}: {rival:?}", answered.name);
        }
    }
    let rate = 500.0;
    let whom = query(&decided, "whom does A follow");
    let worst = whom.rivals.last().unwrap();
    let more = (worst.cost_ms - whom.cost_ms) * rate;
    assert!(worst.total_ms - decided.total_cost > 0.5 * more, "{worst:?}");
}

#[test]
fn names_that_no_store_takes_are_made_ones_that_it_takes() {
    let odd = "[[table]]\nname = \"Order Details\"\nrows = 10\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\n\
               v = { type = \"string\" }\n[[query]]\nname = \"q\"\nsql = 'SELECT v FROM \"Order Details\" WHERE id = ?'\nrate = 1\n";
    assert_eq!(decided(odd).design.tables[0].name, "Order_Details");
}
