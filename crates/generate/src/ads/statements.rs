//! The log: one statement a line, after the time at which it came.

use std::io::{self, Write};

use fastrand::Rng;
use tablesmith_model::value::Moment;

use super::templates::{self, Filter, Template};
use super::world::{COUNTRIES, DAYS, DEVICES, World, date};
use crate::skewed::Skewed;

const MILLIS_OF_DAY: u64 = 86_400_000;

/// Writes so many statements, in the order of their times.
pub fn write(
    out: &mut dyn Write,
    world: &World,
    statements: u64,
    random: &mut Rng,
    tell: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let mut written = 0;
    for day in 0..DAYS {
        let weights = templates::ALL.iter().map(|template| template.weight_on(day, DAYS));
        let choice = Skewed::of_weights(weights);
        let count = statements * (day + 1) / DAYS - statements * day / DAYS;
        let mut times: Vec<u64> = (0..count).map(|_| time_of_day(random)).collect();
        times.sort_unstable();
        for time in times {
            if let Some(template) = templates::ALL.get(choice.pick(random)) {
                write_statement(out, world, template, day, time, random)?;
            }
            written += 1;
            tell(written);
        }
    }
    Ok(())
}

/// Milliseconds from midnight: twice as much comes in working hours.
fn time_of_day(random: &mut Rng) -> u64 {
    let third = MILLIS_OF_DAY / 3;
    if random.bool() { third + random.u64(..third) } else { random.u64(..MILLIS_OF_DAY) }
}

fn write_statement(
    out: &mut dyn Write,
    world: &World,
    template: &Template,
    day: u64,
    time_ms: u64,
    random: &mut Rng,
) -> io::Result<()> {
    let midnight = Moment::midnight(date(day)).millis();
    let moment = Moment::from_millis(midnight.saturating_add_unsigned(time_ms)).unwrap_or(Moment::MAX);
    write!(out, "{moment} SELECT ")?;
    let sums = template.sums.iter().map(|column| match template.filter {
        Filter::Row => (*column).to_owned(),
        _ => format!("SUM({column}) AS {column}"),
    });
    let list: Vec<String> = template.by.iter().map(|column| (*column).to_owned()).chain(sums).collect();
    write!(out, "{} FROM ads WHERE ", list.join(", "))?;
    write_filter(out, world, template.filter, day, random)?;
    if !template.by.is_empty() {
        let by = template.by.join(", ");
        write!(out, " GROUP BY {by} ORDER BY {by}")?;
    }
    writeln!(out, ";")
}

fn write_filter(
    out: &mut dyn Write,
    world: &World,
    filter: Filter,
    day: u64,
    random: &mut Rng,
) -> io::Result<()> {
    let (publisher, campaign) = (world.publishers.pick(random) + 1, world.campaigns.pick(random) + 1);
    let advertiser = random.usize(..world.advertisers.max(1)) + 1;
    let (country, ..) = COUNTRIES.get(world.countries.pick(random)).copied().unwrap_or_default();
    let (device, ..) = DEVICES.get(world.devices.pick(random)).copied().unwrap_or_default();
    match filter {
        Filter::Publisher => write!(out, "publisher = {publisher}")?,
        Filter::PublisherCampaign => write!(out, "publisher = {publisher} AND campaign = {campaign}")?,
        Filter::Campaign => write!(out, "campaign = {campaign}")?,
        Filter::Advertiser => write!(out, "advertiser = {advertiser}")?,
        Filter::AdvertiserCountry => write!(out, "advertiser = {advertiser} AND country = '{country}'")?,
        Filter::Country => write!(out, "country = '{country}'")?,
        Filter::CountryDevice => write!(out, "country = '{country}' AND device = '{device}'")?,
        Filter::Row => {
            return write!(
                out,
                "day = '{}' AND publisher = {publisher} AND campaign = {campaign} AND country = '{country}' AND \
                 device = '{device}'",
                date(random.u64(..=day))
            );
        }
    }
    let length = [1, 7, 30, 90].get(random.usize(..4)).copied().unwrap_or(1);
    write!(out, " AND day BETWEEN '{}' AND '{}'", date(day.saturating_sub(length)), date(day))
}
