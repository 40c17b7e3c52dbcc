//! The rows: one a day, publisher, campaign, country and device, sorted by that key.

use std::collections::HashSet;
use std::io::{self, Write};

use fastrand::Rng;

use super::columns;
use super::facts::Facts;
use super::world::{COUNTRIES, DAYS, DEVICES, Partnership, World, date};

/// What identifies a row within its day.
type Key = (usize, usize, usize, usize);

/// Writes the header and all rows, and gives what is then known of each column.
pub fn write(
    out: &mut dyn Write,
    world: &World,
    random: &mut Rng,
    tell: &mut dyn FnMut(u64),
) -> io::Result<Vec<Facts>> {
    let names: Vec<&str> = columns::ALL.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))?;
    let mut line = Line::new();
    let mut written = 0;
    for day in 0..DAYS {
        let count = world.rows_before(day + 1) - world.rows_before(day);
        for key in keys_of_day(world, count, random) {
            line.row(world, day, key, random);
            out.write_all(&line.text)?;
            written += 1;
            tell(written);
        }
    }
    Ok(line.facts)
}

/// Different keys, sorted. Where chance finds no new one, the next publishers in turn have their first row.
fn keys_of_day(world: &World, count: u64, random: &mut Rng) -> Vec<Key> {
    let mut keys: HashSet<Key> = HashSet::new();
    while (keys.len() as u64) < count {
        let (campaign, country) = (world.campaigns.pick(random), world.countries.pick(random));
        let device = world.devices.pick(random);
        let first = world.publishers.pick(random);
        let publishers = (first..world.publishers.size()).chain(0..first);
        let free = publishers
            .map(|publisher| (publisher, campaign, country, device))
            .find(|key| !keys.contains(key));
        keys.extend(free);
    }
    let mut keys: Vec<Key> = keys.into_iter().collect();
    keys.sort_unstable();
    keys
}

/// The line of a row.
struct Line {
    text: Vec<u8>,
    column: usize,
    facts: Vec<Facts>,
}

impl Line {
    fn new() -> Self {
        let facts = columns::ALL.iter().map(|column| Facts::new(column.value_type)).collect();
        Self { text: Vec::new(), column: 0, facts }
    }

    fn row(
        &mut self,
        world: &World,
        day: u64,
        (publisher, campaign, country, device): Key,
        random: &mut Rng,
    ) {
        self.text.clear();
        self.column = 0;
        let partnership = world.partnership(campaign, publisher);
        self.dimensions(day, (publisher, campaign, country, device), &partnership, random);
        let traffic = Traffic::new(&partnership, random);
        self.counts(&traffic, device, random);
        self.amounts(&traffic, random);
        self.text.push(b'\n');
    }

    fn dimensions(&mut self, day: u64, key: Key, partnership: &Partnership, random: &mut Rng) {
        let (publisher, campaign, country, device) = key;
        let (country, language, currency) = COUNTRIES.get(country).copied().unwrap_or(("", "", ""));
        let (device, systems, browsers) = DEVICES.get(device).copied().unwrap_or_default();
        let one_of = |[usual, other]: [&'static str; 2], random: &mut Rng| {
            if random.u8(..4) == 0 { other } else { usual }
        };
        let (os, browser) = (one_of(systems, random), one_of(browsers, random));
        self.display(date(day));
        self.number(publisher as u64 + 1);
        self.number(campaign as u64 + 1);
        self.word(country);
        self.word(device);
        self.number(partnership.advertiser as u64 + 1);
        self.display(format_args!("{} site {}", partnership.channel, publisher + 1));
        self.display(format_args!("{} {} {}", partnership.category, partnership.campaign_type, campaign + 1));
        let words = [
            partnership.campaign_type,
            partnership.category,
            partnership.channel,
            partnership.medium,
            partnership.format,
            language,
            currency,
            os,
            browser,
            partnership.source,
        ];
        words.into_iter().for_each(|word| self.word(word));
        // A day is added up in six runs of the next night.
        self.display(format_args!("{}T0{}:00:00Z", date(day + 1), random.u8(..6)));
    }

    fn counts(&mut self, traffic: &Traffic, device: usize, random: &mut Rng) {
        let Traffic { views, clicks, leads, sales, .. } = *traffic;
        self.number(views);
        self.number(share(views, 60, 95, random));
        self.number(share(views, 40, 80, random));
        self.number(clicks);
        self.number(share(clicks, 70, 100, random));
        self.number(share(clicks, 0, 8, random));
        self.numbers(parts(leads, random));
        self.numbers(parts(sales, random));
        let after_view = share(sales, 0, 40, random);
        self.numbers([after_view, sales - after_view]);
        let baskets = sales + share(clicks, 0, 10, random);
        self.numbers([baskets, traffic.items, share(sales, 0, 50, random), share(sales, 0, 20, random)]);
        self.number(share(sales, 0, 60, random));
        // Only a phone or tablet installs an app, and only a video is watched to its end.
        self.optional((1..=2).contains(&device).then(|| share(clicks, 0, 5, random)));
        let starts = traffic.is_video.then(|| share(views, 30, 90, random));
        self.optional(starts);
        self.optional(starts.map(|starts| share(starts, 10, 70, random)));
    }

