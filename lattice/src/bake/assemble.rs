//! Assembly of a lattice from particles and masses.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::asset::region::{Region, RegionFinder};
use crate::asset::sites::Sites;
use crate::bake::particles::Block;
use crate::bake::plan_builder::PlanBuilder;
use crate::error::LatticeError;

/// Particles whose regions are found between two checks of the progress.
const PARTICLES_PER_BATCH: usize = 2048;

/// Smallest volume of a particle, cells: a particle outside of the body still needs a mass.
const MIN_SHARE: f64 = 0.01;

/// Volume of each particle, cells: from each cell copy around it its share of the volume inside the body, an eighth of a full cell.
pub(crate) fn volume_shares(grid: &VoxelGrid, sites: &Sites, block: &Block) -> Vec<f64> {
    let mut shares = vec![0.0; sites.len()];
    for (cell, copy) in grid.cell_copies() {
        let of_corners = grid.shares_of(copy.cell, copy.copy);
        for (corner, share) in of_corners.iter().enumerate() {
            let site =
                [0, 1, 2].map(|k| (cell[k] + (corner >> k & 1)) as i64 - block.first[k] as i64);
            if let Some(p) = sites.particles(site).nth(usize::from(copy.corners[corner])) {
                shares[p as usize] += share;
            }
        }
    }
    for share in &mut shares {
        *share = share.max(MIN_SHARE);
    }
    shares
}

/// Assembles a lattice from particles and masses: regions, links, shares.
pub(crate) fn assemble(
    grid: &VoxelGrid,
    sites: Sites,
    block: &Block,
    half_width: usize,
    mass: Vec<f64>,
    progress: &Progress,
) -> Result<LatticeAsset, LatticeError> {
    let count = sites.len();
    let corner = grid.origin + Vec3::from(block.first.map(|i| i as f64)) * grid.cell;
    // relative to the corner first: a body far from the origin keeps its digits
    let mut rest: Vec<Vec3> = sites
        .of_particle
        .iter()
        .map(|s| Vec3::from(s.map(f64::from)) * grid.cell)
        .collect();
    let total: f64 = mass.iter().sum();
    let center = rest.iter().zip(&mass).map(|(x, m)| x * *m).sum::<Vec3>() / total;
    for x in &mut rest {
        *x -= center;
    }
    let mut asset = LatticeAsset {
        prepared: Default::default(),
        skin: Arc::new(pliant_core::mesh::SurfaceMesh::new(Vec::new(), Vec::new())),
        material: Default::default(),
        cell: grid.cell,
        half_width,
        dims: sites.dims,
        center: corner + center,
        rest,
        share: Vec::new(),
        region_of: Vec::with_capacity(count),
        region_size: Vec::new(),
        multiplicity: Vec::new(),
        is_box: Vec::new(),
        region_mass: Vec::new(),
        region_center: Vec::new(),
        plan: Default::default(),
        embedding: pliant_core::mesh::SkinEmbedding::from_rows([]),
        support_names: Vec::new(),
        held: Vec::new(),
        component: sites.components(),
        stiffest: 1.0,
        fitted: None,
        stiffness_weights: Vec::new(),
        pull: Vec::new(),
        lowest_eigenvalue: 0.0,
        volume_ratio: 1.0,
        mass,
        links: Vec::new(),
        forks: Vec::new(),
        sites: Vec::new(),
    };
    find_regions(&mut asset, &sites, progress)?;
    asset.share_masses();
    asset.forks = sites.forks;
    asset.links = sites.links;
    asset.sites = sites.of_particle;
    Ok(asset)
}

fn find_regions(
    asset: &mut LatticeAsset,
    sites: &Sites,
    progress: &Progress,
) -> Result<(), LatticeError> {
    progress.stage("lattice regions");
    let mut builder = PlanBuilder::default();
    for start in (0..sites.len()).step_by(PARTICLES_PER_BATCH) {
        progress.check()?;
        progress.set_fraction(start as f64 / sites.len() as f64);
        let end = (start + PARTICLES_PER_BATCH).min(sites.len());
        let regions: Vec<Region> = (start..end)
            .into_par_iter()
            .map_init(
                || RegionFinder::new(sites, asset.half_width),
                |finder, p| finder.find(p),
            )
            .collect();
        for region in &regions {
            let number = builder.add(region, sites);
            if number as usize == asset.region_size.len() {
                asset.region_size.push(region.size);
                asset.is_box.push(region.is_box);
                asset.multiplicity.push(0);
            }
            asset.multiplicity[number as usize] += 1;
            asset.region_of.push(number);
        }
    }
    asset.plan = builder.finish();
    Ok(())
}
