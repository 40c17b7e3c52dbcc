//! The paper's claims about time in a table, each beside what came out here.

use tablesmith_model::evidence::Claim;

use super::bixi::Question;
use super::cosmology::Lines;
use super::measure::Line;
use super::paper::{QUERY_2, TABLE_VII, TABLE_VIII};

/// Places of the paper's schemas, and of ours behind them.
const FIRST: usize = 0;
const SECOND: usize = 1;
const THIRD: usize = 2;
const OURS: usize = 3;
/// The number of comparisons of query 2 that schema 1 won in the paper; it gave no answer to the rest.
const WON_BY_ROWS: usize = 4;

/// Everything that claims are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// Averages of stations.
    pub bixi: &'a [(Question, Line)],
    /// Queries on particles.
    pub cosmology: &'a Lines,
}

/// All claims of the paper, and one of ours.
pub fn claims(results: &Results<'_>) -> Vec<Claim> {
    let mut claims = vec![
        versions_win_at_16_days(results),
        days_beat_hours(results),
        regions_of_days(results),
        rows_win_query_1(results),
        query_2_crosses_over(results),
        reversed_ids_spread(results),
        reversed_ids_are_fastest(results),
    ];
    claims.extend(ours(results));
    claims
}

fn versions_win_at_16_days(results: &Results<'_>) -> Claim {
    let line = results.of(16, 200);
    let times = line.map(|line| [FIRST, SECOND, THIRD].map(|schema| line.millis(schema)));
    let holds = matches!(times, Some([Some(one), Some(two), Some(three)]) if two < one && three < one);
    Claim {
        claim: "over 16 days both schemas of versions answer sooner than the one of columns".to_owned(),
        paper: paper_seconds(TABLE_VII.last().copied().unwrap_or_default()),
        measured: line.map_or_else(not_measured, millis_of_papers),
        holds,
        reason: (!holds).then(|| {
            "a column a minute with all metrics in one cell is as many cells as a version a minute of one metric, and its \
             values are read where they lie: what differs is the bytes of a cell, not the number of dimensions"
                .to_owned()
        }),
    }
}

fn days_beat_hours(results: &Results<'_>) -> Claim {
    let of_200: Vec<&Line> =
        results.bixi.iter().filter(|(q, _)| q.of_404 == 200).map(|(_, line)| line).collect();
    let won = of_200.iter().filter(|line| less(line, THIRD, SECOND)).count();
    let holds = !of_200.is_empty() && won == of_200.len();
    Claim {
        claim: "a day of versions in a row answers sooner than an hour of them, over any number of days".to_owned(),
        paper: "sooner in 5 of 5 (200 stations)".to_owned(),
        measured: format!("sooner in {won} of {} (200 stations): {}", of_200.len(), ratios(&of_200, SECOND, THIRD)),
        holds,
        reason: (!holds).then(|| {
            "a longer row saves the work for each row, which is small beside that for its cells: the difference drowns in \
             what else goes on"
                .to_owned()
        }),
    }
}

/// Table VIII: where the day is in a row, more regions and servers work.
fn regions_of_days(results: &Results<'_>) -> Claim {
    let spread = |line: &Line, schema: usize| line.cells.get(schema).map_or(0, |cell| cell.regions.len());
    let of_100: Vec<&Line> =
        results.bixi.iter().filter(|(q, _)| q.of_404 == 100).map(|(_, line)| line).collect();
    let wider = of_100.iter().filter(|line| spread(line, THIRD) >= spread(line, SECOND)).count();
    let holds = !of_100.is_empty() && wider == of_100.len();
    let servers = |regions: &[u32; 4]| regions.iter().filter(|count| **count > 0).count();
    let papers: Vec<String> = TABLE_VIII
        .iter()
        .map(|[(_, hours), (_, days)]| format!("{} and {}", servers(hours), servers(days)))
        .collect();
    let told = |line: &&Line| format!("{} and {}", spread(line, SECOND), spread(line, THIRD));
    Claim {
        claim: "with a day in a row at least as many servers work as with an hour".to_owned(),
        paper: format!("servers that work, hours and days: {}", papers.join(", ")),
        measured: of_100.iter().map(told).collect::<Vec<_>>().join(", "),
        holds,
        reason: (!holds).then(|| {
            "the time comes first in both keys, so that a few days lie in one or two regions whatever a row holds; how many \
             servers those are on is up to the balancer"
                .to_owned()
        }),
    }
}

