//! Sizes in messages.

/// A size as people say it: bytes below a tenth of a mebibyte, else mebibytes.
pub(crate) fn size_text(bytes: u64) -> String {
    const MEBIBYTE: u64 = 1 << 20;
    match bytes {
        _ if bytes < MEBIBYTE / 10 => format!("{bytes} bytes"),
        _ if bytes.is_multiple_of(MEBIBYTE) => format!("{} MiB", bytes / MEBIBYTE),
        _ => format!("{:.1} MiB", bytes as f64 / MEBIBYTE as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::size_text;

    #[test]
    fn sizes_have_units() {
        assert_eq!([0, 999, 64 << 20].map(size_text), ["0 bytes", "999 bytes", "64 MiB"]);
        assert_eq!(size_text((41 << 20) + (1 << 19)), "41.5 MiB");
    }
}
