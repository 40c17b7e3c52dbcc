//! The seven questions that the design of a table answers (Khurana, "HBase Table Design Fundamentals").

use tablesmith_model::design::Cells;
use tablesmith_model::key::Part;

use super::kept::Kept;
use super::plans::Answered;
use crate::tables::candidate::Shape;

/// A table as it is told: what it is, how much, and the seven questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The table of the design.
    pub name: String,
    /// Its shape, in a word.
    pub shape: &'static str,
    /// The tables of the workload that it is the first place of; the others are copies.
    pub base_of: Vec<String>,
    /// Rows of the store.
    pub rows: f64,
    /// Bytes of all its cells.
    pub bytes: f64,
    /// The questions, with their answers and reasons.
    pub questions: Vec<Question>,
}

/// A question with its answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: String,
    /// Why.
    pub reason: String,
}

/// The table with its questions answered.
pub fn drawn(kept: &Kept, queries: &[Answered]) -> Drawn {
    let entries = &kept.candidate.entries;
    Drawn {
        name: kept.table.name.clone(),
        shape: kept.candidate.shape.name(),
        base_of: kept.base_of.clone(),
        rows: match kept.candidate.shape {
            Shape::Mixed => entries.iter().map(|entry| entry.size.rows).sum(),
            _ => entries.first().map_or(0.0, |entry| entry.size.rows),
        },
        bytes: entries.iter().map(|entry| entry.size.total_bytes()).sum(),
        questions: vec![
            key(kept, queries),
            families(kept),
            what_goes_where(kept),
            how_many_columns(kept),
            column_names(kept),
            cells(kept),
            versions(kept),
        ],
    }
}

