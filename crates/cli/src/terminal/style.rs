//! Colors of our own: marked with a number that no data can know, so that the guard tells them from those of data.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

pub use anstyle::AnsiColor;
use tablesmith_report::Look;

/// How text looks: `{style}` begins it, `{style:#}` ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(anstyle::Style);

impl Style {
    /// Text as it is.
    pub const fn new() -> Self {
        Self(anstyle::Style::new())
    }

    /// Text in a color.
    pub const fn color(color: AnsiColor) -> Self {
        Self(color.on_default())
    }

    /// The same in bold.
    pub const fn bold(self) -> Self {
        Self(self.0.bold())
    }

    /// The same dimmed.
    pub const fn dimmed(self) -> Self {
        Self(self.0.dimmed())
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sequences = match f.alternate() {
            true => self.0.render_reset().to_string(),
            false => self.0.render().to_string(),
        };
        let mut bodies = sequences.split('\u{1b}').filter(|body| !body.is_empty());
        bodies.try_for_each(|body| write!(f, "{}{body}", mark()))
    }
}

/// Paints the text of a summary.
pub fn paint(look: Look, text: &str) -> String {
    let style = match look {
        Look::Bold => Style::new().bold(),
        Look::Dim => Style::new().dimmed(),
        Look::Good => Style::color(AnsiColor::Green),
        Look::Bad => Style::color(AnsiColor::Red),
    };
    format!("{style}{text}{style:#}")
}

/// What our escape sequences begin with: the escape character and a number drawn anew in every process. The guard
/// takes the number out again.
pub(super) fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}", RandomState::new().build_hasher().finish()))
}
