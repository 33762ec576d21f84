//! Green's functions from boundary elements.
//!
//! `H u = G p + g`: displacements are unknown at free vertices, tractions at held ones. Where a support ends, its traction acts on the triangles
//! between held vertices only: a single traction for all triangles of a rim vertex would leak into the free ones. Columns are scaled from unit
//! tractions to unit nodal forces with the area of each vertex.

use std::sync::atomic::{AtomicUsize, Ordering};

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::lu::partial_pivoting::solve::{
    solve_transpose_in_place, solve_transpose_in_place_scratch,
};
use faer::perm::PermRef;
use faer::{MatMut, MatRef, Par};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::tet::TetBoundary;
use rayon::prelude::*;

use crate::boundary_elements::{AssemblyFault, BoundarySystem, Kelvin, assemble_linear};
use crate::error::BakeError;
use crate::greens::assembly::NOT_FREE;
use crate::greens::from_fem::{
    GreensFunctions, StageTimes, Stopwatch, SupportRows, check_material, check_size,
};
use crate::greens::matrix::{Columns, GreensMatrix, Precision};
use crate::greens::sum::Number;
use crate::greens::support::BoundaryColumns;
use crate::params::QuasistaticParams;

/// Columns that one task solves together.
const RIGHT_SIDES: usize = 48;
/// A pivot below this share of the largest counts as zero.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Computes the Green's functions of the free vertices of `boundary`, whose other vertices are held at zero.
///
/// Collocation makes compliances that differ from their transposes by a few percent; the stored ones are the symmetric part, so that no cycle of
/// pokes yields energy. Cost: assembly (see [`assemble_linear`]), a dense LU of `3 vertices` unknowns on one thread, and `3n` solutions in
/// parallel. Memory: `144 vertices²` bytes besides the columns. The same bits for any number of threads.
///
/// # Errors
/// See [`BakeError`]; cancelling does not interrupt the factorisation.
pub fn from_bem(
    geometry: &BodyGeometry,
    boundary: &TetBoundary,
    columns: &BoundaryColumns,
    params: &QuasistaticParams,
    progress: &Progress,
) -> Result<GreensFunctions, BakeError> {
    check_material(&geometry.material)?;
    check_size(columns.nodes.len(), params)?;
    let surface = &boundary.surface;
    let is_held = |v: u32| columns.column_of_vertex[v as usize] == NOT_FREE;
    let is_support = |t: usize| surface.triangles[t].iter().all(|&v| is_held(v));
    let mut in_support = vec![false; surface.vertex_count()];
    for (t, triangle) in surface.triangles.iter().enumerate() {
        if is_support(t) {
            for &v in triangle {
                in_support[v as usize] = true;
            }
        }
    }
    let carries = |t: usize, corner: usize| {
        let v = surface.triangles[t][corner];
        !is_held(v) || is_support(t) || !in_support[v as usize]
    };
    let mut times = StageTimes::default();
    let mut watch = Stopwatch::start();
    progress.stage("assembling the boundary elements");
    let kelvin = Kelvin {
        poisson: geometry.material.elastic.poisson,
    };
    let system =
        assemble_linear(surface, kelvin, carries, progress).map_err(|fault| match fault {
            AssemblyFault::SourceOnForeignElement { vertex, triangle } => {
                BakeError::SourceOnForeignElement { vertex, triangle }
            }
            AssemblyFault::DegenerateTriangle { triangle } => {
                BakeError::DegenerateTriangle { triangle }
            }
            AssemblyFault::Cancelled(cancelled) => BakeError::Cancelled(cancelled),
        })?;

    times.assemble = watch.lap();
    progress.stage("factorising the boundary elements");
    let length = 0.5 * surface.bounds().diagonal();
    let solver = Solver::new(system, &is_held, length)?;
    times.factor = watch.lap();
    progress.check()?;

    progress.stage("solving for the Green's functions");
    let shear = geometry.material.elastic.young / (2.0 * (1.0 + kelvin.poisson));
    let free: Vec<u32> = (0..surface.vertex_count() as u32)
        .filter(|&v| !is_held(v))
        .collect();
    let solved = solver.columns(&free, shear, progress)?;
    let matrix = store(&solved, &free, params.precision).ok_or(BakeError::TooManyColumns {
        nodes: free.len(),
        megabytes: 0,
        limit: params.max_boundary_nodes,
    })?;
    let density = geometry.material.density;
    let body_force = solver.body_force(shear);
    let support_of = |v: u32| columns.support_of_vertex[v as usize];
    let supports = geometry
        .supports
        .iter()
        .enumerate()
        .map(|(k, support)| {
            let held: Vec<u32> = (0..surface.vertex_count() as u32)
                .filter(|&v| is_held(v) && support_of(v) == k as u32)
                .collect();
            SupportRows {
                name: support.name.clone(),
                shares: (0..free.len())
                    .map(|j| solver.total(&solved, j, &held, shear))
                    .collect(),
                gravity: solver.total(&body_force, 0, &held, shear) * density,
            }
        })
        .collect();
    let gravity = free
        .iter()
        .map(|&v| body_force.block(v, 0) * density)
        .collect();
    times.columns = watch.lap();
    Ok(GreensFunctions {
        matrix,
        gravity,
        supports,
        unknowns: 3 * surface.vertex_count(),
        times,
    })
}

