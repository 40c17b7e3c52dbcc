//! Configuration files: `hbase-site.xml` and its relatives.

use std::fs;
use std::path::Path;

use crate::error::Error;

/// Properties in order; a later one replaces an earlier one of the same name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site(Vec<(String, String)>);

impl Site {
    pub(crate) fn of(properties: &[(&str, &str)]) -> Self {
        let mut site = Self::default();
        for (name, value) in properties {
            site.set(name, *value);
        }
        site
    }

    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value.to_string()));
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        fs::write(path, self.to_xml()).map_err(Error::file(path))
    }

    fn to_xml(&self) -> String {
        let mut xml = "<?xml version=\"1.0\"?>\n<configuration>\n".to_owned();
        for (name, value) in &self.0 {
            let (name, value) = (escape(name), escape(value));
            xml += &format!("<property><name>{name}</name><value>{value}</value></property>\n");
        }
        xml + "</configuration>\n"
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts_and_is_escaped() {
        let mut site = Site::of(&[("a", "1"), ("b", "x<y&z")]);
        site.set("a", 2);
        let xml = site.to_xml();
        assert!(xml.contains("<name>a</name><value>2</value>"), "{xml}");
        assert!(xml.contains("<name>b</name><value>x&lt;y&amp;z</value>"), "{xml}");
        assert_eq!(xml.matches("<property>").count(), 2);
    }
}
