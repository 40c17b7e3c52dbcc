//! MD5 of many short texts at once.
//!
//! Every step of MD5 waits for the one before, and most of the processor waits with it: half of the time of judging went
//! there. Here each step is done for 32 texts that have nothing to do with each other, in lanes side by side, which
//! compilers turn into the processor's vector operations. A text has to fit into one block (55 bytes); longer ones are hashed
//! one by one.
//!
//! ```text
//! a block   0 ‥ n      n      n+1 ‥ 56   56 ‥ 64
//!           text       0x80   zeros      bits of the text, lowest byte first
//! ```
#![expect(clippy::indexing_slicing, reason = "places below the lengths of arrays, in the innermost loops")]

use tablesmith_model::key::digest;

/// Texts that are hashed together: with fewer, compilers unroll the loops over them instead of using vectors.
const LANES: usize = 32;
const BLOCK_BYTES: usize = 64;
/// Where the number of bits stands.
const BITS_AT: usize = 56;
const WORDS: usize = 16;

type Lanes = [u32; LANES];

/// The state that every digest begins with (RFC 1321, 3.3).
const BEGIN: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// By how many bits each of four steps turns, round by round (RFC 1321, 3.4).
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// What each step adds: 2^32 · |sin(step)|, steps from 1 on (RFC 1321, 3.4).
#[rustfmt::skip]
const ADDED: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// Texts that wait for others to be hashed with.
#[derive(Clone, Debug, Default)]
pub(super) struct Hasher {
    blocks: Vec<[u8; BLOCK_BYTES]>,
    /// Where the digest of each block belongs.
    places: Vec<usize>,
}

impl Hasher {
    /// Makes room for the digest of a text, which is there after [`Hasher::finish`].
    #[inline]
    pub(super) fn push(&mut self, text: &[u8], digests: &mut Vec<u128>) {
        if text.len() >= BITS_AT {
            digests.push(u128::from_be_bytes(digest::of_bytes(text)));
            return;
        }
        let mut block = [0; BLOCK_BYTES];
        block[..text.len()].copy_from_slice(text);
        block[text.len()] = 0x80;
        block[BITS_AT..].copy_from_slice(&(text.len() as u64 * 8).to_le_bytes());
        self.blocks.push(block);
        self.places.push(digests.len());
        digests.push(0);
    }

    /// Hashes what waits.
    pub(super) fn finish(&mut self, digests: &mut [u128]) {
        for (blocks, places) in self.blocks.chunks(LANES).zip(self.places.chunks(LANES)) {
            let hashed = hash(&words(blocks));
            for (place, digest) in places.iter().zip(hashed) {
                if let Some(own) = digests.get_mut(*place) {
                    *own = digest;
                }
            }
        }
        self.blocks.clear();
        self.places.clear();
    }
}

/// The words of up to 32 blocks, each word's lanes side by side.
#[inline]
fn words(blocks: &[[u8; BLOCK_BYTES]]) -> [Lanes; WORDS] {
    let mut words = [[0; LANES]; WORDS];
    for (lane, block) in blocks.iter().enumerate().take(LANES) {
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            word[lane] = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
    }
    words
}

/// The digests of 32 blocks, each read as one number, first byte first.
#[inline]
fn hash(words: &[Lanes; WORDS]) -> [u128; LANES] {
    let mut state = BEGIN.map(|word| [word; LANES]);
    state = round::<0>(state, words, |b, c, d| (b & c) | (!b & d), |step| step);
    state = round::<1>(state, words, |b, c, d| (b & d) | (c & !d), |step| (5 * step + 1) % WORDS);
    state = round::<2>(state, words, |b, c, d| b ^ c ^ d, |step| (3 * step + 5) % WORDS);
    state = round::<3>(state, words, |b, c, d| c ^ (b | !d), |step| (7 * step) % WORDS);
    std::array::from_fn(|lane| {
        let word = |place: usize| u128::from(state[place][lane].wrapping_add(BEGIN[place]).swap_bytes());
        word(0) << 96 | word(1) << 64 | word(2) << 32 | word(3)
    })
}

/// Sixteen steps.
#[inline(always)]
fn round<const ROUND: usize>(
    [mut a, mut b, mut c, mut d]: [Lanes; 4],
    words: &[Lanes; WORDS],
    mixed: impl Fn(u32, u32, u32) -> u32,
    word_of: impl Fn(usize) -> usize,
) -> [Lanes; 4] {
    for step in 0..WORDS {
        let (word, added, turn) =
            (&words[word_of(step)], ADDED[ROUND * WORDS + step], TURNS[ROUND][step % 4]);
        let mut next = [0; LANES];
        for lane in 0..LANES {
            let sum = a[lane]
                .wrapping_add(mixed(b[lane], c[lane], d[lane]))
                .wrapping_add(word[lane])
                .wrapping_add(added);
            next[lane] = b[lane].wrapping_add(sum.rotate_left(turn));
        }
        (a, d, c, b) = (d, c, b, next);
    }
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_md5_crate() {
        let seed = 1;
        println!("lanes: seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut hasher = Hasher::default();
        for count in 0..100 {
            let texts: Vec<Vec<u8>> =
                (0..count).map(|_| (0..random.usize(..80)).map(|_| random.u8(..)).collect()).collect();
            let mut digests = Vec::new();
            texts.iter().for_each(|text| hasher.push(text, &mut digests));
            hasher.finish(&mut digests);
            let expected: Vec<u128> =
                texts.iter().map(|text| u128::from_be_bytes(digest::of_bytes(text))).collect();
            assert_eq!(digests, expected);
        }
    }

    #[test]
    fn every_length_fits_or_is_hashed_alone() {
        for length in 0..130 {
            let (text, mut digests) = (vec![b'x'; length], Vec::new());
            let mut hasher = Hasher::default();
            hasher.push(&text, &mut digests);
            hasher.finish(&mut digests);
            assert_eq!(digests, [u128::from_be_bytes(digest::of_bytes(&text))], "{length} bytes");
        }
    }

    #[test]
    fn what_steps_add_is_the_sine() {
        for (step, added) in ADDED.iter().enumerate() {
            let sine = (step as f64 + 1.0).sin().abs();
            assert_eq!((sine * 4_294_967_296.0) as u32, *added, "step {}", step + 1);
        }
    }
}
