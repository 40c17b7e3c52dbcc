//! Plans: as few rows, families and columns as an answer needs.

use std::sync::Arc;

use tablesmith_access::RecordRead;
use tablesmith_access::answer::Database;
use tablesmith_model::design::Design;
use tablesmith_model::plan::{FamilyRead, Origin, Shown, Which};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};

const WORKLOAD: &str = "version = 1\n[[table]]\nname = 'ads'\nkey = ['day', 'site', 'id']\n[table.columns]\n\
    day = { type = 'date' }\nsite = { type = 'int' }\nid = { type = 'int' }\nat = { type = 'timestamp' }\n\
    views = { type = 'int' }\nclicks = { type = 'int' }\ntext = { type = 'string', bytes = 400 }\n\
    name = { type = 'string', bytes = 20 }\n\
    [[query]]\nname = 'by day'\nsql = \"SELECT views FROM ads WHERE day = '2024-01-01' AND clicks > 1\"\nrate = 1\n";

const CELLS: &str = "{ family = 'f', columns = ['views', 'clicks', 'text'] }, { family = 'g', columns = ['clicks', \
    'name', 'at', 'id'] }, { family = 'h', columns = ['views', 'clicks'] }";

fn workload() -> Workload {
    Workload::parse(WORKLOAD).unwrap()
}

fn database(key: &str) -> Database {
    let families =
        "[[table.family]]\nname = 'f'\n[[table.family]]\nname = 'g'\n[[table.family]]\nname = 'h'\n";
    let text = format!(
        "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'laid'\n{families}[[table.rows]]\nfrom = 'ads'\n\
         key = [{key}]\nkey_encoding = 'text'\ncells = [{CELLS}]\n"
    );
    let design = Design::parse_for(&text, &workload()).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    Database::new(Arc::new(workload()), &design).unwrap()
}

fn planned(database: &Database, sql: &str) -> Result<RecordRead, String> {
    let prepared = PreparedStatement::new(sql, database.workload(), Dialect::Generic).unwrap();
    let Ok(Statement::Select(query)) = prepared.bind(&Parameters::none()) else { panic!("{sql}") };
    let plan = database.plan_query(None, &query).map_err(|error| error.to_string())?;
    Ok(plan.reads().next().unwrap().clone())
}

