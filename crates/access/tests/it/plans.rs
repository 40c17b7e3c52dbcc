//! Plans: as few rows, families and columns as an answer needs.

use std::sync::Arc;

use tablesmith_access::{Layout, Question, Questions, plan};
use tablesmith_model::design::Design;
use tablesmith_model::plan::{Origin, Plan, Shown, Which};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Access, Touched, Workload};
use tablesmith_sql::Dialect;

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

fn layout(key: &str, more: &str) -> Layout {
    let families =
        "[[table.family]]\nname = 'f'\n[[table.family]]\nname = 'g'\n[[table.family]]\nname = 'h'\n";
    let text = format!(
        "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 'laid'\n{families}[[table.rows]]\nfrom = 'ads'\n\
         key = [{key}]\nkey_encoding = 'text'\ncells = [{CELLS}]\n{more}"
    );
    let design = Design::parse_for(&text, &workload()).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    Layout::of(&workload(), &design, "ads").unwrap()
}

fn planned(layout: &Layout, sql: &str) -> Plan {
    let (_, call) = Questions::new(Arc::new(workload()), Dialect::Generic).ask(sql).unwrap();
    plan(layout, &call).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// How rows are found, and the ranges.
fn which(layout: &Layout, sql: &str) -> String {
    let plan = planned(layout, sql);
    match &plan.reads[0].which {
        Which::Ranges(ranges) if !plan.reads[0].which.is_all() => {
            ranges.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        which => which.words(),
    }
}

/// The families with the columns that are read of them.
fn families(layout: &Layout, sql: &str) -> String {
    let plan = planned(layout, sql);
    let family = |family: &tablesmith_model::plan::FamilyRead| match &family.columns {
        None => family.family.clone(),
        Some(columns) => format!("{}({})", family.family, columns.join(",")),
    };
    let mut told: Vec<String> = plan.reads[0].families.iter().map(family).collect();
    told.extend(plan.reads[0].keys_only.then(|| "keys".to_owned()));
    told.join(" ")
}

#[test]
fn conditions_on_a_prefix_of_the_key_give_the_tightest_range() {
    let layout = layout("'day', 'site', 'id'", "");
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
        ("lower(text) = 'a'", "full scan"),
    ] {
        let sql = format!("SELECT clicks FROM ads WHERE {condition}");
        assert_eq!(which(&layout, &sql), expected, "{condition}");
    }
    let plan = planned(&layout, "SELECT clicks FROM ads WHERE day = '2024-01-02' AND lower(text) = 'a'");
    assert_eq!(plan.not_understood, ["a condition on text that is no comparison with values"]);
}

#[test]
fn prefixes_that_are_not_known_are_gone_through() {
    let salted = layout("'md5_mod(site, 3)', 'day', 'site', 'id'", "");
    let sql = |condition: &str| format!("SELECT clicks FROM ads WHERE {condition}");
    assert_eq!(
        which(&salted, &sql("day = '2024-01-02'")),
        "[02024-01-02, 02024-01-03) [12024-01-02, 12024-01-03) [22024-01-02, 22024-01-03)"
    );
    assert_eq!(which(&salted, &sql("id = 5")), "full scan");
    assert_eq!(which(&salted, &sql("day = '2024-01-02' AND site = 3 AND id = 5")), "get");
    assert_eq!(which(&salted, &sql("site = 3")), "[1, 2)");
    let spread = layout("'random(2)', 'day', 'site', 'id'", "");
    assert_eq!(which(&spread, &sql("day = '2024-01-02' AND site = 3 AND id = 5")), "2 gets");
    let too_many = layout("'random(100000)', 'day', 'site', 'id'", "");
    assert_eq!(which(&too_many, &sql("day = '2024-01-02'")), "full scan");
}

#[test]
fn only_buckets_that_can_have_a_range_are_read() {
    let sql = |condition: &str| format!("SELECT clicks FROM ads WHERE {condition}");
    let scans =
        |key: &str, condition: &str| planned(&layout(key, ""), &sql(condition)).reads[0].which.words();
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
    let days = layout("'md5_mod(day, 9)', 'day', 'site', 'id'", "");
    let week = planned(&days, &sql("day >= '2024-02-26' AND day < '2024-03-04'"));
    assert_eq!(week.reads[0].which.words(), "5 scans", "some of the seven days follow each other");
    let behind = layout("'site', 'md5_mod(site, 9)', 'id', 'day'", "");
    assert_eq!(
        which(&behind, &sql("site BETWEEN 5 AND 7")).matches('[').count(),
        1,
        "sites follow each other"
    );
}

#[test]
fn prefixes_that_no_value_tells_are_told_of() {
    let sql = "SELECT clicks FROM ads WHERE day = '2024-01-02' AND site = 3 AND id = 5";
    for prefix in ["random(4)", "md5_line_mod(4)"] {
        let layout = layout(&format!("'{prefix}', 'day', 'site', 'id'"), "");
        let plan = planned(&layout, sql);
        assert_eq!(plan.reads[0].which.words(), "4 gets");
        let note = format!(
            "no single get finds a row: its prefix {prefix} does not follow from what identifies it, so every prefix is \
             asked (4 gets)"
        );
        assert_eq!(plan.notes, [note]);
    }
    let told = layout("'md5_mod(day, site, id, 4)', 'day', 'site', 'id'", "");
    let plan = planned(&told, sql);
    assert_eq!((plan.reads[0].which.words(), plan.notes), ("get".to_owned(), Vec::new()));
}

/// Reading on in the order of the table's key is a merge where prefixes spread it.
#[test]
fn reading_on_over_prefixes_is_a_merge() {
    let touched = Touched {
        table: "ads".into(),
        reads: vec!["clicks".into()],
        writes: Vec::new(),
        access: Some(Access::Scan),
    };
    let question = Question::of_columns("on", &touched, Some(10), &workload()).unwrap();
    let day = Value::parse(ValueType::Date, "2024-01-02").unwrap();
    let call = question.bind_values(&[day, Value::Int(3), Value::Int(5)]).unwrap();
    let read = |key: &str| {
        let plan = plan(&layout(key, ""), &call).unwrap();
        (plan.reads[0].which.words(), plan.reads[0].place.clone().unwrap().in_key_order, plan.notes.len())
    };
    for prefix in ["random(4)", "md5_mod(site, 4)", "md5_line_mod(4)"] {
        let merged = ("4 scans, merged".to_owned(), true, 1);
        assert_eq!(read(&format!("'{prefix}', 'day', 'site', 'id'")), merged);
        assert_eq!(read(&format!("'const(\"x\")', '{prefix}', 'day', 'site', 'id'")), merged);
    }
    assert_eq!(read("'day', 'site', 'id'"), ("scan".to_owned(), true, 0));
    assert_eq!(read("'day', 'mod(site, 4)', 'site', 'id'"), ("full scan".to_owned(), false, 0));
    assert_eq!(read("'random(100000)', 'day', 'site', 'id'"), ("full scan".to_owned(), false, 0));
}

#[test]
fn a_prefix_behind_a_bounded_part_is_no_hindrance() {
    let layout = layout("'site', 'md5_mod(site, 4)', 'id', 'day'", "");
    let range = which(&layout, "SELECT clicks FROM ads WHERE site >= 5");
    assert!(range.starts_with("[00000000000000000005"), "{range}");
}

#[test]
fn lists_that_make_too_many_ranges_become_stretches() {
    let layout = layout("'site', 'day', 'id'", "");
    let sites: Vec<String> = (0..40).map(|site| site.to_string()).collect();
    let days: Vec<String> = (0..42).map(|day| format!("'20{:02}-05-05'", day + 10)).collect();
    let (sites, days) = (sites.join(","), days.join(","));
    let sql = format!("SELECT clicks FROM ads WHERE site IN ({sites}) AND day IN ({days})");
    let read = planned(&layout, &sql).reads.remove(0);
    assert_eq!(read.which.words(), "40 scans");
    let first = "[000000000000000000002010-05-05, 000000000000000000002051-05-06) ";
    assert!(which(&layout, &sql).starts_with(first));
    let conditions: Vec<&str> = read.conditions.iter().map(|condition| condition.column.as_str()).collect();
    assert_eq!(conditions, ["day"], "what the ranges do not say is checked on the rows");
}

#[test]
fn buckets_and_falling_parts_are_bounded_too() {
    let sql = "SELECT clicks FROM ads WHERE at >= '2024-01-01T10:30:00Z' AND at < '2024-01-01T12:30:00Z'";
    let day = "2024-01-01T";
    let falling = layout("'bucket(at, \"1h\")', 'desc(at)', 'day', 'site', 'id'", "");
    assert_eq!(
        which(&falling, sql),
        format!("[{day}10:00:00.000000Z, {day}12:00:00.000000[)"),
        "inside of a bucket later times come first"
    );
    let rising = layout("'bucket(at, \"1h\")', 'at', 'day', 'site', 'id'", "");
    assert_eq!(
        which(&rising, sql),
        format!("[{day}10:00:00.000000Z{day}10:30:00.000000Z, {day}12:00:00.000000Z{day}12:30:00.000000[)")
    );
}

#[test]
fn the_families_with_the_fewest_bytes_are_read() {
    let mut layout = layout("'day', 'site', 'id'", "");
    let sql = |columns: &str| format!("SELECT {columns} FROM ads WHERE day = '2024-01-01' AND clicks > 1");
    assert_eq!(families(&layout, &sql("views")), "h", "the whole family is needed");
    assert_eq!(families(&layout, &sql("clicks, day")), "h(clicks)", "who has clicks is seen");
    assert_eq!(families(&layout, &sql("text")), "f(clicks,text)");
    assert_eq!(families(&layout, &sql("name, views")), "g(clicks,name) h(views)");
    assert_eq!(families(&layout, "SELECT day FROM ads WHERE site = 3"), "h keys");
    assert_eq!(
        families(&layout, "SELECT views FROM ads"),
        "h",
        "rows without views are seen by what else is there"
    );
    assert_eq!(families(&layout, "SELECT name FROM ads"), "g");
    layout.set_in_every_row(["clicks", "at"]);
    assert_eq!(families(&layout, "SELECT text FROM ads"), "f(text,clicks,)", "the last one is the marker");
    assert_eq!(families(&layout, "SELECT name FROM ads WHERE name IS NULL"), "g(name,at,)");
    assert_eq!(families(&layout, "SELECT at FROM ads"), "g(at,)");
}

#[test]
fn the_designs_own_plan_of_a_query_wins() {
    let layout = layout(
        "'day', 'site', 'id'",
        "[[query]]\nname = 'by day'\nplan = [{ table = 'laid', access = 'scan', families = ['f'] }]\n",
    );
    let sql = "SELECT views FROM ads WHERE day = '2024-05-06' AND clicks > 100";
    assert_eq!(planned(&layout, sql).query, "by day", "the template is that of the query");
    assert_eq!(families(&layout, sql), "f(views,clicks)");
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
    let layout = Layout::of(&workload, &design, "follow").unwrap();
    let planned = |sql: &str| {
        let (_, call) = Questions::new(Arc::new(workload.clone()), Dialect::Generic).ask(sql).unwrap();
        plan(&layout, &call)
    };
    let read = planned("SELECT whom FROM follow WHERE who = 'a'").unwrap().reads.remove(0);
    assert_eq!(read.which.words(), "scan");
    let said = Origin::Statement(Value::String("a".into()));
    assert_eq!(read.shown[0], Shown { column: "who".into(), origin: said });
    let error = planned("SELECT whom FROM follow WHERE who > 'a'").unwrap_err().to_string();
    assert!(error.contains("the column \"who\" is neither in its key nor in its families"), "{error}");
}
