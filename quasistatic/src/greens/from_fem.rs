//! Green's functions from the linear finite element system: one factorisation, then one solution for each boundary unknown.
//!
//! James and Pai 1999 and 2003 allow any source; with the stiffness `K` of linear tetrahedra split into free and held nodes,
//! `K_ff X = E` gives the compliances of unit nodal forces directly, without condensing `K` on the boundary.

use std::time::Instant;

use faer::Mat;

use pliant_core::asset::BodyGeometry;
use pliant_core::material::Material;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{QuadraticTetMesh, TetMesh};

use crate::error::BakeError;
use crate::greens::assembly::{FreeNodes, SymmetricBlocks};
use crate::greens::columns::{BakeTask, ColumnPlan, FinishedColumns, Published, all_columns};
use crate::greens::elasticity::BodyElasticity;
use crate::greens::element_mesh::ElementMesh;
use crate::greens::factor::{CholeskyPattern, FactorError, SolveMemory, SparseCholesky};
use crate::greens::matrix::{Columns, GreensMatrix, Precision};
use crate::greens::reactions::SupportSolve;
use crate::greens::spread::spread_rows;
use crate::greens::sum::Number;
use crate::greens::support::{BoundaryColumns, HeldNodes};
use crate::greens::table::Table;
use crate::inside::InsidePoint;
use crate::params::{BoundaryLoads, Elements, QuasistaticParams};
use crate::release::ReleasableSupport;

/// Right-hand sides solved together; fixed, so that the bits do not depend on the number of threads.
const RIGHT_SIDES: usize = 96;
/// Poisson's ratio above which linear tetrahedra lock, and quadratic ones.
const LOCKING: (f64, f64) = (0.45, 0.49);

/// Everything that the finite element system says about the boundary.
#[derive(Debug, Clone)]
pub struct GreensFunctions {
    /// Compliances between the free boundary nodes, m/N.
    pub matrix: GreensMatrix,
    /// Displacement of each free boundary node for a body force of 1 m/s² along x, y and z (the columns), m/(m/s²) = s².
    pub gravity: Vec<Mat3>,
    /// What each support carries.
    pub supports: Vec<SupportRows>,
    /// Points inside, in the order of the parameters.
    pub inside: Vec<InsidePoint>,
    /// Supports that can be released.
    pub releasable: Vec<ReleasableSupport>,
    /// Scalar unknowns of the system.
    pub unknowns: usize,
    /// Wall time of the stages.
    pub times: StageTimes,
}

/// Wall time of the stages of a bake, s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageTimes {
    /// Assembling the system.
    pub assemble: f64,
    /// Factorising it.
    pub factor: f64,
    /// Solving for the columns.
    pub columns: f64,
}

/// Times one stage after the other.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the last call.
    pub fn lap(&mut self) -> f64 {
        let seconds = self.0.elapsed().as_secs_f64();
        self.0 = Instant::now();
        seconds
    }
}

/// How forces arrive at one support.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportRows {
    /// Name as the scene writes it.
    pub name: String,
    /// For each free boundary node the matrix `R_j`: a nodal force `f` (N) makes this support push the body with `R_j f`.
    pub shares: Vec<Mat3>,
    /// Force on the body for gravity of 1 m/s² along x, y and z (the columns), kg.
    pub gravity: Mat3,
}

/// The linear system of a held body, ready to be factorised.
pub(crate) struct LinearSystem {
    pub free: FreeNodes,
    pub stiffness: SymmetricBlocks,
    pub elements: ElementMesh,
}

impl LinearSystem {
    /// Stiffness of all elements between the nodes for which `is_free` holds.
    pub fn assemble(
        elements: ElementMesh,
        elasticity: &BodyElasticity,
        is_free: impl Fn(usize) -> bool,
    ) -> Self {
        let free = FreeNodes::new(elements.nodes.len(), is_free);
        let mut stiffness = SymmetricBlocks::zeros(&elements, &free);
        for (t, tet) in elements.tets().enumerate() {
            for (a, &row) in tet.iter().enumerate() {
                for (b, &column) in tet.iter().enumerate() {
                    if let (Some(i), Some(j)) = (free.get(row), free.get(column))
                        && i >= j
                    {
                        stiffness.add(i, j, &elements.block(elasticity, t, a, b));
                    }
                }
            }
        }
        Self {
            free,
            stiffness,
            elements,
        }
    }

    /// Turns a failed factorisation into an error that names a place.
    pub fn explain(&self, error: FactorError) -> BakeError {
        match error {
            FactorError::NotPositive { unknown } => {
                let node = self.free.nodes.get(unknown / 3).copied().unwrap_or(0);
                BakeError::NotPositiveDefinite {
                    node,
                    at: self.elements.nodes[node as usize],
                }
            }
            FactorError::OutOfMemory { megabytes } => BakeError::FactorTooLarge {
                unknowns: self.stiffness.size(),
                megabytes,
            },
        }
    }
}

