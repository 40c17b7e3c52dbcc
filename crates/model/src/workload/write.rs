//! Writes `workload.toml` with comments for the person who edits it.
//!
//! A comment stands where a kind of section appears for the first time; after that the file speaks for itself.

use std::fmt::Write;

use toml_edit::{Key, Value};

use super::{Asks, Column, Join, Log, Query, Table, Touched, Workload};
use crate::duration_text;

const HEAD: &str = "\
# What the application has and asks. Edit it freely: `tablesmith schema workload` prints its JSON Schema, and an
# error points at its line.
";
const ABOUT_TABLE: &str = "\
# A table. `called` is its name in the database that it comes from, with the schema; `data` is its file beside this one, `rows` how many rows it has, `key` the columns that identify a row,
# `retention` how long rows are kept (\"72h\").
";
const ABOUT_COLUMNS: &str = "\
# type: string, int, float, decimal, bool, bytes, date, timestamp. What is measured or declared of the values:
# distinct (how many different ones), bytes (of one as text, on average), nulls (share of rows without one), min and max
# (the least and the greatest), monotone (never falls in the order of the file), heavy (the most frequent values with
# their share of the rows). From them follows how many rows a query touches.
";
const ABOUT_REFERENCES: &str = "# Joins run along these: column = \"table.column\".\n";
const ABOUT_TIME: &str = "\
# Readings over time or another sequence: `column` orders the rows, `entity` says whose they are, `kind` is \"time\" or
# \"sequence\".
";
const ABOUT_FAMILIES: &str = "# The present schema: which columns are stored together.\n";
const ABOUT_JOIN: &str = "\
# How many pairs of rows of two tables have the same value in these columns. Without it, rows are taken to be spread evenly
# over the values, which those of popular people, say, are not.
";
const ABOUT_QUERY: &str = "\
# A query: its statement (`sql`), or the columns that it touches (`table` with `reads` or `writes`, `access` \"get\" or
# \"scan\"). `rate` is calls a second or any weight. `rows` is how many rows a call touches: from a log it is the mean
# over a sample of its calls; without it, what the statement and the columns say. Wishes, all optional: max_ms, one_call,
# atomic, fresh.
";
const ABOUT_LOG: &str = "\
# Past queries, and their split by time: training (what is optimised), validation (what picks among parameters), test
# (what is replayed).
";

/// The text of a workload.
pub(super) fn workload(workload: &Workload) -> String {
    let mut file = File { text: format!("{HEAD}version = {}\n", workload.version) };
    if let Some(region_servers) = workload.cluster.region_servers {
        file.line("\n[cluster]");
        file.line(format_args!("region_servers = {region_servers}"));
    }
    for table in &workload.tables {
        file.table(table);
    }
    for join in &workload.joins {
        file.join(join);
    }
    for query in &workload.queries {
        file.query(query);
    }
    if let Some(log) = &workload.log {
        file.log(log);
    }
    file.text
}

/// The text so far.
struct File {
    text: String,
}

