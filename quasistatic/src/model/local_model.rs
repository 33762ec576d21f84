//! The force-feedback local model of the last frame.

use pliant_core::math::Vec3;

use crate::haptics::LocalModel;
use crate::haptics::local::NO_TOOL;
use crate::model::QuasistaticModel;

impl QuasistaticModel {
    /// Writes the contact of the last frame for a servo loop, with the tools at `origins` (m). `owner_of` names the tool of each skin vertex that pushes.
    ///
    /// `out` keeps its memory, and its epoch rises by one; a caller that reuses several models sets the epoch itself. Cost: `2 m³` where the set was
    /// factorised, a copy where its inverse is cached.
    pub fn write_local_model(
        &mut self,
        origins: &[Vec3],
        owner_of: impl Fn(u32) -> Option<u32>,
        out: &mut LocalModel,
    ) {
        let stiffness = 1.0 / self.settings.compliance_scale(&self.asset);
        out.epoch += 1;
        out.origins.clear();
        out.origins.extend_from_slice(origins);
        out.directions.clear();
        out.owners.clear();
        out.forces.clear();
        let inverse = &mut self.work.inverse;
        for row in self.solver.write_inverse(inverse) {
            let solved = self.work.rows.iter().position(|other| other == row);
            out.directions.push(row.direction);
            let owner = Some(row.vertex).filter(|_| row.unilateral);
            out.owners.push(
                owner
                    .and_then(|v| owner_of(self.coarse.vertex_of(v)))
                    .unwrap_or(NO_TOOL),
            );
            let force = solved.map_or(0.0, |k| self.work.force[k]);
            out.forces.push(force * stiffness);
        }
        inverse.iter_mut().for_each(|entry| *entry *= stiffness);
        out.set_responses(inverse);
        out.friction.clear();
        out.friction.resize(origins.len(), Vec3::zeros());
        for contact in &self.state.friction {
            let owner = owner_of(contact.vertex).and_then(|k| out.friction.get_mut(k as usize));
            if let Some(sum) = owner {
                *sum += contact.force;
            }
        }
    }
}
