//! What to do about a failed attempt: one table of exceptions, and how long to wait. Pure functions; `attempts.rs`
//! carries the choice out.

use std::time::Duration;

use crate::error::ServerException;
use crate::rpc::CallError;
use crate::{Config, HostPort};

/// What a failure asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The region is at this place now.
    UseAddress(HostPort),
    /// Forget where the region was and look it up again.
    Relocate,
    /// The place is right, the server cannot now: wait.
    BackOff,
    /// Wait exactly so long, as the server asks.
    Wait(Duration),
    /// The scanner is gone: open another one after the last row seen.
    ReopenScanner,
    /// Trying again would not help.
    Fail,
}

/// The table: exceptions by simple name, and what they ask for. What is not in it is [`Remedy::Relocate`].
const TABLE: &[(&str, Remedy)] = &[
    ("UnknownScannerException", Remedy::ReopenScanner),
    ("ScannerResetException", Remedy::ReopenScanner),
    ("OutOfOrderScannerNextException", Remedy::ReopenScanner),
    ("LeaseException", Remedy::ReopenScanner),
    ("RegionTooBusyException", Remedy::BackOff),
    ("CallQueueTooBigException", Remedy::BackOff),
    ("CallDroppedException", Remedy::BackOff),
    ("CallTimeoutException", Remedy::BackOff),
    ("TimeoutIOException", Remedy::BackOff),
    ("RetryImmediatelyException", Remedy::BackOff),
    ("MultiActionResultTooLarge", Remedy::BackOff),
    ("RequestTooBigException", Remedy::BackOff),
    ("RegionOpeningException", Remedy::Relocate),
    ("NotServingRegionException", Remedy::Relocate),
    ("RegionServerStoppedException", Remedy::Relocate),
    ("RegionServerAbortedException", Remedy::Relocate),
    ("ServerNotRunningYetException", Remedy::Relocate),
    ("WrongRegionException", Remedy::Relocate),
    ("PleaseHoldException", Remedy::Relocate),
    ("MasterNotRunningException", Remedy::Relocate),
    ("MasterStoppedException", Remedy::Relocate),
    ("NotActiveMasterException", Remedy::Relocate),
];

/// The server says "do not retry" with these too, and means: not so, but otherwise.
const RETRIED_ALL_THE_SAME: &[&str] = &[
    "UnknownScannerException",
    "ScannerResetException",
    "OutOfOrderScannerNextException",
    "RegionServerStoppedException",
    "RegionServerAbortedException",
    "MasterStoppedException",
];

/// Exceptions that mean "do not retry" wherever they come from. A multi call's results carry names but no flags.
const FINAL: &[&str] = &[
    "AccessDeniedException",
    "ConstraintException",
    "CoprocessorException",
    "CorruptHFileException",
    "DoNotRetryIOException",
    "DoNotRetryRegionException",
    "FailedSanityCheckException",
    "FatalConnectionException",
    "IllegalArgumentException",
    "InvalidFamilyOperationException",
    "InvalidMutationDurabilityException",
    "NamespaceNotFoundException",
    "NoSuchColumnFamilyException",
    "QuotaExceededException",
    "RowTooBigException",
    "SpaceLimitingException",
    "TableNotEnabledException",
    "TableNotFoundException",
    "UnknownProtocolException",
    "UnsupportedOperationException",
];

/// Whether an exception without flags is final.
pub(crate) fn is_final_by_name(simple_name: &str) -> bool {
    FINAL.contains(&simple_name)
}

/// Bytes that are not HBase's protocol are met so often before they are final. An address that is out of date may lead to
/// another program, and looking the region up again to the right one; but what does not speak HBase's protocol will not
/// learn it.
const GARBLED_MAX: u32 = 3;

/// The pause after a heartbeat without rows of a server that has not read on. Always the same and short: a server that reads
/// one long row for a filter is no server in trouble. But whoever answers at once must not be asked as often as there is time
/// for.
const HEARTBEAT_PAUSE: Duration = Duration::from_millis(20);

