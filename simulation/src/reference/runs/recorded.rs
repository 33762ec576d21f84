//! What is kept of a reference run, and its file in the cache.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};
use pliant_core::math::Vec3;

use crate::world::World;

/// First bytes of a stored run; they change with the layout.
const MAGIC: &[u8; 8] = b"PLREF001";

/// One run of a scene on one level of finite elements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedRun {
    /// Nodes of the level.
    pub nodes: usize,
    /// Wall time of the run, s. Never enters another result.
    pub seconds: f64,
    /// Norm of the force (N) of each tool, then of each grab, then of what a hand held if it held anything, in each frame: `forces[curve][frame]`. Zero while nothing is held.
    pub forces: Vec<Vec<f64>>,
    /// Value (m) of each probe in each frame: `probes[probe][frame]`.
    pub probes: Vec<Vec<Vec3>>,
    /// Skin positions (m) of the frames `surface_frames`.
    pub surfaces: Vec<Vec<[f32; 3]>>,
    /// Numbers of the frames whose skin is kept, ascending; 0 is the first frame after rest.
    pub surface_frames: Vec<u32>,
}

impl RecordedRun {
    /// An empty run with room for these curves of forces, and probes.
    pub(super) fn new(nodes: usize, forces: usize, probes: usize) -> Self {
        Self {
            nodes,
            forces: vec![Vec::new(); forces],
            probes: vec![Vec::new(); probes],
            ..Self::default()
        }
    }

    /// Number of recorded frames.
    pub fn frames(&self) -> usize {
        let curves = self.forces.iter().map(Vec::len);
        curves
            .chain(self.probes.iter().map(Vec::len))
            .max()
            .or(self.surface_frames.last().map(|f| *f as usize + 1))
            .unwrap_or(0)
    }

    /// Adds the last frame of `world`, and its skin where `keep_surface` is set.
    pub(super) fn record(&mut self, world: &World, keep_surface: bool) {
        let out = world.output();
        // a hand that holds nothing has no grab
        let all = out.force_norms().chain(std::iter::repeat(0.0));
        for (curve, force) in self.forces.iter_mut().zip(all) {
            curve.push(force);
        }
        for (curve, value) in self.probes.iter_mut().zip(&out.probes) {
            curve.push(*value);
        }
        if keep_surface {
            self.surfaces.push(world.frame().positions.clone());
            self.surface_frames
                .push(u32::try_from(world.frame_index().saturating_sub(1)).unwrap_or(u32::MAX));
        }
    }

    /// The kept skin of frame `frame`.
    pub fn surface(&self, frame: usize) -> Option<&[[f32; 3]]> {
        let frame = u32::try_from(frame).ok()?;
        let at = self.surface_frames.binary_search(&frame).ok()?;
        self.surfaces.get(at).map(Vec::as_slice)
    }

    /// The run as bytes: magic, then little-endian counts and arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter::<u64>::new(MAGIC.to_vec());
        out.length(self.nodes);
        out.f64(self.seconds);
        out.items(&self.forces, |out, curve| out.list(curve));
        out.items(&self.probes, |out, curve| out.list(curve));
        out.length(self.surfaces.len());
        for (frame, surface) in self.surface_frames.iter().zip(&self.surfaces) {
            out.u32(*frame);
            out.list(surface);
        }
        out.into_bytes()
    }

    /// The run from its bytes; `None` where they are something else or end too early.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = ByteReader::new(bytes.strip_prefix(MAGIC.as_slice())?);
        let run = Self::read(&mut input).ok()?;
        input.finish().is_ok().then_some(run)
    }

    fn read(input: &mut ByteReader<'_, u64>) -> Result<Self, BytesError> {
        let mut run = Self {
            nodes: input.u64()? as usize,
            seconds: input.f64()?,
            forces: input.items(8, ByteReader::list)?,
            probes: input.items(8, ByteReader::list)?,
            ..Self::default()
        };
        for _ in 0..input.count(12)? {
            run.surface_frames.push(input.u32()?);
            run.surfaces.push(input.list()?);
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_comes_back_from_its_bytes_and_a_torn_file_is_refused() {
        let run = RecordedRun {
            nodes: 7,
            seconds: 1.5,
            forces: vec![vec![1.0, 2.0], vec![]],
            probes: vec![vec![Vec3::new(1.0, 2.0, 3.0)]],
            surfaces: vec![vec![[0.5, 1.5, 2.5], [3.0, 4.0, 5.0]]],
            surface_frames: vec![14],
        };
        let bytes = run.to_bytes();
        assert_eq!(RecordedRun::from_bytes(&bytes), Some(run.clone()));
        assert_eq!(run.frames(), 2);
        assert_eq!(run.surface(14).map(<[_]>::len), Some(2));
        assert!(run.surface(13).is_none());
        for end in 0..bytes.len() {
            assert!(RecordedRun::from_bytes(&bytes[..end]).is_none());
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(RecordedRun::from_bytes(&longer).is_none());
        // a count that promises more than there is asks for no memory
        let mut absurd = bytes;
        absurd[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(RecordedRun::from_bytes(&absurd).is_none());
    }
}
