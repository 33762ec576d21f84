//! Green's functions from boundary elements, linear or constant.
//!
//! `H u = G p + g`: displacements are unknown at free nodes, tractions at held ones. With linear elements the traction of a vertex at the edge of a
//! support acts only on triangles between held vertices. The same traction on all its triangles would leak into free ones.
//! Constant elements do not need this rule, because a triangle is held or free. Columns are scaled from unit tractions to unit nodal forces with the area of
//! each node.

use pliant_core::asset::BodyGeometry;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::tet::TetBoundary;
use pliant_core::stage_timer::StageTimer;

use crate::asset::{FinishedColumns, GreensAsset};
use crate::bake::column_tasks::BakeTask;
use crate::bake::control::Published;
use crate::bake::from_bem::dense_system::{DenseSystem, Solutions, symmetric_matrix};
use crate::bake::from_bem::incompressible::is_incompressible;
use crate::bake::from_bem::inside::{InsideIntegrals, SolvedSystem};
use crate::bake::from_bem::triangle_columns::ElementColumns;
use crate::bake::held_nodes::BoundaryColumns;
use crate::bake::limits::{check_material, check_size, too_many_columns};
use crate::bake::stage_times::StageTimes;
use crate::boundary_elements::{
    AssemblyControl, BoundarySystem, Kelvin, acting_tractions, assemble_constant, assemble_linear,
};
use crate::error::BakeError;
use crate::greens::SupportRows;
use crate::greens::skin_rows::NOT_FREE;
use crate::params::QuasistaticParams;

/// Computes the Green's functions of the free vertices of `boundary`, whose other vertices are held at zero, with linear elements.
///
/// The compliances of collocation differ from their transposes by a few percent. Their symmetric part is stored, so that no cycle of
/// loads yields energy. At `ν = 1/2` it is projected to preserve the volume (`incompressible`). Cost: assembly (see [`assemble_linear`]), a dense LU of `3 vertices` unknowns on one thread, and `3n` solutions in
/// parallel, in the memory of `G`. Memory: `144 vertices²` bytes, twice that of `H`. The same bits for any number of threads.
///
/// # Errors
/// See [`BakeError`]; cancelling does not interrupt the factorisation.
pub(crate) fn from_bem(
    geometry: &BodyGeometry,
    boundary: &TetBoundary,
    columns: &BoundaryColumns,
    params: &QuasistaticParams,
    task: &BakeTask<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    check_material(&geometry.material)?;
    check_homogeneous(params)?;
    check_size(columns.nodes.len(), params)?;
    let surface = &boundary.surface;
    let is_held = |v: u32| columns.column_of_vertex[v as usize] == NOT_FREE;
    let acting = acting_tractions(&surface.triangles, is_held);
    let has_traction = |t: usize, corner: usize| acting[t][corner];
    let timer = StageTimer::start();
    let progress = task.control.progress;
    progress.stage("assembling the boundary elements");
    let inside = InsideIntegrals::new(
        surface,
        kelvin(geometry),
        &params.inside,
        surface.positions.clone(),
        |t, corner| (surface.triangles[t][corner], has_traction(t, corner)),
    )?;
    let system = assemble_linear(
        surface,
        kelvin(geometry),
        has_traction,
        assembly_control(task),
    )?;
    let nodes = Nodes {
        columns: &columns.column_of_vertex,
        supports: &columns.support_of_vertex,
        areas: surface.nodal_area_vectors(),
        length: 0.5 * surface.bounds().diagonal(),
        inside,
    };
    nodes.solve(system, geometry, params, timer, task)
}

/// Computes the Green's functions of the free triangles of `boundary`, whose other triangles are held at zero, with constant elements.
///
/// As [`from_bem`], with triangles in place of vertices. There are twice as many, so that the same mesh costs four to eight times as much.
///
/// # Errors
/// See [`BakeError`]; cancelling does not interrupt the factorisation.
pub(crate) fn from_constant(
    geometry: &BodyGeometry,
    boundary: &TetBoundary,
    columns: &ElementColumns,
    params: &QuasistaticParams,
    task: &BakeTask<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    check_material(&geometry.material)?;
    check_homogeneous(params)?;
    check_size(columns.free, params)?;
    let surface = &boundary.surface;
    let timer = StageTimer::start();
    let progress = task.control.progress;
    progress.stage("assembling the boundary elements");
    let center = |t: usize| surface.corners(t).iter().sum::<Vec3>() / 3.0;
    let inside = InsideIntegrals::new(
        surface,
        kelvin(geometry),
        &params.inside,
        (0..surface.triangles.len()).map(center).collect(),
        |t, _| (t as u32, true),
    )?;
    let system = assemble_constant(surface, kelvin(geometry), assembly_control(task))?;
    let nodes = Nodes {
        columns: &columns.column_of_element,
        supports: &columns.support_of_element,
        areas: (0..surface.triangles.len())
            .map(|t| surface.area_vector(t))
            .collect(),
        length: 0.5 * surface.bounds().diagonal(),
        inside,
    };
    nodes.solve(system, geometry, params, timer, task)
}