/// Computes the Green's functions of the boundary nodes `columns` of `mesh`.
///
/// Cost: a sparse factorisation and `3n` pairs of triangular solutions; the same bits for any number of threads.
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
) -> Result<GreensFunctions, BakeError> {
    let progress = task.control.progress;
    check_material(&geometry.material)?;
    let limit = match params.elements {
        Elements::Linear => LOCKING.0,
        Elements::Quadratic => LOCKING.1,
    };
    let across = params.fibres.and_then(|fibres| fibres.poisson);
    let nu = geometry.material.elastic.poisson;
    if let Some(nu) = [Some(nu), across]
        .into_iter()
        .flatten()
        .find(|&nu| nu > limit)
    {
        return Err(BakeError::Locking { nu, limit });
    }
    check_size(columns.nodes.len(), params)?;
    let mut times = StageTimes::default();
    let mut watch = Stopwatch::start();
    progress.stage("assembling the stiffness");
    let elasticity = BodyElasticity::new(geometry, mesh, params)?;
    let mut elements = ElementMesh::new(mesh, params.elements)?;
    let places = column_places(&mut elements, mesh, columns, geometry, params);
    let held = &elements.held(held);
    let system = LinearSystem::assemble(elements, &elasticity, |n| held.is_free(n));
    times.assemble = watch.lap();
    progress.check()?;

    progress.stage("factorising the stiffness");
    let rows: Vec<usize> = places
        .iter()
        .filter_map(|&(node, _)| system.free.get(node))
        .collect();
    let springs: Vec<f64> = places.iter().map(|&(_, compliance)| compliance).collect();
    let pattern = match params.elements {
        Elements::Linear => CholeskyPattern::new(&system.stiffness),
        Elements::Quadratic => {
            let nodes = system.free.nodes.iter();
            let nodes: Vec<Vec3> = nodes
                .map(|&node| system.elements.nodes[node as usize])
                .collect();
            CholeskyPattern::ending_with(&system.stiffness, &nodes, &rows)
        }
    };
    let pattern = pattern.map_err(|e| system.explain(e))?;
    progress.check()?;
    let factor = pattern
        .factor(&system.stiffness)
        .map_err(|e| system.explain(e))?;
    times.factor = watch.lap();
    progress.check()?;

    progress.stage("solving for the Green's functions");
    let density = geometry.material.density;
    let masses = match params.elements {
        Elements::Linear => mesh.lumped_masses(density),
        Elements::Quadratic => system.elements.masses(density),
    };
    let too_many = || BakeError::TooManyColumns {
        nodes: rows.len(),
        megabytes: 0,
        limit: params.max_boundary_nodes,
    };
    let reactions = SupportSolve {
        geometry,
        mesh,
        held,
        elasticity: &elasticity,
        system: &system,
        factor: &factor,
    };
    let inside = reactions.inside(&params.inside, &rows, &masses)?;
    let releasable =
        reactions.releasable(params, columns, &rows, &masses, || Ok(progress.check()?))?;
    progress.check()?;
    let mut greens = GreensFunctions {
        matrix: GreensMatrix::empty(0, params.precision).ok_or_else(too_many)?,
        gravity: gravity_columns(&system, &factor, &rows, &masses),
        supports: reactions.rows(&rows, &masses),
        inside,
        releasable,
        unknowns: system.stiffness.size(),
        times,
    };
    if task.control.publish.is_some() {
        let matrix = GreensMatrix::empty(rows.len(), params.precision);
        (task.opened)(GreensFunctions {
            matrix: matrix.ok_or_else(too_many)?,
            ..greens.clone()
        });
    }
    let unknowns = system.stiffness.size();
    let values = match params.precision {
        Precision::Single => {
            Columns::Single(compliances(&factor, unknowns, &rows, &springs, task)?)
        }
        Precision::Double => {
            Columns::Double(compliances(&factor, unknowns, &rows, &springs, task)?)
        }
    };
    greens.matrix = GreensMatrix::new(rows.len(), values).ok_or_else(too_many)?;
    greens.times.columns = watch.lap();
    Ok(greens)
}

/// The node where each column is loaded and read, and the compliance of what ties it to the body, m/N.
fn column_places(
    elements: &mut ElementMesh,
    mesh: &TetMesh,
    columns: &BoundaryColumns,
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
) -> Vec<(u32, f64)> {
    match (params.elements, params.loads) {
        (Elements::Quadratic, BoundaryLoads::Spread) => {
            let boundary = mesh.boundary();
            let node = |v: u32| boundary.node_of_vertex[v as usize];
            let faces = boundary.surface.triangles.iter();
            let faces: Vec<[u32; 3]> = faces.map(|face| face.map(node)).collect();
            let quadratic = QuadraticTetMesh::new(mesh);
            let rows = spread_rows(&quadratic, &faces, columns.nodes.iter().copied());
            elements.add_means(rows, geometry.material.elastic.young)
        }
        _ => columns.nodes.iter().map(|&node| (node, 0.0)).collect(),
    }
}

