//! Which streams read next: a decider.

use std::collections::BTreeMap;

use super::stream::{State, Stream};
use tablesmith_plan::rpc::FanOutBounds;

/// The streams that are to read now. Those that the merge waits for come first; others read ahead if that is wanted.
/// Neither all calls together nor those to one server become too many.
pub(super) fn next_to_read(streams: &[Stream], bounds: &FanOutBounds, ahead: bool) -> Vec<usize> {
    let mut calls = 0;
    let mut calls_of: BTreeMap<usize, usize> = BTreeMap::new();
    for stream in streams.iter().filter(|stream| stream.state == State::Reading) {
        calls += 1;
        *calls_of.entry(stream.server.unwrap_or(0)).or_default() += 1;
    }
    let idle = |stream: &Stream| stream.state == State::Idle;
    let dry = streams.iter().enumerate().filter(|(_, stream)| idle(stream) && stream.is_dry());
    let others =
        streams.iter().enumerate().filter(|(_, stream)| ahead && stream.has_room() && !stream.is_dry());
    let mut chosen = Vec::new();
    for (index, stream) in dry.chain(others) {
        if calls >= bounds.calls.max(1) {
            break;
        }
        if let Some(server) = stream.server {
            let of_server = calls_of.entry(server).or_default();
            if *of_server >= bounds.calls_per_server.max(1) {
                continue;
            }
            *of_server += 1;
        }
        calls += 1;
        chosen.push(index);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use tablesmith_model::plan::Strand;
    use tablesmith_store::{OpStats, Row};

    use super::super::fetch::Portion;
    use super::*;

    /// Streams of these servers that have so many rows.
    fn streams(of: &[(Option<usize>, usize)]) -> Vec<Stream> {
        let stream = |(server, rows): &(Option<usize>, usize)| {
            let mut stream = Stream::new(Strand::default(), *server);
            let rows = vec![Row::default(); *rows];
            if !rows.is_empty() {
                let portion =
                    Portion { rows, bytes: 0, scanner: None, is_last: false, stats: OpStats::default() };
                stream.receive(portion, false);
            }
            stream
        };
        of.iter().map(stream).collect()
    }

    #[test]
    fn streams_that_are_waited_for_come_first() {
        let streams = streams(&[(None, 5), (None, 0), (None, 5), (None, 0)]);
        let bounds = |calls| FanOutBounds { calls, ..FanOutBounds::default() };
        assert_eq!(next_to_read(&streams, &bounds(9), false), [1, 3]);
        assert_eq!(next_to_read(&streams, &bounds(3), true), [1, 3, 0]);
        assert_eq!(next_to_read(&streams, &bounds(0), true), [1], "one call is always allowed");
    }

    #[test]
    fn no_server_gets_too_many_calls() {
        let mut streams = streams(&[(Some(0), 0), (Some(0), 0), (Some(0), 0), (Some(1), 0)]);
        let bounds = FanOutBounds { calls: 9, calls_per_server: 2, ..FanOutBounds::default() };
        assert_eq!(next_to_read(&streams, &bounds, true), [0, 1, 3]);
        streams[0].state = State::Reading;
        streams[3].state = State::Ended;
        assert_eq!(next_to_read(&streams, &bounds, true), [1]);
    }
}