/// What a failed attempt asks for, after `failed` others.
pub(crate) fn remedy(failure: &CallError, failed: u32) -> Remedy {
    match failure {
        CallError::Server(exception) => remedy_for(exception),
        CallError::TimedOut { .. } | CallError::Connect { .. } | CallError::Lost { .. } => Remedy::Relocate,
        CallError::NoServer(_) | CallError::Unanswered(_) => Remedy::Relocate,
        CallError::NotDone(_) => Remedy::BackOff,
        CallError::Standstill(_) => Remedy::Wait(HEARTBEAT_PAUSE),
        CallError::Garbled { .. } if failed < GARBLED_MAX => Remedy::Relocate,
        // The same question has the same answer, which will not be decodable the next time.
        CallError::Garbled { .. } | CallError::Undecodable { .. } | CallError::TooLarge(_) => Remedy::Fail,
        CallError::Unsendable(_) => Remedy::Fail,
    }
}

/// An exception of the master's that nobody knows is met so often before it is final.
const UNKNOWN_AT_MASTER_MAX: u32 = 3;

/// What a failed call to the master asks for, after `failed` others; [`Remedy::Relocate`] is to find out who is master
/// now. A master's exception that the table does not name tells as a rule what is wrong with the request itself, and
/// seldom of a mishap that passes: it is tried again, but not for long. The same goes for the news that a region has moved,
/// which is no answer of a master.
pub(crate) fn remedy_at_master(failure: &CallError, failed: u32) -> Remedy {
    let bounded = if failed < UNKNOWN_AT_MASTER_MAX { Remedy::BackOff } else { Remedy::Fail };
    match (remedy(failure, failed), failure) {
        (Remedy::Relocate, CallError::Server(exception)) if in_table(exception.simple_name()).is_none() => {
            bounded
        }
        (Remedy::UseAddress(_), _) => bounded,
        (remedy, _) => remedy,
    }
}

fn in_table(name: &str) -> Option<Remedy> {
    TABLE.iter().find(|(known, _)| *known == name).map(|(_, remedy)| remedy.clone())
}

fn remedy_for(exception: &ServerException) -> Remedy {
    let name = exception.simple_name();
    if let Some(address) = &exception.moved_to {
        return Remedy::UseAddress(address.clone());
    }
    if name == "RpcThrottlingException" {
        return wait_asked_for(&exception.message).map_or(Remedy::BackOff, Remedy::Wait);
    }
    if exception.do_not_retry && !RETRIED_ALL_THE_SAME.contains(&name) {
        return Remedy::Fail;
    }
    in_table(name).unwrap_or(Remedy::Relocate)
}

/// The wait that a throttling server names at the end of its message: `… - wait 1mins, 2sec, 300ms`.
fn wait_asked_for(message: &str) -> Option<Duration> {
    let (_, text) = message.rsplit_once("wait ")?;
    let first_line = text.lines().next()?;
    let mut total_ms = 0u64;
    for part in first_line.split(',').map(str::trim) {
        let digits = part.find(|c: char| !c.is_ascii_digit())?;
        let (number, unit) = part.split_at(digits);
        let unit_ms = match unit.trim() {
            "ms" => 1,
            "sec" => 1000,
            "min" | "mins" => 60_000,
            "hr" | "hrs" => 3_600_000,
            _ => return None,
        };
        total_ms = total_ms.checked_add(number.parse::<u64>().ok()?.checked_mul(unit_ms)?)?;
    }
    Some(Duration::from_millis(total_ms))
}

/// The address in the text of a RegionMovedException, where a multi call carries no other.
pub(crate) fn moved_to_in_text(message: &str) -> Option<HostPort> {
    let part = |name: &str| {
        let (_, rest) = message.split_once(name)?;
        rest.split_whitespace().next()
    };
    let port = part("port=")?.trim_end_matches(['.', ',']).parse().ok()?;
    Some(HostPort::new(part("hostname=")?, port))
}

