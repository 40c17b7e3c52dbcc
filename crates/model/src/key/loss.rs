//! Whether two different rows can get the same key, and why.

use super::{Key, Part};

impl Key {
    /// What of an id the key does not keep, as a sentence; `None` when different ids always get different keys.
    pub fn loses<S: AsRef<str>>(&self, id: &[S]) -> Option<String> {
        if self.parts.contains(&Part::RowNumber) {
            return None;
        }
        let lost: Vec<&str> = id.iter().map(AsRef::as_ref).filter(|field| !self.keeps(field)).collect();
        let (first, more) = lost.split_first()?;
        let names = more.iter().fold(format!("{first:?}"), |names, field| format!("{names}, {field:?}"));
        let made_of: Vec<&Part> = self.parts.iter().filter(|part| is_of_any(part, &lost)).collect();
        let because = match made_of.as_slice() {
            [] => "no part of the key is made of it".to_owned(),
            parts => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                format!("{} cannot be turned back", parts.join(", "))
            }
        };
        Some(format!(
            "two rows that differ only in {names} can get the same key, and the later one overwrites the earlier one \
             ({because}): add {names} as a part of its own"
        ))
    }

    /// Whether the same row gets another key each time it is written, so that it is doubled and not overwritten.
    pub fn doubles(&self) -> Option<String> {
        let random = |part: &&Part| matches!(part, Part::Random(_) | Part::RowNumber);
        let line = |part: &&Part| matches!(part, Part::Md5LineMod(_));
        if let Some(part) = self.parts.iter().find(random) {
            return Some(format!(
                "a row that is written twice is there twice: {part} gives it another key each time"
            ));
        }
        self.parts.iter().find(line).map(|part| {
            format!("a row that is written again with other values is there twice: {part} changes with the whole line")
        })
    }

    fn keeps(&self, field: &str) -> bool {
        self.parts.iter().any(|part| part.gives_back() == Some(field))
    }
}

fn is_of_any(part: &Part, fields: &[&str]) -> bool {
    part.fields().iter().any(|field| fields.contains(&field.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::KeyEncoding;

    fn key(parts: &[&str]) -> Key {
        Key::parse(parts, KeyEncoding::Binary).unwrap()
    }

    #[test]
    fn what_comes_back_is_not_lost() {
        for parts in
            [&["user", "at"][..], &["md5_mod(user, 4)", "reverse(user)", "desc(at)"], &["row_number()"]]
        {
            assert_eq!(key(parts).loses(&["user", "at"]), None, "{parts:?}");
        }
    }

    #[test]
    fn what_is_lost_is_named_with_the_part_that_loses_it() {
        let told = key(&["user", "bucket(at, \"1h\")"]).loses(&["user", "at"]).unwrap();
        assert!(told.contains("\"at\"") && told.contains("bucket(at, \"1h\")"), "{told}");
        let told = key(&["md5(user)"]).loses(&["user", "at"]).unwrap();
        assert!(told.contains("\"user\", \"at\"") && told.contains("md5(user)"), "{told}");
        let told = key(&["user"]).loses(&["user", "at"]).unwrap();
        assert!(told.contains("no part of the key"), "{told}");
    }

    #[test]
    fn keys_that_change_double_rows() {
        assert!(key(&["random(4)", "id"]).doubles().unwrap().contains("random(4)"));
        assert!(key(&["md5_line_mod(4)", "id"]).doubles().unwrap().contains("whole line"));
        assert_eq!(key(&["md5_mod(id, 4)", "id"]).doubles(), None);
    }
}
