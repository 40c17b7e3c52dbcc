//! Parts from their text: `md5_mod(station, 64)`, `bucket(at, "1d")`, `"a field with spaces"`.

use std::str::FromStr;

use super::cursor::Cursor;
use super::digest::DIGEST_BYTES;
use super::pad::MAX_WIDTH;
use super::part::begins_name;
use super::{BucketWidth, Part, PartError};

/// Every function with its shape, for messages.
const FUNCTIONS: &str = "pad(field, n), md5(field), md5(field, bytes), md5_mod(field, m), mod(field, m), random(m), \
                         md5_line_mod(m), reverse(field), desc(field), bucket(field, \"1h\"), const(\"x\") or row_number()";

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, PartError> {
        let mut cursor = Cursor::new(text);
        let part = cursor.part()?;
        match cursor.peek() {
            None => Ok(part),
            Some(_) => cursor.fail(
                cursor.at(),
                "something follows the part",
                "nothing more: each part is a text of its own",
            ),
        }
    }
}

impl Part {
    /// Reads parts with commas between them, as a qualifier has them.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, PartError> {
        let mut cursor = Cursor::new(text);
        let mut parts = vec![cursor.part()?];
        while cursor.peek().is_some() {
            cursor.expect(',')?;
            parts.push(cursor.part()?);
        }
        Ok(parts)
    }
}

impl Cursor<'_> {
    /// A part, and the spaces around it.
    fn part(&mut self) -> Result<Part, PartError> {
        self.spaces();
        let begin = self.at();
        let part = if self.peek() == Some('"') {
            Part::Field(self.quoted_name()?)
        } else {
            let name = self.name("a field, or a function such as md5_mod(field, 64)")?;
            self.spaces();
            if self.take('(') { self.function(name, begin)? } else { Part::Field(name.to_owned()) }
        };
        self.spaces();
        Ok(part)
    }

    /// The rest of a function whose name began at `begin`, up to its closing bracket.
    fn function(&mut self, name: &str, begin: usize) -> Result<Part, PartError> {
        let part = match name {
            "pad" => {
                let field = self.field()?;
                self.expect(',')?;
                Part::Pad { field, width: self.number_within(MAX_WIDTH, "a width from 1 to 1000")? }
            }
            "md5" => self.md5()?,
            "md5_mod" => self.md5_mod()?,
            "mod" => {
                let field = self.field()?;
                self.expect(',')?;
                Part::Mod { field, modulus: self.modulus()? }
            }
            "random" => Part::Random(self.modulus()?),
            "md5_line_mod" => Part::Md5LineMod(self.modulus()?),
            "reverse" => Part::Reverse(self.field()?),
            "desc" => Part::Desc(self.field()?),
            "bucket" => self.bucket()?,
            "const" => self.constant()?,
            "row_number" => Part::RowNumber,
            _ => return self.fail(begin, format!("there is no function {name}"), FUNCTIONS),
        };
        self.expect(')')?;
        Ok(part)
    }

    fn md5(&mut self) -> Result<Part, PartError> {
        let field = self.field()?;
        self.spaces();
        let bytes = match self.take(',') {
            true => Some(self.number_within(DIGEST_BYTES, "bytes of the digest, from 1 to 16")?),
            false => None,
        };
        Ok(Part::Md5 { field, bytes })
    }

    fn md5_mod(&mut self) -> Result<Part, PartError> {
        let mut fields = vec![self.field()?];
        loop {
            self.expect(',')?;
            self.spaces();
            if self.peek().is_some_and(|character| character == '"' || begins_name(character)) {
                fields.push(self.field()?);
            } else {
                return Ok(Part::Md5Mod { fields, modulus: self.modulus()? });
            }
        }
    }

    fn bucket(&mut self) -> Result<Part, PartError> {
        let field = self.field()?;
        self.expect(',')?;
        self.spaces();
        let begin = self.at();
        let width = String::from_utf8(self.quoted()?).unwrap_or_default();
        match BucketWidth::parse(&width) {
            Some(width) => Ok(Part::Bucket { field, width }),
            None => self.fail(
                begin,
                format!("{width:?} is no width of a bucket"),
                "a length of time such as \"1h\" (ms, s, m, h, d, w), or a whole number such as \"1000\", not 0",
            ),
        }
    }

    fn constant(&mut self) -> Result<Part, PartError> {
        self.spaces();
        let begin = self.at();
        let bytes = self.quoted()?;
        if bytes.is_empty() {
            return self.fail(begin, "the constant is empty", "at least one character");
        }
        Ok(Part::Const(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_print_as_they_were_read() {
        for text in [
            "station",
            "user.name",
            "größe",
            "mod",
            "\"two words\"",
            "pad(id, 10)",
            "md5(user)",
            "md5(user, 4)",
            "md5_mod(station, 64)",
            "md5_mod(a, \"b c\", d, 1000000)",
            "mod(id, 16)",
            "random(8)",
            "md5_line_mod(220)",
            "reverse(id)",
            "desc(at)",
            "bucket(at, \"1d\")",
            "bucket(revision, \"1000\")",
            "const(\"u\\x00:\")",
            "row_number()",
        ] {
            assert_eq!(text.parse::<Part>().unwrap().to_string(), text);
        }
        assert_eq!(" mod ( id,1_000 ) ".parse::<Part>().unwrap().to_string(), "mod(id, 1000)");
    }

    #[test]
    fn errors_say_where_and_what_is_expected() {
        for (text, told) in [
            (
                "",
                "character 1 of \"\": the text ends here; expected a field, or a function such as md5_mod(field, 64)",
            ),
            ("mod(id)", "character 7 of \"mod(id)\": `)` stands here; expected `,`"),
            (
                "mod(id, 0)",
                "character 9 of \"mod(id, 0)\": 0 leaves no prefix; expected a whole number from 1: how many prefixes there are",
            ),
            (
                "md5(id, 17)",
                "character 9 of \"md5(id, 17)\": 17 is out of range; expected bytes of the digest, from 1 to 16",
            ),
            (
                "desc(at) x",
                "character 10 of \"desc(at) x\": something follows the part; expected nothing more: each part is a text of its own",
            ),
            (
                "größe, b",
                "character 6 of \"größe, b\": something follows the part; expected nothing more: each part is a text of its own",
            ),
            ("const(\"x", "character 7 of \"const(\\\"x\": the quote is not closed; expected `\"`"),
        ] {
            assert_eq!(text.parse::<Part>().unwrap_err().to_string(), told);
        }
        for text in [
            "sha1(x)",
            "pad(x, 0)",
            "pad(x, 1001)",
            "md5_mod(3)",
            "md5_mod(a, b)",
            "const(\"\")",
            "\"\"",
            "random(x)",
            "bucket(at, 1d)",
            "bucket(at, \"0s\")",
            "row_number(1)",
            "mod(id, 99999999999999999999)",
            "\"\\xFF\"",
            "7",
        ] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