/// Answers of the system: three columns a case, `height` numbers each.
struct Solved {
    height: usize,
    values: Vec<f64>,
}

impl Solved {
    fn block(&self, vertex: u32, case: usize) -> Mat3 {
        Mat3::from_fn(|r, c| self.values[(3 * case + c) * self.height + 3 * vertex as usize + r])
    }
}

/// The factored system of one set of held vertices. The unknown of a held vertex is its traction times `length / μ`.
struct Solver {
    vertices: usize,
    length: f64,
    /// transposed rows of the system: L and U of the transpose
    factors: Vec<f64>,
    forward: Vec<usize>,
    backward: Vec<usize>,
    g: Vec<f64>,
    body_force: Vec<f64>,
    areas: Vec<f64>,
}

impl Solver {
    fn new(
        system: BoundarySystem,
        is_held: &impl Fn(u32) -> bool,
        length: f64,
    ) -> Result<Self, BakeError> {
        let size = 3 * system.vertices;
        let BoundarySystem {
            vertices,
            h: mut factors,
            g,
            body_force,
            areas,
        } = system;
        // the rows are contiguous: as columns they make the transpose
        for (row, traction) in factors.chunks_mut(size.max(1)).zip(g.chunks(size.max(1))) {
            for v in (0..vertices as u32).filter(|&v| is_held(v)) {
                for k in 3 * v as usize..3 * v as usize + 3 {
                    row[k] = -traction[k] / length;
                }
            }
        }
        let (mut forward, mut backward) = (vec![0; size], vec![0; size]);
        let request = lu_in_place_scratch::<usize, f64>(size, size, Par::Seq, Default::default());
        lu_in_place(
            MatMut::from_column_major_slice_mut(&mut factors, size, size),
            &mut forward,
            &mut backward,
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(request)),
            Default::default(),
        );
        let pivot = |k: usize| factors[k * size + k].abs();
        let largest = (0..size).map(pivot).fold(0.0, f64::max);
        if let Some(k) =
            (0..size).find(|&k| pivot(k).is_nan() || pivot(k) <= SMALLEST_PIVOT * largest)
        {
            return Err(BakeError::SingularSystem {
                vertex: (forward[k] / 3) as u32,
            });
        }
        Ok(Self {
            vertices,
            length,
            factors,
            forward,
            backward,
            g,
            body_force,
            areas,
        })
    }

    fn size(&self) -> usize {
        3 * self.vertices
    }

    /// Replaces right-hand sides, column by column, by solutions.
    fn solve(&self, right: &mut [f64], memory: &mut MemBuffer) {
        let size = self.size();
        let width = right.len() / size;
        let factors = MatRef::from_column_major_slice(&self.factors, size, size);
        solve_transpose_in_place(
            factors,
            factors,
            PermRef::new_checked(&self.forward, &self.backward, size),
            MatMut::from_column_major_slice_mut(right, size, width),
            Par::Seq,
            MemStack::new(memory),
        );
    }

    fn memory(&self) -> MemBuffer {
        MemBuffer::new(solve_transpose_in_place_scratch::<usize, f64>(
            self.size(),
            RIGHT_SIDES,
            Par::Seq,
        ))
    }

    /// Answers to a unit force (N) on each vertex of `free`.
    fn columns(&self, free: &[u32], shear: f64, progress: &Progress) -> Result<Solved, BakeError> {
        let height = self.size();
        let mut values = vec![0.0; height * 3 * free.len()];
        let done = AtomicUsize::new(0);
        values
            .par_chunks_mut((height * RIGHT_SIDES).max(1))
            .enumerate()
            .try_for_each_init(
                || self.memory(),
                |memory, (chunk, right)| -> Result<(), BakeError> {
                    progress.check()?;
                    let width = right.len() / height;
                    for k in 0..width {
                        let column = chunk * RIGHT_SIDES + k;
                        let vertex = free[column / 3] as usize;
                        let scale = 1.0 / (self.areas[vertex] * shear);
                        for (row, value) in
                            right[k * height..(k + 1) * height].iter_mut().enumerate()
                        {
                            *value = scale * self.g[row * height + 3 * vertex + column % 3];
                        }
                    }
                    self.solve(right, memory);
                    let finished = done.fetch_add(width, Ordering::Relaxed) + width;
                    progress.set_fraction(finished as f64 / (3 * free.len()) as f64);
                    Ok(())
                },
            )?;
        Ok(Solved { height, values })
    }

    /// Answer to a body force of 1 N/m³ along each axis.
    fn body_force(&self, shear: f64) -> Solved {
        let height = self.size();
        let mut values = vec![0.0; 3 * height];
        for axis in 0..3 {
            for row in 0..height {
                values[axis * height + row] = self.body_force[3 * row + axis] / shear;
            }
        }
        self.solve(&mut values, &mut self.memory());
        Solved { height, values }
    }

    /// Sum of the forces on the vertices `held` in one case, N on the body.
    fn total(&self, solved: &Solved, case: usize, held: &[u32], shear: f64) -> Mat3 {
        let mut sum = Mat3::zeros();
        for &v in held {
            sum += solved.block(v, case) * (self.areas[v as usize] * shear / self.length);
        }
        sum
    }
}

