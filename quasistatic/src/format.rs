//! The asset as bytes: little-endian arrays behind a magic number and a version.

use std::sync::Arc;

use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;
use pulp::bytemuck::Pod;

use crate::asset::GreensAsset;
use crate::bytes::{Reader, Writer};
use crate::greens::embedding::HeldShare;
use crate::greens::matrix::{Columns, GreensMatrix};
use crate::greens::table::{SharedBytes, Table};
use crate::greens::{SkinRows, SupportRows};
use crate::inside_format;
use crate::release_format;

/// Version of bake and format; part of the asset key.
pub const VERSION: u32 = 4;
const MAGIC: &[u8; 8] = b"PLNTGREE";
/// Columns begin at a multiple of this, so that a mapped file can be summed where it lies.
const ALIGNMENT: usize = 64;

/// Bytes that are not an asset of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssetFormatError {
    /// Not written by this baker.
    #[error("these bytes are not Green's functions of version {VERSION}\n  remedy: bake again")]
    WrongKind,
    /// The bytes end too early.
    #[error("the Green's functions end at byte {offset} inside {what}\n  remedy: bake again")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where it began.
        offset: usize,
    },
    /// Values that do not fit together.
    #[error("the Green's functions hold an invalid {what}\n  remedy: bake again")]
    Invalid {
        /// What is wrong.
        what: &'static str,
    },
}

impl GreensAsset {
    /// Everything, little endian; [`GreensAsset::from_bytes`] gives back the same bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(self.bytes() + 1024));
        out.0.extend_from_slice(MAGIC);
        out.u32(VERSION);
        self.write_skin(&mut out);
        out.f64s(&material_numbers(&self.material));
        out.u64(self.nodes() as u64);
        match self.matrix.values() {
            Columns::Single(values) => {
                out.u32(4);
                pad(&mut out);
                for x in values.iter() {
                    out.0.extend_from_slice(&x.to_le_bytes());
                }
            }
            Columns::Double(values) => {
                out.u32(8);
                pad(&mut out);
                for x in values.iter() {
                    out.0.extend_from_slice(&x.to_le_bytes());
                }
            }
        }
        out.u32s(self.matrix.missing());
        out.matrices(&self.gravity);
        out.u32(self.supports.len() as u32);
        for support in &self.supports {
            out.text(&support.name);
            out.matrices(&support.shares);
            out.matrices(std::slice::from_ref(&support.gravity));
        }
        out.u32s(&self.rows.offsets);
        out.u32s(&self.rows.nodes);
        out.f64s(&self.rows.weights);
        out.u32(self.rows.held.len() as u32);
        for share in &self.rows.held {
            out.u32(share.vertex);
            out.u32(share.support);
            out.u32(share.node);
            out.f64s(&[share.weight]);
        }
        out.f64s(&[self.rows.max_distance]);
        out.u32(self.rows.farthest_vertex);
        out.u32(u32::from(self.rows.identity));
        inside_format::write(&mut out, &self.inside);
        release_format::write(&mut out, &self.releasable);
        out.u64(self.unknowns as u64);
        out.u32(self.notes.len() as u32);
        for note in &self.notes {
            out.text(note);
        }
        out.0
    }

    fn write_skin(&self, out: &mut Writer) {
        let positions: Vec<f64> = self
            .skin
            .positions
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .collect();
        out.f64s(&positions);
        let corners: Vec<u32> = self.skin.triangles.iter().flatten().copied().collect();
        out.u32s(&corners);
        out.u32(self.skin.groups.len() as u32);
        for group in &self.skin.groups {
            out.text(&group.name);
            out.u32s(&group.vertices);
        }
    }

    /// Reads what [`GreensAsset::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`AssetFormatError`] for any other bytes; lengths are checked before memory is taken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        Self::read(bytes, None)
    }

    /// As [`GreensAsset::from_bytes`], but the columns stay where they are, shared with `bytes`: constant time, and no memory of its own for them. A machine
    /// that writes numbers in the other order copies them.
    ///
    /// # Errors
    /// As [`GreensAsset::from_bytes`].
    pub fn from_shared(bytes: &Arc<dyn SharedBytes>) -> Result<Self, AssetFormatError> {
        Self::read(bytes.bytes(), Some(bytes))
    }

    fn read(bytes: &[u8], shared: Option<&Arc<dyn SharedBytes>>) -> Result<Self, AssetFormatError> {
        let mut input = Reader { bytes, offset: 0 };
        if input.take(8, "header").ok() != Some(MAGIC.as_slice())
            || input.u32("header").ok() != Some(VERSION)
        {
            return Err(AssetFormatError::WrongKind);
        }
        let skin = read_skin(&mut input)?;
        let material = material_from(&input.f64s("material")?)?;
        let nodes = input.u64("node count")? as usize;
        let mut matrix = read_matrix(&mut input, nodes, shared)?;
        if !matrix.set_missing(input.u32s("missing columns")?) {
            return Err(AssetFormatError::Invalid {
                what: "list of missing columns",
            });
        }
        let gravity = input.matrices("gravity response")?;
        let mut supports = Vec::new();
        for _ in 0..input.u32("supports")? {
            let name = input.text("support name")?;
            let shares = input.matrices("support shares")?;
            let gravity = input.matrices("support weight")?;
            let (true, &[gravity]) = (shares.len() == nodes, gravity.as_slice()) else {
                return Err(AssetFormatError::Invalid { what: "support" });
            };
            supports.push(SupportRows {
                name,
                shares,
                gravity,
            });
        }
        let rows = read_rows(&mut input, skin.vertex_count(), nodes, supports.len())?;
        let inside = inside_format::read(&mut input, nodes, supports.len())?;
        let sizes = (nodes, supports.len(), inside.len());
        let releasable = release_format::read(&mut input, sizes)?;
        let unknowns = input.u64("unknowns")? as usize;
        let mut notes = Vec::new();
        for _ in 0..input.u32("notes")? {
            notes.push(input.text("note")?);
        }
        if gravity.len() != nodes || input.offset != bytes.len() {
            return Err(AssetFormatError::Invalid { what: "length" });
        }
        Ok(Self {
            skin: Arc::new(skin),
            material,
            matrix,
            gravity,
            supports,
            inside,
            releasable,
            rows,
            unknowns,
            notes,
        })
    }
}

