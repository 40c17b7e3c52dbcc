//! Aggregation inside the region servers, by the coprocessor that HBase brings along.
//!
//! A table has it when its schema (or the servers' configuration) names [`COPROCESSOR`]. Values are 8-byte integers, big
//! end first; cells with values of another length are passed over.

use bytes::Bytes;
use prost::Message;

use crate::region::range::KeyRange;
use crate::request::reads;
use crate::wire::WireError;
use crate::{Error, Scan, ServiceMethod, Table, pb};

/// The class of the coprocessor, for [`TableSchema::coprocessor`](crate::TableSchema::coprocessor).
pub const COPROCESSOR: &str = "org.apache.hadoop.hbase.coprocessor.AggregateImplementation";

const SERVICE: &str = "AggregateService";
/// How the service reads a cell's value.
const INTERPRETER: &str = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";

/// Questions about the cells that a scan would bring, answered in the regions, all at the same time. Each question reads
/// all these cells. A filter is asked in each region for itself.
///
/// ```no_run
/// # async fn example(client: hbase::Client) -> Result<(), hbase::Error> {
/// use hbase::Scan;
///
/// let sold = client.table("sales")?.aggregate(Scan::range("2024", "2025").column("d", "cents"));
/// println!("{} sales, {:?} cents in all, {:?} at most", sold.row_count().await?, sold.sum().await?, sold.max().await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Aggregation {
    table: Table,
    scan: Scan,
}

/// What mean and standard deviation are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// Rows.
    pub rows: u64,
    /// The sum of all values.
    pub sum: i128,
    /// The sum of the squares of the rows' sums. (A row has one value when one version of one column is asked for.)
    pub sum_of_squares: i128,
}

impl Moments {
    /// The mean; `None` without rows.
    pub fn mean(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum as f64 / self.rows as f64)
    }

    /// The standard deviation of the rows as a whole; `None` without rows.
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let variance = self.sum_of_squares as f64 / self.rows as f64 - mean * mean;
        // Rounding can leave a little less than nothing.
        Some(variance.max(0.0).sqrt())
    }
}

impl Table {
    /// Aggregates what a scan would bring, in the region servers.
    pub fn aggregate(&self, scan: Scan) -> Aggregation {
        Aggregation { table: self.clone(), scan }
    }
}

impl Aggregation {
    /// How many rows the scan would bring.
    pub async fn row_count(&self) -> Result<u64, Error> {
        count_of(&self.ask("GetRowNum", row_count_scan(&self.scan)?).await?)
    }

    /// How many cells the scan would bring, all versions that it takes included. The scan names its columns, and its filter
    /// must not decide about rows as a whole.
    pub async fn cell_count(&self) -> Result<u64, Error> {
        let mut scan = row_count_scan(&self.scan)?;
        if scan.column.is_empty() || scan.column.iter().any(|family| family.qualifier.is_empty()) {
            return Err(Error::InvalidArgument("cells are counted in columns with a name".to_owned()));
        }
        // The service counts what it gets at a time: rows, or pieces of them when the scan cuts them.
        scan.batch_size = Some(1);
        count_of(&self.ask("GetRowNum", scan).await?)
    }

    /// The sum of all values; `None` when there are none. Each region adds up 64-bit integers and lets them overflow.
    pub async fn sum(&self) -> Result<Option<i128>, Error> {
        let sums = self.ask_for_numbers("GetSum").await?;
        Ok(sums.into_iter().map(i128::from).reduce(|one, other| one + other))
    }

    /// The least value; `None` when there are none.
    pub async fn min(&self) -> Result<Option<i64>, Error> {
        Ok(self.ask_for_numbers("GetMin").await?.into_iter().min())
    }

    /// The greatest value; `None` when there are none.
    pub async fn max(&self) -> Result<Option<i64>, Error> {
        Ok(self.ask_for_numbers("GetMax").await?.into_iter().max())
    }

    /// What mean and standard deviation are made of. Rows without a number count as 0. What is written between the two
    /// questions that this takes may be in one of them only; and sums may overflow, see [`Aggregation::sum`].
    pub async fn moments(&self) -> Result<Moments, Error> {
        // The service counts rows here too, but one too many where a region ends with rows that the scan leaves out.
        let rows = self.row_count().await?;
        let mut moments = Moments { rows, ..Moments::default() };
        for part in self.ask("GetStd", values_scan(&self.scan)?).await? {
            if let [sum, squares] = &part.first_part[..] {
                moments.sum += i128::from(number(sum)?);
                moments.sum_of_squares += i128::from(number(squares)?);
            }
        }
        Ok(moments)
    }

    /// One number of each region that has any.
    async fn ask_for_numbers(&self, method: &str) -> Result<Vec<i64>, Error> {
        let parts = self.ask(method, values_scan(&self.scan)?).await?;
        parts.iter().filter_map(|part| part.first_part.first()).map(number).collect()
    }