fn rows_win_query_1(results: &Results<'_>) -> Claim {
    let lines = &results.cosmology.query_1;
    let won = lines.iter().filter(|line| less(line, FIRST, SECOND) && less(line, FIRST, THIRD)).count();
    let holds = !lines.is_empty() && won == lines.len();
    Claim {
        claim: "a filter on one snapshot is answered soonest where the snapshot comes first in the key".to_owned(),
        paper: "soonest in 5 of 5".to_owned(),
        measured: format!("soonest in {won} of {}: {}", lines.len(), ratios(&refs(lines), SECOND, FIRST)),
        holds,
        reason: (!holds).then(|| {
            "the last snapshot has every particle, so that versions and rows read equally many cells of it; only earlier \
             ones leave out much"
                .to_owned()
        }),
    }
}

fn query_2_crosses_over(results: &Results<'_>) -> Claim {
    let lines = &results.cosmology.query_2;
    let by_rows = |line: &Line| less(line, FIRST, SECOND) && less(line, FIRST, THIRD);
    let small = lines.iter().take(WON_BY_ROWS).filter(|line| by_rows(line)).count();
    let large = lines.iter().skip(WON_BY_ROWS).filter(|line| !by_rows(line)).count();
    let holds = lines.len() == QUERY_2.len() && small == WON_BY_ROWS && large == QUERY_2.len() - WON_BY_ROWS;
    Claim {
        claim: "two small snapshots are compared sooner as rows, two large ones as versions".to_owned(),
        paper: "rows win the four smallest; of the five largest they answer none".to_owned(),
        measured: format!(
            "rows win {small} of the {WON_BY_ROWS} smallest, versions {large} of the {} largest: {}",
            QUERY_2.len() - WON_BY_ROWS,
            ratios(&refs(lines), SECOND, FIRST)
        ),
        holds,
        reason: (!holds).then(|| {
            "rows read only the two snapshots that are compared, and their answers are sets that fit into memory here; \
             versions always pass over all nine"
                .to_owned()
        }),
    }
}

fn reversed_ids_spread(results: &Results<'_>) -> Claim {
    let lines = &results.cosmology.query_3;
    let regions =
        |line: &Line, schema: usize| line.cells.get(schema).map_or(0, super::measure::Cell::region_count);
    let wider = lines.iter().filter(|line| regions(line, THIRD) > regions(line, SECOND)).count();
    let holds = !lines.is_empty() && wider == lines.len();
    let told = |line: &Line| format!("{} and {}", regions(line, SECOND), regions(line, THIRD));
    Claim {
        claim: "reversed ids spread the particles of query 3 over more regions".to_owned(),
        paper: "several regions against few (section V-C)".to_owned(),
        measured: format!(
            "regions, as they are and reversed: {}",
            lines.iter().map(told).collect::<Vec<_>>().join(", ")
        ),
        holds,
        reason: (!holds).then(|| {
            "there are too few regions, or the last digits of the ids asked for are alike".to_owned()
        }),
    }
}

fn reversed_ids_are_fastest(results: &Results<'_>) -> Claim {
    let lines = &results.cosmology.query_3;
    let won = lines.iter().filter(|line| less(line, THIRD, FIRST) && less(line, THIRD, SECOND)).count();
    let holds = !lines.is_empty() && won == lines.len();
    Claim {
        claim: "query 3 is answered soonest with reversed ids".to_owned(),
        paper: "soonest in 8 of 8 that got an answer".to_owned(),
        measured: format!("soonest in {won} of {}: {}", lines.len(), ratios(&refs(lines), SECOND, THIRD)),
        holds,
        reason: (!holds).then(|| {
            "rows whose keys are known are fetched one by one, whatever region they are in; the paper scanned all rows \
             between them, which spreads over regions and never pays"
                .to_owned()
        }),
    }
}

/// Not the paper's: that what is recommended is no slower than its best schema, over all questions of a data set.
fn ours(results: &Results<'_>) -> Vec<Claim> {
    let bixi: Vec<&Line> = results.bixi.iter().map(|(_, line)| line).collect();
    let Lines { query_1, query_2, query_3 } = results.cosmology;
    let cosmology: Vec<&Line> = query_1.iter().chain(query_2).chain(query_3).collect();
    [("stations", bixi), ("particles", cosmology)]
        .into_iter()
        .filter_map(|(data, lines)| as_a_whole(data, &lines))
        .collect()
}

