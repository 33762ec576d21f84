//! A model whose links break.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinPart, SurfaceFrame, SurfaceMesh};
use pliant_core::model::SnapshotMismatch;

use crate::asset::LatticeAsset;
use crate::fracture::blades::leave_out_lips;
use crate::fracture::fracture_state::FractureState;
use crate::fracture::piece_contact::ParticleState;
use crate::fracture::strain::Links;
use crate::fracture::topology::Topology;
use crate::model::LatticeModel;
use crate::step::rotation::newton::unit_quaternion;
use crate::step::single::single_precision::SinglePrecision;

/// In snapshots: no blade cut this link.
const NO_CUT_FRACTION: f64 = -1.0;

impl LatticeModel {
    /// Ends of the links that have broken since the body was whole, in the order in which they broke; empty for a body that cannot break.
    pub fn broken_links(&self) -> &[[u32; 2]] {
        self.fracture.as_ref().map_or(&[], |f| &f.broken)
    }

    /// The cut skin at rest: first the vertices of the skin, then copies along the cuts, and caps. `None` while the skin is whole.
    pub fn cut_surface(&self) -> Option<&Arc<SurfaceMesh>> {
        let skin = self.fracture.as_ref()?.skin.as_ref()?;
        Some(&skin.closed_surface()?.undeformed.surface)
    }

    /// Adds the cut skin to a frame of the whole skin, and corrects the vertices of the whole skin along cuts.
    pub(crate) fn write_cut_surface(&self, out: &mut SurfaceFrame) {
        let skin = self.fracture.as_ref().and_then(|f| f.skin.as_ref());
        let Some((skin, closed)) = skin.and_then(|s| Some((s, s.closed_surface()?))) else {
            out.cut = None;
            return;
        };
        let cut = CutSurface::update(&mut out.cut, &closed.undeformed);
        cut.frame.positions.clone_from(&out.positions);
        cut.frame.normals.clone_from(&out.normals);
        skin.write(&self.asset, &self.x, &self.q, &mut cut.frame);
        let whole = SkinPart {
            positions: &mut out.positions[..],
            normals: &mut out.normals[..],
        };
        skin.write_contact_vertices(&self.asset, &self.x, &self.q, &cut.frame, whole);
    }

    /// Finds the pieces and lips that may touch each other in a frame of `duration` seconds.
    pub(crate) fn find_piece_contact(&mut self, duration: f64) {
        let Some(f) = self.fracture.as_deref_mut() else {
            return;
        };
        let sleep = &f.sleep;
        if f.broken.is_empty() || sleep.all_asleep() {
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
            |piece| sleep.is_asleep(piece),
        );
    }

    /// Whether pieces or lips may touch each other in this frame.
    pub(crate) fn has_piece_contact(&self) -> bool {
        self.fracture
            .as_ref()
            .is_some_and(|f| !f.piece_contact.is_idle())
    }

    /// Finds overstrained links before the last step of a frame.
    pub(crate) fn find_overstrained_links(&mut self) {
        if let Some(f) = self
            .fracture
            .as_mut()
            .filter(|f| f.limits.breaks_by_strain())
        {
            f.overstrained = f.links.find_overstrained(&f.limits, &self.x, &self.center);
        }
    }

    /// Breaks the links that are still overstrained and those that blades crossed, and separates pieces. Returns whether any link broke.
    pub(crate) fn fracture(&mut self) -> bool {
        let Some(f) = &mut self.fracture else {
            return false;
        };
        let overstrained = std::mem::take(&mut f.overstrained);
        let breaking = f
            .links
            .select_overstrained(&f.limits, &overstrained, &self.x);
        for link in &breaking {
            f.links.remove(link.ends);
        }
        let mut ends: Vec<[u32; 2]> = breaking.iter().map(|link| link.ends).collect();
        let in_bone = |link: &[u32; 2]| self.bones.holds_both_ends(*link);
        let mut crossed = f.blades.crossed(&f.links, &self.last_good.x, &self.x);
        let earlier = f.broken.iter().zip(&f.cut_fractions);
        let earlier = earlier.filter_map(|(link, fraction)| Some((*link, (*fraction)?)));
        let rest = |p: u32| self.asset.rest_position(p as usize);
        let linked = |p: u32| f.topology.sites().linked(p as usize);
        leave_out_lips(&mut crossed, earlier, rest, linked);
        crossed.retain(|(link, _)| !in_bone(link) && f.links.remove(*link));
        let mut fractions = vec![None; ends.len()];
        for (link, fraction) in crossed {
            ends.push(link);
            fractions.push(Some(fraction));
        }
        self.cut_links(&ends, &fractions);
        !ends.is_empty()
    }

