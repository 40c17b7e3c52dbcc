//! Evidence as a page, as pictures and as text.
