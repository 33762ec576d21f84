//! Writers: OBJ for surfaces, VTU for tetrahedra and voxels.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use pliant_core::asset::bytes::{base64, write_whole};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh, VoxelGrid, VoxelParticles};

const VTK_TETRA: u8 = 10;
const VTK_HEXAHEDRON: u8 = 12;

/// Writes a surface as Wavefront OBJ. Reading it again gives the same bits, in the same order.
///
/// The file appears under its name only when it is complete.
///
/// # Errors
/// Those of the file system.
pub fn write_obj(path: &Path, surface: &SurfaceMesh) -> io::Result<()> {
    write_whole(path, |out| {
        let (v, f) = (surface.positions.len(), surface.triangles.len());
        writeln!(out, "# {v} vertices, {f} triangles")?;
        for p in &surface.positions {
            writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
        }
        for [a, b, c] in &surface.triangles {
            writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1)?;
        }
        Ok(())
    })
}

/// Writes tetrahedra as a VTK unstructured grid (VTU, base64 data), for ParaView and meshio.
///
/// The file appears under its name only when it is complete.
///
/// # Errors
/// Those of the file system.
pub fn write_vtu_tets(path: &Path, mesh: &TetMesh) -> io::Result<()> {
    let cells: Vec<i64> = mesh.tets.iter().flatten().map(|&v| i64::from(v)).collect();
    write_vtu(path, &mesh.nodes, &cells, 4, VTK_TETRA, &[])
}

/// Writes the cell copies of a grid as hexahedra (VTU, base64 data) over its `particles`, so that cells that are parted share no points. The cell
/// data `copy` is the number of the copy, `component` the entry of `component` (one a cell copy).
///
/// The file appears under its name only when it is complete.
///
/// # Errors
/// Those of the file system.
pub fn write_vtu_voxels(
    path: &Path,
    grid: &VoxelGrid,
    particles: &VoxelParticles,
    component: &[u32],
) -> io::Result<()> {
    // around the lower face, then around the upper one
    const ORDER: [usize; 8] = [0, 1, 3, 2, 4, 5, 7, 6];
    let points: Vec<Vec3> = particles
        .sites()
        .map(|at| grid.origin + Vec3::from(at.map(|x| x as f64)) * grid.cell)
        .collect();
    let cells: Vec<i64> = grid
        .cell_copies()
        .flat_map(|(at, copy)| ORDER.map(|b| i64::from(particles.of_corner(at, &copy, b))))
        .collect();
    let copy: Vec<i32> = grid.cell_copies().map(|(_, c)| i32::from(c.copy)).collect();
    let component: Vec<i32> = component.iter().map(|&c| c as i32).collect();
    let data = [("copy", copy), ("component", component)];
    write_vtu(path, &points, &cells, 8, VTK_HEXAHEDRON, &data)
}

/// `data` are named numbers, one a cell each.
fn write_vtu(
    path: &Path,
    points: &[Vec3],
    cells: &[i64],
    corners: usize,
    kind: u8,
    data: &[(&str, Vec<i32>)],
) -> io::Result<()> {
    let count = cells.len() / corners;
    write_whole(path, |out| {
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(
            out,
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
        )?;
        writeln!(out, "<UnstructuredGrid>")?;
        writeln!(
            out,
            "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{count}\">",
            points.len()
        )?;
        writeln!(out, "<Points>")?;
        let coordinates = points.iter().flat_map(|p| [p.x, p.y, p.z]);
        let bytes: Vec<u8> = coordinates.flat_map(f64::to_le_bytes).collect();
        array(out, "Points", "Float64", 3, &bytes)?;
        writeln!(out, "</Points>\n<Cells>")?;
        let bytes: Vec<u8> = cells.iter().flat_map(|v| v.to_le_bytes()).collect();
        array(out, "connectivity", "Int64", 1, &bytes)?;
        let offsets = (1..=count).map(|k| (k * corners) as i64);
        let bytes: Vec<u8> = offsets.flat_map(i64::to_le_bytes).collect();
        array(out, "offsets", "Int64", 1, &bytes)?;
        array(out, "types", "UInt8", 1, &vec![kind; count])?;
        writeln!(out, "</Cells>")?;
        if !data.is_empty() {
            writeln!(out, "<CellData>")?;
            for (name, values) in data {
                let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                array(out, name, "Int32", 1, &bytes)?;
            }
            writeln!(out, "</CellData>")?;
        }
        writeln!(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>")
    })
}

/// One array: its length in bytes and its bytes, together in base64.
fn array(
    out: &mut dyn Write,
    name: &str,
    kind: &str,
    components: usize,
    bytes: &[u8],
) -> io::Result<()> {
    let mut data = (bytes.len() as u64).to_le_bytes().to_vec();
    data.extend_from_slice(bytes);
    let mut head = String::new();
    // writing into a string cannot fail
    let _ = write!(head, "<DataArray type=\"{kind}\" Name=\"{name}\"");
    if components > 1 {
        let _ = write!(head, " NumberOfComponents=\"{components}\"");
    }
    writeln!(out, "{head} format=\"binary\">")?;
    out.write_all(base64(&data).as_bytes())?;
    writeln!(out, "\n</DataArray>")
}
