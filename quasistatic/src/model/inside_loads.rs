//! The points inside a running body: their states, and the loads on them.

use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;

use crate::asset::inside::{InsideLoadError, InsidePoint};
use crate::model::QuasistaticModel;

impl QuasistaticModel {
    /// The points inside the body, in the order of the description.
    pub fn inside(&self) -> &[InsidePoint] {
        &self.asset.inside
    }

    /// State of each of these points after the last frame; at rest before the first.
    pub fn inside_states(&self) -> &[PointState] {
        &self.state.inside
    }

    /// Load on each of these points, N.
    pub fn inside_loads(&self) -> &[Vec3] {
        &self.state.loads
    }

    /// Sets the load (N) on the point called `name`, from the next frame on; it stays over [`reset`](pliant_core::model::DeformableModel::reset).
    ///
    /// # Errors
    /// See [`InsideLoadError`].
    pub fn set_inside_load(&mut self, name: &str, load: Vec3) -> Result<(), InsideLoadError> {
        let mut points = self.asset.inside.iter();
        let Some(k) = points.position(|point| point.named.name == name) else {
            let known = self.asset.inside.iter();
            return Err(InsideLoadError::NoSuchPoint {
                name: name.to_string(),
                known: known.map(|point| point.named.name.clone()).collect(),
            });
        };
        if !load.iter().all(|x| x.is_finite()) {
            return Err(InsideLoadError::LoadNotFinite {
                name: name.to_string(),
            });
        }
        if let Some(slot) = self.state.loads.get_mut(k) {
            *slot = load;
        }
        Ok(())
    }
}
