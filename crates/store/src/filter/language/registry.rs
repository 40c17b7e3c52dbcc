//! The filters by name, each made from its arguments.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;

use super::arguments::{Argument, Simple};
use super::comparison::{self, Pairing};
use super::error::{ParseError, Problem};
use crate::filter::eval::FilterRun;
use crate::filter::{ColumnCondition, Comparator, CompareOp, Filter, ListOp, RowRange};

/// Makes a filter of its name and arguments, and lets the filter's own checks look at them.
pub(super) fn build(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let filter = build_unchecked(simple)?;
    FilterRun::new(&filter, false).map_err(|error| Problem::Filter(error).at(simple.offset))?;
    Ok(filter)
}

fn build_unchecked(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    match simple.name {
        b"KeyOnlyFilter" => key_only(simple),
        b"FirstKeyOnlyFilter" => match simple.arguments.as_slice() {
            [] => Ok(Filter::FirstKeyOnly),
            _ => Err(count(simple, "FirstKeyOnlyFilter", "no arguments")),
        },
        b"PrefixFilter" => one(simple, "PrefixFilter")?.quoted().map(Filter::Prefix),
        b"ColumnPrefixFilter" => one(simple, "ColumnPrefixFilter")?.quoted().map(Filter::ColumnPrefix),
        b"MultipleColumnPrefixFilter" => multiple_column_prefix(simple),
        b"ColumnCountGetFilter" => one(simple, "ColumnCountGetFilter")?.count().map(Filter::ColumnCountGet),
        b"PageFilter" => one(simple, "PageFilter")?.count().map(Filter::Page),
        b"ColumnPaginationFilter" => column_pagination(simple),
        b"InclusiveStopFilter" => one(simple, "InclusiveStopFilter")?.quoted().map(Filter::InclusiveStop),
        b"TimestampsFilter" => timestamps(simple),
        b"RowFilter" => compared(simple, "RowFilter").map(|(op, value)| Filter::Row(op, value)),
        b"FamilyFilter" => compared(simple, "FamilyFilter").map(|(op, value)| Filter::Family(op, value)),
        b"QualifierFilter" => {
            compared(simple, "QualifierFilter").map(|(op, value)| Filter::Qualifier(op, value))
        }
        b"ValueFilter" => compared(simple, "ValueFilter").map(|(op, value)| Filter::Value(op, value)),
        b"ColumnRangeFilter" => column_range(simple),
        b"SingleColumnValueFilter" => {
            condition(simple, "SingleColumnValueFilter").map(Filter::SingleColumnValue)
        }
        b"SingleColumnValueExcludeFilter" => {
            condition(simple, "SingleColumnValueExcludeFilter").map(Filter::SingleColumnValueExclude)
        }
        b"DependentColumnFilter" => dependent_column(simple),
        b"ColumnValueFilter" => column_value(simple),
        b"FuzzyRowFilter" => fuzzy_row(simple),
        b"MultiRowRangeFilter" => multi_row_range(simple),
        b"RandomRowFilter" => random_row(simple),
        b"FilterList" => empty_list(simple),
        name => Err(Problem::UnknownFilter { name: to_text(name) }.at(simple.offset)),
    }
}

fn count(simple: &Simple<'_>, filter: &'static str, expected: &'static str) -> ParseError {
    Problem::ArgumentCount { filter, expected, found: simple.arguments.len() }.at(simple.offset)
}

fn one<'s, 'a>(simple: &'s Simple<'a>, filter: &'static str) -> Result<&'s Argument<'a>, ParseError> {
    match simple.arguments.as_slice() {
        [argument] => Ok(argument),
        _ => Err(count(simple, filter, "1 argument")),
    }
}

fn compared(simple: &Simple<'_>, filter: &'static str) -> Result<(CompareOp, Comparator), ParseError> {
    match simple.arguments.as_slice() {
        [operator, comparator] => comparison::parse(operator, comparator, Pairing::Sensible),
        _ => Err(count(simple, filter, "2 arguments: an operator and a comparator")),
    }
}

fn key_only(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let length_as_value = match simple.arguments.as_slice() {
        [] => false,
        [length_as_value] => length_as_value.boolean()?,
        _ => return Err(count(simple, "KeyOnlyFilter", "1 argument at most")),
    };
    Ok(Filter::KeyOnly { length_as_value })
}

fn multiple_column_prefix(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let prefixes = simple.arguments.iter().map(Argument::quoted).collect::<Result<_, _>>()?;
    Ok(Filter::MultipleColumnPrefix(prefixes))
}

fn column_pagination(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let [limit, offset] = simple.arguments.as_slice() else {
        return Err(count(simple, "ColumnPaginationFilter", "2 arguments: limit and offset"));
    };
    let limit = limit.count()?;
    Ok(match offset.quoted() {
        Ok(column) => Filter::ColumnPaginationFrom { limit, column },
        Err(_) => Filter::ColumnPagination { limit, offset: offset.count()? },
    })
}

