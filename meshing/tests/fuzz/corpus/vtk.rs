//! VTK: the legacy format, VTU and VTP in all their storages.

use pliant_core::asset::bytes::base64;

use super::{Packed, body, points, surface, triangles};

pub fn legacy() -> Vec<Vec<u8>> {
    let (surface, body) = (surface(), body());
    let start = |mode: &str, kind: &str, points: usize| {
        format!(
            "# vtk DataFile Version 3.0\na box\n{mode}\nDATASET {kind}\nPOINTS {points} float\n"
        )
    };
    let mut polygons = start("ASCII", "POLYDATA", surface.positions.len());
    polygons += &points(&surface.positions, "", "");
    let count = surface.triangles.len();
    polygons += &format!(
        "METADATA\nINFORMATION 0\n\nVERTICES 1 2\n1 0\nPOLYGONS {count} {}\n",
        4 * count
    );
    polygons += &triangles(&surface, "3 ", "");
    polygons += "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\nCELL_DATA 1\n";
    let (nodes, tets) = (body.nodes.len(), body.tets.len());
    let mut grid = start("ASCII", "UNSTRUCTURED_GRID", nodes);
    let mut binary = Packed::new(&start("BINARY", "UNSTRUCTURED_GRID", nodes), true);
    grid += &points(&body.nodes, "", "");
    for p in &body.nodes {
        [p.x, p.y, p.z].into_iter().for_each(|x| binary.float(x));
    }
    grid += &format!("CELLS {} {}\nOFFSETS vtktypeint64\n", tets + 1, 4 * tets);
    (0..=tets).for_each(|k| grid += &format!("{} ", 4 * k));
    grid += "\nCONNECTIVITY vtktypeint64\n";
    // a wedge comes last
    binary.text(&format!("\nCELLS {} {}\n", tets + 1, 5 * tets + 7));
    for tet in &body.tets {
        binary.int(4);
        for v in tet {
            grid += &format!("{v} ");
            binary.int(*v);
        }
    }
    grid += &format!("\nCELL_TYPES {tets}\n{}\n", "10 ".repeat(tets));
    for n in [6, 0, 1, 2, 0, 1, 2] {
        binary.int(n);
    }
    binary.text(&format!("\nCELL_TYPES {}\n", tets + 1));
    (0..tets).for_each(|_| binary.int(10));
    binary.int(13);
    vec![polygons.into_bytes(), grid.into_bytes(), binary.bytes]
}

/// How the numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Storage {
    Text,
    Inline,
    AppendedBase64,
    AppendedRaw,
}

/// All but text.
pub const BINARY_STORAGES: [Storage; 3] = [
    Storage::Inline,
    Storage::AppendedBase64,
    Storage::AppendedRaw,
];

pub fn xml() -> Vec<Vec<u8>> {
    let mut files = vec![grid(Storage::Text, false, false)];
    for storage in BINARY_STORAGES {
        files.push(grid(storage, false, false));
        files.push(grid(storage, true, false));
        files.push(grid(storage, true, true));
    }
    files.push(polygons());
    files
}

fn polygons() -> Vec<u8> {
    let surface = surface();
    let points = points(&surface.positions, "", "");
    let corners = triangles(&surface, "", "");
    let count = surface.triangles.len();
    let ends: String = (1..=count).map(|k| format!("{} ", 3 * k)).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\"><PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"1\" NumberOfPolys=\"{count}\" NumberOfStrips=\"1\">\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">{points}</DataArray></Points>\n<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">{corners}</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">{ends}</DataArray></Polys>\n<Strips><DataArray type=\"Int8\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int8\" Name=\"offsets\" format=\"ascii\">4</DataArray></Strips></Piece></PolyData></VTKFile>\n",
        surface.positions.len()
    )
    .into_bytes()
}