fn as_a_whole(data: &str, lines: &[&Line]) -> Option<Claim> {
    let total = |schema| lines.iter().map(|line| line.millis(schema)).sum::<Option<f64>>();
    let ours = total(OURS).filter(|_| !lines.is_empty())?;
    let best = [FIRST, SECOND, THIRD].into_iter().filter_map(total).fold(f64::INFINITY, f64::min);
    let holds = ours <= best;
    Some(Claim {
        claim: format!(
            "on the {data} as a whole our layout is as fast as the paper's best schema, or faster"
        ),
        paper: "not in the paper".to_owned(),
        measured: format!("{ours:.1} ms against {best:.1} ms for all questions"),
        holds,
        reason: (!holds)
            .then(|| "the layout was chosen by predicted cost, and the measured one is higher".to_owned()),
    })
}

impl<'a> Results<'a> {
    fn of(&self, days: u32, of_404: u32) -> Option<&'a Line> {
        self.bixi.iter().find(|(one, _)| *one == Question { days, of_404 }).map(|(_, line)| line)
    }
}

fn refs(lines: &[Line]) -> Vec<&Line> {
    lines.iter().collect()
}

fn less(line: &Line, one: usize, other: usize) -> bool {
    line.millis(one).zip(line.millis(other)).is_some_and(|(one, other)| one < other)
}

/// How many times as long one schema takes as another, question by question.
fn ratios(lines: &[&Line], one: usize, other: usize) -> String {
    let ratio = |line: &&Line| {
        line.millis(one).zip(line.millis(other)).map(|(one, other)| format!("{:.2}", one / other))
    };
    let texts: Vec<String> = lines.iter().filter_map(ratio).collect();
    format!("schema {} takes {} times as long as schema {}", one + 1, texts.join(", "), other + 1)
}

fn millis_of_papers(line: &Line) -> String {
    let text = |schema| line.millis(schema).map_or_else(not_measured, |millis| format!("{millis:.2} ms"));
    [FIRST, SECOND, THIRD].map(text).join(", ")
}

fn paper_seconds(seconds: super::paper::Seconds) -> String {
    seconds.map(|seconds| seconds.map_or("no answer".to_owned(), |seconds| format!("{seconds} s"))).join(", ")
}

fn not_measured() -> String {
    "not measured".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::measure::Cell;

    fn line(millis: [f64; 4], regions: [usize; 4]) -> Line {
        let cell = |(millis, regions): (f64, usize)| Cell {
            millis,
            regions: (0..regions).map(|server| (server.to_string(), 1)).collect(),
        };
        let cells = millis.into_iter().zip(regions).map(cell).collect();
        Line { question: String::new(), cells, found: 1, answers_equal: true }
    }

    #[test]
    fn what_the_paper_measured_would_hold() {
        let bixi: Vec<_> =
            Question::all().into_iter().map(|q| (q, line([9.0, 6.0, 5.0, 4.0], [1, 1, 2, 2]))).collect();
        let (rows, versions) = (line([1.0, 2.0, 3.0, 1.0], [1; 4]), line([9.0, 2.0, 3.0, 1.0], [1; 4]));
        let query_2 = [vec![rows.clone(); 4], vec![versions; 5]].concat();
        let cosmology = Lines {
            query_1: vec![rows; 5],
            query_2,
            query_3: vec![line([9.0, 5.0, 3.0, 3.0], [1, 1, 4, 4]); 9],
        };
        let claims = claims(&Results { bixi: &bixi, cosmology: &cosmology });
        assert_eq!(claims.len(), 9);
        assert!(claims.iter().all(|claim| claim.holds && claim.reason.is_none()), "{claims:#?}");
    }

    #[test]
    fn what_was_not_done_does_not_hold() {
        let claims = claims(&Results { bixi: &[], cosmology: &Lines::default() });
        assert_eq!(claims.len(), 7);
        assert!(claims.iter().all(|claim| !claim.holds && claim.reason.is_some()), "{claims:#?}");
    }
}
