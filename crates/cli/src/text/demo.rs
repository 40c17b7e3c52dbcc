//! The story for people.

use std::io::{self, Write};
use std::time::Duration;

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::demo::{
    AdsStory, Cost, FOUND, MostFollowed, OURS, Question, Story, TableStory, WholeStory,
};
use tablesmith_model::design::Cells;
use tablesmith_model::evidence::MeasuredDesign;

use super::demo_next::Hint;
pub use super::demo_next::hints;
use crate::number_text::{bar, bytes, grouped, grouped_or_dash, hex, time};
use crate::text_table::{Column, Table};

/// Queries of the first part whose times are shown, by name, with the heads of their columns.
const SHOWN_QUERIES: [(&str, &str); 6] = [
    ("whom does a user follow", "whom does A follow"),
    ("does a user follow another", "does A follow B"),
    ("who follows a user", "who follows A"),
    ("newest twits of the people a user follows", "newest twits for A"),
    ("follow", "A follows B"),
    ("twit", "A writes a twit"),
];
const BAR_COLUMNS: u64 = 24;
const TITLE: Style = Style::new().bold();
const ACCENT: Style = Style::color(AnsiColor::Cyan);
const CHEAP: Style = Style::color(AnsiColor::Green);
const DEAR: Style = Style::color(AnsiColor::Yellow);

/// Writes all of it, and `next` as what to try next.
pub fn write(out: &mut dyn Write, story: &Story, next: &[Hint]) -> io::Result<()> {
    if let Some(whole) = &story.whole {
        write_whole(out, whole)?;
    }
    if !story.tables.is_empty() {
        write_graph(out, story)?;
        write_tables(out, story)?;
        write_questions(out, story)?;
        write_regions(out, story)?;
    }
    if let Some(ads) = &story.ads {
        write_ads(out, ads)?;
    }
    write_next(out, next)
}

/// From questions to tables: what was looked at, what was decided, and what it takes beside designs made by hand.
fn write_whole(out: &mut dyn Write, whole: &WholeStory) -> io::Result<()> {
    writeln!(
        out,
        "{TITLE}1. From questions to tables: people who follow each other and write short messages{TITLE:#}"
    )?;
    let rows: Vec<String> =
        whole.rows.iter().map(|(table, rows)| format!("{} rows of {table}", grouped(*rows))).collect();
    let proven =
        if whole.decided.is_proven { "no set of them costs less" } else { "the best that was found" };
    writeln!(
        out,
        "   {}; {} queries. {} tables of {} that were weighed, in {}: {proven}.\n",
        rows.join(", "),
        whole.decided.queries.len(),
        whole.decided.design.tables.len(),
        grouped(whole.decided.candidates as u64),
        time(whole.decided_in)
    )?;
    let mut tables = Table::new([Column::words("table"), Column::words("row key"), Column::words("cells")]);
    for table in &whole.decided.design.tables {
        for entry in &table.rows {
            let parts: Vec<String> = entry.key.parts.iter().map(ToString::to_string).collect();
            let cells: Vec<String> = entry.cells.iter().map(cell_words).collect();
            tables.add(Style::new(), [table.name.clone(), parts.join(", "), cells.join("; ")]);
        }
    }
    tables.write(out)?;
    writeln!(out, "\n   The mean of each query in milliseconds, beside two designs made by hand:\n")?;
    let query = |column: usize| column.checked_sub(1).and_then(|place| SHOWN_QUERIES.get(place));
    let head = |column| query(column).map_or(Column::words("design"), |(_, head)| Column::numbers(head));
    let mut times: Table<{ SHOWN_QUERIES.len() + 1 }> = Table::new(std::array::from_fn(head));
    for design in &whole.evidence.designs {
        let style = if design.name == OURS { CHEAP } else { Style::new() };
        let text =
            |column| query(column).map_or_else(|| design.name.clone(), |(name, _)| mean_ms(design, name));
        times.add(style, std::array::from_fn(text));
    }
    times.write(out)?;
    writeln!(out, "   {TITLE}{}{TITLE:#}", whole.verdict)?;
    writeln!(out, "   The page with the pictures: {ACCENT}{}{ACCENT:#}\n", whole.page.display())
}