/// The symmetric part of the compliances between the free vertices.
fn store(solved: &Solved, free: &[u32], precision: Precision) -> Option<GreensMatrix> {
    fn fill<T: Number>(solved: &Solved, free: &[u32]) -> Vec<T> {
        let height = 3 * free.len();
        let mut values = vec![T::ZERO; height * height];
        let entry = |row: usize, column: usize| {
            solved.values[column * solved.height + 3 * free[row / 3] as usize + row % 3]
        };
        values
            .par_chunks_mut(height.max(1))
            .enumerate()
            .for_each(|(column, out)| {
                for (row, value) in out.iter_mut().enumerate() {
                    *value = T::from_f64(0.5 * (entry(row, column) + entry(column, row)));
                }
            });
        values
    }
    let values = match precision {
        Precision::Single => Columns::Single(fill(solved, free)),
        Precision::Double => Columns::Double(fill(solved, free)),
    };
    GreensMatrix::new(free.len(), values)
}

/// How far the reaction of all supports is from balancing a unit force on each free vertex: mean of `|Σ R + I|` over all vertices, 0 for a
/// perfect discretisation.
pub fn balance_error(supports: &[SupportRows]) -> f64 {
    let Some(first) = supports.first() else {
        return 0.0;
    };
    let count = first.shares.len();
    let mut sum = 0.0;
    for j in 0..count {
        let total: Mat3 = supports.iter().map(|s| s.shares[j]).sum();
        sum += (total + Mat3::identity()).norm() / Vec3::repeat(1.0).norm();
    }
    sum / count.max(1) as f64
}
