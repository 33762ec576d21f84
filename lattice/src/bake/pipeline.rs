//! From voxels to a lattice: particles, regions, masses, supports, embedding.

use std::sync::Arc;

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher, Progress};
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use rayon::prelude::*;

use crate::asset::lattice_asset::LatticeAsset;
use crate::asset::region::{Region, RegionFinder};
use crate::asset::sites::{Block, Sites, find};
use crate::asset::sum_plan::PlanBuilder;
use crate::bake::embedding::embed;
use crate::bake::fit::fit;
use crate::bake::frequency::lowest_eigenvalue;
use crate::bake::masses::Masses;
use crate::bake::multiplicity::count_once;
use crate::bake::stiffness_weights::{paint, stiffest, stiffest_material};
use crate::error::LatticeError;
use crate::fracture::topology::mass_and_center;
use crate::params::LatticeParams;
use crate::step::calibrate::calibrate;
use crate::step::global_shape_matching::ShapeMatching;

/// Version of the baker; part of every key.
const VERSION: u32 = 5;
/// Particles whose regions are found at once.
const BATCH: usize = 2048;

/// Bakes the lattice of a body.
///
/// # Errors
/// See [`LatticeError`]. Cost: proportional to particles and region sizes; about 50 ms for 8,000 particles at w = 1.
pub fn bake(
    geometry: &BodyGeometry,
    params: &LatticeParams,
    progress: &Progress,
) -> Result<LatticeAsset, LatticeError> {
    let grid = geometry
        .voxels
        .as_ref()
        .ok_or(LatticeError::MissingVoxels)?;
    let material = stiffest_material(&geometry.material, stiffest(params)?);
    let half_width = calibrate(&material, grid.cell, params)?.half_width;
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
    let positions: Vec<Vec3> = (0..asset.particle_count())
        .map(|p| asset.rest_position(p))
        .collect();
    let mut free = vec![true; positions.len()];
    for support in &geometry.supports {
        let mut held = support.nodes(&positions, grid.cell, &geometry.skin);
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
    paint(&mut asset, geometry, params, fitted)?;
    progress.stage("lattice frequency");
    asset.lowest_eigenvalue = lowest_eigenvalue(&asset, progress)?;
    Ok(asset)
}

/// Whether regions get factors with which the body answers loads as its material asks. The paper's choices (a given modulus as the outcome, equal or painted masses, regions that
/// count once, a body that is matched as a whole) are left as they are.
fn is_fitted(params: &LatticeParams) -> bool {
    let given = params.alpha.is_some() && params.steps.is_some();
    let by_volume = params.masses == Masses::Volume;
    let by_regions = params.matching == ShapeMatching::Lattice && !params.regions_once;
    params.fit && !given && by_volume && by_regions
}

/// The content key of what [`bake`] would make.
pub fn key(geometry: &BodyGeometry, params: &LatticeParams) -> AssetKey {
    let mut hasher = KeyHasher::new("lattice", VERSION);
    if let Some(grid) = &geometry.voxels {
        let material = stiffest_material(&geometry.material, stiffest(params).unwrap_or(1.0));
        let half_width = calibrate(&material, grid.cell, params).map_or(0, |c| c.half_width);
        hasher.indices("half_width", [half_width as u32]);
        hasher.numbers(
            "grid",
            &[grid.origin.x, grid.origin.y, grid.origin.z, grid.cell],
        );
        hasher.indices("dims", grid.dims.map(|n| n as u32));
        hasher.indices("kept", grid.kept.iter().map(|&k| u32::from(k)));
        let copies = grid.copies.iter();
        hasher.indices(
            "copies",
            copies.flat_map(|c| {
                let corners = c.corners.into_iter().map(u32::from);
                [c.cell, u32::from(c.copy)].into_iter().chain(corners)
            }),
        );
        let shares = grid.shares.iter();
        hasher.indices(
            "shares",
            shares.clone().flat_map(|s| [s.cell, u32::from(s.copy)]),
        );
        let corners: Vec<f64> = shares.flat_map(|s| s.corners).collect();
        hasher.numbers("shares of corners", &corners);
        let skin = grid.skin.iter();
        hasher.indices("skin cells", skin.flat_map(|s| [s.cell, u32::from(s.copy)]));
    }
    if let Some(mesh) = geometry.levels.last().filter(|_| is_fitted(params)) {
        hasher.positions("fitted to", &mesh.nodes);
        hasher.indices("tetrahedra", mesh.tets.iter().flatten().copied());
    }
    match &params.masses {
        Masses::Volume => {}
        Masses::Unit => hasher.bytes("masses", b"unit"),
        Masses::Attribute(weights) => hasher.numbers("mass weights", weights),
    }
    if params.regions_once {
        hasher.bytes("multiplicity", b"unique");
    }
    if let Some(factors) = &params.stiffness {
        hasher.numbers("stiffness", factors);
    }
    hasher.positions("skin", &geometry.skin.positions);
    hasher.indices(
        "triangles",
        geometry.skin.triangles.iter().flatten().copied(),
    );
    for group in &geometry.skin.groups {
        hasher.bytes("group", group.name.as_bytes());
        hasher.indices("group vertices", group.vertices.iter().copied());
    }
    let m = &geometry.material;
    hasher.numbers("material", &[m.elastic.young, m.elastic.poisson, m.density]);
    match m.damping {
        Damping::Ratio(zeta) => hasher.numbers("damping ratio", &[zeta]),
        Damping::Parameters(d) => hasher.numbers("damping parameters", &[d.phi, d.psi]),
    }
    hasher.bytes("law", m.law.name().as_bytes());
    for support in &geometry.supports {
        hasher.bytes("support", support.name.as_bytes());
        hasher.bytes("selection", format!("{:?}", support.selection).as_bytes());
        hasher.indices("support vertices", support.skin_vertices.iter().copied());
    }
    hasher.finish()
}

/// Smallest share of a particle, cells: what the surface all but misses still has a mass.
const LEAST_SHARE: f64 = 0.01;

/// Volume that each particle stands for, cells: of each cell copy around it the part that is inside the body, an eighth of a full one.
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
        *share = share.max(LEAST_SHARE);
    }
    shares
}

