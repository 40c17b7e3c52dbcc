//! The reports that people ask for, and how often each is asked for over the year.

/// A report.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// What is grouped by.
    pub by: &'static [&'static str],
    /// What is added up.
    pub sums: &'static [&'static str],
    /// What is asked for.
    pub filter: Filter,
    /// How often, compared to the others.
    pub weight: f64,
    /// How that changes over the year.
    pub drift: Drift,
}

/// Which rows a report is about; each but the last asks for days too.
#[derive(Clone, Copy, Debug)]
pub enum Filter {
    Publisher,
    PublisherCampaign,
    Campaign,
    Advertiser,
    AdvertiserCountry,
    Country,
    CountryDevice,
    /// One row by its key.
    Row,
}

/// How the weight of a report changes over the year.
#[derive(Clone, Copy, Debug)]
pub enum Drift {
    Steady,
    /// From a fifth to its double.
    Rising,
    /// From its double to a fifth.
    Falling,
    /// Only from this share of the year on.
    From(f64),
    /// Only up to this share of the year.
    Until(f64),
    /// Three times as often in the last days of a month.
    MonthEnd,
}

impl Template {
    /// The weight on a day.
    pub fn weight_on(&self, day: u64, days: u64) -> f64 {
        let share = day as f64 / days as f64;
        let factor = match self.drift {
            Drift::Steady => 1.0,
            Drift::Rising => 0.2 + 1.8 * share,
            Drift::Falling => 2.0 - 1.8 * share,
            Drift::From(begin) if share < begin => 0.0,
            Drift::Until(end) if share >= end => 0.0,
            Drift::From(_) | Drift::Until(_) => 1.0,
            Drift::MonthEnd => {
                if day % 30 >= 26 {
                    3.0
                } else {
                    1.0
                }
            }
        };
        self.weight * factor
    }
}

const fn report(
    by: &'static [&'static str],
    sums: &'static [&'static str],
    filter: Filter,
    weight: f64,
    drift: Drift,
) -> Template {
    Template { by, sums, filter, weight, drift }
}

