//! Gmsh MSH as text and binary, versions 2, 4.0 and 4.1 (Geuzaine and Remacle 2009; Gmsh reference manual, chapter "Gmsh file formats").

mod source;
mod tags;
#[cfg(test)]
pub(crate) mod tests;

use pliant_core::math::Vec3;
use source::Source;
use tags::Tags;

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::encoding::text::quoted;
use crate::io::error::ReadError;
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

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

/// Versions that differ in how nodes and elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Two,
    Four,
    FourOne,
}

/// MSH 2 and 4.
pub(crate) static FORMAT: Format = Format {
    name: "Gmsh",
    matches: |head| head.start.starts_with(b"$MeshFormat"),
    read: |bytes, _, options| read(bytes, options),
};

/// Reads nodes and elements; sections of other names are passed over.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut source = Source::new(bytes);
    source.tokens.keyword("$MeshFormat")?;
    let version = version(&mut source)?;
    let mut file = Gmsh {
        cells: Cells::new(!source.is_binary(), 0, options),
        source,
        tags: Tags::default(),
        corners: Vec::new(),
    };
    while let Some(section) = file.source.tokens.word() {
        match (section, version) {
            (b"$Nodes", Version::Two) => file.old_nodes()?,
            (b"$Nodes", _) => file.nodes(version)?,
            (b"$Elements", Version::Two) => file.old_elements()?,
            (b"$Elements", _) => file.elements(version)?,
            ([b'$', name @ ..], _) => file.source.skip(name)?,
            _ => {
                let what = format!("{} where a section should begin", quoted(section));
                return Err(ReadError::syntax(file.source.place(), what));
            }
        }
    }
    file.cells.finish(if file.source.is_binary() {
        MeshFormat::GmshBinary
    } else {
        MeshFormat::Gmsh
    })
}

/// The rest of the section of that name: version, mode and, in binary files, the byte order.
fn version(source: &mut Source<'_>) -> Result<Version, ReadError> {
    let number = source.tokens.number("a version")?;
    let version = if (2.0..3.0).contains(&number) {
        Version::Two
    } else if number == 4.0 {
        Version::Four
    } else if number == 4.1 {
        Version::FourOne
    } else {
        return Err(ReadError::unsupported(
            format!("version {number} of the Gmsh format"),
            "save it in version 4.1 (in Gmsh: Mesh.MshFileVersion = 4.1)",
        ));
    };
    let is_binary = source.tokens.integer("0 or 1 for text or binary")? != 0;
    let size = source.tokens.integer("the size of a number")?;
    if is_binary {
        source.start_binary(size)?;
    }
    source.tokens.keyword("$EndMeshFormat")?;
    Ok(version)
}

struct Gmsh<'a> {
    source: Source<'a>,
    cells: Cells,
    tags: Tags,
    corners: Vec<u32>,
}

