//! The baked hierarchy of a body: constant, shared between models, and stored on disk.

use std::sync::Arc;

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher, Progress};
use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::{Csr, SurfaceMesh};

use crate::asset::format::bytes::{AssetFormatError, Reader, Writer};
use crate::asset::format::level::{Counts, check_stencils, read_level, write_level};
use crate::hierarchy::{Level, parenting};
use crate::params::AdaptiveParams;

const MAGIC: &[u8; 8] = b"PLNTADPT";
/// Raised whenever the baker or the format changes.
const VERSION: u32 = 10;

/// The levels of one body, coarse to fine, with all that is known before it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct LodHierarchy {
    /// The skin, same for every level.
    pub skin: Arc<SurfaceMesh>,
    /// Material of the whole body.
    pub material: Material,
    /// Names of the supports; [`Level::held`] has the same order.
    pub supports: Vec<String>,
    /// Coarse to fine, at least one.
    pub levels: Vec<Level>,
    /// Lowest angular frequency with the supports, rad/s: of all calibrated levels, or of the coarsest where none is.
    pub lowest_frequency: f64,
    /// What a user should know about the levels.
    pub notes: Vec<String>,
}

/// Content key of the hierarchy of `geometry`: skin, material, supports and levels, and how these are calibrated. No other parameter changes what is baked.
pub fn key(geometry: &BodyGeometry, params: &AdaptiveParams) -> AssetKey {
    let mut hasher = KeyHasher::new("adaptive hierarchy", VERSION);
    let mut writer = Writer::default();
    write_skin(&mut writer, &geometry.skin);
    write_material(&mut writer, &geometry.material);
    for support in &geometry.supports {
        writer.text(&support.name);
        writer.text(&format!("{:?}", support.selection));
        writer.indices(&support.skin_vertices);
    }
    writer.u32(params.calibration as u32);
    hasher.bytes("body", &writer.bytes);
    for level in &geometry.levels {
        hasher.positions("nodes", &level.nodes);
        hasher.indices("tets", level.tets.iter().flatten().copied());
    }
    hasher.finish()
}

impl LodHierarchy {
    /// Bytes held by all levels.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum()
    }

    /// Bakes with levels that vibrate alike; the same as [`crate::bake::bake`].
    ///
    /// # Errors
    /// See [`crate::bake::AdaptiveBakeError`].
    pub fn bake(
        geometry: &BodyGeometry,
        progress: &Progress,
    ) -> Result<Self, crate::bake::AdaptiveBakeError> {
        crate::bake::bake(geometry, progress)
    }

    /// The hierarchy as bytes: magic, version, then little-endian arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.bytes.extend_from_slice(MAGIC);
        w.u32(VERSION);
        write_skin(&mut w, &self.skin);
        write_material(&mut w, &self.material);
        w.f64(self.lowest_frequency);
        w.u32(self.notes.len() as u32);
        for note in &self.notes {
            w.text(note);
        }
        w.u32(self.supports.len() as u32);
        for name in &self.supports {
            w.text(name);
        }
        w.u32(self.levels.len() as u32);
        for level in &self.levels {
            write_level(&mut w, level);
        }
        w.bytes
    }

    /// Takes back what [`LodHierarchy::to_bytes`] wrote, to the bit.
    ///
    /// # Errors
    /// [`AssetFormatError`] for anything else; no bytes make it panic or allocate more than they are long.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        let mut r = Reader::new(bytes);
        if r.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
            return Err(AssetFormatError::WrongMagic);
        }
        let found = r.u32()?;
        if found != VERSION {
            return Err(AssetFormatError::WrongVersion {
                found,
                expected: VERSION,
            });
        }
        let skin = read_skin(&mut r)?;
        let material = read_material(&mut r)?;
        let lowest_frequency = positive(r.f64()?, "lowest frequency")?;
        let notes = read_texts(&mut r)?;
        let supports = read_texts(&mut r)?;
        let mut levels: Vec<Level> = Vec::new();
        for _ in 0..r.count(24)? {
            let coarser = levels.last().map(|level| Counts {
                nodes: level.node_count(),
                tets: level.mesh.tets.len(),
            });
            levels.push(read_level(&mut r, &skin, supports.len(), coarser)?);
        }
        r.finish()?;
        if levels.is_empty() {
            return Err(corrupt("number of levels"));
        }
        check_stencils(&levels)?;
        link_children(&mut levels);
        Ok(Self {
            skin: Arc::new(skin),
            material,
            supports,
            levels,
            lowest_frequency,
            notes,
        })
    }
}

