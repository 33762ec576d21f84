//! Displacements under gravity and loads without contact.

use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::math::Vec3;

use crate::asset::GreensAsset;
use crate::capacitance::nodal::NodalForces;
use crate::model::state::Settings;

/// Displacements under gravity and loads without any contact, cached until one of these changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RestLoad {
    /// Three numbers a free boundary node, m.
    pub field: Vec<f64>,
    gravity: Vec3,
    loads: Vec<NodalLoad>,
    inside: Vec<Vec3>,
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
        inside: &[Vec3],
    ) {
        if self.settings == Some(*settings)
            && self.gravity == boundary.gravity
            && self.loads == boundary.loads()
            && self.inside == inside
        {
            return;
        }
        let compliance_scale = settings.compliance_scale(asset);
        self.settings = Some(*settings);
        self.gravity = boundary.gravity;
        self.loads.clear();
        self.loads.extend_from_slice(boundary.loads());
        self.inside.clear();
        self.inside.extend_from_slice(inside);
        self.field.clear();
        let gravity = boundary.gravity * (compliance_scale * settings.weight_scale(asset));
        for response in &asset.gravity {
            let u = response * gravity;
            self.field.extend([u.x, u.y, u.z]);
        }
        for (point, load) in asset.inside.iter().zip(inside) {
            if *load == Vec3::zeros() {
                continue;
            }
            // reciprocity: the response of a node to a load on the point is the transposed response of the point to the node
            let load = load * compliance_scale;
            for (u, row) in self
                .field
                .as_chunks_mut::<3>()
                .0
                .iter_mut()
                .zip(&point.displacement)
            {
                let moved = row.tr_mul(&load);
                *u = [u[0] + moved.x, u[1] + moved.y, u[2] + moved.z];
            }
        }
        self.nodal.clear(asset.nodes());
        for load in boundary.loads() {
            if (load.vertex as usize) < asset.rows.len() {
                let force = load.force * compliance_scale;
                self.nodal.add(&asset.rows, load.vertex, force);
            }
        }
        asset.matrix.add_columns(self.nodal.list(), &mut self.field);
    }

    /// Loads on the free boundary nodes, N times the compliance scale of the settings.
    pub fn forces(&mut self) -> &[(u32, Vec3)] {
        self.nodal.list()
    }
}
