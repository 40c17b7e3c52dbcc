//! What a key does to reads: how many calls a point read, a range in id order and the rows of one entity take.
//!
//! A key is walked from its first part on. A part that is known from what is asked narrows the keys to one value; a
//! prefix that is not known is tried in all its values (a fan-out); the first part that is neither ends the walk. A
//! walk that has found nothing to begin with is a scan of the whole table.

use tablesmith_model::cost::{Operations, Prices};
use tablesmith_model::key::{Key, Part};

/// How often which read happens, as weights; only their ratio matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadWeights {
    /// Point reads.
    pub point: f64,
    /// Ranges in id order.
    pub range: f64,
    /// Scans of one entity.
    pub entity: f64,
    /// Rows of a range.
    pub range_rows: u64,
    /// A call and its seek cost as much as reading so many rows; only the order of strategies rests on it.
    pub call_in_rows: f64,
}

impl Default for ReadWeights {
    fn default() -> Self {
        Self { point: 1.0, range: 0.1, entity: 0.1, range_rows: 1_000, call_in_rows: 100.0 }
    }
}

impl ReadWeights {
    /// The same with a call's price from a price list, for rows of so many cells and bytes.
    #[must_use]
    pub fn priced(self, prices: &Prices, row_cells: f64, row_bytes: f64) -> Self {
        let call = Operations { calls: 1.0, regions: 1.0, seeks: 1.0, ..Operations::NONE };
        let row = Operations {
            rows: 1.0,
            family_rows: 1.0,
            cells: row_cells,
            bytes: row_bytes,
            cells_returned: row_cells,
            bytes_returned: row_bytes,
            ..Operations::NONE
        };
        let in_rows = prices.cost(&call) / prices.cost(&row);
        Self { call_in_rows: if in_rows.is_finite() { in_rows } else { self.call_in_rows }, ..self }
    }
}

/// What a read costs.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadCost {
    /// Whether the key serves it at all, without reading the whole table.
    pub possible: bool,
    /// Calls: gets or scanners to be opened.
    pub calls: u64,
    /// Regions that are touched.
    pub regions: u64,
    /// Rows that are read.
    pub rows_read: u64,
    /// How it is done, or why it is not possible.
    pub how: String,
}

/// What the reads of a table cost under a key.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadCosts {
    /// One row by its id.
    pub point: ReadCost,
    /// Rows in id order.
    pub range: ReadCost,
    /// The rows of one entity; none when every row is its own.
    pub entity: Option<ReadCost>,
}

/// What is known of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableFacts<'a> {
    /// The columns of the id.
    pub id: &'a [String],
    /// The columns of the entity; empty when every row is its own.
    pub entity: &'a [String],
    /// Rows in all.
    pub rows: u64,
    /// Regions.
    pub regions: usize,
    /// Rows of one entity, on average.
    pub rows_per_entity: f64,
    /// Rows of a range.
    pub range_rows: u64,
    /// Buckets of time that the rows lie in.
    pub buckets: u64,
    /// Rows that are read in the time of a call.
    pub call_in_rows: f64,
}

impl ReadCost {
    /// One figure to rank by: calls and rows together.
    pub fn weight(&self, call_in_rows: f64) -> f64 {
        self.calls as f64 * call_in_rows + self.rows_read as f64
    }
}

/// What the reads of a table cost under a key.
pub fn costs(key: &Key, facts: &TableFacts<'_>) -> ReadCosts {
    let of_id = |field: &str| facts.id.iter().any(|own| own == field);
    let of_entity = |field: &str| facts.entity.iter().any(|own| own == field);
    let point = told(key, walk(key, facts, of_id), facts, 1, "get");
    let entity_rows = (facts.rows_per_entity.round() as u64).max(1);
    let entity = (!facts.entity.is_empty())
        .then(|| told(key, walk(key, facts, of_entity), facts, entity_rows, "scan"));
    ReadCosts { point, range: range(key, facts), entity }
}

/// How far a key leads from what is known.
struct Walk {
    /// Combinations of the prefixes that are not known.
    ranges: u64,
    /// Parts that are tried in all their values.
    tried: Vec<String>,
    /// Fields of the key that narrowed it.
    narrowed: bool,
}

