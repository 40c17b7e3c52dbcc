//! Makes one call on a layout, takes the time, and keeps the answer for comparing.

use tablesmith_access::Stopwatch;
use tablesmith_access::series::{Difference, Groups, Series, SeriesError, Summary};
use tablesmith_model::TableName;
use tablesmith_model::series::Reading;
use tablesmith_store::{Number, Store};

use super::script::Asks;

/// Sums of floating-point numbers may differ by so much of themselves: they are added up in another order.
const TOLERANCE: f64 = 1e-9;

/// What a call gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Readings, sorted.
    Readings(Vec<Reading>),
    /// Sums.
    Groups(Groups),
    /// Who came and who went.
    Difference(Difference),
    /// Nothing: it wrote.
    Nothing,
}

/// The answer of a call, and the milliseconds that it took.
pub async fn ask(
    store: &dyn Store,
    series: &Series,
    name: &TableName,
    asks: &Asks,
) -> Result<(Answer, f64), SeriesError> {
    let stopwatch = Stopwatch::start();
    let mut answer = match asks {
        Asks::Range(query) => Answer::Readings(series.range(store, name, query).await?.all().await?.value),
        Asks::Latest { entity, n, metrics } => {
            Answer::Readings(series.latest(store, name, entity, *n, metrics).await?.value)
        }
        Asks::Instant { entities, at, metrics } => {
            let readings = series.instant(store, name, entities.clone(), *at, metrics.clone()).await?;
            Answer::Readings(readings.all().await?.value)
        }
        Asks::Aggregate(query) => Answer::Groups(series.aggregate(store, name, query).await?.value),
        Asks::Compare(first, second) => {
            Answer::Difference(series.compare(store, name, *first, *second).await?.value)
        }
        Asks::Write(readings) => {
            series.write(store, name, readings).await?;
            Answer::Nothing
        }
    };
    let ms = stopwatch.lap().time.as_secs_f64() * 1e3;
    if let Answer::Readings(readings) = &mut answer {
        readings.sort_unstable();
    }
    Ok((answer, ms))
}

impl Answer {
    /// Whether both say the same, but for how sums of floating-point numbers are rounded.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Groups(one), Self::Groups(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two).all(|((group, sums), (other, others))| {
                        group == other && is_same_summary(sums, others)
                    })
            }
            (one, two) => one == two,
        }
    }
}

fn is_same_summary(one: &Summary, two: &Summary) -> bool {
    let close = |one: Number, two: Number| {
        let (one, two) = (one.as_f64(), two.as_f64());
        (one - two).abs() <= TOLERANCE * one.abs().max(two.abs())
    };
    one.count == two.count && one.min == two.min && one.max == two.max && close(one.sum, two.sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_access::series::SeriesGroup;

    fn groups(count: u64, sum: f64) -> Answer {
        let number = Number::Float(sum);
        let summary = Summary { count, sum: number, sum_of_squares: number, min: None, max: None };
        Answer::Groups([(SeriesGroup::default(), summary)].into())
    }

    #[test]
    fn sums_may_differ_in_their_last_digits_and_in_nothing_else() {
        assert!(groups(3, 0.1 + 0.2).is_same(&groups(3, 0.3)));
        assert!(!groups(3, 0.3).is_same(&groups(3, 0.300_001)));
        assert!(!groups(3, 0.3).is_same(&groups(4, 0.3)));
        assert!(!groups(3, 0.3).is_same(&Answer::Nothing));
        assert!(Answer::Nothing.is_same(&Answer::Nothing));
    }
}
