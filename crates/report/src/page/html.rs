//! Pieces of HTML that sections share.

use std::fmt::Write as _;

use crate::escape::{escape, typeset};
use crate::number::grouped;
use crate::pictures::Drawn;

/// More rows than this would hide what matters; the evidence file has all.
pub const MOST_ROWS: usize = 200;

/// A cell of a table.
pub enum Cell {
    /// The name of a row, with the class of its colour if it has one.
    Name(String, Option<&'static str>),
    /// A number, written already.
    Number(String),
    /// A number with how hot its background is, from 0.
    Heat(String, usize),
    /// Words.
    Words(String),
    /// Words that say yes or no.
    Mark(String, bool),
}

/// A table with a caption and column heads.
pub struct Table {
    caption: String,
    heads: Vec<String>,
    /// Which columns hold numbers, as the first row says.
    numeric: Vec<bool>,
    body: String,
    rows: usize,
}

impl Table {
    /// An empty table.
    pub fn new(caption: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { caption: caption.to_owned(), heads, numeric: Vec::new(), body: String::new(), rows: 0 }
    }

    /// Adds a row. What is too much is only counted.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows += 1;
        if self.rows == 1 {
            self.numeric =
                cells.iter().map(|cell| matches!(cell, Cell::Number(_) | Cell::Heat(..))).collect();
        }
        if self.rows > MOST_ROWS {
            return;
        }
        self.body.push_str("<tr>");
        for cell in cells {
            self.body.push_str(&cell.html());
        }
        self.body.push_str("</tr>");
    }

    /// Counts rows that nobody made.
    pub fn leave_out(&mut self, rows: usize) {
        self.rows += rows;
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The table in a box that scrolls by itself where it is too wide.
    pub fn html(&self) -> String {
        let heads: String = self
            .heads
            .iter()
            .zip(&self.numeric)
            .map(|(head, is_number)| {
                let class = if *is_number { " class=\"number\"" } else { "" };
                format!("<th scope=\"col\"{class} title=\"{0}\">{0}</th>", escape(head))
            })
            .collect();
        let more = match self.rows.saturating_sub(MOST_ROWS) {
            0 => String::new(),
            more => format!(
                "<p class=\"more\">… and {} more rows, which are in the evidence file.</p>",
                grouped(more as u64)
            ),
        };
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}</caption>\
             <thead><tr>{heads}</tr></thead><tbody>{1}</tbody></table></div>{more}",
            escape(&self.caption),
            self.body
        )
    }
}

impl Cell {
    fn html(&self) -> String {
        match self {
            Self::Name(name, class) => {
                let swatch =
                    class.map(|class| format!("<i class=\"swatch {class}\"></i>")).unwrap_or_default();
                let name = escape(name);
                format!("<th scope=\"row\" title=\"{name}\">{swatch}<bdi>{name}</bdi></th>")
            }
            Self::Number(text) => format!("<td class=\"number\">{}</td>", escape(text)),
            Self::Heat(text, heat) => format!("<td class=\"number heat{heat}\">{}</td>", escape(text)),
            Self::Words(text) => format!("<td><bdi>{}</bdi></td>", escape(text)),
            Self::Mark(text, is_good) => {
                let class = if *is_good { "good" } else { "bad" };
                format!("<td class=\"{class}\">{}</td>", escape(text))
            }
        }
    }
}

/// A picture with its caption; nothing where there is no picture.
pub fn figure(drawn: Option<&Drawn>, caption: &str) -> String {
    drawn.map_or(String::new(), |drawn| {
        format!("<figure>{}<figcaption>{}</figcaption></figure>", drawn.inline(), typeset(caption))
    })
}

/// A paragraph.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", typeset(text))
}

/// A section with a heading that can be linked to; nothing where there is nothing in it.
pub fn section(id: &str, heading: &str, inside: &str) -> String {
    if inside.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-head\"><h2 id=\"{id}-head\">{heading}</h2>{inside}</section>\n"
    )
}

/// Something that opens when it is asked for.
pub fn details(summary: &str, inside: &str) -> String {
    format!("<details><summary>{}</summary>{inside}</details>", escape(summary))
}

/// Names and what belongs to them.
pub fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<dl class=\"facts\">");
    for (name, value) in facts {
        let _ = write!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(&value));
    }
    html + "</dl>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beyond_the_most_are_counted() {
        let mut table = Table::new("A \"table\"", &["n"]);
        (0..MOST_ROWS + 3).for_each(|index| table.row(vec![Cell::Number(index.to_string())]));
        let html = table.html();
        assert_eq!(html.matches("<tr>").count(), MOST_ROWS + 1);
        assert!(html.contains("… and 3 more rows") && html.contains("A &quot;table&quot;"), "{html}");
    }

    #[test]
    fn names_are_text() {
        let html = Cell::Name("<script>\"x\"".into(), Some("s0")).html();
        assert!(
            html.contains("title=\"&lt;script&gt;&quot;x&quot;\"") && !html.contains("<script"),
            "{html}"
        );
    }

    #[test]
    fn an_empty_section_is_left_out() {
        assert_eq!(section("x", "X", ""), "");
    }
}
