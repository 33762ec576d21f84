//! Read access to a world: its skin, its model, the results of a frame.

use std::sync::Arc;

use pliant_core::inspect::pick;
use pliant_core::inspect::{ModelStats, ParameterValue, QuantityBuffer, QuantityInfo};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Ray;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint};
use pliant_core::model::{DeformableModel, EnergyAccount, FrameReport};
use pliant_simulation::setup::Setup;
use pliant_simulation::world::FrameOutput;

use super::{World, find};
use crate::error::Result;

impl World {
    /// The skin at rest. Triangles and vertex numbers never change.
    pub fn skin(&self) -> &SurfaceMesh {
        self.setup.skin()
    }

    /// The skin now: positions and normals, and the cut surface of a body that has broken.
    pub fn surface(&self) -> &SurfaceFrame {
        self.inner.frame()
    }

    /// Positions of the skin's vertices now, m: a vertex buffer.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.inner.frame().positions
    }

    /// Unit outward normals of the skin's vertices now: a vertex buffer.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.inner.frame().normals
    }

    /// The vertices of the skin's triangles, counter-clockwise from outside: an index buffer.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.setup.skin().triangles
    }

    /// Displacement of a skin vertex from rest, m.
    ///
    /// # Errors
    /// A vertex that is not there.
    pub fn displacement(&self, vertex: u32) -> Result<Vec3> {
        self.check_vertex(vertex)?;
        let v = vertex as usize;
        Ok(self.inner.frame().position(v) - self.skin().positions[v])
    }

    /// The skin vertex whose rest position is nearest to a point, m.
    pub fn nearest_vertex(&self, place: impl Into<Vec3>) -> u32 {
        let place: Vec3 = place.into();
        let squares = self
            .skin()
            .positions
            .iter()
            .map(|x| (x - place).norm_squared());
        let nearest = squares.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(v, _)| v as u32)
    }

    /// The first point at which a ray hits the current skin, with its distance along the ray.
    pub fn pick(&self, ray: &Ray) -> Option<(f64, SurfacePoint)> {
        pick(self.skin(), self.inner.frame(), ray)
    }

    /// The report of the last frame: steps, work, what was reduced to meet the budget, largest violation.
    pub fn report(&self) -> &FrameReport {
        &self.inner.output().report
    }

    /// All that the last frame produced, in the order of [`World::setup`]: wrenches, forces of grabs and supports, probes, points inside. Its costs are wall times.
    pub fn output(&self) -> &FrameOutput {
        self.inner.output()
    }

    /// The scene as it was resolved: names of tools, supports and probes, skin, material.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Value of a probe of the scene after the last frame, m: a displacement or a position, as the scene says. Zero before the first frame.
    ///
    /// # Errors
    /// No probe of that name.
    pub fn probe(&self, name: &str) -> Result<Vec3> {
        let names = self.setup.probes.iter().map(|p| p.name.as_str());
        let k = find("probe", name, names)?;
        let values = &self.inner.output().probes;
        Ok(values.get(k).copied().unwrap_or_default())
    }

    /// Energies after the last frame, J; `None` for the quasistatic method, which computes none.
    pub fn energy(&self) -> Option<EnergyAccount> {
        self.inner.output().report.energy
    }

    /// The kind of the model: `adaptive`, `quasistatic`, `lattice`, or that of your own.
    pub fn kind(&self) -> &'static str {
        self.inner.model().kind()
    }

    /// Sizes, counters and messages of the model.
    pub fn stats(&self) -> ModelStats {
        self.inner.model().stats()
    }

    /// What was repaired or assumed while the world was built, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Sets a parameter of the model that acts at once, for example `damping_ratio`.
    ///
    /// # Errors
    /// No such parameter, a value out of range, or one that takes effect only after a new bake.
    pub fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<()> {
        Ok(self.inner.set_parameter(name, value)?)
    }

    /// Quantities that [`World::quantity`] samples: `surface_stress` and `surface_strain`, which every method has by its skin, then those of the model.
    pub fn quantities(&self) -> impl Iterator<Item = &QuantityInfo> + Clone {
        self.inner.quantities()
    }

    /// Samples a quantity, for example `surface_stress`, to colour the skin.
    ///
    /// # Errors
    /// No such quantity; the error lists the existing ones.
    pub fn quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<()> {
        find("quantity", name, self.quantities().map(|q| q.name))?;
        // the name was just found
        let _ = self.inner.sample_quantity(name, out);
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &dyn DeformableModel {
        self.inner.model()
    }
}
