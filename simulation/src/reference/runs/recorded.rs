//! What is kept of a reference run, and its file in the cache.

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
        let forces = out.wrenches.iter().map(|w| w.force.norm());
        let grabs = out.grab_forces.iter().map(Vec3::norm);
        // a hand that holds nothing has no grab
        let all = forces.chain(grabs).chain(std::iter::repeat(0.0));
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
        let mut bytes = MAGIC.to_vec();
        let count = |bytes: &mut Vec<u8>, n: usize| bytes.extend((n as u64).to_le_bytes());
        count(&mut bytes, self.nodes);
        bytes.extend(self.seconds.to_le_bytes());
        count(&mut bytes, self.forces.len());
        for curve in &self.forces {
            count(&mut bytes, curve.len());
            bytes.extend(curve.iter().flat_map(|x| x.to_le_bytes()));
        }
        count(&mut bytes, self.probes.len());
        for curve in &self.probes {
            count(&mut bytes, curve.len());
            let numbers = curve.iter().flat_map(|v| [v.x, v.y, v.z]);
            bytes.extend(numbers.flat_map(f64::to_le_bytes));
        }
        count(&mut bytes, self.surfaces.len());
        for (frame, surface) in self.surface_frames.iter().zip(&self.surfaces) {
            bytes.extend(frame.to_le_bytes());
            count(&mut bytes, surface.len());
            bytes.extend(surface.iter().flatten().flat_map(|x| x.to_le_bytes()));
        }
        bytes
    }

    /// The run from its bytes; `None` where they are something else or end too early.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = Bytes(bytes.strip_prefix(MAGIC.as_slice())?);
        let mut run = Self {
            nodes: rest.count()?,
            seconds: rest.number()?,
            ..Self::default()
        };
        for _ in 0..rest.count()? {
            let length = rest.count()?;
            run.forces.push(rest.numbers(length)?);
        }
        for _ in 0..rest.count()? {
            let length = rest.count()?;
            let numbers = rest.numbers(length.checked_mul(3)?)?;
            let vectors = numbers.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2]));
            run.probes.push(vectors.collect());
        }
        for _ in 0..rest.count()? {
            run.surface_frames
                .push(u32::from_le_bytes(*rest.take::<4>()?));
            let length = rest.count()?;
            let flat = rest.slice(length.checked_mul(12)?)?;
            let position = |c: &[u8]| {
                let at = |k: usize| f32::from_le_bytes([c[k], c[k + 1], c[k + 2], c[k + 3]]);
                [at(0), at(4), at(8)]
            };
            run.surfaces
                .push(flat.chunks_exact(12).map(position).collect());
        }
        rest.0.is_empty().then_some(run)
    }
}

/// Bytes that are still to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(head)
    }

    fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(*self.take()?)).ok()
    }

    fn number(&mut self) -> Option<f64> {
        self.take().map(|b| f64::from_le_bytes(*b))
    }

    fn numbers(&mut self, length: usize) -> Option<Vec<f64>> {
        let flat = self.slice(length.checked_mul(8)?)?;
        let (chunks, _) = flat.as_chunks::<8>();
        Some(chunks.iter().map(|b| f64::from_le_bytes(*b)).collect())
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
