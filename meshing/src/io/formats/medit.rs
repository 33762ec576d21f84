//! Medit `.mesh` as text, as Mmg, FreeFem and INRIA's tools write it (Frey 2001, "MEDIT: an interactive mesh visualization software").

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::encoding::text::{number, quoted};
use crate::io::encoding::tokens::Tokens;
use crate::io::error::ReadError;
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Sections of cells: name, nodes of each, what they are.
const SECTIONS: [(&str, usize, Shape); 8] = [
    ("Triangles", 3, Shape::Polygon),
    ("Quadrilaterals", 4, Shape::Polygon),
    ("Tetrahedra", 4, Shape::Tet),
    ("TrianglesP2", 6, Shape::CurvedPolygon(3)),
    ("TetrahedraP2", 10, Shape::CurvedTet),
    ("Hexahedra", 8, Shape::Other("hexahedra")),
    ("Prisms", 6, Shape::Other("wedges")),
    ("Pyramids", 5, Shape::Other("pyramids")),
];

/// Medit as text.
pub(crate) static FORMAT: Format = Format {
    name: "Medit",
    matches: |head| {
        head.keyword() == b"MeshVersionFormatted" || head.start.starts_with(b"MeshVersionFormatted")
    },
    read: |bytes, _, options| read(bytes, options),
};

/// Reads vertices, triangles, quadrilaterals and tetrahedra; every other section is passed over.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut cells = Cells::new(true, 1, options);
    let mut tokens = Tokens::new(bytes, true);
    tokens.keyword("MeshVersionFormatted")?;
    tokens.integer("a version")?;
    let mut ended = false;
    while let Some(section) = tokens.word() {
        let is = |name: &str| section.eq_ignore_ascii_case(name.as_bytes());
        if is("Dimension") {
            tokens.dimension()?;
        } else if is("Vertices") {
            vertices(&mut tokens, &mut cells)?;
        } else if let Some(&(name, nodes, shape)) = SECTIONS.iter().find(|s| is(s.0)) {
            let mut corners = Vec::new();
            for _ in 0..tokens.count(name)? {
                corners.clear();
                for _ in 0..nodes {
                    let number = tokens.integer("a vertex number")?;
                    corners.push(cells.node(number.saturating_sub(1), tokens.line())?);
                }
                let line = tokens.line();
                tokens.integer("a reference number")?;
                cells.cell(shape, &corners, line)?;
            }
        } else if is("End") {
            ended = true;
            break;
        } else if section.first().is_some_and(u8::is_ascii_alphabetic) {
            // edges, corners, required entities, normals: numbers only
            while tokens.peek().and_then(number).is_some() {
                tokens.word();
            }
        } else {
            let what = format!("{} where a section should begin", quoted(section));
            return Err(ReadError::syntax(tokens.place(), what));
        }
    }
    if !ended {
        let note = "there is no `End` at the end of the file";
        cells.surface.notes.push(note.into());
    }
    cells.finish(MeshFormat::Medit)
}

fn vertices(tokens: &mut Tokens<'_>, cells: &mut Cells) -> Result<(), ReadError> {
    for _ in 0..tokens.count("vertices")? {
        let position = tokens.position()?;
        cells.surface.vertex(position, tokens.line())?;
        tokens.number("a reference number")?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::io::testing::assert_refused;

    pub const TETS: &[u8] = b"MeshVersionFormatted 2\n# by hand\nDimension\n3\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n9 9 9 0\nEdges 1\n1 2 7\nTriangles\n1\n1 2 3 0\nTetrahedra 1\n1 2 4 3 1\nEnd\n";

    #[test]
    fn tetrahedra_and_triangles() {
        let file = read(TETS, &ReadOptions::default()).expect("a body");
        assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
        let surface = b"MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 Quadrilaterals 1 1 2 3 4 0 End";
        let file = read(surface, &ReadOptions::default()).expect("a square");
        assert_eq!(file.surface.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(file.tets, None);
    }

    #[test]
    fn errors_name_the_line() {
        let text = String::from_utf8_lossy(TETS);
        #[rustfmt::skip]
        let rows = [
            ("1 2 4 3 1", "1 2 4 6 1", "IndexOutOfRange", "line 17", ""),
            ("0 1 0 1", "0 x 0 1", "Syntax", "line 8", ""),
            ("\n3\n", "\n2\n", "Syntax", "line 4", ""),
            ("Vertices 5", "Vertices 50000", "TooManyClaimed", "line 5", ""),
            ("Tetrahedra 1", "Tetrahedra 2", "Syntax", "line 18", ""),
        ];
        assert_refused(&text, &rows);
    }
}