    async fn ask(&self, method: &str, scan: pb::Scan) -> Result<Vec<pb::AggregateResponse>, Error> {
        let Some(range) = KeyRange::of_scan(&self.scan) else { return Ok(Vec::new()) };
        let method = ServiceMethod::new(SERVICE, method);
        let request = move |start: &Bytes, stop: &Bytes| request(&scan, start, stop);
        let answers = self.table.exec_service_in_range(range.start, range.stop, &method, request).await?;
        let read =
            |message: Bytes| pb::AggregateResponse::decode(message).map_err(|error| protocol(error.into()));
        answers.into_iter().map(|answer| read(answer.message)).collect()
    }
}

/// The question for one share of the range.
fn request(scan: &pb::Scan, start: &Bytes, stop: &Bytes) -> Bytes {
    let scan = pb::Scan {
        start_row: Some(start.clone()),
        include_start_row: Some(true),
        stop_row: Some(stop.clone()),
        include_stop_row: Some(false),
        ..scan.clone()
    };
    pb::AggregateRequest { interpreter_class_name: INTERPRETER.to_owned(), scan }.encode_to_vec().into()
}

fn values_scan(scan: &Scan) -> Result<pb::Scan, Error> {
    let scan = plain_scan(scan)?;
    match scan.column.len() {
        1 => Ok(scan),
        _ => Err(Error::InvalidArgument("values are aggregated in exactly one family".to_owned())),
    }
}

/// When it counts rows, the service loses the first column of the first family before it reads. So there goes one more
/// before it, with the empty name, which sorts before all others.
fn row_count_scan(scan: &Scan) -> Result<pb::Scan, Error> {
    let mut scan = plain_scan(scan)?;
    if let Some(family) = scan.column.first_mut()
        && let Some(first) = family.qualifier.first()
    {
        if first.is_empty() {
            return Err(Error::InvalidArgument(
                "HBase cannot count the rows that have the column with the empty name: scan instead"
                    .to_owned(),
            ));
        }
        family.qualifier.insert(0, Bytes::new());
    }
    Ok(scan)
}

/// Refuses what the service would pass over or stumble on.
fn plain_scan(scan: &Scan) -> Result<pb::Scan, Error> {
    match (scan.reversed, scan.limit, scan.batch) {
        (false, None, None) => Ok(reads::scan(scan, 0)),
        _ => Err(Error::InvalidArgument("an aggregation has no direction, limit or batch".to_owned())),
    }
}

fn count_of(parts: &[pb::AggregateResponse]) -> Result<u64, Error> {
    parts.iter().filter_map(|part| part.first_part.first()).map(count).sum()
}

/// A count is 8 bytes, big end first.
fn count(bytes: &Bytes) -> Result<u64, Error> {
    let bytes = bytes
        .as_ref()
        .try_into()
        .map_err(|_| Error::Protocol(format!("a count of {} bytes", bytes.len())))?;
    Ok(u64::from_be_bytes(bytes))
}

/// A number is a message.
fn number(bytes: &Bytes) -> Result<i64, Error> {
    Ok(pb::LongMsg::decode(bytes.clone()).map_err(|error| protocol(error.into()))?.long_msg)
}

fn protocol(error: WireError) -> Error {
    Error::Protocol(error.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_come_of_the_moments() {
        let moments = Moments { rows: 4, sum: 20, sum_of_squares: 120 };
        assert_eq!(moments.mean(), Some(5.0));
        assert_eq!(moments.standard_deviation(), Some(5f64.sqrt()));
        assert_eq!(Moments::default().standard_deviation(), None);
    }

    #[test]
    fn a_column_is_counted_behind_one_that_gets_lost() {
        let counted = |scan: Scan| row_count_scan(&scan).map(|scan| scan.column);
        let qualifiers = counted(Scan::all().column("f", "q")).unwrap()[0].qualifier.clone();
        assert_eq!(qualifiers, ["", "q"]);
        assert!(counted(Scan::all().family("f")).unwrap()[0].qualifier.is_empty());
        assert!(counted(Scan::all()).unwrap().is_empty());
        assert!(counted(Scan::all().column("f", "")).is_err());
    }

    #[test]
    fn what_the_service_would_pass_over_is_refused() {
        assert!(plain_scan(&Scan::all()).is_ok());
        for scan in [Scan::all().limit(1), Scan::all().reversed(), Scan { batch: Some(1), ..Scan::all() }] {
            assert!(plain_scan(&scan).is_err());
        }
        assert!(values_scan(&Scan::all()).is_err());
        assert!(values_scan(&Scan::all().family("a").family("b")).is_err());
        assert!(values_scan(&Scan::all().column("a", "q")).is_ok());
    }

    #[test]
    fn a_share_has_its_own_ends() {
        let bytes = request(&reads::scan(&Scan::range("a", "z"), 0), &"c".into(), &"d".into());
        let scan = pb::AggregateRequest::decode(bytes).unwrap().scan;
        assert_eq!((scan.start_row.unwrap(), scan.stop_row.unwrap()), ("c".into(), "d".into()));
        assert_eq!((scan.include_start_row, scan.include_stop_row), (Some(true), Some(false)));
    }
}
