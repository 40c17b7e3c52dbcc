//! Paths as they are written into files: seen from the directory of that file, with `/` everywhere.

use std::path::{Component, Path, PathBuf};

/// The path of `file` seen from `directory`. Both must exist; where they have nothing in common it stays absolute.
pub fn from(directory: &Path, file: &Path) -> String {
    let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let nonempty = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let seen = between(&whole(nonempty), &whole(file));
    let parts: Vec<String> =
        seen.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if seen.is_absolute() { seen.to_string_lossy().into_owned() } else { parts.join("/") }
}

fn between(directory: &Path, file: &Path) -> PathBuf {
    let (mut here, mut there) = (directory.components().peekable(), file.components().peekable());
    let mut common = 0;
    while here.peek().is_some() && here.peek() == there.peek() {
        common += usize::from(matches!(here.next(), Some(Component::Normal(_))));
        there.next();
    }
    if common == 0 {
        return file.to_owned();
    }
    here.map(|_| Component::ParentDir).chain(there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/data.csv"), "x").unwrap();
        assert_eq!(from(&at("a"), &at("a/data.csv")), "data.csv");
        assert_eq!(from(&at("a/b"), &at("a/data.csv")), "../data.csv");
        assert_eq!(from(&at(""), &at("a/data.csv")), "a/data.csv");
    }

    #[test]
    fn what_has_nothing_in_common_stays_absolute() {
        assert_eq!(between(Path::new("/a/b"), Path::new("/c/d")), Path::new("/c/d"));
    }
}
