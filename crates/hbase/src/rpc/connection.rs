//! One connection to one service of one server: many calls under way, replies in any order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::{Buf, BytesMut};
use prost::Message;
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};
use tokio::task::AbortHandle;

use super::outbox::{Call, Outbox, Outgoing, Sender, StepResults, Steps};
use super::pending::Pending;
use super::{CallError, CallOrigin, Reply, Service, Target, io, writer};
use crate::metrics::Counters;
use crate::wire::frame::RawReply;
use crate::wire::handshake;
use crate::{Config, HostPort};

/// Until when a call must be answered, and how urgent it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallOptions {
    pub deadline: Instant,
    /// HBase serves calls with a priority from handlers of their own.
    pub priority: Option<u32>,
}

/// What a connection takes at most.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub frame_bytes_max: usize,
    pub answer_entries_max: usize,
    pub batch_actions_max: usize,
    pub batch_bytes_max: usize,
}

/// What callers and the connection's task share.
pub(super) struct Shared {
    pub address: HostPort,
    pub stream: TcpStream,
    pub limits: Limits,
    pub counters: Arc<Counters>,
    /// Tells the task that the outbox has something for it.
    pub wake: Notify,
    pub bytes_received: AtomicU64,
    outbox: Mutex<Outbox>,
    pending: Mutex<Pending>,
    /// What a caller could not write at once, because the socket was full. The task goes on with it.
    leftover: Mutex<BytesMut>,
}

impl Shared {
    fn outbox(&self) -> MutexGuard<'_, Outbox> {
        // Nothing panics while it holds these locks; if it did, the data would still be whole.
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leftover(&self) -> MutexGuard<'_, BytesMut> {
        self.leftover.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next bytes to write; none when nothing waits, and then others may write.
    pub fn fill(&self, out: &mut BytesMut) {
        let leftover = std::mem::take(&mut *self.leftover());
        if !leftover.is_empty() {
            *out = leftover;
            return;
        }
        let outgoing = self.outbox().take();
        if !outgoing.is_empty() {
            writer::encode(outgoing, &mut self.pending(), out, &self.limits, &self.counters);
        }
    }

