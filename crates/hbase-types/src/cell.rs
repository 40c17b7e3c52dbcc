//! Timestamps, and what a cell is.

/// Milliseconds since 1970, or any other number that grows with each version. Never negative.
pub type Timestamp = i64;

/// What a writer sends who leaves the timestamp to the server.
pub const LATEST_TIMESTAMP: Timestamp = i64::MAX;

/// A value, or a marker that hides values. The numbers are HBase's codes; at one timestamp the higher code comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellType {
    /// A value.
    Put = 4,
    /// Hides the version of one column at exactly this timestamp.
    Delete = 8,
    /// Hides the versions of all columns of a family at exactly this timestamp.
    DeleteFamilyVersion = 10,
    /// Hides the versions of one column at this timestamp and before.
    DeleteColumn = 12,
    /// Hides the versions of all columns of a family at this timestamp and before.
    DeleteFamily = 14,
}

impl CellType {
    /// The code that HBase writes for this type.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The type of a code, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        match code {
            4 => Some(Self::Put),
            8 => Some(Self::Delete),
            10 => Some(Self::DeleteFamilyVersion),
            12 => Some(Self::DeleteColumn),
            14 => Some(Self::DeleteFamily),
            _ => None,
        }
    }

    /// Whether this is one of the four delete markers.
    pub fn is_marker(self) -> bool {
        self != Self::Put
    }

    /// The name HBase prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Put => "Put",
            Self::Delete => "Delete",
            Self::DeleteFamilyVersion => "DeleteFamilyVersion",
            Self::DeleteColumn => "DeleteColumn",
            Self::DeleteFamily => "DeleteFamily",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for code in 0..=255 {
            if let Some(cell_type) = CellType::from_code(code) {
                assert_eq!(cell_type.code(), code);
            }
        }
        assert_eq!(CellType::from_code(5), None);
    }
}
