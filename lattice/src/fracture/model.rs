//! A model whose links break.

use std::sync::Arc;

use nalgebra::{Quaternion, UnitQuaternion};
use pliant_core::math::Vec3;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinPart, SurfaceFrame, SurfaceMesh};
use pliant_core::model::SnapshotMismatch;

use crate::asset::LatticeAsset;
use crate::fracture::fracturing::Fracturing;
use crate::fracture::piece_contact::ParticleState;
use crate::fracture::strain::Links;
use crate::fracture::topology::Topology;
use crate::model::LatticeModel;

/// Stands in snapshots for the share of a link that no blade cut.
const UNCUT: f64 = -1.0;

impl LatticeModel {
    /// Ends of the links that have broken since the body was whole, in the order in which they broke; empty for a body that cannot break.
    pub fn broken_links(&self) -> &[[u32; 2]] {
        self.fracturing.as_ref().map_or(&[], |f| &f.broken)
    }

    /// The skin as it is cut now, at rest: its first vertices are those of the skin, then come copies along the cuts and caps. `None` while the skin
    /// is whole.
    pub fn cut_surface(&self) -> Option<&Arc<SurfaceMesh>> {
        let skin = self.fracturing.as_ref()?.skin.as_ref()?;
        Some(&skin.drawn()?.surface)
    }

    /// Completes a frame of the whole skin by the cut one, and corrects the vertices along cuts.
    pub(crate) fn write_cut(&self, out: &mut SurfaceFrame) {
        let skin = self.fracturing.as_ref().and_then(|f| f.skin.as_ref());
        let Some((skin, drawn)) = skin.and_then(|s| Some((s, s.drawn()?))) else {
            out.cut = None;
            return;
        };
        let cut = CutSurface::update(
            &mut out.cut,
            &drawn.surface,
            &drawn.copied,
            &drawn.sharp,
            &drawn.caps(),
        );
        cut.frame.positions.clone_from(&out.positions);
        cut.frame.normals.clone_from(&out.normals);
        skin.write(&self.asset, &self.x, &self.q, &mut cut.frame);
        let whole = SkinPart {
            positions: &mut out.positions[..],
            normals: &mut out.normals[..],
        };
        skin.write_parted(&self.asset, &self.x, &self.q, &cut.frame, whole);
    }

    /// Finds the pieces and lips that may touch each other in a frame of `duration` seconds.
    pub(crate) fn find_piece_contact(&mut self, duration: f64) {
        let Some(f) = self.fracturing.as_deref_mut() else {
            return;
        };
        let sleepers = &f.sleepers;
        if f.broken.is_empty() || sleepers.all_asleep() {
            f.piece_contact.clear();
            return;
        }
        f.piece_contact.find(
            (&self.asset, &f.whole),
            f.topology.sites(),
            &ParticleState {
                x: &self.x,
                v: &self.v,
                inverse_mass: &self.inverse_mass,
            },
            duration,
            |piece| sleepers.is_asleep(piece),
        );
    }

    /// Whether pieces or lips may touch each other in this frame.
    pub(crate) fn has_piece_contact(&self) -> bool {
        self.fracturing
            .as_ref()
            .is_some_and(|f| !f.piece_contact.is_idle())
    }

    /// Keeps pieces and lips apart in a step of `h` seconds.
    pub(crate) fn solve_piece_contact(&mut self, h: f64) {
        if let Some(f) = &mut self.fracturing {
            f.piece_contact
                .solve(&self.x, &mut self.v, &self.inverse_mass, h);
        }
    }

    /// Looks for links that are strained too much before the last step of a frame.
    pub(crate) fn note_stretched(&mut self) {
        if let Some(f) = self.fracturing.as_mut().filter(|f| f.limits.by_strain()) {
            f.noted = f.links.beyond(&f.limits, &self.x, &self.center);
        }
    }

    /// Breaks the noted links that still are strained too much, and those that blades crossed, and lets pieces part. Returns whether there were any.
    pub(crate) fn fracture(&mut self) -> bool {
        let Some(f) = &mut self.fracturing else {
            return false;
        };
        let noted = std::mem::take(&mut f.noted);
        let breaking = f.links.still_beyond(&f.limits, &noted, &self.x);
        for link in &breaking {
            f.links.forget(link.ends);
        }
        let mut ends: Vec<[u32; 2]> = breaking.iter().map(|link| link.ends).collect();
        let whole = |link: &[u32; 2]| self.bones.hold(*link);
        let mut crossed = f.blades.crossed(&f.links, &self.last_good.x, &self.x);
        crossed.retain(|(link, _)| !whole(link) && f.links.forget(*link));
        let mut shares = vec![None; ends.len()];
        for (link, share) in crossed {
            ends.push(link);
            shares.push(Some(share));
        }
        self.cut_links(&ends, &shares);
        !ends.is_empty()
    }

