//! Gmsh MSH as text, versions 2 and 4.1 (Geuzaine and Remacle 2009; Gmsh reference manual, chapter "Gmsh file formats").

use std::collections::HashMap;

use pliant_core::math::Vec3;

use super::cells::{Cells, Shape};
use super::error::ReadError;
use super::text::quoted;
use super::tokens::Tokens;
use super::{MeshFile, MeshFormat, ReadOptions};

/// Element types: number of nodes and what they are.
fn element(kind: i64) -> Option<(usize, Shape)> {
    Some(match kind {
        1 => (2, Shape::Other("lines")),
        2 => (3, Shape::Polygon),
        3 => (4, Shape::Polygon),
        4 => (4, Shape::Tet),
        5 => (8, Shape::Other("hexahedra")),
        6 => (6, Shape::Other("wedges")),
        7 => (5, Shape::Other("pyramids")),
        8 => (3, Shape::Other("lines")),
        9 => (6, Shape::CurvedPolygon(3)),
        10 => (9, Shape::CurvedPolygon(4)),
        11 => (10, Shape::CurvedTet),
        12 => (27, Shape::Other("hexahedra")),
        13 => (18, Shape::Other("wedges")),
        14 => (14, Shape::Other("pyramids")),
        15 => (1, Shape::Other("points")),
        16 => (8, Shape::CurvedPolygon(4)),
        17 => (20, Shape::Other("hexahedra")),
        18 => (15, Shape::Other("wedges")),
        19 => (13, Shape::Other("pyramids")),
        21 => (10, Shape::CurvedPolygon(3)),
        23 => (15, Shape::CurvedPolygon(3)),
        29 => (20, Shape::CurvedTet),
        30 => (35, Shape::CurvedTet),
        _ => return None,
    })
}

/// Reads nodes and elements; sections of other names are passed over.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut tokens = Tokens::new(bytes, false);
    let mut file = Gmsh {
        cells: Cells::new(true, 0, options),
        index: HashMap::new(),
        corners: Vec::new(),
    };
    let mut is_old = true;
    while let Some(section) = tokens.word() {
        match section {
            b"$MeshFormat" => is_old = version(&mut tokens)?,
            b"$Nodes" if is_old => file.old_nodes(&mut tokens)?,
            b"$Nodes" => file.nodes(&mut tokens)?,
            b"$Elements" if is_old => file.old_elements(&mut tokens)?,
            b"$Elements" => file.elements(&mut tokens)?,
            [b'$', name @ ..] => skip(&mut tokens, name)?,
            _ => {
                let what = format!("{} where a section should begin", quoted(section));
                return Err(ReadError::syntax(tokens.place(), what));
            }
        }
    }
    file.cells.finish(MeshFormat::Gmsh)
}

/// Whether the file has version 2, not 4.1.
fn version(tokens: &mut Tokens<'_>) -> Result<bool, ReadError> {
    const REMEDY: &str =
        "save it as text in version 4.1 (in Gmsh: Mesh.Binary = 0, Mesh.MshFileVersion = 4.1)";
    let version = tokens.number("a version")?;
    let is_old = (2.0..3.0).contains(&version);
    if !is_old && version != 4.1 {
        let what = format!("version {version} of the Gmsh format");
        return Err(ReadError::unsupported(what, REMEDY));
    }
    if tokens.integer("0 or 1 for text or binary")? != 0 {
        let what = "the binary Gmsh format";
        return Err(ReadError::unsupported(what, REMEDY));
    }
    tokens.integer("the size of a number")?;
    tokens.keyword("$EndMeshFormat")?;
    Ok(is_old)
}

/// Passes over a section up to its end.
fn skip(tokens: &mut Tokens<'_>, name: &[u8]) -> Result<(), ReadError> {
    let end = format!("$End{}", String::from_utf8_lossy(name));
    loop {
        if tokens.rest().is_empty() {
            // for its message
            return tokens.keyword(&end);
        }
        if tokens.end_line().trim_ascii() == end.as_bytes() {
            return Ok(());
        }
    }
}

struct Gmsh {
    cells: Cells,
    /// vertex of each node tag; only looked up
    index: HashMap<i64, i64>,
    corners: Vec<i64>,
}

impl Gmsh {
    fn old_nodes(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        for _ in 0..tokens.count("nodes")? {
            let tag = tokens.integer("the tag of a node")?;
            self.node(tag, tokens)?;
        }
        tokens.keyword("$EndNodes")
    }

