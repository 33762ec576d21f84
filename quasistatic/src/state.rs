//! What changes while a model runs.

use pliant_core::math::Vec3;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use crate::asset::GreensAsset;

/// What can be set while running.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    pub young: f64,
    pub density: f64,
    pub max_contacts: usize,
}

/// The mutable state.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct State {
    /// Displacements of the free boundary nodes, three numbers a node, m.
    pub field: Vec<f64>,
    /// Skin vertices whose contact pushes, ascending.
    pub pushing: Vec<u32>,
    /// Constrained skin vertices of the last frame.
    pub vertices: Vec<u32>,
    /// Force on the body of each constraint, N.
    pub reactions: Vec<Vec3>,
    /// Force on the body of each support, N.
    pub support_reactions: Vec<Vec3>,
}

impl Settings {
    /// Compliances scale with the inverse modulus: `F(E) = F(E₀) E₀/E`.
    pub fn softness(&self, asset: &GreensAsset) -> f64 {
        asset.material.elastic.young / self.young
    }

    /// Weights scale with density; zero for a body that was baked without mass.
    pub fn weight_scale(&self, asset: &GreensAsset) -> f64 {
        let baked = asset.material.density;
        if baked > 0.0 {
            self.density / baked
        } else {
            0.0
        }
    }
}

const KIND: &str = "quasistatic";

impl State {
    /// Rest.
    pub fn at_rest(asset: &GreensAsset) -> Self {
        Self {
            field: vec![0.0; 3 * asset.nodes()],
            support_reactions: vec![Vec3::zeros(); asset.supports.len()],
            ..Self::default()
        }
    }

    /// Everything as numbers.
    pub fn snapshot(&self, settings: &Settings) -> StateSnapshot {
        let mut values = vec![
            settings.young,
            settings.density,
            settings.max_contacts as f64,
            self.pushing.len() as f64,
            self.vertices.len() as f64,
        ];
        let numbers = self.pushing.iter().chain(&self.vertices);
        values.extend(numbers.map(|&v| f64::from(v)));
        let forces = self.reactions.iter().chain(&self.support_reactions);
        values.extend(forces.flat_map(|f| [f.x, f.y, f.z]));
        values.extend(&self.field);
        StateSnapshot { kind: KIND, values }
    }

    /// The settings and state of a snapshot that was taken of a model of the same asset.
    pub fn restored(
        snapshot: &StateSnapshot,
        asset: &GreensAsset,
    ) -> Result<(Settings, Self), SnapshotMismatch> {
        let &[
            young,
            density,
            max_contacts,
            pushing,
            vertices,
            ref rest @ ..,
        ] = snapshot.values.as_slice()
        else {
            return Err(SnapshotMismatch);
        };
        let (pushing, vertices) = (pushing as usize, vertices as usize);
        let supports = asset.supports.len();
        let expected = vertices
            .checked_mul(4)
            .and_then(|n| n.checked_add(pushing))
            .and_then(|n| n.checked_add(3 * supports + 3 * asset.nodes()));
        if snapshot.kind != KIND || expected != Some(rest.len()) {
            return Err(SnapshotMismatch);
        }
        let (pushing, rest) = rest.split_at(pushing);
        let (vertices, rest) = rest.split_at(vertices);
        let (reactions, rest) = rest.split_at(3 * vertices.len());
        let (support_reactions, field) = rest.split_at(3 * supports);
        let numbers = |values: &[f64]| values.iter().map(|&v| v as u32).collect();
        let vectors = |values: &[f64]| {
            values
                .chunks_exact(3)
                .map(Vec3::from_column_slice)
                .collect()
        };
        let settings = Settings {
            young,
            density,
            max_contacts: max_contacts as usize,
        };
        let state = Self {
            field: field.to_vec(),
            pushing: numbers(pushing),
            vertices: numbers(vertices),
            reactions: vectors(reactions),
            support_reactions: vectors(support_reactions),
        };
        Ok((settings, state))
    }
}
