//! What gravity and loads do on their own.

use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::math::Vec3;

use crate::asset::GreensAsset;
use crate::capacitance::nodal::NodalForces;
use crate::state::Settings;

/// Displacements under gravity and loads without any contact, kept while these stay the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct RestLoad {
    /// Three numbers a free boundary node, m.
    pub field: Vec<f64>,
    gravity: Vec3,
    loads: Vec<NodalLoad>,
    settings: Option<Settings>,
    nodal: NodalForces,
}

impl RestLoad {
    /// Computes the field again if gravity, loads or settings changed.
    pub fn update(
        &mut self,
        asset: &GreensAsset,
        settings: &Settings,
        boundary: &BoundaryConditions,
    ) {
        if self.settings == Some(*settings)
            && self.gravity == boundary.gravity
            && self.loads == boundary.loads()
        {
            return;
        }
        let softness = settings.softness(asset);
        self.settings = Some(*settings);
        self.gravity = boundary.gravity;
        self.loads.clear();
        self.loads.extend_from_slice(boundary.loads());
        self.field.clear();
        let gravity = boundary.gravity * (softness * settings.weight_scale(asset));
        for response in &asset.gravity {
            let u = response * gravity;
            self.field.extend([u.x, u.y, u.z]);
        }
        self.nodal.clear(asset.nodes());
        for load in boundary.loads() {
            if (load.vertex as usize) < asset.rows.len() {
                let force = load.force * softness;
                self.nodal.add(&asset.rows, load.vertex, force);
            }
        }
        asset.matrix.add_columns(self.nodal.list(), &mut self.field);
    }

    /// Loads on the free boundary nodes, N times the softness of the settings.
    pub fn forces(&mut self) -> &[(u32, Vec3)] {
        self.nodal.list()
    }
}
