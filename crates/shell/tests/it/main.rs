//! The shell's integration tests, in one program.

mod fuzz_language;
mod fuzz_session;
mod random;
mod scripts;
mod session;
mod store;
mod text;
