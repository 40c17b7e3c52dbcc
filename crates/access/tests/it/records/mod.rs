//! Records in every shape of rows: what is read, what is written, and what a crash leaves.

mod clocks;
mod crashing;
mod designs;
mod loading;
mod model;
mod moving;
mod out_of_range;
mod reading;
mod refusing;
mod statements;
mod world;
mod writing;