impl File {
    fn line(&mut self, line: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A comment, unless it stands above already.
    fn about(&mut self, comment: &str) {
        if !self.text.contains(comment) {
            self.text.push_str(comment);
        }
    }

    fn table(&mut self, table: &Table) {
        self.text.push('\n');
        self.about(ABOUT_TABLE);
        self.line("[[table]]");
        self.line(format_args!("name = {}", text(&table.name)));
        if let Some(called) = &table.called {
            self.line(format_args!("called = {}", text(called)));
        }
        if let Some(data) = &table.data {
            self.line(format_args!("data = {}", text(data)));
        }
        if let Some(rows) = table.rows {
            self.line(format_args!("rows = {}", whole(rows)));
        }
        if !table.key.is_empty() {
            self.line(format_args!("key = {}", texts(&table.key)));
        }
        if let Some(retention) = table.retention {
            self.line(format_args!("retention = {}", text(&duration_text::print(retention))));
        }
        self.columns(&table.columns);
        self.relations(table);
    }

    fn columns(&mut self, columns: &[Column]) {
        self.about(ABOUT_COLUMNS);
        self.line("[table.columns]");
        let keys: Vec<String> = columns.iter().map(|column| key(&column.name)).collect();
        let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or_default().min(32);
        for (column, key) in columns.iter().zip(keys) {
            self.line(format_args!("{key:width$} = {{ {} }}", column_fields(column)));
        }
    }

    fn relations(&mut self, table: &Table) {
        if !table.references.is_empty() {
            self.about(ABOUT_REFERENCES);
            self.line("[table.references]");
            for reference in &table.references {
                let target = format!("{}.{}", reference.table, reference.target);
                self.line(format_args!("{} = {}", key(&reference.column), text(&target)));
            }
        }
        if let Some(time) = &table.time {
            self.about(ABOUT_TIME);
            self.line("[table.time]");
            self.line(format_args!("column = {}", text(&time.column)));
            self.line(format_args!("entity = {}", texts(&time.entity)));
            self.line(format_args!("kind = {}", text(time.kind.name())));
        }
        if !table.families.is_empty() {
            self.about(ABOUT_FAMILIES);
            self.line("[table.families]");
            for family in &table.families {
                self.line(format_args!("{} = {}", key(&family.name), texts(&family.columns)));
            }
        }
    }

    fn join(&mut self, join: &Join) {
        self.text.push('\n');
        self.about(ABOUT_JOIN);
        self.line("[[join]]");
        self.line(format_args!("one = {}", text(&join.one.to_string())));
        self.line(format_args!("other = {}", text(&join.other.to_string())));
        self.line(format_args!("rows = {}", whole(join.rows)));
    }

    fn query(&mut self, query: &Query) {
        self.text.push('\n');
        self.about(ABOUT_QUERY);
        self.line("[[query]]");
        self.line(format_args!("name = {}", text(&query.name)));
        match &query.asks {
            Asks::Sql(sql) => self.line(format_args!("sql = {}", text(sql))),
            Asks::Columns(touched) => self.touched(touched),
        }
        if let Some(rows) = query.rows {
            self.line(format_args!("rows = {}", whole(rows)));
        }
        self.line(format_args!("rate = {}", number(query.rate)));
        if let Some(max_ms) = query.wishes.max_ms {
            self.line(format_args!("max_ms = {}", number(max_ms)));
        }
        let wishes = query.wishes;
        let flags = [("one_call", wishes.one_call), ("atomic", wishes.atomic), ("fresh", wishes.fresh)];
        for (name, _) in flags.into_iter().filter(|(_, wished)| *wished) {
            self.line(format_args!("{name} = true"));
        }
    }

    fn touched(&mut self, touched: &Touched) {
        self.line(format_args!("table = {}", text(&touched.table)));
        if !touched.reads.is_empty() || touched.writes.is_empty() {
            self.line(format_args!("reads = {}", texts(&touched.reads)));
        }
        if !touched.writes.is_empty() {
            self.line(format_args!("writes = {}", texts(&touched.writes)));
        }
        if let Some(access) = touched.access {
            self.line(format_args!("access = {}", text(access.name())));
        }
    }

    fn log(&mut self, log: &Log) {
        self.text.push('\n');
        self.about(ABOUT_LOG);
        self.line("[log]");
        self.line(format_args!("path = {}", text(&log.path)));
        self.line(format_args!("split = [{}]", log.split.shares().map(number).join(", ")));
    }
}

/// A column as the members of an inline table: its type, and what is known of its values.
pub(crate) fn column_fields(column: &Column) -> String {
    let mut fields = vec![format!("type = {}", text(column.value_type.name()))];
    fields.extend(column.distinct.map(|distinct| format!("distinct = {}", whole(distinct))));
    fields.extend(column.bytes.map(|bytes| format!("bytes = {}", number(bytes))));
    fields.extend(column.nulls.map(|nulls| format!("nulls = {}", number(nulls))));
    fields.extend(column.min.as_ref().map(|min| format!("min = {}", text(min))));
    fields.extend(column.max.as_ref().map(|max| format!("max = {}", text(max))));
    fields.extend(column.monotone.then(|| "monotone = true".to_owned()));
    if !column.heavy.is_empty() {
        let heavy = column.heavy.iter();
        let heavy = heavy
            .map(|heavy| format!("{{ value = {}, share = {} }}", text(&heavy.value), number(heavy.share)));
        fields.push(format!("heavy = [{}]", heavy.collect::<Vec<_>>().join(", ")));
    }
    fields.join(", ")
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn texts(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|name| text(name)).collect::<Vec<_>>().join(", "))
}

fn key(name: &str) -> String {
    Key::new(name).to_string()
}

/// A whole number with its thousands apart, as TOML allows: `4_000_000`. Its whole numbers end at 63 bits.
fn whole(number: u64) -> String {
    let digits = number.min(i64::MAX.unsigned_abs()).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// A number without a fraction is written as a whole one where that is the same number.
fn number(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole = number.fract() == 0.0 && (0.0..EXACT).contains(&number);
    if is_whole { whole(number as u64) } else { Value::from(number).to_string() }
}

#[cfg(test)]
mod tests;