/// How long to wait before attempt `attempt` (1 is the first retry); `jitter` is a random number in 0..1.
pub(crate) fn pause(config: &Config, attempt: u32, overloaded: bool, jitter: f64) -> Duration {
    let longest = if overloaded { config.retry_pause_max_overloaded } else { config.retry_pause_max };
    let first = if overloaded { config.retry_pause * 5 } else { config.retry_pause };
    let doubled = first.saturating_mul(1u32 << attempt.saturating_sub(1).min(16));
    // Between half and the whole, so that clients that failed together do not come back together.
    doubled.min(longest).mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bootstrap;

    fn exception(class: &str, do_not_retry: bool) -> CallError {
        CallError::Server(ServerException {
            class: class.to_owned(),
            do_not_retry,
            ..ServerException::default()
        })
    }

    #[test]
    fn each_exception_asks_for_its_remedy() {
        for (class, do_not_retry, wanted) in [
            ("org.apache.hadoop.hbase.NotServingRegionException", false, Remedy::Relocate),
            ("org.apache.hadoop.hbase.RegionTooBusyException", false, Remedy::BackOff),
            ("org.apache.hadoop.hbase.UnknownScannerException", true, Remedy::ReopenScanner),
            ("org.apache.hadoop.hbase.exceptions.ScannerResetException", true, Remedy::ReopenScanner),
            ("org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException", true, Remedy::Fail),
            ("org.apache.hadoop.hbase.regionserver.RegionServerStoppedException", true, Remedy::Relocate),
            ("java.io.IOException", false, Remedy::Relocate),
        ] {
            assert_eq!(remedy(&exception(class, do_not_retry), 0), wanted, "{class}");
        }
    }

    #[test]
    fn a_master_that_is_none_yet_is_asked_again_and_a_refusal_is_not() {
        for (class, do_not_retry, wanted) in [
            ("org.apache.hadoop.hbase.PleaseHoldException", false, Remedy::Relocate),
            ("org.apache.hadoop.hbase.ipc.ServerNotRunningYetException", false, Remedy::Relocate),
            ("org.apache.hadoop.hbase.exceptions.MasterStoppedException", true, Remedy::Relocate),
            ("org.apache.hadoop.hbase.TableExistsException", true, Remedy::Fail),
            ("org.apache.hadoop.hbase.CallQueueTooBigException", false, Remedy::BackOff),
        ] {
            assert_eq!(remedy_at_master(&exception(class, do_not_retry), 100), wanted, "{class}");
        }
        let unknown = exception("java.io.IOException", false);
        assert_eq!(remedy_at_master(&unknown, 0), Remedy::BackOff);
        assert_eq!(remedy_at_master(&unknown, UNKNOWN_AT_MASTER_MAX), Remedy::Fail);
        let lost = CallError::Lost { address: HostPort::new("h", 1), why: String::new() };
        assert_eq!(remedy_at_master(&lost, 100), Remedy::Relocate);
        let moved = CallError::Server(ServerException {
            class: "org.apache.hadoop.hbase.exceptions.RegionMovedException".to_owned(),
            moved_to: Some(HostPort::new("h", 1)),
            ..ServerException::default()
        });
        assert_eq!(remedy_at_master(&moved, 0), Remedy::BackOff);
        assert_eq!(remedy_at_master(&moved, UNKNOWN_AT_MASTER_MAX), Remedy::Fail);
    }

    #[test]
    fn an_answer_that_cannot_be_decoded_is_final() {
        let address = HostPort::new("h", 1);
        let undecodable =
            CallError::Undecodable { call: "Get", address: address.clone(), why: String::new() };
        assert_eq!(remedy(&undecodable, 0), Remedy::Fail);
        assert_eq!(remedy_at_master(&undecodable, 0), Remedy::Fail);
        let garbled = CallError::Garbled { address, why: String::new() };
        assert_eq!(remedy(&garbled, 0), Remedy::Relocate);
        assert_eq!(remedy(&garbled, GARBLED_MAX), Remedy::Fail);
    }

    #[test]
    fn a_moved_region_names_its_new_place() {
        let text = "Region moved to: hostname=host-7 port=16020 startCode=17. As of locationSeqNum=4.";
        assert_eq!(moved_to_in_text(text), Some(HostPort::new("host-7", 16020)));
        assert_eq!(moved_to_in_text("no idea"), None);
    }

    #[test]
    fn a_throttling_server_names_the_wait() {
        let message = "number of requests exceeded - wait 1mins, 2sec, 30ms";
        assert_eq!(wait_asked_for(message), Some(Duration::from_millis(62_030)));
        assert_eq!(wait_asked_for("x - wait 250ms\nmore"), Some(Duration::from_millis(250)));
        assert_eq!(wait_asked_for("x - wait soon"), None);
    }

    #[test]
    fn pauses_grow_to_their_limit() {
        let config = Config::new(Bootstrap::Servers(Vec::new()));
        assert_eq!(pause(&config, 1, false, 1.0), config.retry_pause);
        assert!(pause(&config, 3, false, 1.0) > pause(&config, 2, false, 1.0));
        assert_eq!(pause(&config, 60, false, 1.0), config.retry_pause_max);
        assert_eq!(pause(&config, 60, true, 1.0), config.retry_pause_max_overloaded);
        assert!(pause(&config, 2, false, 0.0) * 2 == pause(&config, 2, false, 1.0));
    }
}
