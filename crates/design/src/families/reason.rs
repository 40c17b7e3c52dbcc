//! Why a grouping is as it is, in words.

use super::{Ask, ColumnSet, Problem};

/// So many columns are named; the others are counted.
const NAMED: usize = 3;
/// So many of the most frequent calls are weighed when a family's reason is looked for.
const CORES_WEIGHED: usize = 200;

/// What can be said for a grouping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// One for each family.
    pub families: Vec<String>,
    /// What concerns the grouping as a whole.
    pub whole: Vec<String>,
}

/// Says why columns are together and apart.
pub fn reasons(problem: &Problem, families: &[ColumnSet]) -> Reasons {
    let calls = problem.reads().map(|ask| ask.rate).sum::<f64>();
    if calls <= 0.0 {
        return Reasons {
            families: families.iter().map(|_| "no query reads it".to_owned()).collect(),
            whole: vec![],
        };
    }
    let speaker = Speaker { problem, calls };
    Reasons {
        families: families.iter().map(|family| speaker.of_family(family)).collect(),
        whole: [speaker.of_calls(families), speaker.of_copies(families), speaker.of_free()]
            .into_iter()
            .flatten()
            .collect(),
    }
}

/// Speaks of a problem whose queries read so often.
struct Speaker<'a> {
    problem: &'a Problem,
    calls: f64,
}

impl Speaker<'_> {
    fn of_family(&self, family: &ColumnSet) -> String {
        let readers = || self.problem.reads().filter(|ask| ask.columns.intersects(family));
        let share = readers().map(|ask| ask.rate).sum::<f64>() / self.calls;
        let Some((core, core_share)) = self.core(family) else {
            return format!("{} {} read by no query", self.names(family), is_or_are(family.len()));
        };
        let mut said = match core.len() {
            1 => format!("{} is read by {} of calls", self.names(&core), percent(core_share)),
            _ => format!("{} are read together by {} of calls", self.names(&core), percent(core_share)),
        };
        if share > core_share {
            said += &format!("; {} read something of this family", percent(share));
        }
        let mut unread = family.clone();
        readers().for_each(|ask| unread.subtract(&ask.columns));
        unread.subtract(&self.free());
        if !unread.is_empty() {
            said += &format!("; {} {} read by no query", self.names(&unread), is_or_are(unread.len()));
        }
        said
    }

    /// The columns of a family that hold it together, and the share of calls that read all of them: many columns, and
    /// many calls.
    fn core(&self, family: &ColumnSet) -> Option<(ColumnSet, f64)> {
        let mut readers: Vec<&Ask> =
            self.problem.reads().filter(|ask| ask.columns.intersects(family)).collect();
        readers.sort_by(|a, b| b.rate.total_cmp(&a.rate));
        readers.truncate(CORES_WEIGHED);
        let weighed = readers.iter().map(|ask| {
            let core = ask.columns.intersection(family);
            let with_core = self.problem.reads().filter(|ask| core.is_subset(&ask.columns));
            let share = with_core.map(|ask| ask.rate).sum::<f64>() / self.calls;
            (core.len() as f64 * share, core, share)
        });
        let best = weighed.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, core, share)| (core, share))
    }

    /// How many families calls need.
    fn of_calls(&self, families: &[ColumnSet]) -> Option<String> {
        if families.len() < 2 {
            return None;
        }
        let is_one = |columns: &ColumnSet| families.iter().any(|family| columns.is_subset(family));
        let alone: f64 = self.problem.reads().filter(|ask| is_one(&ask.columns)).map(|ask| ask.rate).sum();
        Some(format!("{} of calls find all they need in one family", percent(alone / self.calls)))
    }

    fn of_copies(&self, families: &[ColumnSet]) -> Option<String> {
        let mut seen = ColumnSet::new();
        let mut twice = ColumnSet::new();
        for family in families {
            twice.unite(&family.intersection(&seen));
            seen.unite(family);
        }
        if twice.is_empty() {
            return None;
        }
        Some(format!(
            "{} {} in more than one family: calls save a family, writes and space pay for it",
            self.names(&twice),
            is_or_are(twice.len())
        ))
    }

    /// Columns that take no room in cells.
    fn free(&self) -> ColumnSet {
        let columns = self.problem.columns.iter().enumerate();
        columns.filter(|(_, column)| column.filled == 0.0).map(|(index, _)| index).collect()
    }

    fn of_free(&self) -> Option<String> {
        let free = self.free();
        (!free.is_empty()).then(|| {
            format!(
                "{} {} in the row key, or empty: any family will do",
                self.names(&free),
                is_or_are(free.len())
            )
        })
    }

    /// The columns by name: the first ones, and how many more.
    fn names(&self, columns: &ColumnSet) -> String {
        let name =
            |column: usize| self.problem.columns.get(column).map(|column| format!("`{}`", column.name));
        let named: Vec<String> = columns.iter().take(NAMED).filter_map(name).collect();
        match (columns.len().saturating_sub(NAMED), named.as_slice()) {
            (0, [one]) => one.clone(),
            (0, [first @ .., last]) => format!("{} and {last}", first.join(", ")),
            (more, _) => format!("{} and {more} more", named.join(", ")),
        }
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 1.0 { "less than 1 %".to_owned() } else { format!("{percent:.0} %") }
}

fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Access, Column};

    fn problem(asks: &[(&[usize], f64)]) -> Problem {
        let column = |name: &str| Column { name: name.to_owned(), bytes: 8.0, filled: 1.0 };
        let ask = |(columns, rate): &(&[usize], f64)| Ask {
            name: String::new(),
            access: Access::Get,
            columns: columns.iter().copied().collect(),
            rows: 1.0,
            rate: *rate,
        };
        Problem {
            columns: ["views", "clicks", "sales", "note", "extra"].map(column).into(),
            asks: asks.iter().map(ask).collect(),
            ..Problem::default()
        }
    }

    fn sets(families: &[&[usize]]) -> Vec<ColumnSet> {
        families.iter().map(|family| family.iter().copied().collect()).collect()
    }

    #[test]
    fn columns_that_are_read_together_are_named() {
        let problem = problem(&[(&[0, 1], 83.0), (&[2], 17.0)]);
        let said = reasons(&problem, &sets(&[&[0, 1], &[2], &[3, 4]]));
        assert_eq!(
            said.families,
            [
                "`views` and `clicks` are read together by 83 % of calls",
                "`sales` is read by 17 % of calls",
                "`note` and `extra` are read by no query"
            ]
        );
        assert_eq!(said.whole, ["100 % of calls find all they need in one family"]);
    }

    #[test]
    fn copies_and_passengers_are_named() {
        let problem = problem(&[(&[0, 1], 3.0), (&[0], 1.0)]);
        let said = reasons(&problem, &sets(&[&[0, 1, 2], &[0, 3, 4]]));
        assert_eq!(
            said.families[0],
            "`views` and `clicks` are read together by 75 % of calls; 100 % read something of this family; `sales` is read by no query"
        );
        assert!(said.whole[1].starts_with("`views` is in more than one family"), "{said:?}");
    }

    #[test]
    fn columns_of_the_row_key_are_not_called_unread() {
        let mut problem = problem(&[(&[0, 1], 1.0)]);
        problem.columns[2].filled = 0.0;
        let said = reasons(&problem, &sets(&[&[0, 1, 2], &[3, 4]]));
        assert_eq!(said.families[0], "`views` and `clicks` are read together by 100 % of calls");
        assert_eq!(said.whole[1], "`sales` is in the row key, or empty: any family will do");
    }

    #[test]
    fn without_queries_there_is_no_reason() {
        let said = reasons(&problem(&[]), &sets(&[&[0, 1, 2, 3, 4]]));
        assert_eq!((said.families.len(), said.whole.len()), (1, 0));
    }
}
