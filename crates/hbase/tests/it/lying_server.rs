//! Servers that lie: every lie is an error after a bounded number of calls, and says who lied and how.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hbase::{Action, Client, Error, Get, HostPort, Mutation, Put, RetryReport, Scan};
use hbase_testbed::fake::bytes::{cell, field, number};
use hbase_testbed::fake::{FakeServer, Reply, meta_row, scan_reply, server_name, undecodable};

use crate::fakes::{
    HANG, OPERATION, config, connect, connect_hasty, count, error_within, hasty_config, lie, lie_about,
};

/// The error says which call, which server and what was wrong.
fn assert_says_who_lied(error: &Error, server: &FakeServer, method: &str) {
    let text = error.to_string();
    let place = format!("127.0.0.1:{}", server.port());
    assert!(text.contains(method) && text.contains(&place) && text.contains("decode"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_the_master_that_cannot_be_decoded_is_final() {
    let server = lie_about("GetTableNames", |_| Reply::Message(undecodable()));
    let admin = connect(&server).await.admin();
    let error = error_within(&server, ("GetTableNames", 1), admin.table_names(None)).await;
    assert_says_who_lied(&error, &server, "GetTableNames");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_get_a_put_or_a_batch_that_cannot_be_decoded_is_final() {
    let server = lie(|call| {
        let is_data = ["Get", "Mutate", "Multi"].contains(&call.method.as_str()) && !call.is_about_meta();
        is_data.then(|| Reply::Message(undecodable()))
    });
    let table = connect(&server).await.table("t").unwrap();
    let error = error_within(&server, ("Get", 1), table.get(Get::new("r"))).await;
    assert_says_who_lied(&error, &server, "Get");
    let put = || Put::new("r").add("f", "q", "v");
    let error = error_within(&server, ("Mutate", 1), table.put(put())).await;
    assert_says_who_lied(&error, &server, "Mutate");
    let actions = vec![Action::Get(Get::new("r")), Action::Mutate(Mutation::Put(put()))];
    let batch = async { table.batch(actions).await.into_iter().collect::<Result<Vec<_>, _>>() };
    let error = error_within(&server, ("Multi", 1), batch).await;
    assert_says_who_lied(&error, &server, "Multi");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_with_fewer_cells_than_it_says_is_final() {
    let server =
        lie_about("Scan", |_| Reply::WithCells(scan_reply(&[9], None), cell(b"r", b"f", b"q", b"v")));
    let table = connect(&server).await.table("t").unwrap();
    // One call asks hbase:meta for the region.
    let error = error_within(&server, ("Scan", 2), count(table.scan(Scan::all()))).await;
    assert_says_who_lied(&error, &server, "Scan");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_at_an_impossible_port_is_an_error_at_once() {
    let server = lie_about("GetActiveMaster", |_| Reply::Message(field(1, &server_name("h", 99_999))));
    let admin = connect(&server).await.admin();
    let error = error_within(&server, ("GetActiveMaster", 1), admin.table_names(None)).await;
    assert_says_who_lied(&error, &server, "GetActiveMaster");
    assert!(error.to_string().contains("99999"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_at_a_dead_address_is_given_up_at_the_operations_deadline() {
    // Port 1 of loopback: nobody listens there.
    let server = lie_about("GetActiveMaster", |_| Reply::Message(field(1, &server_name("127.0.0.1", 1))));
    let admin = connect_hasty(&server).await.admin();
    let error = error_within(&server, ("GetActiveMaster", 40), admin.table_names(None)).await;
    assert!(matches!(error, Error::Deadline { .. }) && error.to_string().contains("127.0.0.1:1"), "{error}");
    let table = "t".parse().unwrap();
    let error = error_within(&server, ("GetActiveMaster", 80), admin.disable_table(&table)).await;
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_that_says_region_moved_is_not_asked_for_ever() {
    const MOVED: &str = "org.apache.hadoop.hbase.exceptions.RegionMovedException";
    let server = lie_about("GetTableNames", |call| Reply::Exception(MOVED, Some(call.port)));
    let admin = connect(&server).await.admin();
    let error = error_within(&server, ("GetTableNames", 5), admin.table_names(None)).await;
    assert_eq!(error.exception(), Some("RegionMovedException"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_that_moves_in_a_circle_is_given_up_at_the_deadline() {
    const MOVED: &str = "org.apache.hadoop.hbase.exceptions.RegionMovedException";
    let server = lie_about("Get", |call| Reply::Exception(MOVED, Some(call.port)));
    let table = connect_hasty(&server).await.table("t").unwrap();
    let error = error_within(&server, ("Get", 40), table.get(Get::new("r"))).await;
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
    let server = lie_about("Scan", |call| Reply::Exception(MOVED, Some(call.port)));
    let table = connect_hasty(&server).await.table("t").unwrap();
    let error = error_within(&server, ("Scan", 80), count(table.scan(Scan::all()))).await;
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
}

/// A heartbeat: no rows, and more to come; with a cursor it says how far the server has read.
fn heartbeat(cursor: Option<&[u8]>) -> Reply {
    let cursor = cursor.map_or_else(Vec::new, |row| field(12, &field(1, row)));
    Reply::Message([scan_reply(&[], Some(7)), number(9, 1), cursor].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_without_rows_end_at_the_deadline() {
    let server = lie_about("Scan", |_| heartbeat(None));
    let table = connect_hasty(&server).await.table("t").unwrap();
    let error = error_within(&server, ("Scan", 100), count(table.scan(Scan::all()))).await;
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
    assert!(error.to_string().contains("heartbeat"), "{error}");
}

/// A region in which a filter finds nothing for long. A retry would pause for longer than the test may take.
#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_of_a_server_that_reads_on_are_no_failure() {
    const HEARTBEATS: usize = 300;
    let server = lie_about("Scan", |call| match call.before {
        before if before < HEARTBEATS => heartbeat(Some(format!("{before:06}").as_bytes())),
        _ => Reply::WithCells(scan_reply(&[1], None), cell(b"z", b"f", b"q", b"v")),
    });
    let mut config = config(&server);
    (config.retry_pause, config.retry_pause_max) = (HANG, HANG);
    let client = Client::with_config(config).await.unwrap();
    let rows = tokio::time::timeout(HANG, count(client.table("t").unwrap().scan(Scan::all()))).await;
    assert_eq!(rows.unwrap().unwrap(), 1);
    assert_eq!(client.metrics().retries, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_in_endless_pieces_is_bounded() {
    // A piece of 1 MiB, flagged as one that more follows.
    let server = lie_about("Scan", |call| {
        let piece = cell(b"endless", b"f", call.before.to_string().as_bytes(), &vec![0; 1 << 20]);
        Reply::WithCells([scan_reply(&[1], Some(7)), number(7, 1)].concat(), piece)
    });
    let mut config = config(&server);
    assert_eq!(config.row_bytes_max, 256 << 20, "the default is generous");
    config.row_bytes_max = 16 << 20;
    let table = Client::with_config(config).await.unwrap().table("t").unwrap();
    let error = error_within(&server, ("Scan", 20), count(table.scan(Scan::all()))).await;
    let text = error.to_string();
    assert!(text.contains("\"endless\"") && text.contains("row_bytes_max"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_list_of_names_is_bounded() {
    let server = lie_about("GetTableNames", |_| {
        let name = field(1, &[field(1, b""), field(2, b"t")].concat());
        Reply::Message(name.repeat(20_000))
    });
    let mut config = config(&server);
    assert_eq!(config.answer_entries_max, 1 << 20, "the default is generous");
    config.answer_entries_max = 50_000;
    let admin = Client::with_config(config).await.unwrap().admin();
    // Each name is an entry with two entries.
    let error = error_within(&server, ("GetTableNames", 1), admin.table_names(None)).await;
    let text = error.to_string();
    assert!(text.contains("GetTableNames") && text.contains("answer_entries_max"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn regions_that_are_listed_again_and_again_are_an_error() {
    let server = lie(|call| {
        (call.method == "Scan").then(|| {
            let (mut message, cells) = meta_row("t", call.port);
            // There are always more, and always the same one.
            message.extend(number(8, 1));
            Reply::WithCells(message, cells)
        })
    });
    let table = connect(&server).await.table("t").unwrap();
    let error = error_within(&server, ("Scan", 5), table.regions()).await;
    assert_says_who_lied(&error, &server, "Scan");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_too_large_fails_its_own_call_and_no_other() {
    // Two gets under way on one connection: the answer to the first one is too large, the second one has none yet.
    let server = lie_about("Get", |call| {
        let get_row = |row: &[u8]| call.message.windows(row.len()).any(|part| part == row);
        match (get_row(b"large"), call.before) {
            (true, _) => Reply::WithCells(field(1, &number(2, 1)), cell(b"large", b"f", b"q", &[0; 9000])),
            // Answered only after the connection was lost and another one made.
            (false, 0 | 1) => Reply::Silence,
            (false, _) => Reply::Message(Vec::new()),
        }
    });
    let mut config = config(&server);
    config.frame_bytes_max = 8000;
    let table = Client::with_config(config).await.unwrap().table("t").unwrap();
    let small = tokio::spawn({
        let table = table.clone();
        async move { table.get(Get::new("small")).await }
    });
    while server.calls("Get") == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let error = error_within(&server, ("Get", 10), table.get(Get::new("large"))).await;
    let text = error.to_string();
    assert!(text.contains("frame_bytes_max") && text.contains("to Get"), "{text}");
    assert!(small.await.unwrap().unwrap().cells.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_names_endless_servers_does_not_have_all_of_them_asked() {
    let server = lie(|call| match call.method.as_str() {
        "GetBootstrapNodes" => {
            // Ports that nobody listens at.
            let names = (1..=1000).map(|port| field(1, &server_name("127.0.0.1", port)));
            Some(Reply::Message(names.collect::<Vec<_>>().concat()))
        }
        "GetActiveMaster" => Some(Reply::Message(undecodable())),
        _ => None,
    });
    let mut config = hasty_config(&server);
    let connected = Arc::new(Mutex::new(HashSet::new()));
    let noting = connected.clone();
    config.translate = Some(Arc::new(move |address: &HostPort| {
        noting.lock().unwrap().insert(address.clone());
        address.clone()
    }));
    let admin = Client::with_config(config).await.unwrap().admin();
    let error = error_within(&server, ("GetActiveMaster", 40), admin.table_names(None)).await;
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
    let connected = connected.lock().unwrap();
    assert!((2..=11).contains(&connected.len()), "{} servers were asked", connected.len());
}

/// What an observer is told, as text, and after how many attempts.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<(String, u32)>>>);

impl Reports {
    async fn client(&self, server: &FakeServer) -> Client {
        let mut config = hasty_config(server);
        let reports = self.0.clone();
        config.retry_observer = Some(Arc::new(move |report: &RetryReport<'_>| {
            assert!(report.remaining > Duration::ZERO && report.remaining <= OPERATION, "{report:?}");
            reports.lock().unwrap().push((report.to_string(), report.attempts));
        }));
        Client::with_config(config).await.unwrap()
    }

    fn take(&self) -> Vec<(String, u32)> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn retries_are_told_with_what_where_how_often_and_until_when() {
    let dead = lie_about("GetActiveMaster", |_| Reply::Message(field(1, &server_name("127.0.0.1", 1))));
    let observer = Reports::default();
    let admin = observer.client(&dead).await.admin();
    error_within(&dead, ("GetActiveMaster", 40), admin.table_names(None)).await;
    let reports = observer.take();
    assert!(!reports.is_empty());
    for (number, (text, attempts)) in reports.iter().enumerate() {
        assert_eq!(*attempts as usize, number + 1);
        for part in ["GetTableNames at 127.0.0.1:1: ", " failed in ", ", giving up in ", "cannot connect"] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
    }
    let busy = lie_about("Get", |_| Reply::Exception("org.apache.hadoop.hbase.RegionTooBusyException", None));
    let table = observer.client(&busy).await.table("t").unwrap();
    error_within(&busy, ("Get", 40), table.get(Get::new("r"))).await;
    let reports = observer.take();
    let place = format!("get on table t at 127.0.0.1:{}", busy.port());
    assert!(reports.iter().any(|(text, _)| text.contains(&place) && text.contains("TooBusy")), "{reports:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_fails_is_one_failed_attempt_however_many_actions_it_has() {
    let busy =
        lie_about("Multi", |_| Reply::Exception("org.apache.hadoop.hbase.RegionTooBusyException", None));
    let observer = Reports::default();
    let table = observer.client(&busy).await.table("t").unwrap();
    let actions = (0..50).map(|row| Action::Get(Get::new(row.to_string()))).collect();
    let batch = async { table.batch(actions).await.into_iter().collect::<Result<Vec<_>, _>>() };
    error_within(&busy, ("Multi", 40), batch).await;
    let attempts: Vec<u32> = observer.take().into_iter().map(|(_, attempts)| attempts).collect();
    assert!(attempts.iter().copied().eq(1..=attempts.len() as u32), "{attempts:?}");
    assert!((1..=busy.calls("Multi")).contains(&attempts.len()), "{} attempts", attempts.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_told_when_nothing_is_wrong() {
    let healthy = lie(|_| None);
    let observer = Reports::default();
    let client = observer.client(&healthy).await;
    let table = client.table("t").unwrap();
    table.get(Get::new("r")).await.unwrap();
    assert_eq!(client.admin().table_names(None).await.unwrap(), []);
    assert_eq!(observer.take(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_procedure_of_the_master_that_goes_on_is_told() {
    const RUNNING: u64 = 1;
    const FINISHED: u64 = 2;
    let asked = std::sync::atomic::AtomicU32::new(0);
    let server = lie(move |call| match call.method.as_str() {
        "DisableTable" => Some(Reply::Message(number(1, 77))),
        "getProcedureResult" => {
            let is_done = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 3;
            Some(Reply::Message(number(1, if is_done { FINISHED } else { RUNNING })))
        }
        _ => None,
    });
    let mut config = config(&server);
    let reports = Arc::new(Mutex::new(Vec::new()));
    let noting = reports.clone();
    config.retry_observer = Some(Arc::new(move |report: &RetryReport<'_>| {
        assert!(report.remaining > HANG, "{report:?}");
        noting.lock().unwrap().push(report.to_string());
    }));
    let client = Client::with_config(config).await.unwrap();
    client.admin().disable_table(&"t".parse().unwrap()).await.unwrap();
    let reports = reports.lock().unwrap();
    let begins =
        format!("DisableTable at 127.0.0.1:{}: procedure 77 of the master is not done", server.port());
    assert!(reports.len() == 3 && reports.iter().all(|text| text.starts_with(&begins)), "{reports:?}");
}