fn material_numbers(material: &Material) -> [f64; 7] {
    let (kind, a, b) = match material.damping {
        Damping::Ratio(ratio) => (0.0, ratio, 0.0),
        Damping::Parameters(p) => (1.0, p.phi, p.psi),
    };
    let law = match material.law {
        MaterialLaw::Green => 0.0,
        MaterialLaw::Cauchy => 1.0,
        MaterialLaw::SimplifiedCauchy => 2.0,
        MaterialLaw::StableNeoHookean => 3.0,
        MaterialLaw::Corotated => 4.0,
    };
    let elastic = material.elastic;
    [
        elastic.young,
        elastic.poisson,
        material.density,
        kind,
        a,
        b,
        law,
    ]
}

fn material_from(numbers: &[f64]) -> Result<Material, AssetFormatError> {
    let invalid = AssetFormatError::Invalid { what: "material" };
    let &[young, poisson, density, kind, a, b, law] = numbers else {
        return Err(invalid);
    };
    let law = match law {
        0.0 => MaterialLaw::Green,
        1.0 => MaterialLaw::Cauchy,
        2.0 => MaterialLaw::SimplifiedCauchy,
        3.0 => MaterialLaw::StableNeoHookean,
        4.0 => MaterialLaw::Corotated,
        _ => return Err(invalid),
    };
    let damping = match kind {
        0.0 => Damping::Ratio(a),
        1.0 => Damping::Parameters(DampingParameters { phi: a, psi: b }),
        _ => return Err(invalid),
    };
    if !(young > 0.0 && young.is_finite()) {
        return Err(invalid);
    }
    Ok(Material {
        elastic: YoungPoisson { young, poisson },
        density,
        damping,
        law,
    })
}

