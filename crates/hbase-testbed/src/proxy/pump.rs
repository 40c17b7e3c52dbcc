//! Carries the bytes of one connection one way, frame by frame, and does to them what the rules say.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread::sleep;
use std::time::Duration;

use fastrand::Rng;

use super::counts::add;
use super::frames::{Frames, Piece};
use super::rules::{Direction, Frame, Reaction, decide};
use super::set::Shared;

const READ_BYTES: usize = 64 * 1024;

/// One direction of one connection.
pub(super) struct Pump<'a> {
    shared: &'a Shared,
    connection: u64,
    direction: Direction,
    from: TcpStream,
    to: TcpStream,
    random: Rng,
}

/// What becomes of the connection after a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    GoOn,
    /// Only so many bytes more, then close.
    CloseAfter(u64),
    PassNothing,
}

impl<'a> Pump<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        connection: u64,
        direction: Direction,
        from: TcpStream,
        to: TcpStream,
    ) -> Self {
        // Of the connection alone, so that what happens on one does not depend on how fast the others are.
        let number = connection * 2 + u64::from(direction == Direction::ToClient);
        let random = Rng::with_seed(Rng::with_seed(shared.seed ^ number).u64(..));
        Self { shared, connection, direction, from, to, random }
    }

    /// Carries until one side closes or a rule does; then nothing passes this way any more.
    pub(super) fn run(mut self) {
        match self.carry() {
            Ok(Fate::GoOn) => {
                // The sender has no more to say; the other way may go on.
                let _ = self.to.shutdown(Shutdown::Write);
            }
            Ok(Fate::PassNothing) => {
                // Read on, or the sender's closing would never be seen.
                let _ = io::copy(&mut self.from, &mut io::sink());
                self.close();
            }
            Ok(Fate::CloseAfter(_)) | Err(_) => self.close(),
        }
    }

    fn close(&self) {
        // Either can be closed already.
        let _ = self.from.shutdown(Shutdown::Both);
        let _ = self.to.shutdown(Shutdown::Both);
    }

    fn carry(&mut self) -> io::Result<Fate> {
        let mut frames = Frames::default();
        let mut buffer = vec![0; READ_BYTES];
        let mut fate = Fate::GoOn;
        loop {
            let count = self.from.read(&mut buffer)?;
            if count == 0 {
                self.to.write_all(&frames.rest())?;
                return Ok(Fate::GoOn);
            }
            frames.push(buffer.get(..count).unwrap_or_default());
            while let Some(piece) = frames.next() {
                fate = self.handle(piece, fate)?;
                if matches!(fate, Fate::CloseAfter(0) | Fate::PassNothing) {
                    return Ok(fate);
                }
            }
        }
    }

    fn handle(&mut self, piece: Piece, fate: Fate) -> io::Result<Fate> {
        match (piece, fate) {
            (Piece::Begin { number, begins_at, bytes }, _) => {
                let (connection, direction) = (self.connection, self.direction);
                Ok(self.react(&Frame { connection, direction, number, begins_at, bytes }))
            }
            (Piece::Bytes(bytes), Fate::CloseAfter(allowed)) => {
                let count = usize::try_from(allowed).unwrap_or(usize::MAX).min(bytes.len());
                self.pass(bytes.get(..count).unwrap_or_default())?;
                Ok(Fate::CloseAfter(allowed - count as u64))
            }
            (Piece::Bytes(bytes), fate) => {
                self.pass(&bytes)?;
                Ok(fate)
            }
        }
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)?;
        add(&self.shared.counters.bytes, bytes.len() as u64);
        Ok(())
    }

    /// Looks what the rules say about a frame, and does it as far as it is to be done now.
    fn react(&mut self, frame: &Frame) -> Fate {
        let counters = &self.shared.counters;
        let reaction = decide(&self.shared.rules(), frame, &mut self.random).cloned();
        match reaction {
            None => {}
            Some(Reaction::Delay(at_most)) => {
                add(&counters.delays, 1);
                let micros = u64::try_from(at_most.as_micros()).unwrap_or(u64::MAX);
                sleep(Duration::from_micros(self.random.u64(..=micros)));
            }
            Some(Reaction::Cut) => {
                add(&counters.cuts, 1);
                return Fate::CloseAfter(0);
            }
            Some(Reaction::Truncate) => {
                add(&counters.truncations, 1);
                return Fate::CloseAfter(self.random.u64(..frame.bytes.max(1)));
            }
            Some(Reaction::Stall) => {
                add(&counters.stalls, 1);
                return Fate::PassNothing;
            }
        }
        add(&counters.frames, 1);
        Fate::GoOn
    }
}
