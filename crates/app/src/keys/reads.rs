//! How often which read happens: as `--reads point=1,range=5,entity=20,rows=1000` says, else as the workload's queries have
//! it.

use std::fmt;

use tablesmith_design::keys::asked;
use tablesmith_design::keys::reads::ReadWeights;
use tablesmith_model::workload::{Table, Workload};

/// Who says how often which read happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadsFrom {
    /// The command line.
    CommandLine,
    /// The rates and predicates of the workload's queries.
    Queries,
    /// Nobody: a guess.
    Nobody,
}

impl fmt::Display for ReadsFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CommandLine => "as said",
            Self::Queries => "as the workload's queries have it",
            Self::Nobody => "a guess: no query reads by the id",
        })
    }
}

/// How often which read happens; what is not said is as the judge has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reads {
    point: Option<f64>,
    range: Option<f64>,
    entity: Option<f64>,
    rows: Option<u64>,
}

impl Reads {
    /// Reads `name=number` with commas between.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reads = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let Some((name, number)) = word.split_once('=') else {
                return Err(format!("{word:?} is no name=number"));
            };
            let weight = || match number.parse::<f64>() {
                Ok(weight) if weight >= 0.0 && weight.is_finite() => Ok(Some(weight)),
                _ => Err(format!("{number:?} is no weight: expected a number from 0")),
            };
            match name.trim() {
                "point" => reads.point = weight()?,
                "range" => reads.range = weight()?,
                "entity" => reads.entity = weight()?,
                "rows" => match number.parse() {
                    Ok(rows) if rows > 0 => reads.rows = Some(rows),
                    _ => return Err(format!("{number:?} is no number of rows from 1")),
                },
                other => {
                    return Err(format!(
                        "{other:?} is no kind of read: expected point, range, entity or rows"
                    ));
                }
            }
        }
        Ok(reads)
    }

    /// The weights of a table's reads, and who says so. What the command line says wins over the queries of the workload.
    pub fn of_table(
        self,
        workload: Option<&Workload>,
        table: &Table,
        id: &[String],
        entity: &[String],
    ) -> (ReadWeights, ReadsFrom) {
        if self.is_said() {
            return (self.weights(), ReadsFrom::CommandLine);
        }
        match workload.and_then(|workload| asked::reads(workload, table, id, entity)) {
            Some(found) => {
                let range_rows = self.rows.unwrap_or(found.range_rows);
                (ReadWeights { range_rows, ..found }, ReadsFrom::Queries)
            }
            None => (self.weights(), ReadsFrom::Nobody),
        }
    }

    fn is_said(self) -> bool {
        [self.point, self.range, self.entity].iter().any(Option::is_some)
    }

    /// The weights. As soon as one is said, those that are not are 0.
    fn weights(self) -> ReadWeights {
        let (default, is_said) = (ReadWeights::default(), self.is_said());
        let or = |weight: Option<f64>, default: f64| weight.unwrap_or(if is_said { 0.0 } else { default });
        ReadWeights {
            point: or(self.point, default.point),
            range: or(self.range, default.range),
            entity: or(self.entity, default.entity),
            range_rows: self.rows.unwrap_or(default.range_rows),
            ..default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_not_read_unless_nothing_is_said() {
        let weights = |text: &str| Reads::parse(text).unwrap().weights();
        assert_eq!(weights(""), ReadWeights::default());
        let said = weights("range=5, rows=10");
        assert_eq!((said.point, said.range, said.entity, said.range_rows), (0.0, 5.0, 0.0, 10));
        assert_eq!(weights("rows=7").point, ReadWeights::default().point);
        for bad in ["range", "range=-1", "range=x", "rows=0", "scan=1", "point=inf"] {
            assert!(Reads::parse(bad).is_err(), "{bad}");
        }
    }
}
