//! Takes numbers, arrays and the parts of a lattice off bytes that may be anything.

use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::lists::Lists;
use crate::error::AssetFormatError;

pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

pub(super) type Read<T> = Result<T, AssetFormatError>;

impl Reader<'_> {
    pub fn bad<T>(&self) -> Read<T> {
        Err(AssetFormatError { at: self.at })
    }

    pub fn need(&self, condition: bool) -> Read<()> {
        if condition { Ok(()) } else { self.bad() }
    }

    pub fn take(&mut self, count: usize) -> Read<&[u8]> {
        let left = self.bytes.len() - self.at;
        self.need(count <= left)?;
        let start = self.at;
        self.at += count;
        Ok(&self.bytes[start..start + count])
    }

    pub fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub fn number(&mut self) -> Read<f64> {
        let x = f64::from_le_bytes(self.array()?);
        self.need(x.is_finite())?;
        Ok(x)
    }

    pub fn index(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn vector(&mut self) -> Read<Vec3> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    /// A length whose entries of `size` bytes are there.
    pub fn length(&mut self, size: usize) -> Read<usize> {
        let count = self.index()? as usize;
        self.need(count.saturating_mul(size) <= self.bytes.len() - self.at)?;
        Ok(count)
    }

    pub fn list<T>(&mut self, size: usize, one: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.length(size)?;
        (0..count).map(|_| one(self)).collect()
    }

    pub fn numbers(&mut self, expected: usize) -> Read<Vec<f64>> {
        let list = self.list(8, Self::number)?;
        self.need(list.len() == expected)?;
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
        let list = self.list(8, Self::number)?;
        self.need(list.is_empty() || list.len() == expected)?;
        self.need(list.iter().all(|&s| s > 0.0 && s < 1.0 + 1e-9))?;
        Ok(list)
    }

    pub fn vectors(&mut self) -> Read<Vec<Vec3>> {
        self.list(24, Self::vector)
    }

    /// Numbers below `limit`.
    pub fn indices(&mut self, limit: usize) -> Read<Vec<u32>> {
        let list = self.list(4, Self::index)?;
        self.need(list.iter().all(|&i| (i as usize) < limit))?;
        Ok(list)
    }

    pub fn text(&mut self) -> Read<String> {
        let count = self.length(1)?;
        let bytes = self.take(count)?.to_vec();
        String::from_utf8(bytes).or_else(|_| self.bad())
    }

    pub fn lists(&mut self, limit: usize) -> Read<Lists> {
        let offsets = self.list(4, Self::index)?;
        let items = self.indices(limit)?;
        let ends = (offsets.first(), offsets.last());
        self.need(ends == (Some(&0), Some(&(items.len() as u32))))?;
        // no list is empty
        self.need(offsets.windows(2).all(|w| w[0] < w[1]))?;
        Ok(Lists { offsets, items })
    }

    pub fn skin(&mut self) -> Read<SurfaceMesh> {
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

    pub fn material(&mut self) -> Read<Material> {
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

    pub fn embedding(&mut self, vertices: usize, particles: usize) -> Read<SkinEmbedding> {
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