impl Gmsh<'_> {
    fn old_nodes(&mut self) -> Result<(), ReadError> {
        let count = self.source.tokens.count("nodes")?;
        self.source.start_numbers();
        self.reserve(count);
        for _ in 0..count {
            let tag = self.source.int("the tag of a node")?;
            self.node(tag, 0)?;
        }
        self.source.tokens.keyword("$EndNodes")
    }

    fn nodes(&mut self, version: Version) -> Result<(), ReadError> {
        let [blocks, count] = self.blocks(version, "nodes")?;
        self.reserve(count);
        let mut tags = Vec::new();
        for _ in 0..blocks {
            let [dimension, parametric] = self.block(version)?;
            let parameters = if parametric == 0 {
                0
            } else {
                dimension.clamp(0, 3)
            };
            let count = self.source.count("nodes of a block")?;
            if version == Version::Four {
                for _ in 0..count {
                    let tag = self.source.int("the tag of a node")?;
                    self.node(tag, parameters)?;
                }
                continue;
            }
            tags.clear();
            for _ in 0..count {
                tags.push(self.source.long("the tag of a node")?);
            }
            for &tag in &tags {
                self.node(tag, parameters)?;
            }
        }
        self.source.tokens.keyword("$EndNodes")
    }

    /// The start of a section: how many blocks, and how many of something in all.
    fn blocks(&mut self, version: Version, what: &str) -> Result<[usize; 2], ReadError> {
        self.source.start_numbers();
        let blocks = self.source.count(&format!("blocks of {what}"))?;
        let count = self.source.count(what)?;
        if version == Version::FourOne {
            self.source.long("the least tag")?;
            self.source.long("the largest tag")?;
        }
        self.source.finish_line();
        Ok([blocks, count])
    }

    /// Dimension of a block's entity and the number behind it; version 4.0 has the tag first.
    fn block(&mut self, version: Version) -> Result<[i64; 2], ReadError> {
        let first = self.source.int("the dimension of a block")?;
        let second = self.source.int("the tag of a block")?;
        let third = self.source.int("the kind of a block")?;
        let dimension = if version == Version::Four {
            second
        } else {
            first
        };
        Ok([dimension, third])
    }

    fn node(&mut self, tag: i64, parameters: i64) -> Result<(), ReadError> {
        let mut coordinate = || self.source.number("a coordinate");
        let position = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        if !self.tags.add(tag) {
            let what = format!("a second node with the tag {tag}");
            return Err(ReadError::syntax(self.source.place(), what));
        }
        self.cells.surface.vertex(position, self.source.at())?;
        for _ in 0..parameters {
            self.source.number("a parameter")?;
        }
        Ok(())
    }

    /// Reserves memory for nodes, as far as the rest of the file can hold them.
    fn reserve(&mut self, nodes: usize) {
        let shortest = if self.source.is_binary() { 28 } else { 8 };
        let max_count = self.source.tokens.rest().len() / shortest + 1;
        self.cells.surface.reserve(nodes.min(max_count), 0);
    }

    fn old_elements(&mut self) -> Result<(), ReadError> {
        let count = self.source.tokens.count("elements")?;
        self.source.start_numbers();
        let mut remaining = count;
        while remaining > 0 {
            if !self.source.is_binary() {
                self.source.int("the tag of an element")?;
            }
            let kind = self.source.int("the type of an element")?;
            // binary files name what a group has in common
            let group = if self.source.is_binary() {
                self.source.int("the length of a group")?
            } else {
                1
            };
            let Some(group) = usize::try_from(group)
                .ok()
                .filter(|g| (1..=remaining).contains(g))
            else {
                let what = format!("a group of {group} elements where {remaining} are left");
                return Err(ReadError::syntax(self.source.place(), what));
            };
            let tags = self.source.int("the number of tags of an element")?;
            for _ in 0..group {
                if self.source.is_binary() {
                    self.source.int("the tag of an element")?;
                }
                for _ in 0..tags {
                    self.source.int("a tag of an element")?;
                }
                self.element(kind, false)?;
            }
            remaining -= group;
        }
        self.source.tokens.keyword("$EndElements")
    }

    fn elements(&mut self, version: Version) -> Result<(), ReadError> {
        let [blocks, _] = self.blocks(version, "elements")?;
        let wide = version == Version::FourOne;
        for _ in 0..blocks {
            let [_, kind] = self.block(version)?;
            for _ in 0..self.source.count("elements of a block")? {
                self.source.tag(wide, "the tag of an element")?;
                self.element(kind, wide)?;
            }
        }
        self.source.tokens.keyword("$EndElements")
    }

    /// The nodes of one element; their tags are numbers of eight bytes if `wide`, in binary files.
    fn element(&mut self, kind: i64, wide: bool) -> Result<(), ReadError> {
        let Some((nodes, shape)) = element(kind) else {
            if self.source.is_binary() {
                // its length is not known
                let what = format!("elements of Gmsh type {kind}");
                let remedy =
                    "save it as text (in Gmsh: Mesh.Binary = 0), or without these elements";
                return Err(ReadError::unsupported(what, remedy));
            }
            self.cells.skip(&format!("elements of Gmsh type {kind}"), 1);
            self.source.finish_line();
            return Ok(());
        };
        self.corners.clear();
        for _ in 0..nodes {
            let tag = self.source.tag(wide, "the tag of a node")?;
            let Some(vertex) = self.tags.vertex(tag) else {
                return Err(ReadError::IndexOutOfRange {
                    place: self.source.place(),
                    index: tag,
                    vertices: self.cells.surface.vertex_count(),
                });
            };
            self.corners.push(vertex);
        }
        self.cells.cell(shape, &self.corners, self.source.at())
    }
}
