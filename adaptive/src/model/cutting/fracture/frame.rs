//! Fracture at the end of a frame.

use std::f64::consts::PI;

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};

use super::elements::LevelLaw;
use super::growth::{Growth, GrowthDirection};
use super::nucleus::may_break;
use super::state::{CrackFront, FractureState};
use super::tips::DOMAIN_RADIUS;
use crate::hierarchy::Level;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cutting::state::Cutting;

impl AdaptiveModel {
    /// The fronts of cracks and cuts when the last frame ended; `None` for a body without any, and for one that cannot break.
    pub fn crack_front(&self) -> Option<CrackFront> {
        let cutting = self.cutting.as_ref()?;
        cutting.fracture.as_ref()?.crack_front()
    }

    /// Grows cracks, and starts new ones, at the end of a frame.
    ///
    /// A crack grows by about an edge, and not again before a Rayleigh wave could have travelled that far. A new one may start when a wave could have crossed the body since the last.
    pub(crate) fn fracture(&mut self, boundary: &BoundaryConditions) {
        let cut_before = self.cut_edge_count();
        let Some(cutting) = &mut self.cutting else {
            return;
        };
        let Some(mut fracture) = cutting.fracture.take() else {
            return;
        };
        let is_cracked = self.crack(&mut fracture, boundary);
        if let Some(cutting) = &mut self.cutting {
            cutting.fracture = Some(fracture);
        }
        if is_cracked {
            self.wake_cut_pieces(cut_before);
            self.split_along_cuts();
        }
    }

    /// Cuts edges where cracks grow or start. Returns whether there were any.
    fn crack(&mut self, state: &mut FractureState, boundary: &BoundaryConditions) -> bool {
        let asset = self.asset.clone();
        let whole = &asset.levels[self.level];
        let x = &self.dynamics.positions;
        let law = LevelLaw {
            lame: whole.material(&asset.material).lame(),
            law: self.model.law_of_stress(),
        };
        let Some(cutting) = &mut self.cutting else {
            return false;
        };
        let Cutting {
            geometry,
            edges,
            cut,
            ..
        } = &mut **cutting;
        let level = cut.as_ref().map_or(whole, |cut| &cut.level);
        let neighbours = geometry.neighbours.as_slice();
        let originals = cut.iter().flat_map(|cut| cut.copies.originals(&whole.mesh));
        state.update_fronts((whole, neighbours, edges), (level, originals), x, law);
        let growth = Growth {
            mesh: &whole.mesh,
            neighbours,
            node_tets: &state.node_tets,
            spacing: whole.spacing,
        };
        let [grows_from, begins_from] = state.earliest_times();
        // times are sums of steps
        let now = self.time * (1.0 + 1e-12);
        let mut count = 0;
        let grows = |k: &usize| state.grows(*k, whole.spacing);
        if now >= grows_from && (0..state.tips.len()).any(|k| grows(&k)) {
            let directions = (0..state.tips.len()).map(|k| {
                let tip = &state.tips[k];
                grows(&k).then_some(GrowthDirection {
                    normal: tip.normal,
                    direction: tip.direction,
                })
            });
            let directions: Vec<Option<GrowthDirection>> = directions.collect();
            count += growth.grow(edges, &state.fronts, &directions);
        }
        if let Some(strength) = state.limits.strength
            && count == 0
            && now >= begins_from
            && may_break(level, x, law, strength)
        {
            state.node_stress.set(level, x, law);
            let may_crack = |n: u32| {
                !is_held(whole, boundary, growth.node_tets.row(n as usize))
                    && !growth.is_cracked_near(edges, n, DOMAIN_RADIUS * whole.spacing)
            };
            let whole_count = whole.node_count();
            if let Some(found) =
                state
                    .node_stress
                    .strongest_beyond(strength, whole_count, may_crack)
            {
                let young = whole.material(&asset.material).elastic.young;
                let radius = smallest_growing_crack(young, strength, state.limits.toughness);
                let radius = radius.min(DOMAIN_RADIUS * whole.spacing);
                count += growth.open_crack(edges, found.node, &found.normal, radius);
            }
        }
        if count > 0 {
            let crossing = asset.skin.bounds().diagonal() / asset.material.wave_speed();
            let growing = whole.spacing / asset.material.rayleigh_speed();
            state.wait_after(self.time, [growing, crossing]);
        }
        count > 0
    }
}

/// Depth (m) of the smallest crack in a surface that grows under the strength (Pa) by the energy that it releases, `1.26 π σ² a / E = G` (finite fracture: Leguillon 2002).
fn smallest_growing_crack(young: f64, strength: f64, toughness: Option<f64>) -> f64 {
    let released = 1.26 * PI * strength * strength / young;
    toughness.map_or(0.0, |toughness| toughness / released)
}

/// Whether a support or a constraint holds a node of one of these tetrahedra: the stress there is not reliable.
fn is_held(whole: &Level, boundary: &BoundaryConditions, tets: &[u32]) -> bool {
    let of_tets = || tets.iter().flat_map(|&t| whole.mesh.tets[t as usize]);
    let held = |n: u32| whole.held.iter().any(|held| held.binary_search(&n).is_ok());
    let of_skin = |c: &&DisplacementConstraint| (c.vertex as usize) < whole.embedding.len();
    let rows = boundary.displacements().iter().filter(of_skin);
    let mut rows = rows.map(|c| whole.embedding.row(c.vertex as usize).0);
    of_tets().any(held) || rows.any(|row| row.iter().any(|&n| of_tets().any(|of| of == n)))
}
