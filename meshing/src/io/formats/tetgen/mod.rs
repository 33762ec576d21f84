//! TetGen's `.node`, `.ele` and `.face` files (Si 2015, "TetGen, a Delaunay-based quality tetrahedral mesh generator").

use std::path::PathBuf;

use pliant_core::math::Vec3;

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::companion_files::{CompanionFiles, Sibling};
use crate::io::encoding::text::{Lines, integer, number, words};
use crate::io::encoding::tokens::Tokens;
use crate::io::error::ReadError;
use crate::io::formats::format::Format;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// All three files.
pub(crate) static FORMAT: Format = Format {
    name: "TetGen",
    matches: |head| head.is_text && part(head.bytes).is_some(),
    read: |bytes, companions, options| {
        let given = part(bytes).unwrap_or(Part::Node);
        read(bytes, given, companions, options)
    },
};

/// The three files, distinguished by their first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Node,
    Ele,
    Face,
}

/// Which of the three files begins like this: a line of two to four whole numbers, then rows numbered from 0 or 1.
pub(crate) fn part(bytes: &[u8]) -> Option<Part> {
    let mut lines = Lines::new(bytes);
    let header: Option<Vec<i64>> = words(lines.next_meaningful()?.bytes).map(integer).collect();
    let header = header.filter(|h| h.iter().all(|&n| n >= 0))?;
    let (part, row) = match header.as_slice() {
        [_, 2 | 3] | [_, 2 | 3, _] | [_, 2 | 3, _, 0 | 1] => (Part::Node, 4),
        [_, 4 | 10] | [_, 4 | 10, _] => (Part::Ele, 5),
        [_, 0 | 1] => (Part::Face, 4),
        _ => return None,
    };
    let Some(first) = lines.next_meaningful() else {
        return Some(part);
    };
    let first: Vec<&[u8]> = words(first.bytes).collect();
    // a row of two-dimensional nodes has one number less
    let row = if header.get(1) == Some(&2) { 3 } else { row };
    let numbered = matches!(first.first(), Some(&(b"0" | b"1")));
    let numeric = first.iter().all(|w| number(w).is_some());
    // a row of a cut file may be short
    (numbered && numeric && (first.len() >= row || lines.at_end())).then_some(part)
}

/// Reads the given file together with the two others next to it: tetrahedra where there is an `.ele` file, else the faces.
pub(crate) fn read(
    bytes: &[u8],
    given: Part,
    companions: CompanionFiles<'_>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let find = |part: Part, extension: &str| {
        if part == given {
            Ok(None)
        } else {
            companions.sibling(extension)
        }
    };
    let node = find(Part::Node, "node")?;
    let ele = find(Part::Ele, "ele")?;
    let face = find(Part::Face, "face")?;
    let mut cells = Cells::new(true, 0, options);
    if given == Part::Node {
        nodes(bytes, &mut cells)?;
    } else if let Some(Sibling { name, bytes }) = &node {
        nodes(bytes, &mut cells).map_err(|e| e.in_companion(name))?;
    } else {
        let path = companions.path.map(|p| p.with_extension("node"));
        let path = path.unwrap_or_else(|| PathBuf::from("a .node file"));
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        return Err(ReadError::FileNotFound { path }.in_companion(&name));
    }
    let (part, file) = match (&ele, &face) {
        _ if given == Part::Ele => (Part::Ele, None),
        (Some(ele), _) => (Part::Ele, Some(ele)),
        _ if given == Part::Face => (Part::Face, None),
        (None, Some(face)) => (Part::Face, Some(face)),
        (None, None) => {
            let points = cells.surface.vertex_count();
            let found =
                format!("{points} points, and neither an .ele nor a .face file is beside it");
            return Err(ReadError::NoTriangles { found });
        }
    };
    let rows = file.map_or(bytes, |f| &f.bytes);
    let result = match part {
        Part::Ele => tetrahedra(rows, &mut cells),
        _ => faces(rows, &mut cells),
    };
    result
        .and_then(|()| cells.finish(MeshFormat::TetGen))
        .map_err(|e| file.map_or(e.clone(), |f| e.in_companion(&f.name)))
}

/// The extension of a file and its error.
pub(crate) type FileError = (&'static str, ReadError);

/// The nodes of a `.node` file, and the tetrahedra of an `.ele` file as they stand there.
pub(crate) fn nodes_and_tetrahedra(
    node: &[u8],
    ele: &[u8],
) -> Result<(Vec<Vec3>, Vec<[u32; 4]>), FileError> {
    let mut cells = Cells::new(true, 0, &ReadOptions::default());
    nodes(node, &mut cells).map_err(|e| ("node", e))?;
    let tets = tetrahedra(ele, &mut cells).and_then(|()| cells.take_tets());
    tets.map_err(|e| ("ele", e))
}

/// Checks the number that begins a row: rows count from 0 or 1 without gaps.
fn row(tokens: &mut Tokens<'_>, k: usize, first: &mut Option<i64>) -> Result<(), ReadError> {
    let found = tokens.integer("the number of a row")?;
    let expected = first.get_or_insert(found).saturating_add(k as i64);
    if found == expected && (0..=1).contains(&first.unwrap_or(0)) {
        return Ok(());
    }
    let what = format!("row number {found} where the rows should count on");
    Err(ReadError::syntax(tokens.place(), what))
}

fn nodes(bytes: &[u8], cells: &mut Cells) -> Result<(), ReadError> {
    let mut tokens = Tokens::new(bytes, true);
    let count = tokens.count("nodes")?;
    tokens.dimension()?;
    tokens.end_line();
    let mut first = None;
    for k in 0..count {
        row(&mut tokens, k, &mut first)?;
        let position = tokens.position()?;
        cells.surface.vertex(position, tokens.line())?;
        tokens.end_line();
    }
    cells.surface.first_index = u32::from(first == Some(1));
    Ok(())
}

fn tetrahedra(bytes: &[u8], cells: &mut Cells) -> Result<(), ReadError> {
    let mut tokens = Tokens::new(bytes, true);
    let count = tokens.count("tetrahedra")?;
    let shape = match tokens.integer("the number of nodes of a tetrahedron")? {
        4 => Shape::Tet,
        10 => Shape::CurvedTet,
        other => {
            let what = format!("{other} nodes a tetrahedron");
            return Err(ReadError::syntax(tokens.place(), what));
        }
    };
    tokens.end_line();
    rows::<4>(&mut tokens, count, shape, cells)
}

fn faces(bytes: &[u8], cells: &mut Cells) -> Result<(), ReadError> {
    let mut tokens = Tokens::new(bytes, true);
    let count = tokens.count("faces")?;
    tokens.end_line();
    rows::<3>(&mut tokens, count, Shape::Polygon, cells)
}

fn rows<const N: usize>(
    tokens: &mut Tokens<'_>,
    count: usize,
    shape: Shape,
    cells: &mut Cells,
) -> Result<(), ReadError> {
    let base = i64::from(cells.surface.first_index);
    let mut first = None;
    for k in 0..count {
        row(tokens, k, &mut first)?;
        let mut corners = [0; N];
        for corner in &mut corners {
            let number = tokens.integer("a node number")?;
            *corner = cells.node(number.saturating_sub(base), tokens.line())?;
        }
        cells.cell(shape, &corners, tokens.line())?;
        tokens.end_line();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
