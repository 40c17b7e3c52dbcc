//! Numbers in as few bytes as they need: LEB128, seven bits a byte, the lowest first.

/// Bytes of the longest number.
const MOST_BYTES: usize = 10;

/// Appends a number.
pub(super) fn write(mut number: u64, out: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7F).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

/// The number at the beginning of `bytes`, and what follows it; `None` when it is cut off, too great, or longer than need be.
pub(super) fn read(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    for (index, byte) in bytes.iter().take(MOST_BYTES).enumerate() {
        let low = u64::from(byte & 0x7F);
        let shift = u32::try_from(index * 7).ok()?;
        number |= low.checked_shl(shift).filter(|shifted| shifted >> shift == low)?;
        if byte & 0x80 == 0 {
            let is_shortest = index == 0 || *byte != 0;
            return is_shortest.then(|| (number, bytes.get(index + 1..).unwrap_or_default()));
        }
    }
    None
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
