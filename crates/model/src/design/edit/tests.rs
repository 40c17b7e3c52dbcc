//! A change changes its own part and nothing else.

use super::super::{CostName, Design, PlanAccess, QueryPlan, Reason, Step};
use super::{DesignFile, EditError, FamilyColumns};
use crate::key::Key;
use crate::value::KeyEncoding;
use crate::workload::Workload;

const FILE: &str = r#"# My design.
version = 1
workload = "workload.toml" # beside it

[[table]] # the first
name = "click"
[[table.family]]
name = "a" # hot
settings = { TTL = 3600 } # an hour
# what is rarely read
[[table.family]]
name = "b"
[[table.rows]]
from = "click"
key = ["id"] # as declared
cells = [ # by hand
  { family = "a", columns = ["x", "y"], encoding = "i64" },
  { family = "b", columns = ["z"], version = "at" },
] # so much for cells

# A table that nobody touches.
[[table]]
name   =   'other'
  [[table.family]]
  name = "m"
  [[table.rows]]
  from = "other"
  key = [ "k" ]
  cells = [{family="m",columns=["v"]}]

[[query]] # stays
name = "q1"
plan = [{ table = "click", access = "get", families = ["a"] }]
[[query]] # goes with family b
name = "q2"
plan = [{ table = "click", access = "get", families = ["b"] }]

[[reason]] # ours
at = "click.family.b"
text = "old"
[[reason]] # not ours
at = "click.key"
text = "declared"
# The end.
"#;

fn families(families: &[(&str, &[&str])]) -> Vec<FamilyColumns> {
    let columns = |columns: &[&str]| columns.iter().map(|column| (*column).to_owned()).collect();
    families
        .iter()
        .map(|(name, names)| FamilyColumns { name: (*name).into(), columns: columns(names) })
        .collect()
}

/// The text from one line to another, both excluded.
fn between<'t>(text: &'t str, from: &str, until: &str) -> &'t str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from:?} is not in\n{text}"));
    rest.split_once(until).unwrap_or_else(|| panic!("{until:?} is not in\n{text}")).0
}

#[test]
fn families_are_replaced_and_everything_else_stays() {
    let mut file = DesignFile::parse(FILE).unwrap();
    let reasons = [Reason::new("click.family.c", "`y` and `z` are read together by 83 % of calls")];
    file.set_families("click", &families(&[("c", &["y", "z", "new"]), ("a", &["x", "y"])]), &reasons)
        .unwrap();
    let text = file.to_string();
    assert_eq!(
        between(&text, "name = \"click\"\n", "# A table that"),
        "[[table.family]]\n\
         name = \"c\"\n\
         [[table.family]]\n\
         name = \"a\" # hot\n\
         settings = { TTL = 3600 } # an hour\n\
         [[table.rows]]\n\
         from = \"click\"\n\
         key = [\"id\"] # as declared\n\
         cells = [\n\
         \x20 { family = \"c\", columns = [\"y\"], encoding = \"i64\" },\n\
         \x20 { family = \"c\", columns = [\"z\"], version = \"at\" },\n\
         \x20 { family = \"c\", columns = [\"new\"] },\n\
         \x20 { family = \"a\", columns = [\"x\", \"y\"], encoding = \"i64\" },\n\
         ] # so much for cells\n\n",
        "{text}"
    );
    for (from, until) in [
        ("# My design.", "[[table.family]]"),
        ("# A table that nobody", "[[query]] # goes"),
        ("[[reason]] # not", "\"declared\"\n"),
    ] {
        let kept = between(FILE, from, until);
        assert!(text.contains(kept), "{kept}\nis not in\n{text}");
    }
    assert!(!text.contains("q2") && !text.contains("\"old\"") && text.ends_with("# The end.\n"), "{text}");
    let design = file.design().unwrap();
    assert_eq!(
        design.reasons.iter().map(|reason| reason.at.as_str()).collect::<Vec<_>>(),
        ["click.key", "click.family.c"]
    );
}

#[test]
fn the_same_families_change_nothing() {
    let mut file = DesignFile::parse(FILE).unwrap();
    let same = families(&[("a", &["x", "y"]), ("b", &["z"])]);
    file.set_families("click", &same, &[Reason::new("click.family.b", "old")]).unwrap();
    file.set_key("click", &Key::of_fields(["id"])).unwrap();
    file.set_splits("click", &[]).unwrap();
    assert_eq!(file.to_string(), FILE);
}

