//! A lattice as bytes: little-endian arrays, each with its length, behind a magic word and a version.
//!
//! Reading trusts nothing: lengths are checked against what is left before memory is taken, and every index before it is used, so that any
//! bytes give a lattice that works or an error.

use std::sync::Arc;

use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::LatticeAsset;
use crate::error::AssetFormatError;
use crate::summation::plan::{Lists, SumPlan};

const MAGIC: &[u8; 8] = b"PLNTLATT";
const VERSION: u32 = 1;

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn index(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn vector(&mut self, v: &Vec3) {
        v.iter().for_each(|&x| self.number(x));
    }

    fn numbers(&mut self, values: &[f64]) {
        self.index(values.len() as u32);
        values.iter().for_each(|&x| self.number(x));
    }

    fn vectors(&mut self, values: &[Vec3]) {
        self.index(values.len() as u32);
        values.iter().for_each(|v| self.vector(v));
    }

    fn indices(&mut self, values: &[u32]) {
        self.index(values.len() as u32);
        values.iter().for_each(|&x| self.index(x));
    }

    fn text(&mut self, text: &str) {
        self.index(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn lists(&mut self, lists: &Lists) {
        self.indices(&lists.offsets);
        self.indices(&lists.items);
    }

    fn skin(&mut self, skin: &SurfaceMesh) {
        self.vectors(&skin.positions);
        self.indices(skin.triangles.as_flattened());
        self.index(skin.groups.len() as u32);
        for group in &skin.groups {
            self.text(&group.name);
            self.indices(&group.vertices);
        }
    }

    fn material(&mut self, m: &Material) {
        let (kind, a, b) = match m.damping {
            Damping::Ratio(zeta) => (0, zeta, 0.0),
            Damping::Parameters(d) => (1, d.phi, d.psi),
        };
        self.numbers(&[m.elastic.young, m.elastic.poisson, m.density, a, b]);
        self.index(kind);
        self.text(m.law.name());
    }

    fn embedding(&mut self, embedding: &SkinEmbedding) {
        self.index(embedding.len() as u32);
        for vertex in 0..embedding.len() {
            let (nodes, weights) = embedding.row(vertex);
            self.indices(nodes);
            self.numbers(weights);
        }
        self.number(embedding.max_distance);
        self.index(embedding.farthest_vertex);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

type Read<T> = Result<T, AssetFormatError>;

impl Reader<'_> {
    fn bad<T>(&self) -> Read<T> {
        Err(AssetFormatError { at: self.at })
    }

    fn need(&self, condition: bool) -> Read<()> {
        if condition { Ok(()) } else { self.bad() }
    }

    fn take(&mut self, count: usize) -> Read<&[u8]> {
        let left = self.bytes.len() - self.at;
        self.need(count <= left)?;
        let start = self.at;
        self.at += count;
        Ok(&self.bytes[start..start + count])
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn number(&mut self) -> Read<f64> {
        let x = f64::from_le_bytes(self.array()?);
        self.need(x.is_finite())?;
        Ok(x)
    }

    fn index(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn vector(&mut self) -> Read<Vec3> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    /// A length whose entries of `size` bytes are there.
    fn length(&mut self, size: usize) -> Read<usize> {
        let count = self.index()? as usize;
        self.need(count.saturating_mul(size) <= self.bytes.len() - self.at)?;
        Ok(count)
    }

    fn list<T>(&mut self, size: usize, one: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.length(size)?;
        (0..count).map(|_| one(self)).collect()
    }

    fn numbers(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list = self.list(8, Self::number)?;
        self.need(list.len() == expected)?;
        Ok(list)
    }

    /// Positive numbers.
    fn masses(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list = self.numbers(expected)?;
        self.need(list.iter().all(|&m| m > 0.0))?;
        Ok(list)
    }

    fn vectors(&mut self) -> Read<Vec<Vec3>> {
        self.list(24, Self::vector)
    }

    /// Numbers below `limit`.
    fn indices(&mut self, limit: usize) -> Read<Vec<u32>> {
        let list = self.list(4, Self::index)?;
        self.need(list.iter().all(|&i| (i as usize) < limit))?;
        Ok(list)
    }

    fn text(&mut self) -> Read<String> {
        let count = self.length(1)?;
        let bytes = self.take(count)?.to_vec();
        String::from_utf8(bytes).or_else(|_| self.bad())
    }

    fn lists(&mut self, limit: usize) -> Read<Lists> {
        let offsets = self.list(4, Self::index)?;
        let items = self.indices(limit)?;
        let ends = (offsets.first(), offsets.last());
        self.need(ends == (Some(&0), Some(&(items.len() as u32))))?;
        // no list is empty
        self.need(offsets.windows(2).all(|w| w[0] < w[1]))?;
        Ok(Lists { offsets, items })
    }

    fn skin(&mut self) -> Read<SurfaceMesh> {
        let positions = self.vectors()?;
        let flat = self.indices(positions.len())?;
        self.need(flat.len() % 3 == 0)?;
        let triangles = flat.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let mut skin = SurfaceMesh::new(positions, triangles);
        for _ in 0..self.length(8)? {
            let name = self.text()?;
            let vertices = self.indices(skin.positions.len())?;
            skin.groups.push(VertexGroup { name, vertices });
        }
        Ok(skin)
    }

    fn material(&mut self) -> Read<Material> {
        let n = self.numbers(5)?;
        let damping = match self.index()? {
            0 => Damping::Ratio(n[3]),
            1 => Damping::Parameters(DampingParameters {
                phi: n[3],
                psi: n[4],
            }),
            _ => return self.bad(),
        };
        let Some(law) = MaterialLaw::from_name(&self.text()?) else {
            return self.bad();
        };
        Ok(Material {
            elastic: YoungPoisson {
                young: n[0],
                poisson: n[1],
            },
            density: n[2],
            damping,
            law,
        })
    }

    fn embedding(&mut self, vertices: usize, particles: usize) -> Read<SkinEmbedding> {
        let count = self.length(8)?;
        self.need(count == vertices)?;
        let mut rows = Vec::with_capacity(count);
        for _ in 0..count {
            let nodes = self.indices(particles)?;
            let weights = self.numbers(nodes.len())?;
            rows.push((nodes.into_iter().zip(weights).collect(), 0.0));
        }
        let mut embedding = SkinEmbedding::from_rows(rows);
        embedding.max_distance = self.number()?;
        embedding.farthest_vertex = self.index()?;
        Ok(embedding)
    }
}

impl LatticeAsset {
    /// The whole lattice as bytes; [`LatticeAsset::from_bytes`] gives the same bits back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.bytes.extend_from_slice(MAGIC);
        w.index(VERSION);
        w.skin(&self.skin);
        w.material(&self.material);
        w.numbers(&[self.cell, self.lowest_eigenvalue, self.volume_ratio]);
        w.vector(&self.center);
        w.indices(&[self.half_width as u32]);
        w.indices(&self.dims.map(|n| n as u32));
        let sites: Vec<u32> = self
            .sites
            .as_flattened()
            .iter()
            .map(|&s| u32::from(s))
            .collect();
        w.indices(&sites);
        w.indices(&self.links);
        w.vectors(&self.rest);
        w.numbers(&self.mass);
        w.numbers(&self.share);
        w.indices(&self.region_of);
        w.indices(&self.region_size);
        w.indices(&self.multiplicity);
        w.indices(
            &self
                .is_box
                .iter()
                .map(|&b| u32::from(b))
                .collect::<Vec<_>>(),
        );
        w.numbers(&self.region_mass);
        w.vectors(&self.region_center);
        w.indices(self.plan.bars.as_flattened());
        w.lists(&self.plan.plates);
        w.lists(&self.plan.cubes);
        w.embedding(&self.embedding);
        w.index(self.held.len() as u32);
        for (name, held) in self.support_names.iter().zip(&self.held) {
            w.text(name);
            w.indices(held);
        }
        w.indices(&self.component);
        w.bytes
    }

    /// Reads what [`LatticeAsset::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`AssetFormatError`] for anything else: wrong magic or version, too short, too long, indices or numbers out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        let mut r = Reader { bytes, at: 0 };
        let magic = r.take(MAGIC.len())? == MAGIC;
        r.need(magic)?;
        let version = r.index()?;
        r.need(version == VERSION)?;
        let asset = read(&mut r)?;
        r.need(r.at == bytes.len())?;
        Ok(asset)
    }
}

fn read(r: &mut Reader<'_>) -> Read<LatticeAsset> {
    let skin = Arc::new(r.skin()?);
    let material = r.material()?;
    let figures = r.numbers(3)?;
    r.need(figures[0] > 0.0 && figures[1] >= 0.0)?;
    let center = r.vector()?;
    let half_width = r.indices(17)?;
    r.need(half_width.len() == 1 && half_width[0] > 0)?;
    let dims = r.indices(1 << 16)?;
    r.need(dims.len() == 3 && dims.iter().map(|&n| u64::from(n)).product::<u64>() <= 1 << 27)?;
    let dims = [dims[0] as usize, dims[1] as usize, dims[2] as usize];
    let flat = r.indices(1 << 16)?;
    r.need(flat.len() % 3 == 0 && flat.len() >= 24)?;
    let sites: Vec<[u16; 3]> = flat
        .chunks_exact(3)
        .map(|s| [s[0] as u16, s[1] as u16, s[2] as u16])
        .collect();
    r.need(
        sites
            .iter()
            .all(|s| (0..3).all(|k| usize::from(s[k]) < dims[k])),
    )?;
    r.need(sites.is_sorted_by_key(|s| [s[2], s[1], s[0]]))?;
    let count = sites.len();
    let links = r.indices(1 << 27)?;
    let rest = r.vectors()?;
    r.need(links.len() == count && rest.len() == count)?;
    let (mass, share) = (r.masses(count)?, r.masses(count)?);
    let region_of = r.indices(count)?;
    let region_size = r.indices(count + 1)?;
    let regions = region_size.len();
    // numbered by first particle
    let mut seen = 0;
    for &region in &region_of {
        r.need(region <= seen)?;
        seen += u32::from(region == seen);
    }
    r.need(region_of.len() == count && seen as usize == regions)?;
    r.need(region_size.iter().all(|&n| n > 0))?;
    let multiplicity = r.indices(count + 1)?;
    let is_box = r.indices(2)?;
    r.need(multiplicity.len() == regions && is_box.len() == regions)?;
    let region_mass = r.masses(regions)?;
    let region_center = r.vectors()?;
    r.need(region_center.len() == regions)?;
    let plan = read_plan(r, count)?;
    r.need(plan.cubes.len() == regions)?;
    let embedding = r.embedding(skin.vertex_count(), count)?;
    let (mut support_names, mut held) = (Vec::new(), Vec::new());
    for _ in 0..r.length(8)? {
        support_names.push(r.text()?);
        held.push(r.indices(count)?);
    }
    let component = r.indices(count)?;
    r.need(component.len() == count)?;
    Ok(LatticeAsset {
        skin,
        material,
        cell: figures[0],
        lowest_eigenvalue: figures[1],
        volume_ratio: figures[2],
        half_width: half_width[0] as usize,
        dims,
        sites,
        links,
        center,
        rest,
        mass,
        share,
        region_of,
        region_size,
        multiplicity,
        is_box: is_box.iter().map(|&b| b == 1).collect(),
        region_mass,
        region_center,
        plan,
        embedding,
        support_names,
        held,
        component,
    })
}

fn read_plan(r: &mut Reader<'_>, particles: usize) -> Read<SumPlan> {
    let flat = r.indices(particles + 1)?;
    r.need(flat.len() % 2 == 0)?;
    let bars: Vec<[u32; 2]> = flat.chunks_exact(2).map(|b| [b[0], b[1]]).collect();
    let inside = |b: &[u32; 2]| b[1] > 0 && b[0] as usize + b[1] as usize <= particles;
    r.need(bars.iter().all(inside))?;
    let plates = r.lists(bars.len())?;
    let cubes = r.lists(plates.len())?;
    Ok(SumPlan {
        bars,
        plates,
        cubes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{asset_of, ball, body_of, shapes};
    use crate::{LatticeParams, bake};
    use pliant_core::asset::Progress;

    #[test]
    fn bytes_give_the_same_lattice_back() {
        for (_, grid) in shapes() {
            let asset = asset_of(&grid, 2);
            assert_eq!(LatticeAsset::from_bytes(&asset.to_bytes()), Ok(asset));
        }
        let geometry = body_of(ball(4.0, 0.0), 0.3);
        let asset =
            bake(&geometry, &LatticeParams::default(), &Progress::new()).expect("a lattice");
        assert_eq!(LatticeAsset::from_bytes(&asset.to_bytes()), Ok(asset));
    }

    #[test]
    fn damaged_bytes_give_an_error_or_a_lattice_but_never_a_panic() {
        let geometry = body_of(ball(2.0, 0.0), 0.3);
        let asset =
            bake(&geometry, &LatticeParams::default(), &Progress::new()).expect("a lattice");
        let bytes = asset.to_bytes();
        for cut in (0..bytes.len()).step_by(97) {
            assert!(LatticeAsset::from_bytes(&bytes[..cut]).is_err());
        }
        for at in (0..bytes.len()).step_by(41) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x91;
            if let Ok(read) = LatticeAsset::from_bytes(&damaged)
                && let Ok(mut model) =
                    crate::LatticeModel::new(Arc::new(read), &LatticeParams::default())
            {
                crate::testing::run(&mut model, 1, &Default::default());
            }
        }
        let mut long = bytes;
        long.push(0);
        assert!(LatticeAsset::from_bytes(&long).is_err());
    }
}
