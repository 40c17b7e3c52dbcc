//! What is the same in the answers of all designs: their rows as a multiset, and as a list where the statement orders them.
//!
//! Rows that an ORDER BY leaves tied may come in any order, so the list is that of the values ordered by. Where a LIMIT cuts
//! an answer off, which rows are left is open: all of them without an ORDER BY, else those that tie with the last.

use tablesmith_model::value::{KeyEncoding, Value};
use tablesmith_sql::executable::{OutputColumn, Query};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Significant digits of computed floating-point numbers that count: sums depend on the order of their terms.
const FLOAT_DIGITS: usize = 9;

/// A digest of an answer, fed row by row.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    /// The columns of the answer that the statement shows.
    shown: usize,
    limit: Option<u64>,
    is_ordered: bool,
    rows: u64,
    /// The sum of the rows' hashes: the same in every order.
    sum: u64,
    /// The hash of the values ordered by, as a list.
    order: u64,
    /// The hash of the values that the last row is ordered by, and the sum of the hashes of the rows that tie with it.
    last: Option<(u64, u64)>,
    bytes: Vec<u8>,
}

impl Digest {
    /// The digest of a query's answer, and the query with the values that it is ordered by as further columns.
    pub fn of(query: &Query) -> (Self, Query) {
        let mut with_order = query.clone();
        // With DISTINCT, what an answer is ordered by is shown already.
        if !query.distinct {
            let order =
                query.order.iter().map(|order| OutputColumn { name: String::new(), expr: order.by.clone() });
            with_order.outputs.extend(order);
        }
        let digest = Self {
            shown: query.outputs.len(),
            limit: query.limit,
            is_ordered: !query.order.is_empty() && !query.distinct,
            ..Self::default()
        };
        (digest, with_order)
    }

    /// Adds the next row.
    pub fn add(&mut self, row: &[Value]) {
        let (shown, by) = row.split_at_checked(self.shown).unwrap_or((row, &[]));
        let hash = self.hash(shown);
        self.rows += 1;
        self.sum = self.sum.wrapping_add(hash);
        if self.is_ordered {
            let key = self.hash(by);
            self.order = xxh3_64_with_seed(&key.to_be_bytes(), self.order);
            self.last = match self.last {
                Some((last, tied)) if last == key => Some((key, tied.wrapping_add(hash))),
                _ => Some((key, hash)),
            };
        }
    }

    /// The number of rows, and a hash of all that every design must answer alike.
    pub fn finish(&self) -> (u64, u64) {
        let is_cut = self.limit.is_some_and(|limit| self.rows >= limit);
        let open = match (is_cut, self.is_ordered) {
            (false, _) => 0,
            (true, false) => self.sum,
            (true, true) => self.last.map_or(0, |(_, tied)| tied),
        };
        let parts = [self.rows, self.sum.wrapping_sub(open), self.order];
        (self.rows, xxh3_64(&parts.map(u64::to_be_bytes).concat()))
    }

    /// The hash of a row in the binary encoding of keys: one code for each value, and none is the beginning of another.
    fn hash(&mut self, row: &[Value]) -> u64 {
        self.bytes.clear();
        for value in row {
            let Some(value_type) = value.value_type() else {
                self.bytes.push(0);
                continue;
            };
            self.bytes.push(1 + value_type as u8);
            match value {
                Value::Float(number) => self.bytes.extend(rounded(*number).as_bytes()),
                // A value always goes in as its own type.
                value => drop(KeyEncoding::Binary.encode(value_type, value, &mut self.bytes)),
            }
        }
        xxh3_64(&self.bytes)
    }
}

/// A number as far as it counts, as text.
fn rounded(number: f64) -> String {
    // Zero is zero, whatever its sign.
    format!("{:.*e}\0", FLOAT_DIGITS - 1, if number == 0.0 { 0.0 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::ValueType;
    use tablesmith_sql::executable::{Column, Expr, Order};

    fn digest(order: bool, limit: Option<u64>, rows: &[(i64, i64)]) -> (u64, u64) {
        let column = |name: &str| Column { source: 0, name: name.into(), value_type: ValueType::Int };
        let item = |name: &str| OutputColumn { name: name.into(), expr: Expr::Column(column(name)) };
        let by = Order { by: Expr::Column(column("k")), descending: false, nulls_first: true };
        let order = if order { vec![by] } else { Vec::new() };
        let query = Query { outputs: vec![item("v")], order, limit, ..Query::default() };
        let (mut digest, query) = Digest::of(&query);
        for (key, value) in rows {
            let row = [Value::Int(*value), Value::Int(*key)];
            digest.add(row.get(..query.outputs.len()).unwrap());
        }
        digest.finish()
    }

    #[test]
    fn answers_are_multisets_without_an_order() {
        let plain = |rows: &[(i64, i64)]| digest(false, None, rows);
        assert_eq!(plain(&[(0, 1), (0, 2), (0, 2)]), plain(&[(0, 2), (0, 1), (0, 2)]));
        assert_ne!(plain(&[(0, 1), (0, 2)]), plain(&[(0, 1), (0, 2), (0, 2)]));
        assert_ne!(plain(&[(0, 1), (0, 1)]), plain(&[(0, 2), (0, 2)]));
        let cut = |rows: &[(i64, i64)]| digest(false, Some(2), rows);
        assert_eq!(cut(&[(0, 1), (0, 2)]), cut(&[(0, 3), (0, 4)]), "any two rows will do");
        assert_ne!(cut(&[(0, 1)]), cut(&[(0, 2)]), "nothing was cut off");
    }

    #[test]
    fn answers_are_lists_where_the_order_is_fixed() {
        let ordered = |rows: &[(i64, i64)]| digest(true, None, rows);
        assert_eq!(ordered(&[(1, 1), (2, 2), (2, 3)]), ordered(&[(1, 1), (2, 3), (2, 2)]), "two rows tie");
        assert_ne!(ordered(&[(1, 1), (2, 2)]), ordered(&[(2, 2), (1, 1)]), "rows came in another order");
        let cut = |rows: &[(i64, i64)]| digest(true, Some(2), rows);
        assert_eq!(cut(&[(1, 1), (2, 2)]), cut(&[(1, 1), (2, 3)]), "either of the tied rows will do");
        assert_ne!(cut(&[(1, 1), (2, 2)]), cut(&[(1, 4), (2, 2)]));
        assert_ne!(cut(&[(1, 1), (2, 2)]), cut(&[(1, 1), (3, 2)]));
    }

    #[test]
    fn sums_may_differ_in_their_last_digits() {
        let float = |number: f64| {
            let mut digest = Digest { shown: 1, ..Digest::default() };
            digest.add(&[Value::Float(number)]);
            digest.finish()
        };
        assert_eq!(float(0.1 + 0.2), float(0.3));
        assert_eq!(float(-0.0), float(0.0));
        assert_ne!(float(0.3), float(0.300_000_1));
    }
}
