//! Detail of a finer surface that is felt on a coarse skin: its normals, as a normal map shows them, without its geometry.
//!
//! The contact with the smooth skin gives the force. Its direction is then turned from the normal of the skin to that of the finer surface, as shading by a normal map turns
//! that of light (Morgenbesser and Srinivasan 1996, force shading). Where the skin is smooth but the detail rises, a tip is pushed back as by a slope. The cone of friction turns, too.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, SurfacePoint, TriangleTree};
use rayon::prelude::*;

use crate::haptics::error::HapticError;

/// Most cells along an edge of a triangle; a power of two, so that both triangles of an edge sample it at the same points.
const MAX_CELLS: usize = 32;
/// Most samples of a skin: 12 bytes each.
const MAX_SAMPLES: usize = 1 << 22;
/// Distance within which the detail of a point is searched for, as a share of the skin's diagonal.
const REACH_SHARE: f64 = 0.05;
/// Largest slope that is felt, 45 degrees. With usual friction no force then pulls at the skin.
const MAX_SLOPE: f64 = 1.0;
/// Slopes below this are rounding of the search.
const MIN_SLOPE: f64 = 1e-6;
/// Cosine of the angle between both normals below which the detail belongs to another side of the body.
const MIN_COSINE: f64 = 0.1;

/// Figures of the detail of a skin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DetailReport {
    /// Number of samples.
    pub samples: usize,
    /// Samples without detail within reach, where the skin is felt as it is.
    pub apart: usize,
    /// Samples whose slope was limited to 45 degrees.
    pub limited: usize,
    /// Largest slope that is felt: the tangent of the angle between the normals of skin and detail.
    pub max_slope: f64,
    /// Mean distance between samples, m.
    pub spacing: f64,
    /// Mean edge length of the finer surface, m. Where it is below the spacing, samples leave detail out.
    pub detail_edge: f64,
}

/// Slopes of a finer surface over a skin at rest, sampled on a regular grid in each triangle, and linear between the samples.
///
/// A slope is the vector that is added to the unit normal of the skin to point along the normal of the detail: minus the gradient of the height over the skin. Both triangles of
/// an edge have the same samples there, so that slopes are continuous over the skin. A point contact acts on the skin at rest (James and Pai, haptics chapter), so that slopes are
/// those at rest, too, and no deformation turns them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DetailSlopes {
    /// Cells along an edge of a triangle.
    cells: usize,
    /// The samples of each triangle, in rows of equal third weight; each row begins where the second weight is zero.
    slopes: Vec<[f32; 3]>,
    report: DetailReport,
}

/// A sample of the slope.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    slope: Vec3,
    apart: bool,
    limited: bool,
}

/// A point in a cell, a triangle of three samples.
struct Cell {
    corners: [Vec3; 3],
    weights: [f64; 3],
    /// -1 in cells that point the other way than their triangle.
    orientation: f64,
}

impl DetailSlopes {
    /// Samples the normals of `detail` at the closest points to `skin`. Cost: a search for each sample. The same bits for any number of threads.
    ///
    /// # Errors
    /// [`HapticError::DetailApart`] where no detail is within reach.
    pub fn new(skin: &SurfaceMesh, detail: &SurfaceMesh) -> Result<Self, HapticError> {
        let reach = REACH_SHARE * skin.bounds().diagonal();
        if detail.triangles.is_empty() {
            return Err(HapticError::DetailApart { reach });
        }
        let (edge, detail_edge) = (skin.mean_edge(), detail.mean_edge());
        let triangles = skin.triangles.len();
        let mut cells = 1;
        while cells < MAX_CELLS
            && edge > detail_edge * cells as f64
            && triangles * samples_of(2 * cells) <= MAX_SAMPLES
        {
            cells *= 2;
        }
        let sampler = Sampler {
            skin,
            normals: skin.vertex_normals(),
            detail,
            detail_normals: detail.vertex_normals(),
            tree: TriangleTree::new(&detail.positions, &detail.triangles),
            reach,
        };
        let sampler = &sampler;
        let samples: Vec<Sample> = (0..triangles as u32)
            .into_par_iter()
            .flat_map_iter(|triangle| {
                let at = move |weights: [f64; 3]| SurfacePoint { triangle, weights };
                grid(cells).map(move |weights| sampler.sample(&at(weights)))
            })
            .collect();
        let apart = samples.iter().filter(|sample| sample.apart).count();
        if apart == samples.len() {
            return Err(HapticError::DetailApart { reach });
        }
        let sizes = samples.iter().map(|sample| sample.slope.norm());
        Ok(Self {
            cells,
            report: DetailReport {
                samples: samples.len(),
                apart,
                limited: samples.iter().filter(|sample| sample.limited).count(),
                max_slope: sizes.fold(0.0, f64::max),
                spacing: edge / cells as f64,
                detail_edge,
            },
            slopes: samples
                .iter()
                .map(|sample| <[f64; 3]>::from(sample.slope).map(|x| x as f32))
                .collect(),
        })
    }