/// Refuses constants without a meaning.
pub(crate) fn check_material(material: &Material) -> Result<(), BakeError> {
    let (young, nu) = (material.elastic.young, material.elastic.poisson);
    let invalid = |name, value| Err(BakeError::InvalidMaterial { name, value });
    if !(young.is_finite() && young > 0.0) {
        return invalid("Young's modulus", young);
    }
    if !(nu > -1.0 && nu <= 0.5) {
        return invalid("Poisson's ratio", nu);
    }
    if !(material.density.is_finite() && material.density >= 0.0) {
        return invalid("density", material.density);
    }
    Ok(())
}

/// Refuses more columns than the limit.
pub(crate) fn check_size(nodes: usize, params: &QuasistaticParams) -> Result<(), BakeError> {
    let limit = params.max_boundary_nodes;
    if nodes > limit {
        let megabytes = 9 * nodes * nodes * params.precision.bytes() / 1_000_000;
        return Err(BakeError::TooManyColumns {
            nodes,
            megabytes,
            limit,
        });
    }
    Ok(())
}

/// Displacements of the boundary nodes `rows` (free numbers) for unit forces on each of them, column by column, without what the `springs` (m/N) under the forces give way.
fn compliances<T: Number>(
    factor: &SparseCholesky<'_>,
    unknowns: usize,
    rows: &[usize],
    springs: &[f64],
    task: &BakeTask<'_>,
) -> Result<Table<T>, BakeError> {
    let height = 3 * rows.len();
    let plan = ColumnPlan {
        columns: height,
        height,
        together: RIGHT_SIDES,
        control: task.control,
        key: task.key,
    };
    let solve = |first: usize, out: &mut [T], memory: &mut SolveMemory| {
        if let Some(tail) = factor.tail() {
            let mut x = Mat::<f64>::zeros(height, out.len() / height);
            for k in 0..x.ncols() {
                x[(first + k, k)] = 1.0;
            }
            tail.solve(&mut x, first);
            for k in 0..x.ncols() {
                x[(first + k, k)] -= springs[(first + k) / 3];
            }
            for (k, column) in out.chunks_mut(height).enumerate() {
                for (r, value) in column.iter_mut().enumerate() {
                    *value = T::from_f64(x[(r, k)]);
                }
            }
            return;
        }
        let mut x = Mat::<f64>::zeros(unknowns, out.len() / height);
        for k in 0..x.ncols() {
            let column = first + k;
            x[(3 * rows[column / 3] + column % 3, k)] = 1.0;
        }
        factor.solve(&mut x, memory);
        for k in 0..x.ncols() {
            let column = first + k;
            x[(3 * rows[column / 3] + column % 3, k)] -= springs[column / 3];
        }
        for (k, column) in out.chunks_mut(height).enumerate() {
            for (place, &row) in column.chunks_mut(3).zip(rows) {
                for (axis, value) in place.iter_mut().enumerate() {
                    *value = T::from_f64(x[(3 * row + axis, k)]);
                }
            }
        }
    };
    let tell = |first: usize, columns: &[T]| {
        if let Some(publish) = task.control.publish {
            publish(Published::Columns(FinishedColumns {
                first_node: (first / 3) as u32,
                values: columns.iter().map(|x| x.to_f64()).collect(),
                shares: Vec::new(),
                inside: Vec::new(),
            }));
        }
    };
    let mut values = Table::zeroed(height * height);
    let memory = || factor.solve_memory(RIGHT_SIDES);
    all_columns(&plan, &mut values, memory, solve, tell)?;
    Ok(values)
}

pub(super) fn block_of(x: &Mat<f64>, row: usize) -> Mat3 {
    Mat3::from_fn(|r, c| x[(3 * row + r, c)])
}

/// `B`: lumped weights of all free nodes, also interior ones, for unit gravity along each axis.
fn gravity_columns(
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
    factor.solve(&mut x, &mut factor.solve_memory(3));
    rows.iter().map(|&row| block_of(&x, row)).collect()
}

/// Sum of the forces of one support for nodal `forces` (free boundary node, N) and `gravity` (m/s²), N on the body.
pub fn support_reaction(support: &SupportRows, forces: &[(u32, Vec3)], gravity: &Vec3) -> Vec3 {
    let mut sum = support.gravity * gravity;
    for (node, force) in forces {
        sum += support.shares[*node as usize] * force;
    }
    sum
}
