//! Why a layout is the best, in sentences.

use tablesmith_model::cost::Operations;
use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, Span};

use super::Candidate;
use crate::time::facts::Facts;
use crate::time::query::TimeQuery;

/// The reasons for the first of ranked candidates.
pub fn reasons(facts: &Facts, queries: &[TimeQuery], ranked: &[Candidate]) -> Vec<String> {
    let Some(best) = ranked.first() else { return Vec::new() };
    let mut reasons = vec![cost(best, ranked)];
    reasons.extend(dearest_query(best, plain(ranked), queries));
    reasons.push(depth(best, facts));
    reasons.push(bytes(best, plain(ranked)));
    reasons.extend(order(&best.layout));
    reasons.extend(fixed(facts, &best.layout));
    reasons
}

/// The layout that everybody would begin with.
fn plain(ranked: &[Candidate]) -> Option<&Candidate> {
    ranked.iter().find(|candidate| {
        let SeriesLayout { dimension, order, cells, .. } = &candidate.layout;
        *dimension == Dimension::Row && *order == KeyOrder::EntityTime && *cells == CellShape::EachMetric
    })
}

fn cost(best: &Candidate, ranked: &[Candidate]) -> String {
    let how = if best.observed.is_some() { "measured" } else { "predicted" };
    let ms = |candidate: &Candidate| match (&best.observed, &candidate.observed) {
        (Some(_), observed) => observed.as_ref().map(|observed| observed.cost_ms),
        (None, _) => Some(candidate.prediction.cost_ms),
    };
    let own = ms(best).unwrap_or_default();
    let mut text = format!("{} takes {} for the calls of a second, {how}", best.layout.name(), millis(own));
    if let Some((next, next_ms)) = ranked.iter().skip(1).find_map(|next| Some((next, ms(next)?))) {
        text.push_str(&format!("; the next, {}, takes {}", next.layout.name(), millis(next_ms)));
    }
    let first = plain(ranked).filter(|plain| plain.layout != best.layout);
    if let Some((plain, plain_ms)) = first.and_then(|plain| Some((plain, ms(plain)?))) {
        let times = plain_ms / own.max(f64::MIN_POSITIVE);
        text.push_str(&format!(
            "; the plain {} takes {}, {times:.1} × as long",
            plain.layout.name(),
            millis(plain_ms)
        ));
    }
    text
}

/// What the query that takes most of the time does.
fn dearest_query(best: &Candidate, plain: Option<&Candidate>, queries: &[TimeQuery]) -> Option<String> {
    let times = |candidate: &Candidate| -> Vec<f64> {
        match &candidate.observed {
            Some(observed) => observed.queries_ms.clone(),
            None => candidate.prediction.queries.iter().map(|query| query.cost_ms).collect(),
        }
    };
    let weighed: Vec<f64> = times(best).iter().zip(queries).map(|(ms, query)| ms * query.rate).collect();
    let all: f64 = weighed.iter().sum();
    let (place, most) = weighed.iter().enumerate().max_by(|one, two| one.1.total_cmp(two.1))?;
    let predicted = best.prediction.queries.get(place)?;
    let share = 100.0 * most / all.max(f64::MIN_POSITIVE);
    let mut text =
        format!("`{}` has {share:.0} % of that: one call {}", predicted.name, does(&predicted.operations));
    let other = plain.filter(|plain| plain.layout != best.layout);
    if let Some(other) = other.and_then(|plain| plain.prediction.queries.get(place)) {
        text.push_str(&format!("; in the plain layout it {}", does(&other.operations)));
    }
    Some(text)
}

fn does(operations: &Operations) -> String {
    let Operations { rows, cells, cells_returned, puts, cells_written, .. } = *operations;
    let mut parts = Vec::new();
    if rows > 0.0 {
        parts.push(format!(
            "goes through {} rows and {} cells and gives back {}",
            count(rows),
            count(cells),
            count(cells_returned)
        ));
    }
    if puts > 0.0 {
        parts.push(format!("writes {} rows, {} cells", count(puts), count(cells_written)));
    }
    parts.join(", and ")
}

