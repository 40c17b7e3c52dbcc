//! Prints rows as they come: for people in columns, for programs as one object.

use std::io::{self, BufWriter, Stdout, Write};

use anstream::AutoStream;

use serde::Serialize;
use tablesmith_access::answer::Row;
use tablesmith_app::query::{JsonValue, Plan, RowSink};
use tablesmith_model::value::Value;

use crate::arguments::Format;
use crate::terminal::{self, Guarded};

/// No column is made wider than this for the sake of one value.
const WIDEST: usize = 60;

/// Prints rows as they come. The width of columns is that of the first rows.
pub struct Printer {
    out: BufWriter<Guarded<AutoStream<Stdout>>>,
    format: Format,
    columns: Vec<String>,
    widths: Option<Vec<usize>>,
    rows: u64,
}

impl Printer {
    /// Nothing is printed yet.
    pub fn new(format: Format) -> Self {
        let out = BufWriter::new(terminal::stdout());
        Self { out, format, columns: Vec::new(), widths: None, rows: 0 }
    }

    fn print_text(&mut self, rows: &[Row]) -> io::Result<()> {
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(one_line).collect()).collect();
        let widths = match self.widths.take() {
            Some(widths) => widths,
            None => {
                let widths = widths(&self.columns, &cells);
                write_line(&mut self.out, &self.columns, &widths)?;
                let ruled: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                write_line(&mut self.out, &ruled, &widths)?;
                widths
            }
        };
        cells.iter().try_for_each(|row| write_line(&mut self.out, row, &widths))?;
        self.widths = Some(widths);
        Ok(())
    }

    fn print_json(&mut self, rows: &[Row]) -> io::Result<()> {
        if self.rows == 0 {
            self.begin_json()?;
        }
        for (at, row) in rows.iter().enumerate() {
            let comma = if self.rows == 0 && at == 0 { "" } else { ", " };
            write!(self.out, "{comma}{}", json(&row.iter().map(JsonValue).collect::<Vec<_>>())?)?;
        }
        Ok(())
    }

    fn begin_json(&mut self) -> io::Result<()> {
        write!(self.out, "{{\"columns\": {}, \"rows\": [", json(&self.columns)?)
    }

    /// Ends the answer with the way to it: always for programs, for people when they want it.
    pub fn finish(mut self, plan: &Plan, is_wanted: bool) -> io::Result<()> {
        match self.format {
            Format::Json => {
                if self.rows == 0 {
                    self.begin_json()?;
                }
                writeln!(self.out, "], \"plan\": {}}}", json(plan)?)?;
            }
            Format::Text => {
                if self.rows == 0 {
                    self.print_text(&[])?;
                }
                let rows = if self.rows == 1 { "row" } else { "rows" };
                writeln!(self.out, "({} {rows})", self.rows)?;
                if is_wanted {
                    write!(self.out, "\n{}", plan.0)?;
                }
            }
        }
        self.out.flush()
    }
}

impl RowSink for Printer {
    fn columns(&mut self, columns: &[String]) -> io::Result<()> {
        self.columns = columns.to_vec();
        Ok(())
    }

    fn rows(&mut self, rows: &[Row]) -> io::Result<()> {
        match self.format {
            Format::Text => self.print_text(rows)?,
            Format::Json => self.print_json(rows)?,
        }
        self.rows += rows.len() as u64;
        self.out.flush()
    }
}

fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// A value on one line.
fn one_line(value: &Value) -> String {
    value.to_string().chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

fn widths(columns: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |at: usize, name: &String| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.chain([name]).map(|cell| cell.chars().count()).max().unwrap_or(0).min(WIDEST)
    };
    columns.iter().enumerate().map(|(at, name)| width(at, name)).collect()
}

fn write_line(out: &mut dyn Write, cells: &[String], widths: &[usize]) -> io::Result<()> {
    let padded: Vec<String> =
        cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}", width = *width)).collect();
    writeln!(out, "{}", padded.join("  ").trim_end())
}
