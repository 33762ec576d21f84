//! The legacy format: `# vtk DataFile`, as text or big-endian.

use pliant_core::math::Vec3;

use super::lists::Lists;
use crate::io::assembly::cells::{Cells, Shape};
use crate::io::encoding::scalar::{Scalar, whole_at};
use crate::io::encoding::text::{not_a_number, number, quoted};
use crate::io::encoding::tokens::Tokens;
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Reads POLYDATA and UNSTRUCTURED_GRID; data on points and cells are passed over.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut tokens = Tokens::new(bytes, false);
    // version and title
    tokens.end_line();
    tokens.end_line();
    let word = tokens.expect("`ASCII` or `BINARY`")?;
    let binary = match word.to_ascii_uppercase().as_slice() {
        b"ASCII" => false,
        b"BINARY" => true,
        _ => {
            let what = format!("{} instead of `ASCII` or `BINARY`", quoted(word));
            return Err(ReadError::syntax(tokens.place(), what));
        }
    };
    let mut file = Legacy { tokens, binary };
    let mut cells = Cells::new(!binary, 0, options);
    file.sections(&mut cells)?;
    cells.finish(if binary {
        MeshFormat::VtkBinary
    } else {
        MeshFormat::VtkText
    })
}

fn scalar_named(word: &[u8]) -> Option<Scalar> {
    Some(match word.to_ascii_lowercase().as_slice() {
        b"char" | b"vtktypeint8" => Scalar::I8,
        b"unsigned_char" | b"vtktypeuint8" => Scalar::U8,
        b"short" | b"vtktypeint16" => Scalar::I16,
        b"unsigned_short" | b"vtktypeuint16" => Scalar::U16,
        // the legacy writer stores identifiers in 32 bits
        b"int" | b"vtkidtype" | b"vtktypeint32" => Scalar::I32,
        b"unsigned_int" | b"vtktypeuint32" => Scalar::U32,
        b"long" | b"vtktypeint64" => Scalar::I64,
        b"unsigned_long" | b"vtktypeuint64" => Scalar::U64,
        b"float" => Scalar::F32,
        b"double" => Scalar::F64,
        _ => return None,
    })
}

/// The number of a node, or an end in a list. Negative numbers become `u32::MAX`, which is out of range.
fn number_or_out_of_range(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

struct Legacy<'a> {
    tokens: Tokens<'a>,
    binary: bool,
}

