//! Corrects prices by what layouts took: the least squares of relative errors, held near the prices there were.

use tablesmith_design::time::{Facts, TimeQuery, predict};
use tablesmith_model::cost::{Operations, Prices};

use super::measure::LayoutTimes;
use crate::calibrate::non_negative;

/// How much a price that was there counts beside one measured time: enough to decide where nothing was measured, and not to
/// overrule what was.
const HELD: f64 = 0.1;

/// Prices that explain what was measured.
pub fn tuned(prices: &Prices, measured: &[LayoutTimes], facts: &Facts, queries: &[TimeQuery]) -> Prices {
    let mut rows: Vec<[f64; Operations::COUNT]> = Vec::new();
    let mut ratios = Vec::new();
    for times in measured {
        let expected = predict(&times.layout, facts, queries, prices, 1.0);
        for (query, ms) in expected.queries.iter().zip(&times.queries_ms) {
            if ms.is_finite() && *ms > 0.0 && query.cost_ms > 0.0 {
                rows.push(query.operations.amounts().map(|amount| amount / ms));
                ratios.push(ms / query.cost_ms);
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let Some(usual) = ratios.get(ratios.len() / 2).copied() else { return prices.clone() };
    let mut targets = vec![1.0; rows.len()];
    for (kind, price) in prices.each_ms.amounts().into_iter().enumerate() {
        let mut row = [0.0; Operations::COUNT];
        if let Some(amount) = row.get_mut(kind).filter(|_| price > 0.0) {
            *amount = HELD / (price * usual);
            rows.push(row);
            targets.push(HELD);
        }
    }
    Prices { each_ms: Operations::from_amounts(non_negative(&rows, &targets)), ..prices.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_design::time::{Demands, TimeKind, Whose, enumerate};
    use tablesmith_model::series::SeriesLayout;
    use tablesmith_model::value::ValueType;
    use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};

    fn table() -> Table {
        let columns = vec![
            Column { distinct: Some(40), ..Column::new("station", ValueType::Int) },
            Column {
                min: Some("2024-01-01T00:00:00Z".into()),
                max: Some("2024-01-10T23:59:00Z".into()),
                ..Column::new("at", ValueType::Timestamp)
            },
            Column::new("bikes", ValueType::Int),
        ];
        let time = Sequence { column: "at".into(), entity: vec!["station".into()], kind: SequenceKind::Time };
        Table { name: "reading".into(), rows: Some(576_000), columns, time: Some(time), ..Table::default() }
    }

    #[test]
    fn a_few_times_correct_prices_that_were_far_off() {
        let (table, guessed) = (table(), Prices::guessed());
        let facts = Facts::declared(&table).unwrap();
        let query = |name: &str, kind| TimeQuery {
            name: name.into(),
            rate: 1.0,
            kind,
            metrics: vec!["bikes".into()],
        };
        let queries = [
            query("range", TimeKind::Range { entities: Whose::Named(1.0), length: 86_400e3 }),
            query("write", TimeKind::Write { readings: 40.0 }),
        ];
        // A store in which calls are nearly free and cells are dear.
        let true_prices = Prices {
            each_ms: Operations {
                calls: 0.003,
                seeks: 0.002,
                write_calls: 0.005,
                cells: 0.003,
                ..guessed.each_ms
            },
            ..guessed.clone()
        };
        let layouts = enumerate(&table, &facts, Demands::default()).layouts;
        let ms = |layout: &SeriesLayout, prices: &Prices| -> Vec<f64> {
            predict(layout, &facts, &queries, prices, 1.0).queries.iter().map(|query| query.cost_ms).collect()
        };
        let times = |layout: &SeriesLayout| LayoutTimes {
            layout: layout.clone(),
            queries_ms: ms(layout, &true_prices),
            cost_ms: 0.0,
            passes: 1,
            round: 1,
            load_ms: 0.0,
            reading_bytes: None,
        };
        let few: Vec<LayoutTimes> = layouts.iter().step_by(layouts.len() / 5).map(times).collect();
        let found = tuned(&guessed, &few, &facts, &queries);
        let off = |prices: &Prices| -> f64 {
            let errors = layouts.iter().flat_map(|layout| {
                let pairs = ms(layout, prices).into_iter().zip(ms(layout, &true_prices));
                pairs.map(|(one, two)| (one / two).ln().abs()).collect::<Vec<_>>()
            });
            errors.clone().sum::<f64>() / errors.count() as f64
        };
        assert!(off(&found) < off(&guessed) / 2.0, "{} and {}", off(&found), off(&guessed));
        assert_eq!(tuned(&guessed, &[], &facts, &queries), guessed);
    }
}