/// All reports.
pub const ALL: [Template; 28] = [
    report(
        &["day"],
        &["views", "clicks", "leads", "sales", "commission"],
        Filter::Publisher,
        220.0,
        Drift::Steady,
    ),
    report(
        &["campaign", "campaign_name"],
        &["views", "clicks", "sales", "commission"],
        Filter::Publisher,
        110.0,
        Drift::Steady,
    ),
    report(&["day"], &["views", "clicks"], Filter::PublisherCampaign, 130.0, Drift::Falling),
    report(&["day"], &["clicks", "unique_clicks", "invalid_clicks"], Filter::Publisher, 40.0, Drift::Rising),
    report(
        &["day"],
        &["commission", "commission_confirmed", "commission_open", "commission_rejected"],
        Filter::Publisher,
        90.0,
        Drift::MonthEnd,
    ),
    report(
        &["currency"],
        &["commission_confirmed", "lead_commission", "bonus"],
        Filter::Publisher,
        45.0,
        Drift::MonthEnd,
    ),
    report(
        &["day"],
        &["sales", "sales_confirmed", "sales_open", "sales_rejected"],
        Filter::Campaign,
        60.0,
        Drift::Steady,
    ),
    report(
        &["day"],
        &["leads", "leads_confirmed", "leads_open", "leads_rejected", "lead_commission"],
        Filter::Campaign,
        45.0,
        Drift::Falling,
    ),
    report(
        &["publisher", "publisher_name"],
        &["views", "clicks", "sales", "revenue"],
        Filter::Campaign,
        70.0,
        Drift::Steady,
    ),
    report(
        &["publisher", "publisher_name", "channel"],
        &["clicks", "sales", "basket_value", "cost"],
        Filter::Advertiser,
        55.0,
        Drift::Rising,
    ),
    report(
        &["day"],
        &["cost", "cpc_cost", "cpm_cost", "network_fee"],
        Filter::Advertiser,
        40.0,
        Drift::Steady,
    ),
    report(&["country"], &["views", "clicks", "sales", "revenue"], Filter::Advertiser, 35.0, Drift::Steady),
    report(&["device"], &["views", "clicks", "sales"], Filter::AdvertiserCountry, 30.0, Drift::Rising),
    report(
        &["os", "browser"],
        &["views", "clicks", "unique_clicks"],
        Filter::CountryDevice,
        15.0,
        Drift::Until(0.5),
    ),
    report(
        &["category"],
        &["sales", "items", "basket_value", "revenue"],
        Filter::Country,
        20.0,
        Drift::Steady,
    ),
    report(
        &["ad_medium", "ad_format"],
        &["views", "viewable_views", "clicks"],
        Filter::Advertiser,
        25.0,
        Drift::Steady,
    ),
    report(
        &["traffic_source"],
        &["clicks", "invalid_clicks", "unique_views"],
        Filter::Publisher,
        12.0,
        Drift::From(0.3),
    ),
    report(
        &["day"],
        &["baskets", "sales", "items", "basket_value", "discount", "shipping", "tax"],
        Filter::Advertiser,
        30.0,
        Drift::Steady,
    ),
    report(
        &["campaign"],
        &["coupons", "discount", "new_customers", "sales"],
        Filter::Advertiser,
        22.0,
        Drift::From(0.55),
    ),
    report(
        &["day"],
        &["returns", "refund", "sales_rejected", "commission_rejected"],
        Filter::Campaign,
        18.0,
        Drift::Rising,
    ),
    report(&["device"], &["app_installs", "clicks"], Filter::Campaign, 14.0, Drift::From(0.4)),
    report(
        &["day"],
        &["video_starts", "video_completes", "viewable_views"],
        Filter::Campaign,
        24.0,
        Drift::From(0.65),
    ),
    report(
        &["channel"],
        &["post_view_sales", "post_click_sales", "sales"],
        Filter::Advertiser,
        16.0,
        Drift::Until(0.7),
    ),
    report(
        &["language", "currency"],
        &["revenue", "revenue_confirmed", "cost"],
        Filter::Country,
        8.0,
        Drift::MonthEnd,
    ),
    report(
        &["campaign_type"],
        &["views", "clicks", "leads", "sales", "cost", "revenue"],
        Filter::AdvertiserCountry,
        12.0,
        Drift::Steady,
    ),
    report(&[], &["views", "clicks", "sales", "commission", "updated_at"], Filter::Row, 60.0, Drift::Steady),
    report(
        &[],
        &["publisher_name", "campaign_name", "advertiser", "category"],
        Filter::Row,
        30.0,
        Drift::Falling,
    ),
    report(
        &["day"],
        &["revenue", "cost", "commission", "network_fee"],
        Filter::Advertiser,
        35.0,
        Drift::Rising,
    ),
];

#[cfg(test)]
mod tests {
    use super::super::columns;
    use super::*;

    #[test]
    fn reports_name_columns_of_the_table() {
        let known = |name: &&'static str| columns::ALL.iter().any(|column| column.name == *name);
        for template in ALL {
            assert!(template.by.iter().chain(template.sums).all(known), "{template:?}");
        }
    }

    #[test]
    fn weights_drift() {
        let of = |drift| report(&[], &[], Filter::Row, 10.0, drift);
        let on = |drift, day| of(drift).weight_on(day, 100);
        assert!(on(Drift::Rising, 90) > on(Drift::Rising, 10));
        assert!(on(Drift::Falling, 90) < on(Drift::Falling, 10));
        assert_eq!([on(Drift::From(0.5), 49), on(Drift::From(0.5), 50)], [0.0, 10.0]);
        assert_eq!([on(Drift::Until(0.5), 49), on(Drift::Until(0.5), 50)], [10.0, 0.0]);
        assert_eq!([on(Drift::MonthEnd, 0), on(Drift::MonthEnd, 29)], [10.0, 30.0]);
    }
}
