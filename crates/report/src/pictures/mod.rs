//! The pictures, one file each. Each is drawn twice, for a wide page and for a phone, since text must not shrink.

mod differences;
mod families;
mod heat;
mod intervals;
mod prediction;
mod queries;
mod regions;
mod ridge;
mod times;

pub use families::copies;
pub use queries::{ByQuery, by_query};

use crate::Picture;
use crate::svg::Sketch;
use crate::view::View;

/// Pixels across a picture on a wide page, and on a phone.
const WIDE: f64 = 760.0;
const NARROW: f64 = 340.0;

/// A picture in both widths, with its words.
pub struct Drawn {
    /// Its name, fit for a file.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub alt: String,
    wide: Sketch,
    narrow: Sketch,
}

/// How much room a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// A page on a screen or on paper.
    Wide,
    /// A phone.
    Narrow,
}

impl Room {
    fn width(self) -> f64 {
        if self == Self::Wide { WIDE } else { NARROW }
    }
}

impl Drawn {
    fn new(name: &'static str, title: &str, alt: String, mut draw: impl FnMut(Room) -> Sketch) -> Self {
        Self { name, title: title.to_owned(), alt, wide: draw(Room::Wide), narrow: draw(Room::Narrow) }
    }

    /// Both widths for a page, which shows the one that fits.
    pub fn inline(&self) -> String {
        let name = self.name;
        format!(
            "<div class=\"wide\">{}</div><div class=\"narrow\">{}</div>",
            self.wide.inline(&format!("{name}-wide"), &self.title, &self.alt),
            self.narrow.inline(&format!("{name}-narrow"), &self.title, &self.alt)
        )
    }

    /// The wide one as a document.
    pub fn picture(&self) -> Picture {
        Picture {
            name: self.name.to_owned(),
            alt: self.alt.clone(),
            svg: self.wide.document(&self.title, &self.alt),
        }
    }
}

/// Everything that can be drawn of this evidence.
pub struct Pictures {
    /// Response times of reads.
    pub times: Option<Drawn>,
    /// Response times of writes.
    pub writes: Option<Drawn>,
    /// Mean differences with their intervals.
    pub intervals: Option<Drawn>,
    /// All differences.
    pub differences: Option<Drawn>,
    /// Families to size.
    pub families: Option<Drawn>,
    /// Predicted against measured.
    pub prediction: Option<Drawn>,
    /// Load of regions.
    pub regions: Option<Drawn>,
    /// Load over time.
    pub heat: Option<Drawn>,
    /// Means by query.
    pub queries: Option<Drawn>,
}

impl Pictures {
    /// Draws them all.
    pub fn of(view: &View<'_>) -> Self {
        Self {
            times: times::reads(view),
            writes: times::writes(view),
            intervals: intervals::draw(view),
            differences: differences::draw(view),
            families: families::draw(view),
            prediction: prediction::draw(view),
            regions: regions::draw(view),
            heat: heat::draw(view),
            queries: queries::draw(view),
        }
    }

    /// Those that there are, in the order of the page.
    pub fn all(&self) -> impl Iterator<Item = &Drawn> {
        let Self { times, writes, intervals, differences, families, prediction, regions, heat, queries } =
            self;
        [times, writes, intervals, differences, queries, families, prediction, regions, heat]
            .into_iter()
            .flatten()
    }
}
