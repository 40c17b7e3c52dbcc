//! Designs that cannot be carried out say why.

use tablesmith_access::{Layout, Writer};
use tablesmith_model::design::Design;

use super::designs::workload;

fn design(rows: &[(&str, &str)]) -> Design {
    let rows: String =
        rows.iter().map(|(from, rows)| format!("[[table.rows]]\nfrom = '{from}'\n{rows}\n")).collect();
    let text = format!(
        "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 't'\n[[table.family]]\nname = 'f'\n\
         [[table.family]]\nname = 'g'\n{rows}"
    );
    Design::parse_for(&text, &workload()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn layouts_that_cannot_be_say_why() {
    for (rows, said) in [
        (
            &[("follow", "key = ['follower']\ncells = [{ family = 'f', columns = ['since'] }]")][..],
            "\"followed\" identifies a row and is not in it",
        ),
        (
            &[("follow", "key = ['follower']\ncells = [{ family = 'f', qualifier = 'since' }]")],
            "\"followed\" identifies a row and is not in it",
        ),
        (
            &[(
                "twit",
                "key = ['id']\ncells = [{ family = 'f', qualifier = 'at', columns = ['text', 'author'] }]",
            )],
            "together = true",
        ),
        (
            &[(
                "twit",
                "key = ['id']\ncells = [{ family = 'f', qualifier = 'at' }, { family = 'g', columns = ['text'] }]",
            )],
            "different qualifiers",
        ),
        (
            &[
                ("twit", "key = ['id']\ncells = [{ family = 'f', columns = ['text'] }]"),
                ("user", "key = ['id']\ncells = [{ family = 'f', columns = ['name'] }]"),
            ],
            "cannot be told apart",
        ),
    ] {
        let error = Layout::all(&workload(), &design(rows)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_design_without_a_place_for_all_columns_is_not_written_to() {
    let rows = [("user", "key = ['id']\ncells = [{ family = 'f', columns = ['name'] }]")];
    let error = Writer::new(&workload(), &design(&rows)).unwrap_err().to_string();
    assert!(error.contains("\"age\" is missing in each"), "{error}");
}

#[test]
fn readings_over_time_are_no_copies_of_plain_rows() {
    let rows = [
        ("user", "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]"),
        ("user", "key = ['id']\ncells = [{ family = 'g', columns = ['name'], version = 'age' }]"),
    ];
    let error = Writer::new(&workload(), &design(&rows)).unwrap_err().to_string();
    assert!(error.contains("readings over time"), "{error}");
}
