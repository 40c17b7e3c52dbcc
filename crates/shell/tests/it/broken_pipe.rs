//! A script whose reader has gone is run all the same, and its result is the one it would have had.

use std::io::{self, Write};
use std::sync::Arc;

use tablesmith_shell::{Format, ScriptResult, Session, run_script};
use tablesmith_store::Store;
use tablesmith_store::wrap::{Counting, Wrapped};

use crate::store::ticking_store;

/// A pipe whose reader leaves after some bytes.
struct Pipe {
    left_bytes: usize,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left_bytes == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let taken = bytes.len().min(self.left_bytes);
        self.left_bytes -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn run(
    store: &Arc<dyn Store>,
    script: &str,
    format: Format,
    out: &mut (dyn Write + Send),
) -> ScriptResult {
    run_script(store.clone(), script, format, out).await.unwrap()
}

#[tokio::test]
async fn a_script_is_run_to_its_end_when_nobody_reads_its_output() {
    let puts: String = (0..50).map(|row| format!("put 't', 'r{row}', 'f:q', 'v'\n")).collect();
    let script = format!("create 't', 'f'\nscan 't'\n{puts}get 't', 'r1'\nlist\n");
    for format in [Format::Text, Format::Json] {
        for left_bytes in [0, 1, 20, 300] {
            let store = ticking_store();
            let result = run(&store, &script, format, &mut Pipe { left_bytes }).await;
            assert_eq!(result, ScriptResult { commands: 54, ..ScriptResult::default() });
            // Also behind a buffer, which notices it only when it is flushed.
            let other = ticking_store();
            let mut buffered = io::BufWriter::new(Pipe { left_bytes });
            assert_eq!(run(&other, &script, format, &mut buffered).await, result);
            for store in [store, other] {
                let mut counted = Vec::new();
                run(&store, "count 't'", Format::Json, &mut counted).await;
                assert_eq!(
                    String::from_utf8(counted).unwrap(),
                    "{\"count\":50}\n",
                    "{format:?} {left_bytes}"
                );
            }
        }
    }
}

#[tokio::test]
async fn failures_count_when_nobody_reads_of_them() {
    let script = "create 't', {NAME => 'f', VERSIONS => 2}\nput 't', 'r', 'f:q', 'v'\nnonsense\nput 't\n\
                  get 'none', 'r'\nscan 'none'\nscan 't', {COLUMNS => 'f:q:toLong'}\ncount 't', 0\nlist\nexit\nlist";
    for format in [Format::Text, Format::Json] {
        let read = run(&ticking_store(), script, format, &mut Vec::new()).await;
        let unread = run(&ticking_store(), script, format, &mut Pipe { left_bytes: 0 }).await;
        assert!(read.failures >= 5 && read.exit_requested, "{read:?}");
        assert_eq!(unread, read, "{format:?}");
    }
}

#[tokio::test]
async fn scripts_after_the_one_whose_reader_left_are_run_too() {
    let store = ticking_store();
    let mut session = Session::new(store.clone(), Format::Text);
    let mut out = Pipe { left_bytes: 5 };
    session.run_script(b"create 't', 'f'\nlist", &mut out).await.unwrap();
    session.run_script(b"put 't', 'r', 'f:q', 'v'", &mut out).await.unwrap();
    assert_eq!(session.result().commands, 3);
    assert!(store.table_exists(&"t".parse().unwrap()).await.unwrap());
}

/// `scan 'large' | head -1` ends soon.
#[tokio::test]
async fn a_scan_that_nobody_reads_is_not_read_to_its_end() {
    let counted = Arc::new(Wrapped::new(ticking_store(), Counting::default()));
    let store: Arc<dyn Store> = counted.clone();
    let puts: String = (0..40).map(|row| format!("put 't', 'r{row}', 'f:q', 'v'\n")).collect();
    run(&store, &format!("create 't', 'f'\n{puts}"), Format::Text, &mut Vec::new()).await;
    for (out, pages) in [(&mut Vec::new() as &mut (dyn Write + Send), 41), (&mut Pipe { left_bytes: 0 }, 1)] {
        counted.intercept().take();
        run(&store, "scan 't', {CACHE => 1}", Format::Text, out).await;
        assert_eq!(counted.intercept().snapshot().portions(), pages);
    }
}

#[tokio::test]
async fn an_output_that_fails_otherwise_ends_the_script_with_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let failed = run_script(ticking_store(), "list\nlist", Format::Json, &mut Full).await;
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
}
