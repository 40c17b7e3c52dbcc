//! Random designs of one workload: a shape for each master, and some copies.

use fastrand::Rng;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;

pub const WORKLOAD: &str = r#"
version = 1
[[table]]
name = "user"
key = ["id"]
columns = { id = { type = "string" }, name = { type = "string" }, age = { type = "int" } }
[[table]]
name = "follow"
key = ["follower", "followed"]
columns = { follower = { type = "string" }, followed = { type = "string" }, since = { type = "int" } }
references = { follower = "user.id", followed = "user.id" }
[[table]]
name = "twit"
key = ["id"]
columns = { id = { type = "int" }, author = { type = "string" }, at = { type = "int" }, text = { type = "string" } }
references = { author = "user.id" }
"#;

const USER: [&str; 6] = [
    "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]",
    "key = ['md5_mod(id, 4)', 'id']\ncells = [{ family = 'f', columns = ['name'] }, { family = 'g', columns = ['age'], encoding = 'i64' }]",
    "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'], together = true }]",
    "key = ['const(\"u\")']\ncells = [{ family = 'f', qualifier = 'id', columns = ['age', 'name'], together = true }]",
    "key = ['reverse(id)']\nkey_encoding = 'text'\ncells = [{ family = 'g', columns = ['id', 'age'] }, { family = 'f', columns = ['name', 'age'] }]",
    "key = ['random(3)', 'id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]",
];
const FOLLOW: [&str; 4] = [
    "key = ['follower', 'followed']\ncells = [{ family = 'f', columns = ['since'] }]",
    "key = ['follower']\ncells = [{ family = 'f', qualifier = 'followed', value = 'since' }]",
    "key = ['md5(follower)', 'followed']\ncells = [{ family = 'f', columns = ['follower', 'since'] }]",
    "key = ['follower']\nkey_encoding = 'text'\ncells = [{ family = 'f', qualifier = 'desc(followed)', columns = ['since'], together = true }]",
];
const TWIT: [&str; 4] = [
    "key = ['id']\ncells = [{ family = 'f', columns = ['author', 'at', 'text'] }]",
    "key = ['author', 'desc(at)', 'id']\ncells = [{ family = 'f', columns = ['text'] }]",
    "key = ['author']\ncells = [{ family = 'f', qualifier = 'desc(at), id', value = 'text' }]",
    "key = ['mod(id, 3)', 'desc(id)']\ncells = [{ family = 'f', columns = ['author', 'at'], together = true }, { family = 'f', columns = ['text'] }]",
];
const COPIES: [(&str, &str); 11] = [
    ("twit", "key = ['id']\ncells = [{ family = 'f', columns = ['at', 'author'] }]"),
    ("follow", "key = ['followed', 'follower']\ncells = [{ family = 'f', columns = ['since'] }]"),
    ("follow", "key = ['followed']\ncells = [{ family = 'f', qualifier = 'follower' }]"),
    (
        "follow",
        "key = ['md5(followed)']\ncells = [{ family = 'f', qualifier = 'follower', value = 'since' }]",
    ),
    (
        "twit",
        "key = ['md5_mod(author, 4)', 'author', 'desc(at)', 'id']\ncells = [{ family = 'f', columns = ['text'] }]",
    ),
    ("twit", "key = ['at', 'id']\ncells = [{ family = 'f', columns = [] }]"),
    ("twit", "key = ['random(4)', 'id']\ncells = [{ family = 'f', columns = ['text'] }]"),
    ("user", "key = ['name', 'id']\ncells = [{ family = 'f', columns = ['name'] }]"),
    ("user", "key = ['id']\ncells = [{ family = 'f', columns = ['name'] }]"),
    (
        "user",
        "key = ['bucket(age, \"10\")']\ncells = [{ family = 'f', qualifier = 'age, id', value = 'name' }]",
    ),
    (
        "follow",
        "key = ['md5_line_mod(3)', 'follower', 'followed']\ncells = [{ family = 'f', columns = ['since'] }]",
    ),
];
const JOINED: [(&str, &str); 7] = [
    (
        "twit",
        "join = ['follow.followed']\nkey = ['follow.follower', 'desc(at)', 'id']\ncells = [{ family = 'f', columns = ['author', 'text'] }]",
    ),
    (
        "twit",
        "join = ['follow.followed']\nkey = ['follow.follower']\ncells = [{ family = 'f', qualifier = 'desc(at), id', columns = ['follow.followed', 'text'], together = true }]",
    ),
    (
        "follow",
        "join = ['follow.followed']\nkey = ['follower', 'followed']\ncells = [{ family = 'f', columns = ['user.name', 'since'] }]",
    ),
    (
        "twit",
        "join = ['twit.author']\nkey = ['user.id', 'id']\ncells = [{ family = 'f', columns = ['user.name', 'text'] }]",
    ),
    (
        "twit",
        "join = ['twit.author', 'follow.followed']\nkey = ['follow.follower', 'id']\ncells = [{ family = 'f', columns = ['user.name', 'follow.since'] }]",
    ),
    (
        "user",
        "join = ['follow.follower']\nkey = ['follow.followed']\ncells = [{ family = 'f', qualifier = 'id', value = 'name' }]",
    ),
    (
        "user",
        "join = ['twit.author']\nkey = ['id', 'twit.at', 'twit.id']\ncells = [{ family = 'f', columns = ['age'] }]",
    ),
];

pub fn workload() -> Workload {
    Workload::parse(WORKLOAD).unwrap()
}

fn table(name: &str, rows: &[(&str, String)]) -> String {
    let families = "[[table.family]]\nname = 'f'\n[[table.family]]\nname = 'g'\n";
    let rows = rows.iter().map(|(from, rows)| format!("[[table.rows]]\nfrom = '{from}'\n{rows}\n"));
    format!("[[table]]\nname = '{name}'\n{families}{}", rows.collect::<String>())
}

/// A key with a constant before it, or after its first part.
fn with_constant(rows: &str, constant: &str) -> String {
    rows.replacen("key = [", &format!("key = ['const(\"{constant}\")', "), 1)
}

/// A random design.
pub fn design(random: &mut Rng) -> Design {
    let masters = [
        ("user", *random.choice(&USER).unwrap()),
        ("follow", *random.choice(&FOLLOW).unwrap()),
        ("twit", *random.choice(&TWIT).unwrap()),
    ];
    let mut text = "version = 1\nworkload = 'workload.toml'\n".to_owned();
    match random.usize(..3) {
        0 => {
            let mixed = ["u:", "f:", "t:"].iter().zip(masters);
            let mixed: Vec<_> =
                mixed.map(|(constant, (from, rows))| (from, with_constant(rows, constant))).collect();
            text += &table("all", &mixed);
        }
        _ => {
            for (from, rows) in masters {
                text += &table(from, &[(from, rows.to_owned())]);
            }
        }
    }
    let copies = COPIES.iter().chain(&JOINED).filter(|_| random.usize(..4) == 0).collect::<Vec<_>>();
    for (at, (from, rows)) in copies.iter().enumerate() {
        text += &table(&format!("copy{at}"), &[(*from, (*rows).to_owned())]);
    }
    if random.usize(..3) == 0 {
        // A user's row, and the user's twits in it.
        let parent = "key = ['id']\ncells = [{ family = 'f', columns = ['name', 'age'] }]".to_owned();
        let children =
            "key = ['author']\ncells = [{ family = 'g', qualifier = 'desc(at), id', value = 'text' }]"
                .to_owned();
        text += &table("nested", &[("user", parent), ("twit", children)]);
    }
    Design::parse_for(&text, &workload()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