    /// Breaks the links between these ends, whatever their length. Returns how many there were.
    ///
    /// Nothing happens to a body that cannot break.
    pub fn break_links(&mut self, links: &[[u32; 2]]) -> usize {
        let Some(f) = &mut self.fracturing else {
            return 0;
        };
        let mut ends = links.to_vec();
        ends.retain(|l| f.links.forget(*l));
        self.cut_links(&ends, &vec![None; ends.len()]);
        self.match_shapes(false);
        ends.len()
    }

    /// Breaks links that are forgotten already, each at the share at which a blade cut it, if one did, and lets pieces part.
    fn cut_links(&mut self, ends: &[[u32; 2]], shares: &[Option<f64>]) {
        let Some(f) = self.fracturing.as_mut().filter(|_| !ends.is_empty()) else {
            return;
        };
        let (x, q) = (&self.x, &self.q);
        let asset = Arc::make_mut(&mut self.asset);
        let change = f
            .topology
            .cut(asset, ends, |asset, r| misfit(asset, r, x, &q[r]));
        self.account.dissipated += self.stiffness * change.released;
        f.broken.extend_from_slice(ends);
        f.shares.extend_from_slice(shares);
        f.partings += 1;
        f.pieces.broke(f.topology.sites(), ends);
        f.piece_contact.links_broke(f.topology.sites(), ends);
        let parted = f.pieces.find(&f.links);
        let before = parted.map(|now| std::mem::replace(&mut asset.component, now));
        if before.is_some() {
            self.supported = asset.supported();
        }
        let mut held = self.supported.clone();
        for p in self.bones.particles() {
            held[p as usize] = true;
        }
        f.sleepers.broke(asset, before.as_deref(), ends, &held);
        if let Some(skin) = &mut f.skin {
            skin.broke(asset, f.topology.sites(), ends, shares);
        }
        if let Some(fast) = &mut self.fast {
            fast.update(&self.asset, &change.regions, &change.particles);
        }
        self.change_sleepers();
    }

    /// What a snapshot has of each broken link: its ends, and the share at which a blade cut it, or [`UNCUT`].
    pub(crate) fn broken_numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let shares = self.fracturing.iter().flat_map(|f| &f.shares);
        let links = self.broken_links().iter().zip(shares);
        links.flat_map(|([p, q], share)| [f64::from(*p), f64::from(*q), share.unwrap_or(UNCUT)])
    }

    /// Breaks exactly the links of a snapshot by the numbers that [`LatticeModel::broken_numbers`] gave.
    pub(crate) fn restore_links(&mut self, numbers: &[f64]) -> Result<(), SnapshotMismatch> {
        let broken = numbers.chunks_exact(3);
        let ends = |l: &[f64]| [l[0] as u32, l[1] as u32];
        let wanted: Vec<[u32; 2]> = broken.clone().map(ends).collect();
        let shares: Vec<Option<f64>> = broken.map(|l| (l[2] >= 0.0).then_some(l[2])).collect();
        if wanted == self.broken_links() {
            return Ok(());
        }
        let Some(f) = &self.fracturing else {
            return Err(SnapshotMismatch);
        };
        let mut links = Links::new(&f.whole, Topology::new(&f.whole).sites());
        if !wanted.iter().all(|l| links.forget(*l)) {
            return Err(SnapshotMismatch);
        }
        self.mend();
        if let Some(f) = &mut self.fracturing {
            f.links = links;
        }
        self.cut_links(&wanted, &shares);
        self.match_shapes(false);
        Ok(())
    }

    /// Makes the body whole again.
    pub(crate) fn mend(&mut self) {
        self.wake_all_pieces();
        let Some(f) = self.fracturing.as_mut().filter(|f| !f.broken.is_empty()) else {
            return;
        };
        let partings = f.partings + 1;
        **f = Fracturing::new(&f.whole, f.limits);
        f.partings = partings;
        self.asset = f.lattice();
        self.supported = self.asset.supported();
        if let Some(fast) = &mut self.fast {
            **fast = crate::step::single::fast::Fast::new(&self.asset);
        }
    }
}

/// `Σ m̃ |x − T x⁰|²` of a region whose rotation is `q`, kg·m².
fn misfit(asset: &LatticeAsset, region: usize, x: &[Vec3], q: &[f64; 4]) -> f64 {
    let members = || asset.plan.members(region);
    let center = members().map(|p| x[p] * asset.share[p]).sum::<Vec3>() / asset.region_mass[region];
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
        .to_rotation_matrix();
    let rest = asset.region_center[region];
    let off = |p: usize| (x[p] - center - rotation * (asset.rest[p] - rest)).norm_squared();
    let sum: f64 = members().map(|p| asset.share[p] * off(p)).sum();
    sum * asset.stiffness_weight_of(region)
}