/// Everything that follows from particles and masses.
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
    let middle = rest.iter().zip(&mass).map(|(x, m)| x * *m).sum::<Vec3>() / total;
    for x in &mut rest {
        *x -= middle;
    }
    let mut asset = LatticeAsset {
        prepared: Default::default(),
        skin: Arc::new(pliant_core::mesh::SurfaceMesh::new(Vec::new(), Vec::new())),
        material: Default::default(),
        cell: grid.cell,
        half_width,
        dims: sites.dims,
        center: corner + middle,
        rest,
        share: Vec::with_capacity(count),
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
        firmness: Vec::new(),
        pull: Vec::new(),
        lowest_eigenvalue: 0.0,
        volume_ratio: 1.0,
        mass,
        links: Vec::new(),
        forks: Vec::new(),
        sites: Vec::new(),
    };
    find_regions(&mut asset, &sites, progress)?;
    for p in 0..count {
        let size = asset.region_size[asset.region_of[p] as usize];
        asset.share.push(asset.mass[p] / f64::from(size));
    }
    for region in 0..asset.region_count() {
        let (mass, center) = mass_and_center(&asset, region);
        asset.region_mass.push(mass);
        asset.region_center.push(center);
    }
    asset.forks = sites
        .forks
        .iter()
        .map(|f| [f.0, u32::from(f.1), f.2])
        .collect();
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
    for start in (0..sites.len()).step_by(BATCH) {
        progress.check()?;
        progress.set_fraction(start as f64 / sites.len() as f64);
        let end = (start + BATCH).min(sites.len());
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
