//! The world that is reported about: who is in it, and who works with whom.

use fastrand::Rng;
use tablesmith_model::value::Date;

use crate::skewed::Skewed;

/// The days of the data: the year 2024.
pub const DAYS: u64 = 366;
/// 2024-01-01, in days since 1970-01-01.
const FIRST_DAY: i32 = 19_723;

pub const COUNTRIES: [(&str, &str, &str); 12] = [
    ("DE", "de", "EUR"),
    ("FR", "fr", "EUR"),
    ("GB", "en", "GBP"),
    ("ES", "es", "EUR"),
    ("IT", "it", "EUR"),
    ("NL", "nl", "EUR"),
    ("PL", "pl", "PLN"),
    ("SE", "sv", "SEK"),
    ("CH", "de", "CHF"),
    ("AT", "de", "EUR"),
    ("BR", "pt", "BRL"),
    ("US", "en", "USD"),
];
/// Device, operating systems, browsers.
pub const DEVICES: [(&str, [&str; 2], [&str; 2]); 4] = [
    ("desktop", ["windows", "macos"], ["chrome", "firefox"]),
    ("mobile", ["android", "ios"], ["chrome", "safari"]),
    ("tablet", ["ios", "android"], ["safari", "chrome"]),
    ("tv", ["android", "other"], ["embedded", "embedded"]),
];
const CATEGORIES: [&str; 14] = [
    "fashion",
    "travel",
    "electronics",
    "finance",
    "home",
    "sports",
    "beauty",
    "food",
    "books",
    "toys",
    "telecom",
    "insurance",
    "games",
    "gifts",
];
const CHANNELS: [&str; 6] = ["content", "coupon", "cashback", "search", "email", "social"];
const CAMPAIGN_TYPES: [&str; 4] = ["sale", "lead", "click", "video"];
const MEDIA: [&str; 6] = ["banner", "text", "feed", "video", "popup", "email"];
const FORMATS: [&str; 6] = ["300x250", "728x90", "160x600", "native", "in-stream", "none"];
const SOURCES: [&str; 5] = ["direct", "organic", "paid", "referral", "app"];

/// How large everything is.
#[derive(Debug)]
pub struct World {
    pub rows: u64,
    pub advertisers: usize,
    pub publishers: Skewed,
    pub campaigns: Skewed,
    pub countries: Skewed,
    pub devices: Skewed,
}

/// What is always the same for a campaign and a publisher.
#[derive(Clone, Copy, Debug)]
pub struct Partnership {
    pub advertiser: usize,
    pub campaign_type: &'static str,
    pub category: &'static str,
    pub channel: &'static str,
    pub medium: &'static str,
    pub format: &'static str,
    pub source: &'static str,
}

impl World {
    /// A smaller world has fewer partners, but not in proportion: reports about one of them still find rows.
    pub fn new(scale: f64, rows: u64) -> Self {
        let root = scale.sqrt();
        let sized = |at_one: f64, least: f64| (at_one * root).round().max(least) as usize;
        Self {
            rows,
            advertisers: sized(1_800.0, 12.0),
            publishers: Skewed::new(sized(24_000.0, 60.0), 20.0),
            campaigns: Skewed::new(sized(5_200.0, 30.0), 8.0),
            countries: Skewed::new(COUNTRIES.len(), 0.6),
            devices: Skewed::of_weights([0.46, 0.42, 0.11, 0.01]),
        }
    }

    /// How many rows come before a day: there are more towards the end of the year, and fewer at weekends.
    pub fn rows_before(&self, day: u64) -> u64 {
        let sum = |days: u64| (0..days).map(weight_of_day).sum::<u64>();
        self.rows * sum(day) / sum(DAYS)
    }

    /// What a campaign and a publisher are like, from their numbers.
    pub fn partnership(&self, campaign: usize, publisher: usize) -> Partnership {
        let of_campaign = scattered(campaign as u64);
        let of_publisher = scattered(publisher as u64 ^ 0x00F0_0D00);
        let campaign_type = choose(&CAMPAIGN_TYPES, of_campaign);
        let is_video = campaign_type == "video";
        Partnership {
            advertiser: (of_campaign >> 20) as usize % self.advertisers.max(1),
            campaign_type,
            category: choose(&CATEGORIES, of_campaign >> 8),
            channel: choose(&CHANNELS, of_publisher),
            medium: if is_video { "video" } else { choose(&MEDIA, of_publisher >> 8) },
            format: if is_video { "in-stream" } else { choose(&FORMATS, (of_campaign ^ of_publisher) >> 16) },
            source: choose(&SOURCES, of_publisher >> 24),
        }
    }
}

/// The date of a day.
pub fn date(day: u64) -> Date {
    let days = i32::try_from(day).unwrap_or_default().saturating_add(FIRST_DAY);
    Date::from_days(days).unwrap_or(Date::MAX)
}

/// A number's random companion, always the same.
fn scattered(number: u64) -> u64 {
    Rng::with_seed(number).u64(..)
}

fn choose(names: &[&'static str], number: u64) -> &'static str {
    let index = usize::try_from(number & 0xFFFF).unwrap_or_default() % names.len().max(1);
    names.get(index).copied().unwrap_or_default()
}

fn weight_of_day(day: u64) -> u64 {
    // 2024 begins with a Monday.
    let is_weekend = day % 7 >= 5;
    (800 + day) * if is_weekend { 7 } else { 10 }
}