    /// Breaks the links between these ends, whatever their strain. Returns their number; 0 for a body that cannot break.
    pub fn break_links(&mut self, links: &[[u32; 2]]) -> usize {
        let Some(f) = &mut self.fracture else {
            return 0;
        };
        let mut ends = links.to_vec();
        ends.retain(|l| f.links.remove(*l));
        self.cut_links(&ends, &vec![None; ends.len()]);
        self.match_shapes(false);
        ends.len()
    }

    /// Breaks links that are already removed from the list of links, and separates pieces. `fractions` says where along each link a blade cut it, if one did.
    fn cut_links(&mut self, ends: &[[u32; 2]], fractions: &[Option<f64>]) {
        let Some(f) = self.fracture.as_mut().filter(|_| !ends.is_empty()) else {
            return;
        };
        let (x, q) = (&self.x, &self.q);
        let asset = Arc::make_mut(&mut self.asset);
        let change = f
            .topology
            .cut(asset, ends, |asset, r| misfit(asset, r, x, &q[r]));
        self.account.dissipated += self.stiffness * change.released_misfit;
        f.broken.extend_from_slice(ends);
        f.cut_fractions.extend_from_slice(fractions);
        f.surface_revision += 1;
        f.pieces.note_broken(f.topology.sites(), ends);
        f.piece_contact
            .update_broken_links(f.topology.sites(), ends);
        let pieces = f.pieces.find(&f.links);
        let before = pieces.map(|new| std::mem::replace(&mut asset.component, new));
        if before.is_some() {
            self.supported = asset.supported();
        }
        let mut held = self.supported.clone();
        for p in self.bones.particles() {
            held[p as usize] = true;
        }
        f.sleep.update(asset, before.as_deref(), ends, &held);
        if let Some(skin) = &mut f.skin {
            skin.update(asset, f.topology.sites(), ends, fractions);
        }
        if let Some(fast) = &mut self.fast {
            fast.kernel
                .update(&self.asset, &change.regions, &change.particles);
        }
        self.update_sleeping_particles();
    }

    /// The snapshot values of each broken link: its ends, and the fraction of its length at which a blade cut it, or [`NO_CUT_FRACTION`].
    pub(crate) fn broken_link_values(&self) -> impl Iterator<Item = f64> + '_ {
        let fractions = self.fracture.iter().flat_map(|f| &f.cut_fractions);
        let links = self.broken_links().iter().zip(fractions);
        links.flat_map(|([p, q], fraction)| {
            let fraction = fraction.unwrap_or(NO_CUT_FRACTION);
            [f64::from(*p), f64::from(*q), fraction]
        })
    }

    /// Breaks exactly the links of a snapshot, from the numbers of [`LatticeModel::broken_link_values`].
    pub(crate) fn restore_links(&mut self, numbers: &[f64]) -> Result<(), SnapshotMismatch> {
        let broken = numbers.chunks_exact(3);
        let ends = |l: &[f64]| [l[0] as u32, l[1] as u32];
        let saved: Vec<[u32; 2]> = broken.clone().map(ends).collect();
        let fractions: Vec<Option<f64>> = broken.map(|l| (l[2] >= 0.0).then_some(l[2])).collect();
        if saved == self.broken_links() {
            return Ok(());
        }
        let Some(f) = &self.fracture else {
            return Err(SnapshotMismatch);
        };
        let mut links = Links::new(&f.whole, Topology::new(&f.whole).sites());
        if !saved.iter().all(|l| links.remove(*l)) {
            return Err(SnapshotMismatch);
        }
        self.restore_whole();
        if let Some(f) = &mut self.fracture {
            f.links = links;
        }
        self.cut_links(&saved, &fractions);
        self.match_shapes(false);
        Ok(())
    }

    /// Makes the body whole again.
    pub(crate) fn restore_whole(&mut self) {
        self.wake_all_pieces();
        let Some(f) = self.fracture.as_mut().filter(|f| !f.broken.is_empty()) else {
            return;
        };
        let surface_revision = f.surface_revision + 1;
        **f = FractureState::new(&f.whole, f.limits);
        f.surface_revision = surface_revision;
        self.asset = f.clone_whole();
        self.supported = self.asset.supported();
        if let Some(fast) = &mut self.fast {
            **fast = SinglePrecision::new(&self.asset);
        }
    }
}

/// `Σ m̃ |x − T x⁰|²` of a region whose rotation is `q`, kg·m².
fn misfit(asset: &LatticeAsset, region: usize, x: &[Vec3], q: &[f64; 4]) -> f64 {
    let members = || asset.plan.members(region);
    let center = members().map(|p| x[p] * asset.share[p]).sum::<Vec3>() / asset.region_mass[region];
    let rotation = unit_quaternion(*q).to_rotation_matrix();
    let rest = asset.region_center[region];
    let off = |p: usize| (x[p] - center - rotation * (asset.rest[p] - rest)).norm_squared();
    let sum: f64 = members().map(|p| asset.share[p] * off(p)).sum();
    sum * asset.stiffness_weight_of(region)
}
