//! Designs come back from their files.

use tablesmith_model::design::{Design, DesignFile};

use crate::designs::design;
use crate::random::seeded;

#[test]
fn designs_are_read_as_they_were_written() {
    let mut random = seeded("designs");
    for _ in 0..500 {
        let design = design(&mut random);
        let text = design.to_toml();
        assert_eq!(Design::parse(&text).as_ref(), Ok(&design), "{text}");
        assert_eq!(DesignFile::parse(&text).unwrap().to_string(), text);
    }
}
