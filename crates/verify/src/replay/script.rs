//! What is replayed: calls in their order.

/// The calls of a replay.
#[derive(Clone, Debug)]
pub struct Script<C> {
    /// The queries that the calls are of, by name.
    pub queries: Vec<String>,
    /// The calls, in the order in which they are made.
    pub calls: Vec<Entry<C>>,
}

/// One call of a script.
#[derive(Clone, Debug)]
pub struct Entry<C> {
    /// The query that it is of, as its place among the script's queries.
    pub query: usize,
    /// Whether it writes.
    pub writes: bool,
    /// The call itself.
    pub call: C,
}

impl<C> Script<C> {
    /// The name of the query that a call is of.
    pub fn query_of(&self, call: usize) -> &str {
        let query = self.calls.get(call).and_then(|entry| self.queries.get(entry.query));
        query.map_or("", String::as_str)
    }

    /// Whether any call writes.
    pub fn writes(&self) -> bool {
        self.calls.iter().any(|entry| entry.writes)
    }
}
