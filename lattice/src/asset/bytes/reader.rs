//! Reads the parts of a lattice from untrusted bytes.

use pliant_core::asset::bytes::{ByteReader, BytesError};
use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::lists::Lists;
use crate::error::AssetFormatError;

pub(super) struct Reader<'a>(pub ByteReader<'a, u32>);

pub(super) type Read<T> = Result<T, AssetFormatError>;

impl From<BytesError> for AssetFormatError {
    fn from(error: BytesError) -> Self {
        Self { at: error.at() }
    }
}

impl Reader<'_> {
    pub fn bad<T>(&self) -> Read<T> {
        let at = self.0.offset();
        Err(AssetFormatError { at })
    }

    pub fn need(&self, condition: bool) -> Read<()> {
        if condition { Ok(()) } else { self.bad() }
    }

    pub fn vector(&mut self) -> Read<Vec3> {
        let vector: Vec3 = self.0.value()?;
        self.need(vector.iter().all(|x| x.is_finite()))?;
        Ok(vector)
    }

    pub fn numbers(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list: Vec<f64> = self.0.list()?;
        self.need(list.len() == expected && list.iter().all(|x| x.is_finite()))?;
        Ok(list)
    }

    /// Positive numbers.
    pub fn masses(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list = self.numbers(expected)?;
        self.need(list.iter().all(|&m| m > 0.0))?;
        Ok(list)
    }

    /// As many positive numbers up to about 1, or none.
    pub fn shares(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list: Vec<f64> = self.0.list()?;
        self.need(list.is_empty() || list.len() == expected)?;
        self.need(list.iter().all(|&s| s > 0.0 && s < 1.0 + 1e-9))?;
        Ok(list)
    }

    pub fn vectors(&mut self) -> Read<Vec<Vec3>> {
        let list: Vec<Vec3> = self.0.list()?;
        self.need(list.iter().flatten().all(|x| x.is_finite()))?;
        Ok(list)
    }

    /// Numbers below `limit`.
    pub fn indices(&mut self, limit: usize) -> Read<Vec<u32>> {
        let list: Vec<u32> = self.0.list()?;
        self.need(list.iter().all(|&i| (i as usize) < limit))?;
        Ok(list)
    }

    /// Rows of numbers below `limit`.
    pub fn rows<const N: usize>(&mut self, limit: usize) -> Read<Vec<[u32; N]>> {
        let flat = self.indices(limit)?;
        let (rows, rest) = flat.as_chunks();
        self.need(rest.is_empty())?;
        Ok(rows.to_vec())
    }

    pub fn lists(&mut self, limit: usize) -> Read<Lists> {
        let offsets: Vec<u32> = self.0.list()?;
        let items = self.indices(limit)?;
        let ends = (offsets.first(), offsets.last());
        self.need(ends == (Some(&0), Some(&(items.len() as u32))))?;
        // no list is empty
        self.need(offsets.windows(2).all(|w| w[0] < w[1]))?;
        Ok(Lists { offsets, items })
    }

    pub fn skin(&mut self) -> Read<SurfaceMesh> {
        let positions = self.vectors()?;
        let triangles = self.rows(positions.len())?;
        let mut skin = SurfaceMesh::new(positions, triangles);
        for _ in 0..self.0.count(8)? {
            let name = self.0.text()?;
            let vertices = self.indices(skin.positions.len())?;
            skin.groups.push(VertexGroup { name, vertices });
        }
        Ok(skin)
    }

    pub fn material(&mut self) -> Read<Material> {
        let n = self.numbers(5)?;
        let damping = match self.0.u32()? {
            0 => Damping::Ratio(n[3]),
            1 => Damping::Parameters(DampingParameters {
                phi: n[3],
                psi: n[4],
            }),
            _ => return self.bad(),
        };
        let Some(law) = MaterialLaw::from_name(&self.0.text()?) else {
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

    pub fn embedding(&mut self, vertices: usize, particles: usize) -> Read<SkinEmbedding> {
        let count = self.0.count(8)?;
        self.need(count == vertices)?;
        let mut rows = Vec::with_capacity(count);
        for _ in 0..count {
            let nodes = self.indices(particles)?;
            let weights = self.numbers(nodes.len())?;
            rows.push((nodes.into_iter().zip(weights).collect(), 0.0));
        }
        let mut embedding = SkinEmbedding::from_rows(rows);
        embedding.max_distance = self.0.f64()?;
        self.need(embedding.max_distance.is_finite())?;
        embedding.farthest_vertex = self.0.u32()?;
        Ok(embedding)
    }
}
