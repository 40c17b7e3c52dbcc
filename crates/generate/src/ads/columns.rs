//! The columns of the table, in the order of the file.

use tablesmith_model::value::ValueType;

/// What a column is about: the present schema has a family for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Identifies a row.
    Key,
    /// Describes it.
    Dimension,
    /// Counts what happened.
    Count,
    /// Sums up money.
    Amount,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub value_type: ValueType,
    pub group: Group,
}

const fn key(name: &'static str, value_type: ValueType) -> Column {
    Column { name, value_type, group: Group::Key }
}

const fn dimension(name: &'static str, value_type: ValueType) -> Column {
    Column { name, value_type, group: Group::Dimension }
}

const fn count(name: &'static str) -> Column {
    Column { name, value_type: ValueType::Int, group: Group::Count }
}

const fn amount(name: &'static str) -> Column {
    Column { name, value_type: ValueType::Decimal, group: Group::Amount }
}

/// All columns.
pub const ALL: [Column; 60] = [
    key("day", ValueType::Date),
    key("publisher", ValueType::Int),
    key("campaign", ValueType::Int),
    key("country", ValueType::String),
    key("device", ValueType::String),
    dimension("advertiser", ValueType::Int),
    dimension("publisher_name", ValueType::String),
    dimension("campaign_name", ValueType::String),
    dimension("campaign_type", ValueType::String),
    dimension("category", ValueType::String),
    dimension("channel", ValueType::String),
    dimension("ad_medium", ValueType::String),
    dimension("ad_format", ValueType::String),
    dimension("language", ValueType::String),
    dimension("currency", ValueType::String),
    dimension("os", ValueType::String),
    dimension("browser", ValueType::String),
    dimension("traffic_source", ValueType::String),
    dimension("updated_at", ValueType::Timestamp),
    count("views"),
    count("unique_views"),
    count("viewable_views"),
    count("clicks"),
    count("unique_clicks"),
    count("invalid_clicks"),
    count("leads"),
    count("leads_confirmed"),
    count("leads_open"),
    count("leads_rejected"),
    count("sales"),
    count("sales_confirmed"),
    count("sales_open"),
    count("sales_rejected"),
    count("post_view_sales"),
    count("post_click_sales"),
    count("baskets"),
    count("items"),
    count("coupons"),
    count("returns"),
    count("new_customers"),
    count("app_installs"),
    count("video_starts"),
    count("video_completes"),
    amount("commission"),
    amount("commission_confirmed"),
    amount("commission_open"),
    amount("commission_rejected"),
    amount("lead_commission"),
    amount("bonus"),
    amount("network_fee"),
    amount("cost"),
    amount("cpc_cost"),
    amount("cpm_cost"),
    amount("revenue"),
    amount("revenue_confirmed"),
    amount("basket_value"),
    amount("discount"),
    amount("shipping"),
    amount("tax"),
    amount("refund"),
];

/// The names of a group's columns.
pub fn names(group: Group) -> Vec<String> {
    ALL.iter().filter(|column| column.group == group).map(|column| column.name.to_owned()).collect()
}
