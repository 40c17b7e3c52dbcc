//! Reads as text.

use tablesmith_model::TimeRange;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::aggregate::{Figures, Readings};
use tablesmith_store::{Aggregate, Get, ReadOptions, RowBound, Scan};

use super::{column, joined};

/// `get row {options}`.
pub(crate) fn get(get: &Get) -> String {
    braced(format!("get {}", to_text(&get.row)), options(&get.read))
}

/// `scan {options}`.
pub(crate) fn scan(scan: &Scan) -> String {
    let mut parts = Vec::new();
    for (name, bound) in [("from", &scan.start), ("to", &scan.stop)] {
        match bound {
            RowBound::Open => {}
            RowBound::Included(row) => parts.push(format!("{name} {}", to_text(row))),
            RowBound::Excluded(row) => parts.push(format!("{name} {} (excluded)", to_text(row))),
        }
    }
    parts.extend([(scan.reversed, "reversed"), (scan.raw, "raw")].iter().filter(|(on, _)| *on).map(said));
    parts.extend(scan.limit.map(|limit| format!("limit {limit}")));
    parts.extend(scan.batch.map(|batch| format!("batch {batch}")));
    parts.extend(scan.caching.map(|caching| format!("caching {caching}")));
    parts.push(options(&scan.read));
    braced("scan".to_owned(), joined(parts))
}

/// `aggregate {options}`.
pub(crate) fn aggregate(aggregate: &Aggregate) -> String {
    let mut parts = vec![format!("values {:?}", aggregate.value)];
    parts.extend(aggregate.group.key.map(|slice| format!("by key {slice:?}")));
    parts.extend(aggregate.group.time_bucket_ms.map(|ms| format!("by time of {ms} ms")));
    if aggregate.readings != Readings::default() {
        parts.push(format!("{:?}", aggregate.readings));
    }
    parts.extend(aggregate.rows.as_ref().map(|rows| format!("{rows:?}")));
    if aggregate.figures != Figures::ALL {
        parts.push(format!("only {}", aggregate.figures));
    }
    format!("aggregate {{{}}} of {}", joined(parts), scan(&aggregate.scan))
}

fn said((_, word): &(bool, &str)) -> String {
    (*word).to_owned()
}

fn braced(command: String, options: String) -> String {
    if options.is_empty() { command } else { format!("{command} {{{options}}}") }
}

/// A time range, or nothing when it is all time.
pub(super) fn time_range(range: TimeRange) -> String {
    if range == TimeRange::ALL {
        return String::new();
    }
    format!("time {}..{}", range.from_ms(), range.until_ms())
}

fn options(read: &ReadOptions) -> String {
    let mut parts = vec![columns(read)];
    if read.versions != 1 {
        parts.push(format!("versions {}", read.versions));
    }
    parts.push(time_range(read.time_range));
    for (family, range) in &read.family_time_ranges {
        parts.push(format!("of {} {}..{}", to_text(family), range.from_ms(), range.until_ms()));
    }
    parts.extend(read.max_results_per_family.map(|limit| format!("limit per family {limit}")));
    if read.row_offset_per_family > 0 {
        parts.push(format!("offset per family {}", read.row_offset_per_family));
    }
    parts.extend(read.filter.as_ref().map(|filter| format!("filter {filter:?}")));
    joined(parts)
}

fn columns(read: &ReadOptions) -> String {
    let names: Vec<_> = read
        .columns
        .families()
        .flat_map(|(family, qualifiers)| {
            let whole = qualifiers.is_empty().then(|| to_text(family));
            whole.into_iter().chain(qualifiers.iter().map(|qualifier| column(family, qualifier)))
        })
        .collect();
    if names.is_empty() { String::new() } else { format!("columns {}", names.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::Filter;

    #[test]
    fn reads_print_what_is_asked() {
        assert_eq!(get(&Get::new("r")), "get r");
        assert_eq!(
            get(&Get::new("r").column("f", "q").family("g").versions(3)),
            "get r {columns f:q g, versions 3}"
        );
        let mut request = Scan::range("a", "c").limit(2).reversed().filter(Filter::FirstKeyOnly);
        request.read.time_range = TimeRange::new(1, 5).unwrap();
        assert_eq!(
            scan(&request),
            "scan {from a, to c (excluded), reversed, limit 2, time 1..5, filter FirstKeyOnly}"
        );
    }
}
