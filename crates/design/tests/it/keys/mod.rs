//! Keys judged from the outside: rows in, a judgement out.

mod bad_input;
mod judging;
mod quantiles;
mod streams;
