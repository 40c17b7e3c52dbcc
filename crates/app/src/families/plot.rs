//! How the cost fell with the number of evaluations, as a picture.

use std::fmt::Write as _;
use std::path::Path;

use tablesmith_design::families::compare::Answer;

use super::TableAnswer;
use crate::AppError;
use crate::output_file;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
/// Room for numbers and names around the lines.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Told apart also by those who see colours differently (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Writes one chart for each table, one below the other.
pub fn write(path: &Path, answers: &[TableAnswer], unit: &str) -> Result<(), AppError> {
    output_file::write(path, &draw(answers, unit))
}

fn draw(answers: &[TableAnswer], unit: &str) -> String {
    let charts: Vec<String> = answers
        .iter()
        .enumerate()
        .map(|(index, answer)| chart(answer, unit, index as f64 * HEIGHT))
        .collect();
    let height = HEIGHT * answers.len() as f64;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n{}</svg>\n",
        charts.concat()
    )
}

/// The lines of the methods that get better step by step, over a logarithmic axis of evaluations.
fn chart(answer: &TableAnswer, unit: &str, top: f64) -> String {
    let lines: Vec<&Answer> =
        answer.comparison.answers.iter().filter(|found| !found.convergence.is_empty()).collect();
    let costs = || lines.iter().flat_map(|line| line.convergence.iter().map(|(_, cost)| *cost));
    let (low, high) =
        costs().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), cost| (low.min(cost), high.max(cost)));
    let mut drawn = format!("<g transform=\"translate(0 {top})\">\n");
    let title = escape(&format!(
        "{}: cost{} by evaluations",
        answer.problem.table,
        if unit.is_empty() { String::new() } else { format!(" in {unit}") }
    ));
    let _ = writeln!(drawn, "<text x=\"{LEFT}\" y=\"22\" font-weight=\"bold\">{title}</text>");
    if lines.is_empty() {
        let _ = writeln!(
            drawn,
            "<text x=\"{LEFT}\" y=\"60\">no method here gets better step by step: run evolve or evolve+</text>\n</g>"
        );
        return drawn;
    }
    let most =
        lines.iter().flat_map(|line| line.convergence.iter().map(|(count, _)| *count)).max().unwrap_or(1);
    let axes = Axes { low, high, decades: (most.max(2) as f64).log10() };
    drawn.push_str(&axes.frame(most));
    for (index, line) in lines.iter().enumerate() {
        drawn.push_str(&axes.line(
            line,
            COLOURS.get(index % COLOURS.len()).copied().unwrap_or("black"),
            index,
        ));
    }
    drawn + "</g>\n"
}

struct Axes {
    low: f64,
    high: f64,
    decades: f64,
}

impl Axes {
    fn x(&self, evaluations: u64) -> f64 {
        let share = (evaluations.max(1) as f64).log10() / self.decades;
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, cost: f64) -> f64 {
        let range = (self.high - self.low).max(f64::MIN_POSITIVE);
        TOP + (self.high - cost) / range * (HEIGHT - TOP - BOTTOM)
    }

    fn frame(&self, most: u64) -> String {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut drawn =
            format!("<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#888\"/>\n");
        for cost in [self.low, self.high] {
            let _ = writeln!(
                drawn,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{cost:.6}</text>",
                LEFT - 6.0,
                self.y(cost) + 4.0
            );
        }
        let mut tick = 1;
        while tick <= most {
            let _ = writeln!(
                drawn,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                self.x(tick),
                bottom + 18.0
            );
            tick = tick.saturating_mul(10);
        }
        drawn
    }

    /// Steps: a cost holds until a better one is found.
    fn line(&self, answer: &Answer, colour: &str, index: usize) -> String {
        let mut path = String::new();
        for (step, (count, cost)) in answer.convergence.iter().enumerate() {
            let (x, y) = (self.x(*count), self.y(*cost));
            let _ = if step == 0 { write!(path, "M{x:.1} {y:.1}") } else { write!(path, "H{x:.1}V{y:.1}") };
        }
        let end = self.x(answer.evaluations);
        let label_y = TOP + 16.0 * index as f64;
        format!(
            "<path d=\"{path}H{end:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{label_y}\" fill=\"{colour}\">{}</text>\n",
            WIDTH - RIGHT + 10.0,
            escape(answer.method)
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
