//! Looks at the schema in the footer before the parquet crate does, which builds it by recursion: a schema that is nested
//! too deep would exhaust the stack.

use std::fs::File;
use std::io::{self, Read};

use parquet::file::reader::{ChunkReader, Length};

use super::thrift::{Compact, LISTS, STRUCT, damaged};

/// Schemas of people are nested a few deep.
const DEPTH_MAX: usize = 100;
/// Groups and columns; more are data, not columns.
const ELEMENTS_MAX: u64 = 100_000;
/// At the end of the file: the length of the footer, and `PAR1`.
const END_BYTES: u64 = 8;

/// Refuses the schema of a file where the parquet crate must not see it.
pub(super) fn check(file: &File) -> io::Result<()> {
    let Some(footer) = footer(file)? else { return Ok(()) };
    Compact::new(footer).structure(|input, id, wire| match id {
        2 if LISTS.contains(&wire) => check_schema(input),
        _ => input.pass_over(wire),
    })
}

/// The footer of a file; none where the file is too short to have one, which others say.
fn footer(file: &File) -> io::Result<Option<impl Read>> {
    let Some(end) = file.len().checked_sub(END_BYTES) else { return Ok(None) };
    let mut bytes = [0; END_BYTES as usize];
    file.get_read(end).map_err(io::Error::other)?.read_exact(&mut bytes)?;
    let [a, b, c, d, ..] = bytes;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let Some(start) = end.checked_sub(length) else { return Ok(None) };
    Ok(Some(file.get_read(start).map_err(io::Error::other)?.take(length)))
}

/// Walks over the elements of a schema: each stands before its children.
fn check_schema(input: &mut Compact<impl Read>) -> io::Result<()> {
    let (elements, wire) = input.list()?;
    if wire != STRUCT {
        return Err(damaged());
    }
    if elements > ELEMENTS_MAX {
        let message = format!("the schema has {elements} elements, more than the limit of {ELEMENTS_MAX}");
        return Err(io::Error::other(message));
    }
    // How many children are left at each depth.
    let mut open: Vec<u64> = Vec::new();
    for _ in 0..elements {
        let mut numbers = [None; 6];
        input.structure(|input, id, wire| match id {
            5 => input.keep(&mut numbers, id, wire),
            _ => input.pass_over(wire),
        })?;
        while open.pop_if(|left| *left == 0).is_some() {}
        open.last_mut().into_iter().for_each(|left| *left -= 1);
        let [.., children] = numbers;
        if let Some(children) = children.and_then(|children| u64::try_from(children).ok()) {
            open.push(children);
        }
        if open.len() > DEPTH_MAX {
            return Err(io::Error::other(format!("the schema is nested more than {DEPTH_MAX} deep")));
        }
    }
    Ok(())
}
