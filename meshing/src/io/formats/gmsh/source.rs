//! Numbers of a Gmsh file, as words or as bytes.

use crate::io::encoding::scalar::Scalar;
use crate::io::encoding::text::{count, quoted};
use crate::io::encoding::tokens::Tokens;
use crate::io::error::{Place, ReadError};

const REMEDY: &str =
    "save it as text in version 4.1 (in Gmsh: Mesh.Binary = 0, Mesh.MshFileVersion = 4.1)";

/// Where the numbers come from.
pub(crate) struct Source<'a> {
    pub tokens: Tokens<'a>,
    binary: Option<Binary>,
}

#[derive(Debug, Clone, Copy)]
struct Binary {
    big_endian: bool,
    /// type of counts and, in version 4.1, tags
    long: Scalar,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            tokens: Tokens::new(bytes, false),
            binary: None,
        }
    }

    /// Finds the byte order from the number 1 that follows the first line; `size` is that of a count.
    pub fn start_binary(&mut self, size: i64) -> Result<(), ReadError> {
        let long = match size {
            4 => Scalar::I32,
            8 => Scalar::I64,
            _ => {
                let what = format!("numbers of {size} bytes in a Gmsh file");
                return Err(ReadError::unsupported(what, REMEDY));
            }
        };
        self.tokens.end_line();
        let place = Place::Byte(self.tokens.at());
        let big_endian = match self.tokens.take(4, "the byte order")? {
            [1, 0, 0, 0] => false,
            [0, 0, 0, 1] => true,
            _ => return Err(ReadError::syntax(place, "no byte order of Gmsh")),
        };
        self.binary = Some(Binary { big_endian, long });
        Ok(())
    }

    pub fn is_binary(&self) -> bool {
        self.binary.is_some()
    }

    /// Goes to the first number of a section: binary numbers begin on the next line.
    pub fn start_numbers(&mut self) {
        if self.is_binary() {
            self.tokens.end_line();
        }
    }

    /// Ignores the rest of a line of text.
    pub fn finish_line(&mut self) {
        if !self.is_binary() {
            self.tokens.end_line();
        }
    }

    /// A number of four bytes.
    pub fn int(&mut self, what: &str) -> Result<i64, ReadError> {
        self.whole(Scalar::I32, what)
    }

    /// A number of the size that the file names.
    pub fn long(&mut self, what: &str) -> Result<i64, ReadError> {
        let scalar = self.binary.map_or(Scalar::I64, |b| b.long);
        self.whole(scalar, what)
    }

    /// A number of the size that the file names if `wide`, else of four bytes.
    pub fn tag(&mut self, wide: bool, what: &str) -> Result<i64, ReadError> {
        if wide {
            self.long(what)
        } else {
            self.int(what)
        }
    }

    /// How many of something follow: at most as many as the file has bytes.
    pub fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        if !self.is_binary() {
            return self.tokens.count(what);
        }
        let place = self.place();
        count(self.long(what)?, what, place, self.tokens.size())
    }

    fn whole(&mut self, scalar: Scalar, what: &str) -> Result<i64, ReadError> {
        match self.binary {
            None => self.tokens.integer(what),
            // tags beyond 2^53 would not fit a mesh either
            Some(binary) => Ok(self.bytes(scalar, binary, what)? as i64),
        }
    }

    pub fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        match self.binary {
            None => self.tokens.number(what),
            Some(binary) => self.bytes(Scalar::F64, binary, what),
        }
    }

    fn bytes(&mut self, scalar: Scalar, binary: Binary, what: &str) -> Result<f64, ReadError> {
        let raw = self.tokens.take(scalar.size(), what)?;
        Ok(scalar.decode(raw, binary.big_endian))
    }

    /// Passes over a section up to its end.
    pub fn skip(&mut self, name: &[u8]) -> Result<(), ReadError> {
        let end = [b"$End", name].concat();
        let size = self.tokens.size();
        let missing = || ReadError::truncated(size, quoted(&end));
        if self.is_binary() {
            let rest = self.tokens.rest();
            let found = rest.windows(end.len()).position(|w| w == end);
            let length = found.ok_or_else(missing)? + end.len();
            self.tokens.take(length, "a section")?;
            return Ok(());
        }
        while !self.tokens.rest().is_empty() {
            if self.tokens.end_line().trim_ascii() == end {
                return Ok(());
            }
        }
        Err(missing())
    }

    /// Line or byte where the reader stands.
    pub fn at(&self) -> usize {
        if self.is_binary() {
            self.tokens.at()
        } else {
            self.tokens.line()
        }
    }

    pub fn place(&self) -> Place {
        if self.is_binary() {
            Place::Byte(self.tokens.at())
        } else {
            self.tokens.place()
        }
    }
}
