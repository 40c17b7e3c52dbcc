//! Load over time: whether the work is spread at every moment, or only in the end.

use super::html::{self, figure};
use crate::pictures::Pictures;
use crate::view::View;

/// The section, when loads over time are known.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let (line, step) = match view.evidence.heat.first() {
        Some(map) => (map.line.as_str(), map.step.as_str()),
        None => return String::new(),
    };
    let caption = format!(
        "A line for each {line} (neighbours share a line where there are many), time from left to right, a step for each {step}. \
         A key can be even in total and hot at every moment: then its picture is a diagonal."
    );
    html::section("heat", "Load over time", &figure(pictures.heat.as_ref(), &caption))
}