fn key(kept: &Kept, queries: &[Answered]) -> Question {
    let keys: Vec<String> = kept
        .table
        .rows
        .iter()
        .map(|rows| rows.key.parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
        .collect();
    let readers: Vec<String> = queries
        .iter()
        .filter(|query| query.steps.iter().any(|step| step.table == kept.table.name))
        .filter(|query| !query.writes)
        .map(|query| format!("{:?}", query.name))
        .collect();
    let reason = match readers.as_slice() {
        [] => "no query reads it by another key: it is the place that keeps all columns, by the declared key"
            .to_owned(),
        _ => format!(
            "it begins with what {} know{}, then comes the order that is wanted",
            readers.join(", "),
            if readers.len() == 1 { "s" } else { "" }
        ),
    };
    let first = kept.table.rows.first().and_then(|rows| rows.key.parts.first());
    let reason = match first {
        Some(Part::RowNumber) => {
            "nothing identifies a row, so that rows are numbered as they come".to_owned()
        }
        Some(prefix) if prefix.prefixes().is_some() => format!(
            "{prefix} spreads rows over the servers and follows from {}; behind it, {reason}",
            prefix.fields().join(", ")
        ),
        _ => reason,
    };
    Question { question: "What is the row key made of?", answer: keys.join("; "), reason }
}

fn families(kept: &Kept) -> Question {
    let count = kept.table.families.len();
    let decided =
        kept.reasons.iter().find(|reason| reason.at.ends_with(".families")).map(|reason| reason.text.clone());
    let reason = match (&kept.candidate.shape, decided) {
        (_, Some(decided)) => decided,
        (Shape::Nested, None) => {
            "parent and children lie in one row, and each can be read without the other".to_owned()
        }
        (Shape::Mixed, None) => {
            "rows of both kinds are read together, and a row has only one kind".to_owned()
        }
        (_, None) => "all cells of a row are read together".to_owned(),
    };
    Question { question: "How many column families has it?", answer: count.to_string(), reason }
}

fn what_goes_where(kept: &Kept) -> Question {
    let of_family = |family: &str| {
        let cells = kept.table.rows.iter().flat_map(|rows| rows.cells.iter().map(move |cells| (rows, cells)));
        let texts: Vec<String> = cells
            .filter(|(_, cells)| cells.family == family)
            .map(|(rows, cells)| match (&cells.qualifier, cells.columns.is_empty()) {
                (Some(qualifier), _) => format!("a cell for each {} ({qualifier})", rows.from),
                (None, _) => cells.columns.join(", "),
            })
            .collect();
        format!("{family}: {}", texts.join("; "))
    };
    let answer: Vec<String> = kept.table.families.iter().map(|family| of_family(&family.name)).collect();
    let reason =
        "what the queries read that the key does not give back; nothing else is stored here".to_owned();
    let reason = if kept.base_of.is_empty() {
        reason
    } else {
        format!("every column of {}: other tables are made from it", kept.base_of.join(", "))
    };
    Question { question: "What data goes into which family?", answer: answer.join(" | "), reason }
}

fn how_many_columns(kept: &Kept) -> Question {
    let entries = kept.candidate.entries.iter();
    let counts = entries.map(|entry| match entry.is_wide() {
        true => {
            let mean = entry.size.records / entry.size.rows.max(1.0);
            format!(
                "{:.1} on average, at most about {:.0}",
                mean.max(1.0),
                entry.size.row_records_most.max(mean)
            )
        }
        false => {
            let count: usize = entry
                .rows
                .cells
                .iter()
                .map(|cells| if cells.together { 1 } else { cells.columns.len() })
                .sum();
            count.to_string()
        }
    });
    let answer = counts.collect::<Vec<_>>().join("; ");
    let is_wide = kept.candidate.entries.iter().any(|entry| entry.is_wide());
    let reason = if is_wide {
        "one for every record of the row's key, by the statistics of the workload: small enough for one get"
    } else {
        "one for every column that is stored, those that always go together in one"
    };
    Question { question: "How many columns are in each family?", answer, reason: reason.to_owned() }
}

fn column_names(kept: &Kept) -> Question {
    let name = |cells: &Cells| match (&cells.qualifier, cells.together) {
        (Some(qualifier), _) => format!("the value of {qualifier}"),
        (None, true) => cells.columns.first().cloned().unwrap_or_default(),
        (None, false) => cells.columns.join(", "),
    };
    let names: Vec<String> = kept.table.rows.iter().flat_map(|rows| &rows.cells).map(name).collect();
    let is_data = kept.table.rows.iter().flat_map(|rows| &rows.cells).any(|cells| cells.qualifier.is_some());
    let reason = if is_data {
        "the name is data: a cell is found, added and removed without reading the others"
    } else {
        "as the workload calls them; every cell carries its name, so that short ones pay"
    };
    Question { question: "What are the columns called?", answer: names.join("; "), reason: reason.to_owned() }
}

fn cells(kept: &Kept) -> Question {
    let one = |cells: &Cells| match (&cells.value, cells.together, cells.columns.is_empty(), &cells.encoding)
    {
        (Some(value), ..) => value.clone(),
        (None, true, _, _) => format!("{} together", cells.columns.join(", ")),
        (None, false, true, _) => "nothing: the name says all".to_owned(),
        (None, false, false, Some(encoding)) => {
            format!("{} as {}", cells.columns.join(", "), encoding.name())
        }
        (None, false, false, None) => format!("the value of {}", cells.columns.join(", ")),
    };
    let answer: Vec<String> = kept.table.rows.iter().flat_map(|rows| &rows.cells).map(one).collect();
    let has_counter =
        kept.table.rows.iter().flat_map(|rows| &rows.cells).any(|cells| cells.encoding.is_some());
    let reason = match has_counter {
        true => "numbers that statements add to are eight bytes, so that the store itself can add",
        false => "what is read and not known from the key",
    };
    Question { question: "What is in a cell?", answer: answer.join("; "), reason: reason.to_owned() }
}

fn versions(kept: &Kept) -> Question {
    let of_family = |family: &tablesmith_model::design::Family| {
        let versions = family.settings.iter().find(|(name, _)| name == "VERSIONS");
        versions.map_or("1".to_owned(), |(_, value)| value.text())
    };
    let answer: Vec<String> = kept.table.families.iter().map(of_family).collect();
    let reason = kept.reasons.iter().find(|reason| reason.at.ends_with(".VERSIONS"));
    let reason =
        reason.map_or("no query reads an older value of a cell".to_owned(), |reason| reason.text.clone());
    Question { question: "How many versions does a cell keep?", answer: answer.join(", "), reason }
}
