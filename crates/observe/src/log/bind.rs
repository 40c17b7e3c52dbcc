//! What a call of a template needs, without parsing it: the template is resolved once with a mark in the place of each
//! literal, and the literals of a call take the places of the marks. A parser takes a hundred times as long.

use tablesmith_sql::{
    Catalog, Dialect, Folder, Kind, Need, Predicate, Statement, Understood, Value, resolve,
};

/// Begins a mark: no statement has it.
const MARK: char = '\u{1}';

/// A resolved statement about one place of one table, with marks for its literals.
pub(super) struct Marked {
    kind: Kind,
    need: Need,
    literals: usize,
    folder: Folder,
}

impl Marked {
    /// Marks a statement; `None` when it is not about one place of one table, or is not understood with marks.
    pub fn new(sql: &str, catalog: &Catalog, dialect: Dialect) -> Option<Self> {
        let mut folder = Folder::new(dialect).keep_limits();
        let mut marked = String::with_capacity(sql.len());
        let (mut after, mut literals) = (0, 0);
        folder.fold_with(sql.as_bytes(), |range| {
            marked.push_str(sql.get(after..range.start).unwrap_or_default());
            marked.push_str(&format!("'{MARK}{literals}'"));
            (after, literals) = (range.end, literals + 1);
        });
        marked.push_str(sql.get(after..).unwrap_or_default());
        let Statement { kind, mut needs, understood, .. } = resolve(&marked, catalog, dialect).ok()?;
        let need = if needs.len() == 1 { needs.pop()? } else { return None };
        (understood == Understood::Parsed).then_some(Self { kind, need, literals, folder })
    }

    /// What a call needs; `None` when it has another number of literals, as with a longer list after `IN`.
    pub fn bind(&mut self, sql: &str) -> Option<(Kind, Need)> {
        let mut literals: Vec<Value> = Vec::with_capacity(self.literals);
        self.folder
            .fold_with(sql.as_bytes(), |range| literals.push(value(sql.get(range).unwrap_or_default())));
        if literals.len() != self.literals {
            return None;
        }
        let bound = |value: &Value| match value.literal().and_then(place) {
            Some(place) => literals.get(place).cloned().unwrap_or(Value::Expression),
            None => value.clone(),
        };
        let predicates = self.need.predicates.iter().map(|predicate| Predicate {
            column: predicate.column.clone(),
            operator: predicate.operator,
            value: bound(&predicate.value),
            more: predicate.more.iter().map(bound).collect(),
        });
        Some((self.kind, Need { predicates: predicates.collect(), ..self.need.clone() }))
    }
}

/// Which literal a mark stands for.
fn place(text: &str) -> Option<usize> {
    text.strip_prefix(MARK)?.parse().ok()
}

/// A literal or parameter as it stands in a statement.
fn value(text: &str) -> Value {
    match text.split_once('\'') {
        // After the name of a type, between quotes.
        Some((_, quoted)) => Value::Literal(quoted.strip_suffix('\'').unwrap_or(quoted).replace("''", "'")),
        None if text.starts_with(['$', '?', ':', '@', '%']) => Value::Parameter,
        None => Value::Literal(text.trim_matches('"').to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let mut catalog = Catalog::new();
        catalog.add("ads", ["day", "country", "views"]);
        catalog
    }

    #[test]
    fn a_bound_call_needs_what_a_parsed_one_does() {
        let catalog = catalog();
        for (template, call) in [
            (
                "SELECT sum(views) FROM ads WHERE day BETWEEN '2024-01-01' AND '2024-01-01' AND country IN ('DE', 'FR') LIMIT 5",
                "SELECT sum(views) FROM ads WHERE day BETWEEN '2024-02-01' AND '2024-03-01' AND country IN ('ES', 'IT') LIMIT 5",
            ),
            (
                "SELECT views + 1 FROM ads WHERE day >= DATE '2024-01-01' AND 7 > views AND country = 'it''s'",
                "SELECT views + 2 FROM ads WHERE day >= DATE '2024-01-09' AND -8 > views AND country = 'o''clock'",
            ),
            ("SELECT views FROM ads WHERE day = $1", "SELECT views FROM ads WHERE day = '2024-01-09'"),
            ("SELECT views FROM ads WHERE day = '2024-01-09'", "SELECT views FROM ads WHERE day = $1"),
            (
                "UPDATE ads SET views = 5 WHERE day = '2024-01-01'",
                "UPDATE ads SET views = 5 WHERE day = '2024-01-02'",
            ),
        ] {
            let mut marked = Marked::new(template, &catalog, Dialect::Generic).unwrap();
            let (kind, mut bound) = marked.bind(call).unwrap();
            let parsed = resolve(call, &catalog, Dialect::Generic).unwrap();
            // What is written is not bound: only how many rows are written is asked for.
            bound.written = parsed.needs[0].written.clone();
            assert_eq!((kind, &bound), (parsed.kind, &parsed.needs[0]), "{call}");
        }
    }

    #[test]
    fn what_cannot_be_bound_is_left_to_the_parser() {
        let catalog = catalog();
        let mut list =
            Marked::new("SELECT views FROM ads WHERE country IN ('DE', 'FR')", &catalog, Dialect::Generic)
                .unwrap();
        assert!(list.bind("SELECT views FROM ads WHERE country IN ('DE')").is_none());
        let join = "SELECT a.views FROM ads a, ads b WHERE a.day = b.day";
        assert!(Marked::new(join, &catalog, Dialect::Generic).is_none());
    }
}
