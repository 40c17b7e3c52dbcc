//! Asks the coprocessor that HBase brings along, in the region server.

use std::time::Instant;

use bytes::Bytes;
use tablesmith_model::series::entry::NOTHING;
use tablesmith_store::filter::{Comparator, CompareOp, Filter, ListOp, RegexFlags};
use tablesmith_store::{GroupKey, Number, OpStats, Partial, StoreError};

use super::choice::Question;
use super::{Part, RegionAnswer};
use crate::error::About;
use crate::in_regions::all_at_once;

/// What a server says whose tables do not have the coprocessor.
const NOT_INSTALLED: &str = "UnknownProtocolException";

/// Numbers from here on are too large: a region would need more than 2^31 of smaller ones to leave 64 bits, which is more
/// than any server reads in one call.
const LARGE: i64 = 1 << 32;

/// What the service said.
#[derive(Clone, Copy)]
enum Said {
    Count(u64),
    Sum(Option<i128>),
    Number(Option<i64>),
    NotInstalled,
}

impl Part {
    /// Asks all questions at the same time. Where the table does not have the coprocessor, or has numbers that it cannot add
    /// up, a scan does it.
    pub(super) async fn ask(self, questions: Vec<Question>) -> RegionAnswer {
        let begun = Instant::now();
        let calls = questions.iter().map(|question| self.say(*question)).collect::<Vec<_>>();
        let said = all_at_once(calls).await?;
        match figures(questions.iter().copied().zip(said)) {
            Some((is_there, partial)) => {
                let stats = OpStats { regions: Some(1), time: Some(begun.elapsed()), ..OpStats::default() };
                let wanted = self.aggregate.figures.pick(&partial);
                let groups = is_there.then(|| (GroupKey::default(), wanted)).into_iter().collect();
                Ok((self.partials(begun, groups), stats))
            }
            None => self.scan().await,
        }
    }

    fn say(&self, question: Question) -> impl Future<Output = Result<Said, StoreError>> + 'static {
        let mut scan = self.part.scan.clone();
        let ours = match question {
            Question::Numbers => vec![eight_bytes()],
            Question::Large => large(),
            _ => Vec::new(),
        };
        if !ours.is_empty() {
            let filters = scan.read.filter.take().into_iter().chain(ours).collect();
            scan.read.filter = Some(Filter::List(ListOp::All, filters));
        }
        let (service, table) = (self.part.client.aggregate(scan), self.part.table.clone());
        async move {
            let said = match question {
                Question::Rows | Question::CellRows => service.row_count().await.map(Said::Count),
                Question::Cells | Question::Numbers | Question::Large => {
                    service.cell_count().await.map(Said::Count)
                }
                Question::Sum => service.sum().await.map(Said::Sum),
                Question::Min => service.min().await.map(Said::Number),
                Question::Max => service.max().await.map(Said::Number),
            };
            match said {
                Err(error) if error.exception() == Some(NOT_INSTALLED) => Ok(Said::NotInstalled),
                said => said.map_err(|error| About::Table(&table).failed(error)),
            }
        }
    }
}

/// The figures, and whether there is anything; `None` when the service cannot tell.
fn figures(answers: impl Iterator<Item = (Question, Said)>) -> Option<(bool, Partial)> {
    let mut partial = Partial::default();
    let mut is_there = false;
    let number = |number: Option<i64>| number.map(|number| Number::Int(number.into()));
    for (question, said) in answers {
        is_there |= match said {
            Said::Count(count) => count > 0,
            Said::Sum(sum) => sum.is_some(),
            Said::Number(number) => number.is_some(),
            Said::NotInstalled => return None,
        };
        match (question, said) {
            (Question::Rows, Said::Count(rows)) => partial.rows = rows,
            (Question::CellRows, Said::Count(rows)) => (partial.rows, partial.cells) = (rows, rows),
            (Question::Cells, Said::Count(cells)) => partial.cells = cells,
            (Question::Numbers, Said::Count(numbers)) => partial.numbers = numbers,
            (Question::Large, Said::Count(0)) => {}
            (Question::Sum, Said::Sum(sum)) => partial.sum = Number::Int(sum.unwrap_or_default()),
            (Question::Min, Said::Number(min)) => partial.min = number(min),
            (Question::Max, Said::Number(max)) => partial.max = number(max),
            _ => return None,
        }
    }
    Some((is_there, partial))
}

/// Passes values of 8 bytes. In this character set a byte is a character.
fn eight_bytes() -> Filter {
    let (pattern, charset) = (r"\A.{8}\z".to_owned(), "ISO-8859-1".to_owned());
    Filter::Value(CompareOp::Equal, Comparator::Regex { pattern, flags: RegexFlags::DOT_ALL, charset })
}

/// Passes large numbers, and perhaps some values that are no numbers. The bytes of numbers from -2^32 up to 2^32 lie at
/// both ends of all bytes.
fn large() -> Vec<Filter> {
    let bytes = |number: i64| Comparator::Binary(Bytes::copy_from_slice(&number.to_be_bytes()));
    vec![
        Filter::Value(CompareOp::GreaterOrEqual, bytes(LARGE)),
        Filter::Value(CompareOp::Less, bytes(-LARGE)),
        Filter::Value(CompareOp::NotEqual, Comparator::Binary(Bytes::from_static(NOTHING))),
    ]
}
