//! Records in every shape of rows: what is read, what is written, and what a crash leaves.

mod crashing;
mod designs;
mod loading;
mod model;
mod reading;
mod refusing;
mod statements;
mod world;
mod writing;
