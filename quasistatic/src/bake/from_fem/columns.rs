//! Green's functions from the linear finite element system: one factorisation, then one solution for each boundary unknown.
//!
//! James and Pai 1999 and 2003 allow any source. With the stiffness `K` of linear tetrahedra split into free and held nodes,
//! `K_ff X = E` gives the compliances of unit nodal forces directly, without condensing `K` on the boundary.

use faer::Mat;
use pliant_core::asset::BodyGeometry;
use pliant_core::math::Mat3;
use pliant_core::mesh::TetMesh;
use pliant_core::stage_timer::StageTimer;
use pliant_statics::{CholeskyPattern, SolveMemory, SparseCholesky};

use super::assembled_body::AssembledBody;
use super::corner_loads::boundary_factor;
use super::support_solve::SupportSolve;
use crate::asset::{FinishedColumns, GreensAsset};
use crate::bake::column_tasks::{BakeTask, ColumnPlan, all_columns};
use crate::bake::control::Published;
use crate::bake::held_nodes::{BoundaryColumns, HeldNodes};
use crate::bake::limits::{check_size, too_many_columns};
use crate::bake::stage_times::StageTimes;
use crate::error::BakeError;
use crate::finite_elements::boundary_factor::BoundaryFactor;
use crate::finite_elements::linear_system::{LinearSystem, block_of};
use crate::greens::matrix::{Columns, GreensMatrix, Precision};
use crate::greens::sum::ColumnNumber;
use crate::greens::table::Table;
use crate::params::{GreensElements, QuasistaticParams};

/// Number of right-hand sides that are solved together. It is fixed, so that the bits do not depend on the number of threads.
const RIGHT_HAND_SIDES: usize = 96;

/// Computes the Green's functions of the boundary nodes `columns` of `mesh`.
///
/// Cost: a sparse factorisation and `3n` pairs of triangular solutions. The same bits for any number of threads.
///
/// # Errors
/// See [`BakeError`]; [`BakeError::Cancelled`] within a fraction of a second of `progress.cancel()`, except during the factorisation.
pub(crate) fn from_fem(
    geometry: &BodyGeometry,
    mesh: &TetMesh,
    held: &HeldNodes,
    columns: &BoundaryColumns,
    params: &QuasistaticParams,
    task: &BakeTask<'_>,
) -> Result<(GreensAsset, StageTimes), BakeError> {
    let progress = task.control.progress;
    check_size(columns.nodes.len(), params)?;
    let mut times = StageTimes::default();
    let mut timer = StageTimer::start();
    progress.stage("assembling the stiffness");
    let AssembledBody { elasticity, system } = &AssembledBody::new(geometry, mesh, held, params)?;
    times.assemble = timer.stage().as_secs_f64();
    progress.check()?;

    progress.stage("factorising the stiffness");
    let rows: Vec<usize> = columns
        .nodes
        .iter()
        .filter_map(|&node| system.free.get(node))
        .collect();
    let pattern = match params.elements {
        GreensElements::Linear => CholeskyPattern::new(&system.stiffness),
        GreensElements::Quadratic => system.dissected(&rows),
    };
    let pattern = pattern.map_err(|e| system.bake_error(e))?;
    progress.check()?;
    let factor = pattern
        .factor(&system.stiffness)
        .map_err(|e| system.bake_error(e))?;
    times.factor = timer.stage().as_secs_f64();
    progress.check()?;

    progress.stage("solving for the Green's functions");
    let density = geometry.material.density;
    let masses = match params.elements {
        GreensElements::Linear => mesh.lumped_masses(density),
        GreensElements::Quadratic => system.elements.masses(density),
    };
    let reactions = SupportSolve {
        geometry,
        mesh,
        held,
        elasticity,
        system,
        factor: &factor,
    };
    let inside = reactions.inside(&params.inside, &rows, &masses)?;
    let releasable =
        reactions.releasable(params, columns, &rows, &masses, || Ok(progress.check()?))?;
    progress.check()?;
    let mut asset = GreensAsset {
        gravity: gravity_columns(system, &factor, &rows, &masses),
        supports: reactions.rows(&rows, &masses),
        inside,
        releasable,
        unknowns: system.stiffness.size(),
        ..task.body.clone()
    };
    task.publish_without_columns(&asset, rows.len(), params)?;
    let boundary = match params.elements {
        GreensElements::Linear => None,
        GreensElements::Quadratic => boundary_factor(mesh, system, &factor, &rows, params.loads)
            .map_err(|e| system.bake_error(e))?,
    };
    let source = match boundary {
        // drops the factor of the body, because both may be large
        Some(boundary) => ColumnSource::Boundary(boundary),
        None => ColumnSource::Body(factor, system.stiffness.size()),
    };
    progress.check()?;
    let values = match params.precision {
        Precision::Single => Columns::Single(compliances(&source, &rows, task)?),
        Precision::Double => Columns::Double(compliances(&source, &rows, task)?),
    };
    let matrix = GreensMatrix::new(rows.len(), values);
    asset.matrix = matrix.ok_or_else(|| too_many_columns(rows.len(), params))?;
    times.columns = timer.stage().as_secs_f64();
    Ok((asset, times))
}