    fn amounts(&mut self, traffic: &Traffic, random: &mut Rng) {
        let Traffic { views, clicks, leads, sales, items, .. } = *traffic;
        let basket = items * random.u64(900..9_000);
        let commission = basket * random.u64(3..12) / 100;
        let lead_commission = leads * random.u64(50..900);
        let confirmed = share(commission, 50, 90, random);
        let open = share(commission - confirmed, 0, 100, random);
        let rejected = commission - confirmed - open;
        self.amount(commission);
        [confirmed, open, rejected, lead_commission].into_iter().for_each(|cents| self.amount(cents));
        self.amount(if random.u8(..50) == 0 { random.u64(100..50_000) } else { 0 });
        let earned = commission + lead_commission;
        self.amount(earned * 30 / 100);
        let (by_click, by_view) = (clicks * random.u64(2..40), views * random.u64(1..4) / 100);
        [earned + by_click + by_view, by_click, by_view].into_iter().for_each(|cents| self.amount(cents));
        let revenue = basket * 119 / 100;
        self.amount(revenue);
        self.amount(share(revenue, 50, 90, random));
        self.amount(basket);
        self.amount(share(basket, 0, 15, random));
        self.amount(sales * random.u64(0..600));
        self.amount(revenue - basket);
        self.amount(share(basket, 0, 10, random));
    }

    fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    fn number(&mut self, number: u64) {
        self.word(itoa::Buffer::new().format(number));
    }

    fn optional(&mut self, number: Option<u64>) {
        match number {
            Some(number) => self.number(number),
            None => self.word(""),
        }
    }

    /// Cents as units with two digits after the point.
    fn amount(&mut self, cents: u64) {
        let mut units = itoa::Buffer::new();
        let units = units.format(cents / 100);
        let (tens, ones) = ((cents / 10 % 10) as u8 + b'0', (cents % 10) as u8 + b'0');
        self.begin();
        self.text.extend_from_slice(units.as_bytes());
        self.text.extend_from_slice(&[b'.', tens, ones]);
        self.end(units.len() + 3);
    }

    fn word(&mut self, word: &str) {
        self.begin();
        self.text.extend_from_slice(word.as_bytes());
        self.end(word.len());
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        self.begin();
        let before = self.text.len();
        // Writing to memory cannot fail.
        let _ = write!(self.text, "{value}");
        self.end(self.text.len() - before);
    }

    fn begin(&mut self) {
        if self.column > 0 {
            self.text.push(b',');
        }
    }

    /// Ends a field whose text is so long.
    fn end(&mut self, bytes: usize) {
        let text = self.text.get(self.text.len().saturating_sub(bytes)..).unwrap_or_default();
        if let Some(facts) = self.facts.get_mut(self.column) {
            facts.see(text);
        }
        self.column += 1;
    }
}

/// What happened in a row.
struct Traffic {
    views: u64,
    clicks: u64,
    leads: u64,
    sales: u64,
    items: u64,
    is_video: bool,
}

impl Traffic {
    /// Most rows are small, a few are large: every further doubling of views is half as frequent.
    fn new(partnership: &Partnership, random: &mut Rng) -> Self {
        let doublings = random.u64(..).trailing_zeros().min(14);
        let views = random.u64(10..500) << doublings;
        let clicks = share(views, 0, 6, random);
        let (most_leads, most_sales) = match partnership.campaign_type {
            "lead" => (20, 2),
            "sale" => (2, 12),
            _ => (3, 3),
        };
        let (leads, sales) = (share(clicks, 0, most_leads, random), share(clicks, 0, most_sales, random));
        let items = sales + share(sales, 0, 150, random);
        Self { views, clicks, leads, sales, items, is_video: partnership.campaign_type == "video" }
    }
}

/// From `low` to `high` per cent of a number, rounded up or down by chance, so that small numbers have a share too.
fn share(number: u64, low: u64, high: u64, random: &mut Rng) -> u64 {
    (number * random.u64(low..=high) + random.u64(..100)) / 100
}

/// A number, and how it divides into confirmed, open and rejected.
fn parts(number: u64, random: &mut Rng) -> [u64; 4] {
    let confirmed = share(number, 40, 90, random).min(number);
    let open = share(number - confirmed, 0, 99, random).min(number - confirmed);
    [number, confirmed, open, number - confirmed - open]
}
