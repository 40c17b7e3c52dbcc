//! Looking for rows inside the regions: any, filtered, and between two times.

use bytes::Bytes;
use tablesmith_model::TimeRange;
use tablesmith_store::{Delete, RegionRows, Scan, Select, Which};

use super::check::{Broken, Checked, done, same};
use super::lab::Lab;
use super::requests::{Read, family, value_is_not};
use super::table::Table;

/// Rows a, b, m and z over three regions: a and m at both times, b later, z earlier.
async fn two_times<'a>(lab: &Lab<'a>) -> Checked<Table<'a>> {
    let table = lab.table_split([family("f").with_versions(3), family("g")], ["b", "n"]).await?;
    table
        .put(&[
            ("a", "f:p", 10, "x"),
            ("a", "f:q", 20, "y"),
            ("b", "f:p", 20, "x"),
            ("m", "f:p", 20, "x"),
            ("m", "f:p", 10, "x"),
            ("m", "f:p", 15, "x"),
            ("z", "f:q", 10, "y"),
            ("z", "f:q", 15, "y"),
        ])
        .await?;
    Ok(table)
}

async fn selected(table: &Table<'_>, select: Select) -> Checked<Vec<RegionRows>> {
    let what = format!("select {:?}", select.which);
    done(what, table.store.select(&table.name, select).await).map(|answer| answer.value)
}

fn all(regions: &[RegionRows], rows: impl Fn(&RegionRows) -> &Vec<Bytes>) -> Vec<Bytes> {
    regions.iter().flat_map(|region| rows(region).clone()).collect()
}

pub(super) async fn finds_rows_that_have_anything(lab: &Lab<'_>) -> Checked {
    let table = two_times(lab).await?;
    let rows =
        async |scan| Checked::Ok(all(&selected(&table, Select::any(scan)).await?, |region| &region.rows));
    let keys = |rows: &[&'static str]| rows.iter().map(|row| Bytes::from(*row)).collect::<Vec<_>>();
    same("all rows", &rows(Scan::all()).await?, &keys(&["a", "b", "m", "z"]))?;
    same("rows of a range", &rows(Scan::range("b", "z")).await?, &keys(&["b", "m"]))?;
    same("rows with a column", &rows(Scan::all().column("f", "q")).await?, &keys(&["a", "z"]))?;
    same("rows with a value", &rows(Scan::all().with(value_is_not("x"))).await?, &keys(&["a", "z"]))?;
    same("rows of a time", &rows(Scan::all().during(20, 21)).await?, &keys(&["a", "b", "m"]))?;
    table.erase(Delete::row("b")).await?;
    same("rows after a delete", &rows(Scan::all()).await?, &keys(&["a", "m", "z"]))
}

pub(super) async fn finds_what_differs_between_two_times(lab: &Lab<'_>) -> Checked {
    let table = two_times(lab).await?;
    let at = |timestamp| TimeRange::at(timestamp).map_err(|error| Broken(error.to_string()));
    let between = |before, after| Checked::Ok(Which::Between { before: at(before)?, after: at(after)? });
    let select = Select { which: between(10, 20)?, ..Select::any(Scan::all().family("f").versions(9)) };
    let found = selected(&table, select.clone()).await?;
    same("rows of the later time alone", &all(&found, |region| &region.rows), &vec!["b".into()])?;
    same("rows of the earlier time alone", &all(&found, |region| &region.gone), &vec!["z".into()])?;
    let back = Select { which: between(20, 10)?, ..select.clone() };
    same(
        "the other way round",
        &all(&selected(&table, back).await?, |region| &region.rows),
        &vec!["z".into()],
    )?;
    let without = Select { nothing: Some("y".into()), ..select };
    let found = selected(&table, without).await?;
    same("cells that are nothing: later", &all(&found, |region| &region.rows), &vec!["b".into()])?;
    same("cells that are nothing: earlier", &all(&found, |region| &region.gone), &vec!["a".into()])
}

pub(super) async fn says_which_region_found_a_row(lab: &Lab<'_>) -> Checked {
    let table = two_times(lab).await?;
    let found = selected(&table, Select::any(Scan::all())).await?;
    let known = table.regions().await?;
    for answer in found {
        let Some(region) = known.iter().find(|region| region.name() == answer.region) else {
            return Err(Broken(format!("{} is not one of the regions", answer.region)));
        };
        same("the region's server", &answer.server, &region.server)?;
        let elsewhere = answer.rows.iter().find(|row| !region.contains(row));
        same("a row of another region", &elsewhere, &None)?;
    }
    Ok(())
}
