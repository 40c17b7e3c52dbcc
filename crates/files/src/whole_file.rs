//! Files that the program writes: there as a whole or not at all, with the mode that they had, and behind links.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::temporary_path::TemporaryPath;

/// Large files are written in large pieces.
const BUFFER_BYTES: usize = 1 << 18;
/// More links than this lead nowhere.
const LINKS_MOST: usize = 40;

/// Checks that a file can be written at all: better known before long work than after it.
pub fn check_place(path: &Path) -> io::Result<()> {
    Target::of(path)?.check()
}

/// Writes a text. The old content is kept until all of the new one is there.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    write_with(path, |out| out.write_all(text.as_bytes()))
}

/// Writes what `write` writes. The old content is kept until all of the new one is there.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = Target::of(path)?;
    target.check()?;
    target.write(write, target.existing.as_ref())
}

/// Writes a text to a file that nobody may read who may not read another one.
pub fn write_like(path: &Path, like: &Path, text: &str) -> io::Result<()> {
    let target = Target::of(path)?;
    target.check()?;
    target.write(|out| out.write_all(text.as_bytes()), Some(&like.metadata()?))
}

/// Where a file is in truth, and what is there now.
struct Target {
    path: PathBuf,
    existing: Option<Metadata>,
}

impl Target {
    /// Follows links, also one to a file that does not exist yet.
    fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..LINKS_MOST {
            match path.metadata() {
                Ok(existing) if !existing.is_file() => return Ok(Self { path, existing: Some(existing) }),
                _ => {}
            }
            match path.symlink_metadata() {
                Ok(link) if link.is_symlink() => path = directory_of(&path).join(path.read_link()?),
                Ok(existing) => return Ok(Self { path, existing: Some(existing) }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self { path, existing: None });
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    fn check(&self) -> io::Result<()> {
        if self.existing.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        match directory_of(&self.path).metadata()?.is_dir() {
            true => Ok(()),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Writes the content, readable by those who may read `like`.
    fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        like: Option<&Metadata>,
    ) -> io::Result<()> {
        if self.existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            // A pipe or a device takes what comes; nothing can take its place.
            return buffered(&mut File::options().write(true).open(&self.path)?, write);
        }
        let create = || new_file(directory_of(&self.path), like.is_some());
        let (mut file, _leftover) = TemporaryPath::create(create, |file| file.path())?;
        if let Some(like) = like {
            make_like(file.as_file(), like)?;
        }
        buffered(file.as_file_mut(), write)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn buffered(file: &mut File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
    write(&mut out)?;
    out.flush()
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file for others to read, too, as far as the user's mask lets them; a private one while its mode is to come.
fn new_file(directory: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".tablesmith-");
    #[cfg(unix)]
    if !is_private {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

/// Gives a file the mode of another, and its owner where that is allowed.
fn make_like(file: &File, like: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            // Only the superuser may give files away.
            let _ = fchown(file, Some(like.uid()), Some(like.gid()));
        }
    }
    file.set_permissions(like.permissions())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_that_is_written_over_keeps_its_mode() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.toml");
        for kept in [0o600, 0o640, 0o444] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            write(&path, "new").unwrap();
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("new", kept));
            fs::remove_file(&path).unwrap();
        }
        let other = directory.path().join("b.toml");
        fs::write(&path, "secret").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write_like(&other, &path, "secret").unwrap();
        assert_eq!(mode(&other), 0o600);
        assert_eq!(directory.path().read_dir().unwrap().count(), 2, "a temporary file is left");
    }

    #[test]
    fn a_link_stays_and_its_target_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("else")).unwrap();
        fs::write(at("else/real.toml"), "old").unwrap();
        symlink("else/real.toml", at("link.toml")).unwrap();
        symlink("link.toml", at("link-to-link.toml")).unwrap();
        symlink("else/new.toml", at("dangling.toml")).unwrap();
        for (link, real) in [
            ("link.toml", "else/real.toml"),
            ("link-to-link.toml", "else/real.toml"),
            ("dangling.toml", "else/new.toml"),
        ] {
            write(&at(link), link).unwrap();
            assert!(at(link).symlink_metadata().unwrap().is_symlink(), "{link} was replaced");
            assert_eq!(fs::read_to_string(at(real)).unwrap(), link);
        }
    }

    #[test]
    fn links_that_lead_nowhere_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        symlink("b", at("a")).unwrap();
        symlink("a", at("b")).unwrap();
        symlink("no/such/file", at("c")).unwrap();
        for name in ["a", "c"] {
            assert!(check_place(&at(name)).is_err(), "{name}");
            assert!(write(&at(name), "text").is_err(), "{name}");
            assert!(at(name).symlink_metadata().unwrap().is_symlink(), "{name} was replaced");
        }
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write(Path::new("/dev/null"), "text").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
