//! Comparing short runs of bytes: rows, qualifiers.

/// Whether two runs of bytes are equal.
///
/// The library's comparison is a call that branches on the length, and a scan asks with another length each time: on
/// runs as short as these, its mispredicted branches cost more than the comparison.
#[inline]
pub(crate) fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        // The last eight bytes first: that is where the keys and names of neighbours differ.
        (Some(one_end), Some(other_end)) => {
            let (one_words, _) = one.as_chunks::<8>();
            let (other_words, _) = other.as_chunks::<8>();
            one_end == other_end && one_words.iter().zip(other_words).all(|(one, other)| one == other)
        }
        _ => match (one.last_chunk::<4>(), other.last_chunk::<4>()) {
            (Some(one_end), Some(other_end)) => {
                one_end == other_end && one.first_chunk::<4>() == other.first_chunk::<4>()
            }
            _ => one.iter().zip(other).all(|(one, other)| one == other),
        },
    }
}

/// Whether `bytes` begin with `beginning`.
#[inline]
pub(crate) fn begins_with(bytes: &[u8], beginning: &[u8]) -> bool {
    bytes.get(..beginning.len()).is_some_and(|bytes| equal(bytes, beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        for length in 0..40 {
            let bytes: Vec<u8> = (0..length).collect();
            assert!(equal(&bytes, &bytes.clone()), "{length}");
            assert!(begins_with(&[&bytes[..], b"x"].concat(), &bytes), "{length}");
            assert!(!equal(&[&bytes[..], b"x"].concat(), &bytes), "{length}");
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] ^= 0x80;
                assert!(!equal(&bytes, &changed), "{length} {at}");
                assert!(!begins_with(&[&bytes[..], b"x"].concat(), &changed), "{length} {at}");
            }
        }
    }

    #[test]
    fn nothing_begins_with_more_than_it_has() {
        assert!(!begins_with(b"a", b"ab"));
        assert!(begins_with(b"a", b""));
    }
}
