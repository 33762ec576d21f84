//! From voxels to a lattice: particles, regions, masses, supports, embedding.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::bake::assemble::{assemble, volume_shares};
use crate::bake::embedding::embed;
use crate::bake::fit::fit;
use crate::bake::frequency::lowest_eigenvalue;
use crate::bake::key::is_fitted;
use crate::bake::multiplicity::count_once;
use crate::bake::particles::find;
use crate::bake::stiffness_weights::{calibrate_stiffest, set_stiffness_weights};
use crate::error::LatticeError;
use crate::params::LatticeParams;

/// Number of links of an interior particle.
const INTERIOR_LINKS: u32 = 26;

/// Bakes the lattice of a body from its voxels.
///
/// Cost: proportional to particles and region sizes; about 50 ms for 8,000 particles at w = 1.
///
/// # Errors
/// See [`LatticeError`].
pub fn bake(
    geometry: &BodyGeometry,
    params: &LatticeParams,
    progress: &Progress,
) -> Result<LatticeAsset, LatticeError> {
    let grid = geometry
        .voxels
        .as_ref()
        .ok_or(LatticeError::MissingVoxels)?;
    let half_width = calibrate_stiffest(&geometry.material, grid.cell, params)?.half_width;
    progress.stage("lattice particles");
    progress.check()?;
    let (sites, block) = find(grid)?;
    if sites.len() < 8 {
        return Err(LatticeError::TooFewParticles { count: sites.len() });
    }
    let shares = volume_shares(grid, &sites, &block);
    let corner = grid.origin + Vec3::from(block.first.map(|i| i as f64)) * grid.cell;
    let places: Vec<Vec3> = sites
        .of_particle
        .iter()
        .map(|s| corner + Vec3::from(s.map(f64::from)) * grid.cell)
        .collect();
    let mass = params.masses.spread(geometry, &places, &shares)?;
    let cells_volume = grid.copy_count() as f64 * grid.cell.powi(3);
    let embedding = embed(&geometry.skin.positions, grid, &sites, &block);
    let mut asset = assemble(grid, sites, &block, half_width, mass, progress)?;
    asset.embedding = embedding;
    asset.skin = Arc::clone(&geometry.skin);
    asset.material = geometry.material;
    asset.volume_ratio = cells_volume / geometry.skin.volume();
    if params.regions_once {
        count_once(&mut asset);
    }
    progress.stage("lattice supports");
    let positions: Vec<Vec3> = asset.rest_positions().collect();
    let mut free = vec![true; positions.len()];
    for support in &geometry.supports {
        let mut held = support.nodes(&positions, grid.cell, &geometry.skin);
        // a support thinner than a cell ends within the cells that the surface cuts: its particles alone would hold the body by slivers of cells
        let is_inside = |p: &u32| asset.links[*p as usize].count_ones() == INTERIOR_LINKS;
        if !held.iter().any(is_inside) {
            held.extend(support.nodes_within(0.5 * grid.cell, &positions, &geometry.skin));
            held.sort_unstable();
            held.dedup();
        }
        if held.is_empty() {
            return Err(LatticeError::SupportEmpty {
                name: support.name.clone(),
            });
        }
        held.retain(|&p| std::mem::replace(&mut free[p as usize], false));
        asset.support_names.push(support.name.clone());
        asset.held.push(held);
    }
    let fitted = match is_fitted(params) {
        true => fit(&asset, geometry, progress)?,
        false => None,
    };
    set_stiffness_weights(&mut asset, geometry, params, fitted)?;
    progress.stage("lattice frequency");
    asset.lowest_eigenvalue = lowest_eigenvalue(&asset, progress)?;
    Ok(asset)
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::SupportRegion;
    use pliant_core::scene::Selection;

    use super::*;
    use crate::testing::bodies::{baked, body_of, grid_of};

    #[test]
    fn a_support_in_slivers_of_cells_holds_the_layer_inside_too() {
        // the first cells along x are full to a tenth, and the support is that face
        let mut geometry = body_of(grid_of([8, 2, 2], |_| true), -1.0);
        let mut skin = (*geometry.skin).clone();
        for x in skin.positions.iter_mut().filter(|x| x.x < -0.199) {
            x.x = -0.155;
        }
        let face = Selection::HalfSpace {
            point: [-0.1549, 0.0, 0.0],
            normal: [-1.0, 0.0, 0.0],
        };
        geometry.supports = vec![SupportRegion::new("face", face, &skin)];
        geometry.skin = Arc::new(skin);
        let asset = baked(&geometry, &LatticeParams::default());
        assert_eq!(asset.held[0].len(), 18);
        // a support that reaches an inner layer ends there
        let deep = Selection::HalfSpace {
            point: [-0.099, 0.0, 0.0],
            normal: [-1.0, 0.0, 0.0],
        };
        geometry.supports = vec![SupportRegion::new("deep", deep, &geometry.skin)];
        let asset = baked(&geometry, &LatticeParams::default());
        assert_eq!(asset.held[0].len(), 27);
    }
}
