//! Shapes and text, collected into a picture. Colours come by class, so that a theme can change them.

use std::fmt::Write as _;

use super::theme;
use crate::escape::escape;

/// Where a text stands beside its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A picture in the making.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    width: f64,
    height: f64,
    body: String,
}

impl Sketch {
    /// An empty picture of this width; its height comes with what is drawn.
    pub fn new(width: f64) -> Self {
        Self { width, ..Self::default() }
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Makes room down to here.
    pub fn reach(&mut self, height: f64) {
        self.height = self.height.max(height);
    }

    /// A rectangle.
    pub fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (width, height) = (width.max(0.0), height.max(0.0));
        self.reach(y + height);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            Short(x),
            Short(y),
            Short(width),
            Short(height)
        );
    }

    /// A rectangle with round corners.
    pub fn pill(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64) {
        let (width, height) = (width.max(0.0), height.max(0.0));
        self.reach(y + height);
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            Short(x),
            Short(y),
            Short(width),
            Short(height),
            Short(radius)
        );
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.path(class, &[from, to], false);
    }

    /// Lines from point to point.
    pub fn path(&mut self, class: &str, points: &[(f64, f64)], is_closed: bool) {
        if points.is_empty() {
            return;
        }
        let mut drawn = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            self.reach(y);
            let _ = write!(drawn, "{}{} {}", if index == 0 { 'M' } else { 'L' }, Short(x), Short(y));
        }
        let end = if is_closed { "Z" } else { "" };
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{drawn}{end}\"/>");
    }

    /// A dot.
    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.reach(y + radius);
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            Short(x),
            Short(y),
            Short(radius)
        );
    }

    /// A square on its corner.
    pub fn diamond(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.path(class, &[(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)], true);
    }

    /// A text on its baseline.
    pub fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        if text.is_empty() {
            return;
        }
        self.reach(y + 4.0);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, text) = (Short(x), Short(y), escape(text));
        let _ = write!(self.body, "<text class=\"{class}\"{anchor} x=\"{x}\" y=\"{y}\">{text}</text>");
    }

    /// What `draw` draws, as a group that says more when it is pointed at.
    pub fn group(&mut self, class: &str, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g class=\"{class}\">");
        if !title.is_empty() {
            let _ = write!(self.body, "<title>{}</title>", escape(title));
        }
        draw(self);
        self.body.push_str("</g>");
    }

    /// The picture as a part of a page. The page has the style; `id` is nowhere else in it.
    pub fn inline(&self, id: &str, title: &str, alt: &str) -> String {
        format!("<svg {} {}</svg>", self.size(), self.inside(id, title, alt))
    }

    /// The picture as a document of its own, with its style and its own paper.
    pub fn document(&self, title: &str, alt: &str) -> String {
        let style = theme::style(theme::Place::Document);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {} {}</svg>\n",
            self.size(),
            self.inside("picture", title, alt).replacen(
                "</desc>",
                &format!(
                    "</desc><style>{style}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
                ),
                1
            )
        )
    }

    fn size(&self) -> String {
        let (width, height) = (Short(self.width), Short(self.height));
        format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"")
    }

    fn inside(&self, id: &str, title: &str, alt: &str) -> String {
        let (title, alt, body) = (escape(title), escape(alt), &self.body);
        format!(
            "role=\"img\" aria-labelledby=\"{id}-title {id}-desc\"><title id=\"{id}-title\">{title}</title>\
             <desc id=\"{id}-desc\">{alt}</desc>{body}"
        )
    }
}

/// A coordinate to a tenth of a pixel, without needless zeros.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round();
        let tenths = if tenths.is_finite() && tenths != 0.0 { tenths } else { 0.0 };
        if tenths % 10.0 == 0.0 {
            write!(f, "{:.0}", tenths / 10.0)
        } else {
            write!(f, "{:.1}", tenths / 10.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_stands_alone() {
        let mut sketch = Sketch::new(100.0);
        sketch.text("ink", Anchor::End, (10.0, 20.04), "<a>");
        let document = sketch.document("A \"title\"", "What <it> shows");
        assert!(document.starts_with("<svg xmlns="), "{document}");
        assert!(
            document.contains("<text class=\"ink\" text-anchor=\"end\" x=\"10\" y=\"20\">&lt;a&gt;</text>")
        );
        assert!(document.contains("prefers-color-scheme: dark"));
        assert!(document.contains("What &lt;it&gt; shows</desc><style>"));
        assert!(sketch.inline("x", "t", "a").contains("aria-labelledby=\"x-title x-desc\""));
    }

    #[test]
    fn coordinates_are_short_and_always_numbers() {
        let texts = [1.0, 1.25, -0.01, f64::NAN, f64::INFINITY].map(|value| Short(value).to_string());
        assert_eq!(texts, ["1", "1.3", "0", "0", "0"]);
    }
}
