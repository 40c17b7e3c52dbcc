//! The engine's tests against the suite and the plain model, and against the outside world.

mod support;
mod basics;