/// The factor that solves the columns.
enum ColumnSource<'a> {
    /// The stiffness of the body, with its number of unknowns.
    Body(SparseCholesky<'a>, usize),
    /// The stiffness at the boundary nodes.
    Boundary(BoundaryFactor),
}

/// Displacements of the boundary nodes `rows` (indices of free nodes) for unit forces on each of them, column by column.
fn compliances<T: ColumnNumber>(
    source: &ColumnSource<'_>,
    rows: &[usize],
    task: &BakeTask<'_>,
) -> Result<Table<T>, BakeError> {
    let height = 3 * rows.len();
    let plan = ColumnPlan {
        columns: height,
        height,
        columns_per_task: RIGHT_HAND_SIDES,
        bake: task,
    };
    let solve = |first: usize, out: &mut [T], memory: &mut Option<SolveMemory>| {
        let width = out.len() / height;
        let (unknowns, unknown_of): (usize, &dyn Fn(usize) -> usize) = match source {
            ColumnSource::Body(_, unknowns) => (*unknowns, &|k| 3 * rows[k / 3] + k % 3),
            ColumnSource::Boundary(_) => (height, &|k| k),
        };
        let mut x = Mat::<f64>::zeros(unknowns, width);
        for k in 0..width {
            x[(unknown_of(first + k), k)] = 1.0;
        }
        match source {
            ColumnSource::Body(factor, _) => {
                let memory = memory.get_or_insert_with(|| factor.solve_memory(RIGHT_HAND_SIDES));
                factor.solve(&mut x, memory);
            }
            ColumnSource::Boundary(factor) => factor.solve(x.as_mut(), first),
        }
        for (k, column) in out.chunks_mut(height).enumerate() {
            for (r, value) in column.iter_mut().enumerate() {
                *value = T::from_f64(x[(unknown_of(r), k)]);
            }
        }
    };
    let publish_task = |first: usize, columns: &[T]| {
        if let Some(publish) = task.control.publish {
            publish(Published::Columns(FinishedColumns {
                first_node: (first / 3) as u32,
                values: columns.iter().map(|x| x.to_f64()).collect(),
                reactions: Vec::new(),
                inside: Vec::new(),
            }));
        }
    };
    let mut values = Table::zeroed(height * height);
    all_columns(&plan, &mut values, || None, solve, publish_task)?;
    Ok(values)
}

/// `B`: displacements for the lumped weights of all free nodes, also interior ones, under unit gravity along each axis.
pub(super) fn gravity_columns(
    system: &LinearSystem,
    factor: &SparseCholesky<'_>,
    rows: &[usize],
    masses: &[f64],
) -> Vec<Mat3> {
    let mut x = Mat::<f64>::zeros(system.stiffness.size(), 3);
    for (i, &node) in system.free.nodes.iter().enumerate() {
        for axis in 0..3 {
            x[(3 * i + axis, axis)] = masses[node as usize];
        }
    }
    factor.solve_once(&mut x);
    rows.iter().map(|&row| block_of(&x, row)).collect()
}
