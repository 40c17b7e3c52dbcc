//! Measures designs side by side: replay, statistics, calibration.
