//! Thrift's compact protocol, read field by field from any input: the headers of pages and the footer are written in it.

use std::io::{self, Read};
use std::ops::RangeInclusive;

use tablesmith_model::varint;

/// Types on the wire.
const STOP: u8 = 0;
pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INTEGERS: RangeInclusive<u8> = 4..=6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
pub(super) const LISTS: RangeInclusive<u8> = 9..=10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;
/// Structures nest a few deep; what future versions add may be deeper.
const DEPTH_MAX: usize = 16;

/// Reads what the protocol writes.
pub(super) struct Compact<R> {
    input: R,
    /// Bytes read so far.
    pub bytes: u64,
}

impl<R: Read> Compact<R> {
    pub fn new(input: R) -> Self {
        Self { input, bytes: 0 }
    }

    /// Keeps the number of a field that has a place; passes over any other field.
    pub fn keep(&mut self, numbers: &mut [Option<i64>], id: i16, wire: u8) -> io::Result<()> {
        match usize::try_from(id).ok().and_then(|at| numbers.get_mut(at)) {
            Some(number) => *number = Some(self.integer(wire)?),
            None => self.pass_over(wire)?,
        }
        Ok(())
    }

    /// Hands each field of a structure over, by its number and its type; `field` must read or skip it.
    pub fn structure(
        &mut self,
        mut field: impl FnMut(&mut Self, i16, u8) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            if head & 0x0F == STOP {
                return Ok(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).map_err(|_| damaged())?,
                delta => id.checked_add(i16::from(delta)).ok_or_else(damaged)?,
            };
            field(self, id, head & 0x0F)?;
        }
    }

    /// Passes over a value.
    pub fn pass_over(&mut self, wire: u8) -> io::Result<()> {
        self.skip(wire, DEPTH_MAX)
    }

    /// Everything takes at least a byte, so that the end of the input ends what a header makes up.
    fn skip(&mut self, wire: u8, depth: usize) -> io::Result<()> {
        let deeper = depth.checked_sub(1).ok_or_else(damaged)?;
        match wire {
            TRUE | FALSE => Ok(()),
            BYTE => self.byte().map(drop),
            DOUBLE => self.pass(8),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            STRUCT => self.structure(|input, _, wire| input.skip(wire, deeper)),
            MAP => match self.varint()? {
                0 => Ok(()),
                pairs => {
                    let types = self.byte()?;
                    (0..pairs).try_for_each(|_| {
                        self.skip_element(types >> 4, deeper)?;
                        self.skip_element(types & 0x0F, deeper)
                    })
                }
            },
            _ if INTEGERS.contains(&wire) => self.varint().map(drop),
            _ if LISTS.contains(&wire) => {
                let (elements, wire) = self.list()?;
                (0..elements).try_for_each(|_| self.skip_element(wire, deeper))
            }
            _ => Err(damaged()),
        }
    }

    /// The beginning of a list: how many elements follow, and of which type.
    pub fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        let elements = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        Ok((elements, head & 0x0F))
    }

    /// In collections a truth value is a byte of its own.
    fn skip_element(&mut self, wire: u8, depth: usize) -> io::Result<()> {
        if matches!(wire, TRUE | FALSE) { self.byte().map(drop) } else { self.skip(wire, depth) }
    }

    pub fn size(&mut self, wire: u8) -> io::Result<u32> {
        unsigned(Some(self.integer(wire)?))
    }

    pub fn integer(&mut self, wire: u8) -> io::Result<i64> {
        match wire {
            BYTE => Ok(i64::from(self.byte()?.cast_signed())),
            _ if INTEGERS.contains(&wire) => self.zigzag(),
            _ => Err(damaged()),
        }
    }

    /// A number with a sign, which is its lowest bit.
    pub fn zigzag(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// A number of seven bits a byte, the lowest first.
    pub fn varint(&mut self) -> io::Result<u64> {
        varint::read_from(|| self.byte())?.ok_or_else(damaged)
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.bytes += 1;
        let [byte] = byte;
        Ok(byte)
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink())?;
        self.bytes += passed;
        if passed == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// What does not follow the protocol.
pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not follow the format")
}

/// A number that must be there and has no sign.
pub(super) fn unsigned(number: Option<i64>) -> io::Result<u32> {
    let number = number.and_then(|number| i32::try_from(number).ok());
    number.and_then(|number| u32::try_from(number).ok()).ok_or_else(damaged)
}