fn depth(best: &Candidate, facts: &Facts) -> String {
    let readings = count(best.prediction.row_readings);
    let span = best.layout.span.name(facts.kind);
    let row = match best.layout.span {
        Span::Each => return "each reading has a row of its own".to_owned(),
        Span::Of(_) => format!("a row of {span} has {readings} readings"),
        Span::Unbounded => format!("a row has all readings of an entity, {readings} now"),
    };
    match best.layout.dimension {
        Dimension::Version => format!(
            "{row}, so a cell has {} versions; VERSIONS = {} leaves room for one at every moment",
            best.prediction.depth,
            best.layout.versions()
        ),
        _ => row,
    }
}

fn bytes(best: &Candidate, plain: Option<&Candidate>) -> String {
    let own = best.prediction.reading_bytes;
    let text = format!("a reading takes {own:.0} bytes before compression");
    match plain.filter(|plain| plain.layout != best.layout) {
        Some(plain) => format!("{text}; in the plain layout {:.0}", plain.prediction.reading_bytes),
        None => text,
    }
}

fn order(layout: &SeriesLayout) -> Option<String> {
    Some(match layout.order {
        KeyOrder::EntityTime => {
            return Some("readings of one entity stand together, in the order of time".to_owned());
        }
        KeyOrder::TimeEntity => "readings of one moment stand together".to_owned(),
        KeyOrder::BucketedTime { buckets } => format!(
            "readings of one moment stand together in each of {buckets} prefixes, so that no region gets all writes"
        ),
        _ => return None,
    })
}

fn fixed(facts: &Facts, layout: &SeriesLayout) -> Option<String> {
    let columns = &facts.fixed;
    (!columns.is_empty()).then(|| {
        let (verb, they) = if columns.len() == 1 { ("depends", "it has") } else { ("depend", "they have") };
        format!(
            "{} {verb} on {} alone: {they} a table of their own",
            columns.join(", "),
            layout.entity.join(", ")
        )
    })
}

fn millis(ms: f64) -> String {
    match ms {
        ms if ms >= 100.0 => format!("{ms:.0} ms"),
        ms if ms >= 1.0 => format!("{ms:.2} ms"),
        ms => format!("{ms:.3} ms"),
    }
}

/// A number of things, without a fraction unless it is small.
fn count(number: f64) -> String {
    if number < 10.0 && number.fract() > 0.05 { format!("{number:.1}") } else { format!("{number:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{facts, table};
    use crate::time::{Demands, Group, TimeKind, Whose, choose, enumerate, predict};
    use tablesmith_model::cost::Prices;

    #[test]
    fn a_person_learns_what_is_better_and_by_how_much() {
        let facts = Facts { fixed: vec!["name".into(), "place".into()], ..facts(1) };
        let kind = TimeKind::Aggregate { entities: Whose::All, length: 8.0 * 86_400e3, group: Group::All };
        let queries = [TimeQuery { name: "average".into(), rate: 1.0, kind, metrics: vec!["m0".into()] }];
        let candidate = |layout: SeriesLayout| {
            let prediction = predict(&layout, &facts, &queries, &Prices::guessed(), 1.0);
            Candidate { layout, prediction, observed: None }
        };
        let layouts = enumerate(&table(1), &facts, Demands::default()).layouts;
        let choice = choose(&table(1), &facts, &queries, layouts.into_iter().map(candidate).collect());
        let told = choice.reasons.join("\n");
        for word in [
            "predicted",
            "the next",
            "the plain tall/one/entity-time/each",
            "`average` has 100 %",
            "goes through",
            "name, place depend on station alone",
        ] {
            assert!(told.contains(word), "{word}: {told}");
        }
        assert!(told.contains("bytes before compression; in the plain layout"), "{told}");
    }
}