    /// Writes as much as the socket takes.
    pub fn write_some(&self, out: &mut BytesMut) -> std::io::Result<()> {
        while !out.is_empty() {
            match self.stream.try_write(out) {
                Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    Counters::add(&self.counters.bytes_sent, written as u64);
                    out.advance(written);
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn send(&self, outgoing: Outgoing) -> Result<(), CallError> {
        let calls_under_way = self.pending().len();
        // The lock ends with this line: who writes takes it again.
        let sender = self.outbox().push(outgoing, calls_under_way)?;
        match sender {
            Sender::Nobody => {}
            Sender::Writer => self.wake.notify_one(),
            Sender::Caller => self.write_now(),
        }
        Ok(())
    }

    /// A lone call: no other task is woken before its bytes are on the socket.
    fn write_now(&self) {
        let mut out = BytesMut::new();
        self.fill(&mut out);
        if self.write_some(&mut out).is_ok() && out.is_empty() {
            let mut outbox = self.outbox();
            if outbox.queue.is_empty() {
                outbox.writing = false;
                return;
            }
        } else {
            // A broken socket too is the task's to notice, once.
            *self.leftover() = out;
        }
        self.wake.notify_one();
    }

    /// Ends everything that waits, and refuses what comes.
    pub fn close(&self, why: &CallError) {
        let queue = {
            let mut outbox = self.outbox();
            outbox.closed.get_or_insert_with(|| why.clone());
            std::mem::take(&mut outbox.queue)
        };
        for outgoing in queue {
            match outgoing {
                Outgoing::Call(call) => drop(call.reply.send(Err(why.clone()))),
                Outgoing::Steps(steps) => steps.fail(why),
            }
        }
        let waiters = self.pending().close(why);
        for waiter in waiters {
            waiter.fail(why);
        }
    }
}

/// A connection; it ends when dropped.
pub(crate) struct Connection {
    shared: Arc<Shared>,
    task: AbortHandle,
}

impl Connection {
    /// Connects to `place`, which is where `address` is reached.
    pub async fn open(
        config: &Config,
        counters: Arc<Counters>,
        address: HostPort,
        service: Service,
    ) -> Result<Self, CallError> {
        let place =
            config.translate.as_ref().map_or_else(|| address.clone(), |translate| translate(&address));
        let failed = |why: String| CallError::Connect { address: address.clone(), why };
        let connecting = connect(&place, service, config);
        let stream = match tokio::time::timeout(config.connect_timeout, connecting).await {
            Ok(connected) => connected.map_err(|error| failed(error.to_string()))?,
            Err(_) => {
                return Err(failed(format!("no answer within {} ms", config.connect_timeout.as_millis())));
            }
        };
        Counters::add(&counters.connections, 1);
        tracing::debug!(%address, service = service.name(), "connected");
        let limits = Limits {
            frame_bytes_max: config.frame_bytes_max,
            answer_entries_max: config.answer_entries_max,
            batch_actions_max: config.batch_actions_max,
            batch_bytes_max: config.batch_bytes_max,
        };
        let shared = Arc::new(Shared {
            address,
            stream,
            limits,
            counters,
            wake: Notify::new(),
            bytes_received: AtomicU64::new(0),
            outbox: Mutex::default(),
            pending: Mutex::default(),
            leftover: Mutex::default(),
        });
        let task = tokio::spawn(io::run(shared.clone())).abort_handle();
        Ok(Self { shared, task })
    }

    /// Whether calls can still be made.
    pub fn is_open(&self) -> bool {
        self.shared.outbox().closed.is_none()
    }

    /// Calls a method and waits for its reply.
    pub async fn call(
        &self,
        method: &'static str,
        message: &impl Message,
        options: CallOptions,
    ) -> Result<Reply, CallError> {
        let (reply, receiver) = oneshot::channel();
        let CallOptions { deadline, priority } = options;
        let message = message.encode_to_vec().into();
        let mark = self.mark();
        self.shared.send(Outgoing::Call(Call { method, message, priority, deadline, reply }))?;
        let RawReply { message, cells, .. } = self.wait(receiver, deadline, mark).await??;
        let origin = CallOrigin { call: method, address: self.shared.address.clone() };
        Ok(Reply { message, cells, origin, entries_max: self.shared.limits.answer_entries_max })
    }

    /// Asks regions of this server; one result for each target.
    pub async fn ask(&self, targets: Vec<Target>, deadline: Instant) -> StepResults {
        let (reply, receiver) = oneshot::channel();
        let count = targets.len();
        let mark = self.mark();
        let sent = self.shared.send(Outgoing::Steps(Steps { targets, deadline, reply }));
        let results = match sent {
            Ok(()) => self.wait(receiver, deadline, mark).await,
            Err(error) => Err(error),
        };
        results.unwrap_or_else(|error| vec![Err(error); count])
    }

    fn mark(&self) -> (Instant, u64) {
        (Instant::now(), self.shared.bytes_received.load(Ordering::Relaxed))
    }

    async fn wait<T>(
        &self,
        receiver: oneshot::Receiver<T>,
        deadline: Instant,
        (begun, bytes_before): (Instant, u64),
    ) -> Result<T, CallError> {
        match tokio::time::timeout_at(deadline.into(), receiver).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(self.lost("it was closed".to_owned())),
            Err(_) => {
                let waited = begun.elapsed();
                self.give_up_if_silent(bytes_before, waited);
                Err(CallError::TimedOut { address: self.shared.address.clone(), waited })
            }
        }
    }

    /// A connection that brought nothing at all while a call waited for long is taken for dead, so that the next
    /// attempt makes a new one. A call with a short deadline is no sign.
    fn give_up_if_silent(&self, bytes_before: u64, waited: Duration) {
        const SILENCE: Duration = Duration::from_secs(2);
        if waited >= SILENCE && self.shared.bytes_received.load(Ordering::Relaxed) == bytes_before {
            self.task.abort();
            self.shared.close(&self.lost(format!("nothing came for {} ms", waited.as_millis())));
        }
    }

    fn lost(&self, why: String) -> CallError {
        CallError::Lost { address: self.shared.address.clone(), why }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.close(&self.lost("it was closed".to_owned()));
    }
}

async fn connect(place: &HostPort, service: Service, config: &Config) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect((place.host.as_str(), place.port)).await?;
    stream.set_nodelay(true)?;
    let mut opening = handshake::opening(service.name(), &config.authentication);
    while !opening.is_empty() {
        stream.writable().await?;
        match stream.try_write(&opening) {
            Ok(written) => opening.advance(written),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(stream)
}