fn walk(key: &Key, facts: &TableFacts<'_>, known: impl Fn(&str) -> bool) -> Walk {
    let mut walk = Walk { ranges: 1, tried: Vec::new(), narrowed: false };
    for part in &key.parts {
        let fields = part.fields();
        if !fields.is_empty() && fields.iter().all(|field| known(field)) {
            // A remainder narrows the keys, but only what comes back tells rows apart.
            walk.narrowed |= part.prefixes().is_none();
            continue;
        }
        match values_to_try(part, facts) {
            Some(values) => {
                walk.ranges = walk.ranges.saturating_mul(values);
                walk.tried.push(part.to_string());
            }
            None if matches!(part, Part::Const(_)) => {}
            None => break,
        }
    }
    walk
}

/// How many values a part has that is not known; none when they cannot all be tried.
fn values_to_try(part: &Part, facts: &TableFacts<'_>) -> Option<u64> {
    match part {
        Part::Bucket { .. } => Some(facts.buckets.max(1)),
        part => part.prefixes().map(|modulus| modulus.get()),
    }
}

fn told(key: &Key, walk: Walk, facts: &TableFacts<'_>, rows: u64, call: &str) -> ReadCost {
    if !walk.narrowed {
        let first = key.parts.first().map(ToString::to_string).unwrap_or_default();
        return whole_table(
            facts,
            format!("the key begins with {first}, which is not known: the whole table is read"),
        );
    }
    let how = match walk.tried.as_slice() {
        [] => format!("one {call}"),
        tried => format!(
            "{} must be tried in all values: one {call} for each of {}",
            tried.join(", "),
            walk.ranges
        ),
    };
    fan_out(walk.ranges, rows, facts, how)
}

/// Rows in the order of the id: possible when the id stands in order behind prefixes that can all be tried.
fn range(key: &Key, facts: &TableFacts<'_>) -> ReadCost {
    let Some(first) = facts.id.first() else {
        return whole_table(facts, "there is no id".to_owned());
    };
    let mut ranges = 1_u64;
    let mut tried = Vec::new();
    for part in &key.parts {
        match part {
            Part::Field(field) | Part::Pad { field, .. } if field == first => {
                return fan_out(ranges, facts.range_rows, facts, merged("in order", ranges, &tried));
            }
            Part::Desc(field) if field == first => {
                return fan_out(ranges, facts.range_rows, facts, merged("the last first", ranges, &tried));
            }
            // The stretch of the id's own first column keeps the order.
            Part::Bucket { field, .. } if field == first => {}
            Part::Const(_) => {}
            // Consecutive numbers leave consecutive remainders: no more prefixes than the range has numbers.
            Part::Mod { field, modulus } if field == first => {
                ranges = ranges.saturating_mul(modulus.get().min(facts.range_rows.max(1)));
                tried.push(part.to_string());
            }
            part => match values_to_try(part, facts) {
                Some(values) => {
                    ranges = ranges.saturating_mul(values);
                    tried.push(part.to_string());
                }
                None => {
                    let reason = format!(
                        "{part} does not keep the order of {first:?}: the whole table is read and sorted"
                    );
                    return whole_table(facts, reason);
                }
            },
        }
    }
    whole_table(facts, format!("no part of the key keeps the order of {first:?}"))
}

fn merged(order: &str, ranges: u64, tried: &[String]) -> String {
    match tried {
        [] => format!("one scan, {order}"),
        tried => format!("a fan-out over {}: {ranges} scanners, merged {order}", tried.join(", ")),
    }
}

/// So many ranges that together give so many rows; the whole table instead when that is cheaper.
fn fan_out(ranges: u64, rows: u64, facts: &TableFacts<'_>, how: String) -> ReadCost {
    let regions = facts.regions.max(1) as u64;
    let rows_per_region = (facts.rows / regions).max(1);
    // Each range begins in one region and goes on into the next ones when it has more rows than a region.
    let per_range = 1 + (rows / ranges.max(1)).saturating_sub(1) / rows_per_region;
    let regions = regions.min(ranges.saturating_mul(per_range));
    let cost =
        ReadCost { possible: true, calls: ranges.max(regions.min(per_range)), regions, rows_read: rows, how };
    let whole = whole_table(
        facts,
        format!(
            "{ranges} scanners would cost more than the whole table: it is read and sorted; take fewer prefixes"
        ),
    );
    let weight = |cost: &ReadCost| cost.weight(facts.call_in_rows);
    if ranges > 1 && weight(&whole) < weight(&cost) { whole } else { cost }
}

