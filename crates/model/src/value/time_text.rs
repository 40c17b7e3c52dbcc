//! The pieces that dates and times are written of: digits, clocks, fractions of a second, offsets from UTC.
//!
//! Values ([`Moment`](super::Moment)) and query logs write them alike and differ in what they accept around them.
//! Every function takes a piece off the beginning of a text and gives the rest with it.

/// The number that ASCII digits write; `None` when one of the bytes is no digit.
#[inline]
pub fn number<const DIGITS: usize>(digits: [u8; DIGITS]) -> Option<u32> {
    const { assert!(DIGITS <= 9, "more digits may be too many for the number") };
    let mut number = 0;
    for byte in digits {
        number = number * 10 + digit(byte)?;
    }
    Some(number)
}

#[inline]
fn digit(byte: u8) -> Option<u32> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(u32::from(digit))
}

/// A time of day as it is written, which need not be one that clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Two digits before the first colon.
    pub hour: u32,
    /// Two digits after it.
    pub minute: u32,
    /// Two digits after the second colon, if there is one.
    pub second: Option<u32>,
}

impl Clock {
    /// Seconds since midnight.
    #[inline]
    pub fn seconds(self) -> u32 {
        self.hour * 3_600 + self.minute * 60 + self.second.unwrap_or(0)
    }
}

/// Takes off `HH:MM` or `HH:MM:SS`.
#[inline]
pub fn clock(text: &[u8]) -> Option<(Clock, &[u8])> {
    let [h1, h2, b':', m1, m2, rest @ ..] = text else { return None };
    let (hour, minute) = (number([*h1, *h2])?, number([*m1, *m2])?);
    match rest {
        [b':', s1, s2, rest @ ..] => Some((Clock { hour, minute, second: Some(number([*s1, *s2])?) }, rest)),
        [b':', ..] => None,
        _ => Some((Clock { hour, minute, second: None }, rest)),
    }
}

/// Takes off the digits after a decimal separator: a fraction in microseconds, what is finer is cut off.
#[inline]
pub fn fraction_micros(text: &[u8]) -> Option<(u32, &[u8])> {
    let (mut micros, mut unit, mut count) = (0, 1_000_000, 0);
    for digit in text.iter().map_while(|byte| digit(*byte)) {
        unit /= 10;
        micros += digit * unit;
        count += 1;
    }
    text.get(count..).filter(|_| count > 0).map(|rest| (micros, rest))
}

/// How far clocks are ahead of UTC, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Whether the sign is a minus: the clocks are behind UTC.
    pub is_behind: bool,
    /// Two digits.
    pub hours: u32,
    /// Two digits, or 0 where none are written.
    pub minutes: u32,
}

impl Offset {
    /// Seconds that clocks are ahead of UTC, negative where they are behind.
    #[inline]
    pub fn seconds(self) -> i64 {
        let seconds = i64::from(self.hours * 3_600 + self.minutes * 60);
        if self.is_behind { -seconds } else { seconds }
    }
}

/// Takes off `+HH`, `+HHMM` or `+HH:MM`, or the same with a minus.
#[inline]
pub fn offset(text: &[u8]) -> Option<(Offset, &[u8])> {
    let [sign @ (b'+' | b'-'), h1, h2, rest @ ..] = text else { return None };
    let (is_behind, hours) = (*sign == b'-', number([*h1, *h2])?);
    let minutes = match rest {
        [b':', m1, m2, rest @ ..] | [m1, m2, rest @ ..] => number([*m1, *m2]).map(|minutes| (minutes, rest)),
        _ => None,
    };
    let (minutes, rest) = minutes.unwrap_or((0, rest));
    Some((Offset { is_behind, hours, minutes }, rest))
}
