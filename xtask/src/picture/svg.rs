//! Draws lines of styled text as a terminal window in SVG.

use std::fmt::Write;

use super::ansi::{Run, Style};

const COLUMN_PX: f64 = 8.4;
const LINE_PX: usize = 19;
const MARGIN_PX: usize = 18;
const TITLE_PX: usize = 34;
const FONT: &str = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

const BACKGROUND: &str = "#161b22";
const FOREGROUND: &str = "#d8dee6";
const DIMMED: &str = "#7d8590";
/// The terminal's 16 colours: eight, and eight bright ones.
const PALETTE: [&str; 16] = [
    "#484f58", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#c9d1d9", "#6e7681",
    "#ffa198", "#a5f3ac", "#f2cc60", "#a5d6ff", "#e2c5ff", "#93e6ec", "#ffffff",
];

/// A picture of the lines, under a title bar with the command that printed them.
pub fn draw(title: &str, lines: &[Vec<Run>]) -> String {
    let columns = lines.iter().map(|line| columns_of(line)).max().unwrap_or(0).max(title.chars().count());
    let width = (columns as f64 * COLUMN_PX).ceil() as usize + 2 * MARGIN_PX;
    let height = TITLE_PX + lines.len() * LINE_PX + MARGIN_PX;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"{FONT}\" font-size=\"14\" fill=\"{FOREGROUND}\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <text x=\"{MARGIN_PX}\" y=\"22\" fill=\"{DIMMED}\">{}</text>\n",
        escape(title)
    );
    for (index, line) in lines.iter().enumerate() {
        let y_px = TITLE_PX + (index + 1) * LINE_PX - 5;
        draw_line(&mut svg, line, y_px);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Every run is stretched to the columns it has, so that tables stay aligned in whatever font the reader has.
fn draw_line(svg: &mut String, line: &[Run], y_px: usize) {
    let mut column = 0;
    for run in line {
        let columns = run.text.chars().count();
        if !run.text.trim().is_empty() {
            let x_px = MARGIN_PX as f64 + column as f64 * COLUMN_PX;
            // Writing to a string does not fail.
            let _ = writeln!(
                svg,
                "<text x=\"{x_px:.1}\" y=\"{y_px}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 xml:space=\"preserve\"{}>{}</text>",
                columns as f64 * COLUMN_PX,
                attributes(run.style),
                escape(&run.text)
            );
        }
        column += columns;
    }
}

fn attributes(style: Style) -> String {
    let colour = style.colour.and_then(|colour| PALETTE.get(usize::from(colour))).copied();
    let fill = if style.dim { colour.or(Some(DIMMED)) } else { colour };
    let mut attributes = fill.map(|fill| format!(" fill=\"{fill}\"")).unwrap_or_default();
    if style.bold {
        attributes.push_str(" font-weight=\"bold\"");
    }
    attributes
}

fn columns_of(line: &[Run]) -> usize {
    line.iter().map(|run| run.text.chars().count()).sum()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::ansi;

    #[test]
    fn runs_stand_in_their_columns() {
        let svg = draw("$ x", &ansi::lines("ab \x1b[1;32m<&>\x1b[0m"));
        assert!(svg.contains(">ab </text>"), "{svg}");
        let x_px = MARGIN_PX as f64 + 3.0 * COLUMN_PX;
        assert!(svg.contains(&format!("x=\"{x_px:.1}\"")), "{svg}");
        assert!(svg.contains("fill=\"#7ee787\" font-weight=\"bold\">&lt;&amp;&gt;</text>"), "{svg}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }

    #[test]
    fn the_picture_grows_with_the_text() {
        let small = draw("", &ansi::lines("a"));
        let large = draw("", &ansi::lines("a\nb"));
        assert!(small.contains(&format!("height=\"{}\"", TITLE_PX + LINE_PX + MARGIN_PX)), "{small}");
        assert!(large.contains(&format!("height=\"{}\"", TITLE_PX + 2 * LINE_PX + MARGIN_PX)), "{large}");
    }
}