fn timestamps(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let (timestamps, can_hint) = match simple.arguments.as_slice() {
        [timestamps @ .., last] if last.boolean().is_ok() => (timestamps, last.boolean()?),
        timestamps => (timestamps, false),
    };
    let timestamps = timestamps.iter().map(Argument::long).collect::<Result<_, _>>()?;
    Ok(Filter::Timestamps { timestamps, can_hint })
}

fn column_range(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let [min, min_inclusive, max, max_inclusive] = simple.arguments.as_slice() else {
        let expected = "4 arguments: first column, whether it belongs, last column, whether it belongs";
        return Err(count(simple, "ColumnRangeFilter", expected));
    };
    let bound = |argument: &Argument<'_>| match argument.bare() {
        Some(b"EMPTY") => Ok(Some(Bytes::new())),
        _ => argument.quoted().map(|column| Some(column).filter(|column| !column.is_empty())),
    };
    Ok(Filter::ColumnRange {
        min: bound(min)?,
        min_inclusive: min_inclusive.boolean()?,
        max: bound(max)?,
        max_inclusive: max_inclusive.boolean()?,
    })
}

fn condition(simple: &Simple<'_>, filter: &'static str) -> Result<ColumnCondition, ParseError> {
    let ([family, qualifier, operator, comparator] | [family, qualifier, operator, comparator, _, _]) =
        simple.arguments.as_slice()
    else {
        let expected = "4 or 6 arguments: family, column, operator, comparator, and whether rows without the \
                        column are left out, whether only the newest version counts";
        return Err(count(simple, filter, expected));
    };
    let (op, comparator) = comparison::parse(operator, comparator, Pairing::Sensible)?;
    let (filter_if_missing, latest_version_only) = match simple.arguments.as_slice() {
        [_, _, _, _, if_missing, latest_only] => (if_missing.boolean()?, latest_only.boolean()?),
        _ => (false, true),
    };
    let (family, qualifier) = (family.quoted()?, qualifier.quoted()?);
    Ok(ColumnCondition { family, qualifier, op, comparator, filter_if_missing, latest_version_only })
}

fn dependent_column(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let (family, qualifier, drop, value) = match simple.arguments.as_slice() {
        [family, qualifier] => (family, qualifier, None, None),
        [family, qualifier, drop] => (family, qualifier, Some(drop), None),
        [family, qualifier, drop, operator, comparator] => {
            let value = comparison::parse(operator, comparator, Pairing::Any)?;
            (family, qualifier, Some(drop), Some(value))
        }
        _ => {
            let expected = "2, 3 or 5 arguments: family, column, whether to drop it, operator, comparator";
            return Err(count(simple, "DependentColumnFilter", expected));
        }
    };
    Ok(Filter::DependentColumn {
        family: family.quoted()?,
        qualifier: qualifier.quoted()?,
        drop_dependent: drop.map_or(Ok(false), Argument::boolean)?,
        value,
    })
}

fn column_value(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let [family, qualifier, operator, comparator] = simple.arguments.as_slice() else {
        let expected = "4 arguments: family, column, operator, comparator";
        return Err(count(simple, "ColumnValueFilter", expected));
    };
    let (op, comparator) = comparison::parse(operator, comparator, Pairing::Sensible)?;
    Ok(Filter::ColumnValue { family: family.quoted()?, qualifier: qualifier.quoted()?, op, comparator })
}

fn fuzzy_row(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let pair = |pair: &[Argument<'_>]| match pair {
        [key, mask] => Ok((key.quoted()?, mask.quoted()?)),
        _ => Err(count(simple, "FuzzyRowFilter", "pairs of arguments: key and mask")),
    };
    simple.arguments.chunks(2).map(pair).collect::<Result<_, _>>().map(Filter::FuzzyRow)
}

fn multi_row_range(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let range = |range: &[Argument<'_>]| match range {
        [start, start_inclusive, stop, stop_inclusive] => Ok(RowRange {
            start: start.quoted()?,
            start_inclusive: start_inclusive.boolean()?,
            stop: stop.quoted()?,
            stop_inclusive: stop_inclusive.boolean()?,
        }),
        _ => {
            let expected = "4 arguments a range: first row, whether it belongs, last row, whether it belongs";
            Err(count(simple, "MultiRowRangeFilter", expected))
        }
    };
    simple.arguments.chunks(4).map(range).collect::<Result<_, _>>().map(Filter::MultiRowRange)
}

fn random_row(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let chance = one(simple, "RandomRowFilter")?;
    let number =
        chance.bare().and_then(|text| std::str::from_utf8(text).ok()).and_then(|text| text.parse().ok());
    number.map(Filter::RandomRow).ok_or_else(|| chance.expected("a number such as 0.5"))
}

fn empty_list(simple: &Simple<'_>) -> Result<Filter, ParseError> {
    let op = one(simple, "FilterList")?;
    match op.bare() {
        Some(b"ALL") => Ok(Filter::List(ListOp::All, Vec::new())),
        Some(b"ONE") => Ok(Filter::List(ListOp::One, Vec::new())),
        _ => Err(op.expected("ALL or ONE")),
    }
}