fn whole_table(facts: &TableFacts<'_>, how: String) -> ReadCost {
    let regions = facts.regions.max(1) as u64;
    ReadCost { possible: false, calls: regions, regions, rows_read: facts.rows, how }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::KeyEncoding;

    fn of(parts: &[&str]) -> ReadCosts {
        let (id, entity) = (["user".to_owned(), "at".to_owned()], ["user".to_owned()]);
        let facts = TableFacts {
            id: &id,
            entity: &entity,
            rows: 1_000_000,
            regions: 15,
            rows_per_entity: 50.0,
            range_rows: 1_000,
            buckets: 24,
            call_in_rows: 100.0,
        };
        costs(&Key::parse(parts, KeyEncoding::Binary).unwrap(), &facts)
    }

    #[test]
    fn a_plain_key_reads_cheaply() {
        let costs = of(&["user", "at"]);
        assert_eq!((costs.point.calls, costs.point.regions, costs.point.rows_read), (1, 1, 1));
        assert_eq!((costs.range.calls, costs.range.rows_read), (1, 1_000));
        assert_eq!(costs.entity.unwrap().rows_read, 50);
    }

    #[test]
    fn a_prefix_of_the_whole_id_scatters_an_entity_and_one_of_its_part_does_not() {
        let whole = of(&["md5_mod(user, at, 60)", "user", "at"]);
        assert_eq!((whole.point.calls, whole.range.calls), (1, 60));
        assert_eq!(whole.entity.unwrap().calls, 60);
        let part = of(&["md5_mod(user, 60)", "user", "at"]);
        assert_eq!((part.point.calls, part.range.calls), (1, 60));
        assert_eq!(part.entity.unwrap().calls, 1);
    }

    #[test]
    fn random_prefixes_cannot_be_computed() {
        let costs = of(&["random(60)", "user", "at"]);
        assert!(costs.point.possible && costs.point.calls == 60 && costs.point.how.contains("random(60)"));
        let many = of(&["random(1000000)", "user", "at"]);
        assert!(!many.point.possible && many.point.how.contains("fewer prefixes"), "{}", many.point.how);
    }

    #[test]
    fn digests_and_reversed_texts_have_no_order() {
        for parts in [&["md5(user)", "user", "at"][..], &["reverse(user)", "at"]] {
            let costs = of(parts);
            assert!(!costs.range.possible && costs.range.rows_read == 1_000_000, "{parts:?}");
            assert!(costs.range.how.contains("does not keep the order"));
            assert_eq!((costs.point.calls, costs.entity.unwrap().calls), (1, 1));
        }
    }

    #[test]
    fn a_dear_call_is_worth_many_rows() {
        let mut prices = Prices::guessed();
        let of = |prices: &Prices| ReadWeights::default().priced(prices, 10.0, 200.0).call_in_rows;
        let guessed = of(&prices);
        assert!((50.0..200.0).contains(&guessed), "{guessed}");
        prices.each_ms.calls *= 100.0;
        assert!(of(&prices) > 20.0 * guessed);
        prices.each_ms = Operations::NONE;
        assert_eq!(of(&prices), ReadWeights::default().call_in_rows, "prices of nothing say nothing");
    }

    #[test]
    fn buckets_are_asked_one_by_one() {
        let costs = of(&["bucket(at, \"1h\")", "user", "at"]);
        assert_eq!((costs.point.calls, costs.range.calls, costs.entity.unwrap().calls), (1, 24, 24));
    }

    #[test]
    fn remainders_of_consecutive_numbers_are_as_many_as_the_range_has() {
        assert_eq!(of(&["mod(user, 5000)", "user", "at"]).range.calls, 1_000);
        assert_eq!(of(&["desc(user)", "at"]).range.calls, 1);
    }
}