fn mean_ms(design: &MeasuredDesign, query: &str) -> String {
    let measured = design.by_query.iter().find(|measured| measured.name == query);
    measured.map_or_else(|| "–".to_owned(), |measured| format!("{:.3}", measured.mean_ms))
}

/// Cells as they are drawn: `f:name`, `f:<followed> = since`.
fn cell_words(cells: &Cells) -> String {
    let value = cells.value.clone().unwrap_or_else(|| cells.columns.join(", "));
    match &cells.qualifier {
        Some(qualifier) if value.is_empty() => format!("{}:<{qualifier}>", cells.family),
        Some(qualifier) => format!("{}:<{qualifier}> = {value}", cells.family),
        None => format!("{}:{value}", cells.family),
    }
}

fn write_graph(out: &mut dyn Write, story: &Story) -> io::Result<()> {
    let MostFollowed { user: star, followers } = &story.most_followed;
    writeln!(
        out,
        "{TITLE}A follow graph{TITLE:#} of {} users and {} edges, from seed {}. {star} has the most followers: {}.\n",
        grouped(story.users as u64),
        grouped(story.edges as u64),
        story.seed,
        grouped(*followers as u64)
    )
}

fn write_tables(out: &mut dyn Write, story: &Story) -> io::Result<()> {
    writeln!(
        out,
        "{TITLE}2. Two tables with hashed row keys, cut into regions before the first row comes{TITLE:#}"
    )?;
    let mut table = Table::new([
        Column::words("table"),
        Column::words("row key"),
        Column::words("cell"),
        Column::numbers("regions"),
        Column::numbers("puts"),
        Column::numbers("calls"),
        Column::numbers("time"),
        Column::numbers("puts/s"),
    ]);
    for TableStory { direction, load, regions } in &story.tables {
        table.add(
            Style::new(),
            [
                direction.table_text().to_owned(),
                direction.key_text().to_owned(),
                direction.cell_text().to_owned(),
                regions.len().to_string(),
                grouped(load.rows),
                grouped(load.calls),
                time(load.waited),
                grouped(per_second(load)),
            ],
        );
    }
    table.write(out)?;
    writeln!(out)
}

fn write_questions(out: &mut dyn Write, story: &Story) -> io::Result<()> {
    writeln!(out, "{TITLE}3. The questions, and what each answer costs{TITLE:#}")?;
    let mut table = Table::new([
        Column::words("question"),
        Column::words("how"),
        Column::words("answer"),
        Column::numbers("calls"),
        Column::numbers("rows"),
        Column::numbers("cells"),
        Column::numbers("bytes"),
        Column::numbers("seeks"),
        Column::numbers("time"),
    ]);
    let dearest = story.questions.iter().filter_map(|question| question.cost.stats.bytes).max();
    for Question { words, how, answer, cost, .. } in &story.questions {
        let style = if cost.stats.bytes.is_some() && cost.stats.bytes == dearest { DEAR } else { CHEAP };
        table.add(
            style,
            [
                words.clone(),
                (*how).to_owned(),
                answer.clone(),
                grouped(cost.calls),
                grouped(cost.rows),
                grouped_or_dash(cost.stats.cells),
                cost.stats.bytes.map_or_else(|| "–".to_owned(), bytes),
                grouped_or_dash(cost.stats.seeks),
                time(cost.waited),
            ],
        );
    }
    table.write(out)?;
    if let Some(times) = saving(&story.questions) {
        writeln!(
            out,
            "   The second table costs a second put for each edge; it reads {DEAR}1/{}{DEAR:#} of the bytes to say who follows.",
            grouped(times)
        )?;
    }
    if !story.is_true() {
        let bad = Style::color(AnsiColor::Red).bold();
        writeln!(
            out,
            "   {bad}An answer is not what the graph says: this is a bug, please report it.{bad:#}"
        )?;
    }
    writeln!(out)
}

