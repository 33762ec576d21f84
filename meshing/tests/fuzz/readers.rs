//! The readers under test: valid files, tokens of the format, and how a file is read.

use std::fs;
use std::path::PathBuf;

use pliant_meshing::io::{MeshFile, ReadError, ReadOptions, read_mesh, read_mesh_bytes_with};

use super::corpus;

/// One reader.
pub struct Reader {
    pub name: &'static str,
    /// Valid files, generated.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Tokens of the format.
    pub tokens: &'static [&'static [u8]],
}

/// All readers.
pub const READERS: [Reader; 11] = [
    Reader {
        name: "obj",
        seeds: corpus::text::obj,
        tokens: &[b"v", b"f", b"l", b"vn", b"f 1 2 3\n", b"f -1 -2 -3\n", b"\\\n", b"/", b"#", b"surf", b"v 1e999 0 0\n"],
    },
    Reader {
        name: "stl",
        seeds: corpus::binary::stl,
        tokens: &[b"solid", b"facet", b"endfacet", b"vertex", b"outer loop", b"endloop", b"endsolid", b"vertex 0 0 0\n"],
    },
    Reader {
        name: "ply",
        seeds: corpus::binary::ply,
        tokens: &[
            b"element vertex 4\n", b"element face 2\n", b"property float x\n", b"property list uchar int vertex_indices\n",
            b"property list float double vertex_index\n", b"end_header\n", b"format ascii 1.0\n", b"format binary_big_endian 1.0\n",
            b"ply", b"uint", b"double", b"char",
        ],
    },
    Reader {
        name: "off",
        seeds: corpus::text::off,
        tokens: &[b"OFF", b"COFF", b"4OFF", b"BINARY", b"3 0 1 2\n", b"#", b"6 0 1 2 0 1 2\n"],
    },
    Reader {
        name: "gltf",
        seeds: corpus::gltf::all,
        tokens: &[
            b"\"bufferView\":0", b"\"byteStride\":1", b"\"byteOffset\":4", b"\"componentType\":5121", b"\"count\":", b"[", b"]", b"{", b"}",
            b"\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":0}},", b"\"mode\":5,",
            b"\"children\":[0],", b"\"normalized\":true,", b"\"uri\":\"data:,\"", b"\"uri\":\"a.bin\"", b"\\u0000", b"\"matrix\":[0],", b"null",
            b"\"KHR_draco_mesh_compression\"", b"\"extensions\":{\"EXT_meshopt_compression\":{}},",
        ],
    },
    Reader {
        name: "gmsh",
        seeds: corpus::gmsh::all,
        tokens: &[b"$Nodes\n", b"$EndNodes\n", b"$Elements\n", b"$EndElements\n", b"$MeshFormat\n4.1 1 8\n", b"$Odd\n", b"$", b"2.2", b"4.1", b"11"],
    },
    Reader {
        name: "vtk",
        seeds: corpus::vtk::legacy,
        tokens: &[
            b"POINTS 3 float\n", b"CELLS 1 4\n", b"CELL_TYPES 1\n", b"POLYGONS 1 4\n", b"TRIANGLE_STRIPS 1 5\n", b"OFFSETS vtktypeint64\n",
            b"CONNECTIVITY int\n", b"METADATA\n", b"FIELD a 1\n", b"BINARY\n", b"ASCII\n", b"unsigned_char", b"LINES 1 3\n", b"POINT_DATA 3\n",
        ],
    },
    Reader {
        name: "vtu",
        seeds: corpus::vtk::xml,
        tokens: &[
            b"<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">", b"</Piece>", b"<DataArray type=\"Int8\" Name=\"offsets\" format=\"ascii\">",
            b"</DataArray>", b"format=\"appended\" offset=\"0\"", b"format='binary'", b"<!--", b"-->", b"<Polys>", b"<Strips>", b"UInt8", b"Float64",
            b"header_type='UInt64'", b"compressor='vtkZLibDataCompressor'", b"compressor='vtkLZ4DataCompressor'", b"byte_order='BigEndian'",
            b"<AppendedData encoding='raw'>_", b"AAAA", b"=",
        ],
    },
    Reader {
        name: "tetgen",
        seeds: corpus::text::tetgen,
        tokens: &[b"4 3 0 0\n", b"1 4 0\n", b"2 1\n", b"#", b"\n%%e", b"\n%%f", b"10"],
    },
    Reader {
        name: "medit",
        seeds: corpus::text::medit,
        tokens: &[b"Vertices", b"Triangles 1\n", b"Tetrahedra 1\n", b"Quadrilaterals 1\n", b"TetrahedraP2 1\n", b"Edges", b"End", b"Dimension 3", b"#", b"Corners 1\n1\n"],
    },
    Reader {
        name: "abaqus",
        seeds: corpus::text::abaqus,
        tokens: &[
            b"*NODE\n", b"*ELEMENT, TYPE=C3D4\n", b"*ELEMENT, TYPE=S3\n", b"*ELEMENT, TYPE=C3D20\n", b"*PART, NAME=A\n", b"*END PART\n",
            b"*INSTANCE, PART=A\n", b"*END INSTANCE\n", b"**", b",", b"=", b"*INCLUDE\n", b"1,0,0,0\n",
        ],
    },
];

/// Separates the files of one body; `e` follows for elements, `f` for faces.
const NEXT_FILE: &[u8] = b"\n%%";

impl Reader {
    /// Valid files and the kept failures of earlier runs.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let mut files = (self.seeds)();
        files.extend(self.kept());
        files
    }

    /// Files that failed in earlier runs.
    pub fn kept(&self) -> Vec<Vec<u8>> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/kept");
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        let start = format!("{}-", self.name);
        let ours = |p: &PathBuf| {
            p.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with(&start))
        };
        let ours = paths.iter().filter(|p| ours(p));
        ours.map(|p| fs::read(p).expect("a kept file")).collect()
    }

    /// Reads a file; those of TetGen are two files on disk.
    pub fn read(&self, bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
        if self.name != "tetgen" {
            return read_mesh_bytes_with(bytes, options);
        }
        let cut = bytes.windows(NEXT_FILE.len()).position(|w| w == NEXT_FILE);
        let Some(cut) = cut else {
            return read_mesh_bytes_with(bytes, options);
        };
        let (node, rest) = bytes.split_at(cut);
        let rest = rest.get(NEXT_FILE.len()..).unwrap_or_default();
        let (name, rest) = match rest {
            [b'f', rest @ ..] => ("a.face", rest),
            [_, rest @ ..] => ("a.ele", rest),
            [] => ("a.ele", rest),
        };
        let thread = std::thread::current().id();
        let folder = format!("pliant-fuzz-{}-{thread:?}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.node");
        fs::write(&path, node).expect("written");
        fs::write(folder.join(name), rest).expect("written");
        let result = read_mesh(&path);
        fs::remove_dir_all(&folder).expect("removed");
        result
    }
}
