//! Replies as text, in the layout of HBase's shell.

use std::io::{self, Write};

use tablesmith_model::bytes_text::{printable_lines, to_text};
use tablesmith_store::{OpStats, RegionInfo};

use crate::error::ShellError;

use super::layout::Layout;
use super::print::PrintError;
use super::{ChangedTables, FoundRow, FoundRows, Outcome, Reply, RowCount, describe, region_table, status};

type Out<'a> = &'a mut (dyn Write + Send);

/// Prints a reply.
pub(crate) async fn reply(reply: Reply, layout: Layout, out: Out<'_>) -> Result<(), PrintError> {
    for note in &reply.notes {
        writeln!(out, "{}", printable_lines(note))?;
    }
    match reply.outcome {
        Outcome::Rows(rows) => scanned_rows(rows, layout, out).await,
        Outcome::Count(count) => row_count(count, layout, out).await,
        Outcome::Row(row) => found_row(&row, layout, out),
        plain => Ok(out.write_all(printable_lines(&plain_text(plain, layout)).as_bytes())?),
    }
}

/// Prints why a command failed, and where to read about it.
pub(crate) fn error(error: &ShellError, command: Option<&str>, out: Out<'_>) -> io::Result<()> {
    writeln!(out, "\nERROR: {}: {}\n", error.exception(), printable_lines(&error.to_string()))?;
    if let Some(command) = command {
        writeln!(out, "For usage try 'help \"{command}\"'\n")?;
    }
    Ok(())
}

fn found_row(found: &FoundRow, layout: Layout, out: Out<'_>) -> Result<(), PrintError> {
    out.write_all(layout.header("COLUMN", "CELL").as_bytes())?;
    for cell in &found.cells {
        let row = layout.row(&found.view.column(cell)?, &found.view.cell(cell)?);
        out.write_all(row.as_bytes())?;
    }
    writeln!(out, "{} row(s)", u8::from(!found.cells.is_empty()))?;
    Ok(())
}

async fn scanned_rows(mut found: FoundRows, layout: Layout, out: Out<'_>) -> Result<(), PrintError> {
    out.write_all(layout.header("ROW", "COLUMN+CELL").as_bytes())?;
    let mut count: u64 = 0;
    loop {
        let rows = found.scanner.next_rows().await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let key = found.view.row(&row.row)?;
            for cell in &row.cells {
                let text = format!("column={}, {}", found.view.column(cell)?, found.view.cell(cell)?);
                out.write_all(layout.row(&key, &text).as_bytes())?;
            }
            count += 1;
        }
        out.flush()?;
    }
    writeln!(out, "{count} row(s)")?;
    if let Some(wanted) = &found.metrics {
        out.write_all(metrics(&found.scanner.stats(), wanted, layout).as_bytes())?;
    }
    Ok(())
}

/// What a scan cost, by the names wanted or all.
fn metrics(stats: &OpStats, wanted: &[String], layout: Layout) -> String {
    let known = [
        ("BLOCKS_READ", stats.blocks),
        ("BYTES_SCANNED", stats.bytes),
        ("CELLS_SCANNED", stats.cells),
        ("MILLIS", stats.time.and_then(|time| u64::try_from(time.as_millis()).ok())),
        ("REGIONS_SCANNED", stats.regions),
        ("SEEKS", stats.seeks),
    ];
    let mut text = format!("\n{}", layout.header("METRIC", "VALUE"));
    for (name, value) in known {
        if let Some(value) = value
            && (wanted.is_empty() || wanted.iter().any(|wanted| wanted == name))
        {
            text.push_str(&layout.row(name, &value.to_string()));
        }
    }
    text
}

async fn row_count(count: RowCount, layout: Layout, out: Out<'_>) -> Result<(), PrintError> {
    let progress = |count: u64, row: &[u8]| {
        out.write_all(layout.line(&format!("Current count: {count}, row: {}", to_text(row))).as_bytes())?;
        out.flush()
    };
    let count = count.finish(progress).await?;
    writeln!(out, "{count} row(s)")?;
    Ok(())
}

fn plain_text(outcome: Outcome, layout: Layout) -> String {
    match outcome {
        Outcome::Counter(Some(value)) => format!("COUNTER VALUE = {value}\n"),
        Outcome::Counter(None) => "No counter found at specified coordinates\n".to_owned(),
        Outcome::Appended(Some(value)) => format!("CURRENT VALUE = {}\n", to_text(&value)),
        Outcome::Exists { table, exists } => {
            layout.line(&format!("Table {table} {}", if exists { "does exist" } else { "does not exist" }))
        }
        Outcome::Enabled(state) | Outcome::Disabled(state) => format!("{state}\n"),
        Outcome::Tables(names) => list("TABLE", &names, layout),
        Outcome::Namespaces(names) => list("NAMESPACE", &names, layout),
        Outcome::Table(table) => describe::text(&table, layout),
        Outcome::Namespace(name) => {
            format!("DESCRIPTION\n{}Quota is disabled\n", layout.line(&format!("{{NAME => '{name}'}}")))
        }
        Outcome::Regions(list) => region_table::text(&list),
        Outcome::Splits(splits) => {
            let keys: String = splits.iter().map(|key| format!("{}\n", to_text(key))).collect();
            format!("Total number of splits = {}\n{keys}", splits.len() + 1)
        }
        Outcome::Location(region) => location(&region, layout),
        Outcome::Status(report) => status::text(&report),
        Outcome::Changed(changed) => changed_tables(&changed),
        Outcome::Version => format!("tablesmith {}\n", env!("CARGO_PKG_VERSION")),
        Outcome::Help(text) => text,
        Outcome::Done
        | Outcome::Exit
        | Outcome::Appended(None)
        | Outcome::Row(_)
        | Outcome::Rows(_)
        | Outcome::Count(_) => String::new(),
    }
}

