//! The logical layer: makes the tables of a design, loads rows into them, plans and answers queries.
