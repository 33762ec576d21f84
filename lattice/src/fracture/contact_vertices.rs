//! The vertices through which tools, loads and other bodies act on a broken body.
//!
//! A vertex in a parted cell moves with the corners of its own part only, and so does a corner of a cap. With the weights of the whole cell it would lie between pieces that have moved apart, and a
//! tool that touches one piece would also accelerate the others.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::PartedSurface;

use crate::fracture::skin::{CutSkin, VertexBinding};
use crate::model::LatticeModel;

impl LatticeModel {
    fn cut_skin(&self) -> Option<&CutSkin> {
        self.fracture.as_ref()?.skin.as_ref()
    }

    /// The surface that other bodies touch; `None` while the skin is whole. It is rebuilt from the list of broken links, so that it does not depend on the frames in which they broke: a restored body
    /// is touched in the same places. Cost: that of breaking all of these links at once ([`CutSkin::update`]), and some microseconds a vertex of a cut.
    pub(crate) fn build_parted_surface(&self) -> Option<PartedSurface> {
        let f = self.fracture.as_ref()?;
        let skin = self
            .cut_skin()
            .filter(|skin| skin.closed_surface().is_some())?;
        let mut rebuilt = skin.uncut(&f.whole)?;
        let sites = f.topology.sites();
        rebuilt.update(&self.asset, sites, &f.broken, &f.cut_fractions);
        rebuilt.parted_surface(&self.asset, sites)
    }

    /// Number of contact vertices: those of the skin, then corners of caps.
    pub(crate) fn contact_vertex_count(&self) -> usize {
        let skin = self.asset.embedding.len();
        self.cut_skin().map_or(skin, CutSkin::contact_vertex_count)
    }

    /// The binding of a contact vertex, if it does not follow its whole cell.
    fn binding(&self, vertex: u32) -> Option<&VertexBinding> {
        self.cut_skin()?.contact_binding(vertex)
    }

    /// The piece of a contact vertex.
    pub(crate) fn piece_of_vertex(&self, vertex: u32) -> Option<u32> {
        if vertex as usize >= self.contact_vertex_count() {
            return None;
        }
        if let Some(binding) = self.binding(vertex) {
            return Some(binding.piece(&self.asset));
        }
        let first = self.asset.embedding.row(vertex as usize).0.first()?;
        Some(self.asset.component[*first as usize])
    }

    /// The piece of a contact vertex, and its position, m.
    pub(crate) fn piece_and_position(&self, vertex: u32) -> Option<(u32, Vec3)> {
        let piece = self.piece_of_vertex(vertex)?;
        let place = match self.binding(vertex) {
            Some(binding) => binding.position_and_normal(&self.asset, &self.x, &self.q).0,
            None => self.asset.embedding.interpolate(vertex as usize, &self.x),
        };
        Some((piece, place))
    }

    /// Maps the constraints of a frame to particles, in a body that can break; constraints on sleeping pieces are left out. A vertex keeps an offset from the weighted mean of its particles, which
    /// turns with their regions. This offset is subtracted from the target.
    pub(crate) fn map_constraints(&mut self, constraints: &[DisplacementConstraint]) {
        let Some(f) = &mut self.fracture else {
            return;
        };
        let mut mapped = std::mem::take(&mut f.mapped_constraints);
        mapped.rows.clear();
        mapped.constraints.clear();
        let awake = self.sleep_state().map(|s| s.awake_constraints(constraints));
        for (k, c) in awake.unwrap_or(constraints).iter().enumerate() {
            let mut moved = DisplacementConstraint {
                vertex: k as u32,
                ..*c
            };
            mapped.rows.push(self.particles_of_vertex(c.vertex), 0.0);
            if let Some(binding) = self.binding(c.vertex) {
                let (place, _) = binding.position_and_normal(&self.asset, &self.x, &self.q);
                moved.target -= place - mapped.rows.interpolate(k, &self.x);
            }
            mapped.constraints.push(moved);
        }
        if let Some(f) = &mut self.fracture {
            f.mapped_constraints = mapped;
        }
    }

    /// The particles and weights of a contact vertex.
    pub(crate) fn particles_of_vertex(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        let binding = self.binding(vertex);
        let whole = || self.asset.embedding.entries(vertex as usize);
        let whole = binding.is_none().then(whole);
        let part = binding.into_iter().flat_map(VertexBinding::weights);
        part.chain(whole.into_iter().flatten())
    }
}