/// How rows are found, and the ranges.
fn which(database: &Database, sql: &str) -> String {
    let read = planned(database, sql).unwrap();
    match read.which() {
        Which::Ranges(ranges) if !read.is_full_scan() => {
            ranges.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        which => which.words(),
    }
}

/// The families with the columns that are read of them.
fn families(database: &Database, sql: &str) -> String {
    let read = planned(database, sql).unwrap();
    let family = |family: &FamilyRead| match &family.columns {
        None => family.family.clone(),
        Some(columns) => format!("{}({})", family.family, columns.join(",")),
    };
    let families: Vec<String> = read.family_reads().iter().map(family).collect();
    let keys = read.options().filter.map(|_| "keys".to_owned());
    families.into_iter().chain(keys).collect::<Vec<_>>().join(" ")
}

#[test]
fn conditions_on_a_prefix_of_the_key_give_the_tightest_range() {
    let database = database("'day', 'site', 'id'");
    for (condition, expected) in [
        ("day = '2024-01-01' AND site = 7 AND id = 3", "get"),
        ("day = '2024-01-01' AND site IN (7, 8, 7) AND id IN (3, 4)", "4 gets"),
        ("day = '2024-01-01' AND site = NULL AND id = 3", "0 gets"),
        ("day = '2024-01-02'", "[2024-01-02, 2024-01-03)"),
        ("day BETWEEN '2024-01-02' AND '2024-01-05'", "[2024-01-02, 2024-01-06)"),
        ("day >= '2024-01-02' AND day < '2024-01-05'", "[2024-01-02, 2024-01-05)"),
        ("day > '2024-01-02'", "[2024-01-03, end)"),
        ("day <= '2024-01-02'", "[, 2024-01-03)"),
        ("day IN ('2024-01-02', '2024-01-09')", "[2024-01-02, 2024-01-03) [2024-01-09, 2024-01-0:)"),
        (
            "day BETWEEN '2024-01-02' AND '2024-01-05' AND site = 7",
            "[2024-01-0200000000000000000007, 2024-01-0500000000000000000008)",
        ),
        ("day = '2024-01-02' AND site > 7 AND id = 1", "[2024-01-0200000000000000000008, 2024-01-03)"),
        ("day > '2024-01-05' AND day < '2024-01-02'", ""),
        ("site = 7 AND id = 3", "full scan"),
        ("views = 3", "full scan"),
    ] {
        let sql = format!("SELECT clicks FROM ads WHERE {condition}");
        assert_eq!(which(&database, &sql), expected, "{condition}");
    }
}

#[test]
fn prefixes_that_are_not_known_are_gone_through() {
    let salted = database("'md5_mod(site, 3)', 'day', 'site', 'id'");
    let sql = |condition: &str| format!("SELECT clicks FROM ads WHERE {condition}");
    assert_eq!(
        which(&salted, &sql("day = '2024-01-02'")),
        "[02024-01-02, 02024-01-03) [12024-01-02, 12024-01-03) [22024-01-02, 22024-01-03)"
    );
    assert_eq!(which(&salted, &sql("id = 5")), "full scan");
    assert_eq!(which(&salted, &sql("day = '2024-01-02' AND site = 3 AND id = 5")), "get");
    assert_eq!(which(&salted, &sql("site = 3")), "[1, 2)");
    let spread = database("'random(2)', 'day', 'site', 'id'");
    assert_eq!(which(&spread, &sql("day = '2024-01-02' AND site = 3 AND id = 5")), "2 gets");
    let too_many = database("'random(100000)', 'day', 'site', 'id'");
    assert_eq!(which(&too_many, &sql("day = '2024-01-02'")), "full scan");
}

#[test]
fn only_buckets_that_can_have_a_range_are_read() {
    let sql = |condition: &str| format!("SELECT clicks FROM ads WHERE {condition}");
    let scans =
        |key: &str, condition: &str| planned(&database(key), &sql(condition)).unwrap().which().words();
    let by_rest = |condition: &str| scans("'mod(site, 9)', 'site', 'id', 'day'", condition);
    assert_eq!(by_rest("site BETWEEN 5 AND 7"), "3 scans");
    assert_eq!(by_rest("site > 5 AND site < 7 AND id = 3"), "scan");
    assert_eq!(by_rest("site BETWEEN 5 AND 12"), "8 scans");
    assert_eq!(by_rest("site BETWEEN 5 AND 13"), "9 scans", "one for each prefix, not for each site");
    assert_eq!(by_rest("site BETWEEN 7 AND 5"), "0 scans");
    assert_eq!(by_rest("site > 5"), "9 scans");
    let by_digest = |condition: &str| scans("'md5_mod(site, 9)', 'site', 'id', 'day'", condition);
    assert_eq!(
        by_digest("site BETWEEN 5 AND 7"),
        "2 scans",
        "two of them follow each other under one prefix"
    );
    assert_eq!(by_digest("site > 5"), "9 scans");
    let days = database("'md5_mod(day, 9)', 'day', 'site', 'id'");
    let week = planned(&days, &sql("day >= '2024-02-26' AND day < '2024-03-04'")).unwrap();
    assert_eq!(week.which().words(), "5 scans", "some of the seven days follow each other");
    let behind = database("'site', 'md5_mod(site, 9)', 'id', 'day'");
    assert_eq!(
        which(&behind, &sql("site BETWEEN 5 AND 7")).matches('[').count(),
        1,
        "sites follow each other"
    );
}

#[test]
fn a_prefix_behind_a_bounded_part_is_no_hindrance() {
    let database = database("'site', 'md5_mod(site, 4)', 'id', 'day'");
    let range = which(&database, "SELECT clicks FROM ads WHERE site >= 5");
    assert!(range.starts_with("[00000000000000000005"), "{range}");
}

#[test]
fn lists_that_make_too_many_ranges_become_stretches() {
    let database = database("'site', 'day', 'id'");
    let sites: Vec<String> = (0..40).map(|site| site.to_string()).collect();
    let days: Vec<String> = (0..42).map(|day| format!("'20{:02}-05-05'", day + 10)).collect();
    let (sites, days) = (sites.join(","), days.join(","));
    let sql = format!("SELECT clicks FROM ads WHERE site IN ({sites}) AND day IN ({days})");
    let read = planned(&database, &sql).unwrap();
    assert_eq!(read.which().words(), "40 scans");
    let first = "[000000000000000000002010-05-05, 000000000000000000002051-05-06) ";
    assert!(which(&database, &sql).starts_with(first));
    let conditions: Vec<&str> =
        read.residual_conditions().iter().map(|condition| condition.column.as_str()).collect();
    assert_eq!(conditions, ["day"], "what the ranges do not say is checked on the rows");
}

#[test]
fn buckets_and_falling_parts_are_bounded_too() {
    let sql = "SELECT clicks FROM ads WHERE at >= '2024-01-01T10:30:00Z' AND at < '2024-01-01T12:30:00Z'";
    let day = "2024-01-01T";
    let falling = database("'bucket(at, \"1h\")', 'desc(at)', 'day', 'site', 'id'");
    assert_eq!(
        which(&falling, sql),
        format!("[{day}10:00:00.000000Z, {day}12:00:00.000000[)"),
        "inside of a bucket later times come first"
    );
    let rising = database("'bucket(at, \"1h\")', 'at', 'day', 'site', 'id'");
    assert_eq!(
        which(&rising, sql),
        format!("[{day}10:00:00.000000Z{day}10:30:00.000000Z, {day}12:00:00.000000Z{day}12:30:00.000000[)")
    );
}

#[test]
fn the_families_with_the_fewest_bytes_are_read() {
    let database = database("'day', 'site', 'id'");
    let sql = |columns: &str| format!("SELECT {columns} FROM ads WHERE day = '2024-01-01' AND clicks > 1");
    assert_eq!(families(&database, &sql("views")), "h", "the whole family is needed");
    assert_eq!(families(&database, &sql("clicks, day")), "h(clicks)", "who has clicks is seen");
    assert_eq!(families(&database, &sql("text")), "f(text,clicks)");
    assert_eq!(families(&database, &sql("name, views")), "g(name,clicks) h(views)");
    assert_eq!(families(&database, "SELECT day FROM ads WHERE site = 3"), "h keys");
    assert_eq!(
        families(&database, "SELECT views FROM ads"),
        "h",
        "rows without views are seen by what else is there"
    );
    assert_eq!(families(&database, "SELECT name FROM ads"), "g");
    let database = database.with_never_null("ads", &["clicks".to_owned(), "at".to_owned()]);
    assert_eq!(families(&database, "SELECT text FROM ads"), "f(text,clicks,)", "the last one is the marker");
    assert_eq!(families(&database, "SELECT name FROM ads WHERE name IS NULL"), "g(name,at,)");
    assert_eq!(families(&database, "SELECT at FROM ads"), "g(at,)");
}

/// A column that is only hashed into the key has the value that the statement gives it.
#[test]
fn a_hashed_key_serves_equalities_and_nothing_else() {
    let workload = "version = 1\n[[table]]\nname = 'follow'\nkey = ['who', 'whom']\n[table.columns]\n\
        who = { type = 'string' }\nwhom = { type = 'string' }\nsince = { type = 'date' }\n";
    let workload = Workload::parse(workload).unwrap();
    let design = "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'follow'\n[[table.family]]\nname = 'f'\n\
        [[table.rows]]\nfrom = 'follow'\nkey = ['md5(who)', 'md5(whom)']\nkey_encoding = 'binary'\n\
        cells = [{ family = 'f', columns = ['whom', 'since'] }]\n";
    let design = Design::parse_for(design, &workload).unwrap();
    let database = Database::new(Arc::new(workload), &design).unwrap();
    let read = planned(&database, "SELECT whom FROM follow WHERE who = 'a'").unwrap();
    assert_eq!(read.which().words(), "scan");
    let read = planned(&database, "SELECT who, whom FROM follow WHERE who = 'a'").unwrap();
    let said = Origin::Statement(Value::String("a".into()));
    assert!(read.shown().contains(&Shown { column: "who".into(), origin: said }), "{read:?}");
    let error = planned(&database, "SELECT whom FROM follow WHERE who > 'a'").unwrap_err();
    assert!(error.contains("the column \"who\" is neither in the key of table \"follow\""), "{error}");
}
