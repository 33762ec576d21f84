//! A hierarchy as bytes, for a cache.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use super::level::Level;
use super::resolution_sequence::ResolutionSequence;
use super::shape::Shape;

/// Begins the bytes; its last digit is the version.
const MAGIC: &[u8] = b"pliant levels 2\n";

impl ResolutionSequence {
    /// The hierarchy as bytes: magic, then little-endian arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let count = |out: &mut Vec<u8>, n: usize| out.extend((n as u64).to_le_bytes());
        let shape = |out: &mut Vec<u8>, shape: &Shape| {
            out.extend((shape.components as u64).to_le_bytes());
            out.extend(shape.genus.to_le_bytes());
        };
        shape(&mut out, &self.input);
        count(&mut out, self.notes.len());
        for note in &self.notes {
            count(&mut out, note.len());
            out.extend(note.as_bytes());
        }
        count(&mut out, self.levels.len());
        for level in &self.levels {
            count(&mut out, level.mesh.nodes.len());
            for x in level.mesh.nodes.iter().flatten() {
                out.extend(x.to_le_bytes());
            }
            count(&mut out, level.mesh.tets.len());
            for v in level.mesh.tets.iter().flatten() {
                out.extend(v.to_le_bytes());
            }
            shape(&mut out, &level.shape);
            count(&mut out, level.matched);
            count(&mut out, level.refused);
            for x in [
                level.min_dihedral_deg,
                level.max_dihedral_deg,
                level.away_dihedral_deg.0,
                level.away_dihedral_deg.1,
                level.min_volume,
                level.volume_ratio,
                level.hausdorff_rel,
                level.farthest_at.x,
                level.farthest_at.y,
                level.farthest_at.z,
                level.boundary_edge,
                level.edge_mean,
                level.radius_edge,
                level.thickened,
                level.seconds,
            ] {
                out.extend(x.to_le_bytes());
            }
        }
        out
    }

    /// Takes back what [`ResolutionSequence::to_bytes`] wrote, to the bit; `None` for anything else. No bytes make it panic or allocate
    /// more than they are long.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Rest(bytes.strip_prefix(MAGIC)?);
        let input = rest.shape()?;
        let mut notes = Vec::new();
        for _ in 0..rest.count(8)? {
            let length = rest.count(1)?;
            notes.push(std::str::from_utf8(rest.take(length)?).ok()?.to_string());
        }
        let mut levels = Vec::new();
        for _ in 0..rest.count(100)? {
            levels.push(rest.level()?);
        }
        (rest.0.is_empty() && !levels.is_empty()).then_some(Self {
            levels,
            input,
            notes,
        })
    }
}

/// Bytes not yet read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<[u8; 8]> {
        self.take(8)?.try_into().ok()
    }

    fn number(&mut self) -> Option<f64> {
        self.word().map(f64::from_le_bytes)
    }

    fn whole(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.word()?)).ok()
    }

    /// A count of things of at least `size` bytes, so many as can follow.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = self.whole()?;
        (count <= self.0.len() / size).then_some(count)
    }

    fn shape(&mut self) -> Option<Shape> {
        Some(Shape {
            components: self.whole()?,
            genus: i64::from_le_bytes(self.word()?),
        })
    }

    fn level(&mut self) -> Option<Level> {
        let node_count = self.count(24)?;
        let mut nodes = Vec::with_capacity(node_count);
        for _ in 0..node_count {
            nodes.push(Vec3::new(self.number()?, self.number()?, self.number()?));
        }
        let tet_count = self.count(16)?;
        let mut tets = Vec::with_capacity(tet_count);
        for _ in 0..tet_count {
            let mut tet = [0; 4];
            for v in &mut tet {
                *v = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
            }
            tets.push(tet);
        }
        if tets.iter().flatten().any(|&v| v as usize >= node_count) {
            return None;
        }
        Some(Level {
            mesh: TetMesh { nodes, tets },
            shape: self.shape()?,
            matched: self.whole()?,
            refused: self.whole()?,
            min_dihedral_deg: self.number()?,
            max_dihedral_deg: self.number()?,
            away_dihedral_deg: (self.number()?, self.number()?),
            min_volume: self.number()?,
            volume_ratio: self.number()?,
            hausdorff_rel: self.number()?,
            farthest_at: Vec3::new(self.number()?, self.number()?, self.number()?),
            boundary_edge: self.number()?,
            edge_mean: self.number()?,
            radius_edge: self.number()?,
            thickened: self.number()?,
            seconds: self.number()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence() -> ResolutionSequence {
        let mesh = TetMesh {
            nodes: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            tets: vec![[0, 1, 2, 3]],
        };
        let shape = Shape {
            components: 1,
            genus: 0,
        };
        let level = Level {
            min_dihedral_deg: 54.7,
            max_dihedral_deg: 90.0,
            away_dihedral_deg: (60.0, 80.0),
            matched: 2,
            refused: 1,
            min_volume: mesh.volume(),
            volume_ratio: 0.9,
            hausdorff_rel: 0.1,
            farthest_at: Vec3::repeat(0.3),
            shape,
            boundary_edge: 1.2,
            edge_mean: mesh.mean_edge(),
            radius_edge: 0.87,
            thickened: 0.0,
            seconds: 0.5,
            mesh,
        };
        ResolutionSequence {
            levels: vec![level.clone(), level],
            input: shape,
            notes: vec!["first".into(), "über".into()],
        }
    }

    #[test]
    fn bytes_come_back_and_no_others_are_taken() {
        let sequence = sequence();
        let bytes = sequence.to_bytes();
        assert_eq!(ResolutionSequence::from_bytes(&bytes), Some(sequence));
        for cut in 0..bytes.len() {
            assert_eq!(
                ResolutionSequence::from_bytes(&bytes[..cut]),
                None,
                "cut at {cut}"
            );
        }
        assert_eq!(
            ResolutionSequence::from_bytes(&[bytes.as_slice(), b"x"].concat()),
            None
        );
        // a node that is not there, and counts that nothing follows
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            if let Some(read) = ResolutionSequence::from_bytes(&changed) {
                assert!(
                    read.levels
                        .iter()
                        .all(|l| l.mesh.tets.iter().flatten().all(|&v| v < 4))
                );
            }
        }
    }
}
