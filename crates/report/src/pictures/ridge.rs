//! Rows of hills: each row has a name and shows where its values lie.

use crate::svg::{Anchor, Scale, Sketch, text};

use super::Room;

/// Names are set in this size.
pub const NAME_SIZE: f64 = 12.0;

/// From a name to its row.
const GAP: f64 = 14.0;
/// The room for names, at least and at most.
const LEAST_GUTTER: f64 = 90.0;
const MOST_GUTTER: f64 = 280.0;

/// Where a row has what.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The baseline of its name.
    pub name_y: f64,
    /// The line on which its hill stands.
    pub base_y: f64,
    /// How high the hill may be.
    pub hill: f64,
}

/// Rows one below the other, with their names to the left, or on a phone above.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    room: Room,
    gutter: f64,
    top: f64,
    hill: f64,
    below: f64,
}

impl Rows {
    /// Rows from `top` with hills of this height and so much room below each; names get the room that they need.
    pub fn new<'a>(
        room: Room,
        names: impl Iterator<Item = &'a str>,
        (top, hill, below): (f64, f64, f64),
    ) -> Self {
        let longest = names.map(|name| text::width(name, NAME_SIZE * text::BOLD)).fold(0.0, f64::max);
        let gutter = match room {
            Room::Wide => (longest + GAP).clamp(LEAST_GUTTER, MOST_GUTTER),
            Room::Narrow => 8.0,
        };
        Self { room, gutter, top, hill, below }
    }

    /// Where the names end and the rows begin.
    pub fn gutter(&self) -> f64 {
        self.gutter
    }

    /// The n-th row.
    pub fn get(&self, index: usize) -> Row {
        let name = if self.room == Room::Narrow { 18.0 } else { 0.0 };
        let top = self.top + self.height() * index as f64;
        let base_y = top + name + self.hill;
        let name_y = if self.room == Room::Narrow { top + 12.0 } else { base_y };
        Row { name_y, base_y, hill: self.hill }
    }

    /// The height of a row.
    pub fn height(&self) -> f64 {
        let name = if self.room == Room::Narrow { 18.0 } else { 0.0 };
        name + self.hill + self.below
    }

    /// Where so many rows end.
    pub fn bottom(&self, count: usize) -> f64 {
        self.top + self.height() * count as f64
    }

    /// Writes the name of a row, cut to its room.
    pub fn name(&self, sketch: &mut Sketch, row: Row, class: &str, name: &str) {
        let room = if self.room == Room::Wide { self.gutter - GAP } else { self.room.width() };
        let name = text::fit(name, NAME_SIZE * text::BOLD, room);
        sketch.text(&format!("halo {class}"), Anchor::Start, (0.0, row.name_y), &name);
    }
}

/// A hill over the row's line, from a curve of places and heights.
pub fn hill(sketch: &mut Sketch, row: Row, curve: &[(f64, f64)]) {
    let points: Vec<(f64, f64)> =
        curve.iter().map(|(x, height)| (*x, row.base_y - height * row.hill)).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let mut area = vec![(first.0, row.base_y)];
    area.extend(&points);
    area.push((last.0, row.base_y));
    sketch.path("fill soft", &area, true);
    sketch.path("stroke joined", &points, false);
}

/// A vertical stroke through a line.
pub fn stroke(sketch: &mut Sketch, class: &str, scale: &Scale, value: f64, y: f64, half: f64) {
    if value.is_finite() {
        let x = scale.at(value);
        sketch.line(class, (x, y - half), (x, y + half));
    }
}
