//! Numbers in as few bytes as they need: LEB128, seven bits a byte, the lowest first.

/// Bytes of the longest number.
const MOST_BYTES: u32 = 10;

/// Appends a number.
#[inline]
pub fn write(mut number: u64, out: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7F).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

/// The number whose bytes `next` gives one after the other; `None` when it is too great. It may have more bytes than it
/// needs.
#[inline]
pub fn read_from<E>(mut next: impl FnMut() -> Result<u8, E>) -> Result<Option<u64>, E> {
    let mut number = 0_u64;
    for index in 0..MOST_BYTES {
        let (byte, shift) = (next()?, index * 7);
        let low = u64::from(byte & 0x7F);
        let shifted = low << shift;
        if shifted >> shift != low {
            return Ok(None);
        }
        number |= shifted;
        if byte & 0x80 == 0 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// The number at the beginning of `bytes`, and what follows it; `None` when it is cut off, too great, or longer than need be.
pub fn read(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut rest, mut last) = (bytes.iter(), 0);
    let number = read_from(|| rest.next().map(|byte| last = *byte).map(|()| last).ok_or(())).ok()??;
    let is_shortest = last != 0 || bytes.len() - rest.len() == 1;
    is_shortest.then_some((number, rest.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_as_few_bytes_as_they_need() {
        for (number, length) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, 10)] {
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            assert_eq!(bytes.len(), length, "{number}");
            bytes.push(9);
            assert_eq!(read(&bytes), Some((number, &[9][..])), "{number}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for bytes in [&[][..], &[0x80], &[0x80, 0x00], &[0xFF; 10], &[0xFF; 11]] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }
}
