//! A layout by its name: `versions/1d/entity-time/each`.

use tablesmith_model::key::BucketWidth;
use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, Span};
use tablesmith_model::workload::Table;

/// The layout of a name, or a sentence that says what is wrong.
pub fn parse(name: &str, table: &Table) -> Result<SeriesLayout, String> {
    let wrong = || format!("{name:?} is no layout: write it as versions/1d/entity-time/each");
    let [dimension, span, order, cells] = name.split('/').collect::<Vec<_>>()[..] else {
        return Err(wrong());
    };
    let cells = CellShape::ALL.into_iter().find(|shape| shape.name() == cells);
    let layout = SeriesLayout {
        dimension: Dimension::from_name(dimension).ok_or_else(wrong)?,
        span: span_of(span).ok_or_else(wrong)?,
        order: order_of(order).ok_or_else(wrong)?,
        cells: cells.ok_or_else(wrong)?,
        ..SeriesLayout::tall(table).map_err(|error| error.to_string())?
    };
    layout.check(table).map_err(|error| error.to_string())?;
    Ok(layout)
}

fn span_of(text: &str) -> Option<Span> {
    match text {
        "one" => Some(Span::Each),
        "all" => Some(Span::Unbounded),
        text => Some(Span::Of(match BucketWidth::parse(text)? {
            BucketWidth::Count(numbers) => numbers,
            BucketWidth::Time(length) => u64::try_from(length.as_millis()).ok()?,
        })),
    }
}

fn order_of(text: &str) -> Option<KeyOrder> {
    let plain = [
        KeyOrder::EntityTime,
        KeyOrder::TimeEntity,
        KeyOrder::ReversedEntityTime,
        KeyOrder::HashedEntityTime,
    ];
    let buckets = |kind: &str, rest: &str| text.strip_prefix(kind)?.strip_suffix(rest)?.parse().ok();
    let salted = buckets("salted-", "-entity-time").map(|buckets| KeyOrder::SaltedEntityTime { buckets });
    let bucketed = || buckets("bucketed-", "-time").map(|buckets| KeyOrder::BucketedTime { buckets });
    plain.into_iter().find(|order| order.to_string() == text).or(salted).or_else(bucketed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::generate as data;

    #[test]
    fn every_name_is_that_of_its_layout() {
        let (stations, _) = data::bixi(0.01, 1);
        for name in [
            "versions/1d/entity-time/each",
            "packed/1w/salted-8-entity-time/together",
            "tall/one/time-entity/each",
            "wide/1h/bucketed-4-time/each",
            "versions/all/reversed-entity-time/each",
        ] {
            assert_eq!(parse(name, &stations.table).map(|layout| layout.name()), Ok(name.to_owned()));
        }
        for name in ["", "versions/1d", "deep/1d/entity-time/each", "tall/1d/entity-time/each"] {
            assert!(parse(name, &stations.table).is_err(), "{name}");
        }
    }
}