#[test]
fn columns_that_nobody_names_stay_where_they_are() {
    let mut file = DesignFile::parse(FILE).unwrap();
    file.set_families("click", &families(&[("n", &["x"])]), &[]).unwrap();
    let design = file.design().unwrap();
    let table = design.table("click").unwrap();
    assert_eq!(table.families.iter().map(|family| family.name.as_str()).collect::<Vec<_>>(), ["n", "a", "b"]);
    let columns: Vec<_> =
        table.rows[0].cells.iter().map(|cells| (cells.family.as_str(), cells.columns.join(","))).collect();
    assert_eq!(columns, [("n", "x".into()), ("a", "y".into()), ("b", "z".into())]);
    assert_eq!(design.queries.len(), 2);
}

#[test]
fn a_key_is_replaced_alone() {
    let mut file = DesignFile::parse(FILE).unwrap();
    let key = Key::parse(&["md5_mod(id, 16)", "id"], KeyEncoding::Text).unwrap();
    file.set_key("click", &key).unwrap();
    file.set_splits("click", &[vec![0x08], b"a\xff".to_vec()]).unwrap();
    let expected = FILE
        .replace("name = \"click\"\n", "name = \"click\"\nsplits = ['\\x08', 'a\\xFF']\n")
        .replace("key = [\"id\"] #", "key = [\"md5_mod(id, 16)\", \"id\"] #")
        .replace("] # so much for cells\n", "] # so much for cells\nkey_encoding = \"text\"\n");
    assert_eq!(file.to_string(), expected);
    assert_eq!(file.design().unwrap().table("click").unwrap().rows[0].key, key);
}

#[test]
fn plans_reasons_and_cost_are_replaced_by_name() {
    let mut file = DesignFile::parse(FILE).unwrap();
    let step = Step { table: "other".into(), access: PlanAccess::Scan, families: vec![] };
    for name in ["q1", "q3"] {
        file.set_query(&QueryPlan { name: name.into(), plan: vec![step.clone()], predicted: None }).unwrap();
    }
    file.set_reasons("click", &[]).unwrap();
    file.set_cost(&CostName { name: "bytes".into(), calibration: None }).unwrap();
    let design = file.design().unwrap();
    assert_eq!(
        design.queries.iter().map(|query| query.name.as_str()).collect::<Vec<_>>(),
        ["q1", "q2", "q3"]
    );
    assert_eq!((design.queries[0].plan[0].clone(), design.reasons.len()), (step, 0));
    assert!(file.to_string().contains("[[query]] # stays"), "{file}");
    assert_eq!(design.cost, Some(CostName { name: "bytes".into(), calibration: None }));
    let foreign = file.set_reasons("click.key", &[Reason::new("click.keys", "x")]);
    assert!(matches!(foreign, Err(EditError::ForeignReason { .. })), "{foreign:?}");
}

#[test]
fn a_new_file_gets_defaults() {
    let workload = Workload::parse(
        "version = 1\n[[table]]\nname = 'keyed'\nkey = ['a', 'b']\n[table.columns]\na = { type = 'int' }\n\
         b = { type = 'int' }\nc = { type = 'float' }\n[[table]]\nname = 'bare'\n[table.columns]\nx = { type = 'int' }\n",
    )
    .unwrap();
    let mut file = DesignFile::new("w.toml");
    for table in workload.tables.iter().chain(&workload.tables) {
        file.ensure_table(table).unwrap();
    }
    let text = file.to_string();
    let design = Design::parse_for(&text, &workload).unwrap();
    assert_eq!((design.workload.as_str(), design.tables.len()), ("w.toml", 2));
    let [keyed, bare] = &design.tables[..] else { panic!("{text}") };
    assert_eq!(keyed.rows[0].key, Key::of_fields(["a", "b"]));
    assert_eq!(keyed.rows[0].cells[0].columns, ["c"]);
    assert_eq!(bare.rows[0].key, Key::row_number());
    assert!(keyed.splits.is_empty() && keyed.families.len() == 1, "{text}");
    file.set_families("bare", &families(&[("g", &["x"])]), &[]).unwrap();
    assert!(file.to_string().contains("[[table.family]]\nname = \"g\"\n"), "{file}");
}