fn list(title: &str, names: &[String], layout: Layout) -> String {
    let rows: String = names.iter().map(|name| layout.line(name)).collect();
    format!("{title}\n{rows}{} row(s)\n", names.len())
}

fn location(region: &RegionInfo, layout: Layout) -> String {
    let description = format!(
        "{{ENCODED => {}, NAME => '{}', STARTKEY => '{}', ENDKEY => '{}'}}",
        region.encoded_name(),
        region.name(),
        to_text(&region.start),
        to_text(&region.end)
    );
    format!("{}{}1 row(s)\n", layout.header("HOST", "REGION"), layout.row(&region.server, &description))
}

fn changed_tables(changed: &ChangedTables) -> String {
    let ChangedTables { done, tables, failed } = changed;
    let mut text = format!("{} tables successfully {done}\n", tables.len());
    if !failed.is_empty() {
        text.push_str(&format!(
            "{} tables not {done} due to an exception: {}\n",
            failed.len(),
            failed.join(",")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::Portions;
    use crate::output::{CellView, RegionColumn, RegionList, StatusDetail, StatusReport};
    use tablesmith_model::Cell;
    use tablesmith_store::{ClusterStatus, RegionLoad, Row, ServerLoad, StoreError};

    fn row(key: &'static str) -> Row {
        Row { row: key.into(), cells: vec![Cell::put(key, "f", "q", 5, "v")] }
    }

    async fn print(outcome: Outcome) -> (String, bool) {
        let mut out = Vec::new();
        let result = reply(outcome.into(), Layout::new(0), &mut out).await;
        (String::from_utf8(out).unwrap(), result.is_ok())
    }

    fn found(portions: Vec<Result<Vec<Row>, StoreError>>, metrics: Option<Vec<String>>) -> Outcome {
        Outcome::Rows(FoundRows {
            scanner: Box::new(Portions::new(portions)),
            view: CellView::default(),
            metrics,
        })
    }

    #[tokio::test]
    async fn rows_come_as_they_are_read() {
        let (text, ok) =
            print(found(vec![Ok(vec![row("a")]), Err(StoreError::Io("disk".into()))], None)).await;
        assert_eq!(text, "ROW  COLUMN+CELL\n a column=f:q, timestamp=5, value=v\n");
        assert!(!ok);
    }

    #[tokio::test]
    async fn metrics_follow_the_rows() {
        let (text, _) = print(found(vec![Ok(vec![row("a")])], Some(Vec::new()))).await;
        assert!(text.ends_with("1 row(s)\n\nMETRIC  VALUE\n CELLS_SCANNED 7\n"), "{text}");
        let (text, _) = print(found(Vec::new(), Some(vec!["SEEKS".to_owned()]))).await;
        assert_eq!(text, "ROW  COLUMN+CELL\n0 row(s)\n\nMETRIC  VALUE\n");
    }

    #[tokio::test]
    async fn a_count_shows_its_progress() {
        let rows = vec![Ok(vec![row("a"), row("b"), row("c")]), Ok(vec![row("d")])];
        let count =
            |interval, rows| Outcome::Count(RowCount { scanner: Box::new(Portions::new(rows)), interval });
        let (text, _) = print(count(2, rows)).await;
        assert_eq!(text, "Current count: 2, row: b\nCurrent count: 4, row: d\n4 row(s)\n");
        assert_eq!(print(count(0, Vec::new())).await, ("0 row(s)\n".to_owned(), true));
        assert!(!print(count(0, vec![Ok(vec![row("a")])])).await.1);
    }

    /// Names of servers and namespaces are whatever a server sends.
    #[tokio::test]
    async fn names_that_servers_send_are_shown_and_not_obeyed() {
        let evil = "s\u{1b}[2J\n\u{9b}2J".to_owned();
        let (server, load) = (evil.clone(), RegionLoad::default());
        let (start, end) = (evil.clone().into(), evil.clone().into());
        let region = RegionInfo { table: "t".parse().unwrap(), id: 1, start, end, server, load };
        let status = || ClusterStatus {
            store: evil.clone(),
            servers: vec![ServerLoad { server: evil.clone(), regions: 1, load }],
        };
        let report = |detail| StatusReport { status: status(), regions: vec![region.clone()], detail };
        for outcome in [
            Outcome::Namespaces(vec![evil.clone()]),
            Outcome::Namespace(evil.clone()),
            Outcome::Tables(vec![evil.clone()]),
            Outcome::Exists { table: evil.clone(), exists: true },
            Outcome::Location(Box::new(region.clone())),
            Outcome::Regions(RegionList {
                regions: vec![region.clone()],
                columns: RegionColumn::ALL.to_vec(),
            }),
            Outcome::Status(report(StatusDetail::Simple)),
            Outcome::Status(report(StatusDetail::Detailed)),
        ] {
            let (text, _) = print(outcome).await;
            assert!(text.contains(r"s\x1B[2J\x0A\xC2\x9B2J"), "{text:?}");
            assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
        }
    }
}