    /// Figures of the samples.
    pub fn report(&self) -> &DetailReport {
        &self.report
    }

    /// The slope at a point. It is perpendicular to the normal of the skin at the samples, and nearly so between them.
    pub fn slope(&self, at: &SurfacePoint) -> Vec3 {
        let cell = self.cell(at);
        let [a, b, c] = cell.corners;
        let [x, y, z] = cell.weights;
        a * x + b * y + c * z
    }

    /// Derivative of the slope with respect to the position on the triangle with these corners (m), 1/m.
    pub fn gradient(&self, at: &SurfacePoint, corners: &[Vec3; 3]) -> Mat3 {
        let cell = self.cell(at);
        let scale = cell.orientation * self.cells as f64;
        let [a, b, c] = cell.corners;
        let (e1, e2) = (corners[1] - corners[0], corners[2] - corners[0]);
        let area = e1.cross(&e2);
        let size = area.norm_squared();
        if size <= 0.0 {
            return Mat3::zeros();
        }
        // gradients of the second and third weight
        let (g1, g2) = (e2.cross(&area) / size, area.cross(&e1) / size);
        ((b - a) * g1.transpose() + (c - a) * g2.transpose()) * scale
    }

    /// The cell at a point.
    fn cell(&self, at: &SurfacePoint) -> Cell {
        let cells = self.cells;
        let [x, y] = [at.weights[1], at.weights[2]].map(|w| w.clamp(0.0, 1.0) * cells as f64);
        let i = (x as usize).min(cells - 1);
        // a sample on the edge opposite to the first corner belongs to the cell below it
        let j = (y as usize).min(cells - 1 - i);
        let (x, y) = (x - i as f64, y - j as f64);
        let first = at.triangle as usize * samples_of(cells);
        let sample = |i: usize, j: usize| {
            let slope = self.slopes.get(first + place(cells, i, j));
            slope.map_or_else(Vec3::zeros, |slope| Vec3::from(slope.map(f64::from)))
        };
        if x + y <= 1.0 || i + j + 1 == cells {
            return Cell {
                corners: [sample(i, j), sample(i + 1, j), sample(i, j + 1)],
                weights: [1.0 - x - y, x, y],
                orientation: 1.0,
            };
        }
        Cell {
            corners: [sample(i + 1, j + 1), sample(i, j + 1), sample(i + 1, j)],
            weights: [x + y - 1.0, 1.0 - x, 1.0 - y],
            orientation: -1.0,
        }
    }
}

/// The surfaces that are sampled.
struct Sampler<'a> {
    skin: &'a SurfaceMesh,
    normals: Vec<Vec3>,
    detail: &'a SurfaceMesh,
    detail_normals: Vec<Vec3>,
    tree: TriangleTree,
    /// m
    reach: f64,
}

impl Sampler<'_> {
    fn sample(&self, at: &SurfacePoint) -> Sample {
        let apart = Sample {
            apart: true,
            ..Sample::default()
        };
        let normal = interpolated_normal(self.skin, &self.normals, at);
        let found = self.tree.closest_within(&self.skin.point(at), self.reach);
        let Some(found) = found else {
            return apart;
        };
        let found = found.surface_point();
        let fine = interpolated_normal(self.detail, &self.detail_normals, &found);
        let cosine = fine.dot(&normal);
        // a normal that is not finite belongs to no side either
        if cosine.is_nan() || cosine < MIN_COSINE {
            return apart;
        }
        let slope = fine / cosine - normal;
        let size = slope.norm();
        if size < MIN_SLOPE {
            return Sample::default();
        }
        let limited = size > MAX_SLOPE;
        let share = if limited { MAX_SLOPE / size } else { 1.0 };
        Sample {
            slope: slope * share,
            apart: false,
            limited,
        }
    }
}

/// Unit normal at a point, interpolated from those of the vertices; that of the triangle where they cancel.
pub(super) fn interpolated_normal(mesh: &SurfaceMesh, normals: &[Vec3], at: &SurfacePoint) -> Vec3 {
    let corners = mesh.triangles[at.triangle as usize];
    let mut sum = Vec3::zeros();
    for (&v, weight) in corners.iter().zip(at.weights) {
        sum += normals[v as usize] * weight;
    }
    sum.try_normalize(1e-12).unwrap_or_else(|| {
        let area = mesh.area_vector(at.triangle as usize);
        area.try_normalize(0.0).unwrap_or_else(Vec3::y)
    })
}

/// The map of forces that maps the unit `normal` to `normal + slope`: a rotation times the length of that, where the slope is perpendicular to the normal. A force along the normal
/// keeps its component there, and the friction cone keeps its angle.
pub(super) fn tilt(normal: &Vec3, slope: &Vec3) -> Mat3 {
    let length = (1.0 + slope.norm_squared()).sqrt();
    let axis = normal.cross(slope).cross_matrix();
    // Rodrigues' formula, times the length
    Mat3::identity() * length + axis + axis * axis / (1.0 + length)
}

