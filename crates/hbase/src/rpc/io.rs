//! The task of a connection: reads replies, and writes what callers do not write themselves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::BytesMut;

use super::CallError;
use super::connection::Shared;
use super::pending::deliver;
use crate::metrics::Counters;
use crate::wire::frame::{missing_bytes, next_frame, read_reply};

/// Room for what arrives, at least.
const READ_BYTES: usize = 32 << 10;
/// Room that a frame gets on its own word. A longer one gets more as its bytes arrive.
const TRUSTED_BYTES: usize = 4 << 20;

/// Runs until the connection ends.
pub(super) async fn run(shared: Arc<Shared>) {
    let why = match drive(&shared).await {
        End::Lost(why) => CallError::Lost { address: shared.address.clone(), why },
        End::Nonsense(why) => CallError::Protocol(format!("{}: {why}", shared.address)),
    };
    tracing::debug!(address = %shared.address, %why, "connection ended");
    shared.close(&why);
}

enum End {
    Lost(String),
    Nonsense(String),
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
        hand_out(shared, input).map_err(|error| End::Nonsense(error.0))?;
        // Less than there was room for: the socket is empty, and asking again would cost a system call.
        if read < free {
            return Ok(());
        }
    }
}

fn hand_out(shared: &Shared, input: &mut BytesMut) -> Result<(), crate::wire::WireError> {
    while let Some(frame) = next_frame(input, shared.limits.frame_bytes_max)? {
        let reply = read_reply(frame)?;
        let id = reply.header.call_id.unwrap_or_default();
        let waiter = shared.pending().take(id)?;
        // None: the caller gave up before the reply came.
        if let Some(waiter) = waiter {
            deliver(waiter, reply)?;
        }
    }
    Ok(())
}
