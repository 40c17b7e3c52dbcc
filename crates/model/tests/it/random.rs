//! Random numbers for the property tests, from a seed that is printed and can be given.

/// SplitMix64: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// The seed of `TABLESMITH_SEED`, or 1; printed, so that a failure can be repeated.
    pub fn from_environment(test: &str) -> Self {
        let given = std::env::var("TABLESMITH_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or(1);
        println!("{test}: TABLESMITH_SEED={seed}");
        Self(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Fewer than `limit` things.
    pub fn many<T>(&mut self, limit: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(limit)).map(|_| make(self)).collect()
    }

    /// Fewer than `limit` bytes, those that need escapes more often than others.
    pub fn bytes(&mut self, limit: usize) -> Vec<u8> {
        self.many(limit, |random| match random.below(3) {
            0 => *random.pick(&[0x00, 0x01, 0x02, 0x7F, 0xFE, 0xFF, b'-', b'0', b'9', b'~']),
            _ => random.number() as u8,
        })
    }

    /// Fewer than `limit` characters, odd ones more often than others.
    pub fn text(&mut self, limit: usize) -> String {
        let odd = [
            '\0',
            '\u{1}',
            '\u{2}',
            '"',
            '\'',
            '\\',
            '\n',
            'ß',
            '\u{10FFFF}',
            ' ',
            '.',
            '(',
            ',',
            '\u{7F}',
            '#',
        ];
        self.many(limit, |random| match random.below(3) {
            0 => *random.pick(&odd),
            _ => char::from(b'a' + random.below(26) as u8),
        })
        .into_iter()
        .collect()
    }
}
