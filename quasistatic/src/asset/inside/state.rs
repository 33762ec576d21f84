//! Displacement and stress of a point inside in a frame.

use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;

use super::rows::{InsidePoint, StressRow};

/// All loads on a body in a frame.
pub(crate) struct AppliedLoads<'a> {
    /// forces on free boundary nodes times the compliance_scale, N
    pub nodal: [&'a [(u32, Vec3)]; 2],
    /// gravity times the scale of the density, m/s²
    pub gravity: Vec3,
    /// load on each point, N
    pub loads: &'a [Vec3],
    /// compliance over the baked one
    pub compliance_scale: f64,
}

impl InsidePoint {
    /// Displacement and stress of the point under all loads. Cost: a block product and six dot products for each loaded node.
    pub(crate) fn response_to(&self, applied: &AppliedLoads<'_>) -> PointState {
        let (mut displacement, mut stress) = (Vec3::zeros(), [0.0; 6]);
        for (node, force) in applied.nodal.iter().copied().flatten() {
            displacement += self.displacement[*node as usize] * force;
            add(&mut stress, &self.stress[*node as usize], force);
        }
        for value in &mut stress {
            *value /= applied.compliance_scale;
        }
        displacement += self.gravity * (applied.gravity * applied.compliance_scale);
        add(&mut stress, &self.gravity_stress, &applied.gravity);
        for (response, load) in self.of_points.iter().zip(applied.loads) {
            displacement += response.displacement * (load * applied.compliance_scale);
            add(&mut stress, &response.stress, load);
        }
        PointState {
            displacement,
            stress,
        }
    }
}

fn add(stress: &mut [f64; 6], row: &StressRow, force: &Vec3) {
    for (value, row) in stress.iter_mut().zip(row) {
        *value += row.dot(force);
    }
}
