//! The paper's tables VI, VII and VIII beside ours, as figures.

use crate::time::bixi::Question;
use crate::time::cosmology::Lines;
use crate::time::measure::{Cell, Line};
use crate::time::paper::{DAYS, QUERY_1, QUERY_2, QUERY_3, Seconds, TABLE_VII, TABLE_VIII};
use tablesmith_model::evidence::Figures;

use super::run::{Measured, Tried};
use tablesmith_report::number::grouped;

/// All tables.
pub fn figures(bixi: &Measured<Vec<(Question, Line)>>, cosmology: &Measured<Lines>) -> Vec<Figures> {
    let Lines { query_1, query_2, query_3 } = &cosmology.lines;
    let of_200 = |days: &u32| TABLE_VII.get(DAYS.iter().position(|day| day == days)?).copied();
    let averages = bixi.lines.iter().map(|(question, line)| {
        (line, Some(question).filter(|q| q.of_404 == 200).and_then(|q| of_200(&q.days)))
    });
    let with = |lines: &'_ [Line], paper: Vec<Seconds>| {
        lines.iter().cloned().zip(paper.into_iter().map(Some)).collect::<Vec<_>>()
    };
    let owned: Vec<(Line, Option<Seconds>)> = averages.map(|(line, paper)| (line.clone(), paper)).collect();
    vec![
        schemas("Schemas of the stations", bixi.region_bytes, &bixi.tried),
        times("Averages of stations over days (table VII)", &bixi.tried, &owned),
        working(&bixi.lines),
        schemas("Schemas of the particles", cosmology.region_bytes, &cosmology.tried),
        times(
            "Query 1: stars of a snapshot formed after a time (table VI a)",
            &cosmology.tried,
            &with(query_1, QUERY_1.map(|(_, _, seconds)| seconds).into()),
        ),
        times(
            "Query 2: stars born between two snapshots (table VI b)",
            &cosmology.tried,
            &with(query_2, QUERY_2.map(|(_, _, seconds)| seconds).into()),
        ),
        times(
            "Query 3: a property of stars over snapshots (table VI c)",
            &cosmology.tried,
            &with(query_3, QUERY_3.map(|(_, _, seconds)| seconds).into()),
        ),
    ]
}

fn schemas(title: &str, region_bytes: Option<u64>, tried: &[Tried]) -> Figures {
    let size =
        region_bytes.map_or(String::new(), |bytes| format!(", regions of {} bytes at most", grouped(bytes)));
    let row = |one: &Tried| {
        let bytes = one.stored_bytes.map(|bytes| bytes as f64 / one.readings.max(1) as f64);
        vec![
            one.name.clone(),
            one.layout.clone(),
            grouped(one.readings),
            bytes.map_or("not told".to_owned(), |bytes| format!("{bytes:.1}")),
            one.regions.to_string(),
            format!("{:.1}", one.load_s),
        ]
    };
    let heads = ["schema", "layout", "readings", "bytes a reading", "regions", "load, s"];
    Figures {
        title: format!("{title}{size}"),
        columns: heads.map(str::to_owned).into(),
        rows: tried.iter().map(row).collect(),
    }
}

/// The paper's seconds, then our milliseconds by schema.
fn times(title: &str, tried: &[Tried], lines: &[(Line, Option<Seconds>)]) -> Figures {
    let papers = [1, 2, 3].map(|schema| format!("paper {schema}, s"));
    let ours = tried.iter().map(|one| format!("{}, ms", one.name));
    let columns = ["question".to_owned()].into_iter().chain(papers).chain(ours).chain(["found".to_owned()]);
    let row = |(line, paper): &(Line, Option<Seconds>)| {
        let seconds = |seconds: Option<f64>| seconds.map_or("none".to_owned(), |seconds| seconds.to_string());
        let paper = paper.map_or([const { String::new() }; 3], |paper| paper.map(seconds));
        let ours = line.cells.iter().map(|cell| format!("{:.2}", cell.millis));
        let found = if line.answers_equal { line.found.to_string() } else { "answers differ".to_owned() };
        [line.question.clone()].into_iter().chain(paper).chain(ours).chain([found]).collect()
    };
    Figures { title: title.to_owned(), columns: columns.collect(), rows: lines.iter().map(row).collect() }
}

/// Regions that worked on each server, in the paper and here, for schemas 2 and 3.
fn working(lines: &[(Question, Line)]) -> Figures {
    let of_paper = |days: u32, schema: usize| {
        let line = TABLE_VIII.get(DAYS.iter().position(|day| *day == days)?)?;
        line.get(schema).map(|(_, regions)| format!("{regions:?}"))
    };
    let here = |cell: Option<&Cell>| {
        let counts = cell.map(|cell| cell.regions.values().copied().collect::<Vec<usize>>());
        counts.map_or(String::new(), |counts| format!("{counts:?}"))
    };
    let row = |(question, line): &(Question, Line)| {
        vec![
            line.question.clone(),
            of_paper(question.days, 0).unwrap_or_default(),
            of_paper(question.days, 1).unwrap_or_default(),
            here(line.cells.get(1)),
            here(line.cells.get(2)),
        ]
    };
    let heads = ["question", "paper 2", "paper 3", "schema 2", "schema 3"];
    Figures {
        title: "Working regions by server (table VIII); servers without any are left out here".to_owned(),
        columns: heads.map(str::to_owned).into(),
        rows: lines.iter().filter(|(question, _)| question.of_404 == 100).map(row).collect(),
    }
}
