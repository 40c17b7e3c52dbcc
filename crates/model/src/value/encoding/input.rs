//! Bytes that are taken from the front.

/// Why decoding stopped, in words.
pub(super) type Reason = &'static str;

/// What is left to decode.
pub(super) struct Input<'b> {
    rest: &'b [u8],
}

impl<'b> Input<'b> {
    pub(super) fn new(rest: &'b [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    pub(super) fn byte(&mut self) -> Result<u8, Reason> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or("they end too early")?;
        self.rest = rest;
        Ok(*taken)
    }

    /// What stands before the next `end`, which is taken too.
    pub(super) fn until(&mut self, end: u8) -> Result<&'b [u8], Reason> {
        let at = self.rest.iter().position(|byte| *byte == end).ok_or("the end mark is missing")?;
        let (taken, rest) = self.rest.split_at_checked(at).ok_or("the end mark is missing")?;
        self.rest = rest.get(1..).unwrap_or_default();
        Ok(taken)
    }

    /// Takes the next byte if it is this one.
    pub(super) fn skip(&mut self, byte: u8) -> bool {
        match self.rest.strip_prefix(&[byte]) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}
