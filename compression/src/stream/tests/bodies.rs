//! Small matrices to write.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::octahedron;

use super::super::{StreamError, StreamSpec, TransformSource, write};
use crate::error::CompressionError;
use crate::subdivision::{Refinement, SubdivisionHierarchy};
use crate::test_bodies::{kelvin, octahedron_positions};
use crate::transform::{TransformSpec, WaveletTransform};
use crate::wavelet::{Columns, ThresholdSpec, WaveletMatrix};

/// A compressed matrix and what its transform was made of.
pub(super) struct Body {
    pub hierarchy: SubdivisionHierarchy,
    pub areas: Option<Vec<f64>>,
    pub matrix: WaveletMatrix<f32>,
    pub epsilon: f64,
}

/// What differs between bodies.
#[derive(Clone, Copy)]
pub(super) struct BodyKind {
    pub levels: usize,
    pub size: usize,
    /// Columns; all rows where none.
    pub columns: Option<usize>,
    pub epsilon: f64,
    pub transform: TransformSpec,
}

impl Default for BodyKind {
    fn default() -> Self {
        Self {
            levels: 3,
            size: 3,
            columns: None,
            epsilon: 0.02,
            transform: TransformSpec::default(),
        }
    }
}

/// A subdivided octahedron without its lower cap, with columns of Kelvin's solution, smoothed at the pole.
pub(super) fn body(kind: &BodyKind) -> Result<Body, CompressionError> {
    let hierarchy = SubdivisionHierarchy::subdivided(6, &octahedron().triangles, kind.levels)?;
    of_hierarchy(hierarchy, kind)
}

/// The same with vertices of each level in another order, as a mesh from a file has them.
pub(super) fn renumbered(kind: &BodyKind) -> Result<Body, CompressionError> {
    let given = SubdivisionHierarchy::subdivided(6, &octahedron().triangles, kind.levels)?;
    let mut number: Vec<u32> = (0..6).collect();
    let mut refinements = Vec::new();
    for level in 1..=kind.levels {
        let first = number.len() as u32;
        let parents = given.parents(level);
        let n = parents.len() as u32;
        number.extend((0..n).map(|k| first + n - 1 - k));
        let new = |v: u32| number[v as usize];
        let turned = parents.iter().rev().map(|&[a, b]| [new(b), new(a)]);
        let triangles = given.triangles(level).iter().rev().map(|t| t.map(new));
        refinements.push(Refinement {
            parents: turned.collect(),
            triangles: triangles.collect(),
        });
    }
    of_hierarchy(
        SubdivisionHierarchy::new(6, octahedron().triangles, refinements)?,
        kind,
    )
}

fn of_hierarchy(
    hierarchy: SubdivisionHierarchy,
    kind: &BodyKind,
) -> Result<Body, CompressionError> {
    let middles = octahedron_positions(&hierarchy);
    let areas: Vec<f64> = middles.iter().map(|p| p.norm().powi(3)).collect();
    let x: Vec<Vec3> = middles.iter().map(|p| p.normalize()).collect();
    let inside: Vec<bool> = x.iter().map(|p| p.y > -0.6).collect();
    compressed(hierarchy, &x, &inside, Some(areas), kind)
}

/// One vertex without triangles.
pub(super) fn one_vertex(size: usize) -> Result<Body, CompressionError> {
    let hierarchy = SubdivisionHierarchy::new(1, Vec::new(), Vec::new())?;
    let kind = BodyKind {
        size,
        ..BodyKind::default()
    };
    compressed(hierarchy, &[Vec3::x()], &[true], None, &kind)
}

fn compressed(
    hierarchy: SubdivisionHierarchy,
    x: &[Vec3],
    inside: &[bool],
    areas: Option<Vec<f64>>,
    kind: &BodyKind,
) -> Result<Body, CompressionError> {
    let transform = WaveletTransform::new(&hierarchy, inside, areas.as_deref(), &kind.transform)?;
    let positions: Vec<Vec3> = transform
        .domain()
        .vertices()
        .iter()
        .map(|&v| x[v as usize])
        .collect();
    let fill = |column: usize, out: &mut [f64]| {
        for (row, block) in out.chunks_exact_mut(kind.size * kind.size).enumerate() {
            let green = kelvin(positions[row] - positions[column]);
            block.copy_from_slice(&green.as_slice()[..block.len()]);
        }
    };
    let columns = Columns::new(kind.columns.unwrap_or(positions.len()), kind.size, &fill);
    let threshold = ThresholdSpec::new(kind.epsilon);
    let transform = Arc::new(transform);
    let (matrix, _) = WaveletMatrix::compress(&transform, &columns, &threshold, &Progress::new())?;
    Ok(Body {
        hierarchy,
        areas,
        matrix,
        epsilon: kind.epsilon,
    })
}

impl Body {
    pub fn source(&self) -> TransformSource<'_> {
        TransformSource {
            hierarchy: &self.hierarchy,
            areas: self.areas.as_deref(),
        }
    }

    pub fn spec(&self) -> StreamSpec {
        StreamSpec {
            epsilon: self.epsilon,
            columns_per_packet: 50,
            ..StreamSpec::default()
        }
    }

    pub fn written(&self) -> Result<Vec<u8>, StreamError> {
        write(&self.matrix, &self.source(), b"skin", &self.spec())
    }
}