/// Number of samples in a triangle.
fn samples_of(cells: usize) -> usize {
    (cells + 1) * (cells + 2) / 2
}

/// Place of the sample with these second and third weights, in cells.
fn place(cells: usize, i: usize, j: usize) -> usize {
    // the rows before have one sample less each, beginning with `cells + 1`
    j * (2 * cells + 3 - j) / 2 + i
}

/// Weights of the samples of a triangle, in the order of their places.
fn grid(cells: usize) -> impl Iterator<Item = [f64; 3]> {
    let size = cells as f64;
    (0..=cells).flat_map(move |j| {
        let row = 0..=cells - j;
        row.map(move |i| [(cells - i - j) as f64, i as f64, j as f64].map(|w| w / size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square in the plane y = 0, seen from above, with a grid of `cells` and height `height(x, z)`.
    fn sheet(cells: u32, height: impl Fn(f64, f64) -> f64) -> SurfaceMesh {
        let place = |k: u32| f64::from(k) / f64::from(cells) - 0.5;
        let grid = (0..=cells).flat_map(|i| (0..=cells).map(move |k| (place(i), place(k))));
        let positions = grid.map(|(x, z)| Vec3::new(x, height(x, z), z)).collect();
        let squares = (0..cells).flat_map(|i| (0..cells).map(move |k| i * (cells + 1) + k));
        let next = cells + 1;
        let triangles =
            squares.flat_map(|v| [[v, v + 1, v + next], [v + 1, v + next + 1, v + next]]);
        SurfaceMesh::new(positions, triangles.collect())
    }

    #[test]
    fn every_sample_has_its_place() {
        for cells in [1, 2, 8] {
            let weights: Vec<[f64; 3]> = grid(cells).collect();
            assert_eq!(weights.len(), samples_of(cells));
            for j in 0..=cells {
                for i in 0..=cells - j {
                    let [a, b, c] = weights[place(cells, i, j)];
                    assert_eq!((a + b + c, b * cells as f64), (1.0, i as f64));
                    assert_eq!(c * cells as f64, j as f64);
                }
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_height_linear_in_cells_and_continuous() {
        // both parts of the slope are linear in x and z, so that interpolation is exact but for the search and the normals of the finer surface
        let height = |x: f64, z: f64| 0.02 * (x * x - x * z);
        let skin = sheet(4, |_, _| 0.0);
        let detail = DetailSlopes::new(&skin, &sheet(64, height)).expect("close");
        assert!(detail.cells == 16 && detail.report().apart == 0);
        let inside = |t: &u32| {
            let corners = skin.corners(*t as usize);
            corners.iter().all(|x| x.x.abs() < 0.3 && x.z.abs() < 0.3)
        };
        let triangles: Vec<u32> = (0..skin.triangles.len() as u32).filter(inside).collect();
        assert_eq!(triangles.len(), 8);
        for triangle in triangles {
            for k in 0..40 {
                let (a, b) = (f64::from(k % 8) / 7.3, f64::from(k / 8) / 4.7);
                let weights = [(1.0 - a) * (1.0 - b), a, (1.0 - a) * b];
                let at = SurfacePoint { triangle, weights };
                let x = skin.point(&at);
                let expected = Vec3::new(-0.02 * (2.0 * x.x - x.z), 0.0, 0.02 * x.x);
                let slope = detail.slope(&at);
                assert!((slope - expected).norm() < 2e-4, "{slope} {expected}");
                // the derivative is that of the interpolation
                let corners = skin.corners(triangle as usize);
                let gradient = detail.gradient(&at, &corners);
                let constant = Mat3::new(-0.04, 0.0, 0.02, 0.0, 0.0, 0.0, 0.02, 0.0, 0.0);
                assert!((gradient - constant).norm() < 0.02, "{gradient}");
            }
        }
    }

    #[test]
    fn the_own_skin_and_a_surface_elsewhere_are_no_detail() {
        let skin = sheet(3, |x, z| 0.3 * x * x - 0.2 * z * x);
        let own = DetailSlopes::new(&skin, &skin).expect("close");
        assert!(own.slopes.iter().flatten().all(|x| *x == 0.0));
        let elsewhere = sheet(3, |_, _| 1.0);
        assert!(matches!(
            DetailSlopes::new(&skin, &elsewhere),
            Err(HapticError::DetailApart { .. })
        ));
        assert!(DetailSlopes::new(&skin, &SurfaceMesh::default()).is_err());
    }

    #[test]
    fn a_tilt_turns_the_normal_and_keeps_angles_and_the_normal_force() {
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let slope = Vec3::new(0.4, 0.3, -0.3);
        let tilt = tilt(&normal, &slope);
        let length = (normal + slope).norm();
        assert!((tilt * normal - normal - slope).norm() < 1e-14);
        let scaled = tilt.transpose() * tilt - Mat3::identity() * (length * length);
        assert!(scaled.norm() < 1e-13 && tilt.determinant() > 0.0);
        assert_eq!(super::tilt(&normal, &Vec3::zeros()), Mat3::identity());
    }
}
