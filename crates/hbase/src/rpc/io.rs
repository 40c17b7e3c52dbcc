//! The task of a connection: reads replies, and writes what callers do not write themselves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::BytesMut;

use super::connection::Shared;
use super::pending::Waiter;
use super::{CallError, CallOrigin};
use crate::config::how_to_raise;
use crate::metrics::Counters;
use crate::wire::frame::{FrameError, missing_bytes, next_frame, read_reply, take_header};
use crate::wire::{ReplyError, WireError};

/// Room for what arrives, at least.
const READ_BYTES: usize = 32 << 10;
/// Room that a frame gets on its own word. A longer one gets more as its bytes arrive.
const TRUSTED_BYTES: usize = 4 << 20;

/// Runs until the connection ends.
pub(super) async fn run(shared: Arc<Shared>) {
    let why = match drive(&shared).await {
        End::Lost(why) => CallError::Lost { address: shared.address.clone(), why },
        End::Garbled(why) => CallError::Garbled { address: shared.address.clone(), why },
    };
    tracing::debug!(address = %shared.address, %why, "connection ended");
    shared.close(&why);
}

enum End {
    Lost(String),
    /// Nobody can tell any more where a reply begins, or whose it is.
    Garbled(String),
}

impl From<WireError> for End {
    fn from(error: WireError) -> Self {
        Self::Garbled(error.0)
    }
}

impl From<std::io::Error> for End {
    fn from(error: std::io::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

async fn drive(shared: &Shared) -> End {
    let mut input = BytesMut::new();
    let mut output = BytesMut::new();
    loop {
        let done = tokio::select! {
            ready = shared.stream.readable() => match ready {
                Ok(()) => read(shared, &mut input),
                Err(error) => Err(error.into()),
            },
            ready = shared.stream.writable(), if !output.is_empty() => match ready {
                Ok(()) => write(shared, &mut output),
                Err(error) => Err(error.into()),
            },
            () = shared.wake.notified(), if output.is_empty() => {
                // Whatever can run now may add to the batch; then it goes out.
                tokio::task::yield_now().await;
                write(shared, &mut output)
            }
        };
        if let Err(end) = done {
            return end;
        }
    }
}

/// Writes until nothing waits or the socket is full.
fn write(shared: &Shared, output: &mut BytesMut) -> Result<(), End> {
    loop {
        shared.write_some(output)?;
        if !output.is_empty() {
            return Ok(());
        }
        shared.fill(output);
        if output.is_empty() {
            return Ok(());
        }
    }
}

/// Reads until nothing more is there, and hands out the replies.
fn read(shared: &Shared, input: &mut BytesMut) -> Result<(), End> {
    loop {
        let room = missing_bytes(input).clamp(READ_BYTES, TRUSTED_BYTES);
        input.reserve(room);
        let free = input.capacity() - input.len();
        let read = match shared.stream.try_read_buf(input) {
            Ok(0) => return Err(End::Lost("the server closed it".to_owned())),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        shared.bytes_received.fetch_add(read as u64, Ordering::Relaxed);
        Counters::add(&shared.counters.bytes_received, read as u64);
        hand_out(shared, input)?;
        // Less than there was room for: the socket is empty, and asking again would cost a system call.
        if read < free {
            return Ok(());
        }
    }
}

fn hand_out(shared: &Shared, input: &mut BytesMut) -> Result<(), End> {
    loop {
        let mut frame = match next_frame(input, shared.limits.frame_bytes_max) {
            Ok(Some(frame)) => frame,
            Ok(None) => return Ok(()),
            Err(FrameError::Malformed(error)) => return Err(error.into()),
            Err(FrameError::TooLarge { call_id, bytes }) => return Err(refuse(shared, call_id, bytes)?),
        };
        let header = take_header(&mut frame)?;
        let waiter = shared.pending().take(header.call_id.unwrap_or_default())?;
        // None: the caller gave up before the reply came.
        let Some(waiter) = waiter else { continue };
        match read_reply(header, frame) {
            Ok(reply) => waiter.answer(reply, &shared.address, shared.limits.answer_entries_max),
            Err(error) => fail(shared, waiter, error.into()),
        }
    }
}

/// Fails the call whose reply is too large. The connection ends, since nobody wants to read on to the end of the reply;
/// other calls go on over another one.
fn refuse(shared: &Shared, call_id: u32, bytes: usize) -> Result<End, WireError> {
    let waiter = shared.pending().take(call_id)?;
    if let Some(waiter) = waiter {
        let bytes_max = shared.limits.frame_bytes_max;
        let how = how_to_raise("frame_bytes_max", bytes_max);
        let why = format!("it has {bytes} bytes, more than {bytes_max}; {how}");
        fail(shared, waiter, ReplyError::TooLarge(why));
    }
    Ok(End::Lost(format!("a reply of {bytes} bytes was refused")))
}

fn fail(shared: &Shared, waiter: Waiter, error: ReplyError) {
    let origin = CallOrigin { call: waiter.call(), address: shared.address.clone() };
    waiter.fail(&origin.refuse(error));
}
