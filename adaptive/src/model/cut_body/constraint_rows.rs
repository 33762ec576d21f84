//! Constraints and loads of a frame on the active nodes of a cut.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

use crate::model::cut_body::state::CutBody;

impl CutBody {
    /// Computes the rows of the constraints and loads of a frame over active nodes.
    pub(crate) fn attach(&mut self, boundary: &BoundaryConditions) {
        let Self {
            dynamics,
            touched,
            constraints,
            embedding,
            scratch,
            is_attached,
            attached,
            row_nodes,
            loaded,
            ..
        } = self;
        constraints.clear();
        constraints.extend(boundary.displacements().iter().enumerate().map(|(k, c)| {
            let vertex = k as u32;
            DisplacementConstraint { vertex, ..*c }
        }));
        let vertices = || boundary.displacements().iter().map(|c| c.vertex);
        if !*is_attached || !vertices().eq(attached.iter().copied()) {
            attached.clear();
            attached.extend(vertices());
            touched.clear();
            let mut rows = Vec::with_capacity(attached.len());
            for &vertex in attached.iter() {
                let row = dynamics.active_row(vertex as usize, scratch);
                touched.extend(row.iter().map(|(n, _)| *n));
                rows.push((row, 0.0));
            }
            *row_nodes = touched.len();
            touched.sort_unstable();
            touched.dedup();
            *embedding = SkinEmbedding::from_rows(rows);
            *is_attached = true;
        }
        for n in loaded.drain(..) {
            dynamics.loads[n as usize] = Vec3::zeros();
        }
        for load in boundary.loads() {
            if (load.vertex as usize) < dynamics.blend.len() {
                for (n, w) in dynamics.active_row(load.vertex as usize, scratch) {
                    dynamics.loads[n as usize] += load.force * w;
                    loaded.push(n);
                }
            }
        }
    }
}
