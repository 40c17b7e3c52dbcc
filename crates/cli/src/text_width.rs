//! How wide text for people is.

/// As wide as the help at most.
pub fn text_width() -> usize {
    const WIDEST: usize = 120;
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    asked.unwrap_or(WIDEST).min(WIDEST)
}
