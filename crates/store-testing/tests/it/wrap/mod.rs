//! Wrapped stores do what the store does, and what their interceptor adds.

mod counting;
mod faulty;
mod throttled;