/// How many times fewer bytes the last question reads than the same one asked without its table.
fn saving(questions: &[Question]) -> Option<u64> {
    let [.., without, with] = questions else { return None };
    without.cost.stats.bytes?.checked_div(with.cost.stats.bytes?)
}

fn write_regions(out: &mut dyn Write, story: &Story) -> io::Result<()> {
    writeln!(out, "{TITLE}4. Where the rows lie, and what the regions had to do{TITLE:#}")?;
    let mut table = Table::new([
        Column::words("table"),
        Column::words("from"),
        Column::words("server"),
        Column::numbers("rows"),
        Column::words("").styled(ACCENT),
        Column::numbers("writes"),
        Column::numbers("reads"),
    ]);
    let largest =
        story.tables.iter().flat_map(|table| &table.regions).map(|region| region.rows).max().unwrap_or(0);
    for story in &story.tables {
        for (index, region) in story.regions.iter().enumerate() {
            table.add(
                Style::new(),
                [
                    if index == 0 { story.direction.table_text().to_owned() } else { String::new() },
                    if region.start.is_empty() { "start".to_owned() } else { hex(&region.start) },
                    region.server.clone(),
                    grouped(region.rows),
                    bar(region.rows, largest, BAR_COLUMNS),
                    grouped(region.writes),
                    grouped(region.reads),
                ],
            );
        }
    }
    table.write(out)?;
    writeln!(out)
}

fn write_ads(out: &mut dyn Write, ads: &AdsStory) -> io::Result<()> {
    writeln!(
        out,
        "{TITLE}5. Which columns of a wide table belong together, found in its query log and measured{TITLE:#}"
    )?;
    writeln!(
        out,
        "   {} rows of {} columns; {} kinds of queries read some of them; at most 3 families\n",
        grouped(ads.rows),
        ads.columns,
        ads.queries
    )?;
    let mut table = Table::new([
        Column::words("design"),
        Column::words("columns of its families"),
        Column::numbers("bytes/call"),
        Column::numbers("mean"),
        Column::numbers("median"),
        Column::numbers("p95"),
    ]);
    for design in &ads.evidence.designs {
        let sizes: Vec<String> =
            design.families.iter().map(|family| family.columns.len().to_string()).collect();
        let a_call = |all: u64| bytes(all / design.reads.queries.max(1));
        let millis = |ms: f64| time(Duration::from_secs_f64(ms.max(0.0) / 1e3));
        table.add(
            if design.name == FOUND { CHEAP } else { DEAR },
            [
                design.name.clone(),
                sizes.join(" + "),
                design.stats.bytes.map_or_else(|| "–".to_owned(), a_call),
                millis(design.reads.mean_ms),
                millis(design.reads.median_ms),
                millis(design.reads.p95_ms),
            ],
        );
    }
    table.write(out)?;
    writeln!(out, "   {TITLE}{}{TITLE:#}", ads.evidence.verdict)?;
    writeln!(out, "   The page with the pictures: {ACCENT}{}{ACCENT:#}\n", ads.page.display())
}

fn write_next(out: &mut dyn Write, next: &[Hint]) -> io::Result<()> {
    writeln!(out, "{TITLE}Next{TITLE:#}")?;
    next.iter()
        .try_for_each(|Hint { command, why }| writeln!(out, "   {ACCENT}{command}{ACCENT:#}\n      {why}"))
}

fn per_second(load: &Cost) -> u64 {
    let seconds = load.waited.as_secs_f64();
    if seconds > 0.0 { (load.rows as f64 / seconds) as u64 } else { 0 }
}