/// The tetrahedra. Lengths take 32 bits and whole numbers 64; in big-endian files lengths take 64 and whole numbers 16 or 32.
pub fn grid(storage: Storage, zipped: bool, big_endian: bool) -> Vec<u8> {
    let body = body();
    let count = body.tets.len();
    let points: Vec<f64> = body.nodes.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let corners: Vec<f64> = body.tets.iter().flatten().map(|v| f64::from(*v)).collect();
    let ends: Vec<f64> = (1..=count).map(|k| 4.0 * k as f64).collect();
    let mut appended = Vec::new();
    let mut array = |name: &str, kind: &str, values: &[f64]| {
        let head = format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=");
        if storage == Storage::Text {
            let words: Vec<String> = values.iter().map(f64::to_string).collect();
            return format!("{head}\"ascii\">{}</DataArray>\n", words.join(" "));
        }
        let mut raw = Packed::new("", big_endian);
        for &value in values {
            match kind {
                "Float32" => raw.float(value),
                "Int64" => raw.long(value as u64),
                "Int32" => raw.int(value as u32),
                "Int16" => raw.put((value as u16).to_le_bytes()),
                _ => raw.put([value as u8]),
            }
        }
        let parts = stored(&raw.bytes, zipped, big_endian);
        let bytes = match storage {
            Storage::AppendedRaw => parts.concat(),
            _ => parts
                .iter()
                .map(|p| base64(p))
                .collect::<String>()
                .into_bytes(),
        };
        if storage == Storage::Inline {
            return format!(
                "{head}\"binary\">{}</DataArray>\n",
                String::from_utf8_lossy(&bytes)
            );
        }
        let text = format!("{head}\"appended\" offset=\"{}\"/>\n", appended.len());
        appended.extend(bytes);
        text
    };
    let compressor = if zipped {
        " compressor=\"vtkZLibDataCompressor\""
    } else {
        ""
    };
    let order = if big_endian {
        "byte_order=\"BigEndian\" header_type=\"UInt64\""
    } else {
        "byte_order=\"LittleEndian\""
    };
    let mut text =
        format!("<VTKFile type=\"UnstructuredGrid\" {order}{compressor}><UnstructuredGrid>\n");
    text += &format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{count}\">\n<Points>",
        body.nodes.len()
    );
    text += &array("Points", "Float32", &points);
    text += "</Points><Cells>";
    let [of_corners, of_ends] = match big_endian {
        true => ["Int32", "Int16"],
        false => ["Int64", "Int64"],
    };
    text += &array("connectivity", of_corners, &corners);
    text += &array("offsets", of_ends, &ends);
    text += &array("types", "UInt8", &vec![10.0; count]);
    text += "</Cells></Piece></UnstructuredGrid>\n";
    let encoding = match storage {
        Storage::AppendedRaw => "raw",
        _ => "base64",
    };
    let mut bytes = text.into_bytes();
    if !appended.is_empty() {
        bytes.extend(format!("<AppendedData encoding=\"{encoding}\">_").into_bytes());
        bytes.extend(appended);
        bytes.extend(b"</AppendedData>");
    }
    bytes.extend(b"</VTKFile>\n");
    bytes
}

/// Lengths and bytes as they go into one piece of base64 each, in blocks of 64 bytes where compressed.
fn stored(raw: &[u8], zipped: bool, big_endian: bool) -> Vec<Vec<u8>> {
    let mut head = Packed::new("", big_endian);
    let mut put = |length: usize| match big_endian {
        true => head.long(length as u64),
        false => head.int(length as u32),
    };
    if !zipped {
        put(raw.len());
        return vec![[head.bytes, raw.to_vec()].concat()];
    }
    let blocks: Vec<Vec<u8>> = raw
        .chunks(64)
        .map(|b| miniz_oxide::deflate::compress_to_vec_zlib(b, 6))
        .collect();
    let lengths = [blocks.len(), 64, raw.len() % 64]
        .into_iter()
        .chain(blocks.iter().map(Vec::len));
    lengths.for_each(put);
    vec![head.bytes, blocks.concat()]
}
