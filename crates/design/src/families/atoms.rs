//! Columns that the same asks use: groupings that keep them together are the ones worth looking at first.

use std::collections::HashMap;

use super::{ColumnSet, Problem};

/// The columns of a problem in groups that exactly the same asks use, by their first columns. Columns that nobody asks
/// for are a group too.
pub fn atoms(problem: &Problem) -> Vec<ColumnSet> {
    let mut users = vec![ColumnSet::new(); problem.columns.len()];
    for (number, ask) in problem.asks.iter().enumerate() {
        for column in ask.columns.iter() {
            if let Some(users) = users.get_mut(column) {
                users.insert(number);
            }
        }
    }
    let mut places: HashMap<ColumnSet, usize> = HashMap::new();
    let mut atoms: Vec<ColumnSet> = Vec::new();
    for (column, users) in users.into_iter().enumerate() {
        let place = *places.entry(users).or_insert(atoms.len());
        match atoms.get_mut(place) {
            Some(atom) => {
                atom.insert(column);
            }
            None => atoms.push(ColumnSet::from_iter([column])),
        }
    }
    atoms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Access, Ask, Column};

    #[test]
    fn columns_with_the_same_users_are_one_atom() {
        let column = |name: &str| Column { name: name.to_owned(), bytes: 1.0, filled: 1.0 };
        let ask = |columns: &[usize]| Ask {
            name: String::new(),
            access: Access::Get,
            columns: columns.iter().copied().collect(),
            rows: 1.0,
            rate: 1.0,
        };
        let problem = Problem {
            columns: ["a", "b", "c", "d", "e"].map(column).into(),
            asks: vec![ask(&[0, 2, 3]), ask(&[3])],
            ..Problem::default()
        };
        let expected: Vec<ColumnSet> =
            [&[0, 2][..], &[1, 4], &[3]].map(|atom| atom.iter().copied().collect()).into();
        assert_eq!(atoms(&problem), expected);
    }
}