/// Fills [`Level::children`] from the parents of the next finer level.
pub(crate) fn link_children(levels: &mut [Level]) {
    for l in 1..levels.len() {
        let count = levels[l - 1].node_count();
        levels[l - 1].children = parenting::children(&levels[l].parents, count);
    }
}

/// Rows of no items: what the finest level has as children.
pub(crate) fn no_children() -> Csr {
    Csr::from_pairs(0, std::iter::empty())
}

pub(crate) fn corrupt(what: &'static str) -> AssetFormatError {
    AssetFormatError::Corrupt { what }
}

pub(crate) fn positive(value: f64, what: &'static str) -> Result<f64, AssetFormatError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(corrupt(what))
    }
}

pub(crate) fn below(
    values: &[u32],
    limit: usize,
    what: &'static str,
) -> Result<(), AssetFormatError> {
    if values.iter().all(|&v| (v as usize) < limit) {
        Ok(())
    } else {
        Err(corrupt(what))
    }
}

fn read_texts(r: &mut Reader<'_>) -> Result<Vec<String>, AssetFormatError> {
    (0..r.count(4)?).map(|_| r.text()).collect()
}

fn write_skin(w: &mut Writer, skin: &SurfaceMesh) {
    w.positions(&skin.positions);
    w.tuples(&skin.triangles);
    w.u32(skin.groups.len() as u32);
    for group in &skin.groups {
        w.text(&group.name);
        w.indices(&group.vertices);
    }
}

fn read_skin(r: &mut Reader<'_>) -> Result<SurfaceMesh, AssetFormatError> {
    let mut skin = SurfaceMesh::new(r.positions()?, r.tuples()?);
    let count = skin.vertex_count();
    if !skin
        .positions
        .iter()
        .all(|x| x.iter().all(|c| c.is_finite()))
    {
        return Err(corrupt("skin position"));
    }
    below(skin.triangles.as_flattened(), count, "skin triangle")?;
    for _ in 0..r.count(8)? {
        let (name, vertices) = (r.text()?, r.indices()?);
        below(&vertices, count, "vertex group")?;
        skin.groups.push(VertexGroup { name, vertices });
    }
    Ok(skin)
}

fn write_material(w: &mut Writer, material: &Material) {
    w.f64(material.elastic.young);
    w.f64(material.elastic.poisson);
    w.f64(material.density);
    match material.damping {
        Damping::Ratio(zeta) => {
            w.u32(0);
            w.f64(zeta);
            w.f64(0.0);
        }
        Damping::Parameters(d) => {
            w.u32(1);
            w.f64(d.phi);
            w.f64(d.psi);
        }
    }
    w.text(material.law.name());
}

fn read_material(r: &mut Reader<'_>) -> Result<Material, AssetFormatError> {
    let elastic = YoungPoisson {
        young: positive(r.f64()?, "Young's modulus")?,
        poisson: r.f64()?,
    };
    if !(elastic.poisson > -1.0 && elastic.poisson < 0.5) {
        return Err(corrupt("Poisson's ratio"));
    }
    let density = positive(r.f64()?, "density")?;
    let (kind, a, b) = (r.u32()?, r.f64()?, r.f64()?);
    if !(a.is_finite() && b.is_finite()) {
        return Err(corrupt("damping"));
    }
    let damping = match kind {
        0 => Damping::Ratio(a),
        1 => Damping::Parameters(DampingParameters { phi: a, psi: b }),
        _ => return Err(corrupt("kind of damping")),
    };
    let law = MaterialLaw::from_name(&r.text()?).ok_or(corrupt("law"))?;
    Ok(Material {
        elastic,
        density,
        damping,
        law,
    })
}
