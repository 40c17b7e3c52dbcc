//! What came out, in one sentence.

use tablesmith_model::evidence::{MeasuredDesign, Pair};

use super::expectation::{Expectation, LEVEL};
use super::pairs::between;

/// The sentence about designs that answered alike.
pub(super) fn verdict(designs: &[MeasuredDesign], pairs: &[Pair], claim: Option<&Expectation>) -> String {
    if let Some(claim) = claim {
        let holds = if claim.holds(pairs) { "holds" } else { "does not hold" };
        let why = between(pairs, &claim.faster, &claim.slower).map_or_else(too_few, |pair| compared(&pair));
        return format!("{claim} {holds}: {why}");
    }
    match designs {
        [] => "there is no design to measure".to_owned(),
        [only] => format!("{} answers in {:.3} ms on average", only.name, only.reads.mean_ms),
        designs => among(designs, pairs),
    }
}

/// The fastest beside the first, which is what the others are held against; beside the next one when it is the first
/// itself.
fn among(designs: &[MeasuredDesign], pairs: &[Pair]) -> String {
    let Some((fastest, other)) = extremes(designs, pairs) else { return too_few() };
    let Some(pair) = between(pairs, fastest, other) else { return too_few() };
    let said = compared(&pair);
    if designs.len() < 3 || pair.p >= LEVEL {
        return said;
    }
    let equals: Vec<&str> = designs
        .iter()
        .map(|design| design.name.as_str())
        .filter(|name| between(pairs, fastest, name).is_some_and(|pair| pair.p >= LEVEL))
        .collect();
    let count = designs.len();
    match equals.as_slice() {
        [] => format!("{said}; it is the fastest of {count} designs"),
        equals => format!(
            "{said}; of {count} designs none is faster, and no difference was found to {}",
            equals.join(", ")
        ),
    }
}

/// The fastest design and the one to hold it against.
fn extremes<'a>(designs: &'a [MeasuredDesign], pairs: &[Pair]) -> Option<(&'a str, &'a str)> {
    // By its pairs: they are over all calls, writes too.
    let slower_than =
        |name: &str, other: &str| between(pairs, name, other).is_some_and(|pair| pair.difference < 0.0);
    let beaten_by = |name: &str| designs.iter().filter(|other| slower_than(name, &other.name)).count();
    let mut order: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    order.sort_by_key(|name| beaten_by(name));
    let fastest = *order.first()?;
    let first = designs.first()?.name.as_str();
    let other = if first == fastest { *order.get(1)? } else { first };
    Some((fastest, other))
}

fn compared(pair: &Pair) -> String {
    let pair = if pair.difference < 0.0 { pair.turned() } else { pair.clone() };
    let (a, b) = (&pair.a, &pair.b);
    let [share, low, high] = [pair.share, pair.share_low, pair.share_high].map(percent);
    if pair.p < LEVEL {
        format!("{a} answers {share} % faster than {b}, 95 % interval {low}–{high} %")
    } else {
        format!(
            "no difference was found between {a} and {b} (p = {:.2}): {a} takes {share} % less, 95 % interval {low} to \
             {high} %",
            pair.p
        )
    }
}

/// A share in percent: small ones with a digit behind the point.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let text = if percent.abs() < 9.95 { format!("{percent:.1}") } else { format!("{percent:.0}") };
    let text = if text == "-0.0" { "0.0".to_owned() } else { text };
    text.replace('-', "−")
}

fn too_few() -> String {
    "too few queries were measured to compare the designs".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::Summary;

    fn design(name: &str, mean_ms: f64) -> MeasuredDesign {
        let reads = Summary { mean_ms, ..Summary::default() };
        MeasuredDesign { name: name.to_owned(), reads, ..MeasuredDesign::default() }
    }

    fn pair(a: &str, b: &str, shares: [f64; 3], p: f64) -> Pair {
        let [share, share_low, share_high] = shares;
        let (a, b) = (a.to_owned(), b.to_owned());
        Pair { a, b, difference: share, p, share, share_low, share_high, ..Pair::default() }
    }

    #[test]
    fn the_faster_one_comes_first_whichever_was_named_first() {
        let designs = [design("ref01", 2.0), design("s05", 1.28)];
        let wanted = "s05 answers 36 % faster than ref01, 95 % interval 34–38 %";
        // −0.5625 of the faster one's mean is 0.36 of the slower one's.
        let pairs = [pair("ref01", "s05", [-0.5625, -0.59375, -0.53125], 1e-9)];
        assert_eq!(verdict(&designs, &pairs, None), wanted);
        let pairs = [pair("s05", "ref01", [0.36, 0.34, 0.38], 1e-9)];
        assert_eq!(verdict(&designs, &pairs, None), wanted);
    }

    #[test]
    fn a_difference_that_may_be_chance_is_none() {
        let designs = [design("a", 1.0), design("b", 1.01)];
        let said = verdict(&designs, &[pair("a", "b", [0.0123, -0.004, 0.03], 0.144)], None);
        assert_eq!(
            said,
            "no difference was found between a and b (p = 0.14): a takes 1.2 % less, 95 % interval −0.4 to 3.0 %"
        );
    }

    #[test]
    fn of_many_the_fastest_is_held_against_the_first() {
        let designs = [design("one", 3.0), design("two", 2.0), design("three", 1.0)];
        let mut pairs = vec![
            pair("one", "two", [-0.5, -0.6, -0.4], 1e-6),
            pair("one", "three", [-2.0, -2.1, -1.9], 1e-6),
            pair("two", "three", [-1.0, -1.1, -0.9], 1e-6),
        ];
        let said = verdict(&designs, &pairs, None);
        assert!(said.starts_with("three answers 67 % faster than one"), "{said}");
        assert!(said.ends_with("it is the fastest of 3 designs"), "{said}");
        pairs[2].p = 0.5;
        let said = verdict(&designs, &pairs, None);
        assert!(said.ends_with("none is faster, and no difference was found to two"), "{said}");
    }

    #[test]
    fn a_claim_is_answered() {
        let designs = [design("a", 1.0), design("b", 2.0)];
        let pairs = [pair("a", "b", [0.5, 0.4, 0.6], 1e-6)];
        let holds = verdict(&designs, &pairs, Some(&"a < b".parse().unwrap()));
        assert_eq!(holds, "a < b holds: a answers 50 % faster than b, 95 % interval 40–60 %");
        let not = verdict(&designs, &pairs, Some(&"b < a".parse().unwrap()));
        assert_eq!(not, "b < a does not hold: a answers 50 % faster than b, 95 % interval 40–60 %");
        assert!(verdict(&designs, &[], None).contains("too few"));
    }
}