fn read_skin(input: &mut Reader<'_>) -> Result<SurfaceMesh, AssetFormatError> {
    let positions: Vec<Vec3> = input
        .f64s("skin positions")?
        .chunks_exact(3)
        .map(Vec3::from_column_slice)
        .collect();
    let triangles: Vec<[u32; 3]> = input
        .u32s("skin triangles")?
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]])
        .collect();
    let count = positions.len() as u32;
    let mut skin = SurfaceMesh::new(positions, triangles);
    for _ in 0..input.u32("groups")? {
        let name = input.text("group name")?;
        let vertices = input.u32s("group")?;
        skin.groups.push(VertexGroup { name, vertices });
    }
    let groups = skin.groups.iter().flat_map(|g| g.vertices.iter());
    let out_of_range = skin
        .triangles
        .iter()
        .flatten()
        .chain(groups)
        .any(|&v| v >= count);
    if out_of_range {
        return Err(AssetFormatError::Invalid { what: "skin" });
    }
    Ok(skin)
}

fn pad(out: &mut Writer) {
    let length = out.0.len().next_multiple_of(ALIGNMENT);
    out.0.resize(length, 0);
}

fn read_matrix(
    input: &mut Reader<'_>,
    nodes: usize,
    shared: Option<&Arc<dyn SharedBytes>>,
) -> Result<GreensMatrix, AssetFormatError> {
    let invalid = AssetFormatError::Invalid { what: "size" };
    let count = nodes
        .checked_mul(3)
        .and_then(|rows| rows.checked_pow(2))
        .ok_or(invalid.clone())?;
    let precision = input.u32("precision")?;
    let padding = input.offset.next_multiple_of(ALIGNMENT) - input.offset;
    input.take(padding, "padding")?;
    let shared = shared.filter(|_| cfg!(target_endian = "little"));
    let values = match precision {
        4 => Columns::Single(read_table(input, count, shared, f32::from_le_bytes)?),
        8 => Columns::Double(read_table(input, count, shared, f64::from_le_bytes)?),
        _ => return Err(AssetFormatError::Invalid { what: "precision" }),
    };
    GreensMatrix::new(nodes, values).ok_or(invalid)
}

fn read_table<T: Pod, const N: usize>(
    input: &mut Reader<'_>,
    count: usize,
    shared: Option<&Arc<dyn SharedBytes>>,
    number: impl Fn([u8; N]) -> T,
) -> Result<Table<T>, AssetFormatError> {
    let offset = input.offset;
    let numbers = input.array::<N>(count, "columns")?;
    if let Some(table) = shared.and_then(|bytes| Table::shared(bytes, offset, count)) {
        return Ok(table);
    }
    let mut values = Table::zeroed(count);
    for (value, bytes) in values.iter_mut().zip(numbers) {
        *value = number(*bytes);
    }
    Ok(values)
}

fn read_rows(
    input: &mut Reader<'_>,
    vertices: usize,
    columns: usize,
    supports: usize,
) -> Result<SkinRows, AssetFormatError> {
    let offsets = input.u32s("embedding offsets")?;
    let nodes = input.u32s("embedding nodes")?;
    let weights = input.f64s("embedding weights")?;
    let mut held = Vec::new();
    for _ in 0..input.u32("held shares")? {
        held.push(HeldShare {
            vertex: input.u32("held vertex")?,
            support: input.u32("held support")?,
            node: input.u32("held node")?,
            weight: input.f64s("held weight")?.first().copied().unwrap_or(0.0),
        });
    }
    let rows = SkinRows {
        offsets,
        nodes,
        weights,
        held,
        max_distance: input
            .f64s("embedding distance")?
            .first()
            .copied()
            .unwrap_or(f64::NAN),
        farthest_vertex: input.u32("embedding vertex")?,
        identity: input.u32("embedding kind")? != 0,
    };
    let sound = rows.offsets.len() == vertices + 1
        && rows.offsets.first() == Some(&0)
        && rows.offsets.windows(2).all(|w| w[0] <= w[1])
        && rows.offsets.last().map(|&end| end as usize) == Some(rows.nodes.len())
        && rows.nodes.len() == rows.weights.len()
        && rows.nodes.iter().all(|&n| (n as usize) < columns)
        && rows.held.is_sorted_by_key(|share| share.vertex)
        && rows
            .held
            .iter()
            .all(|share| (share.support as usize) < supports);
    if sound {
        Ok(rows)
    } else {
        Err(AssetFormatError::Invalid { what: "embedding" })
    }
}
