//! Damaged levels of meshing, hierarchical matrices, arrays of NumPy, vertex attributes, and recorded traces of a hand.

use pliant_compression::hierarchical_matrix::{HierarchicalMatrix, HierarchicalSpec, SumScratch};
use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_meshing::io::read_vertex_attribute_bytes;
use pliant_meshing::lod::{ResolutionSequence, build_targets};
use pliant_meshing::stuffing::Stuffing;
use pliant_meshing::tetrahedralise::TetTarget;
use pliant_quasistatic::haptics::device::{HapticDevice, RecordedDevice};
use pliant_quasistatic::npy::Array;

use super::Reader;

pub const LEVELS: Reader = Reader {
    name: "levels",
    files: levels,
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| {
            let sequence = ResolutionSequence::from_bytes(bytes);
            sequence.ok_or_else(|| "no levels".to_string())
        };
        limits.complaint(bytes, read, |sequence| {
            let inside = |mesh: &TetMesh| {
                let nodes = mesh.nodes.len();
                mesh.tets.iter().flatten().all(|&v| (v as usize) < nodes)
            };
            if !sequence.levels.iter().all(|level| inside(&level.mesh)) {
                return Some("gave a tetrahedron a node that does not exist".into());
            }
            (sequence.to_bytes() != bytes).then(|| "was written with other bytes".into())
        })
    },
    tokens: &[],
};

pub const HIERARCHICAL: Reader = Reader {
    name: "hierarchical",
    files: matrices,
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| HierarchicalMatrix::from_bytes(bytes).map_err(|e| e.to_string());
        limits.complaint(bytes, read, |matrix| {
            let nodes = matrix.nodes();
            let mut field = vec![0.0; 3 * nodes];
            let forces = [(0, Vec3::y()), (nodes as u32 / 2, Vec3::x())];
            matrix.add_columns(&forces, &mut field, &mut SumScratch::default());
            let _ = matrix.block(nodes - 1, 0);
            let finite = field.iter().all(|x| x.is_finite());
            (!finite).then(|| "gave displacements that are not finite".into())
        })
    },
    tokens: &[],
};

pub const NPY: Reader = Reader {
    name: "npy",
    files: arrays,
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| Array::from_bytes(bytes).map_err(|e| e.to_string());
        limits.complaint(bytes, read, |array| {
            let count: usize = array.shape.iter().product();
            (count != array.values.len()).then(|| "gave numbers that do not fit the shape".into())
        })
    },
    tokens: &[
        b"'descr': '<f4', ",
        b"'fortran_order': True",
        b"'shape': (3,), ",
        b"(18446744073709551615, 2)",
        b"(0, 99999999999)",
        b"()",
    ],
};

pub const ATTRIBUTE: Reader = Reader {
    name: "attribute",
    files: attributes,
    seal: |_| {},
    judge: |limits, bytes| {
        let read =
            |bytes: &[u8]| read_vertex_attribute_bytes(bytes, "quality").map_err(|e| e.to_string());
        limits.complaint(bytes, read, |attribute| {
            let is_sound = attribute.values.len() == attribute.positions.len()
                && attribute.values.iter().all(|x| x.is_finite())
                && attribute.positions.iter().flatten().all(|x| x.is_finite());
            (!is_sound).then(|| "gave numbers without vertices, or none".into())
        })
    },
    tokens: &[
        b"element vertex 4\n",
        b"element note 4294967295\n",
        b"property float quality\n",
        b"property list uchar int quality\n",
        b"property list double int tags\n",
        b"format binary_big_endian 1.0\n",
        b"format ascii 1.0\n",
        b"end_header\n",
    ],
};

