//! The page: one HTML document that needs nothing but itself, not even a script.

mod claims;
mod families;
mod figures;
mod head;
mod heat;
mod html;
mod loading;
mod pairs;
mod prediction;
mod queries;
mod regions;
mod style;
mod times;

use tablesmith_model::evidence::Evidence;

use crate::escape::escape;
use crate::pictures::Pictures;
use crate::view::View;

/// Whatever a name may hold, the browser runs no script and fetches nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page that needs nothing but itself.
pub fn page(evidence: &Evidence) -> String {
    let view = View::of(evidence);
    let pictures = Pictures::of(&view);
    let sections = [
        claims::section(&view),
        times::section(&view, &pictures),
        pairs::section(&view, &pictures),
        queries::section(&view, &pictures),
        families::section(&view, &pictures),
        prediction::section(&view, &pictures),
        regions::section(&view, &pictures),
        heat::section(&view, &pictures),
        figures::section(&view),
        loading::section(&view),
    ];
    let title = if evidence.title.is_empty() { "Evidence" } else { &evidence.title };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}{}</main>\n{FOOTER}</body>\n</html>\n",
        escape(title),
        style::style(),
        head::head(&view, title),
        sections.concat(),
    )
}

const FOOTER: &str = "<footer><p>Written by tablesmith. This page needs nothing but itself; the figures behind it are in \
    the evidence file that it was made from. Times are in milliseconds unless they say otherwise.</p></footer>\n";