    fn nodes(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let blocks = tokens.count("blocks of nodes")?;
        tokens.end_line();
        for _ in 0..blocks {
            let dimension = tokens.integer("the dimension of a block")?;
            tokens.integer("the tag of a block")?;
            let parameters = match tokens.integer("0 or 1 for parameters")? {
                0 => 0,
                _ => dimension.clamp(0, 3),
            };
            let count = tokens.count("nodes of a block")?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(tokens.integer("the tag of a node")?);
            }
            for tag in tags {
                self.node(tag, tokens)?;
                for _ in 0..parameters {
                    tokens.number("a parameter")?;
                }
            }
        }
        tokens.keyword("$EndNodes")
    }

    fn node(&mut self, tag: i64, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let mut position = Vec3::zeros();
        for x in position.iter_mut() {
            *x = tokens.number("a coordinate")?;
        }
        let vertex = self.cells.surface.vertex_count() as i64;
        if self.index.insert(tag, vertex).is_some() {
            let what = format!("a second node with the tag {tag}");
            return Err(ReadError::syntax(tokens.place(), what));
        }
        self.cells.surface.vertex(position, tokens.line())
    }

    fn old_elements(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        for _ in 0..tokens.count("elements")? {
            tokens.integer("the tag of an element")?;
            let kind = tokens.integer("the type of an element")?;
            for _ in 0..tokens.count("tags of an element")? {
                tokens.integer("a tag of an element")?;
            }
            self.element(kind, tokens)?;
        }
        tokens.keyword("$EndElements")
    }

    fn elements(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let blocks = tokens.count("blocks of elements")?;
        tokens.end_line();
        for _ in 0..blocks {
            tokens.integer("the dimension of a block")?;
            tokens.integer("the tag of a block")?;
            let kind = tokens.integer("the type of the elements")?;
            for _ in 0..tokens.count("elements of a block")? {
                tokens.integer("the tag of an element")?;
                self.element(kind, tokens)?;
            }
        }
        tokens.keyword("$EndElements")
    }

    /// The nodes of one element.
    fn element(&mut self, kind: i64, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        let Some((nodes, shape)) = element(kind) else {
            self.cells.skip(&format!("elements of Gmsh type {kind}"), 1);
            tokens.end_line();
            return Ok(());
        };
        self.corners.clear();
        for _ in 0..nodes {
            let tag = tokens.integer("the tag of a node")?;
            let Some(&vertex) = self.index.get(&tag) else {
                return Err(ReadError::IndexOutOfRange {
                    place: tokens.place(),
                    index: tag,
                    vertices: self.index.len(),
                });
            };
            self.corners.push(vertex);
        }
        self.cells.cell(shape, &self.corners, tokens.line())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub const OLD: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"a $Nodes b\"\n$EndPhysicalNames\n$Nodes\n4\n7 0 0 0\n1 1 0 0\n900000000000 0 1 0\n2 0 0 1\n$EndNodes\n$Elements\n4\n1 15 2 0 1 7\n2 1 2 0 1 7 1\n3 2 2 0 1 7 900000000000 1\n4 3 0 7 1 900000000000 2\n$EndElements\n";
    pub const NEW: &[u8] = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n2 4 1 4\n2 1 1 2\n1\n2\n0 0 0 .5 .5\n1 0 0 .1 .1\n3 1 0 2\n4\n3\n0 0 1\n0 1 0\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 1 3 2\n3 1 4 1\n2 1 2 4 3\n$EndElements\n";

    #[test]
    fn version_2_has_tags_in_any_order() {
        let file = read(OLD, &ReadOptions::default()).expect("a surface");
        assert_eq!(file.surface.positions[2], Vec3::y());
        assert_eq!(file.surface.triangles[0], [0, 2, 1]);
        assert_eq!(file.surface.triangles.len(), 3);
        assert!(file.notes[0].ends_with("1 lines, 1 points"));
    }

    #[test]
    fn version_4_1_has_blocks() {
        let file = read(NEW, &ReadOptions::default()).expect("a body");
        assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
        assert!(file.notes.iter().any(|n| n.contains("turned")));
    }

    #[test]
    fn errors_name_the_line() {
        let text = String::from_utf8_lossy(OLD);
        for (from, to, code, place) in [
            (
                "1 7 900000000000 1",
                "1 7 3 1",
                "IndexOutOfRange",
                "line 19",
            ),
            ("2.2 0", "2.2 1", "Unsupported", ""),
            ("2.2 0", "4 0", "Unsupported", ""),
            ("1 1 0 0\n", "7 1 0 0\n", "Syntax", "line 11"),
            ("$Nodes\n4", "$Nodes\n400000", "TooManyClaimed", "line 9"),
            ("$EndElements", "", "Truncated", ""),
            ("$EndPhysicalNames", "", "Truncated", ""),
            ("$Nodes\n4", "$Nodes\n5", "Syntax", "line 14"),
        ] {
            let bad = text.replacen(from, to, 1);
            let error = read(bad.as_bytes(), &ReadOptions::default()).expect_err("bad");
            assert_eq!(error.code(), code, "{error}");
            if error.code() != "Truncated" {
                assert_eq!(error.place().unwrap_or_default(), place, "{error}");
            }
        }
    }
}
