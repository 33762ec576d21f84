use pliant_core::asset::bytes::base64;

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
    assert_refused(&text, read, &rows);
    let raw = raw_polydata();
    let shown = String::from_utf8_lossy(&raw);
    let zipped = shown.replace("byte_order", "compressor=\"vtkLZMA\" byte_order");
    let error = read(zipped.as_bytes()).expect_err("compressed");
    assert_eq!(error.code(), "Unsupported");
    assert!(error.to_string().contains("vtkLZMA"), "{error}");
    let error = read(&raw[..raw.len() - 40]).expect_err("cut");
    assert_eq!(error.code(), "Truncated");
}

/// How an array is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Storage {
    Inline,
    AppendedBase64,
    AppendedRaw,
}

/// A tetrahedron whose arrays are compressed in blocks of 16 bytes, big-endian with lengths of 64 bits.
fn zipped(storage: Storage) -> Vec<u8> {
    let floats = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1_u8].map(|x| f32::from(x).to_be_bytes());
    let arrays = [
        ("Points", "Float32", "", floats.concat()),
        (
            "Cells",
            "Int32",
            "connectivity",
            [0, 1, 2, 3_i32].map(i32::to_be_bytes).concat(),
        ),
        ("", "Int16", "offsets", 4_i16.to_be_bytes().to_vec()),
        ("", "UInt8", "types", vec![10]),
    ];
    let mut text = "<VTKFile type='UnstructuredGrid' byte_order='BigEndian' header_type='UInt64' compressor='vtkZLibDataCompressor'><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='1'>".to_string();
    let mut appended = Vec::new();
    for (section, kind, name, raw) in arrays {
        let blocks: Vec<Vec<u8>> = raw
            .chunks(16)
            .map(|block| miniz_oxide::deflate::compress_to_vec_zlib(block, 6))
            .collect();
        let mut head = vec![blocks.len() as u64, 16, raw.len() as u64 % 16];
        head.extend(blocks.iter().map(|b| b.len() as u64));
        let head: Vec<u8> = head.into_iter().flat_map(u64::to_be_bytes).collect();
        let stored = if storage == Storage::AppendedRaw {
            [head, blocks.concat()].concat()
        } else {
            (base64(&head) + &base64(&blocks.concat())).into_bytes()
        };
        if !section.is_empty() {
            text += &format!("<{section}>");
        }
        text += &format!("<DataArray type='{kind}' Name='{name}' format=");
        if storage == Storage::Inline {
            let stored = String::from_utf8(stored).expect("base64");
            text += &format!("'binary'>\n {stored}\n</DataArray>");
        } else {
            text += &format!("'appended' offset='{}'/>", appended.len());
            appended.extend(stored);
        }
        if section == "Points" || name == "types" {
            text += if section == "Points" {
                "</Points>"
            } else {
                "</Cells>"
            };
        }
    }
    text += "</Piece></UnstructuredGrid>";
    let mut bytes = text.into_bytes();
    if storage != Storage::Inline {
        let encoding = if storage == Storage::AppendedRaw {
            "raw"
        } else {
            "base64"
        };
        bytes.extend(format!("<AppendedData encoding='{encoding}'>\n_").into_bytes());
        bytes.extend(appended);
        bytes.extend(b"</AppendedData>");
    }
    bytes.extend(b"</VTKFile>");
    bytes
}

#[test]
fn compressed_arrays_in_every_place() {
    for storage in [
        Storage::Inline,
        Storage::AppendedBase64,
        Storage::AppendedRaw,
    ] {
        let bytes = zipped(storage);
        let file = read(&bytes, &ReadOptions::default()).expect("a body");
        assert_eq!(
            file.tets.map(|t| t.volume()),
            Some(1.0 / 6.0),
            "{storage:?}"
        );
        let start = bytes
            .windows(6)
            .position(|w| w == b"</Unst")
            .expect("there");
        for at in start..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] = bad[at].wrapping_add(1);
            let _ = read(&bad, &ReadOptions::default());
            let _ = read(&bytes[..at], &ReadOptions::default());
        }
    }
}

#[test]
fn a_small_file_cannot_unpack_without_end() {
    let good = zipped(Storage::AppendedRaw);
    let start = good.windows(2).position(|w| w == b"\n_").expect("there") + 2;
    // blocks of 2^40 bytes, and so many blocks
    for at in [start + 8, start] {
        let mut bad = good.clone();
        bad[at + 2] = 1;
        let error = read(&bad, &ReadOptions::default()).expect_err("too large");
        let expected = if at == start {
            "Truncated"
        } else {
            "TooManyClaimed"
        };
        assert_eq!(error.code(), expected, "{error}");
    }
}
