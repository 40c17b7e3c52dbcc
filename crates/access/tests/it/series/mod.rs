//! Readings in every layout against a plain list of them.

mod bad_input;
mod designs;
mod laid;
mod meeting;
mod same_answers;
mod trial;
