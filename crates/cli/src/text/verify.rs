//! What was measured: the summary, what calls had to read, and how they were made.

use std::io::{self, Write};

use crate::terminal::{self, Style};
use tablesmith_app::evidence_files::EvidenceFiles;
use tablesmith_model::evidence::{Evidence, MeasuredDesign};

use crate::evidence_files;
use crate::number_text::{bytes, grouped};
use crate::text_table::{Column, Table};
use crate::text_width::text_width;

/// Writes the summary, what calls had to read, and where the files are.
pub fn write(out: &mut dyn Write, evidence: &Evidence, files: &EvidenceFiles) -> io::Result<()> {
    let summary = tablesmith_report::summary(evidence, text_width(), terminal::paint);
    out.write_all(summary.as_bytes())?;
    write_reads(out, evidence)?;
    evidence_files::write(out, files)
}

/// Writes what one call read on average, design by design, and the circumstances.
fn write_reads(out: &mut dyn Write, evidence: &Evidence) -> io::Result<()> {
    if evidence.designs.iter().any(|design| calls(design) > 0) {
        writeln!(out)?;
        reads(evidence).write(out)?;
    }
    let pace = evidence.rate.map_or("as fast as it goes".to_owned(), |rate| format!("{rate} calls a second"));
    let clients = match evidence.clients {
        1 => "1 client".to_owned(),
        clients => format!("{clients} clients"),
    };
    writeln!(
        out,
        "\n{}; {clients}, {pace}, {} calls to warm up; seed {}",
        evidence.store,
        grouped(evidence.warm_up),
        evidence.seed
    )
}

fn reads(evidence: &Evidence) -> Table<6> {
    let mut table = Table::new([
        Column::words("read by a call"),
        Column::numbers("cells"),
        Column::numbers("bytes"),
        Column::numbers("blocks"),
        Column::numbers("seeks"),
        Column::numbers("outliers"),
    ]);
    for design in &evidence.designs {
        let counts = &design.stats;
        let a_call = |sum: Option<u64>| sum.map(|sum| sum as f64 / calls(design).max(1) as f64);
        let number = |sum| a_call(sum).map_or("–".to_owned(), short);
        table.add(
            Style::new(),
            [
                design.name.clone(),
                number(counts.cells),
                a_call(counts.bytes).map_or("–".to_owned(), |mean| bytes(mean.round() as u64)),
                number(counts.blocks),
                number(counts.seeks),
                grouped(design.outliers.len() as u64),
            ],
        );
    }
    table
}

/// All measured calls, reads and writes.
fn calls(design: &MeasuredDesign) -> u64 {
    design.reads.queries + design.writes.as_ref().map_or(0, |writes| writes.queries)
}

fn short(mean: f64) -> String {
    if mean < 9.95 { format!("{mean:.1}") } else { grouped(mean.round() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::{StoreCounts, Summary};

    #[test]
    fn what_a_call_read_is_told_and_the_unknown_is_a_dash() {
        let design = MeasuredDesign {
            name: "one".into(),
            reads: Summary { queries: 10, ..Summary::default() },
            stats: StoreCounts {
                cells: Some(52_340),
                bytes: Some(14_400),
                seeks: Some(25),
                ..StoreCounts::default()
            },
            ..MeasuredDesign::default()
        };
        let evidence = Evidence {
            store: "embedded:s".into(),
            seed: 7,
            clients: 2,
            designs: vec![design],
            ..Evidence::default()
        };
        let mut out = Vec::new();
        write_reads(&mut out, &evidence).unwrap();
        let text = String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).unwrap();
        let row: Vec<&str> = text.lines().nth(2).unwrap().split_whitespace().collect();
        assert_eq!(row, ["one", "5,234", "1.4", "kB", "–", "2.5", "0"]);
        assert!(
            text.ends_with("embedded:s; 2 clients, as fast as it goes, 0 calls to warm up; seed 7\n"),
            "{text}"
        );
    }
}
