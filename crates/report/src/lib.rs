//! Evidence as a page, as pictures and as text.
//!
//! [`page()`] is one HTML document, [`pictures()`] are its pictures as files, [`summary()`] is for those who do not open
//! pages. All three take any evidence: what is missing, infinite or too much is left out, and said.

mod density;
mod escape;
mod fit;
mod heat_text;
pub mod number;
mod orient;
mod page;
mod pictures;
mod summary;
mod svg;
mod view;

use tablesmith_model::evidence::Evidence;

pub use heat_text::heat_text;
pub use page::page;
pub use summary::{Look, summary};

/// A picture that stands on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its name, fit for a file: `times`, `pairs`, …
    pub name: String,
    /// What it shows, for those who do not see it.
    pub alt: String,
    /// A whole SVG document.
    pub svg: String,
}

/// The pictures of the page, as documents of their own.
pub fn pictures(evidence: &Evidence) -> Vec<Picture> {
    let view = view::View::of(evidence);
    pictures::Pictures::of(&view).all().map(pictures::Drawn::picture).collect()
}