impl Legacy<'_> {
    fn sections(&mut self, cells: &mut Cells) -> Result<(), ReadError> {
        let mut lists: Option<Lists> = None;
        let mut kinds = Vec::new();
        while let Some(word) = self.tokens.word() {
            match word.to_ascii_uppercase().as_slice() {
                b"DATASET" => self.dataset()?,
                b"POINTS" => self.points(cells)?,
                b"POLYGONS" => self.lists()?.add(|_| Shape::Polygon, cells)?,
                b"TRIANGLE_STRIPS" => self.lists()?.add(|_| Shape::Strip, cells)?,
                b"LINES" => self.lists()?.add(|_| Shape::Other("lines"), cells)?,
                b"VERTICES" => self.lists()?.add(|_| Shape::Other("points"), cells)?,
                b"CELLS" => lists = Some(self.lists()?),
                b"CELL_TYPES" => {
                    let count = self.tokens.count("cell types")?;
                    kinds = self.integers(count, Scalar::I32, |kind| {
                        u8::try_from(kind).unwrap_or(u8::MAX)
                    })?;
                }
                b"FIELD" => self.field()?,
                b"METADATA" => self.skip_metadata(),
                // geometry never follows data
                b"POINT_DATA" | b"CELL_DATA" => break,
                _ => {
                    let what = format!("{} where a section should begin", quoted(word));
                    return Err(ReadError::syntax(self.place(), what));
                }
            }
        }
        let Some(lists) = lists else {
            return Ok(());
        };
        lists.add_by_type(&kinds, self.place(), cells)
    }

    fn dataset(&mut self) -> Result<(), ReadError> {
        let word = self.tokens.expect("the kind of dataset")?;
        match word.to_ascii_uppercase().as_slice() {
            b"POLYDATA" | b"UNSTRUCTURED_GRID" => Ok(()),
            b"STRUCTURED_POINTS" | b"STRUCTURED_GRID" | b"RECTILINEAR_GRID" => {
                let what = format!("the VTK dataset {}", quoted(word));
                let remedy = "extract its surface or its tetrahedra, and save as POLYDATA or UNSTRUCTURED_GRID";
                Err(ReadError::unsupported(what, remedy))
            }
            _ => {
                let what = format!("{} is not a kind of dataset that is read", quoted(word));
                Err(ReadError::syntax(self.place(), what))
            }
        }
    }

    fn points(&mut self, cells: &mut Cells) -> Result<(), ReadError> {
        let count = self.tokens.count("points")?;
        let scalar = self.scalar()?;
        self.start_numbers();
        let shortest = if self.binary { 3 * scalar.size() } else { 6 };
        let max_count = self.tokens.rest().len() / shortest + 1;
        cells.surface.reserve(count.min(max_count), 0);
        for _ in 0..count {
            let mut coordinate = || self.next(scalar);
            let position = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
            cells.surface.vertex(position, self.at())?;
        }
        Ok(())
    }

    /// Cells in the form of version 3 (length and nodes of each) or of version 5 (ends and nodes).
    fn lists(&mut self) -> Result<Lists, ReadError> {
        let mut lists = Lists {
            at: self.at(),
            ..Lists::default()
        };
        let count = self.tokens.count("cells")?;
        let size = self.tokens.count("node numbers")?;
        if self
            .tokens
            .rest()
            .trim_ascii_start()
            .starts_with(b"OFFSETS")
        {
            self.tokens.keyword("OFFSETS")?;
            let scalar = self.scalar()?;
            let mut ends = self.integers(count, scalar, number_or_out_of_range)?;
            // the first is where the first cell starts
            ends.drain(..ends.len().min(1));
            lists.ends = ends;
            self.tokens.keyword("CONNECTIVITY")?;
            let scalar = self.scalar()?;
            lists.nodes = self.integers(size, scalar, number_or_out_of_range)?;
            return Ok(lists);
        }
        lists.nodes.reserve_exact(size.saturating_sub(count));
        lists.ends.reserve_exact(count);
        self.start_numbers();
        let mut remaining = size;
        for k in 0..count {
            let length = if remaining == 0 {
                None
            } else {
                Some(self.integer(Scalar::I32)?)
            };
            let length = length.and_then(|n| usize::try_from(n).ok());
            let Some(length) = length.filter(|n| *n < remaining) else {
                let what = format!("cell {k} of {count} is longer than the list of cells");
                return Err(ReadError::syntax(self.place(), what));
            };
            for _ in 0..length {
                lists
                    .nodes
                    .push(number_or_out_of_range(self.integer(Scalar::I32)?));
            }
            lists.ends.push(lists.nodes.len() as u32);
            remaining -= length + 1;
        }
        for _ in 0..remaining {
            self.integer(Scalar::I32)?;
        }
        Ok(lists)
    }

    /// Arrays of general data: name, components, tuples and type each.
    fn field(&mut self) -> Result<(), ReadError> {
        self.tokens.expect("the name of a field")?;
        for _ in 0..self.tokens.count("arrays of a field")? {
            if self.tokens.peek() == Some(b"METADATA") {
                self.tokens.word();
                self.skip_metadata();
            }
            self.tokens.expect("the name of an array")?;
            let width = self.tokens.count("components")?;
            let count = self.tokens.count("tuples")?;
            let scalar = self.scalar()?;
            self.start_numbers();
            for _ in 0..width.saturating_mul(count) {
                self.next(scalar)?;
            }
        }
        Ok(())
    }

    /// Everything up to an empty line.
    fn skip_metadata(&mut self) {
        self.tokens.end_line();
        while !self.tokens.end_line().trim_ascii().is_empty() {}
    }

    fn scalar(&mut self) -> Result<Scalar, ReadError> {
        let word = self.tokens.expect("a number type")?;
        scalar_named(word).ok_or_else(|| {
            let what = format!("{} is not a number type of VTK", quoted(word));
            ReadError::syntax(self.place(), what)
        })
    }

    /// `count` integers, each converted.
    fn integers<T>(
        &mut self,
        count: usize,
        scalar: Scalar,
        convert: impl Fn(i64) -> T,
    ) -> Result<Vec<T>, ReadError> {
        self.start_numbers();
        let shortest = if self.binary { scalar.size() } else { 2 };
        let max_count = self.tokens.rest().len() / shortest + 1;
        let mut values = Vec::with_capacity(count.min(max_count));
        for _ in 0..count {
            values.push(convert(self.integer(scalar)?));
        }
        Ok(values)
    }

    fn integer(&mut self, scalar: Scalar) -> Result<i64, ReadError> {
        whole_at(self.next(scalar)?, self.place())
    }

    /// Binary numbers begin on the next line.
    fn start_numbers(&mut self) {
        if self.binary {
            self.tokens.end_line();
        }
    }

    fn next(&mut self, scalar: Scalar) -> Result<f64, ReadError> {
        if !self.binary {
            let word = self.tokens.expect("a number")?;
            return number(word).ok_or_else(|| not_a_number(word, self.place()));
        }
        let raw = self.tokens.take(scalar.size(), "the rest of an array")?;
        Ok(scalar.decode(raw, true))
    }

    fn at(&self) -> usize {
        if self.binary {
            self.tokens.at()
        } else {
            self.tokens.line()
        }
    }

    fn place(&self) -> Place {
        if self.binary {
            Place::Byte(self.tokens.at())
        } else {
            self.tokens.place()
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::io::testing::assert_refused;

    pub const POLYDATA: &[u8] = b"# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS 5 float\n0 0 0 1 0 0 1 1 0\n0 1 0 0 0 1\nMETADATA\nINFORMATION 0\n\nVERTICES 1 2\n1 0\nPOLYGONS 2 9\n4 0 1 2 3\n3 0 1 4\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOINT_DATA 5\nSCALARS a float\nnonsense\n";
    pub const GRID_VERSION_5: &[u8] = b"# vtk DataFile Version 5.1\nby hand\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 3 6\nOFFSETS vtktypeint64\n0 4 6\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1\nCELL_TYPES 2\n10 3\n";

    #[test]
    fn polydata_with_polygons_and_strips() {
        let file = read(POLYDATA, &ReadOptions::default()).expect("a surface");
        assert_eq!(file.surface.positions.len(), 5);
        assert_eq!(
            file.surface.triangles,
            [[0, 1, 2], [0, 2, 3], [0, 1, 4], [0, 1, 2], [1, 3, 2]]
        );
    }

    #[test]
    fn a_grid_of_version_5() {
        let file = read(GRID_VERSION_5, &ReadOptions::default()).expect("a body");
        assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
    }

    #[test]
    fn errors_name_the_place() {
        let text = String::from_utf8_lossy(POLYDATA);
        #[rustfmt::skip]
        let rows = [
            ("ASCII", "TEXT", "Syntax", "line 3", ""),
            ("DATASET POLYDATA", "DATASET STRUCTURED_GRID", "Unsupported", "", ""),
            ("POINTS 5 float", "POINTS 5 bfloat", "Syntax", "line 8", ""),
            ("POINTS 5", "POINTS 50000", "TooManyClaimed", "line 8", ""),
            ("0 1 0 0 0 1", "0 1 0 0 0 inf", "NonFinite", "line 10", ""),
            ("3 0 1 4", "3 0 1 5", "IndexOutOfRange", "line 16", ""),
            ("3 0 1 4", "4 0 1 4", "Syntax", "line 18", ""),
        ];
        assert_refused(&text, &rows);
    }
}
