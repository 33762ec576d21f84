use super::*;
use crate::io::testing::assert_refused;

pub const TEXT: &[u8] = b"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">\n<PointData><DataArray type=\"Odd\" format=\"ascii\">9</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1<InformationKey name=\"a\">1</InformationKey></DataArray></Points>\n<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 0 1</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4 6</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 3</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n";

/// Two pieces of a triangle each that share their arrays.
pub fn raw_polydata() -> Vec<u8> {
    shared(2, 3)
}

/// Pieces that share their arrays (a triangle of the first three points), in raw appended data, lengths in 32 bits, big-endian.
fn shared(pieces: usize, points: usize) -> Vec<u8> {
    let mut bytes = b"<VTKFile type=\"PolyData\" byte_order=\"BigEndian\"><PolyData>".to_vec();
    let at = 4 + 12 * points;
    let piece = format!(
        "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"0\" NumberOfLines=\"2\"><Points><DataArray type=\"Float32\" format=\"appended\" offset=\"0\"/></Points><Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" offset=\"{at}\"/><DataArray type=\"Int32\" Name=\"offsets\" format=\"appended\" offset=\"{}\"/></Polys></Piece>",
        at + 16
    );
    bytes.extend(piece.repeat(pieces).into_bytes());
    bytes.extend(b"</PolyData><AppendedData encoding=\"raw\">\n _");
    bytes.extend((12 * points as u32).to_be_bytes());
    for k in 0..points {
        for x in [k % 3 == 1, k % 3 == 2, false] {
            bytes.extend(f32::from(u8::from(x)).to_be_bytes());
        }
    }
    for array in [[0, 1, 2_u32].as_slice(), &[3]] {
        bytes.extend((array.len() as u32 * 4).to_be_bytes());
        bytes.extend(array.iter().flat_map(|n| n.to_be_bytes()));
    }
    bytes.extend(b"</AppendedData></VTKFile>");
    bytes
}

#[test]
fn arrays_that_are_shared_without_end_are_refused() {
    let read = |pieces| read(&shared(pieces, 1000), &ReadOptions::default());
    assert_eq!(read(1).expect("one").surface.positions.len(), 1000);
    assert_eq!(read(100).expect_err("many").code(), "TooManyClaimed");
}

#[test]
fn text_with_keys_inside_arrays() {
    let file = read(TEXT, &ReadOptions::default()).expect("a body");
    assert_eq!(file.format, MeshFormat::Vtu);
    assert_eq!(file.tets.map(|t| t.volume()), Some(1.0 / 6.0));
}

#[test]
fn raw_appended_data_of_two_pieces() {
    let file = read(&raw_polydata(), &ReadOptions::default()).expect("a surface");
    assert_eq!(file.format, MeshFormat::Vtp);
    assert_eq!(file.surface.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(file.surface.positions[4], Vec3::x());
    assert!(file.notes[0].ends_with("4 lines"), "{:?}", file.notes);
}

#[test]
fn errors_name_the_byte() {
    let text = String::from_utf8_lossy(TEXT);
    #[rustfmt::skip]
    let rows = [
        ("\"UnstructuredGrid\"", "\"ImageData\"", "Unsupported", "", ""),
        ("0 1 2 3 0 1<", "0 1 2 4 0 1<", "IndexOutOfRange", "byte", ""),
        (">4 6<", ">6 4<", "Syntax", "byte", ""),
        (">4 6<", ">4<", "Syntax", "byte", ""),
        ("0 0 1<", "0 0 nan<", "NonFinite", "byte", ""),
        ("0 0 1<", "0 0<", "Syntax", "byte", ""),
        ("</VTKFile>", "", "Truncated", "byte", ""),
    ];
    let read = |bytes: &[u8]| read(bytes, &ReadOptions::default());
    assert_refused(&text, &rows);
    let raw = raw_polydata();
    let shown = String::from_utf8_lossy(&raw);
    let zipped = shown.replace("byte_order", "compressor=\"vtkLZMA\" byte_order");
    let error = read(zipped.as_bytes()).expect_err("compressed");
    assert_eq!(error.code(), "Unsupported");
    assert!(error.to_string().contains("vtkLZMA"), "{error}");
    let error = read(&raw[..raw.len() - 40]).expect_err("cut");
    assert_eq!(error.code(), "Truncated");
}