pub const TRACE: Reader = Reader {
    name: "trace",
    files: || {
        let row = |k: i32| {
            format!(
                "{}, 0.01, {}, -0.02, 5\n",
                0.1 * f64::from(k),
                0.2 / f64::from(k + 1)
            )
        };
        let rows: String = (0..12).map(row).collect();
        vec![
            rows.clone().into_bytes(),
            format!("time,x,y,z,force\n\n{rows}").into_bytes(),
        ]
    },
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            RecordedDevice::parse(&text).map_err(|e| e.to_string())
        };
        limits.complaint(bytes, read, |mut device| {
            let end = device.duration();
            let times = [-1.0, 0.0, 0.5 * end, end, 2.0 * end];
            let positions = times.map(|time| device.sample(time).tip);
            let finite = positions.iter().flatten().all(|x| x.is_finite());
            (!finite || !end.is_finite()).then(|| "gave a place that is not finite".into())
        })
    },
    tokens: &[b",", b"\n", b"1e308", b"-1e308", b"inf", b"\r", b"\t"],
};

fn levels() -> Vec<Vec<u8>> {
    let block = box_surface(Vec3::repeat(0.1), [4; 3], CellStyle::Kuhn);
    let bytes_of = |nodes: &[usize]| {
        let targets: Vec<_> = nodes.iter().map(|&n| TetTarget::Nodes(n)).collect();
        let made = build_targets(&block, &targets, &Stuffing, &Progress::new());
        let sequence = ResolutionSequence {
            notes: vec!["first".into(), "\u{fc}ber".into()],
            ..made.expect("levels")
        };
        sequence.to_bytes()
    };
    vec![bytes_of(&[12]), bytes_of(&[12, 40])]
}

fn matrices() -> Vec<Vec<u8>> {
    let compressed = |nodes: i32, leaf_size: usize| {
        let place = |k: i32| Vec3::new(0.01 * f64::from(k), 1e-3 * f64::from(k % 3), 0.0);
        let positions: Vec<Vec3> = (0..nodes).map(place).collect();
        let block =
            |i: usize, j: usize| Mat3::identity() / (0.02 + (positions[i] - positions[j]).norm());
        let spec = HierarchicalSpec {
            leaf_size,
            ..HierarchicalSpec::default()
        };
        let made = HierarchicalMatrix::compress(&positions, block, &spec, &Progress::new());
        made.expect("a matrix").0.to_bytes()
    };
    vec![compressed(9, 4), compressed(60, 4), compressed(80, 24)]
}

fn arrays() -> Vec<Vec<u8>> {
    let file = |version: u8, kind: &str, order: &str, shape: &str, data: &[u8]| {
        let header =
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut out = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        match version {
            1 => out.extend((header.len() as u16).to_le_bytes()),
            _ => out.extend((header.len() as u32).to_le_bytes()),
        }
        out.extend(header.as_bytes());
        out.extend(data);
        out
    };
    let double: Vec<u8> = (0..24).flat_map(|k| f64::from(k).to_le_bytes()).collect();
    let single: Vec<u8> = (0..24_i16)
        .flat_map(|k| f32::from(k).to_le_bytes())
        .collect();
    vec![
        file(1, "<f8", "False", "(4, 6)", &double),
        file(2, "<f4", "True", "(2, 3, 4)", &single),
        file(3, "<f4", "False", "(24,)", &single),
    ]
}

fn attributes() -> Vec<Vec<u8>> {
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement note 1\nproperty list uchar int tags\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar quality\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let text = header("ascii") + "2 7 8\n0 0 0 5\n1 0 0 200\n0 1 0 30\n3 0 1 2\n";
    let mut packed = header("binary_little_endian").into_bytes();
    packed.push(1);
    packed.extend(7_i32.to_le_bytes());
    for (x, quality) in [
        ([0.0_f32; 3], 5_u8),
        ([1.0, 0.0, 0.0], 200),
        ([0.0, 1.0, 0.0], 30),
    ] {
        packed.extend(x.iter().flat_map(|c| c.to_le_bytes()));
        packed.push(quality);
    }
    packed.push(3);
    packed.extend([0_i32, 1, 2].iter().flat_map(|v| v.to_le_bytes()));
    vec![text.into_bytes(), packed]
}