#[test]
fn a_tables_own_rows_come_before_copies() {
    let table = |name: &str, join: &str| {
        format!(
            "[[table]]\nname = '{name}'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 'click'\n{join}\
             key = ['id']\ncells = [{{ family = 'f', columns = ['x'] }}]\n"
        )
    };
    let copies = table("copy", "join = ['click.user']\n") + &table("another", "");
    let mut file = DesignFile::parse(&format!("version = 1\n{copies}{}", table("click", ""))).unwrap();
    file.set_families("click", &families(&[("g", &["x"])]), &[]).unwrap();
    let text = file.to_string();
    assert!(text.contains(&copies) && !text.contains(&table("click", "")), "{text}");
}

#[test]
fn sections_written_in_a_line_can_be_changed_too() {
    let text = "version = 1\ntable = [{ name = 't', family = [{ name = 'f' }], rows = [{ from = 't', key = ['k'], \
                cells = [{ family = 'f', columns = ['c'] }] }] }]\n";
    let mut file = DesignFile::parse(text).unwrap();
    file.set_families("t", &families(&[("g", &["c"]), ("h", &["c"])]), &[]).unwrap();
    let design = file.design().unwrap();
    let cells = &design.tables[0].rows[0].cells;
    assert_eq!(cells.iter().map(|cells| cells.family.as_str()).collect::<Vec<_>>(), ["g", "h"], "{file}");
}

#[test]
fn rows_that_are_laid_out_by_their_data_keep_their_key_and_families() {
    let text = "version = 1\n[[table]]\nname = 't'\n[[table.family]]\nname = 'f'\n[[table.rows]]\nfrom = 't'\nkey = ['k']\n\
                cells = [{ family = 'f', qualifier = 'c', value = 'd' }]\n";
    let mut file = DesignFile::parse(text).unwrap();
    let error = file.set_families("t", &families(&[("g", &["d"])]), &[]).unwrap_err().to_string();
    assert!(error.contains("by their values"), "{error}");
    assert!(file.set_key("t", &Key::of_fields(["d"])).is_err());
    assert_eq!(file.to_string(), text);
}

#[test]
fn bad_changes_leave_the_file_alone() {
    let mut file = DesignFile::parse(FILE).unwrap();
    for (table, wanted) in [
        ("nobody", families(&[("a", &["x"])])),
        ("click", families(&[])),
        ("click", families(&[("a", &[])])),
        ("click", families(&[("a", &["x"]), ("a", &["y"])])),
        ("click", families(&[("a:b", &["x"])])),
    ] {
        assert!(file.set_families(table, &wanted, &[]).is_err(), "{table} {wanted:?}");
    }
    assert!(file.set_key("click", &Key::default()).is_err());
    assert!(file.set_splits("click", &[vec![2], vec![1]]).is_err());
    assert_eq!(file.to_string(), FILE);
    assert!(DesignFile::parse("version = 1\n[[tabel]]\n").is_err());
}

#[test]
fn statistics_of_a_table_are_set_and_replaced_and_the_rest_stays() {
    let table = |rows: u64| {
        let text = format!(
            "version = 1\n[[table]]\nname = 't'\nrows = {rows}\n[table.columns]\nid = {{ type = 'int', distinct = 5 }}\n"
        );
        Workload::parse(&text).unwrap().tables.remove(0)
    };
    let mut file = DesignFile::parse("version = 1\n# mine\n").unwrap();
    file.set_statistics(&table(5)).unwrap();
    let text = file.to_string();
    assert!(
        text.starts_with("version = 1\n") && text.contains("# mine") && text.contains("rows = 5"),
        "{text}"
    );
    file.set_statistics(&table(5)).unwrap();
    assert_eq!(file.to_string(), text);
    file.set_statistics(&table(6)).unwrap();
    let statistics = file.design().unwrap().statistics;
    assert_eq!((statistics.len(), statistics[0].rows), (1, Some(6)));
    let mut nothing = DesignFile::parse("version = 1\n").unwrap();
    let unknown =
        Workload::parse("version = 1\n[[table]]\nname = 't'\n[table.columns]\nid = { type = 'int' }\n")
            .unwrap();
    nothing.set_statistics(&unknown.tables[0]).unwrap();
    assert_eq!(nothing.to_string(), "version = 1\n");
}
