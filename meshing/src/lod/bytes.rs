//! A hierarchy as bytes, for a cache.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};
use pliant_core::mesh::TetMesh;

use super::level::Level;
use super::resolution_sequence::ResolutionSequence;
use super::shape::Shape;

/// Begins the bytes; its last digit is the version.
const MAGIC: &[u8] = b"pliant levels 2\n";

type Writer = ByteWriter<u64>;
type Reader<'a> = ByteReader<'a, u64>;

impl ResolutionSequence {
    /// The hierarchy as bytes: magic, then little-endian arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(MAGIC.to_vec());
        write_shape(&mut out, &self.input);
        out.items(&self.notes, |out, note| out.text(note));
        out.items(&self.levels, |out, level| {
            out.list(&level.mesh.nodes);
            out.list(&level.mesh.tets);
            write_shape(out, &level.shape);
            out.length(level.matched);
            out.length(level.refused);
            out.values(&[
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
            ]);
        });
        out.into_bytes()
    }

    /// Takes back what [`ResolutionSequence::to_bytes`] wrote, to the bit; `None` for anything else. No bytes make it panic or allocate
    /// more than they are long.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = Reader::new(bytes.strip_prefix(MAGIC)?);
        let sequence = read_sequence(&mut input).ok()?;
        input.finish().ok()?;
        let is_sound = |mesh: &TetMesh| {
            let mut corners = mesh.tets.as_flattened().iter();
            corners.all(|&v| (v as usize) < mesh.nodes.len())
        };
        let levels = &sequence.levels;
        (!levels.is_empty() && levels.iter().all(|l| is_sound(&l.mesh))).then_some(sequence)
    }
}

fn write_shape(out: &mut Writer, shape: &Shape) {
    out.length(shape.components);
    out.value(&shape.genus);
}

fn read_sequence(input: &mut Reader<'_>) -> Result<ResolutionSequence, BytesError> {
    Ok(ResolutionSequence {
        input: read_shape(input)?,
        notes: input.items(8, Reader::text)?,
        levels: input.items(100, read_level)?,
    })
}

fn read_shape(input: &mut Reader<'_>) -> Result<Shape, BytesError> {
    Ok(Shape {
        components: input.u64()? as usize,
        genus: input.value()?,
    })
}

fn read_level(input: &mut Reader<'_>) -> Result<Level, BytesError> {
    Ok(Level {
        mesh: TetMesh {
            nodes: input.list()?,
            tets: input.list()?,
        },
        shape: read_shape(input)?,
        matched: input.u64()? as usize,
        refused: input.u64()? as usize,
        min_dihedral_deg: input.f64()?,
        max_dihedral_deg: input.f64()?,
        away_dihedral_deg: (input.f64()?, input.f64()?),
        min_volume: input.f64()?,
        volume_ratio: input.f64()?,
        hausdorff_rel: input.f64()?,
        farthest_at: input.value()?,
        boundary_edge: input.f64()?,
        edge_mean: input.f64()?,
        radius_edge: input.f64()?,
        thickened: input.f64()?,
        seconds: input.f64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;

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
            let read = ResolutionSequence::from_bytes(&bytes[..cut]);
            assert_eq!(read, None, "cut at {cut}");
        }
        let longer = [bytes.as_slice(), b"x"].concat();
        assert_eq!(ResolutionSequence::from_bytes(&longer), None);
        // a node that is not there, and counts that nothing follows
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            if let Some(read) = ResolutionSequence::from_bytes(&changed) {
                let mut tets = read.levels.iter().flat_map(|l| &l.mesh.tets);
                assert!(tets.all(|t| t.iter().all(|&v| v < 4)));
            }
        }
    }
}