/// Refuses parameters that only finite elements support.
fn check_homogeneous(params: &QuasistaticParams) -> Result<(), BakeError> {
    let generator = params.generator.name();
    let refused = |key| Err(BakeError::NeedsFiniteElements { key, generator });
    if !params.stiffness.is_empty() {
        return refused("quasistatic.stiffness");
    }
    if params.fibres.is_some() {
        return refused("quasistatic.fibres");
    }
    if !params.releasable.is_empty() {
        return refused("quasistatic.releasable");
    }
    Ok(())
}

fn assembly_control<'a>(task: &BakeTask<'a>) -> AssemblyControl<'a> {
    AssemblyControl {
        progress: task.control.progress,
        team: task.control.team,
    }
}

fn kelvin(geometry: &BodyGeometry) -> Kelvin {
    Kelvin {
        poisson: geometry.material.elastic.poisson,
    }
}

/// The nodes of the boundary: free ones with their columns, held ones with their supports.
struct Nodes<'a> {
    /// column of each node, or [`NOT_FREE`]
    columns: &'a [u32],
    supports: &'a [u32],
    /// area vector of each node, m²: the change of the volume for its displacement
    areas: Vec<Vec3>,
    /// half the diagonal: makes tractions and displacements comparable, m
    length: f64,
    inside: InsideIntegrals<'a>,
}

impl Nodes<'_> {
    fn solve(
        &self,
        system: BoundarySystem,
        geometry: &BodyGeometry,
        params: &QuasistaticParams,
        mut timer: StageTimer,
        task: &BakeTask<'_>,
    ) -> Result<(GreensAsset, StageTimes), BakeError> {
        let mut times = StageTimes {
            assemble: timer.stage().as_secs_f64(),
            ..StageTimes::default()
        };
        let progress = task.control.progress;
        let nodes = system.nodes;
        let is_held = |v: u32| self.columns[v as usize] == NOT_FREE;
        progress.stage("factorising the boundary elements");
        let (solver, g) = DenseSystem::new(system, &is_held, self.length)?;
        times.factor = timer.stage().as_secs_f64();
        progress.check()?;

        progress.stage("solving for the Green's functions");
        let elastic = geometry.material.elastic;
        let shear = elastic.young / (2.0 * (1.0 + elastic.poisson));
        let free: Vec<u32> = (0..nodes as u32).filter(|&v| !is_held(v)).collect();
        let density = geometry.material.density;
        let body_force = solver.body_force(shear);
        let nodes_of_support = |k: u32| -> Vec<u32> {
            let held = (0..nodes as u32).filter(|&v| is_held(v));
            held.filter(|&v| self.supports[v as usize] == k).collect()
        };
        let held: Vec<_> = (0..geometry.supports.len() as u32)
            .map(nodes_of_support)
            .collect();
        let supports = geometry.supports.iter().zip(&held).map(|(support, held)| {
            let gravity = solver.total_force(&body_force, 0, held, shear) * density;
            SupportRows {
                name: support.name.clone(),
                reactions: vec![Mat3::zeros(); free.len()],
                gravity,
            }
        });
        let mut asset = GreensAsset {
            gravity: free
                .iter()
                .map(|&v| body_force.block(v, 0) * density)
                .collect(),
            supports: supports.collect(),
            unknowns: 3 * nodes,
            ..task.body.clone()
        };
        let reactions = |solved: &Solutions| -> Vec<Vec<Mat3>> {
            let of_support = |held: &Vec<u32>| {
                let all = 0..solved.cases();
                all.map(|j| solver.total_force(solved, j, held, shear))
                    .collect()
            };
            held.iter().map(of_support).collect()
        };
        let areas: Option<Vec<Vec3>> = is_incompressible(elastic.poisson)
            .then(|| free.iter().map(|&v| self.areas[v as usize]).collect());
        let loaded = self.inside.loaded(&solver, shear);
        let system = SolvedSystem {
            solver: &solver,
            loaded: &loaded,
            body_force: &body_force,
            free: &free,
            is_held: &is_held,
            held: &held,
            areas: solver.areas(),
            shear,
            density,
            length: self.length,
            volume: areas.as_deref(),
        };
        asset.inside = self.inside.without_columns(&system);
        task.publish_without_columns(&asset, free.len(), params)?;
        let solved = solver.columns(g, &free, shear, task, |first, solved| {
            if let Some(publish) = task.control.publish {
                publish(Published::Columns(FinishedColumns {
                    first_node: (first / 3) as u32,
                    values: solved.values_at(&free),
                    reactions: reactions(solved),
                    inside: self.inside.rows(&system, first / 3, solved),
                }));
            }
        })?;
        self.inside.fill(&mut asset.inside, &system, &solved);
        for (support, reactions) in asset.supports.iter_mut().zip(reactions(&solved)) {
            support.reactions = reactions;
        }
        // frees its memory for the stored matrix
        drop(solver);
        let matrix = symmetric_matrix(&solved, &free, areas.as_deref(), params.precision);
        asset.matrix = matrix.ok_or_else(|| too_many_columns(free.len(), params))?;
        times.columns = timer.stage().as_secs_f64();
        Ok((asset, times))
    }
}
