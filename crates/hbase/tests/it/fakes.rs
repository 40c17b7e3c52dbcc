//! Fake servers that lie, and operations of which calls are counted, not seconds: a busy machine makes fewer calls, never
//! more.

use std::future::Future;
use std::time::Duration;

use hbase::{Client, Config, Error, Scanner};
use hbase_testbed::fake::{FakeCall, FakeServer, Reply};

/// What hangs fails after this time; nothing else does.
pub const HANG: Duration = Duration::from_secs(100);
/// Operations that are to end at their deadline have so much time.
pub const OPERATION: Duration = Duration::from_millis(1500);

pub fn lie(handler: impl Fn(&FakeCall) -> Option<Reply> + Send + Sync + 'static) -> FakeServer {
    FakeServer::start(handler).unwrap()
}

/// A lie about one method; what is asked of `hbase:meta` is answered.
pub fn lie_about(
    method: &'static str,
    reply: impl Fn(&FakeCall) -> Reply + Send + Sync + 'static,
) -> FakeServer {
    lie(move |call| (call.method == method && !call.is_about_meta()).then(|| reply(call)))
}

/// With so much time that no deadline is reached.
pub fn config(server: &FakeServer) -> Config {
    let mut config: Config = server.address().parse().unwrap();
    (config.operation_timeout, config.rpc_timeout) = (HANG * 2, HANG * 2);
    config
}

pub async fn connect(server: &FakeServer) -> Client {
    Client::with_config(config(server)).await.unwrap()
}

/// With so little time that retries soon reach their deadline.
pub fn hasty_config(server: &FakeServer) -> Config {
    Config { operation_timeout: OPERATION, ..config(server) }
}

pub async fn connect_hasty(server: &FakeServer) -> Client {
    Client::with_config(hasty_config(server)).await.unwrap()
}

/// The error of an operation; it may make so many calls of the method.
pub async fn error_within<T>(
    server: &FakeServer,
    (method, calls_max): (&str, usize),
    operation: impl Future<Output = Result<T, Error>>,
) -> Error {
    let too_many = async {
        while server.calls(method) <= calls_max {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let error = tokio::select! {
        done = operation => done.err().expect("a lie was taken for an answer"),
        () = too_many => panic!("{method} was called more than {calls_max} times"),
        () = tokio::time::sleep(HANG) => panic!("no error within {HANG:?}"),
    };
    assert!(server.calls(method) <= calls_max, "{method}: {} calls", server.calls(method));
    error
}

pub async fn count(mut scanner: Scanner) -> Result<usize, Error> {
    let mut rows = 0;
    while scanner.next_row().await?.is_some() {
        rows += 1;
    }
    Ok(rows)
}
